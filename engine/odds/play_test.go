package odds_test

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// The odds are compared with what play comes to, in states that are drawn from seeds.
var (
	states  = flag.Int("odds-states", 15, "states in which odds are compared with play")
	samples = flag.Int("odds-samples", 1500, "times that each is played to see how often what comes out, 200,000 when in doubt")
	seed    = flag.Uint64("odds-seed", 1, "seed of the first state")
)

// trial is an action in some state, with the answers that are given.
type trial struct {
	name    string
	rules   *rule.Ruleset
	state   *tablev1.State
	actor   string
	action  *tablev1.Action
	answers []odds.Answer
}

func (x *trial) query() odds.Query {
	return odds.Query{
		Rules: x.rules, State: proto.CloneOf(x.state), Seat: gm, Actor: x.actor, Action: x.action, Answers: x.answers,
		MaxLeaves: 1 << 20,
	}
}

// drawn is a trial from a seed: a fight of two or three with other values, options and
// conditions each time.
func drawn(tb testing.TB, rs *rule.Ruleset, seed uint64) *trial {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 4))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	by, target := pick("officer", "cultist", "star_larva"), pick("thug", "watchman", "star_thing", "nurse")
	roster := []string{by, target}
	if r.IntN(3) == 0 {
		roster = append(roster, "student")
	}
	s := fight(tb, rs, roster...)
	x := &trial{rules: rs, state: s, actor: by}
	t := table.FromState(s)
	for _, c := range s.Characters {
		for _, key := range []string{"dodge", "club", "claw", "con", "luck", "armour", "first_aid", "fist", "martial_arts"} {
			if st := table.Stat(c, key); st != nil {
				n := int32(r.IntN(100))
				switch key {
				case "con":
					n = int32(3 + r.IntN(18))
				case "armour":
					n = int32(r.IntN(4))
				}
				t.Apply(rule.SetStat(c.Id, &typev1.Stat{Key: key, Value: &n, Base: st.Base, Audience: st.Audience}))
			}
		}
		hp := table.Resource(c, "hp")
		t.Apply(rule.SetResource(c.Id, hp, 1+r.Int32N(hp.GetMax())))
		combat := &cocv1.Combat{DefCount: &cocv1.DefenceCount{Dodge: r.Int32N(3)}}
		t.Apply(rule.SetPart(c.Id, rule.Wrap[*tablev1.Part](combat)))
	}
	t.Apply(rule.SetPart(target, rule.Wrap[*tablev1.Part](&cocv1.Wound{Id: 1, Amount: 3})))
	option := func(key, value string) {
		s.Options = append(s.Options, &tablev1.Option{Key: key, Value: value})
	}
	option("crit_compare", pick("lower_wins", "higher_wins"))
	option("special_in_combat", pick("true", "false"))
	option("heal_cap_by_wound", pick("true", "false"))
	option("shock_threshold", pick("half_current", "half_max"))
	weapon := table.Character(s, by).Details.GetCoc().Weapons[r.IntN(len(table.Character(s, by).Details.GetCoc().Weapons))].Id
	x.answers = []odds.Answer{
		{Prompt: "defend", Choice: pick("none", "dodge", "parry.knife", "parry.baton", "parry.fist")},
		{Prompt: "counter", Choice: pick("yes", "no")},
		{Prompt: "fumble_severe", Choice: pick("break", "hit_friend")},
		{Prompt: "fumble_mild", Choice: pick("weapon_unusable", "move", "roll")},
		{Prompt: "cover", Choice: pick("cover", "no")},
	}
	switch what := r.IntN(6); what {
	case 0:
		x.action = action(&cocv1.FirstAid{Target: target, Wound: 1})
	case 1:
		x.action = action(&cocv1.Opposed{Skill: "dodge", Target: target, TargetSkill: "dodge"})
	case 2:
		x.actor, x.action = "", action(&cocv1.SanCheck{Targets: []string{by}, Loss: pick("1/1D6", "1D3/1D8")})
	default:
		x.action = action(&cocv1.Attack{Weapon: weapon, Target: target})
	}
	x.name = fmt.Sprint("seed ", seed, ": ", x.actor, " ", x.action, " at ", roster)
	return x
}

// trials are those that the rules take.
func trials(tb testing.TB) []*trial {
	tb.Helper()
	rs := rules(tb)
	var out []*trial
	for n := *seed; len(out) < *states; n++ {
		x := drawn(tb, rs, n)
		if err := x.resolver().CheckAct(resolve.Env{Seat: gm}, x.actor, x.action); err == nil {
			out = append(out, x)
		}
	}
	return out
}

func (x *trial) resolver() *resolve.Resolver {
	return resolve.FromState(x.rules, proto.CloneOf(x.state), func(c int64, run, n int32) string { return fmt.Sprint("w", c, ".", run, ".", n) })
}

