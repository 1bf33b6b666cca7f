package coc

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// The chance of a resistance roll (COC-CHK-08), at its edges.
func TestChance(t *testing.T) {
	for _, c := range []struct{ active, passive, want int32 }{
		{10, 10, 50}, {14, 13, 55}, {19, 10, 95}, {20, 10, 100}, {21, 10, 105}, {10, 19, 5}, {10, 20, 0}, {5, 15, 0}, {0, 100, -450},
	} {
		if got := chance(nil, nil, &cocv1.Resistance{Active: c.active, Passive: c.passive}); got != c.want {
			t.Errorf("%d against %d: %d, want %d", c.active, c.passive, got, c.want)
		}
	}
}

// Who wins an opposed roll (COC-CHK-09).
func TestBetter(t *testing.T) {
	for _, c := range []struct {
		a    grade
		aDie int32
		b    grade
		bDie int32
		want int
	}{
		{success, 30, success, 44, 1}, {success, 44, success, 30, -1}, {success, 30, success, 30, 0},
		{critical, 5, success, 2, 1}, {success, 2, critical, 5, -1}, {critical, 3, critical, 2, -1},
		{failure, 41, fumble, 97, 0}, {fumble, 97, fumble, 98, 0}, {failure, 41, success, 60, -1}, {success, 60, fumble, 97, 1},
	} {
		if got := better(rolled{grade: c.a, die: rule.Showing(c.aDie)}, rolled{grade: c.b, die: rule.Showing(c.bDie)}); got != c.want {
			t.Errorf("%v %d against %v %d: %d, want %d", c.a, c.aDie, c.b, c.bDie, got, c.want)
		}
	}
}

// How a loss is written (COC-SAN-01).
func TestReadLoss(t *testing.T) {
	for _, text := range []string{"0/1", "1/1D6", "1D3/2D6+1", "1D10/1D100", "0/1D4+1D6", "5/5", "0/1000", "0/100D10", "0/1D4+0"} {
		if l, ok := readLoss(text); !ok || l.success.String()+"/"+l.failure.String() != text {
			t.Errorf("%s: %v/%v, %v", text, l.success, l.failure, ok)
		}
	}
	for _, text := range []string{"", "1", "1D6", "1/", "/1", "1/x", "1/-1", "1/1D6-1D4", "1/DB", "1/1D6/2", "0/100D100", "0/1001", "0/100D10+1", "0/101D6", "-1/1", "1/1D6-1"} {
		if _, ok := readLoss(text); ok {
			t.Errorf("%q is taken", text)
		}
	}
}

// Growth up to the cap (COC-GRW-02), and above 90 (COC-GRW-04).
func TestGrown(t *testing.T) {
	for _, c := range []struct{ before, points, cap, want int32 }{
		{25, 7, 99, 32}, {95, 10, 99, 99}, {95, 10, 0, 105}, {99, 1, 99, 99}, {105, 3, 99, 105}, {90, 9, 99, 99}, {90, 5, 80, 90},
	} {
		if got := grown(c.before, c.points, c.cap); got != c.want {
			t.Errorf("%d + %d up to %d: %d, want %d", c.before, c.points, c.cap, got, c.want)
		}
	}
	for _, c := range []struct {
		before, after int32
		plain, incl   bool
	}{
		{88, 93, true, true}, {85, 90, false, true}, {90, 91, true, false}, {89, 90, false, true}, {91, 95, false, false}, {80, 89, false, false}, {90, 90, false, false},
	} {
		if got, incl := passes90(c.before, c.after, false), passes90(c.before, c.after, true); got != c.plain || incl != c.incl {
			t.Errorf("%d to %d: %v, inclusive %v", c.before, c.after, got, incl)
		}
	}
}

// The most that sanity can be (COC-SAN-03).
func TestSanTop(t *testing.T) {
	g := localeGame(t)
	for _, c := range []struct{ max, mythos, want int32 }{{99, 0, 99}, {99, 8, 91}, {99, 99, 0}, {99, 120, 0}, {60, 8, 60}, {95, 8, 91}} {
		ch, refusal := g.fromSample("officer")
		if refusal != nil {
			t.Fatal(refusal)
		}
		setResource(ch, kSAN, 10, c.max, rule.Mind)
		g.setStat(ch, kMythos, c.mythos, 0, rule.Values)
		if got := sanTop(ch); got != c.want {
			t.Errorf("maximum %d, Mythos %d: %d, want %d", c.max, c.mythos, got, c.want)
		}
	}
}

func localeGame(t *testing.T) *game {
	t.Helper()
	tables, errs := load(DefaultPack())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return &game{pack: tables}
}

// Numbers of marks: of the same kind and source, whatever the scenario.
func TestMarksLike(t *testing.T) {
	me := &tablev1.Character{Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{GrowthMarks: []*cocv1.GrowthMark{
		{Id: "critical.club"}, {Id: "critical.club.3", Scenario: 1}, {Id: "critical.clubs", Scenario: 2}, {Id: "secret.critical.club"},
	}}}}}
	for _, c := range []struct {
		id       string
		scenario int32
		n        int
		now      bool
	}{{"critical.club", 0, 3, true}, {"critical.club", 1, 3, true}, {"critical.club", 2, 3, false}, {"fumble.club", 0, 0, false}} {
		if n, now := marksLike(me, c.id, c.scenario); n != c.n || now != c.now {
			t.Errorf("%s in scenario %d: %d, %v", c.id, c.scenario, n, now)
		}
	}
}

// What is wrong with tables of symptoms.
func TestSymptomTables(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"- {id: a, roll: 11}", "roll is a face of 1D10"},
		{"- {id: a, roll: 1}\n- {id: b, roll: 1}", "each once"},
		{"- {id: a, roll: 1}", "a symptom is missing"},
		{"- {id: a, roll: 1, forbids: [sleep]}", "forbids attack, move, parry or cover"},
		{"- {roll: 1}", "an id has"},
	} {
		_, errs := symptomTable(pack.File{Name: "insanity_short.yaml", Text: []byte(c.rows)})
		if !strings.Contains(errs.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.rows, errs, c.want)
		}
	}
}

// An override of an NPC's hit points whose band stays is not told to those who see
// no more than the band (COC-GM-01).
func TestQuietOverride(t *testing.T) {
	for _, c := range []struct {
		sample string
		hp     int32
		want   typev1.Audience
	}{{"thug", 12, rule.HP}, {"thug", 3, rule.Public}, {"officer", 12, rule.Public}} {
		rules := localeRules(t)
		ch, refusal := rules.FromSample(c.sample)
		if refusal != nil {
			t.Fatal(refusal)
		}
		setResource(ch, kHP, 11, 13, rule.HP)
		r := resolve.FromState(rules, &tablev1.State{Ruleset: "coc", Characters: []*tablev1.Character{ch}}, func(int64, int32, int32) string { return "w" })
		a := rule.Wrap[*tablev1.Action](&tablev1.Override{
			Character: ch.Id, Operation: &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: kHP, Value: &c.hp}}},
		})
		if _, err := r.Act(resolve.Env{Seat: rule.Seat{GM: true}}, "", a, 0); err != nil {
			t.Fatal(err)
		}
		if got := r.Made()[0].Audience; got != c.want {
			t.Errorf("%s to %d: told to %v, want %v", c.sample, c.hp, got, c.want)
		}
	}
}
