package coc

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

func ownGame(t *testing.T) *game {
	t.Helper()
	pack, errs := load(DefaultPack())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return &game{pack: pack}
}

// drafted is a draft whose characteristics are 10 but for these.
func drafted(g *game, but map[string]int32) *tablev1.Character {
	me := g.fromDraft()
	me.Id, me.Kind, me.Review = "anna", tablev1.CharacterKind_CHARACTER_KIND_PC, tablev1.Review_REVIEW_DRAFT
	making(me).Rolled = true
	for _, key := range characteristicKeys {
		if n, ok := but[key]; ok {
			g.setStat(me, key, n, 0, rule.Values)
		}
	}
	g.rederive(me)
	return me
}

// tableOf is a table with a sheet, under options and a scenario.
func tableOf(me *tablev1.Character, o *cocv1.CreationOverrides, set ...*tablev1.Option) *rule.View {
	d := &cocv1.Details{Scenario: &cocv1.Scenario{CreationOverrides: o}}
	return &rule.View{Options: rule.NewOptions(options), State: &tablev1.State{
		Characters: []*tablev1.Character{me}, Options: set,
		Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: d}},
	}}
}

func option(key, value string) *tablev1.Option { return &tablev1.Option{Key: key, Value: value} }

// COC-CRE-01: what the dice can give.
func TestCharacteristicDice(t *testing.T) {
	for _, c := range []struct {
		keys     []string
		min, max int32
	}{
		{[]string{kSTR, kCON, kPOW, kDEX, kAPP}, 3, 18}, {[]string{kSIZ, kINT}, 8, 18}, {[]string{kEDU}, 6, 21},
	} {
		for _, key := range c.keys {
			d, plus := characteristicDice(key)
			if d.Count+plus != c.min || d.Count*d.Sides+plus != c.max {
				t.Errorf("%s: %v+%d", key, d, plus)
			}
		}
	}
}

// COC-CRE-02, COC-CRE-12: what follows from the characteristics, at its edges.
func TestDerivedValues(t *testing.T) {
	g := ownGame(t)
	for _, c := range []struct {
		name string
		but  map[string]int32
		want map[string]int32
	}{
		{"HP cut up", map[string]int32{kCON: 10, kSIZ: 9}, map[string]int32{kHP: 10}},
		{"HP even", map[string]int32{kCON: 10, kSIZ: 8}, map[string]int32{kHP: 9}},
		{"POW", map[string]int32{kPOW: 11}, map[string]int32{kMP: 11, kSAN: 55, kLuck: 55}},
		{"POW 18", map[string]int32{kPOW: 18}, map[string]int32{kMP: 18, kSAN: 90, kLuck: 90}},
		{"INT", map[string]int32{kINT: 13}, map[string]int32{kIdea: 65}},
		{"EDU 19", map[string]int32{kEDU: 19}, map[string]int32{kKnow: 95, kOwnLanguage: 95}},
		{"EDU 20 is 99", map[string]int32{kEDU: 20}, map[string]int32{kKnow: 99, kOwnLanguage: 99}},
		{"EDU 21 is 99", map[string]int32{kEDU: 21}, map[string]int32{kKnow: 99, kOwnLanguage: 99}},
		{"DEX", map[string]int32{kDEX: 7}, map[string]int32{"dodge": 14}},
	} {
		me := drafted(g, c.but)
		for _, key := range append(slices.Clone(characteristicKeys), kHP, kMP, kSAN, kLuck, kIdea, kKnow, kOwnLanguage, "dodge") {
			want, ok := c.want[key]
			if got := stat(me, key) + resource(me, key); ok && got != want {
				t.Errorf("%s: %s is %d, not %d", c.name, key, got, want)
			}
		}
		if san := table.Resource(me, kSAN); san.GetMax() != 99 {
			t.Errorf("the most SAN is %d", san.GetMax())
		}
	}
	for sum, want := range map[int32]string{2: "-1D6", 12: "-1D6", 13: "-1D4", 16: "-1D4", 17: "0", 24: "0", 25: "+1D4", 32: "+1D4", 33: "+1D6", 40: "+1D6", 41: "+2D6", 56: "+2D6", 57: "+3D6"} {
		if got := damageBonusWord(drafted(g, map[string]int32{kSTR: 1, kSIZ: sum - 1})); got != want {
			t.Errorf("STR+SIZ %d: %s, not %s", sum, got, want)
		}
	}
}

