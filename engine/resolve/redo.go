package resolve

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// DifferentError says that a command which was carried out again came out otherwise
// than it is stored.
type DifferentError struct {
	// Event is the number in the log of the first event that differs; 0 if none does.
	Event int64
	// Path is where in the event, for example "facts[2].number"; empty for the whole.
	Path string
	// Detail says what differs, for those who wrote the rules.
	Detail string
}

// Error says where, and what differs.
func (e *DifferentError) Error() string {
	return fmt.Sprintf("resolve: event %d differs at %q: %s", e.Event, e.Path, e.Detail)
}

// Redo carries out a stored command again, with the dice and answers that its commit
// has, and compares the events. The resolver has redone all commits before it, from
// the first. gm says whether the seat led the game, where the commit does not: those
// of older builds. past is Env.Past. After an error, a *DifferentError mostly, the
// resolver is of no use any more.
func (r *Resolver) Redo(stored *tablev1.Commit, gm bool, past func(sequence int64) *tablev1.Event) error {
	if stored.Number != r.number+1 {
		return fmt.Errorf("resolve: commit %d does not follow commit %d", stored.Number, r.number)
	}
	c := proto.CloneOf(stored) // rules write to the dice that they are handed
	events, err := Events(c)
	if err != nil {
		return &DifferentError{Event: c.FirstEvent, Detail: err.Error()}
	}
	r.redo = c
	defer func() { r.redo = nil }()
	env := Env{Seat: seatOf(c, gm), Dice: &redone{}, Past: past}
	got, err := r.command(&env, c, events)
	if err != nil {
		return &DifferentError{Event: c.FirstEvent, Detail: err.Error()}
	}
	return sameRuns(stored, got)
}

// seatOf is the seat of a stored command, as it was then.
func seatOf(c *tablev1.Commit, gm bool) rule.Seat {
	s := rule.Seat{ID: c.Command.Seat, GM: c.Command.Gm || gm}
	for _, o := range c.Visibility.GetOwners() {
		ownerless := o.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC && len(o.Seats) == 0
		if s.ID != "" && slices.Contains(o.Seats, s.ID) || s.GM && ownerless {
			s.Characters = append(s.Characters, o.Character)
		}
	}
	return s
}

var errNotHere = errors.New("this build does not know the command")

// command carries out a stored command.
func (r *Resolver) command(env *Env, c *tablev1.Commit, events []*tablev1.Event) (*tablev1.Commit, error) {
	cmd := c.Command
	switch what := cmd.GetWhat().(type) {
	case *tablev1.Command_Create:
		if what.Create.Ruleset != r.rules.Name {
			return nil, fmt.Errorf("the rules are those of %s", what.Create.Ruleset)
		}
		got, err := r.Create(what.Create.Options, epochsIn(events)...)
		r.table.Begin(what.Create.Ruleset, what.Create.Pack)
		return got, err
	case *tablev1.Command_Action:
		return r.Act(*env, cmd.Actor, what.Action, cmd.Audience)
	case *tablev1.Command_Answer:
		return r.answerAgain(env, c, what.Answer)
	case *tablev1.Command_Sheet:
		return r.AddCharacter(*env, what.Sheet.Character)
	case *tablev1.Command_Update:
		return r.UpdateCharacter(*env, what.Update)
	case *tablev1.Command_Remove:
		return r.RemoveCharacter(*env, what.Remove.Character)
	case *tablev1.Command_Options:
		return r.SetOptions(*env, what.Options.Options)
	case *tablev1.Command_Roll:
		return r.rollAgain(*env, cmd, events)
	case *tablev1.Command_Undo:
		return r.undoAgain(*env, what.Undo, events)
	case *tablev1.Command_DiceShare:
		env.Seat.ID = what.DiceShare.SeatId
		return r.GiveDiceShare(*env, what.DiceShare.Share)
	case *tablev1.Command_RotateDice:
		return r.rotateAgain(*env, what.RotateDice, epochsIn(events))
	}
	return nil, errNotHere
}

