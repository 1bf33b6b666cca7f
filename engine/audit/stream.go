package audit

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Saved is what was found in the events that a seat has saved.
type Saved struct {
	// Events is how many there are, each counted once.
	Events int64
	// Dice is whether the dice follow from the seeds that are revealed in them. The
	// unchecked ones wait for a seed.
	Dice Check
	// Epochs are the epochs of dice, as they were told of last.
	Epochs []*tablev1.DiceEpoch
}

// Stream checks the events that a seat has saved, in order from the table's first. An
// event that comes twice counts once: whoever reads the past again, after seeds were
// revealed, is told where the secret dice stood.
func Stream(events []*tablev1.EventView) Saved {
	var out Saved
	var l ledger
	once := make(map[string]int, len(events))
	var order []*tablev1.EventView
	for _, e := range events {
		i, again := once[e.EventId]
		if !again {
			once[e.EventId] = len(order)
			order = append(order, e)
			continue
		}
		if !sameDice(order[i].Dice, e.Dice) {
			out.Dice = l.check
			out.Dice.Fault = fault("told_differently").at(0, int64(i+1))
			return out
		}
		order[i] = e
	}
	out.Events = int64(len(order))
	for i, e := range order {
		if f := l.event(e.Dice, e.Changes, 0, int64(i+1)); f != nil {
			l.check.Fault = f
			break
		}
	}
	out.Dice = l.end()
	for _, e := range l.epochs {
		out.Epochs = append(out.Epochs, e.told)
	}
	return out
}

// sameDice reports whether dice are the same but for where they stand.
func sameDice(a, b []*typev1.Die) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := proto.CloneOf(a[i]), proto.CloneOf(b[i])
		x.Stream, x.Epoch, x.Number = 0, nil, nil
		y.Stream, y.Epoch, y.Number = 0, nil, nil
		if !proto.Equal(x, y) {
			return false
		}
	}
	return true
}
