package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Undo is what is to be taken back. Which commits these are, and whether the seat may,
// is the caller's to say, who has the log.
type Undo struct {
	// To is the number of the commit whose state is the state again: no step waits
	// after it.
	To int64
	// Events is how many events the log had then.
	Events int64
	// Then is that state, as folding the log up to it gives it. It is not written to.
	Then *tablev1.State
	// Since are the events of all commits after it, in order. Who was told of a write
	// is told that it is written back.
	Since []*tablev1.Event
	// Undoes are the sequence numbers of the events that are no facts any more, Redoes
	// those of the events that are facts again; both in order.
	Undoes, Redoes []int64
	// Reason is why, in the words of whoever takes it back.
	Reason string
}

// Undo makes the state what it was after an earlier commit. The log goes on: the
// commit says what was taken back, and carries the changes. A step that waits is
// abandoned. The table's options come back too, but whether it is paused.
func (r *Resolver) Undo(env Env, u Undo) (*tablev1.Commit, error) {
	if r.paused() && !env.Seat.GM {
		return nil, pausedRefusal()
	}
	what := &tablev1.Command_Undo{Undo: &tablev1.Undo{To: u.To, Reason: u.Reason, Events: u.Events}}
	c := r.begin(&env, &tablev1.Command{Seat: env.Seat.ID, What: what})
	if r.running == nil {
		r.table.Forget()
	}
	run, err := r.inject(&env, 0, func(ctx *rule.Ctx) {
		rule.Withdraw(ctx)
		r.restore(ctx, u)
	})
	if err != nil {
		return nil, err
	}
	run.Suspended = false
	r.running, r.frozen = nil, false
	r.takeBack(u.Undoes, u.Redoes)
	c.Runs = append(c.Runs, run)
	return r.finish(c), nil
}

// Undone reports whether an event was taken back: it is no fact any more.
func (r *Resolver) Undone(sequence int64) bool { return r.undone.has(sequence) }

// Against compares what is a fact with what was at an earlier place in the same log,
// of the events that there were then: lost are those that are none any more, gained
// those that were none and are.
func (r *Resolver) Against(then *Resolver) (lost, gained []int64) {
	return r.undone.minus(then.undone, then.event), then.undone.minus(r.undone, then.event)
}

func (r *Resolver) takeBack(undoes, redoes []int64) {
	for _, n := range undoes {
		r.undone = r.undone.with(n)
	}
	for _, n := range redoes {
		r.undone = r.undone.without(n)
	}
}

// loadUndone takes in what an event of the log says of others, which come before it,
// each once and in order.
func (r *Resolver) loadUndone(e *tablev1.Event, sequence int64) error {
	for _, all := range [][]int64{e.Undoes, e.Redoes} {
		last := int64(0)
		for _, n := range all {
			if n <= last || n >= sequence {
				return fmt.Errorf("event %d speaks of event %d", sequence, n)
			}
			last = n
		}
	}
	r.takeBack(e.Undoes, e.Redoes)
	return nil
}

// restore tells what is taken back, and writes the state then. Each write is told to
// those who were told of a write of the same thing since, by an event of the same
// audience and actor: who was not told of anything is not told of this.
func (r *Resolver) restore(ctx *rule.Ctx, u Undo) {
	by := "player"
	if ctx.Seat.GM {
		by = "gm"
	}
	e := ctx.Event(nameUndone, "", "").Words(factBy, "", rule.Public, by)
	if u.Reason != "" {
		e.Text(factText, "", rule.Public, u.Reason)
	}
	e.Message().Undoes, e.Message().Redoes = u.Undoes, u.Redoes
	told := whoWasTold(u.Since, ctx.State, u.Then)
	var order []teller
	changes := make(map[teller][]*tablev1.Change)
	all := r.restoring(ctx.State, u.Then)
	// Where somebody saw the dungeon written it is written back, though it may be the same
	// again, and always at last: that it is another would tell of what is hidden in it.
	if slices.ContainsFunc(all, isDungeon) || told.ofDungeon() {
		all = append(slices.DeleteFunc(all, isDungeon), table.SetDungeon(u.Then.Dungeon))
	}
	for _, c := range all {
		if !shows(c) {
			e.Change(c) // which nobody is sent
			continue
		}
		for _, to := range told.of(toldAs(c)) {
			if changes[to] == nil {
				order = append(order, to)
			}
			changes[to] = append(changes[to], c)
		}
	}
	ctx.Emit(e)
	// The order of the changes tells of those that are hidden: it is another one by them.
	slices.SortFunc(order, func(a, b teller) int {
		return cmp.Or(cmp.Compare(a.audience, b.audience), cmp.Compare(a.actor, b.actor))
	})
	for _, to := range order {
		ctx.Emit(ctx.Event(nameRestored, "", to.actor).For(to.audience).Change(changes[to]...))
	}
}

