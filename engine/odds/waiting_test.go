package odds_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/odds"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// waiting asks the odds of the step that waits at a table.
func waiting(r *resolve.Resolver) odds.Query {
	s := r.Suspended()
	return odds.Query{
		Rules: r.Rules(), State: s.Before, Seat: gm, MaxLeaves: 1 << 20,
		Waiting: &odds.Waiting{Step: s.Step, Journal: s.Journal, Now: proto.CloneOf(r.State())},
	}
}

// An attack of 60 that shows 44 has hit unless the thug does something about it: he
// dodges with 30, and parries with the knife with 50.
func TestWaiting(t *testing.T) {
	x := &trial{rules: rules(t), actor: "officer", action: baton}
	x.state = fight(t, x.rules, "officer", "thug")
	r := x.resolver()
	if _, err := r.Act(resolve.Env{Seat: gm, Dice: dice.NewScripted(given(t, "1D100=44"))}, x.actor, x.action, 0); err != nil {
		t.Fatal(err)
	}
	hash := r.Hash()
	q := waiting(r)
	q.When = []func(odds.End) bool{below("thug", 7)}
	o := of(t, q)
	if r.Hash() != hash || !r.Waiting() {
		t.Error("the table is another")
	}
	if o.Question == nil || o.Question.Prompt != "defend" || o.Question.P.RatString() != "1" {
		t.Fatalf("%+v", o.Question)
	}
	want := map[string]string{"none": "1", "dodge": "7/10", "parry.knife": "1/2"}
	for _, c := range o.Question.Choices {
		if got := happens(c.Odds, "attack_hit", ""); want[c.ID] != "" && got != want[c.ID] {
			t.Errorf("%s: hit %s, want %s", c.ID, got, want[c.ID])
		}
		if happens(c.Odds, "check_resolved", "") != "0" {
			t.Errorf("%s: what has happened has odds", c.ID)
		}
		delete(want, c.ID)
	}
	if len(want) > 0 {
		t.Errorf("no odds of %v", want)
	}
	// The club of 1D6 and the bonus of 1D4 come to 6 or more in 14 of 24 ways.
	q = waiting(r)
	q.When, q.Answers = []func(odds.End) bool{below("thug", 7)}, dodges("dodge")
	o = of(t, q)
	if got, want := o.When[0].RatString(), "49/120"; got != want || len(o.Unused) > 0 || o.Resources[len(o.Resources)-1].Before != 13 {
		t.Errorf("7 hit points or fewer: %s, want %s; %+v", got, want, o)
	}
}

// What the GM does while somebody is asked counts from there on, and is no part of what
// can come.
func TestWaitingInjected(t *testing.T) {
	x := &trial{rules: rules(t), actor: "officer", action: baton}
	x.state = fight(t, x.rules, "officer", "thug")
	r := x.resolver()
	env := resolve.Env{Seat: gm, Dice: dice.NewScripted(given(t, "1D100=44"))}
	if _, err := r.Act(env, x.actor, x.action, 0); err != nil {
		t.Fatal(err)
	}
	before := of(t, waiting(r))
	override := rule.Wrap[*tablev1.Action](&tablev1.Override{Character: "thug", Operation: &tablev1.Operation{
		Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp", Value: proto.Int32(4)}},
	}})
	if _, err := r.Act(env, "", override, 0); err != nil {
		t.Fatal(err)
	}
	after := of(t, waiting(r))
	if written(before) == written(after) {
		t.Error("hit points make no difference")
	}
	for _, row := range after.Resources {
		if row.Character == "thug" && row.Before != 4 {
			t.Errorf("before: %d", row.Before)
		}
	}
}

// Dice that are thrown by hand are like others once they are asked for.
func TestWaitingForDice(t *testing.T) {
	x := &trial{rules: rules(t), actor: "officer", action: baton}
	x.state = fight(t, x.rules, "officer", "thug")
	x.state.Options = []*tablev1.Option{{Key: "given_dice", Value: "all"}}
	r := x.resolver()
	env := resolve.Env{Seat: gm}
	if _, err := r.Act(env, x.actor, x.action, 0); err != nil {
		t.Fatal(err)
	}
	q := waiting(r)
	q.Answers = dodges("dodge")
	plain := x.query()
	plain.Answers = q.Answers
	if got, want := written(of(t, q)), written(of(t, plain)); got != want {
		t.Errorf("before the first die:\n%s, want\n%s", got, want)
	}
	for _, faces := range []string{"1D100=44", "", "1D100=90", "1D6=5"} {
		w, slot := asks(r.State())
		env.Given = nil
		reply := resolve.SlotAnswer{Character: slot.Character, Choice: "dodge"}
		if faces != "" {
			env.Given, reply.Choice = []dice.Given{given(t, faces)}, ""
		}
		if _, err := r.Answer(env, w, []resolve.SlotAnswer{reply}); err != nil {
			t.Fatal(err)
		}
	}
	// 5, and the bonus of 1D4 is thrown.
	o := of(t, waiting(r))
	if len(o.Resources) == 0 || o.Resources[0].Character != "thug" || o.Resources[0].Mean.RatString() != "11/2" {
		t.Errorf("%+v", o.Resources)
	}
}

