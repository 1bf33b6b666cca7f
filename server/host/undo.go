package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Undo is what a seat wants to take back.
type Undo struct {
	// Request identifies the request.
	Request Request
	// Event is the id of an event of it; empty for what was done last.
	Event string
	// Reason is why.
	Reason string
}

// Undo takes back what was done from a chain on. The GM may take back any; a player
// the own last action, as long as nobody can have learnt anything by it.
func (h *Host) Undo(ctx context.Context, by Caller, u Undo) (*Outcome, error) {
	return h.playWith(ctx, by, u.Request, func(t *table, s *sitting, with *conclusion) (*tablev1.Commit, error) {
		return t.undo(context.WithoutCancel(ctx), s, u, with)
	})
}

const undoField = "event_id"

// takenBack is what an undo takes back.
type takenBack struct {
	// to is the number of the commit whose state is the state again.
	to int64
	// commits are those that are taken back, in order.
	commits []*tablev1.Commit
}

func (t *table) undo(ctx context.Context, s *sitting, u Undo, with *conclusion) (*tablev1.Commit, error) {
	named, err := t.namedCommit(ctx, s, u.Event)
	if err != nil {
		return nil, err
	}
	y := t.history(ctx)
	find := y.fromCommit
	if !s.gm() {
		find = func(named int64) (*takenBack, error) { return y.ownLast(s, named) }
	}
	b, err := find(named)
	if err != nil {
		return nil, err
	}
	then, _, err := t.host.resolver(ctx, t.game, nil, t.id, b.to, nil) // nothing is resolved, so nothing needs an id
	if err != nil {
		return nil, err
	}
	if !s.gm() && t.discloses(then.State()) {
		return nil, fenced(rule.Say("undo_revealed"))
	}
	all, err := y.since(b.to + 1)
	if err != nil {
		return nil, err
	}
	what := resolve.Undo{To: b.to, Events: then.Events(), Then: then.State(), Reason: u.Reason}
	if what.Since, err = eventsOf(all); err != nil {
		return nil, err
	}
	what.Undoes, what.Redoes = eventsIn(b.commits), nil
	if s.gm() {
		// An undo since then, which is passed over, had taken back or brought back events
		// of the time before.
		lost, gained := t.res.Against(then)
		what.Undoes, what.Redoes = append(gained, what.Undoes...), lost
	}
	if len(what.Undoes) == 0 && len(what.Redoes) == 0 {
		return nil, undone(undoField) // an undo that was taken back already
	}
	before := t.res.State().Characters
	c, err := t.res.Undo(t.env(ctx, s, nil), what)
	if err != nil {
		return nil, err
	}
	t.ahead = true
	var gone []string
	for _, ch := range before {
		if t.character(ch.Id) == nil {
			gone = append(gone, ch.Id)
		}
	}
	with.seats, with.changed = t.release(gone...)
	return c, t.keepOptions(ctx, with)
}

// namedCommit is the commit of an event that the seat was told of; 0 if none is named.
func (t *table) namedCommit(ctx context.Context, s *sitting, id string) (int64, error) {
	if id == "" {
		return 0, nil
	}
	n, ok := plain(t.host.keys.events, t.tag, id)
	if !ok {
		return 0, notFound(undoField)
	}
	seen, err := t.seesEvent(s, n)
	switch {
	case err != nil:
		return 0, err
	case !seen:
		return 0, notFound(undoField)
	case t.res.Undone(n):
		return 0, undone(undoField)
	}
	return t.host.store.CommitOfEvent(ctx, t.id, n)
}

// fromCommit finds what the GM takes back: from the chain of a commit on, or the last
// chain that stands; or an undo and all since.
func (y *history) fromCommit(named int64) (*takenBack, error) {
	if named > 0 {
		if c, err := y.at(named); err != nil || c.Command.GetUndo() != nil {
			return y.fromUndo(c, err)
		}
	}
	for cur := y.t.res.Number(); cur > 1; {
		c, err := y.at(cur)
		if err != nil {
			return nil, err
		}
		if u := c.Command.GetUndo(); u != nil {
			// What a player's undo has left standing changed nothing.
			for n := cur - 1; n > u.To; n-- {
				left, err := y.at(n)
				if err != nil {
					return nil, err
				}
				if (named == 0 || named == n) && y.stands(left) {
					return y.from(n, u.To)
				}
			}
			cur = u.To
			continue
		}
		begin, err := y.begin(cur)
		if err != nil {
			return nil, err
		}
		if begin > 1 && (named == 0 && y.anyStands(begin, cur) || begin <= named && named <= cur) {
			return y.from(begin, begin-1)
		}
		cur = begin - 1
	}
	return nil, rule.Core(tablev1.Reason_REASON_NOTHING_TO_UNDO, "")
}

func (y *history) anyStands(first, last int64) bool {
	for n := first; n <= last; n++ {
		if c := y.read[n]; c != nil && y.stands(c) {
			return true
		}
	}
	return false
}

// from takes back all that stands from a commit on.
func (y *history) from(first, to int64) (*takenBack, error) {
	all, err := y.since(first)
	if err != nil {
		return nil, err
	}
	b := &takenBack{to: to}
	for _, c := range all {
		if y.stands(c) {
			b.commits = append(b.commits, c)
		}
	}
	return b, nil
}

