package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Caller is who asks for something at a table.
type Caller struct {
	// Table is the table's id.
	Table string
	// Seat is the caller's seat; empty for the admin, who may ask for less.
	Seat string
	// Admin is true for who runs the server.
	Admin bool
	// Via is the bridge that calls for the seat, or for itself if there is none;
	// empty if no bridge does.
	Via string
	// Lang is the language of the answer's texts.
	Lang string
}

// principal tells callers apart in the records of requests.
func (c Caller) principal() string {
	switch {
	case c.Admin:
		return "admin"
	case c.Via != "":
		return c.Via + "/" + c.Seat
	}
	return c.Seat
}

// sitting is a seat as commands need it.
type sitting struct {
	seat   *tablev1.Seat
	viewer view.Viewer
	rule   rule.Seat
}

func (s *sitting) gm() bool { return s.viewer.GM }

// sit finds the caller's seat.
func (t *table) sit(by Caller) (*sitting, *rule.Refusal) {
	if by.Admin {
		return nil, notYours("").Say("only_seats_play")
	}
	if by.Via != "" {
		if refusal := t.represents(by); refusal != nil {
			return nil, refusal
		}
	}
	return t.seated(by.Seat, "table_id")
}

// sitAs finds the seat as which the caller looks: the own one if none is named,
// another for the GM.
func (t *table) sitAs(by Caller, asSeat string) (*sitting, *rule.Refusal) {
	own, refusal := t.sit(by)
	switch {
	case refusal != nil || asSeat == "" || asSeat == by.Seat:
		return own, refusal
	case !own.gm():
		return nil, notYours("as_seat").Say("gm_looks_as_another")
	}
	return t.seated(asSeat, "as_seat")
}

// seated finds a seat; the field is the one that names it.
func (t *table) seated(id, field string) (*sitting, *rule.Refusal) {
	i := seatIndex(t.seats, id)
	if i < 0 {
		return nil, notFound(field)
	}
	seat := t.seats[i]
	s := &sitting{seat: seat, viewer: view.ViewerOf(seat)}
	s.rule = rule.Seat{ID: seat.Id, GM: s.viewer.GM}
	if !s.viewer.Observer {
		s.rule.Characters = seat.Characters
	}
	if s.viewer.GM {
		s.rule.Characters = append(slices.Clone(s.rule.Characters), t.ownerless()...)
	}
	return s, nil
}

// ownerless are the players' characters that no seat controls: the GM does.
func (t *table) ownerless() []string {
	var out []string
	for _, o := range t.vis.Owners {
		if o.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC && len(o.Seats) == 0 {
			out = append(out, o.Character)
		}
	}
	return out
}

// Look is how a seat sees the moments of its table.
type Look struct {
	// Game of the table.
	Game *Game
	// Table is the table's id.
	Table string

	keys   *keys
	tag    tag
	viewer view.Viewer
	via    string // the bridge that looks for the seat, or empty
	seats  []*tablev1.Seat
	lang   string
	closed int32 // the last epoch of dice of which all is revealed
}

// Look lets a seat look, and shows the table as it is now: its windows, without
// events.
func (h *Host) Look(ctx context.Context, by Caller) (*Look, *Moment, error) {
	return h.lookAs(ctx, by, "")
}

// lookAs is Look with the eyes of another seat, for the GM.
func (h *Host) lookAs(ctx context.Context, by Caller, asSeat string) (*Look, *Moment, error) {
	type both struct {
		look *Look
		now  *Moment
	}
	b, err := ask(ctx, h, by.Table, func(t *table) (both, error) {
		s, refusal := t.sitAs(by, asSeat)
		if refusal != nil {
			return both{}, refusal
		}
		look := t.look(s, by.Lang)
		look.via = by.Via
		return both{look, t.present()}, nil
	})
	return b.look, b.now, err
}

// At is how the seat looks at a moment, for which it may have got another role,
// or another company;
// false if it is not at the table any more, or the bridge that looks for it may
// not act for it any more. Moments that were read from the log
// do not tell of seats: the look stays.
func (l *Look) At(m *Moment) (*Look, bool) {
	if !m.Asked {
		return l, true
	}
	seat := l.seat(m.Seats)
	if seat == nil || l.via != "" && !admissionOf(m.admissions, l.via).covers(seat.Id) {
		return l, false
	}
	// Whom an event is told to is told to GMs alone. Seats are replaced, and never
	// changed.
	if v := view.ViewerOf(seat); v != l.viewer || v.GM && !slices.Equal(m.Seats, l.seats) {
		changed := *l
		changed.viewer, changed.seats = v, m.Seats
		return &changed, true
	}
	return l, true
}

