package audit

import (
	"errors"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Source is where a log comes from, and what is known beside it.
type Source struct {
	// Rules are those of this build.
	Rules *rule.Ruleset
	// IDs makes the ids of the table's windows.
	IDs resolve.IDs
	// Past returns a stored event by its number.
	Past func(sequence int64) *tablev1.Event
	// GM reports whether a seat leads the game now: older builds did not store who did.
	GM func(seat string) bool
	// Seed is a seed that is not revealed; nil if none is known. It is held against
	// what the epoch was committed to.
	Seed func(e *tablev1.DiceEpoch, stream dice.Stream) ([32]byte, bool)
	// Former makes the dice of a command of a table that had no epochs yet; nil if
	// its secret is not known.
	Former func(command int64) *dice.Former
}

// Log checks a log commit by commit. One goroutine uses it at a time.
type Log struct {
	source  Source
	commits int64
	events  int64
	chain   []byte
	folded  *resolve.Resolver
	redone  *resolve.Resolver
	dice    ledger
	hashes  []string // of the state after each commit that was folded
	report  Report
}

// Report is what was found in a log.
type Report struct {
	// Commits and Events are how many there were.
	Commits, Events int64
	// Chain is whether the stored bytes are those that were stored, Fold whether the
	// events lead to the table's state, Rules whether the rules make the same events
	// again, and Dice whether the dice follow from their seeds.
	Chain, Fold, Rules, Dice Check
	// TablePack and ServerPack are the packs of the log and of the rules.
	TablePack, ServerPack string
}

// Sound reports whether no check found a fault.
func (r *Report) Sound() bool {
	return r.Chain.Fault == nil && r.Fold.Fault == nil && r.Rules.Fault == nil && r.Dice.Fault == nil
}

// NewLog begins to check a log.
func NewLog(s Source) *Log {
	return &Log{
		source: s, folded: resolve.New(s.Rules, s.IDs), redone: resolve.New(s.Rules, s.IDs),
		dice: ledger{whole: true, known: s.Seed}, report: Report{ServerPack: s.Rules.Pack.Hash},
	}
}

// Commit checks the next commit. Each check goes on until its own first fault.
func (l *Log) Commit(c *tablev1.Commit) {
	l.report.Commits++
	if create := c.Command.GetCreate(); create != nil {
		l.report.TablePack = create.Pack
	}
	events, err := resolve.Events(c)
	l.report.Events += int64(len(events))
	l.one(&l.report.Chain, c, func() *Fault {
		switch {
		case c.Number != l.report.Commits || c.FirstEvent != l.events+1:
			return fault("commit_missing")
		case err != nil || !resolve.Continues(l.chain, c):
			return fault("altered")
		}
		return nil
	})
	l.events += int64(len(events))
	l.chain = c.Chain
	l.one(&l.report.Fold, c, func() *Fault {
		if err := l.folded.Load(c); err != nil {
			return fault("not_folded", "detail", err.Error())
		}
		l.hashes = append(l.hashes, l.folded.Hash())
		if u := c.Command.GetUndo(); u != nil && !l.tookBack(u) {
			return fault("not_taken_back", "to", strconv.FormatInt(u.To, 10))
		}
		return nil
	})
	l.one(&l.report.Rules, c, func() *Fault { return l.again(c) })
	l.throws(c, events)
}

// Damaged says that the next commit is not as it was stored, and cannot be read. The
// log ends there.
func (l *Log) Damaged() {
	f := fault("altered").at(l.report.Commits+1, 0)
	for _, c := range []*Check{&l.report.Chain, &l.report.Fold} {
		if c.Fault == nil {
			c.Fault = f
		}
	}
}

// one runs a check unless it has found its first fault already. A panic is one: what
// somebody has altered may be what no rule and no fold expects.
func (l *Log) one(check *Check, c *tablev1.Commit, f func() *Fault) {
	if check.Fault != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			check.Fault = fault("impossible").at(c.Number, 0)
		}
	}()
	if check.Fault = f().at(c.Number, 0); check.Fault == nil {
		check.Checked++
	}
}

