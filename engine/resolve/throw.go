package resolve

import (
	"cmp"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// DicePrompt is the name of the prompt for dice thrown by hand.
const DicePrompt = "dice"

// rollChoice is its choice to let the server roll.
const rollChoice = "server_rolls"

// Throw gives dice: those of the journal, then those given with the command,
// then those asked of whoever rolls by hand, then those of the source.
func (x *execution) Throw(label, of string, d dice.Dice, a typev1.Audience) []int32 {
	if x.lever {
		panic("resolve: a lever throws dice")
	}
	if x.thrown += d.Count; x.thrown > maxDice {
		panic(failed{&rule.BudgetError{What: "dice", Limit: maxDice}})
	}
	die := x.throw(label, of, d, a)
	if die.Sides != d.Sides || int32(len(die.Faces)) != d.Count || die.Of != of {
		panic(failed{x.r.freeze(&DivergedError{Event: -1, Detail: "other dice for " + label})})
	}
	// The journal and the event share the throw. On a replay it is written already,
	// and others may be reading the event.
	if die.Label != label || die.Audience != a {
		die.Label, die.Audience = label, a
	}
	x.loose = append(x.loose, die)
	return die.Faces
}

func (x *execution) throw(label, of string, d dice.Dice, a typev1.Audience) *typev1.Die {
	e := x.next()
	switch {
	case e != nil && !e.Asked && e.GetInjected() == nil:
		return x.take(label).GetDice()
	case e != nil:
		return x.askForDice(label, of, d, a)
	}
	if die := x.given(label, of, d); die != nil {
		return x.record(label, die)
	}
	if x.byHand(of) && !x.rollsByPolicy(of) {
		return x.askForDice(label, of, d, a)
	}
	die := &typev1.Die{Label: label, Of: of, Sides: d.Sides, Audience: a}
	x.make(die, d)
	return x.record(label, die)
}

// make has the server make the faces of a die of the step.
func (x *execution) make(die *typev1.Die, d dice.Dice) {
	all, actor := x.all(), x.run.step.GetActor()
	a := x.run.step.GetAudience()
	open := (a == typev1.Audience_AUDIENCE_UNSPECIFIED || a == rule.Public) && all.Knows(actor) && all.SeesDie(die, actor)
	if err := makeFaces(x.env, die, d, open); err != nil {
		panic(failed{err})
	}
}

// all are the eyes of everybody at the table, as it is at this place of the step.
func (x *execution) all() *view.Everybody {
	if x.everybody == nil {
		x.everybody = x.r.everybody()
	}
	return x.everybody
}

func (r *Resolver) everybody() *view.Everybody {
	return view.All(r.State(), func(key string) string { return r.rules.Options.Value(r.State().Options, key) })
}

// makeFaces makes the faces of a die: an open one's, which everybody at the table will
// see, or a secret one's. It notes where the die stands.
func makeFaces(env *Env, die *typev1.Die, d dice.Dice, open bool) error {
	source := env.Dice
	if !open && env.SecretDice != nil {
		source = env.SecretDice
	}
	var at dice.Place
	if placed, ok := source.(dice.Placed); ok {
		at = placed.Place()
	}
	t, err := source.Throw(die.Label, die.Of, d)
	if err != nil {
		return err
	}
	die.Faces = t.Faces
	if at.Stream == "" {
		return nil
	}
	die.Stream, die.Epoch, die.Number = typev1.DiceStream_DICE_STREAM_SECRET, &at.Epoch, &at.Number
	if at.Stream == dice.Open {
		die.Stream = typev1.DiceStream_DICE_STREAM_OPEN
	}
	return nil
}

// mustBeTold panics where an event hides an open die. Those have numbers without
// gaps for everybody: a die that is hidden would leave one, and tell of itself.
func mustBeTold(e *tablev1.Event, all func() *view.Everybody) {
	for _, d := range e.Dice {
		if d.Stream == typev1.DiceStream_DICE_STREAM_OPEN && !(all().IsTold(e) && all().SeesDie(d, e.Actor)) {
			panic("resolve: the event " + e.Name + " hides the open die " + d.Label)
		}
	}
}

func (x *execution) record(label string, die *typev1.Die) *typev1.Die {
	x.added = append(x.added, &tablev1.JournalEntry{Label: label, Entry: &tablev1.JournalEntry_Dice{Dice: die}})
	return die
}

// given takes the next of the command's own dice, if they are for this throw: a
// seat gives dice only of what it controls, the GM any.
func (x *execution) given(label, of string, d dice.Dice) *typev1.Die {
	if len(x.env.Given) == 0 || !x.mayGive(of) {
		return nil
	}
	next := x.env.Given[0]
	faces, refusal := faces(next, d, label)
	if refusal != nil {
		panic(refused{refusal})
	}
	x.env.Given = x.env.Given[1:]
	return &typev1.Die{Of: of, Sides: d.Sides, Faces: faces, Given: true}
}

func (x *execution) mayGive(of string) bool {
	return x.env.Seat.GM || x.r.View(x.env.Seat).Controls(of)
}

// faces are those of a given throw, which must be of the dice that are asked for.
func faces(g dice.Given, d dice.Dice, label string) ([]int32, *rule.Refusal) {
	if g.Dice != d {
		return nil, rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice").
			Say("dice_other", rule.WordOf("label", label), rule.Code("dice", d.String()), rule.Code("given", g.String()))
	}
	f, err := g.Resolve()
	if err != nil {
		return nil, rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice").
			Say("given_form", rule.Sent("sent", g.String()), rule.Because("why", rule.DiceDetail(err)))
	}
	return f, nil
}

// byHand reports whether the dice of this character are thrown by hand. Those of
// a roll that only the GM knows of are not: asking would tell.
func (x *execution) byHand(of string) bool {
	if x.run.step.GetAudience() == rule.GM {
		return false
	}
	v := x.r.View(x.env.Seat)
	switch v.Option("given_dice") {
	case "all":
		return true
	case "gm":
		return of == "" || v.Character(of).GetKind() == tablev1.CharacterKind_CHARACTER_KIND_NPC
	}
	return false
}

// askForDice opens a prompt for one throw and waits for it. Where no character acts
// it is because of whoever throws, who is told of it then too.
func (x *execution) askForDice(label, of string, d dice.Dice, a typev1.Audience) *typev1.Die {
	x.flushDice()
	w := &tablev1.Window{
		Id: x.id(), Name: DicePrompt, Kind: tablev1.WindowKind_WINDOW_KIND_DICE, BecauseOf: cmp.Or(x.run.step.Actor, of), Open: true,
		Dice: d.String(), Audience: x.secret(),
		Facts: []*typev1.Fact{{Key: factPurpose.String(), Words: []string{label}, Audience: rule.Public}},
		Slots: []*tablev1.Slot{{
			Id: x.id(), Character: of, State: tablev1.SlotState_SLOT_STATE_OPEN, DefaultChoice: rollChoice,
			Choices: []*tablev1.PromptChoice{{Id: rollChoice, Possible: true}},
		}},
	}
	x.emitWindow(namePromptOpened, w, w.Slots[0])
	x.injected()
	if x.next() == nil {
		panic(suspension{})
	}
	die := x.take(label).GetDice()
	if len(die.Faces) == 0 { // the server shall roll: now it is known for whom
		die.Label, die.Audience = label, a
		x.make(die, d)
	}
	x.emitWindow(namePromptAnswered, settled(w, 0, tablev1.SlotState_SLOT_STATE_ANSWERED, false), w.Slots[0])
	return die
}

// notations are given dice as they are stored with the command.
func notations(given []dice.Given) []string {
	var out []string
	for _, g := range given {
		out = append(out, g.String())
	}
	return out
}

// leftOver refuses a command that gave more dice than were asked for.
func (r *Resolver) leftOver(env *Env) error {
	if len(env.Given) == 0 {
		return nil
	}
	return rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice").Say("dice_left_over", rule.Code("given", env.Given[0].String()))
}
