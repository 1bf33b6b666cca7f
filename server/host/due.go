package host

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// A prompt that a step waits for takes its default when it has been open for as
// long as the table's options say for whoever is asked. The time in which the
// table is paused, and in which the server is down, does not count. What was
// open for how long is told by the times of the commits, so that it survives the
// server; the rules know nothing of it.

// asking is for how long the prompts of the step that waits have been open.
type asking struct {
	open   map[string]int64 // by prompt id, in milliseconds, up to at
	at     int64            // the time of the last commit
	paused bool
}

// follow goes on to the state after a commit.
func (w *asking) follow(c *tablev1.Commit, rules *rule.Ruleset, s *tablev1.State) {
	if passed := c.TimeMs - max(w.at, c.UpSinceMs); !w.paused && passed > 0 {
		for id := range w.open {
			w.open[id] += passed
		}
	}
	w.at, w.paused = c.TimeMs, rules.Options.Value(s.Options, rule.Paused) == "true"
	before := w.open
	w.open = nil
	for slot := range blocking(s.Windows) {
		if w.open == nil {
			w.open = make(map[string]int64)
		}
		w.open[slot.Id] = before[slot.Id]
	}
}

// blocking goes through the open slots that a step waits for, with their windows.
func blocking(windows []*tablev1.Window) func(yield func(*tablev1.Slot, *tablev1.Window) bool) {
	return func(yield func(*tablev1.Slot, *tablev1.Window) bool) {
		for _, w := range windows {
			if !w.Open || w.Standing {
				continue
			}
			for _, s := range w.Slots {
				if s.State == tablev1.SlotState_SLOT_STATE_OPEN && !yield(s, w) {
					return
				}
			}
		}
	}
}

// dues are when open prompts take their defaults, by prompt id, in milliseconds
// since 1970, UTC; those that wait without end are not among them.
type dues map[string]int64

// first is the first of them; 0 for none.
func (d dues) first() int64 {
	var out int64
	for _, at := range d {
		if out == 0 || at < out {
			out = at
		}
	}
	return out
}

// due says when the open prompts take their defaults, with the seats as they are;
// those without one wait.
func (t *table) due() dues {
	if t.asking.paused || len(t.asking.open) == 0 {
		return nil
	}
	var out dues
	for slot := range blocking(t.res.State().Windows) {
		limit := t.limit(slot.Character)
		if limit == 0 || slot.DefaultChoice == "" || t.stuck[slot.Id] {
			continue
		}
		if out == nil {
			out = make(dues)
		}
		out[slot.Id] = max(t.asking.at, t.host.upSince) + limit - t.asking.open[slot.Id]
	}
	return out
}

// limit is how long whoever decides for a character has, in milliseconds; 0 for
// ever. A player's character has the player's time.
func (t *table) limit(character string) int64 {
	key := rule.DeadlineGM
	for _, s := range t.answering(character) {
		if s.Role == tablev1.SeatRole_SEAT_ROLE_PLAYER {
			key = rule.DeadlinePlayer
		}
	}
	seconds, err := strconv.ParseInt(t.game.Rules.Options.Value(t.res.State().Options, key), 10, 32)
	if err != nil {
		return 0 // Check guards every way in
	}
	return seconds * 1000
}

// expire takes the defaults that are due, a commit for each window.
func (t *table) expire(ctx context.Context) error {
	for {
		now := t.host.now().UnixMilli()
		due := t.due()
		var of *tablev1.Window
		var answers []resolve.SlotAnswer
		for slot, w := range blocking(t.res.State().Windows) {
			if at := due[slot.Id]; at == 0 || at > now || of != nil && of != w {
				continue
			}
			of = w
			answers = append(answers, resolve.SlotAnswer{
				Character: slot.Character, Choice: slot.DefaultChoice, By: tablev1.AnsweredBy_ANSWERED_BY_DEFAULT,
			})
		}
		if of == nil {
			return t.wake(ctx)
		}
		server := &sitting{rule: rule.Seat{GM: true}}
		c, err := t.res.Answer(t.env(ctx, server, nil), of, answers)
		if err == nil {
			_, err = t.conclude(ctx, c, conclusion{})
		}
		if err != nil {
			if t.ahead {
				return err // it is loaded anew and tries again
			}
			// It will not go better the next time: somebody has to look after it.
			if t.stuck == nil {
				t.stuck = make(map[string]bool)
			}
			for _, a := range answers {
				t.stuck[prompt.Open(of, a.Character).Id] = true
			}
			return errors.Join(err, t.wake(ctx))
		}
	}
}

// wake has the table looked after when the next prompt is due. The store knows
// when that is too, for a server that starts anew.
func (t *table) wake(ctx context.Context) error {
	at := t.due().first()
	t.host.wakeAt(t.id, at)
	if at == t.wakeTime {
		return nil
	}
	if err := t.host.store.UpdateTable(ctx, t.id, storeWake(at)); err != nil {
		return err
	}
	t.wakeTime = at
	return nil
}

// show puts the times on what a seat is told of a moment's prompts.
func (d dues) show(prompts []*tablev1.PromptView, waiting []*tablev1.WaitingView, windows []*tablev1.Window) {
	if len(d) == 0 {
		return
	}
	for _, p := range prompts {
		p.ExpireTime = d.of(p.Id)
	}
	for slot, w := range blocking(windows) {
		// Rows without a name are of what the seat may not know of.
		i := slices.IndexFunc(waiting, func(r *tablev1.WaitingView) bool {
			return r.Blocking && r.Name == w.Name && r.Character == slot.Character
		})
		if i >= 0 {
			waiting[i].ExpireTime = d.of(slot.Id)
		}
	}
}

func (d dues) of(id string) *timestamppb.Timestamp {
	if d[id] == 0 {
		return nil
	}
	return timestamppb.New(time.UnixMilli(d[id]))
}
