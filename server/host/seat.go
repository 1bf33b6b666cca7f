package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
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

// Invited is a new seat with its token and pairing code, which are shown this
// once, and again to whoever repeats the request.
type Invited struct {
	Seat  *tablev1.Seat
	Token string
	Code  Code
}

// Invite makes a seat. The GM and the admin may.
func (h *Host) Invite(ctx context.Context, by Caller, n Invitation) (Invited, error) {
	out, kept, err := command(ctx, h, by, n.Request, func(t *table) (Invited, error) { return t.invite(ctx, by, n) })
	if err != nil || kept == nil {
		return out, err
	}
	// As it was invited: the seat may have changed since.
	return Invited{
		Seat:  &tablev1.Seat{Id: kept.Seat, Name: n.Name, Role: n.Role, Characters: n.Characters},
		Token: h.keys.token(auth.KindSeat, by.Table, by, n.Request),
		Code:  h.keys.firstCode(by.Table, by, n.Request, kept.Time),
	}, nil
}

func (t *table) invite(ctx context.Context, by Caller, n Invitation) (Invited, error) {
	if refusal := t.leads(by); refusal != nil {
		return Invited{}, refusal
	}
	if refusal := checkSeat(n.Name, n.Role, n.Characters); refusal != nil {
		return Invited{}, refusal
	}
	if len(t.seats) >= MaxSeats {
		return Invited{}, tooLarge("").Say("most_seats", rule.Number("most", MaxSeats))
	}
	row := store.Seat{
		ID: newID(), TableID: t.id, Name: n.Name, Role: int32(n.Role),
		Characters: n.Characters, CreateTimeMS: t.host.now().UnixMilli(),
	}
	token := t.host.keys.token(auth.KindSeat, t.id, by, n.Request)
	code := t.host.keys.firstCode(t.id, by, n.Request, row.CreateTimeMS)
	kept := record{Seat: row.ID, Time: row.CreateTimeMS}
	request, err := n.Request.entry(by, kept, row.CreateTimeMS)
	if err != nil {
		return Invited{}, err
	}
	err = t.host.store.CreateSeat(context.WithoutCancel(ctx), store.NewSeat{
		Seat: row, Token: store.Hash(auth.HashToken(token)), Pairing: t.host.keys.pairing(code, false), Request: request,
	})
	if err != nil {
		t.ahead = true // it may have been made all the same
		return Invited{}, err
	}
	if request != nil {
		t.done.add(by.principal(), n.Request, kept)
	}
	seat := &tablev1.Seat{Id: row.ID, Name: n.Name, Role: n.Role, Characters: n.Characters}
	t.roll = append(t.roll, row.ID)
	t.reseat(append(slices.Clone(t.seats), seat), "")
	return Invited{Seat: seat, Token: token, Code: code}, nil
}

// leads refuses whoever is neither the table's GM nor the admin.
func (t *table) leads(by Caller) *rule.Refusal {
	if by.Admin {
		return nil
	}
	s, refusal := t.sit(by)
	if refusal == nil && !s.gm() {
		refusal = notYours("").Say("gm_only")
	}
	return refusal
}

// reseat replaces the table's seats. The next commit is stamped with who controls
// whom now, and whoever watches is told, since prompts may have found another
// addressee. left is the seat whose streams end.
func (t *table) reseat(seats []*tablev1.Seat, left string) {
	t.seats = seats
	t.vis = stamp(t.game.Rules.Options, t.res.State(), t.seats)
	m := t.present()
	m.Reseated, m.Left = true, left
	t.host.tell.Publish(m)
	if err := t.wake(context.Background()); err != nil {
		t.host.log.Error("when a prompt is due was not stored", "table", t.id, "error", err)
	}
}