// COC-CRE-02, COC-CRE-06, COC-CRE-09: points and traits stay on top of what is
// worked out anew, and working it out twice changes nothing.
func TestRederiveKeepsPointsAndTraits(t *testing.T) {
	g := ownGame(t)
	me := drafted(g, nil)
	d := details(me)
	d.SkillPoints = []*cocv1.SkillPoints{{Skill: "dodge", Personal: 30}, {Skill: "own_language", Personal: 60}}
	for _, row := range g.pack.traits {
		d.Traits = append(d.Traits, &cocv1.Trait{Id: row.ID})
	}
	for range 2 {
		g.setStat(me, kDEX, 12, 0, rule.Values)
		g.rederive(me)
		for key, want := range map[string]int32{
			"dodge": 54, kOwnLanguage: 99, kHP: 11, kSAN: 45, kLuck: 55, "listen": 35, "spot": 35, "sneak": 20, "throw": 20,
			"library": 35, "first_aid": 20, "psychology": 15, "climb": 30, "medicine": 10, "fast_talk": 15, "persuade": 10,
		} {
			if got := stat(me, key) + resource(me, key); got != want {
				t.Errorf("%s is %d, not %d", key, got, want)
			}
		}
	}
	if s := table.Stat(me, "dodge"); s.GetBase() != 24 {
		t.Errorf("base %d", s.GetBase())
	}
}

// COC-CRE-09: a trait ends at 0 and at 99.
func TestTraitAtTheEnds(t *testing.T) {
	g := ownGame(t)
	me := drafted(g, map[string]int32{kPOW: 19})
	g.applyTrait(me, g.pack.trait("lucky_charm"))
	g.setStat(me, "throw", 3, 25, rule.Values)
	g.applyTrait(me, g.pack.trait("slow_hand"))
	if luck, throw := stat(me, kLuck), stat(me, "throw"); luck != 99 || throw != 0 {
		t.Errorf("luck %d, throw %d", luck, throw)
	}
}

// COC-CRE-04: who changes places with whom.
func TestSwappable(t *testing.T) {
	for _, c := range []struct {
		one, other    string
		plain, across bool
	}{
		{kSTR, kAPP, true, true}, {kAPP, kCON, true, true}, {kSIZ, kINT, true, true}, {kSTR, kINT, false, true},
		{kEDU, kINT, false, true}, {kEDU, kSTR, false, true}, {kSTR, kSTR, false, false}, {kEDU, kEDU, false, false},
	} {
		if got := swappable(tableOf(nil, nil), c.one, c.other); got != c.plain {
			t.Errorf("%s and %s: %v", c.one, c.other, got)
		}
		if got := swappable(tableOf(nil, nil, option("swap_across_formulas", "true")), c.one, c.other); got != c.across {
			t.Errorf("%s and %s across formulas: %v", c.one, c.other, got)
		}
	}
}

// COC-CRE-03, COC-CRE-10: how many rerolls are left.
func TestRerollsLeft(t *testing.T) {
	g := ownGame(t)
	me := drafted(g, nil)
	countReroll(details(me), kDEX)
	countReroll(details(me), kAPP)
	countReroll(details(me), kDEX)
	if r := details(me).Rerolls; len(r) != 2 || r[0].Characteristic != kAPP || r[1].Times != 2 {
		t.Fatal(r)
	}
	each := option("single_reroll_scope", "per_characteristic")
	for _, c := range []struct {
		name         string
		v            *rule.View
		all          int32
		dex, app, ed int32
	}{
		{"in all", tableOf(me, nil), 5, 0, 0, 0},
		{"of each", tableOf(me, nil, each), 5, 1, 2, 3},
		{"a scenario's", tableOf(me, &cocv1.CreationOverrides{RerollsAll: proto.Int32(2), RerollsOne: proto.Int32(4)}), 2, 1, 1, 1},
		{"a scenario's, of each", tableOf(me, &cocv1.CreationOverrides{RerollsOne: proto.Int32(1)}, each), 5, -1, 0, 1},
	} {
		all, dex, app, ed := rerollsAll(c.v), rerollsOneLeft(c.v, me, kDEX), rerollsOneLeft(c.v, me, kAPP), rerollsOneLeft(c.v, me, kEDU)
		if all != c.all || dex != c.dex || app != c.app || ed != c.ed {
			t.Errorf("%s: %d, %d %d %d", c.name, all, dex, app, ed)
		}
	}
}

