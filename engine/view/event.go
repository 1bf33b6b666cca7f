package view

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Handles are what the projection needs beside an event: the opaque names of it and
// of what brought it about, and what is known of the dice by now.
type Handles struct {
	// Event is the event's own id.
	Event string
	// Cause is the id of the event that brought it about, and CauseEvent that event
	// with the visibility of its commit. It is told to those who see that event.
	// CauseEvent is nil if there is none.
	Cause           string
	CauseEvent      *tablev1.Event
	CauseVisibility *tablev1.Visibility
	// Undoes and Redoes are the events that an "undone" speaks of. Each is told to those
	// who see it, and the "undone" to those who see one of them.
	Undoes, Redoes []Other
	// Closed is the last epoch of dice of which the seed of the secret dice is
	// revealed; 0 if there is none.
	Closed int32
}

// Other is an event that another one speaks of, with its id and the visibility of its
// commit.
type Other struct {
	ID         string
	Event      *tablev1.Event
	Visibility *tablev1.Visibility
}

// undone is the name of the event that speaks of others.
const undone = "undone"

// seenOthers are the ids of the events that the viewer was told of.
func seenOthers(all []Other, v Viewer, public Public) []string {
	var out []string
	for _, o := range all {
		if Sees(o.Event, v, o.Visibility, Handles{}, public) {
			out = append(out, o.ID)
		}
	}
	return out
}

// speaks reports whether an event of this name has something to say to the viewer of
// the events that it speaks of. The GM is told of every undo.
func (h Handles) speaks(name string, v Viewer, public Public) bool {
	if name != undone || v.GM {
		return true
	}
	for _, all := range [][]Other{h.Undoes, h.Redoes} {
		for _, o := range all {
			if Sees(o.Event, v, o.Visibility, Handles{}, public) {
				return true
			}
		}
	}
	return false
}

// Public reports whether an event's name alone tells what everybody may know, by
// the ruleset's table "Who sees what". Such an event is sent, with actor and
// targets, even if nothing else of it is left. It need not know the core's names;
// nil knows no others.
type Public func(name string) bool

func (p Public) is(name string) bool {
	switch name {
	case "table_created", "prompt_opened", "prompt_answered", "prompt_withdrawn",
		"dice_share_given", "dice_seeds_revealed", "dice_epoch_begun", "scene_ended", "step_cancelled", "revealed":
		return true
	}
	return p != nil && p(name)
}

// Event returns what the viewer may see of an event, by the visibility that was
// stamped with its commit, or nil if it is not sent. The view has no text; see
// Render.
func Event(ev *tablev1.Event, v Viewer, vis *tablev1.Visibility, h Handles, public Public) *tablev1.EventView {
	g := newGaze(v, vis)
	g.share = true
	g.window = windowOf(ev)
	if !g.knows(ev.Actor) || !g.may(ev.Audience, ev.Actor) || !h.speaks(ev.Name, v, public) {
		return nil
	}
	facts := seenAll(&g, ev.Facts, factPlan, ev.Actor)
	dice := g.dice(ev, h.Closed)
	changes := seenAll(&g, ev.Changes, changePlan, ev.Actor)
	if len(facts) == 0 && len(dice) == 0 && len(changes) == 0 && !public.is(ev.Name) {
		return nil
	}
	out := &tablev1.EventView{
		EventId: h.Event,
		Name:    ev.Name,
		Rule:    ev.Rule,
		Actor:   ev.Actor,
		Targets: g.known(ev.Targets),
		Facts:   facts,
		Dice:    dice,
		Trace:   seenAll(&g, ev.Trace, tracePlan, ev.Actor),
		Changes: changes,
	}
	for _, c := range seenAll(&g, ev.Cues, cuePlan, ev.Actor) {
		if g.shows(c, out) {
			out.Cues = append(out.Cues, c)
		}
	}
	if h.CauseEvent != nil && Sees(h.CauseEvent, v, h.CauseVisibility, Handles{}, public) {
		out.Cause = h.Cause
	}
	out.Undoes, out.Redoes = seenOthers(h.Undoes, v, public), seenOthers(h.Redoes, v, public)
	return out
}

// dice are the dice of an event that the viewer may see, with their places where
// these tell nothing: an open die's, and a secret one's once its seed is revealed.
func (g *gaze) dice(ev *tablev1.Event, closed int32) []*typev1.Die {
	var out []*typev1.Die
	for _, d := range ev.Dice {
		s, ok := seen(g, d, diePlan, ev.Actor)
		if !ok {
			continue
		}
		if s != d && (d.Stream == typev1.DiceStream_DICE_STREAM_OPEN || d.GetEpoch() <= closed) {
			s.Stream, s.Epoch, s.Number = d.Stream, d.Epoch, d.Number
		}
		if out == nil {
			out = make([]*typev1.Die, 0, len(ev.Dice))
		}
		out = append(out, s)
	}
	return out
}

// Sees reports whether the event is sent to the viewer: whether Event is not nil. Of
// the handles it needs Undoes and Redoes alone.
func Sees(ev *tablev1.Event, v Viewer, vis *tablev1.Visibility, h Handles, public Public) bool {
	g := newGaze(v, vis)
	g.share = true
	g.window = windowOf(ev)
	switch {
	case !g.knows(ev.Actor) || !g.may(ev.Audience, ev.Actor) || !h.speaks(ev.Name, v, public):
		return false
	case public.is(ev.Name):
		return true
	}
	for _, f := range ev.Facts {
		if _, ok := seen(&g, f, factPlan, ev.Actor); ok {
			return true
		}
	}
	for _, d := range ev.Dice {
		if _, ok := seen(&g, d, diePlan, ev.Actor); ok {
			return true
		}
	}
	for _, c := range ev.Changes {
		if _, ok := seen(&g, c, changePlan, ev.Actor); ok {
			return true
		}
	}
	return false
}

// shows reports whether a cue has something to show: text over a token is a fact
// of that character, or of the actor, that the viewer sees.
func (g *gaze) shows(c *tablev1.Cue, ev *tablev1.EventView) bool {
	float := c.GetFloat()
	if float == nil {
		return true
	}
	for _, f := range ev.Facts {
		if f.Key == float.Fact && (f.Of == "" || f.Of == float.Character) {
			return true
		}
	}
	return false
}

// windowOf finds the question that an event is about.
func windowOf(ev *tablev1.Event) *tablev1.Window {
	for _, c := range ev.Changes {
		if w := c.GetWindow().GetAfter(); w != nil {
			return w
		}
	}
	return nil
}
