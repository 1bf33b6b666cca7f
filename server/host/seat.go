package host

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
)

// Invitation is a seat that is to be made.
type Invitation struct {
	// Request identifies the request.
	Request Request
	// Name at the table.
	Name string
	// Role says what it may do.
	Role tablev1.SeatRole
	// Characters that it controls, also those that are still to come.
	Characters []string
}

// Invited is a new seat with its token, which is shown this once, and again to
// whoever repeats the request.
type Invited struct {
	Seat  *tablev1.Seat
	Token string
}

// Invite makes a seat. The GM and the admin may.
func (h *Host) Invite(ctx context.Context, by Caller, n Invitation) (Invited, error) {
	out, kept, err := command(ctx, h, by, n.Request, func(t *table) (Invited, error) { return t.invite(ctx, by, n) })
	if err != nil || kept == nil {
		return out, err
	}
	return ask(ctx, h, by.Table, func(t *table) (Invited, error) {
		s, refusal := t.seated(kept.Seat, "table_id")
		if refusal != nil {
			return Invited{}, refusal
		}
		// As it was invited: characters may have come to the seat since.
		seat := &tablev1.Seat{Id: s.seat.Id, Name: s.seat.Name, Role: s.seat.Role, Characters: n.Characters}
		return Invited{Seat: seat, Token: h.keys.token(t.id, by.principal(), n.Request)}, nil
	})
}

func (t *table) invite(ctx context.Context, by Caller, n Invitation) (Invited, error) {
	if !by.Admin {
		s, refusal := t.sit(by)
		if refusal != nil {
			return Invited{}, refusal
		}
		if !s.gm() {
			return Invited{}, notYours("", "only the GM invites")
		}
	}
	if refusal := t.checkInvitation(n); refusal != nil {
		return Invited{}, refusal
	}
	row := store.Seat{
		ID: newID(), TableID: t.id, Name: n.Name, Role: int32(n.Role),
		Characters: n.Characters, CreateTimeMS: t.host.now().UnixMilli(),
	}
	token := auth.NewToken(auth.KindSeat)
	if n.Request.ID != "" {
		token = t.host.keys.token(t.id, by.principal(), n.Request)
	}
	kept := record{Seat: row.ID}
	request, err := n.Request.entry(by, kept)
	if err != nil {
		return Invited{}, err
	}
	err = t.host.store.CreateSeat(context.WithoutCancel(ctx), store.NewSeat{
		Seat: row, Token: store.Hash(auth.HashToken(token)), Request: request,
	})
	if err != nil {
		t.ahead = true // it may have been made all the same
		return Invited{}, err
	}
	if request != nil {
		t.done.add(by.principal(), n.Request, kept)
	}
	seat := seatOf(row)
	t.seats = append(slices.Clone(t.seats), seat)
	t.vis = stamp(t.game.Rules.Options, t.res.State(), t.seats)
	// Prompts may have found another addressee.
	t.host.tell.Publish(t.present())
	return Invited{Seat: seat, Token: token}, nil
}

func (t *table) checkInvitation(n Invitation) *rule.Refusal {
	if refusal := checkName("name", n.Name); refusal != nil {
		return refusal
	}
	switch n.Role {
	case tablev1.SeatRole_SEAT_ROLE_GM, tablev1.SeatRole_SEAT_ROLE_PLAYER:
	case tablev1.SeatRole_SEAT_ROLE_OBSERVER:
		if len(n.Characters) > 0 {
			return invalid("characters", "who only looks on controls nobody")
		}
	default:
		return invalid("role", "GM, player or observer")
	}
	for i, id := range n.Characters {
		if !goodID.MatchString(id) || slices.Contains(n.Characters[:i], id) {
			return invalid("characters", "ids, each once")
		}
	}
	switch {
	case len(n.Characters) > MaxSeats:
		return tooLarge("characters", "at most "+strconv.Itoa(MaxSeats))
	case len(t.seats) >= MaxSeats:
		return tooLarge("", "a table has at most "+strconv.Itoa(MaxSeats)+" seats")
	}
	return nil
}

// Seats are the seats of a table as the caller sees them, in the order in which
// they were made.
func (h *Host) Seats(ctx context.Context, by Caller) ([]*tablev1.Seat, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.Seat, error) {
		viewer := view.Viewer{GM: true}
		if !by.Admin {
			s, refusal := t.sit(by)
			if refusal != nil {
				return nil, refusal
			}
			viewer = s.viewer
		}
		// Seats name characters, which not everybody may know of.
		return view.Table(&tablev1.State{}, viewer, t.vis, t.seats).Seats, nil
	})
}

func seatOf(s store.Seat) *tablev1.Seat {
	return &tablev1.Seat{Id: s.ID, Name: s.Name, Role: tablev1.SeatRole(s.Role), Characters: s.Characters}
}

// PrincipalByToken implements auth.Authenticator for the tokens of seats.
func (h *Host) PrincipalByToken(ctx context.Context, token auth.Hash) (auth.Principal, error) {
	s, err := h.store.SeatByToken(ctx, store.Hash(token))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return auth.Principal{}, auth.ErrUnknownToken
	case err != nil:
		return auth.Principal{}, err
	}
	return auth.Principal{Seat: s.ID, Table: s.TableID}, nil
}