// play has the action resolved by what play resolves with. reply says how the question
// is answered.
func (x *trial) play(tb testing.TB, source dice.Source, reply func(*tablev1.Window, *tablev1.Slot) resolve.SlotAnswer) (*tablev1.State, []*tablev1.Event) {
	tb.Helper()
	r := x.resolver()
	env := resolve.Env{Seat: gm, Dice: source}
	if _, err := r.Act(env, x.actor, x.action, 0); err != nil {
		tb.Fatalf("%s: %v", x.name, err)
	}
	events := slices.Clone(r.Made())
	for r.Waiting() {
		w, s := asks(r.State())
		if _, err := r.Answer(env, w, []resolve.SlotAnswer{reply(w, s)}); err != nil {
			tb.Fatalf("%s: %s: %v", x.name, w.Name, err)
		}
		events = append(events, r.Made()...)
	}
	return r.State(), events
}

func asks(s *tablev1.State) (*tablev1.Window, *tablev1.Slot) {
	for _, w := range s.Windows {
		for _, slot := range w.Slots {
			if w.Open && !w.Standing && slot.State == tablev1.SlotState_SLOT_STATE_OPEN {
				return w, slot
			}
		}
	}
	return nil, nil
}

// Every leaf, played with its dice and answers, comes to its state and its events, uses
// its dice up and needs no others; and all leaves together are 1.
func TestLeavesPlayed(t *testing.T) {
	for _, x := range trials(t) {
		q := x.query()
		q.Apart = true
		n, sum := 0, new(big.Rat)
		q.Leaf = func(l *odds.Leaf) {
			sum.Add(sum, l.P)
			if n++; n%7 != 0 && n > 60 {
				return
			}
			source, left := dice.NewScripted(l.Dice...), l.Answers
			state, events := x.play(t, source, x.given(t, &left))
			if len(source.Left()) > 0 || len(left) > 0 {
				t.Fatalf("%s: left over: %v, %v", x.name, source.Left(), left)
			}
			if got, want := table.Hash(state), table.Hash(l.State); got != want {
				t.Fatalf("%s: dice %v come to another state", x.name, l.Dice)
			}
			if got, want := told(events), told(l.Events); got != want {
				t.Fatalf("%s: dice %v come to\n%s, want\n%s", x.name, l.Dice, got, want)
			}
		}
		o := of(t, q)
		sum.Add(sum, o.Truncated)
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%s: the leaves come to %s", x.name, sum)
		}
		if !o.Exact {
			t.Errorf("%s was sampled", x.name)
		}
	}
}

// given answers as a leaf has, one after the other.
func (x *trial) given(tb testing.TB, left *[]odds.Answer) func(*tablev1.Window, *tablev1.Slot) resolve.SlotAnswer {
	return func(w *tablev1.Window, s *tablev1.Slot) resolve.SlotAnswer {
		if len(*left) == 0 || (*left)[0].Prompt != w.Name || (*left)[0].Character != s.Character {
			tb.Fatalf("%s: %s asks %s, the answers left are %v", x.name, w.Name, s.Character, *left)
		}
		a := (*left)[0]
		*left = (*left)[1:]
		return resolve.SlotAnswer{Character: a.Character, Choice: a.Choice, Values: a.Values}
	}
}

