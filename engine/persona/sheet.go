package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Keys of resources, stats and statuses (section 3.1).
const (
	kHP    = "hp"
	kMP    = "mp"
	kSAN   = "san"
	kMacca = "macca"

	kINT          = "int"
	kSTR          = "str"
	kCON          = "con"
	kPOW          = "pow"
	kDEX          = "dex"
	kHPMax        = "hp_max"
	kMPMax        = "mp_max"
	kArmorDefense = "armor_defense"
	kPersonaSkill = "persona_skill"
	kSpotHidden   = "spot_hidden"

	stIncapacitated   = "incapacitated"
	stUnconscious     = "unconscious"
	stDead            = "dead"
	stPersonaDisabled = "persona_disabled"
)

// humanKeys are the human's own values, in the order of the sheet; hp_max and mp_max
// are the most points without a Persona.
var humanKeys = []string{kINT, kSTR, kCON, kPOW, kDEX, kHPMax, kMPMax, kArmorDefense}

// checkKeys are the skills of a sheet, as far as these rules know them (PER-ACT-01).
var checkKeys = []string{
	kPersonaSkill, kSpotHidden,
	"listen", "library", "sneak", "hide", "conceal", "track", "climb", "jump", "swim", "locksmith", "mechanical", "electrical",
	"first_aid", "medicine", "psychology", "psychoanalysis", "fast_talk", "persuade", "credit", "bargain", "navigate",
	"occult", "history", "natural_history", "photography", "computer", "dodge", "fist", "kick", "grapple", "throw", "handgun",
}

// stat is a stat's value on a sheet; 0 for one that is not there.
func stat(c *tablev1.Character, key string) int32 { return table.Stat(c, key).GetValue() }

// resource is a resource's value on a sheet; 0 for one that is not there.
func resource(c *tablev1.Character, key string) int32 { return table.Resource(c, key).GetValue() }

func has(c *tablev1.Character, status string) bool { return table.Status(c, status) != nil }

func details(c *tablev1.Character) *personav1.Details { return c.GetDetails().GetPersona() }

func isPC(c *tablev1.Character) bool { return c.GetKind() == tablev1.CharacterKind_CHARACTER_KIND_PC }

// able reports whether somebody can act: neither incapacitated nor unconscious nor dead.
func able(c *tablev1.Character) bool {
	return c != nil && !has(c, stIncapacitated) && !has(c, stUnconscious) && !has(c, stDead)
}

// personaOf is a Persona on a sheet, or nil.
func personaOf(c *tablev1.Character, id string) *personav1.Persona {
	for _, p := range details(c).GetPersonas() {
		if p.Id == id {
			return p
		}
	}
	return nil
}

// declared is the Persona that somebody has declared, summoned or not; nil for none.
func declared(c *tablev1.Character) *personav1.Persona {
	return personaOf(c, details(c).GetActive().GetPersona())
}

// usable is the Persona that somebody can use: summoned, and not disabled
// (PER-CHK-04); nil for none.
func usable(c *tablev1.Character) *personav1.Persona {
	if !details(c).GetActive().GetSummoned() || has(c, stPersonaDisabled) {
		return nil
	}
	return declared(c)
}

// analyzes reports whether somebody can use a Persona that analyzes.
func analyzes(c *tablev1.Character) bool {
	return slices.Contains(usable(c).GetSpecialties(), analyze)
}

// hasSkill reports whether the Persona that somebody can use has a skill.
func hasSkill(c *tablev1.Character, skill string) bool {
	return slices.Contains(usable(c).GetSkills(), skill)
}

// personaName is what a Persona is called.
func personaName(p *personav1.Persona) string {
	if p.GetName() == "" {
		return p.GetId()
	}
	return p.Name
}

// carried is how many of an item somebody has, those that are worn included.
func carried(c *tablev1.Character, item string) int32 {
	for _, i := range details(c).GetInventory() {
		if i.Item == item {
			return i.Count
		}
	}
	return 0
}

