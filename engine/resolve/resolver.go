// Package resolve runs commands: it journals dice and answers, suspends a step
// where somebody must decide, runs it again when the answer is there, and works
// the agenda off. What it returns is a commit to append; it does no I/O itself.
package resolve

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Resolver is the engine of one table. One goroutine uses it at a time.
//
// A command advances the resolver and returns the commit. If the commit cannot
// be stored the resolver is ahead of the log and must be dropped and loaded anew.
type Resolver struct {
	rules *rule.Ruleset
	ids   IDs
	table *table.Table

	number  int64            // of the last commit
	event   int64            // sequence number of the last event
	chain   [32]byte         // over all event bytes so far
	dice    epochs           // of the dice that this server makes
	running *running         // the step that waits, or nil
	frozen  bool             // its replay came out otherwise
	undone  spans            // sequence numbers of the events that were taken back
	redo    *tablev1.Commit  // that is carried out again, or nil
	made    []*tablev1.Event // by the last command; what was replayed is not among them
}

// IDs makes the opaque id of the n-th window or slot that is opened by a run:
// unique at the table, at most 24 characters, the same whenever it is asked.
type IDs func(commit int64, run, n int32) string

// Env is what surrounds a command.
type Env struct {
	// Seat that commands.
	Seat rule.Seat
	// Dice is where dice come from that nobody gives.
	Dice dice.Source
	// SecretDice is where those come from that not everybody sees; nil for the same.
	SecretDice dice.Source
	// Given are dice thrown by hand.
	Given []dice.Given
	// Policy is how a character's prompt of a name is answered without asking; nil
	// to ask. Env without it asks always.
	Policy func(character, prompt string) *tablev1.Policy
	// Past returns a stored event of an earlier step; nil where nobody refers to one.
	Past func(sequence int64) *tablev1.Event
}

// running is a step from its begin until its end.
type running struct {
	step    *tablev1.Step
	base    int   // mark of the state before it
	commit  int64 // that began it
	run     int32 // its index there
	first   int64 // sequence number of its first event
	journal []*tablev1.JournalEntry
	since   int      // where in the journal the entries of the running command begin
	late    int      // how many of them came after a window had ended, and were dropped
	events  [][]byte // committed so far
}

// New returns the resolver of a table without commits.
func New(r *rule.Ruleset, ids IDs) *Resolver {
	return &Resolver{rules: r, ids: ids, table: table.New()}
}

// FromState returns a resolver that owns a state between steps: for previews and
// benchmarks, which store nothing.
func FromState(r *rule.Ruleset, s *tablev1.State, ids IDs) *Resolver {
	return &Resolver{rules: r, ids: ids, table: table.FromState(s)}
}

// Rules returns the ruleset.
func (r *Resolver) Rules() *rule.Ruleset { return r.rules }

// State returns the state. Callers only read it, and not while a command runs.
func (r *Resolver) State() *tablev1.State { return r.table.State() }

// Hash returns the state_hash.
func (r *Resolver) Hash() string { return r.table.Hash() }

// Number returns the number of the last commit; 0 before the first.
func (r *Resolver) Number() int64 { return r.number }

// Events returns how many events there have been.
func (r *Resolver) Events() int64 { return r.event }

// Waiting reports whether a step waits for an answer.
func (r *Resolver) Waiting() bool { return r.running != nil }

// View returns the state as the rules read it, for a seat.
func (r *Resolver) View(seat rule.Seat) *rule.View {
	return &rule.View{State: r.table.State(), Seat: seat, Options: r.rules.Options}
}

// Made returns the events of the commit that the last command returned: what
// Events would decode from it. They share rows with the state and dice with the
// journal, so nobody may write to them; rows and dice are never written again, so
// they may be kept.
func (r *Resolver) Made() []*tablev1.Event { return r.made }

// hand adds to what the command has made. Most commands have one run, whose list
// is taken as it is.
func (r *Resolver) hand(events []*tablev1.Event) {
	if len(r.made) == 0 {
		r.made = slices.Clip(events)
		return
	}
	r.made = append(r.made, events...)
}

// begin makes the commit that a command will fill.
func (r *Resolver) begin(env *Env, cmd *tablev1.Command) *tablev1.Commit {
	r.made = nil
	cmd.Seat, cmd.Gm = env.Seat.ID, env.Seat.GM
	return &tablev1.Commit{Number: r.number + 1, FirstEvent: r.event + 1, Command: cmd}
}

// finish closes a commit over its event bytes and moves on to it.
func (r *Resolver) finish(c *tablev1.Commit) *tablev1.Commit {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	r.number, r.event, r.chain = c.Number, r.event+int64(n), chainOver(r.chain, c)
	c.Chain = r.chain[:]
	r.dice.follow(r.made)
	return c
}

// Continues reports whether a commit's chain is that over the chain before it and
// its own event bytes: false for a commit whose events were altered. before is
// nil for the first.
func Continues(before []byte, c *tablev1.Commit) bool {
	var from [32]byte
	copy(from[:], before)
	chain := chainOver(from, c)
	return bytes.Equal(chain[:], c.Chain)
}

// chainOver goes over the stored bytes, which are never marshalled again.
func chainOver(before [32]byte, c *tablev1.Commit) [32]byte {
	h := sha256.New()
	h.Write(before[:])
	for _, run := range c.Runs {
		for _, b := range run.Events {
			sum := sha256.Sum256(b)
			h.Write(sum[:])
		}
	}
	var out [32]byte
	h.Sum(out[:0])
	return out
}

// Events decodes the events of a commit, in order.
func Events(c *tablev1.Commit) ([]*tablev1.Event, error) {
	var out []*tablev1.Event
	for _, run := range c.Runs {
		for _, b := range run.Events {
			e := &tablev1.Event{}
			if err := proto.Unmarshal(b, e); err != nil {
				return nil, err
			}
			out = append(out, e)
		}
	}
	return out, nil
}
