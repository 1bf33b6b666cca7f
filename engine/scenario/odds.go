package scenario

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Chances are the odds that an action has to have before it is declared.
type Chances struct {
	// Under are the answers with which they are.
	Under []odds.Answer

	line     int
	outcomes []chance
}

// chance is the probability of an outcome.
type chance struct {
	line int
	text string // as it is written
	p    *big.Rat

	event, word string // an event, with one of the words that everybody may read; or
	path, op    string // a value of the state at the end, as it compares with another
	value       string
}

// operators of a comparison, the longer ones first.
var operators = []string{"<=", ">=", "!=", "<", ">", "="}

// chances reads the odds of an entry.
func (l *loader) chances(n *node, line int) *Chances {
	c := &Chances{line: line}
	l.fields(n, "odds", []field{
		optional("under", func(n *node, _ int) {
			if n.kind != mapNode {
				l.add(n.line, "under is a mapping of prompts to choices, not %s", n.word())
				return
			}
			for _, kv := range n.pairs {
				l.declared(kv.line, "prompt", kv.key, l.prompts)
				c.Under = append(c.Under, odds.Answer{Prompt: kv.key, Choice: l.text(kv.value, kv.key)})
			}
		}),
		needed("outcomes", func(n *node, _ int) {
			if n.kind != mapNode {
				l.add(n.line, "outcomes is a mapping of outcomes to probabilities, not %s", n.word())
				return
			}
			for _, kv := range n.pairs {
				c.outcomes = append(c.outcomes, l.chance(kv.key, kv.value, kv.line))
			}
		}),
	})
	return c
}

// chance reads an outcome, "thug.hp<=7", "attack_hit" or "check_resolved(critical)", and
// its probability, "2593/9600".
func (l *loader) chance(text string, n *node, line int) chance {
	c := chance{line: line, text: text, p: new(big.Rat)}
	if p, ok := new(big.Rat).SetString(l.text(n, text)); ok && p.Sign() >= 0 && p.Cmp(big.NewRat(1, 1)) <= 0 {
		c.p = p
	} else {
		l.add(n.line, "a probability is a fraction from 0 to 1, not %s", n.word())
	}
	for _, op := range operators {
		if path, value, ok := strings.Cut(text, op); ok {
			c.path, c.op, c.value = strings.TrimSpace(path), op, strings.TrimSpace(value)
			if _, err := strconv.ParseInt(c.value, 10, 32); err != nil && op != "=" && op != "!=" {
				l.add(line, "%s compares with a number, not %q", op, c.value)
			}
			return c
		}
	}
	c.event = text
	if name, word, ok := strings.Cut(text, "("); ok {
		c.event, c.word = name, strings.TrimSuffix(word, ")")
	}
	l.declared(line, "event", c.event, l.events)
	return c
}

// holds reports whether an outcome is that of an end, whose snapshot is there if it
// is about the state.
func (c *chance) holds(e odds.End, now *Snapshot) bool {
	if c.event != "" {
		return slices.ContainsFunc(e.Events, func(ev *tablev1.Event) bool {
			return ev.Name == c.event && (c.word == "" || says(ev, c.word))
		})
	}
	v, ok := now.Value(c.path)
	is := ok && v.Is(Word(c.value))
	switch c.op {
	case "=":
		return is
	case "!=":
		return !is
	}
	got, isNumber := number(v)
	want, _ := number(Word(c.value))
	if !ok || !isNumber {
		return false
	}
	switch c.op {
	case "<=":
		return got <= want
	case ">=":
		return got >= want
	case "<":
		return got < want
	}
	return got > want
}

func number(v Value) (int64, bool) {
	if len(v.Words) != 1 {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Words[0], 10, 32)
	return n, err == nil
}

func says(ev *tablev1.Event, word string) bool {
	for _, f := range ev.Facts {
		if slices.Contains(f.Words, word) {
			return true
		}
	}
	return false
}

// Tried is an action of the play that was not declared yet, and can be tried.
type Tried struct {
	// File, Case and Entry in which it is declared.
	File  *File
	Case  *Case
	Entry *Entry
	// Number of the entry in its case, from 1.
	Number int
	// Rules by which it is played.
	Rules *rule.Ruleset

	s      *session
	action *tablev1.Action
	seat   rule.Seat
}

// Query asks for its odds, under the answers of the entry's odds if it has any. The
// state is a copy.
func (t *Tried) Query() *odds.Query {
	q := &odds.Query{
		Rules: t.Rules, State: proto.CloneOf(t.s.r.State()), Seat: t.seat, Actor: t.Entry.By, Action: t.action,
	}
	if t.Entry.Odds != nil {
		q.Answers = t.Entry.Odds.Under
	}
	return q
}

// odds compares the odds of an action with those that the entry says, before it is
// declared, and has them told.
func (s *session) odds(e *Entry) {
	if e.Action == nil || e.Odds == nil && s.tried == nil {
		return
	}
	seat, ok := s.seat(e.Line, e.Seat, e.By)
	if !ok {
		return
	}
	action, _ := withLast(e.Action, s.events, func(i int) string { return strconv.Itoa(i + 1) })
	err := s.r.CheckAct(resolve.Env{Seat: seat}, e.By, action)
	if info, _ := s.rules.Action(action); err != nil || info.Lever {
		if e.Odds != nil {
			s.fail(e.Odds.line, "an action that is refused, or takes nothing to chance, has no odds")
		}
		return
	}
	t := &Tried{File: s.file, Case: s.c, Entry: e, Number: len(s.report.Entries), Rules: s.rules, s: s, action: action, seat: seat}
	if e.Odds != nil {
		s.compareOdds(t)
	}
	if s.tried != nil {
		s.tried(t)
	}
}

func (s *session) compareOdds(t *Tried) {
	c := t.Entry.Odds
	q, now := t.Query(), Snap(s.r.State())
	var shot *Snapshot // of the end at hand
	for i := range c.outcomes {
		o := &c.outcomes[i]
		if _, ok := now.Value(o.path); o.path != "" && !ok && !s.absent(o.path) {
			s.fail(o.line, "there is no %s%s", o.path, nearest(o.path, now.Paths()))
			return
		}
		q.When = append(q.When, func(e odds.End) bool {
			if i == 0 {
				shot = nil // of the end before
			}
			if shot == nil && o.path != "" {
				shot = Snap(e.State)
			}
			return o.holds(e, shot)
		})
	}
	got, err := odds.Of(q)
	switch {
	case err != nil:
		s.fail(c.line, "%v", err)
		return
	case !got.Exact:
		s.fail(c.line, "there is too much that can happen: the odds are not exact")
		return
	}
	for _, i := range got.Unused {
		s.fail(c.line, "nobody asks %s, or %s is not possible", q.Answers[i].Prompt, q.Answers[i].Choice)
	}
	for i, p := range got.When {
		if o := c.outcomes[i]; p.Cmp(o.p) != 0 {
			s.fail(o.line, "the odds of %s are %s, not %s", o.text, p.RatString(), o.p.RatString())
		}
	}
}

// What says in a few words what is tried: "attack {weapon: baton, target: thug}".
func (t *Tried) What() string { return brief(t.action.ProtoReflect()) }