// answerAgain takes answers as they stand in the journal. That they were allowed is
// not asked again: a policy or a deadline may have given them.
func (r *Resolver) answerAgain(env *Env, c *tablev1.Commit, a *tablev1.AnswerCommand) (*tablev1.Commit, error) {
	w := table.Window(r.State(), a.Window)
	switch {
	case w == nil:
		return nil, fmt.Errorf("there is no window %s", a.Window)
	case w.Standing && len(a.Answers) > 0:
		return r.answerStanding(c.Command, env, w, a.Answers[0])
	case r.running == nil || len(c.Runs) == 0:
		return nil, fmt.Errorf("no step waits for the window %s", w.Name)
	}
	return r.goOn(r.begin(env, c.Command), env, c.Runs[0].Journal)
}

// rollAgain throws the dice that the event has.
func (r *Resolver) rollAgain(env Env, cmd *tablev1.Command, events []*tablev1.Event) (*tablev1.Commit, error) {
	again := &redone{}
	for _, e := range events {
		for _, d := range e.Dice {
			if !d.Given {
				again.left = append(again.left, d)
			}
		}
	}
	env.Dice = again
	for _, text := range cmd.GivenDice {
		g, err := dice.ParseGiven(text)
		if err != nil {
			return nil, err
		}
		env.Given = append(env.Given, g)
	}
	return r.Roll(env, Roll{Actor: cmd.Actor, Formula: cmd.GetRoll().Formula, Text: cmd.GetRoll().Text, Audience: cmd.Audience})
}

// undoAgain takes back what was taken back. The state then is taken as the events have
// it: that it is the one of the commit is for the fold to say.
func (r *Resolver) undoAgain(env Env, u *tablev1.Undo, events []*tablev1.Event) (*tablev1.Commit, error) {
	if u.Events < 0 || u.Events > r.event {
		return nil, fmt.Errorf("the log did not have %d events then", u.Events)
	}
	again := Undo{To: u.To, Events: u.Events, Reason: u.Reason}
	for n := u.Events + 1; n <= r.event; n++ {
		e := env.Past(n)
		if e == nil {
			return nil, fmt.Errorf("there is no event %d", n)
		}
		again.Since = append(again.Since, e)
	}
	then := table.FromState(proto.CloneOf(r.State()))
	for _, e := range events {
		for _, c := range e.Changes {
			then.Apply(c)
		}
		again.Undoes, again.Redoes = append(again.Undoes, e.Undoes...), append(again.Redoes, e.Redoes...)
	}
	again.Then = then.State()
	return r.Undo(env, again)
}

// rotateAgain takes the seeds and commitments that the events have: they are not the
// rules' to make.
func (r *Resolver) rotateAgain(env Env, cmd *tablev1.RotateDice, told []*tablev1.DiceEpoch) (*tablev1.Commit, error) {
	n := Rotation{LeftBehind: cmd.LeftBehind, SecretSeeds: make(map[int32][32]byte)}
	known := func(epoch int32) bool {
		return slices.ContainsFunc(r.dice.list, func(e *tablev1.DiceEpoch) bool { return e.Epoch == epoch })
	}
	for _, e := range told {
		if !known(e.Epoch) {
			e = proto.CloneOf(e)
			e.State, e.ClientMix = tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED, ""
			n.Commitments = append(n.Commitments, e)
			continue
		}
		if e.Epoch == r.DiceEpoch().GetEpoch() && !n.LeftBehind {
			seed, err := seedOf(e.OpenSeed)
			if err != nil {
				return nil, err
			}
			n.OpenSeed = seed
		}
		if e.SecretSeed != "" {
			seed, err := seedOf(e.SecretSeed)
			if err != nil {
				return nil, err
			}
			n.SecretSeeds[e.Epoch] = seed
		}
	}
	if len(n.Commitments) == 0 {
		return nil, errors.New("no epoch is committed")
	}
	return r.RotateDice(env, n)
}