// COC-CRE-05 to 08, COC-CRE-10: points at the edges of cap and budget.
func TestAssignPoints(t *testing.T) {
	g := ownGame(t)
	occupation, personal := cocv1.Pool_POOL_OCCUPATION, cocv1.Pool_POOL_PERSONAL
	cap85 := option("skill_cap_initial", "85")
	// EDU 10 gives 200 points on law, listen, spot, fist, club, handgun, persuade,
	// drive; INT 10 gives 100 on any.
	for _, c := range []struct {
		name   string
		skill  string
		pool   cocv1.Pool
		points int32
		o      *cocv1.CreationOverrides
		set    []*tablev1.Option
		had    []*cocv1.SkillPoints
		want   string
	}{
		{name: "up to the cap", skill: "spot", pool: personal, points: 55},
		{name: "over the cap", skill: "spot", pool: personal, points: 56, want: "SKILL_CAP"},
		{name: "both pools up to the cap", skill: "spot", pool: personal, points: 15, had: points("spot", 40, 0)},
		{name: "both pools over the cap", skill: "spot", pool: personal, points: 16, had: points("spot", 40, 0), want: "SKILL_CAP"},
		{name: "option", skill: "spot", pool: personal, points: 60, set: []*tablev1.Option{cap85}},
		{name: "over the option", skill: "spot", pool: personal, points: 61, set: []*tablev1.Option{cap85}, want: "SKILL_CAP"},
		{name: "a scenario's cap", skill: "spot", pool: personal, points: 6, set: []*tablev1.Option{cap85}, o: &cocv1.CreationOverrides{SkillCapInitial: proto.Int32(30)}, want: "SKILL_CAP"},
		{name: "a cap of 0", skill: "spot", pool: personal, points: 1, o: &cocv1.CreationOverrides{SkillCapInitial: proto.Int32(0)}, want: "NOT_ALLOWED_HERE"},
		{name: "a cap of 0 and Own Language", skill: kOwnLanguage, pool: personal, points: 1, o: &cocv1.CreationOverrides{SkillCapInitial: proto.Int32(0)}},
		{name: "Own Language to 99", skill: kOwnLanguage, pool: personal, points: 49},
		{name: "Own Language over 99", skill: kOwnLanguage, pool: personal, points: 50, want: "SKILL_CAP"},
		{name: "all personal points", skill: "law", pool: personal, points: 45, had: points("occult", 0, 55)},
		{name: "one too many", skill: "law", pool: personal, points: 46, had: points("occult", 0, 55), want: "POINTS_EXCEEDED"},
		{name: "the pools are apart", skill: "law", pool: occupation, points: 46, had: points("occult", 0, 55)},
		{name: "not of the occupation", skill: "occult", pool: occupation, points: 1, want: "NOT_OCCUPATION_SKILL"},
		{name: "mythos", skill: kMythos, pool: personal, points: 5, want: "FORBIDDEN_SKILL"},
		{name: "creatures' own", skill: "claw", pool: personal, points: 5, want: "UNKNOWN_SKILL"},
		{name: "no book", skill: "martial_way", pool: personal, points: 5, want: "SUPPLEMENT_REQUIRED"},
		{name: "books for all", skill: "martial_way", pool: personal, points: 5, o: &cocv1.CreationOverrides{Supplements: proto.Bool(true)}},
		{name: "books for nobody", skill: "martial_way", pool: personal, points: 5, o: &cocv1.CreationOverrides{Supplements: proto.Bool(false)}, want: "NOT_ALLOWED_HERE"},
		{name: "back under a lower cap", skill: "spot", pool: personal, points: 40, had: points("spot", 0, 55), o: &cocv1.CreationOverrides{SkillCapInitial: proto.Int32(30)}},
		{name: "back from another occupation", skill: "occult", pool: occupation, points: 3, had: points("occult", 5, 0)},
	} {
		me := drafted(g, nil)
		details(me).Occupation = &cocv1.Occupation{Skills: g.pack.occupation("guard").Skills}
		details(me).SkillPoints = c.had
		why := g.validAssignPoints(tableOf(me, c.o, c.set...), "anna", &cocv1.AssignPoints{Skill: c.skill, Pool: c.pool, Points: c.points})
		if got := reasonOf(why); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func points(skill string, occupation, personal int32) []*cocv1.SkillPoints {
	return []*cocv1.SkillPoints{{Skill: skill, Occupation: occupation, Personal: personal}}
}

func reasonOf(r *rule.Refusal) string {
	if r == nil {
		return ""
	}
	return r.Reason
}

// COC-CRE-06: submit tests the whole sheet once more, in the order of the specification.
func TestSubmitTestsAgain(t *testing.T) {
	g := ownGame(t)
	for _, c := range []struct {
		name string
		o    *cocv1.CreationOverrides
		make func(*cocv1.Details)
		want string
	}{
		{"empty", nil, func(*cocv1.Details) {}, ""},
		{"not rolled", nil, func(d *cocv1.Details) { d.Creation.Rolled = false }, "NOT_ROLLED"},
		{"a sample has eight", &cocv1.CreationOverrides{OccupationSkillsMax: proto.Int32(2)}, func(d *cocv1.Details) {
			d.Occupation = &cocv1.Occupation{Sample: proto.String("guard"), Skills: g.pack.occupation("guard").Skills}
		}, ""},
		{"an original one of three", &cocv1.CreationOverrides{OccupationSkillsMax: proto.Int32(2)}, func(d *cocv1.Details) {
			d.Occupation = &cocv1.Occupation{Name: proto.String("diver"), Skills: []string{"swim", "spot", "jump"}}
		}, "TOO_MANY_OCCUPATION_SKILLS"},
		{"a book given away", nil, func(d *cocv1.Details) { d.SkillPoints = points("martial_way", 0, 5) }, "SUPPLEMENT_REQUIRED"},
		{"allowed by the keeper", nil, func(d *cocv1.Details) {
			d.SkillPoints, d.Extras = points("martial_way", 0, 5), []*cocv1.Extra{{Id: 1, Skill: "martial_way"}}
		}, ""},
		{"traits without the book", nil, func(d *cocv1.Details) { d.Traits = []*cocv1.Trait{{Id: "sturdy"}} }, "SUPPLEMENT_REQUIRED"},
		{"traits closed", &cocv1.CreationOverrides{TraitsMax: proto.Int32(0)}, func(d *cocv1.Details) {
			d.Creation.Owns_2015, d.Traits = true, []*cocv1.Trait{{Id: "sturdy"}}
		}, "NOT_ALLOWED_HERE"},
		{"one trait too many", &cocv1.CreationOverrides{TraitsMax: proto.Int32(1)}, func(d *cocv1.Details) {
			d.Creation.Owns_2015, d.Traits = true, []*cocv1.Trait{{Id: "nervous"}, {Id: "sturdy"}}
		}, "TOO_MANY_TRAITS"},
		{"another occupation", nil, func(d *cocv1.Details) { d.SkillPoints = points("spot", 5, 0) }, "NOT_OCCUPATION_SKILL"},
		{"a higher base", nil, func(d *cocv1.Details) { d.SkillPoints = points("dodge", 0, 61) }, "SKILL_CAP"},
		{"less INT", nil, func(d *cocv1.Details) {
			d.SkillPoints = append(points("law", 0, 51), points("occult", 0, 50)...)
		}, "POINTS_EXCEEDED"},
	} {
		me := drafted(g, nil)
		c.make(details(me))
		if got := reasonOf(g.validSubmit(tableOf(me, c.o), "anna", &cocv1.Submit{})); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// Whatever is not a draft is no more to be made.
func TestOnlyDraftsAreMade(t *testing.T) {
	g := ownGame(t)
	for _, review := range []tablev1.Review{
		tablev1.Review_REVIEW_SUBMITTED, tablev1.Review_REVIEW_APPROVED, tablev1.Review_REVIEW_REJECTED,
	} {
		me := drafted(g, nil)
		me.Review = review
		v := tableOf(me, nil)
		for name, why := range map[string]*rule.Refusal{
			"roll_characteristics": g.validRollCharacteristics(v, "anna", nil),
			"reroll_all":           g.validRerollAll(v, "anna", nil),
			"reroll_one":           g.validRerollOne(v, "anna", &cocv1.RerollOne{Characteristic: kDEX}),
			"swap":                 g.validSwap(v, "anna", &cocv1.Swap{Characteristic: kSTR, With: kCON}),
			"set_occupation":       g.validSetOccupation(v, "anna", &cocv1.SetOccupation{}),
			"assign_points":        g.validAssignPoints(v, "anna", &cocv1.AssignPoints{}),
			"add_trait":            g.validAddTrait(v, "anna", &cocv1.AddTrait{}),
			"declare_supplements":  g.validDeclareSupplements(v, "anna", nil),
			"request_extra":        g.validRequestExtra(v, "anna", nil),
			"submit":               g.validSubmit(v, "anna", nil),
		} {
			if reasonOf(why) != "ALREADY_SUBMITTED" {
				t.Errorf("%s of a sheet that is %v: %v", name, review, why)
			}
		}
		if n := len(g.offerPoints(v, "anna")) + len(g.offerSwaps(v, "anna")) + len(g.offerSubmit(v, "anna")); n > 0 {
			t.Errorf("%d offers", n)
		}
	}
}
