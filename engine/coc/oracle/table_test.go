package oracle_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

var ruleset = sync.OnceValues(func() (*rule.Ruleset, error) { return coc.New(coc.DefaultPack()) })

var keeper = rule.Seat{ID: "gm", GM: true}

// die is a face that was thrown.
type die struct{ sides, face int }

// game is a table of the engine whose dice rapid draws.
type game struct {
	*rapid.T
	r       *resolve.Resolver
	options oracle.Options
	thrown  []die            // since the last command began, or its prompts were answered
	told    []*tablev1.Event // likewise
	asked   []asked          // prompts that were answered, likewise
	first   int64            // the number of the first of them
	played  []string         // all commands, for a failure
}

// asked is a prompt that was answered: who was asked, what could be chosen, what was.
type asked struct {
	prompt, who string
	choices     []string
	choice      string
}

func newGame(t *rapid.T, sheets ...*tablev1.Character) *game {
	rules, err := ruleset()
	if err != nil {
		t.Fatal(err)
	}
	g := &game{T: t, r: resolve.New(rules, func(c int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", c, run, n) })}
	set, options := drawOptions(t)
	g.options = options
	if _, err := g.r.Create(set); err != nil {
		t.Fatal(err)
	}
	for _, ch := range sheets {
		if _, err := g.r.AddCharacter(resolve.Env{Seat: keeper}, ch); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// Throw draws the faces: often the ends, where the rules have their bounds.
func (g *game) Throw(_, _ string, d dice.Dice) (dice.Throw, error) {
	out := dice.Throw{Dice: d}
	for range d.Count {
		face := drawFace(d.Sides).Draw(g.T, "face")
		g.thrown = append(g.thrown, die{int(d.Sides), int(face)})
		out.Faces = append(out.Faces, face)
		out.Total += face
	}
	return out, nil
}

// spread are the numbers from 0 to 99, of which rapid draws the small ones as often as the
// others: it prefers small numbers, which are strewn here.
var spread = rapid.Map(rapid.Int32Range(0, 99), func(n int32) int32 { return (n*37 + 11) % 100 })

// skillValue is often about 15, where the locks begin (COC-DEF-04).
var skillValue = rapid.OneOf(spread, spread, rapid.Int32Range(10, 20))

var d100 = rapid.OneOf(
	rapid.Map(spread, func(n int32) int32 { return n + 1 }), rapid.Map(spread, func(n int32) int32 { return n/2 + 1 }),
	rapid.Int32Range(1, 10), rapid.Int32Range(94, 100),
)

func drawFace(sides int32) *rapid.Generator[int32] {
	if sides == 100 {
		return d100
	}
	return rapid.Int32Range(1, sides)
}

// replay gives the oracle the dice that the engine has thrown, and tells if it wants others.
func (g *game) replay() oracle.Dice {
	left := slices.Clone(g.thrown)
	return func(sides int) int {
		if len(left) == 0 || left[0].sides != sides {
			g.Fatalf("the rules throw 1D%d now, the engine threw %v in all, of which are left %v\n%s", sides, g.thrown, left, g.story())
		}
		first := left[0]
		left = left[1:]
		g.thrown = left
		return first.face
	}
}

// allUsed fails where the engine has thrown dice that the rules do not throw.
func (g *game) allUsed() {
	if len(g.thrown) > 0 {
		g.Fatalf("the engine has thrown %v too many\n%s", g.thrown, g.story())
	}
}

// act makes a command of the keeper's.
func (g *game) act(actor string, m proto.Message) {
	if why := g.try(actor, m); why != "" {
		g.Fatalf("%s: %v is refused: %s\n%s", actor, m, why, g.story())
	}
}

// try makes a command, and returns why it is refused.
func (g *game) try(actor string, m proto.Message) string {
	g.thrown, g.told, g.asked = nil, nil, nil
	g.played = append(g.played, fmt.Sprintf("%s: %T %v", actor, m, m))
	c, err := g.r.Act(resolve.Env{Seat: keeper, Dice: g}, actor, rule.Wrap[*tablev1.Action](m), 0)
	if err == nil {
		g.first = c.FirstEvent
	}
	return g.done(err)
}

func (g *game) done(err error) string {
	var why *rule.Refusal
	if errors.As(err, &why) {
		return why.Reason
	}
	if err != nil {
		g.Fatal(err)
	}
	g.told = append(g.told, g.r.Made()...)
	return ""
}

// open is the prompt that waits, or with standing one that holds nothing up.
func (g *game) open(standing bool) *tablev1.Window {
	for _, w := range g.r.State().Windows {
		if w.Open && w.Standing == standing {
			return w
		}
	}
	return nil
}

// answer answers a slot of a prompt with a choice.
func (g *game) answer(w *tablev1.Window, s *tablev1.Slot, choice string, values ...*tablev1.Value) {
	var choices []string
	for _, c := range s.Choices {
		if c.Possible {
			choices = append(choices, c.Id)
		}
	}
	g.asked = append(g.asked, asked{w.Name, s.Character, choices, choice})
	_, err := g.r.Answer(resolve.Env{Seat: keeper, Dice: g}, w, []resolve.SlotAnswer{{Character: s.Character, Choice: choice, Values: values}})
	if why := g.done(err); why != "" {
		g.Fatalf("%s by %q with %q of %v is refused: %s", w.Name, s.Character, choice, choices, why)
	}
}

// settle answers what stands open to no effect.
func (g *game) settle() {
	for w := g.open(true); w != nil; w = g.open(true) {
		choice := map[string]string{"critical_benefit": "nothing"}[w.Name]
		if choice == "" {
			choice = w.Slots[0].DefaultChoice
		}
		g.answer(w, w.Slots[0], choice)
	}
}

// events are those of a name that the command brought.
func (g *game) events(name string) (out []*tablev1.Event) {
	for _, e := range g.told {
		if e.Name == name {
			out = append(out, e)
		}
	}
	return out
}

// one is the only event of a name.
func (g *game) one(name string) *tablev1.Event {
	all := g.events(name)
	if len(all) != 1 {
		g.Fatalf("%d events %s\n%s", len(all), name, g.story())
	}
	return all[0]
}

// fact is what an event tells under a key, as text; "" if it does not.
func fact(e *tablev1.Event, key string) string {
	for _, f := range e.Facts {
		if f.Key != key {
			continue
		}
		switch {
		case f.Number != nil:
			return fmt.Sprint(*f.Number)
		case f.Text != nil:
			return *f.Text
		case len(f.Characters) > 0:
			return strings.Join(f.Characters, ",")
		}
		return strings.Join(f.Words, ",")
	}
	return ""
}

// told as text, for a failure.
func (g *game) story() string {
	var b strings.Builder
	for _, e := range g.told {
		fmt.Fprintf(&b, "  %s %s %v", e.Name, e.Actor, e.Targets)
		for _, f := range e.Facts {
			fmt.Fprintf(&b, " %s=%s", f.Key, fact(&tablev1.Event{Facts: []*typev1.Fact{f}}, f.Key))
		}
		b.WriteByte('\n')
	}
	last := g.played[max(0, len(g.played)-12):]
	return fmt.Sprintf("%s  options %v\nlast played:\n  %s\n", &b, g.r.State().Options, strings.Join(last, "\n  "))
}

// same fails where the engine and the oracle have come to different things.
func (g *game) same(what string, engine, rules any) {
	if e, r := fmt.Sprint(engine), fmt.Sprint(rules); e != r {
		g.Fatalf("%s: the engine has %s, the rules %s\n%s", what, e, r, g.story())
	}
}

func (g *game) character(id string) *tablev1.Character { return table.Character(g.r.State(), id) }

func (g *game) resource(id, key string) int {
	return int(table.Resource(g.character(id), key).GetValue())
}
func (g *game) stat(id, key string) int    { return int(table.Stat(g.character(id), key).GetValue()) }
func (g *game) status(id, key string) bool { return table.Status(g.character(id), key) != nil }

// marks are the ids of the growth marks on a sheet.
func (g *game) marks(id string) (out []string) {
	for _, m := range g.character(id).Details.GetCoc().GrowthMarks {
		out = append(out, m.Id)
	}
	return out
}

// drawOptions draws switches, most of them at their defaults, for the engine and the oracle.
func drawOptions(t *rapid.T) ([]*tablev1.Option, oracle.Options) {
	o := oracle.Defaults()
	var set []*tablev1.Option
	often := rapid.IntRange(0, 3)
	word := func(key string, values ...string) (value string) {
		if often.Draw(t, key) < 3 {
			return ""
		}
		value = rapid.SampledFrom(values).Draw(t, key)
		set = append(set, &tablev1.Option{Key: key, Value: value})
		return value
	}
	number := func(key string, to *int, values *rapid.Generator[int]) {
		if often.Draw(t, key) == 3 {
			*to = values.Draw(t, key)
			set = append(set, &tablev1.Option{Key: key, Value: fmt.Sprint(*to)})
		}
	}
	number("crit", &o.Crit, rapid.IntRange(0, 30))
	number("fumble", &o.Fumble, rapid.IntRange(70, 101))
	number("skill_cap_initial", &o.SkillCapInitial, rapid.IntRange(0, 99))
	number("growth_cap", &o.GrowthCap, rapid.OneOf(rapid.Just(0), rapid.IntRange(60, 120)))
	number("lock_rounds", &o.LockRounds, rapid.IntRange(0, 4))
	number("cover_reach", &o.CoverReach, rapid.IntRange(0, 4))
	o.SpecialFifth = word("special_range", "fifth") != ""
	o.SpecialInCombat = word("special_in_combat", "true") != ""
	o.PerCharacteristic = word("single_reroll_scope", "per_characteristic") != ""
	o.SwapAcrossFormulas = word("swap_across_formulas", "true") != ""
	o.HalvingSeparate = word("defence_halving", "separate") != ""
	o.ChainOfCombat = word("defence_chain_reset", "combat") != ""
	o.LockCountsCurrent = word("lock_counts_current", "true") != ""
	o.LowFirstAnySkill = word("low_first_exempt", "any_skill") != ""
	o.ReliefNextRoll = word("crit_dodge_relief", "next_roll") != ""
	o.HigherWins = word("crit_compare", "higher_wins") != ""
	o.ETCritEither = word("et_crit_scope", "either") != ""
	if bullets := word("dodge_bullets", "none", "all"); bullets != "" {
		o.DodgeBullets = bullets
	}
	o.NoParryExcess = word("parry_excess", "false") != ""
	o.PhysicalPsychoMax = word("physical_psycho_base", "max") != ""
	o.HealBeyondWound = word("heal_cap_by_wound", "false") != ""
	o.MarksUnlimited = word("mark_limit", "none") != ""
	o.NinetyInclusive = word("ninety_inclusive", "true") != ""
	o.ShockHalfMax = word("shock_threshold", "half_max") != ""
	slices.SortFunc(set, func(a, b *tablev1.Option) int { return strings.Compare(a.Key, b.Key) })
	return set, o
}

// drawSheet draws a character whose skills are known to both.
func drawSheet(t *rapid.T, id string, kind tablev1.CharacterKind, skills ...string) *tablev1.Character {
	rules, err := ruleset()
	if err != nil {
		t.Fatal(err)
	}
	in := &tablev1.SheetInput{Kind: kind}
	value := map[string]int32{}
	for _, key := range []string{"str", "con", "pow", "dex", "app", "siz", "int", "edu"} {
		value[key] = rapid.Int32Range(3, 21).Draw(t, key)
		if key == "dex" && rapid.IntRange(0, 2).Draw(t, "about 15") == 2 { // COC-DEF-06
			value[key] = rapid.Int32Range(6, 9).Draw(t, key)
		}
		in.Stats = append(in.Stats, &tablev1.StatInput{Key: key, Value: value[key]})
	}
	for _, key := range skills {
		base, based := oracle.Base(key, int(value["dex"]), int(value["edu"]))
		if based && rapid.IntRange(0, 2).Draw(t, key) == 0 {
			in.Stats = append(in.Stats, &tablev1.StatInput{Key: key, Value: int32(base)})
			continue
		}
		in.Stats = append(in.Stats, &tablev1.StatInput{Key: key, Value: skillValue.Draw(t, key)})
	}
	ch, refusal := rules.FromSheet(in)
	if refusal != nil {
		t.Fatal(refusal)
	}
	ch.Id, ch.Name, ch.Kind, ch.Review, ch.Audience = id, id, kind, tablev1.Review_REVIEW_APPROVED, rule.Public
	ch.Side = "pc"
	return ch
}

// many runs a test on the tables that rapid draws: so many times a hundred of them, in an
// ordinary run.
func many(t *testing.T, f func(t *rapid.T)) {
	t.Helper()
	for range hundredsOfTables {
		if rapid.Check(t, f); t.Failed() {
			return
		}
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}
