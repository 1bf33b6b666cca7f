package host

import (
	"context"
	"fmt"
	"math"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// table is a hot table. Only its goroutine touches it.
type table struct {
	host *Host
	id   string
	game *Game
	tag  tag
	dice diceKeys
	// stream names the dice: the table's id, or the label of fixed dice, so that
	// these are the same at every table.
	stream string

	res   *resolve.Resolver
	seats []*tablev1.Seat // replaced, never changed: moments share it
	roll  []string        // the ids of all seats there ever were, in order; only added to
	// admissions are the bridges that may act for seats; replaced, never changed.
	admissions []*Admission
	vis        *tablev1.Visibility
	names      names
	trail      trail
	done       recent
	// asked is what was asked after the last commit.
	asked []*tablev1.Window
	// asking is for how long what a step waits for has been asked, wakeTime when the
	// store has the table looked after, and stuck what cannot be answered by its
	// default.
	asking   asking
	wakeTime int64
	stuck    map[string]bool
	// saved is the number of the last snapshot; 0 if there is none.
	saved int64
	// looked counts the requests that were looked for in the store: see once.
	looked int

	// ahead is true when the resolver has gone on and the log has not: the table
	// must be loaded anew.
	ahead bool
}

// loadPage is how many commits are read at once.
const loadPage = 500

// load makes a table of its newest snapshot and the rest of its log.
func (h *Host) load(ctx context.Context, id string) (*table, error) {
	row, err := h.store.Table(ctx, id)
	if err != nil {
		return nil, err
	}
	game := h.games[row.Ruleset]
	if game == nil {
		return nil, fmt.Errorf("host: table %s has the ruleset %q, which this server does not know", id, row.Ruleset)
	}
	m, err := readMeta(row.Options)
	if err != nil {
		return nil, err
	}
	seats, err := h.store.Seats(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &table{
		host: h, id: id, game: game, tag: h.keys.tag(id), stream: id,
	}
	if m.FixedDice != "" {
		t.stream = m.FixedDice
	}
	for _, s := range seats {
		t.roll = append(t.roll, s.ID)
		if s.RevokeTimeMS == 0 {
			seat, err := seatOf(s)
			if err != nil {
				return nil, err
			}
			t.seats = append(t.seats, seat)
		}
	}
	if t.admissions, err = h.admissions(ctx, id); err != nil {
		return nil, err
	}
	if t.dice.root, err = h.seed(ctx, id, randomSecret); err != nil {
		return nil, err
	}
	if t.dice.past, err = m.pastSeeds(); err != nil {
		return nil, err
	}
	follow := func(c *tablev1.Commit, s *tablev1.State) { t.asking.follow(c, game.Rules, s) }
	if t.res, t.saved, err = h.resolver(ctx, game, windowIDs(m.windowKey(h.keys, id)), id, math.MaxInt64, follow); err != nil {
		return nil, err
	}
	if row.PackHash != game.Rules.Pack.Hash {
		h.log.Warn("a table was begun with another pack", "table", id, "pack", row.PackHash, "now", game.Rules.Pack.Hash)
	}
	t.vis, t.names = stamp(game.Rules.Options, t.res.State(), t.seats), namesOf(t.res.State())
	t.asked = openWindows(t.res.State().Windows)
	if t.res.Waiting() {
		if t.trail, err = h.trailAt(ctx, id, t.res.Number()); err != nil {
			return nil, err
		}
	}
	t.wakeTime = row.WakeTimeMS
	return t, t.wake(ctx)
}

// fold loads a table's log into a resolver, up to a commit. Each may be nil; it is
// told of every commit with the state after it.
func (h *Host) fold(ctx context.Context, res *resolve.Resolver, id string, last int64, each func(*tablev1.Commit, *tablev1.State)) error {
	for res.Number() < last {
		page, err := h.store.Commits(ctx, id, res.Number(), int(min(loadPage, last-res.Number())))
		if err != nil {
			return err
		}
		for _, stored := range page {
			c, err := decode(stored)
			if err != nil {
				return err
			}
			if err := res.Load(c); err != nil {
				return err
			}
			if each != nil {
				each(c, res.State())
			}
		}
		if len(page) < loadPage {
			break
		}
	}
	return nil
}

func decode(stored store.Commit) (*tablev1.Commit, error) {
	c := &tablev1.Commit{}
	if err := proto.Unmarshal(stored.Bytes, c); err != nil {
		return nil, fmt.Errorf("host: commit %d: %w", stored.Number, err)
	}
	return c, nil
}

// diceSecret is the name of the secret that a table's dice are made from.
func diceSecret(table string) string { return "dice/" + table }

// seed is the secret that a table's dice are made from.
func (h *Host) seed(ctx context.Context, id string, generate func() []byte) ([32]byte, error) {
	b, err := h.store.Secret(ctx, diceSecret(id), generate)
	if err != nil {
		return [32]byte{}, err
	}
	if len(b) != secretBytes {
		return [32]byte{}, fmt.Errorf("host: the dice secret of table %s has %d bytes", id, len(b))
	}
	return [32]byte(b), nil
}

// env is what surrounds the next command.
func (t *table) env(ctx context.Context, s *sitting, given []dice.Given) resolve.Env {
	open, secret, err := t.sources()
	if err != nil {
		panic(err) // the log was damaged before it came here
	}
	return resolve.Env{
		Seat: s.rule, Dice: open, SecretDice: secret, Given: given, Policy: t.policy,
		Past: func(sequence int64) *tablev1.Event {
			p, err := t.host.pastEvent(ctx, t.id, sequence)
			if err != nil {
				// The rules ask for it while they run: there is no other way out.
				panic(fmt.Errorf("host: event %d of table %s: %w", sequence, t.id, err))
			}
			return p.event
		},
	}
}

// present is the table as it is now.
func (t *table) present() *Moment {
	return &Moment{
		Table: t.id, Commit: t.res.Number(), Visibility: t.vis, Waits: t.res.Waiting(),
		Asked: true, Windows: openWindows(t.res.State().Windows), Seats: t.seats, names: t.names, roll: t.roll,
		due:        t.due(),
		admissions: t.admissions,
	}
}

// projected is the state as a seat sees it, as offers are made on it.
func (t *table) projected(s *sitting) *rule.View {
	return &rule.View{State: stateFor(t, s), Seat: s.rule, Options: t.game.Rules.Options}
}
