package resolve

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// maxEpochs is how many epochs of dice a table may have.
const maxEpochs = 1000

// epochs is what a resolver keeps of its table's dice. It is no part of the state:
// undo takes nothing of it back, so that no die is ever made twice.
type epochs struct {
	list []*tablev1.DiceEpoch // in order; rows are replaced, never changed
	// used is how many dice of the running epoch there were.
	open, secret int32
}

// DiceEpochs lists the epochs of the table's dice, in order. Nobody may write to them.
func (r *Resolver) DiceEpochs() []*tablev1.DiceEpoch { return slices.Clone(r.dice.list) }

// DiceEpoch is the running epoch, or nil for a table that has none.
func (r *Resolver) DiceEpoch() *tablev1.DiceEpoch { return r.dice.running() }

// DiceClosed is the last epoch of which the seed of the secret dice is revealed; 0 if
// there is none.
func (r *Resolver) DiceClosed() int32 {
	for _, e := range slices.Backward(r.dice.list) {
		if e.SecretSeed != "" {
			return e.Epoch
		}
	}
	return 0
}

func (d *epochs) running() *tablev1.DiceEpoch {
	return d.inState(tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING)
}

// next is the epoch for which shares are taken.
func (d *epochs) next() *tablev1.DiceEpoch {
	return d.inState(tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED)
}

func (d *epochs) inState(s tablev1.DiceEpochState) *tablev1.DiceEpoch {
	for _, e := range slices.Backward(d.list) {
		if e.State == s {
			return e
		}
	}
	return nil
}

// follow takes what events tell of epochs, and counts their dice. It is told of each
// event once: a step that runs again tells nothing new.
func (d *epochs) follow(events []*tablev1.Event) {
	for _, e := range events {
		for _, c := range e.Changes {
			if after := c.GetDiceEpoch().GetAfter(); after != nil {
				d.put(after)
			}
		}
		for _, die := range e.Dice {
			d.count(die)
		}
	}
}

func (d *epochs) put(e *tablev1.DiceEpoch) {
	running := d.running().GetEpoch()
	i, found := slices.BinarySearchFunc(d.list, e.Epoch, func(e *tablev1.DiceEpoch, n int32) int { return cmp.Compare(e.Epoch, n) })
	d.list = slices.Clone(d.list)
	if found {
		d.list[i] = e
	} else {
		d.list = slices.Insert(d.list, i, e)
	}
	if d.running().GetEpoch() != running {
		d.open, d.secret = 0, 0
	}
}

// count goes on behind a die. One that is told again, as Reveal does, lies before.
func (d *epochs) count(die *typev1.Die) {
	if die.GetEpoch() != d.running().GetEpoch() {
		return
	}
	after := die.GetNumber() + int32(len(die.Faces))
	switch die.Stream {
	case typev1.DiceStream_DICE_STREAM_OPEN:
		d.open = max(d.open, after)
	case typev1.DiceStream_DICE_STREAM_SECRET:
		d.secret = max(d.secret, after)
	}
}

// Seeds are the two seeds of an epoch.
type Seeds struct{ Open, Secret [32]byte }

// Sources are the sources of the running epoch's dice for one command: of those that
// everybody sees, and of all others.
func (r *Resolver) Sources(s Seeds) (open, secret *dice.Live, err error) {
	e := r.DiceEpoch()
	mix, err := hex.DecodeString(e.GetClientMix())
	if err != nil {
		return nil, nil, fmt.Errorf("resolve: the client mix of epoch %d: %w", e.GetEpoch(), err)
	}
	return &dice.Live{Seed: s.Open, Stream: dice.Open, Table: e.GetTable(), Epoch: e.GetEpoch(), ClientMix: mix, Number: r.dice.open},
		&dice.Live{Seed: s.Secret, Stream: dice.Secret, Table: e.GetTable(), Epoch: e.GetEpoch(), ClientMix: mix, Number: r.dice.secret}, nil
}

// Commitment is an epoch that is committed and takes shares.
func Commitment(table string, epoch int32, s Seeds) *tablev1.DiceEpoch {
	open, secret := dice.Commit(dice.Open, table, epoch, s.Open), dice.Commit(dice.Secret, table, epoch, s.Secret)
	return &tablev1.DiceEpoch{
		Epoch: epoch, Table: table, State: tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED,
		OpenCommitment: hex.EncodeToString(open[:]), SecretCommitment: hex.EncodeToString(secret[:]),
	}
}

// begun is a committed epoch as it begins: with the shares that there are then.
func begun(e *tablev1.DiceEpoch) *tablev1.DiceEpoch {
	out := proto.CloneOf(e)
	out.State, out.ClientMix = tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING, hex.EncodeToString(dice.Mix(Shares(e)))
	return out
}