// tookBack reports whether an undo led to the state of the commit that it names.
func (l *Log) tookBack(u *tablev1.Undo) bool {
	return u.To >= 1 && u.To <= int64(len(l.hashes)) && l.hashes[u.To-1] == l.hashes[len(l.hashes)-1]
}

// again carries the command out again.
func (l *Log) again(c *tablev1.Commit) *Fault {
	gm := l.source.GM != nil && l.source.GM(c.Command.GetSeat())
	err := l.redone.Redo(c, gm, l.source.Past)
	different := (*resolve.DifferentError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &different):
		f := fault("different", "detail", different.Detail)
		f.Commit, f.Event, f.Path = c.Number, different.Event, different.Path
		return f
	}
	return fault("different", "detail", err.Error())
}

// throws checks the dice of a commit.
func (l *Log) throws(c *tablev1.Commit, events []*tablev1.Event) {
	check := &l.dice.check
	if check.Fault != nil {
		return
	}
	if len(l.dice.epochs) == 0 && c.Command.GetCreate() == nil && c.Command.GetRotateDice() == nil {
		check.Fault = l.former(c, events).at(c.Number, 0)
		return
	}
	for i, e := range events {
		at := c.FirstEvent + int64(i)
		for _, d := range e.Dice {
			open := resolve.PlaceOf(d).Stream == dice.Open
			if open && !view.Sees(&tablev1.Event{Actor: e.Actor, Audience: e.Audience, Dice: []*typev1.Die{d}}, view.Viewer{}, c.Visibility, view.Handles{}, nil) {
				check.Fault = fault("open_hidden").at(c.Number, at)
				return
			}
		}
		if check.Fault = l.dice.event(e.Dice, e.Changes, c.Number, at); check.Fault != nil {
			return
		}
	}
}

// former checks the dice of a command as they were made before there were epochs.
func (l *Log) former(c *tablev1.Commit, events []*tablev1.Event) *Fault {
	all := journaled(c)
	if c.Command.GetRoll() != nil {
		for _, e := range events {
			all = append(all, e.Dice...)
		}
	}
	var source *dice.Former
	if l.source.Former != nil {
		source = l.source.Former(c.Number)
	}
	for _, d := range all {
		switch {
		case d.Given:
			l.dice.check.Given += int64(len(d.Faces))
			continue
		case source == nil:
			l.dice.check.Unchecked += int64(len(d.Faces))
			continue
		}
		got, err := source.Throw("", "", dice.Dice{Count: int32(len(d.Faces)), Sides: d.Sides})
		if err != nil || !slices.Equal(got.Faces, d.Faces) {
			return fault("face_wrong")
		}
		l.dice.check.Checked += int64(len(d.Faces))
	}
	return nil
}

// Snapshot checks a snapshot of the table after the commit that was checked last.
func (l *Log) Snapshot(b []byte, last *tablev1.Commit) {
	l.one(&l.report.Fold, last, func() *Fault {
		saved := resolve.New(l.source.Rules, l.source.IDs)
		if err := saved.Restore(b, last); err != nil {
			if errors.Is(err, resolve.ErrSnapshot) {
				return nil // of another build: it is not used
			}
			return fault("not_folded", "detail", err.Error())
		}
		if saved.Hash() != l.folded.Hash() {
			return fault("snapshot_differs")
		}
		return nil
	})
	l.report.Fold.Checked-- // it is no commit
}

// End is what was found. hash is the state_hash that the table has.
func (l *Log) End(hash string) Report {
	if l.report.Fold.Fault == nil && l.folded.Hash() != hash {
		l.report.Fold.Fault = fault("state_differs")
	}
	l.report.Dice = l.dice.end()
	return l.report
}

// journaled are the dice that the steps of a commit consumed, in the order thrown.
func journaled(c *tablev1.Commit) []*typev1.Die {
	var out []*typev1.Die
	for _, run := range c.Runs {
		for _, e := range run.Journal {
			if d := e.GetDice(); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}
