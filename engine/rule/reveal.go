package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

var nameRevealed = Name(tablev1.EventName_EVENT_NAME_REVEALED)

const revealedEvent = "action.core.reveal.event_id"

func validReveal(v *View, _ string, r *tablev1.Reveal) *Refusal {
	e := v.Ref(r.EventId).Event
	switch {
	case e == nil:
		return Core(tablev1.Reason_REASON_NOT_FOUND, revealedEvent)
	case e.Audience == Public:
		return Core(tablev1.Reason_REASON_INVALID_FIELD, revealedEvent).Say("everybody_was_told")
	case !v.Seat.GM && !(e.Audience == Owner && e.Actor != "" && v.Controls(e.Actor)):
		return Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, revealedEvent).Say("gm_reveals")
	}
	return nil
}

// reveal tells the event again, for everybody. What it did to the state was done
// then, and may have changed since: the changes are not told again.
func reveal(c *Ctx, _ string, r *tablev1.Reveal) {
	told := proto.Clone(c.Ref(r.EventId).Event).(*tablev1.Event)
	told.Audience, told.Changes = Public, nil
	told.Cause = c.Emit(c.Event(nameRevealed, "", told.Actor))
	c.Emit(&Event{m: told})
}
