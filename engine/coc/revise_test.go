package coc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func statIn(key string, value int32) *tablev1.StatInput {
	return &tablev1.StatInput{Key: key, Value: value}
}

func resourceIn(key string, value, top *int32) *tablev1.ResourceInput {
	return &tablev1.ResourceInput{Key: key, Value: value, Max: top}
}

func bodyOf(b *cocv1.Body) *tablev1.Details {
	return &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{Body: b}}}
}

// A sheet that is made and changed afterwards is the sheet that is made at once:
// all that follows from the stats follows (COC-CRE-02).
func TestRevisedAsMade(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	first := &tablev1.SheetInput{Stats: []*tablev1.StatInput{statIn("con", 11), statIn("dodge", 60), statIn("spot", 55)}, Gear: []string{"knife"}}
	later := []*tablev1.StatInput{
		statIn("str", 15), statIn("con", 17), statIn("pow", 14), statIn("dex", 13), statIn("siz", 16), statIn("int", 12), statIn("edu", 17), statIn("spot", 40),
	}
	for name, body := range map[string]*cocv1.Body{
		"human": nil, "creature": {Extraterrestrial: proto.Bool(true), AttacksPerRound: proto.Int32(2)},
	} {
		t.Run(name, func(t *testing.T) {
			got, refusal := rules.FromSheet(first)
			if refusal != nil {
				t.Fatal(refusal)
			}
			u := &tablev1.UpdateSheet{Stats: later, Gear: &tablev1.GearInput{Ids: []string{"baton", "fist"}}}
			whole := &tablev1.SheetInput{Stats: append([]*tablev1.StatInput{statIn("dodge", 60)}, later...), Gear: []string{"baton", "fist"}}
			if body != nil {
				u.Details, whole.Details = bodyOf(body), bodyOf(body)
			}
			if refusal := rules.Revise(got, u); refusal != nil {
				t.Fatal(refusal)
			}
			want, refusal := rules.FromSheet(whole)
			if refusal != nil {
				t.Fatal(refusal)
			}
			if !proto.Equal(got, want) {
				t.Errorf("changed:\n%v\nmade:\n%v", got, want)
			}
		})
	}
}

