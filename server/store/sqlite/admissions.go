package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// Admit implements store.Store.
func (s *Store) Admit(ctx context.Context, a store.Admission) error {
	err := s.write(ctx, func(tx *tx) error {
		// The row stays when it is replaced: it has the bridge's place in the list.
		_, err := tx.exec(`
			INSERT INTO admissions (table_id, bridge_id, all_seats) VALUES (?, ?, ?)
			ON CONFLICT (table_id, bridge_id) DO UPDATE SET all_seats = excluded.all_seats`,
			a.TableID, a.BridgeID, a.All)
		if err != nil {
			return err
		}
		var position int64
		err = tx.row(`SELECT position FROM admissions WHERE table_id = ? AND bridge_id = ?`, a.TableID, a.BridgeID)(&position)
		if err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM admitted_seats WHERE admission = ?`, position); err != nil {
			return err
		}
		if a.All {
			return nil
		}
		if len(a.SeatIDs) == 0 {
			return store.ErrNotFound
		}
		for _, id := range a.SeatIDs {
			err := changed(tx.exec(`
				INSERT INTO admitted_seats (admission, seat_id)
				SELECT ?, id FROM seats WHERE id = ? AND table_id = ? AND revoke_time = 0`, position, id, a.TableID))
			if err != nil {
				return fmt.Errorf("seat %q: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("admit bridge %q to table %q: %w", a.BridgeID, a.TableID, err)
	}
	return nil
}

// Dismiss implements store.Store.
func (s *Store) Dismiss(ctx context.Context, tableID, bridgeID string) error {
	err := s.write(ctx, func(tx *tx) error {
		_, err := tx.exec(`
			DELETE FROM admitted_seats
			WHERE admission IN (SELECT position FROM admissions WHERE table_id = ? AND bridge_id = ?)`, tableID, bridgeID)
		if err != nil {
			return err
		}
		return changed(tx.exec(`DELETE FROM admissions WHERE table_id = ? AND bridge_id = ?`, tableID, bridgeID))
	})
	if err != nil {
		return fmt.Errorf("dismiss bridge %q from table %q: %w", bridgeID, tableID, err)
	}
	return nil
}

// excludeSeat takes a seat out of the admissions to its table, and with it those
// that were to it alone.
func excludeSeat(tx *tx, tableID, seatID string) error {
	if _, err := tx.exec(`DELETE FROM admitted_seats WHERE seat_id = ?`, seatID); err != nil {
		return err
	}
	_, err := tx.exec(`
		DELETE FROM admissions WHERE table_id = ? AND all_seats = 0
		AND position NOT IN (SELECT admission FROM admitted_seats)`, tableID)
	return err
}

// Admissions implements store.Store.
func (s *Store) Admissions(ctx context.Context, tableID string) ([]store.Admission, error) {
	var all []store.Admission
	err := s.read(ctx, `
		SELECT bridges.id, bridges.name, all_seats, coalesce(seats.id, '')
		FROM admissions JOIN bridges ON bridges.id = bridge_id
		LEFT JOIN admitted_seats ON admission = admissions.position
		LEFT JOIN seats ON seats.id = seat_id
		WHERE admissions.table_id = ? ORDER BY admissions.position, seats.position`, tableID,
	).each(func(scan scanner) error {
		a := store.Admission{TableID: tableID}
		var seat string
		if err := scan(&a.BridgeID, &a.BridgeName, &a.All, &seat); err != nil {
			return err
		}
		if n := len(all); n == 0 || all[n-1].BridgeID != a.BridgeID {
			all = append(all, a)
		}
		if !a.All {
			last := &all[len(all)-1]
			last.SeatIDs = append(last.SeatIDs, seat)
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = s.exists(ctx, tableID)
	}
	if err != nil {
		return nil, fmt.Errorf("admissions to table %q: %w", tableID, err)
	}
	return all, nil
}

// AdmittedTables implements store.Store.
func (s *Store) AdmittedTables(ctx context.Context, bridgeID string) ([]string, error) {
	admitting := s.read(ctx, `SELECT table_id FROM admissions WHERE bridge_id = ?`, bridgeID)
	ids, err := list(admitting, func(scan scanner) (id string, err error) {
		err = scan(&id)
		return id, err
	})
	if err != nil {
		return nil, fmt.Errorf("tables of bridge %q: %w", bridgeID, err)
	}
	return ids, nil
}

// AdmittedSeats implements store.Store.
func (s *Store) AdmittedSeats(ctx context.Context, bridgeID string, seatIDs []string) ([]store.Seat, error) {
	ids, err := json.Marshal(seatIDs)
	if err != nil {
		return nil, fmt.Errorf("seats of bridge %q: %w", bridgeID, err)
	}
	seats, err := list(s.read(ctx, selectSeat+`
		WHERE id IN (SELECT value FROM json_each(?)) AND revoke_time = 0 AND EXISTS (
			SELECT 1 FROM admissions
			WHERE admissions.table_id = seats.table_id AND bridge_id = ? AND (all_seats OR EXISTS (
				SELECT 1 FROM admitted_seats WHERE admission = admissions.position AND seat_id = seats.id)))`,
		string(ids), bridgeID,
	), func(scan scanner) (store.Seat, error) { return found(scanSeat(scan)) })
	if err != nil {
		return nil, fmt.Errorf("seats of bridge %q: %w", bridgeID, err)
	}
	return seats, nil
}