// fromUndo takes an undo back, and what came after it.
func (y *history) fromUndo(c *tablev1.Commit, err error) (*takenBack, error) {
	if err != nil {
		return nil, err
	}
	before, err := y.at(c.Number - 1)
	if err != nil {
		return nil, err
	}
	if waits(before) {
		return nil, invalid(undoField).Say("undo_of_waiting")
	}
	return y.from(c.Number, c.Number-1)
}

// eventsIn are the sequence numbers of the events of commits.
func eventsIn(commits []*tablev1.Commit) []int64 {
	var out []int64
	for _, c := range commits {
		for n := c.FirstEvent; n < c.FirstEvent+eventCount(c); n++ {
			out = append(out, n)
		}
	}
	return out
}

// keepOptions writes down the options beside the log, if they have changed.
func (t *table) keepOptions(ctx context.Context, with *conclusion) error {
	if !slices.ContainsFunc(t.res.Made(), func(e *tablev1.Event) bool {
		return slices.ContainsFunc(e.Changes, func(c *tablev1.Change) bool { return c.GetOption() != nil })
	}) {
		return nil
	}
	_, m, err := t.kept(ctx)
	if err != nil {
		return err
	}
	m.setOptions(t.res.State().Options)
	with.table.Options, err = m.bytes()
	return err
}

// ownLast finds what a player takes back: the own last action, if it is the last thing
// that changed anything, and the fence does not stand around it. What changed nothing
// stays as it is, so that it does not matter whether the player knows of it.
func (y *history) ownLast(s *sitting, named int64) (*takenBack, error) {
	if named > 0 {
		begin, err := y.begin(named)
		if err != nil {
			return nil, err
		}
		if c, err := y.at(begin); err != nil || !own(s, c) {
			return nil, orFenced(err, rule.Say("undo_not_yours"))
		}
	}
	for cur := y.t.res.Number(); cur > 1; {
		c, err := y.at(cur)
		if err != nil {
			return nil, err
		}
		if u := c.Command.GetUndo(); u != nil {
			cur = u.To
			continue
		}
		begin, err := y.begin(cur)
		if err != nil {
			return nil, err
		}
		b := &takenBack{to: begin - 1}
		for n := begin; n <= cur; n++ {
			if c, err = y.at(n); err != nil {
				return nil, err
			}
			b.commits = append(b.commits, c)
		}
		if pauses(b.commits[0]) {
			cur = begin - 1
			continue
		}
		if own(s, b.commits[0]) && (named == 0 || begin <= named && named <= cur) {
			return b, y.fence(s, b.commits)
		}
		events, err := eventsOf(b.commits)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(events, moves) || waits(b.commits[len(b.commits)-1]) {
			break
		}
		cur = begin - 1
	}
	return nil, fenced(rule.Say("undo_not_last"))
}

// own reports whether a commit is an action of the seat, or its change of a sheet.
func own(s *sitting, c *tablev1.Commit) bool {
	switch c.Command.GetWhat().(type) {
	case *tablev1.Command_Action, *tablev1.Command_Update:
		return c.Command.Seat == s.seat.Id
	}
	return false
}

// moves reports whether an event changes anything that counts: that a question of the
// last action cannot be addressed any more does not, nor the coming and going of steps
// within the chain.
func moves(e *tablev1.Event) bool {
	return slices.ContainsFunc(e.Changes, func(c *tablev1.Change) bool {
		return c.GetAgenda() == nil && !c.GetWindow().GetRemoved()
	})
}

// fence refuses a player's undo of a chain by which somebody may have learnt something:
// dice, a question, a disclosure. Of what the player was not told the refusal says
// nothing: it might as well be that something happened since.
func (y *history) fence(s *sitting, chain []*tablev1.Commit) error {
	var why rule.Detail
	told := false
	stop := func(what rule.Detail, seen bool) {
		if why.Key() == "" || seen && !told {
			why, told = what, seen
		}
	}
	for _, c := range chain {
		events, err := resolve.Events(c)
		if err != nil {
			return err
		}
		if c.Command.GetAction().GetCore().GetReveal() != nil {
			stop(rule.Say("undo_revealed"), true)
		}
		for _, run := range c.Runs {
			if slices.ContainsFunc(run.Journal, func(j *tablev1.JournalEntry) bool { return j.GetDice() != nil }) {
				stop(rule.Say("undo_dice"), false)
			}
		}
		for _, e := range events {
			seen := view.Event(e, s.viewer, c.Visibility, view.Handles{}, y.t.game.Rules.PublicName)
			if len(e.Dice) > 0 {
				stop(rule.Say("undo_dice"), len(seen.GetDice()) > 0)
			}
			if slices.ContainsFunc(e.Changes, func(c *tablev1.Change) bool { return c.GetWindow().GetAfter().GetOpen() }) {
				stop(rule.Say("undo_asked"), seen != nil)
			}
		}
	}
	switch {
	case why.Key() == "":
		return nil
	case !told:
		return fenced(rule.Say("undo_not_last"))
	}
	return fenced(why)
}

// discloses reports whether more is known of a character now than then: that it is
// there at all, or whose it is.
func (t *table) discloses(then *tablev1.State) bool {
	return slices.ContainsFunc(t.res.State().Characters, func(now *tablev1.Character) bool {
		v := rule.View{State: then}
		was := v.Character(now.Id)
		return was.GetAudience() != now.Audience || was.GetKind() != now.Kind
	})
}

func fenced(why rule.Detail) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_UNDO_FENCED, "").Tell(why)
}

// orFenced is an error, or the refusal if there is none.
func orFenced(err error, why rule.Detail) error {
	if err != nil {
		return err
	}
	return fenced(why)
}
