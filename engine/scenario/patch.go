package scenario

import (
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// patch merges a mapping onto a sheet. With a ruleset's sheet, names are checked
// against it; without, only the shape is.
func (p *problems) patch(n *node, c *tablev1.Character, ruleset string, sheet *rule.Sheet) {
	each := func(one func(kv pair)) func(*node, int) {
		return func(n *node, _ int) {
			if n.kind != mapNode {
				p.add(n.line, "a mapping by key, not %s", n.word())
			}
			for _, kv := range n.pairs {
				one(kv)
			}
		}
	}
	p.fields(n, "a patch", []field{
		optional("stats", each(func(kv pair) {
			p.onSheet(kv, sheet, false)
			c.Stats = p.stat(kv, c.Stats)
		})),
		optional("resources", each(func(kv pair) {
			p.onSheet(kv, sheet, true)
			c.Resources = p.resource(kv, c.Resources)
		})),
		optional("statuses", each(func(kv pair) {
			p.status(kv, c, sheet)
		})),
		optional("modifiers", each(func(kv pair) {
			p.modifier(kv, c)
		})),
		optional("details", func(n *node, _ int) {
			if c.Details == nil {
				c.Details = &tablev1.Details{}
			}
			if d := details(c.Details, ruleset); d != nil {
				p.merge(n, d)
			} else {
				p.add(n.line, "%s has no details", ruleset)
			}
		}),
	})
}

// onSheet refuses a stat or resource that the ruleset does not have.
func (p *problems) onSheet(kv pair, sheet *rule.Sheet, resource bool) {
	if sheet == nil {
		return
	}
	what := "stat"
	if resource {
		what = "resource"
	}
	var keys []string
	for _, s := range sheet.Stats {
		if s.Resource == resource {
			keys = append(keys, s.Key)
		}
	}
	p.declared(kv.line, what, kv.key, keys)
}

// stat writes a value, or with {value, base} both; null takes it away.
func (p *problems) stat(kv pair, rows []*typev1.Stat) []*typev1.Stat {
	if kv.value.kind == nullNode {
		return slices.DeleteFunc(rows, func(s *typev1.Stat) bool { return s.Key == kv.key })
	}
	s := row(&rows, kv.key, (*typev1.Stat).GetKey, func() *typev1.Stat {
		return &typev1.Stat{Key: kv.key, Audience: typev1.Audience_AUDIENCE_VALUES}
	})
	p.numbers(kv.value, kv.key, &s.Value, "base", &s.Base)
	return rows
}

// resource writes a value, or with {value, max} both; the band follows.
func (p *problems) resource(kv pair, rows []*typev1.Resource) []*typev1.Resource {
	r := row(&rows, kv.key, (*typev1.Resource).GetKey, func() *typev1.Resource {
		return &typev1.Resource{Key: kv.key, Audience: typev1.Audience_AUDIENCE_VALUES}
	})
	p.numbers(kv.value, kv.key, &r.Value, "max", &r.Max)
	if r.Max != nil {
		r.Band = rule.BandOf(r.GetValue(), r.GetMax())
	}
	return rows
}

// numbers reads a value alone, or a mapping of it and a second number.
func (p *problems) numbers(n *node, what string, value **int32, second string, other **int32) {
	read := func(to **int32) func(*node, int) {
		return func(n *node, _ int) {
			v := p.whole(n, what)
			*to = &v
		}
	}
	if n.kind != mapNode {
		read(value)(n, n.line)
		return
	}
	p.fields(n, what, []field{optional("value", read(value)), optional(second, read(other))})
}

// status writes a status; null takes it away.
func (p *problems) status(kv pair, c *tablev1.Character, sheet *rule.Sheet) {
	audience := rule.Public
	if sheet != nil {
		audience = sheet.StatusAudience(kv.key)
		keys := make([]string, len(sheet.Statuses))
		for i, s := range sheet.Statuses {
			keys[i] = s.Key
		}
		p.declared(kv.line, "status", kv.key, keys)
	}
	c.Statuses = slices.DeleteFunc(c.Statuses, func(s *typev1.Status) bool { return s.Key == kv.key })
	if kv.value.kind == nullNode {
		return
	}
	s := &typev1.Status{Key: kv.key, Audience: audience}
	var d typev1.Duration
	p.fields(kv.value, "a status", append([]field{
		optional("causes", func(n *node, _ int) { s.Causes = p.texts(n, "causes") }),
	}, p.duration(&d)...))
	s.Duration = durationOf(&d)
	c.Statuses = append(c.Statuses, s)
	sortedBy(c.Statuses, (*typev1.Status).GetKey)
}

// modifierOps are the words for what a modifier does, each with its number.
var modifierOps = enumWords(typev1.ModifierOp(0).Descriptor())

// modifier writes a modifier; null takes it away.
func (p *problems) modifier(kv pair, c *tablev1.Character) {
	c.Modifiers = slices.DeleteFunc(c.Modifiers, func(m *typev1.Modifier) bool { return m.Id == kv.key })
	if kv.value.kind == nullNode {
		return
	}
	m := &typev1.Modifier{Id: kv.key, Audience: typev1.Audience_AUDIENCE_VALUES}
	var d typev1.Duration
	known := append([]field{
		needed("applies_to", p.into(&m.AppliesTo, "applies_to")),
		optional("rule", p.into(&m.Rule, "rule")),
		optional("reason", p.into(&m.Reason, "reason")),
		optional("uses", func(n *node, _ int) { m.Uses = p.whole(n, "uses") }),
	}, p.duration(&d)...)
	for _, op := range modifierOps {
		known = append(known, optional(op, func(n *node, line int) {
			if m.Value != nil {
				p.add(line, "a modifier does one thing")
			}
			v := p.whole(n, op)
			number, _ := enumNumber(m.Op.Descriptor(), op)
			m.Op, m.Value = typev1.ModifierOp(number), &v
		}))
	}
	if p.fields(kv.value, "a modifier", known) && m.Value == nil {
		p.add(kv.line, "a modifier has one of %v", modifierOps)
	}
	m.Duration = durationOf(&d)
	c.Modifiers = append(c.Modifiers, m)
	sortedBy(c.Modifiers, (*typev1.Modifier).GetId)
}

// duration are the keys of a duration; without a clock it is one of rounds.
func (p *problems) duration(d *typev1.Duration) []field {
	return []field{
		optional("from", func(n *node, _ int) { d.From = p.whole(n, "from") }),
		optional("until", func(n *node, _ int) { d.Until = p.whole(n, "until") }),
		optional("clock", func(n *node, _ int) {
			v, ok := enumNumber(d.Clock.Descriptor(), p.text(n, "clock"))
			if !ok {
				p.unknown(n.line, "clock", n.text, enumWords(d.Clock.Descriptor()))
			}
			d.Clock = typev1.Clock(v)
		}),
	}
}

// durationOf is the duration that was read, or nil if none was.
func durationOf(d *typev1.Duration) *typev1.Duration {
	if d.From == 0 && d.Until == 0 && d.Clock == 0 {
		return nil
	}
	clock := d.Clock
	if clock == 0 {
		clock = typev1.Clock_CLOCK_ROUND
	}
	return &typev1.Duration{Clock: clock, From: d.From, Until: d.Until}
}

// whole reads a whole number.
func (p *problems) whole(n *node, key string) int32 {
	v, err := strconv.ParseInt(n.text, 10, 32)
	if err != nil || n.kind != scalarNode || !n.plain {
		p.add(n.line, "%s is a whole number, not %s", key, n.word())
	}
	return int32(v)
}

// row finds the row of a key, or puts a new one where it sorts.
func row[R any](rows *[]R, key string, of func(R) string, make func() R) R {
	for _, r := range *rows {
		if of(r) == key {
			return r
		}
	}
	r := make()
	*rows = append(*rows, r)
	sortedBy(*rows, of)
	return r
}

// sheetOf makes the sheet of a character: its sample, patched.
func (p *problems) sheetOf(c *character, rules *rule.Ruleset) *tablev1.Character {
	var sheet *tablev1.Character
	var refusal *rule.Refusal
	switch {
	case !c.draft:
		sheet, refusal = rules.FromSample(c.sample)
	case rules.FromDraft == nil:
		p.add(c.line, "%s has no drafts", rules.Name)
		return nil
	default:
		sheet = rules.FromDraft()
		sheet.Kind, sheet.Side, sheet.Drafted = tablev1.CharacterKind_CHARACTER_KIND_PC, "pc", true
		sheet.Review = tablev1.Review_REVIEW_DRAFT
	}
	if refusal != nil {
		samples := make([]string, len(rules.Samples))
		for i, s := range rules.Samples {
			samples[i] = s.ID
		}
		p.add(c.line, "sample %q: %v%s", c.sample, refusal, nearest(c.sample, samples))
		return nil
	}
	sheet = proto.Clone(sheet).(*tablev1.Character)
	sheet.Id = c.id
	if c.side != "" {
		sheet.Side = c.side
	}
	if c.review != 0 {
		sheet.Review = c.review
	}
	if c.position != nil {
		sheet.Position = &typev1.Position{Square: c.position, Audience: rule.Public}
	}
	if c.patch != nil {
		p.patch(c.patch, sheet, rules.Name, &rules.Sheet)
	}
	return sheet
}