// Shares are the shares of an epoch, as dice.Mix takes them.
func Shares(e *tablev1.DiceEpoch) []dice.Share {
	out := make([]dice.Share, len(e.Shares))
	for i, s := range e.Shares {
		out[i] = dice.Share{Seat: s.SeatId, Text: s.Share}
	}
	return out
}

// GiveDiceShare takes a seat's share in the next epoch, also while a step waits.
func (r *Resolver) GiveDiceShare(env Env, share string) (*tablev1.Commit, error) {
	next := r.dice.next()
	if next == nil {
		return nil, rule.Core(tablev1.Reason_REASON_NOT_FOUND, "").Say("no_dice_epoch")
	}
	after := proto.CloneOf(next)
	given := &tablev1.DiceShare{SeatId: env.Seat.ID, Share: share}
	i, found := slices.BinarySearchFunc(after.Shares, given, func(a, b *tablev1.DiceShare) int { return strings.Compare(a.SeatId, b.SeatId) })
	if found {
		after.Shares[i] = given
	} else {
		after.Shares = slices.Insert(after.Shares, i, given)
	}
	cmd := &tablev1.Command{What: &tablev1.Command_DiceShare{DiceShare: &tablev1.GiveDiceShare{Share: share, SeatId: env.Seat.ID}}}
	return r.aside(&env, cmd, func(ctx *rule.Ctx) {
		ctx.Emit(ctx.Event(nameDiceShareGiven, "", "").Number(factEpoch, "", rule.Public, after.Epoch).
			Text(factSeat, "", rule.Public, env.Seat.ID).Text(factShare, "", rule.Public, share).
			Change(epochIs(after)))
	})
}

// Rotation is what ends the running epoch of dice.
type Rotation struct {
	// OpenSeed is the seed of the running epoch's open dice, which is revealed.
	OpenSeed [32]byte
	// SecretSeeds are seeds of secret dice that are revealed, by epoch: of the one that
	// ends, and of those that ended before. None unless the campaign is closed.
	SecretSeeds map[int32][32]byte
	// LeftBehind is true where the running epoch and the next were left behind: no seed
	// of theirs is known here.
	LeftBehind bool
	// Commitments are the epochs that follow, the first without a number that is taken:
	// one, which begins after the one that is committed now; two where none is, the
	// first of which begins.
	Commitments []*tablev1.DiceEpoch
}

// RotateDice ends the running epoch, if there is one, and begins the next, also while
// a step waits: what was thrown stays, and the next dice are the new epoch's.
func (r *Resolver) RotateDice(env Env, n Rotation) (*tablev1.Commit, error) {
	if n := len(r.dice.list); n > 0 && r.dice.list[n-1].Epoch >= maxEpochs {
		return nil, rule.Core(tablev1.Reason_REASON_TOO_LARGE, "").Say("most_dice_epochs", rule.Number("most", maxEpochs))
	}
	cmd := &tablev1.Command{What: &tablev1.Command_RotateDice{RotateDice: &tablev1.RotateDice{
		Close: len(n.SecretSeeds) > 0, LeftBehind: n.LeftBehind,
	}}}
	over, starts := r.over(n), n.Commitments[0]
	if next := r.dice.next(); next != nil && !n.LeftBehind {
		starts = next
	}
	return r.aside(&env, cmd, func(ctx *rule.Ctx) {
		if len(over) > 0 && !n.LeftBehind {
			ctx.Emit(ctx.Event(nameDiceSeedsRevealed, "", "").Number(factEpoch, "", rule.Public, r.dice.running().GetEpoch()).Change(over...))
			over = nil
		}
		e := ctx.Event(nameDiceEpochBegun, "", "").Number(factEpoch, "", rule.Public, starts.Epoch).
			Change(over...).Change(epochIs(begun(starts)))
		ctx.Emit(e.Change(epochIs(n.Commitments[len(n.Commitments)-1])))
	})
}

// over are the epochs that end or of which more is revealed.
func (r *Resolver) over(n Rotation) []*tablev1.Change {
	var out []*tablev1.Change
	running, next := r.dice.running(), r.dice.next()
	for _, was := range r.dice.list {
		e := proto.CloneOf(was)
		switch {
		case n.LeftBehind && (was == running || was == next):
			e.State = tablev1.DiceEpochState_DICE_EPOCH_STATE_LEFT_BEHIND
		case was == running:
			e.State, e.OpenDice, e.OpenSeed = tablev1.DiceEpochState_DICE_EPOCH_STATE_ENDED, r.dice.open, hex.EncodeToString(n.OpenSeed[:])
		}
		if seed, ok := n.SecretSeeds[e.Epoch]; ok && e.SecretSeed == "" {
			e.SecretSeed = hex.EncodeToString(seed[:])
		}
		if !proto.Equal(was, e) {
			out = append(out, epochIs(e))
		}
	}
	return out
}

func epochIs(e *tablev1.DiceEpoch) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_DiceEpoch{DiceEpoch: &tablev1.DiceEpochChange{After: e}}}
}
