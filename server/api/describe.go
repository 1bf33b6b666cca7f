package api

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
)

// describe tells in one language all that a client needs to show a ruleset that
// it has never heard of. Texts that the ruleset's locale lacks are the keys.
func describe(g *host.Game, lang string, requestBytes int) *hanteiv1.Ruleset {
	r := g.Rules
	out := &hanteiv1.Ruleset{
		Name: r.Name, Title: title(g, lang), Rules: rulesOf(r.Markdown, r.Prefix), Languages: g.Texts.Languages(), Drafts: r.FromDraft != nil,
		Pack: &hanteiv1.PackInfo{Name: r.Pack.Name, Hash: r.Pack.Hash, Tables: r.Pack.Tables},
		Limits: &hanteiv1.Limits{
			Characters: host.MaxCharacters, Seats: host.MaxSeats, NameLength: host.MaxName,
			Dice: host.MaxDice, RequestBytes: int32(requestBytes),
		},
	}
	for _, o := range r.Options.All() {
		out.Options = append(out.Options, &hanteiv1.OptionInfo{
			Key: o.Key, DefaultValue: o.Default, Values: o.Values, Min: o.Min, Max: o.Max, Rule: o.Rule,
			Text: text(g, lang, "option."+o.Key, o.Key),
		})
	}
	for _, s := range r.Sheet.Stats {
		out.Stats = append(out.Stats, &hanteiv1.StatInfo{
			Key: s.Key, Name: text(g, lang, "stat."+s.Key, g.Texts.Word(s.Key, lang)),
			Group: s.Group, GroupName: text(g, lang, "group."+s.Group, g.Texts.Word(s.Group, lang)),
			Resource: s.Resource, Tags: s.Tags, Speciality: s.Speciality,
		})
	}
	for _, s := range r.Sheet.Statuses {
		out.Statuses = append(out.Statuses, &hanteiv1.StatusInfo{
			Key: s.Key, Name: text(g, lang, "status."+s.Key, g.Texts.Word(s.Key, lang)), Icon: s.Icon,
		})
	}
	for _, x := range r.Sheet.Gear {
		out.Gear = append(out.Gear, &hanteiv1.GearInfo{Id: x.ID, Name: g.Texts.Word(x.ID, lang), Natural: x.Natural})
	}
	out.Details = detailsOf(g, lang)
	for _, a := range r.Actions() {
		out.Actions = append(out.Actions, &hanteiv1.ActionInfo{
			Name: a.Name, Text: text(g, lang, "action."+a.Name, a.Name), Gm: a.GM, Rule: a.Rule,
			Group: a.Group, GroupName: text(g, lang, "group."+a.Group, a.Group),
		})
	}
	for _, p := range r.Prompts() {
		out.Prompts = append(out.Prompts, &hanteiv1.PromptInfo{Name: p.Name, Text: text(g, lang, "prompt."+p.Name, p.Name)})
	}
	for _, s := range r.Samples {
		out.Samples = append(out.Samples, &hanteiv1.SampleInfo{Id: s.ID, Name: text(g, lang, "name."+s.ID, s.ID), Npc: s.NPC})
	}
	for _, m := range r.Marks {
		out.Marks = append(out.Marks, &hanteiv1.MarkInfo{Kind: m.Kind, Name: g.Texts.Word(m.Kind, lang), Icon: m.Icon})
	}
	for _, w := range g.Texts.AllWords() {
		out.Words = append(out.Words, &hanteiv1.WordInfo{Key: w, Text: g.Texts.Word(w, lang), Grade: grade(r.Grades, w)})
	}
	return out
}

// grade is how good a word is; unspecified if it is no grade of a roll.
func grade(all []rule.Grade, word string) hanteiv1.Grade {
	i := slices.IndexFunc(all, func(g rule.Grade) bool { return g.Word == word })
	if i < 0 {
		return hanteiv1.Grade_GRADE_UNSPECIFIED
	}
	switch all[i].Rank {
	case rule.Triumph:
		return hanteiv1.Grade_GRADE_TRIUMPH
	case rule.Success:
		return hanteiv1.Grade_GRADE_SUCCESS
	case rule.Failure:
		return hanteiv1.Grade_GRADE_FAILURE
	default:
		return hanteiv1.Grade_GRADE_DISASTER
	}
}

// text is the text of a key without its values; unless it is not there.
func text(g *host.Game, lang, key, unless string) string {
	if !g.Texts.Has(key) {
		return unless
	}
	return g.Texts.Text(key, lang, nil)
}

// title is the ruleset's title: its locale's, or that of the specification.
func title(g *host.Game, lang string) string {
	heading, _, _ := strings.Cut(strings.TrimLeft(g.Rules.Markdown, "# "), "\n")
	if heading == "" {
		heading = g.Rules.Name
	}
	return text(g, lang, "ruleset."+g.Rules.Name, strings.TrimSpace(heading))
}

var ruleHeading = regexp.MustCompile(`(?m)^### ([A-Z0-9]+(?:-[A-Z0-9]+)+) +(.+?) *$`)

// rulesOf are the rules of a specification: its headings "### COC-ATK-01 Title".
func rulesOf(markdown, prefix string) []*hanteiv1.Rule {
	var out []*hanteiv1.Rule
	for _, m := range ruleHeading.FindAllStringSubmatch(markdown, -1) {
		if strings.HasPrefix(m[1], prefix) {
			out = append(out, &hanteiv1.Rule{Id: m[1], Title: m[2]})
		}
	}
	return out
}