// setCarried writes how many of an item somebody has.
func setCarried(who, item string, count int32) *tablev1.Change {
	after := &personav1.Carried{Item: item, Count: count}
	if count <= 0 {
		return endPiece(who, &personav1.Part{Part: &personav1.Part_Inventory{Inventory: after}})
	}
	return piece(who, &personav1.Part{Part: &personav1.Part_Inventory{Inventory: after}})
}

// hands are what somebody has of the turn.
func hands(c *tablev1.Character) *personav1.Hands { return details(c).GetHands() }

// setHands writes what somebody has of the turn, changed by f.
func setHands(c *tablev1.Character, f func(*personav1.Hands)) *tablev1.Change {
	after := &personav1.Hands{}
	proto.Merge(after, hands(c))
	f(after)
	return piece(c.Id, &personav1.Part{Part: &personav1.Part_Hands{Hands: after}})
}

// setResource writes a resource; it does not fall below 0 (PER-CHK-03).
func setResource(c *tablev1.Character, key string, value int32) *tablev1.Change {
	return rule.SetResource(c.Id, table.Resource(c, key), max(0, value))
}

// piece wraps a piece of the details of a sheet, or of the table's, as a change.
func piece(who string, p *personav1.Part) *tablev1.Change {
	return rule.SetPart(who, &tablev1.Part{Ruleset: &tablev1.Part_Persona{Persona: p}})
}

// endPiece takes a piece away; p has only its key and audience.
func endPiece(who string, p *personav1.Part) *tablev1.Change {
	return rule.EndPart(who, &tablev1.Part{Ruleset: &tablev1.Part_Persona{Persona: p}})
}

// status makes a status that all may know, as the sheet lays it out.
func (g *game) status(key string, d *typev1.Duration) *typev1.Status {
	return &typev1.Status{Key: key, Duration: d, Audience: g.layout.StatusAudience(key)}
}

// sheet lays a sheet out: what stands where.
func (g *game) sheet() rule.Sheet {
	var s rule.Sheet
	for _, k := range []string{kHP, kMP, kSAN, kMacca} {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "resources", Resource: true})
	}
	for _, k := range humanKeys {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "human"})
	}
	for _, k := range checkKeys {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "skills"})
	}
	s.Statuses = []rule.Status{
		{Key: stDead, Icon: "skull"}, {Key: stUnconscious, Icon: "sleep"}, {Key: stIncapacitated, Icon: "down"},
		{Key: stPersonaDisabled, Icon: "lock"},
	}
	for _, r := range g.pack.skills {
		if r.lasting() {
			s.Statuses = append(s.Statuses, rule.Status{Key: r.ID, Icon: "shield", Audience: rule.Values})
		}
	}
	for _, r := range g.pack.items {
		if r.lasting() {
			s.Statuses = append(s.Statuses, rule.Status{Key: r.ID, Icon: "star", Audience: rule.Values})
		}
		s.Gear = append(s.Gear, rule.Gear{ID: r.ID})
	}
	s.GearPath = "inventory.item"
	ofSamples := g.samplePersonas()
	s.Rows = map[string][]string{
		"personas.id": ofSamples, "active.name": ofSamples, "personas.skills": idsOf(g.pack.skills), "personas.specialties": specialtyWords,
		"equipment.weapon": g.worn(kindWeapon), "equipment.armor": g.worn(kindArmor),
	}
	return s
}

// samplePersonas are the ids of the samples' Personas, which are words of the locale: they
// have no other names.
func (g *game) samplePersonas() []string {
	var out []string
	for _, s := range g.pack.samples {
		for _, p := range s.Personas {
			if p.Name == "" {
				out = append(out, p.ID)
			}
		}
	}
	return once(out)
}

// worn lists the items of a slot.
func (g *game) worn(kind string) []string {
	var out []string
	for _, r := range g.pack.items {
		if r.Kind == kind {
			out = append(out, r.ID)
		}
	}
	return out
}