// seedOf reads a seed in hex.
func seedOf(text string) (seed [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(seed) {
		return seed, fmt.Errorf("no seed: %s", rule.Quote(text))
	}
	return [32]byte(b), nil
}

// epochsIn are the epochs of dice that events write, in order.
func epochsIn(events []*tablev1.Event) []*tablev1.DiceEpoch {
	var out []*tablev1.DiceEpoch
	for _, e := range events {
		for _, c := range e.Changes {
			if after := c.GetDiceEpoch().GetAfter(); after != nil {
				out = append(out, after)
			}
		}
	}
	return out
}

// redone is a source that has the dice which were thrown, and no others.
type redone struct{ left []*typev1.Die }

// Place is where the next die stood.
func (s *redone) Place() dice.Place {
	if len(s.left) == 0 {
		return dice.Place{}
	}
	return PlaceOf(s.left[0])
}

// PlaceOf is where a die stands; the zero value for one without a place.
func PlaceOf(d *typev1.Die) dice.Place {
	at := dice.Place{Epoch: d.GetEpoch(), Number: d.GetNumber()}
	switch d.GetStream() {
	case typev1.DiceStream_DICE_STREAM_OPEN:
		at.Stream = dice.Open
	case typev1.DiceStream_DICE_STREAM_SECRET:
		at.Stream = dice.Secret
	default:
		return dice.Place{}
	}
	return at
}

// Throw gives the next die, if it is of these dice.
func (s *redone) Throw(label, of string, d dice.Dice) (dice.Throw, error) {
	if len(s.left) == 0 {
		return dice.Throw{}, errors.New(label + " asks for " + d.String() + ", which the log does not have")
	}
	next := s.left[0]
	if next.Sides != d.Sides || int32(len(next.Faces)) != d.Count || next.Of != of {
		return dice.Throw{}, errors.New(label + " asks for " + d.String() + ", the log has other dice")
	}
	s.left = s.left[1:]
	t := dice.Throw{Dice: d, Faces: next.Faces}
	for _, face := range t.Faces {
		t.Total += face
	}
	return t, nil
}

// sameRuns compares what was stored with what came out.
func sameRuns(stored, got *tablev1.Commit) error {
	next := stored.FirstEvent
	for i, run := range stored.Runs {
		if i >= len(got.GetRuns()) {
			return &DifferentError{Event: next, Detail: "the step does not run"}
		}
		again := got.Runs[i]
		if !proto.Equal(run.Step, again.Step) {
			return &DifferentError{Event: next, Detail: "another step runs"}
		}
		for j, b := range run.Events {
			if j >= len(again.Events) {
				return &DifferentError{Event: next, Detail: "the event is missing"}
			}
			if !bytes.Equal(b, again.Events[j]) {
				if path := pathOf(unmarshal(b).ProtoReflect(), unmarshal(again.Events[j]).ProtoReflect()); path != "" {
					return &DifferentError{Event: next, Path: path, Detail: unmarshal(again.Events[j]).Name}
				}
			}
			next++
		}
		if len(again.Events) > len(run.Events) {
			return &DifferentError{Event: next, Detail: "there are more events"}
		}
		if run.Suspended != again.Suspended {
			return &DifferentError{Event: next, Detail: "the step waits where it did not, or does not where it did"}
		}
	}
	if len(got.Runs) > len(stored.Runs) {
		return &DifferentError{Event: next, Detail: "more steps run"}
	}
	return nil
}

// pathOf is where two messages of a type differ first, in the order of the fields;
// empty if they are equal.
func pathOf(a, b protoreflect.Message) string {
	if proto.Equal(a.Interface(), b.Interface()) {
		return ""
	}
	fields := a.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		va, vb := a.Get(f), b.Get(f)
		switch {
		case a.Has(f) == b.Has(f) && va.Equal(vb):
			continue
		case a.Has(f) != b.Has(f) || f.Message() == nil && !f.IsList():
			return f.JSONName()
		case !f.IsList():
			return joined(f.JSONName(), pathOf(va.Message(), vb.Message()))
		}
		la, lb := va.List(), vb.List()
		for j := range min(la.Len(), lb.Len()) {
			if la.Get(j).Equal(lb.Get(j)) {
				continue
			}
			at := f.JSONName() + "[" + strconv.Itoa(j) + "]"
			if f.Message() == nil {
				return at
			}
			return joined(at, pathOf(la.Get(j).Message(), lb.Get(j).Message()))
		}
		return f.JSONName() + "[" + strconv.Itoa(min(la.Len(), lb.Len())) + "]"
	}
	return "?" // fields that this build does not know
}

func joined(path, rest string) string {
	if rest == "" {
		return path
	}
	return path + "." + rest
}
