package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/transcript"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/language"
)

// oddsCmd shows the odds of dice, and of the actions of a scenario file.
type oddsCmd struct {
	What    string `arg:"" help:"Dice, for example 2D6+3, or a scenario file, whose name ends in .yaml."`
	AtLeast *int32 `xor:"bound" placeholder:"N" help:"Of dice: how probable N or more is."`
	AtMost  *int32 `xor:"bound" placeholder:"N" help:"Of dice: how probable N or less is."`
	Entry   int    `placeholder:"N" help:"Of a file: the Nth entry of each case, whether it says odds or not."`
	Lang    string `default:"en" enum:"${languages}" help:"The language of what is shown: en or ja."`
}

// Help is shown by hantei odds --help.
func (*oddsCmd) Help() string {
	return `Shows what dice come to, or what can come of the actions of a scenario file that have
odds: as fractions, which are exact, and in percent. What a file says of them is
compared by hantei play.

Examples:
  hantei odds 2D6+3 --at-least 10
  hantei odds engine/coc/testdata/ex-coc-atk-01-1.yaml
  hantei odds --entry 1 --lang ja house-rules.yaml`
}

// Run implements the command.
func (c *oddsCmd) Run(s streams) error {
	w := &oddsWriter{w: s.out, texts: language.Texts(), lang: c.Lang}
	if ext := strings.ToLower(filepath.Ext(c.What)); ext == ".yaml" || ext == ".yml" {
		return c.file(w)
	}
	f, err := dice.ParseFormula(c.What)
	if err != nil {
		wrong := rule.Say("formula_form", rule.Sent("sent", c.What), rule.Because("why", rule.DiceDetail(err)))
		return errors.New(w.texts.Detail(wrong, w.lang))
	}
	all, err := odds.Formula(f)
	switch {
	case errors.Is(err, odds.ErrNames):
		return fmt.Errorf("%v: %s", f, w.text("no_names", nil))
	case errors.Is(err, odds.ErrWide):
		return fmt.Errorf("%v: %s", f, w.text("too_wide", map[string]string{"n": strconv.Itoa(odds.MaxWidth)}))
	}
	return w.formula(f, all, c.AtLeast, c.AtMost)
}

func (c *oddsCmd) file(w *oddsWriter) error {
	f, err := scenario.Load(os.DirFS(filepath.Dir(c.What)), filepath.Base(c.What))
	if err != nil {
		return err
	}
	shown := 0
	report := scenario.Run(f, app.MakeRuleset, scenario.Options{Tried: func(t *scenario.Tried) {
		if c.Entry != t.Number && (c.Entry > 0 || t.Entry.Odds == nil) {
			return
		}
		shown++
		w.tried(t)
	}})
	switch {
	case w.err != nil:
		return w.err
	case shown > 0:
		return nil
	case c.Entry > 0:
		err = errors.New(w.text("no_entry", map[string]string{"file": f.Name, "number": strconv.Itoa(c.Entry)}))
	default:
		err = errors.New(w.text("none", map[string]string{"file": f.Name}))
	}
	return errors.Join(err, report.Err())
}

// oddsWriter writes odds for people.
type oddsWriter struct {
	w     io.Writer
	texts *locale.Catalog
	lang  string
	err   error
}

func (w *oddsWriter) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format+"\n", args...)
	}
}

func (w *oddsWriter) text(key string, values map[string]string) string {
	return w.texts.Text("odds."+key, w.lang, func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok && v != ""
	})
}

// row is one outcome: its words, how probable it is, and a bar of that.
func (w *oddsWriter) row(words string, width int, p *big.Rat) {
	w.line("  %s%s %8s %%  %-14s %s", words, strings.Repeat(" ", max(0, width-transcript.Width(words))), percent(p), p.RatString(), bar(p))
}

func percent(p *big.Rat) string { return new(big.Rat).Mul(p, big.NewRat(100, 1)).FloatString(2) }

// bar is a bar of which 50 signs are all there is; what can happen at all has one sign.
func bar(p *big.Rat) string {
	n, _ := strconv.Atoi(new(big.Rat).Mul(p, big.NewRat(50, 1)).FloatString(0))
	if p.Sign() > 0 {
		n = max(n, 1)
	}
	return strings.Repeat("#", n)
}