// Odds where a step waits are those of its leaves: each, played on with its dice and
// answers, comes to its state, and all together are 1.
func TestWaitingPlayed(t *testing.T) {
	met := 0
	for n, x := range trials(t) {
		source := random{rand.New(rand.NewPCG(uint64(n), 6))}
		for range 3 {
			r := x.resolver()
			if _, err := r.Act(resolve.Env{Seat: gm, Dice: source}, x.actor, x.action, 0); err != nil {
				t.Fatal(err)
			}
			if !r.Waiting() {
				continue
			}
			met++
			x.playedOn(t, r)
		}
	}
	if met < 5 {
		t.Errorf("%d tables have waited", met)
	}
}

func (x *trial) playedOn(t *testing.T, r *resolve.Resolver) {
	t.Helper()
	// The dice until it waits, to come there again.
	var sofar []dice.Given
	for _, e := range r.Suspended().Journal {
		if d := e.GetDice(); d != nil {
			g := dice.Given{Dice: dice.Dice{Count: int32(len(d.Faces)), Sides: d.Sides}, Faces: d.Faces}
			for _, face := range d.Faces {
				g.Total += face
			}
			sofar = append(sofar, g)
		}
	}
	q := waiting(r)
	q.Apart, q.Answers = true, x.answers
	n, sum := 0, new(big.Rat)
	q.Leaf = func(l *odds.Leaf) {
		sum.Add(sum, l.P)
		if n++; n%7 != 0 && n > 30 {
			return
		}
		source, left := dice.NewScripted(append(sofar[:len(sofar):len(sofar)], l.Dice...)...), l.Answers
		state, _ := x.play(t, source, x.given(t, &left))
		if len(source.Left()) > 0 || len(left) > 0 {
			t.Fatalf("%s: left over: %v, %v", x.name, source.Left(), left)
		}
		if table.Hash(state) != table.Hash(l.State) {
			t.Fatalf("%s: dice %v and then %v come to another state", x.name, sofar, l.Dice)
		}
	}
	o := of(t, q)
	if sum.Add(sum, o.Truncated); sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("%s: the leaves come to %s", x.name, sum)
	}
}

// A die that was thrown is compared with one that was not, face by face.
func TestWaitingCompared(t *testing.T) {
	rs := blows(false)
	below := func(c *rule.Ctx, by string) {
		x := c.Throw("first", by, 6)
		c.Ask(&rule.Window{Name: "defend", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, Slots: []rule.Slot{{
			Character: by, Default: "none", Choices: []*tablev1.PromptChoice{{Id: "none", Possible: true}, {Id: "dodge", Possible: true}},
		}}})
		y := c.Throw("second", by, 6)
		n := int32(0)
		if x.Below(y) {
			n = 1
		}
		if y.Below(x) {
			n = 2
		}
		me := c.Character(by)
		c.Emit(c.Event(rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT), "", by).Change(rule.SetResource(by, table.Resource(me, "hp"), n)))
	}
	rule.Register(rs, rule.Action[*cocv1.Shoot]{Run: func(c *rule.Ctx, by string, _ *cocv1.Shoot) { below(c, by) }})
	x := blown(rs, action(&cocv1.Shoot{}))
	r := resolve.FromState(rs, x.State, func(int64, int32, int32) string { return "w" })
	if _, err := r.Act(resolve.Env{Seat: gm, Dice: dice.NewScripted(given(t, "1D6=4"))}, x.Actor, x.Action, 0); err != nil {
		t.Fatal(err)
	}
	got := written(of(t, waiting(r)))
	want := "attack_hit thug [] 1\nthug hp 4/3 0:1/6 1:1/3 2:1/2"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func given(t *testing.T, text string) dice.Given {
	t.Helper()
	g, err := dice.ParseGiven(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