// restoring are the writes that make of the state now the state then. With the
// options that decide on who sees what the sheets are written whole: who sees more
// of them again has not got it.
func (r *Resolver) restoring(now, then *tablev1.State) []*tablev1.Change {
	var out []*tablev1.Change
	sight := false
	for _, o := range r.rules.Options.All() {
		was := r.rules.Options.Value(then.Options, o.Key)
		if o.Key == rule.Paused || was == r.rules.Options.Value(now.Options, o.Key) {
			continue
		}
		sight = sight || rule.DecidesOnSight(o.Key)
		after := &tablev1.Option{Key: o.Key, Value: was}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: after}}})
	}
	for _, c := range table.Restore(now, then) {
		if sheet := table.CellOf(c).Character; !sight || sheet == "" || table.Character(then, sheet) == nil {
			out = append(out, c)
		}
	}
	if sight {
		for _, c := range then.Characters {
			out = append(out, rule.AddCharacter(c))
		}
	}
	return out
}

// teller is by whom and to whom something was told.
type teller struct {
	audience typev1.Audience
	actor    string
}

// tellers are by whom each thing was told.
type tellers struct {
	cells  map[table.Cell][]teller
	sheets map[string][]teller // of anything of a sheet
	sight  []teller            // that options changed which decide on who sees what
}

// whoWasTold goes through the events between two states.
func whoWasTold(since []*tablev1.Event, states ...*tablev1.State) tellers {
	hidden := make(map[string]bool)
	for _, s := range states {
		for _, c := range s.Characters {
			hidden[c.Id] = hidden[c.Id] || c.Audience != rule.Public
		}
	}
	for _, e := range since {
		for _, c := range e.Changes {
			if k := c.GetCharacter(); k.GetAfter() != nil {
				hidden[k.Character] = hidden[k.Character] || k.After.Audience != rule.Public
			}
		}
	}
	out := tellers{cells: make(map[table.Cell][]teller), sheets: make(map[string][]teller)}
	add := func(to []teller, t teller) []teller {
		if slices.Contains(to, t) {
			return to
		}
		return append(to, t)
	}
	for _, e := range since {
		t := teller{e.Audience, e.Actor}
		if t.audience == rule.Public && !hidden[t.actor] {
			t.actor = "" // as everybody may know
		}
		for _, c := range e.Changes {
			cell, t := toldAs(c), t.dungeon(c)
			out.cells[cell] = add(out.cells[cell], t)
			if cell.Character != "" {
				out.sheets[cell.Character] = add(out.sheets[cell.Character], t)
			}
			if rule.DecidesOnSight(c.GetOption().GetAfter().GetKey()) {
				out.sight = add(out.sight, t)
			}
		}
	}
	return out
}

// dungeon is by whom a change is told that an event of a teller carries: of what lies in
// a dungeon the GM alone is, and of what somebody knows of it nobody else, whoever is told
// of the event.
func (t teller) dungeon(c *tablev1.Change) teller {
	of, audience := c.GetDungeonMark().GetAfter().GetOf(), c.GetDungeonMark().GetAfter().GetAudience()
	if s := c.GetDungeonSquare().GetAfter(); s != nil {
		of, audience = s.Of, s.Audience
	}
	switch {
	case c.GetDungeonFeature() != nil:
		return teller{audience: rule.GM}
	case audience == rule.Owner && t.audience == rule.Public:
		return teller{audience, of}
	}
	return t
}

// toldAs is the cell of a change as it is told: of a dungeon everybody sees a part of
// his own, so that its writes count as one.
func toldAs(c *tablev1.Change) table.Cell {
	cell := table.CellOf(c)
	if strings.HasPrefix(cell.What, table.Explored+".") {
		cell.What = table.Explored
	}
	return cell
}

// ofDungeon reports whether anybody but the GM was told of a write of the dungeon.
func (t tellers) ofDungeon() bool {
	return slices.ContainsFunc(t.cells[table.Cell{What: table.Explored}], func(to teller) bool {
		return to.audience != rule.GM && to.audience != typev1.Audience_AUDIENCE_NEVER
	})
}

func isDungeon(c *tablev1.Change) bool { return c.GetDungeon() != nil }

// of are by whom the writes of a thing were told: all that wrote it, alone or with
// the sheet around it. What everybody was told is told once.
func (t tellers) of(cell table.Cell) []teller {
	var out []teller
	if cell.What == table.Sheet {
		out = slices.Concat(t.sheets[cell.Character], t.sight)
	} else {
		out = slices.Concat(t.cells[cell], t.cells[table.Cell{Character: cell.Character, What: table.Sheet}])
	}
	everybody := teller{audience: rule.Public}
	switch {
	case slices.Contains(out, everybody):
		return []teller{everybody}
	case len(out) == 0:
		return []teller{{audience: rule.GM}} // no event says that it was written
	}
	var once []teller
	for _, to := range out {
		if !slices.Contains(once, to) {
			once = append(once, to)
		}
	}
	return once
}
