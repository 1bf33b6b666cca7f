package oracle_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// occupations is table 6.2.
var occupations = map[string][]string{
	"guard":   {"law", "listen", "spot", "fist", "club", "handgun", "persuade", "drive"},
	"carer":   {"first_aid", "medicine", "pharmacy", "psychology", "psychoanalysis", "listen", "biology", "persuade"},
	"scholar": {"library", "history", "occult", "other_language", "archaeology", "anthropology", "persuade", "spot"},
}

var learned = []string{"spot", "listen", "library", "persuade", "own_language", "dodge", "cthulhu_mythos", "martial_way", "street_lore", "claw", "climb", "first_aid", "throw"}

// TestDrafts compares the making of investigators: rolls and rerolls, swaps, occupations,
// points with their cap, supplements, traits, what a scenario changes of it, and submission
// (chapter COC-CRE).
func TestDrafts(t *testing.T) {
	many(t, func(t *rapid.T) {
		g := newGame(t)
		rules, err := ruleset()
		if err != nil {
			t.Fatal(err)
		}
		ch := rules.FromDraft()
		ch.Id, ch.Name, ch.Side, ch.Audience = "ada", "Ada", "pc", rule.Public
		ch.Kind, ch.Review, ch.Drafted = pc, tablev1.Review_REVIEW_DRAFT, true
		if _, err := g.r.AddCharacter(resolve.Env{Seat: keeper}, ch); err != nil {
			t.Fatal(err)
		}
		d := oracle.NewDraft(g.options)
		if rapid.IntRange(0, 9).Draw(t, "rolls at once") < 9 {
			g.act("ada", &cocv1.RollCharacteristics{})
			g.same("rolled", d.Roll(g.replay), "")
		}
		for range inputsPerTable {
			make1(g, d)
			g.allUsed()
			g.sheet(d)
			if d.Submitted {
				return
			}
		}
	})
}

// make1 takes a step in the making of a draft.
func make1(g *game, d *oracle.Draft) {
	t := g.T
	one := rapid.SampledFrom(oracle.Characteristics())
	does := func(m proto.Message, rules func() string) {
		engine := g.try("ada", m)
		g.same("refusal", engine, rules())
	}
	switch rapid.IntRange(0, 17).Draw(t, "step") {
	case 0:
		does(&cocv1.RerollAll{}, func() string { return d.RerollAll(g.replay) })
	case 1:
		c := one.Draw(t, "characteristic")
		does(&cocv1.RerollOne{Characteristic: c}, func() string { return d.RerollOne(g.replay, c) })
	case 2, 3:
		a, b := one.Draw(t, "one"), one.Draw(t, "other")
		does(&cocv1.Swap{Characteristic: a, With: b}, func() string { return d.SwapTwo(a, b) })
	case 4:
		id := rapid.SampledFrom([]string{"guard", "carer", "scholar"}).Draw(t, "occupation")
		does(&cocv1.SetOccupation{Occupation: &cocv1.SetOccupation_Sample{Sample: id}}, func() string { return d.Choose(false, occupations[id]) })
	case 5, 6:
		skills := rapid.SliceOfN(rapid.SampledFrom(append(oracle.Skills(), learned...)), 1, 11).Draw(t, "skills")
		own := &cocv1.OriginalOccupation{Name: "clerk", Skills: skills}
		does(&cocv1.SetOccupation{Occupation: &cocv1.SetOccupation_Original{Original: own}}, func() string { return d.Choose(true, skills) })
	case 7:
		a, b := rapid.Bool().Draw(t, "2010"), rapid.Bool().Draw(t, "2015")
		does(&cocv1.DeclareSupplements{Owns_2010: a, Owns_2015: b}, func() string { d.Owns2010, d.Owns2015 = a, b; return "" })
	case 8, 9:
		trait := rapid.SampledFrom(append(oracle.TraitIDs(), "", "", "")).Draw(t, "trait")
		does(&cocv1.AddTrait{Trait: trait}, func() string { return d.Take(g.replay, trait) })
	case 10:
		startScenario(g, d)
	case 11:
		skill := rapid.SampledFrom([]string{"martial_way", "street_lore"}).Draw(t, "extra")
		g.act("ada", &cocv1.RequestExtra{Text: "I have read of it", Skill: skill})
		w := g.open(true)
		answer := rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "approves")
		g.answer(w, w.Slots[0], answer)
		if answer == "yes" {
			d.Extras = append(d.Extras, skill)
		}
	case 12:
		engine := g.try("ada", &cocv1.Submit{})
		faults := d.Faults()
		if len(faults) == 0 {
			g.same("refusal of submit", engine, "")
			d.Submitted = true
		} else if !slices.Contains(faults, engine) {
			g.Fatalf("submit is refused with %q, the rules have %v", engine, faults)
		}
	default:
		skill := rapid.SampledFrom(learned).Draw(t, "skill")
		if len(d.Occupation) > 0 && rapid.Bool().Draw(t, "of the occupation") {
			skill = rapid.SampledFrom(d.Occupation).Draw(t, "skill")
		}
		occupational := rapid.Bool().Draw(t, "occupational")
		points := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(20, 90), rapid.IntRange(0, 400)).Draw(t, "points")
		m := &cocv1.AssignPoints{Skill: skill, Pool: cocv1.Pool_POOL_PERSONAL, Points: int32(points)}
		if occupational {
			m.Pool = cocv1.Pool_POOL_OCCUPATION
		}
		does(m, func() string { return d.Assign(skill, occupational, points) })
	}
}

