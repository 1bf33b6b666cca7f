package audit

import (
	"encoding/hex"
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// ledger follows the epochs of a table's dice. It keeps the dice of which the seed is
// not known yet.
type ledger struct {
	epochs []*epoch
	// whole is true where all dice are seen, those that are hidden from seats too:
	// then secret dice have no gaps either.
	whole bool
	// known are seeds that are not revealed; nil where there are none.
	known func(e *tablev1.DiceEpoch, stream dice.Stream) ([32]byte, bool)
	check Check
}

// epoch is what was told of an epoch of dice.
type epoch struct {
	told         *tablev1.DiceEpoch
	open, secret pile
}

// pile are the dice of one stream of an epoch.
type pile struct {
	next  int32 // the number that the next die must have
	waits []thrown
}

// thrown is a die that waits for its seed.
type thrown struct {
	die           *typev1.Die
	commit, event int64
	repeated      bool // counted already
}

func (l *ledger) find(n int32) *epoch {
	for _, e := range l.epochs {
		if e.told.Epoch == n {
			return e
		}
	}
	return nil
}

// event takes an event: its dice, and then what it tells of epochs.
func (l *ledger) event(thrownDice []*typev1.Die, changes []*tablev1.Change, commit, event int64) *Fault {
	for i, d := range thrownDice {
		if f := l.die(thrown{die: d, commit: commit, event: event}); f != nil {
			f.Path = "dice[" + number(i) + "]"
			return f.at(commit, event)
		}
	}
	for _, c := range changes {
		if after := c.GetDiceEpoch().GetAfter(); after != nil {
			if f := l.take(after); f != nil {
				return f.at(commit, event)
			}
		}
	}
	return nil
}

// take takes what is told of an epoch. What was committed stays, and so does all that
// was once revealed; shares are taken only while nothing is thrown.
func (l *ledger) take(after *tablev1.DiceEpoch) *Fault {
	n := number(after.Epoch)
	e := l.find(after.Epoch)
	if e == nil {
		e = &epoch{told: &tablev1.DiceEpoch{
			Epoch: after.Epoch, Table: after.Table, State: tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED,
			OpenCommitment: after.OpenCommitment, SecretCommitment: after.SecretCommitment,
		}}
		l.epochs = append(l.epochs, e)
	}
	was := e.told
	wrong := !opens(after, dice.Open, after.OpenSeed) || !opens(after, dice.Secret, after.SecretSeed)
	fresh := was.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED
	begins := fresh && after.State != was.State && after.State != tablev1.DiceEpochState_DICE_EPOCH_STATE_LEFT_BEHIND
	switch {
	case was.Table != after.Table || was.OpenCommitment != after.OpenCommitment || was.SecretCommitment != after.SecretCommitment:
		return fault("commitment_changed", "epoch", n)
	case wrong:
		return fault("seed_not_committed", "epoch", n)
	case was.OpenSeed != "" && was.OpenSeed != after.OpenSeed || was.SecretSeed != "" && was.SecretSeed != after.SecretSeed:
		return fault("seed_changed", "epoch", n)
	case (!fresh || begins) && !sameShares(was, after):
		return fault("share_too_late", "epoch", n)
	case !slices.IsSortedFunc(after.Shares, bySeat):
		return fault("mix_wrong", "epoch", n)
	case begins && after.ClientMix != hex.EncodeToString(dice.Mix(resolve.Shares(after))), !fresh && was.ClientMix != after.ClientMix:
		return fault("mix_wrong", "epoch", n)
	case after.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_ENDED && after.OpenDice != e.open.next:
		return fault("dice_missing_at_end", "epoch", n, "count", number(after.OpenDice), "seen", number(e.open.next))
	}
	e.told = proto.CloneOf(after)
	if f := l.settle(e, &e.open, dice.Open); f != nil {
		return f
	}
	return l.settle(e, &e.secret, dice.Secret)
}

func bySeat(a, b *tablev1.DiceShare) int {
	switch {
	case a.SeatId < b.SeatId:
		return -1
	case a.SeatId > b.SeatId:
		return 1
	}
	return 0
}

func sameShares(a, b *tablev1.DiceEpoch) bool {
	return slices.EqualFunc(a.Shares, b.Shares, func(x, y *tablev1.DiceShare) bool { return proto.Equal(x, y) })
}

// opens reports whether a seed in hex is the one that was committed, or is not
// revealed yet.
func opens(e *tablev1.DiceEpoch, stream dice.Stream, seed string) bool {
	b, err := hex.DecodeString(seed)
	return seed == "" || err == nil && len(b) == 32 && isCommitted(e, stream, [32]byte(b))
}

func isCommitted(e *tablev1.DiceEpoch, stream dice.Stream, seed [32]byte) bool {
	commitment := e.OpenCommitment
	if stream == dice.Secret {
		commitment = e.SecretCommitment
	}
	sum := dice.Commit(stream, e.Table, e.Epoch, seed)
	return commitment == hex.EncodeToString(sum[:])
}

// die takes a die that was thrown.
func (l *ledger) die(t thrown) *Fault {
	d := t.die
	if d.Given {
		l.check.Given += int64(len(d.Faces))
		return nil
	}
	at := resolve.PlaceOf(d)
	if at.Stream == "" {
		l.check.Unchecked += int64(len(d.Faces)) // nothing is told of where it stands, or not yet
		return nil
	}
	e := l.find(at.Epoch)
	if e == nil {
		return fault("epoch_unknown", "epoch", number(at.Epoch))
	}
	p := &e.open
	if at.Stream == dice.Secret {
		p = &e.secret
	}
	count := int32(len(d.Faces))
	switch {
	case at.Number > p.next && (at.Stream == dice.Open || l.whole):
		return fault("dice_missing", "epoch", number(at.Epoch), "from", number(p.next), "to", number(at.Number-1))
	case at.Number < p.next:
		t.repeated = true // told again, as a revealed event is
	}
	if e.told.State == tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED {
		return fault("dice_too_early", "epoch", number(at.Epoch))
	}
	p.next = max(p.next, at.Number+count)
	p.waits = append(p.waits, t)
	return l.settle(e, p, at.Stream)
}

// settle throws the dice of a stream again, if its seed is known.
func (l *ledger) settle(e *epoch, p *pile, stream dice.Stream) *Fault {
	if len(p.waits) == 0 {
		return nil
	}
	seed, ok := l.seed(e.told, stream)
	if !ok {
		return nil
	}
	if !isCommitted(e.told, stream, seed) {
		return fault("seed_not_committed", "epoch", number(e.told.Epoch))
	}
	mix, err := hex.DecodeString(e.told.ClientMix)
	if err != nil {
		return fault("mix_wrong", "epoch", number(e.told.Epoch))
	}
	for _, t := range p.waits {
		again := &dice.Live{
			Seed: seed, Stream: stream, Table: e.told.Table, Epoch: e.told.Epoch, ClientMix: mix, Number: t.die.GetNumber(),
		}
		got, err := again.Throw("", "", dice.Dice{Count: int32(len(t.die.Faces)), Sides: t.die.Sides})
		if err != nil || !slices.Equal(got.Faces, t.die.Faces) {
			f := fault("face_wrong", "stream", string(stream), "epoch", number(e.told.Epoch), "number", number(t.die.GetNumber()))
			f.Commit, f.Event = t.commit, t.event
			return f
		}
		if !t.repeated {
			l.check.Checked += int64(len(t.die.Faces))
		}
	}
	p.waits = nil
	return nil
}

// seed is the seed of a stream, if it is revealed or known.
func (l *ledger) seed(e *tablev1.DiceEpoch, stream dice.Stream) ([32]byte, bool) {
	text := e.OpenSeed
	if stream == dice.Secret {
		text = e.SecretSeed
	}
	if b, err := hex.DecodeString(text); err == nil && len(b) == 32 {
		return [32]byte(b), true
	}
	if l.known == nil {
		return [32]byte{}, false
	}
	return l.known(e, stream)
}

// end counts what is still waiting.
func (l *ledger) end() Check {
	for _, e := range l.epochs {
		for _, p := range []*pile{&e.open, &e.secret} {
			for _, t := range p.waits {
				if !t.repeated {
					l.check.Unchecked += int64(len(t.die.Faces))
				}
			}
			p.waits = nil
		}
	}
	return l.check
}
