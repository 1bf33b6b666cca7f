package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/hantei/hantei/engine/audit"
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/archive"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// Verify checks a table's log, as it is now, against itself, the rules and the seeds
// of its dice. The GM and the admin may. The table goes on meanwhile.
func (h *Host) Verify(ctx context.Context, by Caller) (audit.Report, error) {
	type now struct {
		source audit.Source
		last   int64
		hash   string
	}
	n, err := ask(ctx, h, by.Table, func(t *table) (now, error) {
		if refusal := t.leads(by); refusal != nil {
			return now{}, refusal
		}
		_, m, err := t.kept(ctx)
		if err != nil {
			return now{}, err
		}
		keys, name := t.dice, t.stream
		source := audit.Source{Rules: t.game.Rules, IDs: windowIDs(m.windowKey(h.keys, t.id)), Seed: keys.seed}
		if len(m.WindowKey) == 0 { // the secret of a table that came from a file has made none of its old dice
			source.Former = func(command int64) *dice.Former {
				return &dice.Former{Seed: keys.root, Table: name, Step: command}
			}
		}
		return now{source, t.res.Number(), t.res.Hash()}, nil
	})
	if err != nil {
		return audit.Report{}, err
	}
	if n.source.GM, err = h.leaders(ctx, by.Table); err != nil {
		return audit.Report{}, err
	}
	saved, err := h.store.Snapshot(ctx, by.Table)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return audit.Report{}, err
	}
	// A past event that cannot be read is none to the rules, and an error to the caller.
	var unread error
	n.source.Past = func(sequence int64) *tablev1.Event {
		p, err := h.pastEvent(ctx, by.Table, sequence)
		if err != nil {
			unread = err
		}
		return p.event
	}
	log := audit.NewLog(n.source)
	size := int64(loadPage)
	for at := int64(0); at < n.last; {
		page, err := h.store.Commits(ctx, by.Table, at, int(min(size, n.last-at)))
		if errors.Is(err, store.ErrDamaged) && size > 1 {
			size = 1 // to find out which one
			continue
		}
		if errors.Is(err, store.ErrDamaged) {
			log.Damaged()
			break
		}
		if err != nil {
			return audit.Report{}, err
		}
		if len(page) == 0 {
			return audit.Report{}, fmt.Errorf("host: commit %d of table %s is missing", at+1, by.Table)
		}
		for _, stored := range page {
			if err := errors.Join(ctx.Err(), unread); err != nil {
				return audit.Report{}, err
			}
			c, err := decode(stored)
			if err != nil {
				return audit.Report{}, err
			}
			log.Commit(c)
			if stored.Number == saved.Number {
				log.Snapshot(saved.Bytes, c)
			}
			at = stored.Number
		}
	}
	return log.End(n.hash), nil
}

// seed is a seed of a table's dice, if it is here.
func (k *diceKeys) seed(e *tablev1.DiceEpoch, stream dice.Stream) ([32]byte, bool) {
	if stream == dice.Open {
		return k.openSeed(e)
	}
	return k.secretSeed(e)
}

// leaders says which seats lead the game, those that are gone too.
func (h *Host) leaders(ctx context.Context, table string) (func(seat string) bool, error) {
	rows, err := h.store.Seats(ctx, table)
	if err != nil {
		return nil, err
	}
	leads := make(map[string]bool)
	for _, s := range rows {
		leads[s.ID] = s.Role == int32(tablev1.SeatRole_SEAT_ROLE_GM)
	}
	return func(seat string) bool { return leads[seat] }, nil
}

// VerifyFile checks the file of a table, without a server. The dice of the epoch that
// ran when it was made cannot be checked: their seeds are in no file. Errors: those of
// archive.Read and of game.
func VerifyFile(ctx context.Context, content []byte, game func(ruleset string) (*Game, error)) (audit.Report, error) {
	header, stored, err := archive.Read(content)
	if err != nil {
		return audit.Report{}, err
	}
	commits := make([]*tablev1.Commit, len(stored))
	for i, b := range stored {
		commits[i] = &tablev1.Commit{}
		if err := proto.Unmarshal(b, commits[i]); err != nil {
			return audit.Report{}, fmt.Errorf("host: commit %d: %w", i+1, err)
		}
	}
	g, err := game(commits[0].Command.GetCreate().GetRuleset())
	if err != nil {
		return audit.Report{}, err
	}
	log := audit.NewLog(audit.Source{
		Rules: g.Rules, IDs: windowIDs(header.WindowKey),
		GM: func(seat string) bool {
			i := seatIndex(header.Seats, seat)
			return i >= 0 && header.Seats[i].Role == tablev1.SeatRole_SEAT_ROLE_GM
		},
		Past: func(sequence int64) *tablev1.Event { return eventOf(commits, sequence) },
		Seed: func(e *tablev1.DiceEpoch, stream dice.Stream) ([32]byte, bool) {
			for _, s := range header.SecretSeeds {
				if s.Epoch == e.Epoch && stream == dice.Secret && len(s.Seed) == secretBytes {
					return [32]byte(s.Seed), true
				}
			}
			return [32]byte{}, false
		},
	})
	for _, c := range commits {
		if ctx.Err() != nil {
			return audit.Report{}, ctx.Err()
		}
		log.Commit(c)
	}
	return log.End(header.StateHash), nil
}

// eventOf is an event of a log by its number; nil if there is none.
func eventOf(commits []*tablev1.Commit, sequence int64) *tablev1.Event {
	for _, c := range commits {
		events, err := resolve.Events(c)
		if i := sequence - c.FirstEvent; err == nil && i >= 0 && i < int64(len(events)) {
			return events[i]
		}
	}
	return nil
}