// startScenario begins a scenario that changes some limits of creation.
func startScenario(g *game, d *oracle.Draft) {
	m := &cocv1.CreationOverrides{}
	d.Overrides = oracle.Overrides{}
	number := func(name string, engine **int32, rules **int, most int) {
		if rapid.IntRange(0, 3).Draw(g.T, name) == 3 {
			n := rapid.IntRange(0, most).Draw(g.T, name)
			*engine, *rules = proto.Int32(int32(n)), &n
		}
	}
	yes := func(name string, engine, rules **bool) {
		if rapid.IntRange(0, 3).Draw(g.T, name) == 3 {
			is := rapid.Bool().Draw(g.T, name)
			*engine, *rules = &is, &is
		}
	}
	number("rerolls_all", &m.RerollsAll, &d.Overrides.RerollsAll, 6)
	number("rerolls_one", &m.RerollsOne, &d.Overrides.RerollsOne, 6)
	number("occupation_skills_max", &m.OccupationSkillsMax, &d.Overrides.OccupationSkillsMax, 10)
	number("skill_cap_initial", &m.SkillCapInitial, &d.Overrides.SkillCapInitial, 99)
	number("traits_max", &m.TraitsMax, &d.Overrides.TraitsMax, 4)
	yes("swap", &m.Swap, &d.Overrides.Swap)
	yes("supplements", &m.Supplements, &d.Overrides.Supplements)
	g.act("", &cocv1.StartScenario{CreationOverrides: m})
}

// sheet compares what stands on the sheet.
func (g *game) sheet(d *oracle.Draft) {
	ch := g.character("ada")
	for key, want := range d.Sheet() {
		got := 0
		if r := table.Resource(ch, key); r != nil {
			got = int(r.GetValue())
		} else if s := table.Stat(ch, key); s != nil {
			got = int(s.GetValue())
		} else {
			continue // a skill of a book that is not on the sheet
		}
		g.same(key, got, want)
	}
	for _, e := range g.events("values_derived") {
		g.same("damage bonus", fact(e, "damage_bonus"), oracle.DamageBonus(d.Values["str"]+d.Values["siz"]).String())
		g.same("minimum age", fact(e, "minimum_age"), d.Values["edu"]+6)
		g.same("hit points", fact(e, "hp"), d.Sheet()["hp"])
	}
	var traits []string
	for _, x := range ch.Details.GetCoc().Traits {
		traits = append(traits, x.Id)
	}
	g.same("traits", sorted(traits), sorted(d.Traits))
}