// checkSeat refuses a seat that cannot be.
func checkSeat(name string, role tablev1.SeatRole, characters []string) *rule.Refusal {
	if refusal := checkName("name", name); refusal != nil {
		return refusal
	}
	switch role {
	case tablev1.SeatRole_SEAT_ROLE_GM, tablev1.SeatRole_SEAT_ROLE_PLAYER:
	case tablev1.SeatRole_SEAT_ROLE_OBSERVER:
		if len(characters) > 0 {
			return invalid("characters").Say("observer_controls_nobody")
		}
	default:
		return invalid("role").
			Say("enum", rule.Code("names", "SEAT_ROLE_GM", "SEAT_ROLE_PLAYER", "SEAT_ROLE_OBSERVER"))
	}
	for i, id := range characters {
		if !goodID.MatchString(id) || slices.Contains(characters[:i], id) {
			return invalid("characters").Say("ids_each_once")
		}
	}
	if len(characters) > MaxCharacters {
		return tooLarge("characters").Say("repeated.max_items", rule.Number("max_items", MaxCharacters))
	}
	return nil
}

// SeatChange is what is to become of a seat; nil leaves a thing as it is.
type SeatChange struct {
	// Seat is the seat's id.
	Seat string
	// Name at the table.
	Name *string
	// Role says what it may do.
	Role *tablev1.SeatRole
	// Characters that it controls.
	Characters *[]string
}

// UpdateSeat changes a seat. The GM and the admin may.
func (h *Host) UpdateSeat(ctx context.Context, by Caller, n SeatChange) (*tablev1.Seat, error) {
	return ask(ctx, h, by.Table, func(t *table) (*tablev1.Seat, error) {
		i, refusal := t.led(by, n.Seat)
		if refusal != nil {
			return nil, refusal
		}
		old := t.seats[i]
		seat := proto.CloneOf(old)
		if n.Name != nil {
			seat.Name = *n.Name
		}
		if n.Role != nil {
			seat.Role = *n.Role
		}
		if n.Characters != nil {
			seat.Characters = slices.Clone(*n.Characters)
		}
		if refusal := checkSeat(seat.Name, seat.Role, seat.Characters); refusal != nil {
			return nil, refusal
		}
		if seat.Role != tablev1.SeatRole_SEAT_ROLE_GM && t.onlyGM(i) {
			return nil, lastGM("role")
		}
		if proto.Equal(old, seat) {
			return seat, nil
		}
		return seat, t.changeSeat(context.WithoutCancel(ctx), i, seat)
	})
}

// changeSeat puts a seat in the place of the i-th, in the store and here.
func (t *table) changeSeat(ctx context.Context, i int, seat *tablev1.Seat) error {
	row, err := rowOf(seat)
	if err != nil {
		return err
	}
	row.TableID = t.id
	if err := t.host.store.UpdateSeat(ctx, row); err != nil {
		t.ahead = true // it may have been changed all the same
		return err
	}
	seats := slices.Clone(t.seats)
	seats[i] = seat
	t.reseat(seats, "")
	return nil
}

// RevokeSeat takes a seat away: its tokens die and its streams end. The GM and
// the admin may.
func (h *Host) RevokeSeat(ctx context.Context, by Caller, id string) error {
	_, err := ask(ctx, h, by.Table, func(t *table) (struct{}, error) {
		i, refusal := t.led(by, id)
		if refusal != nil {
			return struct{}{}, refusal
		}
		if t.onlyGM(i) {
			return struct{}{}, lastGM("seat_id")
		}
		err := t.host.store.RevokeSeat(context.WithoutCancel(ctx), t.id, id, t.host.now().UnixMilli())
		t.host.tokens.forget()
		if err != nil {
			t.ahead = true // it may be gone all the same
			return struct{}{}, err
		}
		t.exclude(id)
		t.reseat(slices.Delete(slices.Clone(t.seats), i, i+1), id)
		return struct{}{}, nil
	})
	return err
}

// led is the index of a seat that the caller may dispose of.
func (t *table) led(by Caller, id string) (int, *rule.Refusal) {
	if refusal := t.leads(by); refusal != nil {
		return 0, refusal
	}
	i := seatIndex(t.seats, id)
	if i < 0 {
		return 0, notFound("seat_id")
	}
	return i, nil
}

// onlyGM reports whether a seat is the only GM's.
func (t *table) onlyGM(i int) bool {
	gm := func(s *tablev1.Seat) bool { return s.Role == tablev1.SeatRole_SEAT_ROLE_GM }
	return gm(t.seats[i]) && !slices.ContainsFunc(t.seats[:i], gm) && !slices.ContainsFunc(t.seats[i+1:], gm)
}

