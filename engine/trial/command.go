package trial

import (
	"errors"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// command is something that a seat does to a table: to as many resolvers as there are
// of it. run is all that a new kind of command needs here; who has one adds it to the
// ways too, else the games miss it.
type command struct {
	seat  rule.Seat
	given []dice.Given
	// window that it answers; "" for none.
	window string
	// to is the number of the commit that an undo goes back to; 0 for another command.
	to  int64
	run func(*resolve.Resolver, resolve.Env) (*tablev1.Commit, error)

	number   int64             // of the command in the game: its dice are made from it
	policies []*tablev1.Policy // in force when it was given
}

func create(options []*tablev1.Option, epochs ...*tablev1.DiceEpoch) *command {
	return &command{run: func(r *resolve.Resolver, _ resolve.Env) (*tablev1.Commit, error) {
		return r.Create(options, epochs...)
	}}
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

// undo takes back what was done since a commit; u is for a table of the same log.
func undo(s rule.Seat, u resolve.Undo) *command {
	return &command{seat: s, to: u.To, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.Undo(env, u)
	}}
}

func share(s rule.Seat, text string) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.GiveDiceShare(env, text)
	}}
}

func rotate(s rule.Seat, n resolve.Rotation) *command {
	return &command{seat: s, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.RotateDice(env, n)
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
func (c *command) env(r *resolve.Resolver, d *counted, past []*tablev1.Event) resolve.Env {
	return resolve.Env{
		Seat: c.seat, Dice: d.open, SecretDice: d.secret, Given: c.given,
		Policy: func(character, name string) *tablev1.Policy {
			return prompt.PolicyFor(c.policies, r.State(), character, name)
		},
		Past: numbered(past),
	}
}

// numbered finds events by their sequence numbers, from 1; nil where there is none.
func numbered(events []*tablev1.Event) func(sequence int64) *tablev1.Event {
	return func(sequence int64) *tablev1.Event {
		if sequence < 1 || sequence > int64(len(events)) {
			return nil
		}
		return events[sequence-1]
	}
}

// counted are the dice of a command, which say how many were thrown.
type counted struct {
	open, secret *dice.Live
	before       int32
}

func (d *counted) thrown() int32 { return d.open.Number + d.secret.Number - d.before }

// refusal is the refusal that an error is, or nil.
func refusal(err error) *rule.Refusal {
	var why *rule.Refusal
	errors.As(err, &why)
	return why
}