// Concerned reports whether what the seat may do is another thing at a moment than
// with the seats before: its own, or for a GM any, since a GM controls whom nobody
// else does.
func (l *Look) Concerned(before []*tablev1.Seat, m *Moment) bool {
	return m.Reseated && (l.viewer.GM || !proto.Equal(l.seat(before), l.seat(m.Seats)))
}

// seat is the seat that looks; nil if it is not among them.
func (l *Look) seat(all []*tablev1.Seat) *tablev1.Seat {
	if i := seatIndex(all, l.viewer.Seat); i >= 0 {
		return all[i]
	}
	return nil
}

// seatIndex is where a seat is among others; -1 if it is not.
func seatIndex(all []*tablev1.Seat, id string) int {
	return slices.IndexFunc(all, func(s *tablev1.Seat) bool { return s.Id == id })
}

func (t *table) look(s *sitting, lang string) *Look {
	return &Look{Game: t.game, Table: t.id, keys: t.host.keys, tag: t.tag, viewer: s.viewer, lang: lang, seats: t.seats, closed: t.res.DiceClosed()}
}

// Events are what the seat sees of a moment's events, with their texts.
func (l *Look) Events(m *Moment) []*tablev1.EventView {
	var out []*tablev1.EventView
	for _, e := range m.Told {
		h := l.handles(e)
		v := view.Event(e.Event, l.viewer, m.Visibility, h, l.Game.Rules.PublicName)
		if v == nil {
			continue
		}
		v.StepId = opaque(l.keys.steps, l.tag, m.Commit)
		v.ToldTo = l.toldTo(e.Event, m.Visibility, h)
		view.Render(v, l.lang, l.Game.Texts, m.names.of)
		out = append(out, v)
	}
	return out
}

// handles are the opaque names of an event and of those that it speaks of.
func (l *Look) handles(e Told) view.Handles {
	h := view.Handles{Event: opaque(l.keys.events, l.tag, e.Sequence), Closed: l.closed, Undoes: l.others(e.Undoes), Redoes: l.others(e.Redoes)}
	if e.Cause != nil {
		h.Cause = opaque(l.keys.events, l.tag, e.Cause.sequence)
		h.CauseEvent, h.CauseVisibility = e.Cause.event, e.Cause.visibility
	}
	return h
}

func (l *Look) others(all []past) []view.Other {
	var out []view.Other
	for _, p := range all {
		out = append(out, view.Other{ID: opaque(l.keys.events, l.tag, p.sequence), Event: p.event, Visibility: p.visibility})
	}
	return out
}

// toldTo are the seats that are told of an event, for a GM's client, which must
// not show more to the others; nil if all are.
func (l *Look) toldTo(ev *tablev1.Event, vis *tablev1.Visibility, h view.Handles) []string {
	if !l.viewer.GM {
		return nil
	}
	told := make([]string, 0, len(l.seats))
	for _, s := range l.seats {
		if view.Sees(ev, view.ViewerOf(s), vis, h, l.Game.Rules.PublicName) {
			told = append(told, s.Id)
		}
	}
	if len(told) == len(l.seats) {
		return nil
	}
	return told
}

// sees reports whether the seat sees any event of a moment.
func (l *Look) sees(m *Moment) bool {
	for _, e := range m.Told {
		if view.Sees(e.Event, l.viewer, m.Visibility, l.handles(e), l.Game.Rules.PublicName) {
			return true
		}
	}
	return false
}

// Prompts are the prompts that the seat may answer after a moment, with their
// texts, and all that the table waits for, as far as the seat may know.
func (l *Look) Prompts(m *Moment) ([]*tablev1.PromptView, []*tablev1.WaitingView) {
	s := &tablev1.State{Windows: m.Windows}
	prompts := view.Prompts(s, l.viewer, m.Visibility)
	for _, p := range prompts {
		view.RenderPrompt(p, l.lang, l.Game.Texts, m.names.of)
	}
	waiting := view.Waiting(s, l.viewer, m.Visibility, m.Seats)
	m.due.show(prompts, waiting, m.Windows)
	return prompts, waiting
}

// Cursor is the cursor of a reader who has read up to a commit.
func (l *Look) Cursor(commit int64) string {
	return l.keys.cursor("", Position{Table: l.Table, Commit: commit})
}

// Position is the commit up to which the reader with a cursor has read. The
// cursor of many views says it of one of them.
func (l *Look) Position(cursor string) (int64, error) {
	marks, ok := l.keys.marks(cursor)
	if ok {
		var n int64
		if n, ok = marks.Of(l.keys.place(l.viewer.Seat), l.Table); ok {
			return n, nil
		}
	}
	return 0, &Refused{Refusal: badCursor(), Game: l.Game}
}
