package trial

import (
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// history is the log of a table as an undo reads it: the commits since a snapshot, or
// since the beginning.
type history struct {
	saved   []byte
	last    *tablev1.Commit // that the snapshot is of
	commits []*tablev1.Commit
}

// then is the table as it was after a commit; nil if the history does not reach so far,
// or a step waited then.
func (h *history) then(g *Game, to int64) *resolve.Resolver {
	r := resolve.New(g.Rules, ids)
	if h.saved != nil {
		g.check(r.Restore(h.saved, h.last))
	}
	for _, c := range h.commits {
		if c.Number <= to {
			g.check(r.Load(c))
		}
	}
	if r.Number() != to || r.Waiting() {
		return nil
	}
	return r
}

// undo is what is taken back of a table to go back to a commit, all that stands since;
// false if it cannot be gone back to, or nothing stands.
func (h *history) undo(g *Game, now *resolve.Resolver, to int64, past []*tablev1.Event) (resolve.Undo, bool) {
	then := h.then(g, to)
	if then == nil {
		return resolve.Undo{}, false
	}
	u := resolve.Undo{To: to, Events: then.Events(), Then: then.State(), Since: past[then.Events():], Reason: "a slip"}
	// An undo that is passed over had taken back or brought back events of before.
	u.Redoes, u.Undoes = now.Against(then)
	for _, c := range h.commits {
		if c.Number <= to || c.Command.GetUndo() != nil || pauses(c) {
			continue
		}
		for n := c.FirstEvent; n < c.FirstEvent+eventCount(c); n++ {
			if !now.Undone(n) {
				u.Undoes = append(u.Undoes, n)
			}
		}
	}
	return u, len(u.Undoes)+len(u.Redoes) > 0
}

// pauses reports whether a commit stopped play, or let it go on, which no undo does.
func pauses(c *tablev1.Commit) bool {
	set := c.Command.GetOptions().GetOptions()
	return len(set) > 0 && !slices.ContainsFunc(set, func(o *tablev1.Option) bool { return o.Key != rule.Paused })
}

func eventCount(c *tablev1.Commit) int64 {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	return int64(n)
}

// takeBack has the GM take something back, mostly what was done last, or a player the
// own last action by which nobody has learnt anything.
func (g *Game) takeBack() bool {
	back := g.Rand.Int64N(4)
	if g.Chance(4) {
		back = g.Rand.Int64N(20)
	}
	h := g.history()
	for to := g.r.Number() - 1 - back; to >= g.ready; to-- {
		if u, ok := h.undo(g, g.r, to, g.events); ok {
			if err := g.going(undo(g.undoer(h.commits[to:]), u)); err != nil {
				g.fail("undo of what came after commit %d: %v", to, err)
			}
			g.late = nil // what it answers may be asked again
			for _, seat := range g.seats {
				g.offers(seat, false)
			}
			return true
		}
	}
	return false
}

// history is that of the game from its beginning.
func (g *Game) history() *history { return &history{commits: g.log} }

// undoer is the seat that takes commits back: who did the only one of them, if dice and
// questions told nobody anything.
func (g *Game) undoer(back []*tablev1.Commit) rule.Seat {
	cmd := back[0].Command
	if len(back) > 1 || cmd.GetAction() == nil && cmd.GetUpdate() == nil {
		return g.gm()
	}
	told := func(e *tablev1.Event) bool {
		asked := func(c *tablev1.Change) bool { return c.GetWindow().GetAfter() != nil }
		return len(e.Dice) > 0 || slices.ContainsFunc(e.Changes, asked)
	}
	if slices.ContainsFunc(g.events[back[0].FirstEvent-1:], told) {
		return g.gm()
	}
	return g.seats[slices.IndexFunc(g.seats, func(s rule.Seat) bool { return s.ID == cmd.Seat })]
}

// giveShare has a seat give its share in the dice of the next epoch.
func (g *Game) giveShare() bool {
	g.must(share(Pick(g, g.seats), fmt.Sprint(g.Rand.Int32())))
	return true
}

// rotateDice has the GM end an epoch of dice.
func (g *Game) rotateDice() bool {
	all := g.r.DiceEpochs()
	g.must(rotate(g.gm(), resolve.Rotation{
		OpenSeed:    g.seeds(g.r.DiceEpoch().Epoch).Open,
		Commitments: []*tablev1.DiceEpoch{g.epoch(all[len(all)-1].Epoch + 1)},
	}))
	return true
}

// override is what the GM may write on a sheet, whatever the rules say; nil for nothing.
// What the rules leave to nobody but themselves the setup keeps.
func (g *Game) override(ch *tablev1.Character) *tablev1.Override {
	op := &tablev1.Operation{}
	switch g.Rand.IntN(5) {
	case 0:
		r := g.resource(ch)
		if r == nil {
			return nil
		}
		value := g.Rand.Int32N(r.GetMax() + 1)
		op.Operation = &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: r.Key, Value: &value}}
	case 1:
		if len(ch.Stats) == 0 {
			return nil
		}
		op.Operation = &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: Pick(g, ch.Stats).Key, Value: g.Rand.Int32N(100)}}
	case 2:
		if len(g.Rules.Sheet.Statuses) == 0 || g.Waiting() {
			return nil
		}
		key := Pick(g, g.Rules.Sheet.Statuses).Key
		if g.setup.Spared.has("status " + key) {
			return nil
		}
		op.Operation = &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: key, Ends: g.Chance(2)}}
	case 3:
		if len(ch.Modifiers) == 0 {
			return nil
		}
		op.Operation = &tablev1.Operation_EndModifier{EndModifier: Pick(g, ch.Modifiers).Id}
	default:
		if g.Opens(g.setup.Placed...) {
			return nil
		}
		to := &tablev1.PositionInput{Square: &typev1.Square{X: g.Rand.Int32N(4), Y: g.Rand.Int32N(4)}}
		op.Operation = &tablev1.Operation_Position{Position: to}
	}
	return &tablev1.Override{Character: ch.Id, Reason: "it was dark", Operation: op}
}

// resource is one of a character that can be overridden, or nil.
func (g *Game) resource(ch *tablev1.Character) *typev1.Resource {
	var all []*typev1.Resource
	for _, r := range ch.Resources {
		if r.GetMax() > 0 && !g.setup.Spared.has("resource "+r.Key) {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return Pick(g, all)
}
