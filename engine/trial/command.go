package trial

import (
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// command is something that a seat does to a table: to as many resolvers as there are
// of it. run is all that a new kind of command needs here; who has one adds it to the
// ways too, and to again, which reads it from a commit.
type command struct {
	seat  rule.Seat
	given []dice.Given
	// window that it answers; "" for none.
	window string
	run    func(*resolve.Resolver, resolve.Env) (*tablev1.Commit, error)

	number   int64             // of the command in the game: its dice are made from it
	policies []*tablev1.Policy // in force when it was given
}

func create(options []*tablev1.Option) *command {
	return &command{run: func(r *resolve.Resolver, _ resolve.Env) (*tablev1.Commit, error) { return r.Create(options) }}
}

func bring(s rule.Seat, sheet *tablev1.Character) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.AddCharacter(env, sheet)
	}}
}

func revise(s rule.Seat, u *tablev1.UpdateSheet) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.UpdateCharacter(env, u)
	}}
}

func remove(s rule.Seat, id string) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.RemoveCharacter(env, id)
	}}
}

func act(s rule.Seat, actor string, a *tablev1.Action, audience typev1.Audience) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.Act(env, actor, a, audience)
	}}
}

func answer(s rule.Seat, window string, answers ...resolve.SlotAnswer) *command {
	return &command{seat: s, window: window, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.Answer(env, &tablev1.Window{Id: window}, answers)
	}}
}

func throw(s rule.Seat, roll resolve.Roll) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.Roll(env, roll)
	}}
}

func setOptions(s rule.Seat, set []*tablev1.Option) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.SetOptions(env, set)
	}}
}

// fixture changes what it says and tells nobody.
func fixture(changes ...*tablev1.Change) *command {
	return &command{run: func(r *resolve.Resolver, _ resolve.Env) (*tablev1.Commit, error) { return r.Fixture(changes...) }}
}

func (c *command) by(given ...dice.Given) *command {
	c.given = given
	return c
}

// env surrounds a command on a resolver, with its dice and the events of its past.
func (c *command) env(r *resolve.Resolver, d dice.Source, past []*tablev1.Event) resolve.Env {
	return resolve.Env{
		Seat: c.seat, Dice: d, Given: c.given,
		Policy: func(character, name string) *tablev1.Policy {
			return prompt.PolicyFor(c.policies, r.State(), character, name)
		},
		Past: func(sequence int64) *tablev1.Event {
			if sequence < 1 || sequence > int64(len(past)) {
				return nil
			}
			return past[sequence-1]
		},
	}
}

// again is the command of a commit by one of the seats, and the dice that were thrown
// for it: those of the journal, but for what came with the command.
func again(c *tablev1.Commit, seats []rule.Seat) (*command, *dice.Scripted, error) {
	cmd := c.Command
	seat := rule.Seat{}
	for _, s := range seats {
		if s.ID == cmd.Seat {
			seat = s
		}
	}
	var out *command
	switch what := cmd.What.(type) {
	case *tablev1.Command_Create:
		out = create(what.Create.Options)
	case *tablev1.Command_Sheet:
		out = bring(seat, what.Sheet.Character)
	case *tablev1.Command_Update:
		out = revise(seat, what.Update)
	case *tablev1.Command_Remove:
		out = remove(seat, what.Remove.Character)
	case *tablev1.Command_Options:
		out = setOptions(seat, what.Options.Options)
	case *tablev1.Command_Roll:
		out = throw(seat, resolve.Roll{Actor: cmd.Actor, Formula: what.Roll.Formula, Text: what.Roll.Text, Audience: cmd.Audience})
	case *tablev1.Command_Action:
		out = act(seat, cmd.Actor, what.Action, cmd.Audience)
	case *tablev1.Command_Answer:
		var answers []resolve.SlotAnswer
		for _, a := range what.Answer.Answers {
			one := resolve.SlotAnswer{Character: a.Character, Answer: a.Answer, By: a.By}
			if a.Answer == nil { // of a prompt for dice
				one.Choice = a.Choice
			}
			answers = append(answers, one)
		}
		out = answer(seat, what.Answer.Window, answers...)
	case nil:
		return nil, nil, errFixture
	default:
		return nil, nil, fmt.Errorf("commit %d: no way to play %T again", c.Number, cmd.What)
	}
	for _, text := range cmd.GivenDice {
		g, err := dice.ParseGiven(text)
		if err != nil {
			return nil, nil, err
		}
		out.given = append(out.given, g)
	}
	thrown, err := thrown(c)
	return out, thrown, err
}

// errFixture says that no rule made a commit: it can only be folded.
var errFixture = errors.New("a fixture")

// thrown are the dice of a commit that the server threw.
func thrown(c *tablev1.Commit) (*dice.Scripted, error) {
	var all []*typev1.Die
	for _, run := range c.Runs {
		for _, e := range run.Journal {
			if e.GetDice() != nil {
				all = append(all, e.GetDice())
			}
		}
	}
	if c.Command.GetRoll() != nil { // no step, and so no journal
		events, err := resolve.Events(c)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			all = append(all, e.Dice...)
		}
	}
	var out []dice.Given
	for _, d := range all {
		if d.Given {
			continue
		}
		g := dice.Given{Dice: dice.Dice{Count: int32(len(d.Faces)), Sides: d.Sides}, Faces: d.Faces}
		for _, face := range d.Faces {
			g.Total += face
		}
		out = append(out, g)
	}
	return dice.NewScripted(out...), nil
}

// counted are dice that say how many were thrown.
type counted struct {
	dice.Source
	n int
}

// Throw counts and throws.
func (c *counted) Throw(label, of string, d dice.Dice) (dice.Throw, error) {
	c.n++
	return c.Source.Throw(label, of, d)
}

// refusal is the refusal that an error is, or nil.
func refusal(err error) *rule.Refusal {
	var why *rule.Refusal
	errors.As(err, &why)
	return why
}
