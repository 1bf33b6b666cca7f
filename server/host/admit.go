package host

import (
	"context"
	"errors"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
)

// MaxBridges is the most bridges that a table admits.
const MaxBridges = 20

// Admission is a bridge and the seats of a table for which it may act.
type Admission struct {
	// Bridge is its id, Name its name, which is only told.
	Bridge, Name string
	// All is true for every seat, now and later; otherwise Seats are the seats.
	All   bool
	Seats []string
}

// Admit lets a bridge act for seats, in place of what was said of it before. The
// GM and the admin may.
func (h *Host) Admit(ctx context.Context, by Caller, a Admission) (Admission, error) {
	return ask(ctx, h, by.Table, func(t *table) (Admission, error) {
		if refusal := t.leads(by); refusal != nil {
			return Admission{}, refusal
		}
		if refusal := t.checkAdmission(a); refusal != nil {
			return Admission{}, refusal
		}
		ctx := context.WithoutCancel(ctx)
		err := h.store.Admit(ctx, store.Admission{TableID: t.id, BridgeID: a.Bridge, All: a.All, SeatIDs: a.Seats})
		if errors.Is(err, store.ErrNotFound) { // the table and the seats are there
			return Admission{}, notFound("bridge_id")
		}
		if err == nil {
			t.admissions, err = h.admissions(ctx, t.id)
		}
		if err != nil {
			t.ahead = true // it may have been admitted all the same
			return Admission{}, err
		}
		t.readmit()
		if now := t.admission(a.Bridge); now != nil {
			return *now, nil
		}
		return Admission{}, notFound("bridge_id") // it was removed in between
	})
}

// checkAdmission refuses what cannot be said of a bridge.
func (t *table) checkAdmission(a Admission) *rule.Refusal {
	if a.All == (len(a.Seats) > 0) {
		return invalid("seat_ids").Say("oneof", rule.Code("names", "seat_ids", "all_seats"))
	}
	for i, id := range a.Seats {
		if _, refusal := t.seated(id, "seat_ids"); refusal != nil {
			return refusal
		}
		if slices.Contains(a.Seats[:i], id) {
			return invalid("seat_ids").Say("repeated.unique")
		}
	}
	if len(t.admissions) >= MaxBridges && t.admission(a.Bridge) == nil {
		return tooLarge("bridge_id").Say("most_bridges", rule.Number("most", MaxBridges))
	}
	return nil
}

// Dismiss takes a bridge's admission away. The GM and the admin may.
func (h *Host) Dismiss(ctx context.Context, by Caller, bridge string) error {
	_, err := ask(ctx, h, by.Table, func(t *table) (struct{}, error) {
		if refusal := t.leads(by); refusal != nil {
			return struct{}{}, refusal
		}
		if t.admission(bridge) == nil {
			return struct{}{}, notFound("bridge_id")
		}
		err := h.store.Dismiss(context.WithoutCancel(ctx), t.id, bridge)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // the bridge itself may be gone by now
			t.ahead = true // the admission may be, all the same
			return struct{}{}, err
		}
		t.admissions = slices.DeleteFunc(slices.Clone(t.admissions), func(a *Admission) bool { return a.Bridge == bridge })
		t.readmit()
		return struct{}{}, nil
	})
	return err
}

// readmit tells those who watch for others that the admissions have changed.
func (t *table) readmit() {
	m := t.present()
	m.Readmitted = true
	t.host.tell.Publish(m)
}

// exclude takes a seat out of the admissions, and with it those to it alone, as
// the store does when it is revoked.
func (t *table) exclude(seat string) {
	var left []*Admission
	for _, a := range t.admissions {
		if slices.Contains(a.Seats, seat) {
			fewer := *a
			fewer.Seats = slices.DeleteFunc(slices.Clone(a.Seats), func(id string) bool { return id == seat })
			a = &fewer
		}
		if a.All || len(a.Seats) > 0 {
			left = append(left, a)
		}
	}
	t.admissions = left
}

// Admissions are the bridges that may act for seats of a table. Whoever may know
// of the table may know them.
func (h *Host) Admissions(ctx context.Context, by Caller) ([]Admission, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]Admission, error) {
		if refusal := t.attend(by); refusal != nil {
			return nil, refusal
		}
		var out []Admission
		for _, a := range t.admissions {
			if t.admission(a.Bridge) != nil {
				out = append(out, *a)
			}
		}
		return out, nil
	})
}

// admissions reads a table's admissions.
func (h *Host) admissions(ctx context.Context, table string) ([]*Admission, error) {
	rows, err := h.store.Admissions(ctx, table)
	if err != nil {
		return nil, err
	}
	var out []*Admission
	for _, a := range rows {
		out = append(out, &Admission{Bridge: a.BridgeID, Name: a.BridgeName, All: a.All, Seats: a.SeatIDs})
	}
	return out, nil
}

// admission is a bridge's; nil if there is none, or the bridge was removed since.
func (t *table) admission(bridge string) *Admission {
	if gone, _ := t.host.removed.Load(bridge); gone == true {
		return nil
	}
	return admissionOf(t.admissions, bridge)
}

func admissionOf(all []*Admission, bridge string) *Admission {
	if i := slices.IndexFunc(all, func(a *Admission) bool { return a.Bridge == bridge }); i >= 0 {
		return all[i]
	}
	return nil
}

// covers reports whether the bridge may act for a seat, if it is one of the
// table's.
func (a *Admission) covers(seat string) bool {
	return a != nil && (a.All || slices.Contains(a.Seats, seat))
}

// attend refuses whoever may not know of the table: a bridge may without naming a
// seat.
func (t *table) attend(by Caller) *rule.Refusal {
	switch {
	case by.Admin:
		return nil
	case by.Via != "" && by.Seat == "":
		if t.admission(by.Via) == nil {
			return notFound("table_id")
		}
		return nil
	}
	_, refusal := t.sit(by)
	return refusal
}

// represents refuses a bridge that may not act for the caller's seat. Where it is
// not admitted there is no table, and of seats for which it may not act it is not
// told whether they are there.
func (t *table) represents(by Caller) *rule.Refusal {
	a := t.admission(by.Via)
	switch {
	case a == nil:
		return notFound("table_id")
	case by.Seat == "":
		return seatMissing("")
	case !a.covers(by.Seat) || seatIndex(t.seats, by.Seat) < 0:
		return notRepresented()
	}
	return nil
}

func notRepresented() *rule.Refusal {
	return notYours(auth.SeatHeader).Say("bridge_not_admitted")
}

func seatMissing(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_SEAT_MISSING, field)
}

// Represented finds the tables of seats for which a bridge wants to act: a caller
// for each of the seats, in their order, and those for which it may not.
func (h *Host) Represented(ctx context.Context, by Caller, seats []string) (all []Caller, missing []string, err error) {
	rows, err := h.store.AdmittedSeats(ctx, by.Via, seats)
	if err != nil {
		return nil, nil, err
	}
	tables := make(map[string]string, len(rows))
	for _, s := range rows {
		tables[s.ID] = s.TableID
	}
	for _, id := range seats {
		if tables[id] == "" {
			missing = append(missing, id)
			continue
		}
		all = append(all, Caller{Table: tables[id], Seat: id, Via: by.Via, Lang: by.Lang})
	}
	return all, missing, nil
}
