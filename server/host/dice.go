package host

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// diceKeys is what the seeds of a table's dice are made from.
type diceKeys struct {
	// root is the table's own secret. Each seed is an HMAC of it, so that a seed that
	// is revealed tells nothing of the others, and the log and the store cannot
	// disagree on which seeds there are.
	root [32]byte
	// past are seeds of secret dice that came with the table's file.
	past map[int32][32]byte
}

// of are the seeds of an epoch that this server has begun.
func (k *diceKeys) of(epoch int32) resolve.Seeds {
	n := strconv.Itoa(int(epoch))
	return resolve.Seeds{
		Open:   [32]byte(mac(k.root[:], "seed/v1", string(dice.Open), n)),
		Secret: [32]byte(mac(k.root[:], "seed/v1", string(dice.Secret), n)),
	}
}

// openSeed is the seed of an epoch's open dice; false if it is not here.
func (k *diceKeys) openSeed(e *tablev1.DiceEpoch) ([32]byte, bool) {
	seed := k.of(e.Epoch).Open
	return seed, committed(e.OpenCommitment, dice.Open, e, seed)
}

// secretSeed is the seed of an epoch's secret dice; false if it is not here.
func (k *diceKeys) secretSeed(e *tablev1.DiceEpoch) ([32]byte, bool) {
	seed, ok := k.past[e.Epoch]
	if !ok {
		seed = k.of(e.Epoch).Secret
	}
	return seed, committed(e.SecretCommitment, dice.Secret, e, seed)
}

// committed reports whether it was this seed that an epoch was committed to.
func committed(commitment string, stream dice.Stream, e *tablev1.DiceEpoch, seed [32]byte) bool {
	sum := dice.Commit(stream, e.Table, e.Epoch, seed)
	return commitment == hex.EncodeToString(sum[:])
}

// commit are n epochs of a table that follow on its last one, or the first.
func (k *diceKeys) commit(name string, after int32, n int) []*tablev1.DiceEpoch {
	out := make([]*tablev1.DiceEpoch, n)
	for i := range out {
		epoch := after + int32(i) + 1
		out[i] = resolve.Commitment(name, epoch, k.of(epoch))
	}
	return out
}

// sources are where the next command's dice come from: those that everybody sees,
// and the others.
func (t *table) sources() (open, secret dice.Source, err error) {
	e := t.res.DiceEpoch()
	if e == nil {
		former := &dice.Former{Seed: t.dice.root, Table: t.stream, Step: t.res.Number() + 1}
		return former, former, nil
	}
	return t.res.Sources(t.dice.of(e.Epoch))
}

// lastEpoch is the number of the last epoch that a table has; 0 if it has none.
func lastEpoch(res *resolve.Resolver) int32 {
	all := res.DiceEpochs()
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Epoch
}

// DiceEpochs lists the epochs of a table's dice.
func (h *Host) DiceEpochs(ctx context.Context, by Caller) ([]*tablev1.DiceEpoch, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.DiceEpoch, error) {
		if refusal := t.attend(by); refusal != nil {
			return nil, refusal
		}
		return t.res.DiceEpochs(), nil
	})
}

// maxShare is the most bytes of a share.
const maxShare = 64

// GiveDiceShare takes a seat's share in the next epoch of dice, and returns the epoch.
func (h *Host) GiveDiceShare(ctx context.Context, by Caller, share string) (*tablev1.DiceEpoch, error) {
	return ask(ctx, h, by.Table, func(t *table) (*tablev1.DiceEpoch, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		if share == "" || len(share) > maxShare || strings.ContainsFunc(share, profile.Unprintable) {
			return nil, invalid("share").Say("dice_share", rule.Number("most", maxShare))
		}
		if next := t.nextEpoch(); next != nil {
			for _, has := range next.Shares {
				if has.SeatId == s.seat.Id && has.Share == share {
					return next, nil
				}
			}
		}
		ctx := context.WithoutCancel(ctx)
		c, err := t.res.GiveDiceShare(t.env(ctx, s, nil), share)
		if err != nil {
			return nil, err
		}
		if _, err := t.conclude(ctx, c, conclusion{by: by}); err != nil {
			return nil, err
		}
		return t.nextEpoch(), nil
	})
}

// nextEpoch is the epoch for which shares are taken; nil if there is none.
func (t *table) nextEpoch() *tablev1.DiceEpoch {
	for _, e := range t.res.DiceEpochs() {
		if e.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED {
			return e
		}
	}
	return nil
}

// RotateSeed ends an epoch of a table's dice, whichever runs if it is 0, and reveals
// the seed of its open dice; if the campaign is closed, those of the secret dice of
// all epochs that are over as well. It returns all epochs. An epoch that is over
// already changes nothing. The GM and the admin may.
//
// A table that was closed goes on with its next epoch: its characters may play another
// campaign, and what was secret of the last one is told.
func (h *Host) RotateSeed(ctx context.Context, by Caller, epoch int32, closed bool) ([]*tablev1.DiceEpoch, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.DiceEpoch, error) {
		if refusal := t.leads(by); refusal != nil {
			return nil, refusal
		}
		running := t.res.DiceEpoch()
		switch {
		case epoch > running.GetEpoch():
			return nil, invalid("epoch").Say("dice_epoch", rule.Number("running", running.GetEpoch()))
		case epoch != 0 && epoch < running.GetEpoch():
			return t.res.DiceEpochs(), nil
		}
		n := resolve.Rotation{Commitments: t.dice.commit(t.stream, lastEpoch(t.res), 1)}
		if running == nil {
			n.Commitments = t.dice.commit(t.stream, 0, 2)
		} else {
			n.OpenSeed = t.dice.of(running.Epoch).Open
		}
		if closed {
			n.SecretSeeds = t.secretSeeds(true)
		}
		seat := rule.Seat{}
		if s, refusal := t.sit(by); refusal == nil {
			seat = s.rule
		}
		ctx := context.WithoutCancel(ctx)
		c, err := t.res.RotateDice(resolve.Env{Seat: seat}, n)
		if err != nil {
			return nil, err
		}
		if _, err := t.conclude(ctx, c, conclusion{by: by}); err != nil {
			return nil, err
		}
		return t.res.DiceEpochs(), nil
	})
}

// secretSeeds are the seeds of secret dice that are here, of epochs that are over;
// with the running one if it ends now.
func (t *table) secretSeeds(ending bool) map[int32][32]byte {
	out := make(map[int32][32]byte)
	for _, e := range t.res.DiceEpochs() {
		over := e.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_ENDED ||
			ending && e.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING
		if seed, ok := t.dice.secretSeed(e); ok && over {
			out[e.Epoch] = seed
		}
	}
	return out
}