// formula writes what dice come to.
func (w *oddsWriter) formula(f dice.Formula, all []odds.Total, atLeast, atMost *int32) error {
	mean, bound := new(big.Rat), new(big.Rat)
	for _, t := range all {
		mean.Add(mean, new(big.Rat).Mul(t.P, big.NewRat(int64(t.Total), 1)))
		if atLeast != nil && t.Total >= *atLeast || atMost != nil && t.Total <= *atMost {
			bound.Add(bound, t.P)
		}
	}
	w.line("%s", w.text("formula", map[string]string{
		"formula": f.String(), "low": strconv.Itoa(int(all[0].Total)), "high": strconv.Itoa(int(all[len(all)-1].Total)), "mean": decimal(mean),
	}))
	width := max(len(strconv.Itoa(int(all[0].Total))), len(strconv.Itoa(int(all[len(all)-1].Total))))
	for _, t := range all {
		w.row(fmt.Sprintf("%*d", width, t.Total), width, t.P)
	}
	switch {
	case atLeast != nil:
		w.row(w.text("at_least", map[string]string{"n": strconv.Itoa(int(*atLeast))}), 0, bound)
	case atMost != nil:
		w.row(w.text("at_most", map[string]string{"n": strconv.Itoa(int(*atMost))}), 0, bound)
	}
	return w.err
}

// decimal writes a number with a point, as short as it can be.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.RatString()
	}
	return strings.TrimRight(r.FloatString(4), "0")
}

// tried writes the odds of an action of a file.
func (w *oddsWriter) tried(t *scenario.Tried) {
	texts, err := locale.Load(locale.Core(), t.Rules.Locale)
	if err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	w.texts = texts
	q := t.Query()
	o, err := odds.Of(q)
	if err != nil {
		w.err = errors.Join(w.err, fmt.Errorf("%s:%d: %w", t.File.Name, t.Entry.Line, err))
		return
	}
	name := func(id string) string { return table.Character(q.State, id).GetName() }
	gm := view.Viewer{Seat: scenario.GM, GM: true}
	vis := view.Stamp(t.Rules.Options.InForce(q.State.Options), q.State, nil)
	told := view.Odds(o, q, gm, vis)
	view.RenderOdds(told, w.lang, texts, name)
	who := name(t.Entry.By)
	if who == "" {
		who = texts.Word(scenario.GM, w.lang)
	}
	w.line("%s", w.text("entry", map[string]string{
		"file": t.File.Name, "number": strconv.Itoa(t.Number), "case": t.Case.Name, "who": who, "what": t.What(),
	}))
	var under []string
	for _, a := range q.Answers {
		under = append(under, texts.Choice(a.Choice, w.lang, name))
	}
	w.odds(told, texts.Join(under, w.lang), name)
	if told.Question != nil {
		w.question(told.Question, name)
	}
}

// question writes the odds of each answer.
func (w *oddsWriter) question(q *tablev1.QuestionOdds, name func(string) string) {
	for _, c := range q.Choices {
		if c.Odds != nil && c.Choice != q.DefaultChoice {
			w.line("\n%s %s", q.Text.GetText(), w.text("choice", map[string]string{"choice": c.Text}))
			w.odds(c.Odds, "", name)
		}
	}
}

func (w *oddsWriter) odds(o *tablev1.OddsView, under string, name func(string) string) {
	if o.Method == tablev1.OddsMethod_ODDS_METHOD_EXACT {
		w.line("%s", w.text("exact", map[string]string{"leaves": strconv.Itoa(int(o.Leaves)), "under": under}))
	} else {
		w.line("%s", w.text("sampled", map[string]string{
			"samples": strconv.Itoa(int(o.Samples)), "margin": percentOf(o.Margin), "under": under,
		}))
	}
	width := 0
	for _, e := range o.Events {
		width = max(width, transcript.Width(words(e)))
	}
	for _, e := range o.Events {
		w.row(words(e), width, rat(e.Probability))
	}
	for _, r := range o.Resources {
		w.line("%s", w.text("resource", map[string]string{
			"character": name(r.Character), "resource": w.texts.Word(r.Key, w.lang), "before": strconv.Itoa(int(r.Before)), "mean": decimal(rat(r.Mean)),
		}))
		for _, v := range r.Values {
			w.row(fmt.Sprintf("%4d", v.Value), 4, rat(v.Probability))
		}
	}
	for _, s := range o.Statuses {
		key := "gains"
		if s.Lost {
			key = "loses"
		}
		w.row(w.text(key, map[string]string{"character": name(s.Character), "status": w.texts.Word(s.Key, w.lang)}), width, rat(s.Probability))
	}
	if o.Truncated != nil {
		w.line("%s", w.text("truncated", map[string]string{"p": o.Truncated.Decimal}))
	}
	for _, p := range o.UnusedAnswers {
		w.line("%s", w.text("unused", map[string]string{"prompt": w.texts.Word(p, w.lang)}))
	}
}

// words are an event's sentence, or its name where it has none.
func words(e *tablev1.EventOdds) string {
	if e.Event.Text == nil {
		return e.Event.Name
	}
	text, _, _ := strings.Cut(e.Event.Text.Text, "\n")
	return text
}

func rat(f *tablev1.Fraction) *big.Rat {
	r, _ := new(big.Rat).SetString(f.GetFraction())
	return r
}

func percentOf(f *tablev1.Fraction) string { return percent(rat(f)) }