// What has happened to a character is not forgotten, and what somebody set apart
// from the rules stays.
func TestRevise(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	n := proto.Int32
	stats := func(in ...*tablev1.StatInput) *tablev1.UpdateSheet { return &tablev1.UpdateSheet{Stats: in} }
	resources := func(in ...*tablev1.ResourceInput) *tablev1.UpdateSheet {
		return &tablev1.UpdateSheet{Resources: in}
	}
	// A sheet of tens: hp 10, mp 10, san 50, luck 50, dodge 20.
	for _, c := range []struct {
		name   string
		before func(*tablev1.Character)
		u      *tablev1.UpdateSheet
		want   string // key=value[/max] of what differs
	}{
		{"nothing", nil, &tablev1.UpdateSheet{}, ""},
		{"maximum up", nil, stats(statIn("con", 14)), "con=14 hp=12/12"},
		{"wounded, maximum up", hpIs(3, 10), stats(statIn("con", 14)), "con=14 hp=5/12"},
		{"wounded, maximum down", hpIs(7, 10), stats(statIn("con", 4)), "con=4 hp=4/7"},
		{"nobody is felled", hpIs(2, 10), stats(statIn("con", 4)), "con=4 hp=1/7"},
		{"nobody is raised at 0", hpIs(0, 10), stats(statIn("con", 14)), "con=14 hp=0/12"},
		{"nobody is raised", hpIs(-1, 10), stats(statIn("con", 14)), "con=14 hp=-1/12"},
		{"a maximum set apart stays", hpIs(15, 20), stats(statIn("con", 14)), "con=14"},
		{"power", nil, stats(statIn("pow", 12)), "luck=60 mp=12/12 pow=12 san=60/99"},
		{"luck set apart stays", func(ch *tablev1.Character) { setStat(ch, "luck", 45) }, stats(statIn("pow", 12)), "mp=12/12 pow=12 san=60/99"},
		{"luck sent with it", nil, stats(statIn("pow", 12), statIn("luck", 33)), "luck=33 mp=12/12 pow=12 san=60/99"},
		{"san lost stays lost", func(ch *tablev1.Character) { setResource(ch, "san", 42, 99) }, stats(statIn("pow", 12)), "luck=60 mp=12/12 pow=12 san=52/99"},
		{"san at its end", func(ch *tablev1.Character) { setResource(ch, "san", 97, 99) }, stats(statIn("pow", 12)), "luck=60 mp=12/12 pow=12 san=99/99"},
		{"mythos", nil, stats(statIn("cthulhu_mythos", 60)), "cthulhu_mythos=60(0) san=39/39"},
		{"mythos and power", knows(8), stats(statIn("pow", 19)), "luck=95 mp=19/19 pow=19 san=91/91"},
		{"mythos forgotten", knows(8), stats(statIn("cthulhu_mythos", 0)), "cthulhu_mythos=0(0) san=50/99"},
		{"a most SAN set apart stays", func(ch *tablev1.Character) { setResource(ch, "san", 40, 70) }, stats(statIn("cthulhu_mythos", 8)), "cthulhu_mythos=8(0)"},
		{"a skill at its base", nil, stats(statIn("dex", 12)), "dex=12 dodge=24(24)"},
		{"a skill that was learned", func(ch *tablev1.Character) { setStat(ch, "dodge", 50) }, stats(statIn("dex", 12)), "dex=12 dodge=50(24)"},
		{"a skill to its base", nil, stats(statIn("dex", 12), statIn("dodge", 70)), "dex=12 dodge=70(24)"},
		{"a skill that was not there", nil, stats(statIn("claw", 70)), "claw=70(0)"},
		{"value", nil, resources(resourceIn("hp", n(4), nil)), "hp=4/10"},
		{"value and maximum", nil, resources(resourceIn("hp", n(4), n(30))), "hp=4/30"},
		{"maximum", hpIs(7, 10), resources(resourceIn("hp", nil, n(30))), "hp=27/30"},
		{"maximum and what it follows from", hpIs(7, 10), &tablev1.UpdateSheet{
			Stats: []*tablev1.StatInput{statIn("con", 14)}, Resources: []*tablev1.ResourceInput{resourceIn("hp", nil, n(13))},
		}, "con=14 hp=10/13"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch, refusal := rules.FromSheet(&tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC})
			if refusal != nil {
				t.Fatal(refusal)
			}
			if c.before != nil {
				c.before(ch)
			}
			after := proto.Clone(ch).(*tablev1.Character)
			if refusal := rules.Revise(after, c.u); refusal != nil {
				t.Fatal(refusal)
			}
			var got []string
			for _, change := range table.Changes(ch, after) {
				switch {
				case change.GetStat() != nil:
					s := change.GetStat().After
					one := fmt.Sprintf("%s=%d", s.Key, s.GetValue())
					if s.Base != nil {
						one += fmt.Sprintf("(%d)", s.GetBase())
					}
					got = append(got, one)
				case change.GetResource() != nil:
					r := change.GetResource().After
					got = append(got, fmt.Sprintf("%s=%d/%d", r.Key, r.GetValue(), r.GetMax()))
					if r.Band != rule.BandOf(r.GetValue(), r.GetMax()) {
						t.Errorf("band %v", r)
					}
				default:
					t.Errorf("%v", change)
				}
			}
			slices.Sort(got)
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

// knows is somebody with so much of the Mythos.
func knows(mythos int32) func(*tablev1.Character) {
	return func(ch *tablev1.Character) {
		setStat(ch, "cthulhu_mythos", mythos)
		setResource(ch, "san", 50, 99-mythos)
	}
}

// The most SAN is 99 without what is known of the Mythos (COC-CRE-02).
func TestMostSAN(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	for mythos, want := range map[int32]string{0: "50/99", 8: "50/91", 60: "39/39", 99: "1/1"} {
		ch, refusal := rules.FromSheet(&tablev1.SheetInput{Stats: []*tablev1.StatInput{statIn("cthulhu_mythos", mythos)}})
		if refusal != nil {
			t.Fatal(refusal)
		}
		if san := table.Resource(ch, "san"); fmt.Sprintf("%d/%d", san.GetValue(), san.GetMax()) != want {
			t.Errorf("mythos %d: %v", mythos, san)
		}
	}
}

func hpIs(value, top int32) func(*tablev1.Character) {
	return func(ch *tablev1.Character) { setResource(ch, "hp", value, top) }
}

func setResource(ch *tablev1.Character, key string, value, top int32) {
	r := table.Resource(ch, key)
	r.Value, r.Max, r.Band = &value, &top, rule.BandOf(value, top)
}

func setStat(ch *tablev1.Character, key string, value int32) { table.Stat(ch, key).Value = &value }

// What is carried is the whole list: what was there already is as it was, what
// comes by nature stays.
func TestReviseGear(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	creature := bodyOf(&cocv1.Body{Extraterrestrial: proto.Bool(true)})
	human := bodyOf(&cocv1.Body{Extraterrestrial: proto.Bool(false)})
	for _, c := range []struct {
		name   string
		sample string
		u      *tablev1.UpdateSheet
		want   string
	}{
		{"not sent", "officer", &tablev1.UpdateSheet{}, "baton fist handgun headbutt kick"},
		{"one more", "officer", &tablev1.UpdateSheet{Gear: &tablev1.GearInput{Ids: []string{"sword", "baton", "handgun"}}}, "baton fist handgun headbutt kick sword"},
		{"as many attacks as can be", "officer", &tablev1.UpdateSheet{Details: bodyOf(&cocv1.Body{AttacksPerRound: proto.Int32(10)})}, "baton fist handgun headbutt kick"},
		{"none", "officer", &tablev1.UpdateSheet{Gear: &tablev1.GearInput{}}, "fist headbutt kick"},
		{"becomes a creature", "officer", &tablev1.UpdateSheet{Details: creature}, "baton handgun"},
		{"a creature with fists", "officer", &tablev1.UpdateSheet{Details: creature, Gear: &tablev1.GearInput{Ids: []string{"fist"}}}, "fist"},
		{"becomes human", "star_thing", &tablev1.UpdateSheet{Details: human}, "claw fist headbutt kick"},
		{"human with a knife", "star_thing", &tablev1.UpdateSheet{Details: human, Gear: &tablev1.GearInput{Ids: []string{"knife"}}}, "fist headbutt kick knife"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch, refusal := rules.FromSample(c.sample)
			if refusal != nil {
				t.Fatal(refusal)
			}
			for _, w := range ch.Details.GetCoc().Weapons {
				w.InHand = w.Id != "baton"
			}
			if refusal := rules.Revise(ch, c.u); refusal != nil {
				t.Fatal(refusal)
			}
			var got []string
			for _, w := range ch.Details.GetCoc().Weapons {
				got = append(got, w.Id)
				if w.InHand == (w.Id == "baton") {
					t.Errorf("%v", w)
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

// manyKeys are one thing more than a sheet holds of a kind.
var manyKeys = func() (all [101]string) {
	for i := range all {
		all[i] = fmt.Sprint("key ", i)
	}
	return all
}()

// Of what earlier scenarios have left the lists that are sent take the place of those
// that were there (COC-CRE-11).
func TestReviseBelongings(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	ch, refusal := rules.FromSample("officer")
	if refusal != nil {
		t.Fatal(refusal)
	}
	long := strings.Repeat("a", 200)
	for _, c := range []struct{ sent, want *cocv1.Belongings }{
		{&cocv1.Belongings{Artifacts: []string{"a mirror"}}, &cocv1.Belongings{Artifacts: []string{"a mirror"}}},
		{&cocv1.Belongings{Spells: []string{"a song"}}, &cocv1.Belongings{Artifacts: []string{"a mirror"}, Spells: []string{"a song"}}},
		{&cocv1.Belongings{Settings: []string{long}}, &cocv1.Belongings{Artifacts: []string{"a mirror"}, Spells: []string{"a song"}, Settings: []string{long}}},
		{&cocv1.Belongings{Artifacts: manyKeys[:100]}, &cocv1.Belongings{Artifacts: manyKeys[:100], Spells: []string{"a song"}, Settings: []string{long}}},
		{&cocv1.Belongings{}, &cocv1.Belongings{Artifacts: manyKeys[:100], Spells: []string{"a song"}, Settings: []string{long}}},
	} {
		sent := &tablev1.UpdateSheet{Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{Belongings: c.sent}}}}
		if refusal := rules.Revise(ch, sent); refusal != nil {
			t.Fatal(refusal)
		}
		if got := ch.Details.GetCoc().Belongings; !proto.Equal(got, c.want) {
			t.Errorf("%v, not %v", got, c.want)
		}
	}
}

// What is wrong is named, with the name that may have been meant.
func TestReviseRefuses(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	n := proto.Int32
	details := func(d *cocv1.Details) *tablev1.UpdateSheet {
		return &tablev1.UpdateSheet{Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: d}}}
	}
	for _, c := range []struct {
		u              *tablev1.UpdateSheet
		field, nearest string
	}{
		{&tablev1.UpdateSheet{Stats: []*tablev1.StatInput{statIn("dodgr", 1)}}, "sheet.stats.key", "dodge"},
		{&tablev1.UpdateSheet{Stats: []*tablev1.StatInput{statIn("dodge", 1000)}}, "sheet.stats.value", ""},
		{&tablev1.UpdateSheet{Stats: []*tablev1.StatInput{statIn("dodge", 1), statIn("dodge", 2)}}, "sheet.stats.key", ""},
		{&tablev1.UpdateSheet{Resources: []*tablev1.ResourceInput{resourceIn("sam", n(1), nil)}}, "sheet.resources.key", "san"},
		{&tablev1.UpdateSheet{Resources: []*tablev1.ResourceInput{resourceIn("hp", n(99), nil)}}, "sheet.resources.value", ""},
		{&tablev1.UpdateSheet{Resources: []*tablev1.ResourceInput{resourceIn("hp", nil, n(0))}}, "sheet.resources.value", ""},
		{&tablev1.UpdateSheet{Resources: []*tablev1.ResourceInput{resourceIn("hp", n(1), nil), resourceIn("hp", n(2), nil)}}, "sheet.resources.key", ""},
		{&tablev1.UpdateSheet{Gear: &tablev1.GearInput{Ids: []string{"batonn"}}}, "sheet.gear", "baton"},
		{details(&cocv1.Details{Wounds: []*cocv1.Wound{{Id: 1}}}), "sheet.details.coc.wounds", ""},
		{details(&cocv1.Details{Body: &cocv1.Body{AttacksPerRound: n(11)}}), "sheet.details.coc.body.attacks_per_round", ""},
		{details(&cocv1.Details{Belongings: &cocv1.Belongings{Artifacts: manyKeys[:]}}), "sheet.details.coc.belongings", ""},
		{details(&cocv1.Details{Belongings: &cocv1.Belongings{Spells: []string{"a song", ""}}}), "sheet.details.coc.belongings", ""},
		{details(&cocv1.Details{Belongings: &cocv1.Belongings{Settings: []string{strings.Repeat("a", 201)}}}), "sheet.details.coc.belongings", ""},
	} {
		ch, refusal := rules.FromSample("officer")
		if refusal != nil {
			t.Fatal(refusal)
		}
		why := rules.Revise(ch, c.u)
		if why == nil || why.Reason != "INVALID_FIELD" || why.Field != c.field || why.Nearest != c.nearest {
			t.Errorf("%v: %v (nearest %q)", c.u, why, why.Nearest)
		}
	}
}

// Who is about nobody any more is asked nothing at the end of the scene: the
// keeper's question on a critical goes with who rolled it.
func TestRemovedBeforeTheEndOfTheScene(t *testing.T) {
	r := fight(t)
	env := resolve.Env{Seat: rule.Seat{GM: true}, Dice: given(t, "1D100=1")}
	do := func(c *tablev1.Commit, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(r.Act(resolve.Env{Seat: env.Seat}, "", rule.Wrap[*tablev1.Action](&cocv1.EndCombat{}), 0))
	do(r.Act(env, "officer", rule.Wrap[*tablev1.Action](&cocv1.Check{Skill: "spot"}), typev1.Audience_AUDIENCE_UNSPECIFIED))
	if !slices.ContainsFunc(r.State().Windows, func(w *tablev1.Window) bool { return w.Open && w.Name == "critical_benefit" }) {
		t.Fatal("nobody is asked")
	}
	do(r.RemoveCharacter(env, "officer"))
	do(r.Act(env, "", rule.Wrap[*tablev1.Action](&tablev1.EndScene{}), 0))
	if len(r.State().Windows) != 0 {
		t.Errorf("%v", r.State().Windows)
	}
}