// told are events by who and whom and the words that everybody may read, without those
// of the core, each once.
func told(events []*tablev1.Event) string {
	var out []string
	for _, e := range events {
		if strings.HasPrefix(e.Name, "prompt_") || e.Name == "dice_rolled" || e.Name == "step_taken" {
			continue
		}
		line := fmt.Sprint(e.Name, " ", e.Actor, " ", e.Targets)
		for _, f := range e.Facts {
			if f.Audience == rule.Public && len(f.Words) > 0 {
				line += fmt.Sprint(" ", f.Key, "=", f.Words)
			}
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// random throws dice from a seed, for a comparison.
type random struct{ *rand.Rand }

func (r random) Throw(_, _ string, d dice.Dice) (dice.Throw, error) {
	t := dice.Throw{Dice: d}
	for range d.Count {
		face := r.Int32N(d.Sides) + 1
		t.Faces, t.Total = append(t.Faces, face), t.Total+face
	}
	return t, nil
}

// ends tells states apart by what becomes of everybody.
func ends(s *tablev1.State) string {
	out := ""
	for _, c := range s.Characters {
		out += c.Id
		for _, r := range c.Resources {
			out += fmt.Sprint(" ", r.Key, r.GetValue())
		}
		for _, st := range c.Statuses {
			out += " " + st.Key
		}
	}
	return out
}

// What comes out of play, again and again with random dice, comes out as often as the
// odds say: chi-square, of which a millionth is as far off or farther.
func TestPlayedAsOften(t *testing.T) {
	for _, x := range trials(t)[:max(1, *states/3)] {
		q := x.query()
		q.Apart = true
		p := make(map[string]*big.Rat)
		q.Leaf = func(l *odds.Leaf) {
			key := ends(l.State)
			if p[key] == nil {
				p[key] = new(big.Rat)
			}
			p[key].Add(p[key], l.P)
		}
		of(t, q)
		source := random{rand.New(rand.NewPCG(*seed, 5))}
		count := make(map[string]int)
		for range *samples {
			state, _ := x.play(t, source, func(w *tablev1.Window, s *tablev1.Slot) resolve.SlotAnswer {
				for _, a := range x.answers {
					if c := prompt.Choice(s.Choices, a.Choice); a.Prompt == w.Name && c != nil && c.Possible {
						return resolve.SlotAnswer{Character: s.Character, Choice: a.Choice, Values: needed(c)}
					}
				}
				return resolve.SlotAnswer{Character: s.Character, Choice: s.DefaultChoice}
			})
			key := ends(state)
			if p[key] == nil {
				t.Fatalf("%s: play came to %s, which has no odds", x.name, key)
			}
			count[key]++
		}
		if chi, most := chiSquare(p, count, *samples); chi > most {
			t.Errorf("%s: chi-square %.1f, at most %.1f", x.name, chi, most)
		}
	}
}

func needed(c *tablev1.PromptChoice) []*tablev1.Value {
	var out []*tablev1.Value
	for _, in := range c.Inputs {
		if in.MinCount > 0 {
			out = append(out, &tablev1.Value{Name: in.Name, Values: in.Choices[:1]})
		}
	}
	return out
}

// chiSquare compares counts with probabilities; those that are expected less than five
// times are one. It returns the bound, too, that a millionth exceeds, by Wilson and
// Hilferty.
func chiSquare(p map[string]*big.Rat, count map[string]int, n int) (chi, bound float64) {
	rest, restCount, cells := 0.0, 0, 0
	add := func(expected float64, got int) {
		chi += (float64(got) - expected) * (float64(got) - expected) / expected
		cells++
	}
	for key, r := range p {
		f, _ := r.Float64()
		if expected := f * float64(n); expected >= 5 {
			add(expected, count[key])
		} else {
			rest, restCount = rest+expected, restCount+count[key]
		}
	}
	if rest > 0.5 {
		add(rest, restCount)
	}
	free := float64(max(1, cells-1))
	const z = 4.7534
	return chi, free * math.Pow(1-2/(9*free)+z*math.Sqrt(2/(9*free)), 3)
}

// Face by face it comes to the same. Attacks and losses of sanity have millions of faces.
func TestFaces(t *testing.T) {
	rs := rules(t)
	treated, opposed := 0, 0
	for n := *seed; treated < 3 || opposed < 2; n++ {
		x := drawn(t, rs, n)
		switch a := x.action.GetCoc(); {
		case x.resolver().CheckAct(resolve.Env{Seat: gm}, x.actor, x.action) != nil:
			continue
		case a.GetFirstAid() != nil && treated < 3:
			treated++
		case a.GetOpposed() != nil && opposed < 2:
			opposed++
		default:
			continue
		}
		same(t, x, func(q *odds.Query) { q.Faces = true })
	}
}

// same compares the odds of a trial with those of a changed query.
func same(t *testing.T, x *trial, change func(*odds.Query)) {
	t.Helper()
	q := x.query()
	a := of(t, q)
	change(&q)
	b := of(t, q)
	if !a.Exact || !b.Exact {
		t.Errorf("%s was sampled", x.name)
	}
	if b.Leaves <= a.Leaves {
		t.Errorf("%s: %d leaves, and %d without what saves them", x.name, a.Leaves, b.Leaves)
	}
	if got, want := written(b), written(a); got != want {
		t.Errorf("%s:\n%s, want\n%s", x.name, got, want)
	}
}

// written is all that odds say, in an order of its own.
func written(o *odds.Odds) string {
	var lines []string
	for _, e := range o.Events {
		lines = append(lines, told([]*tablev1.Event{e.Event})+" "+e.P.RatString())
	}
	for _, r := range o.Resources {
		line := r.Character + " " + r.Key + " " + r.Mean.RatString()
		for _, p := range r.Points {
			line += fmt.Sprint(" ", p.Value, ":", p.P.RatString())
		}
		lines = append(lines, line)
	}
	for _, s := range o.Statuses {
		lines = append(lines, fmt.Sprint(s.Character, " ", s.Key, " ", s.Lost, " ", s.P.RatString()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