// Seats are the seats of a table as the caller sees them, in the order in which
// they were made.
func (h *Host) Seats(ctx context.Context, by Caller) ([]*tablev1.Seat, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.Seat, error) {
		if refusal := t.attend(by); refusal != nil {
			return nil, refusal
		}
		// Seats name characters, which not everybody may know of.
		var out []*tablev1.Seat
		for _, v := range t.viewers(by) {
			out = merged(out, view.Table(&tablev1.State{}, v, t.vis, t.seatsNow()).Seats)
		}
		for _, seat := range out {
			view.RenderSeat(seat, by.Lang, t.game.Texts, t.names.of)
		}
		return out, nil
	})
}

// viewers are those whose views the caller has: the admin the GM's, a bridge that
// names no seat those of all for which it may act.
func (t *table) viewers(by Caller) []view.Viewer {
	if by.Admin {
		return []view.Viewer{{GM: true}}
	}
	var out []view.Viewer
	for _, s := range t.seats {
		if s.Id == by.Seat || by.Seat == "" && t.admission(by.Via).covers(s.Id) {
			out = append(out, view.ViewerOf(s))
		}
	}
	return out
}

// merged adds to seats what another view of them tells of their characters.
func merged(all, more []*tablev1.Seat) []*tablev1.Seat {
	if all == nil {
		return more
	}
	for i, s := range all {
		for _, id := range more[i].Characters {
			if !slices.Contains(s.Characters, id) {
				s.Characters = append(slices.Clip(s.Characters), id)
			}
		}
		if s.Policies == nil {
			s.Policies = more[i].Policies
		}
	}
	return all
}

// seatOf is a seat as the store keeps it.
func seatOf(s store.Seat) (*tablev1.Seat, error) {
	seat := &tablev1.Seat{}
	if err := proto.Unmarshal(s.Policies, seat); err != nil {
		return nil, fmt.Errorf("host: policies of seat %s: %w", s.ID, err)
	}
	seat.Id, seat.Name, seat.Role, seat.Characters = s.ID, s.Name, tablev1.SeatRole(s.Role), s.Characters
	return seat, nil
}

// rowOf is a seat for the store. Its policies are a seat that has nothing else.
func rowOf(s *tablev1.Seat) (store.Seat, error) {
	policies, err := proto.Marshal(&tablev1.Seat{Policies: s.Policies})
	return store.Seat{ID: s.Id, Name: s.Name, Role: int32(s.Role), Characters: s.Characters, Policies: policies}, err
}

// PrincipalByToken implements auth.Authenticator for the tokens of seats and
// bridges.
func (h *Host) PrincipalByToken(ctx context.Context, token auth.Hash) (auth.Principal, error) {
	p, epoch, ok := h.tokens.find(token)
	if ok {
		return p, nil
	}
	p, err := h.holder(ctx, store.Hash(token))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return auth.Principal{}, auth.ErrUnknownToken
	case err != nil:
		return auth.Principal{}, err
	}
	h.tokens.keep(token, p, epoch)
	return p, nil
}

// Holds refuses a caller whose token has died since it was shown. Whoever begins
// something that lasts asks when it would be told of a later death.
func (h *Host) Holds(ctx context.Context) error {
	token, ok := auth.TokenFromContext(ctx)
	if !ok {
		return nil
	}
	_, err := h.PrincipalByToken(ctx, token)
	if errors.Is(err, auth.ErrUnknownToken) {
		return &Refused{Refusal: rule.Core(tablev1.Reason_REASON_TOKEN_UNKNOWN, "")}
	}
	return err
}

// holder is who holds a token, as the store says.
func (h *Host) holder(ctx context.Context, token store.Hash) (auth.Principal, error) {
	s, err := h.store.SeatByToken(ctx, token)
	if !errors.Is(err, store.ErrNotFound) {
		return auth.Principal{Seat: s.ID, Table: s.TableID}, err
	}
	b, err := h.store.BridgeByToken(ctx, token)
	return auth.Principal{Bridge: b.ID}, err
}
