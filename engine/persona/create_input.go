package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func invalid(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field)
}

// putStats writes the stats that a client sends.
func putStats(ch *tablev1.Character, stats []*tablev1.StatInput) *rule.Refusal {
	const field = "sheet.stats."
	for i, s := range stats {
		switch {
		case !slices.Contains(statKeys, s.Key):
			return invalid(field+"key").Say("no_stat", rule.Sent("sent", s.Key)).Suggest(s.Key, statKeys)
		case slices.ContainsFunc(stats[:i], func(e *tablev1.StatInput) bool { return e.Key == s.Key }):
			return invalid(field+"key").Say("stands_twice", rule.WordOf("what", s.Key)).Name(s.Key)
		case s.Value < 0 || s.Value > 999:
			return invalid(field+"value").Say("stat_bounds", rule.WordOf("stat", s.Key), rule.Number("min", 0), rule.Number("max", 999))
		}
		putStat(ch, s.Key, s.Value)
	}
	return nil
}

// putResources writes the resources that a client sends. Hit and magic points may be
// above their maximum (PER-CHG-02); sanity goes down with it.
func putResources(ch *tablev1.Character, all []*tablev1.ResourceInput) *rule.Refusal {
	const field = "sheet.resources."
	keys := []string{kHP, kMP, kSAN, kMacca}
	for i, r := range all {
		old := table.Resource(ch, r.Key)
		switch {
		case old == nil:
			return invalid(field+"key").Say("choose_among", rule.Names("names", keys...), rule.Sent("sent", r.Key)).Suggest(r.Key, keys)
		case slices.ContainsFunc(all[:i], func(e *tablev1.ResourceInput) bool { return e.Key == r.Key }):
			return invalid(field+"key").Say("stands_twice", rule.WordOf("what", r.Key)).Name(r.Key)
		}
		after := proto.CloneOf(old)
		if r.Value != nil {
			after.Value = r.Value
		}
		if r.Max != nil && old.Max != nil {
			after.Max = r.Max
		}
		if after.GetValue() < 0 || after.GetValue() > 9_999_999 || after.Max != nil && (after.GetMax() < 1 || after.GetMax() > 9999) {
			return invalid(field+"value").Say("resource_bounds", rule.Number("min", 1), rule.Number("max", 9999))
		}
		if over := after.GetValue() > after.GetMax(); r.Key == kSAN && over && r.Value != nil {
			return invalid(field+"value").Say("above_maximum", rule.Number("max", after.GetMax()))
		} else if r.Key == kSAN && over {
			after.Value = proto.Int32(after.GetMax())
		}
		if after.Max != nil {
			after.Band = rule.BandOf(after.GetValue(), after.GetMax())
		}
		putRow(&ch.Resources, after, (*typev1.Resource).GetKey)
	}
	return nil
}

// putGear writes what is carried: an item as often as it is named.
func (g *game) putGear(ch *tablev1.Character, ids []string) *rule.Refusal {
	d := details(ch)
	counts := make(map[string]int32)
	for _, id := range ids {
		if g.pack.item(id) == nil {
			return invalid("sheet.gear").Say("no_item", rule.Sent("sent", id)).Suggest(id, idsOf(g.pack.items))
		}
		counts[id]++
	}
	d.Inventory = nil
	for _, r := range g.pack.items {
		if counts[r.ID] > 0 {
			putCarried(d, r.ID, counts[r.ID])
		}
	}
	for _, id := range outfit(ch) {
		if counts[id] < wears(ch, id) {
			d.Equipment = nil // what is worn is gone
			break
		}
	}
	return nil
}

// putDetails writes what a client may set of the details: what kind of Persona user it
// is, and the Personas. All else is made by play.
func (g *game) putDetails(ch *tablev1.Character, in *tablev1.Details) *rule.Refusal {
	const field = "sheet.details"
	if in.GetRuleset() == nil {
		return nil
	}
	if in.GetPersona() == nil {
		return invalid(field).Say("other_rules")
	}
	m := in.GetPersona().ProtoReflect()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if name := f.Name(); name != "user" && name != "personas" && m.Has(f) {
			return invalid(field+".persona."+string(name)).Say("only_these_details", rule.Code("names", "user", "personas"))
		}
	}
	d := details(ch)
	if u := in.GetPersona().User; u != nil {
		d.User = proto.CloneOf(u)
		if d.User.Kind == personav1.UserKind_USER_KIND_UNSPECIFIED {
			d.User.Kind = personav1.UserKind_USER_KIND_ARCANIST
		}
	}
	for _, p := range in.GetPersona().Personas {
		if refusal := g.checkPersona(p, field+".persona.personas"); refusal != nil {
			return refusal
		}
		putPersona(d, proto.CloneOf(p))
	}
	most := map[personav1.UserKind]int{personav1.UserKind_USER_KIND_ARCANIST: 1, personav1.UserKind_USER_KIND_WILD: 12}[d.User.GetKind()]
	if len(d.Personas) > most {
		return invalid(field+".persona.personas").Say("most_personas", rule.Number("most", most))
	}
	return nil
}

// checkPersona refuses a Persona that cannot be.
func (g *game) checkPersona(p *personav1.Persona, field string) *rule.Refusal {
	if p.Id == "" {
		return invalid(field + ".id").Say("required")
	}
	for _, n := range []int32{p.Level, p.Strength, p.Magic, p.Endurance, p.Speed, p.Luck} {
		if n < 1 || n > 99 {
			return invalid(field).Say("persona_bounds", rule.Number("min", 1), rule.Number("max", 99))
		}
	}
	for _, s := range p.Specialties {
		if !slices.Contains(specialtyWords, s) {
			return invalid(field+".specialties").Say("choose_among", rule.Names("names", specialtyWords...), rule.Sent("sent", s)).Suggest(s, specialtyWords)
		}
	}
	for _, s := range p.Skills {
		if g.pack.skill(s) == nil {
			return invalid(field+".skills").Say("no_skill", rule.Sent("sent", s)).Suggest(s, idsOf(g.pack.skills))
		}
	}
	for _, a := range p.Affinities {
		if !slices.Contains(attackWords, a.Attribute) {
			return invalid(field+".affinities").Say("choose_among", rule.Names("names", attackWords...), rule.Sent("sent", a.Attribute)).Suggest(a.Attribute, attackWords)
		}
	}
	for _, text := range []string{p.DbPhysical, p.DbMagic} {
		if text == "" {
			continue
		}
		if _, err := dice.Parse(text); err != nil {
			return invalid(field).Say("damage_dice", rule.Sent("sent", text))
		}
	}
	return nil
}
