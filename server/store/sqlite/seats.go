package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// CreateSeat implements store.Store.
func (s *Store) CreateSeat(ctx context.Context, n store.NewSeat) error {
	err := s.write(ctx, func(tx *tx) error {
		if err := insertSeat(tx, n.Seat, n.Token, n.Pairing); err != nil {
			return err
		}
		return insertRequest(tx, n.Seat.TableID, n.Request)
	})
	if err != nil {
		return fmt.Errorf("create seat %q at table %q: %w", n.Seat.ID, n.Seat.TableID, err)
	}
	return nil
}

func insertSeat(tx *tx, s store.Seat, token store.Hash, p *store.Pairing) error {
	characters, err := json.Marshal(s.Characters)
	if err != nil {
		return err
	}
	s.RevokeTimeMS = 0
	_, err = tx.exec(`
		INSERT INTO seats (id, table_id, name, role, characters, policies, create_time, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		s.ID, s.TableID, s.Name, s.Role, string(characters), blob(s.Policies), s.CreateTimeMS, seatSum(s, characters))
	if err != nil {
		return err
	}
	if err := insertToken(tx, s.ID, store.Token{Hash: token, CreateTimeMS: s.CreateTimeMS}); err != nil {
		return err
	}
	if p == nil {
		return nil
	}
	return insertPairing(tx, s.ID, *p)
}

// seatSum is the checksum of a seat's row.
func seatSum(s store.Seat, characters []byte) int64 {
	return sumOf(s.ID, s.TableID, s.Name, int64(s.Role), characters, s.Policies, s.CreateTimeMS, s.RevokeTimeMS)
}

// changeSeat changes what may change of a seat of that table.
func changeSeat(tx *tx, tableID, seatID string, change func(*store.Seat)) error {
	seat, err := scanSeat(tx.row(selectSeat+`WHERE id = ? AND table_id = ? AND revoke_time = 0`, seatID, tableID))
	if err != nil {
		return err
	}
	change(&seat)
	characters, err := json.Marshal(seat.Characters)
	if err != nil {
		return err
	}
	_, err = tx.exec(`UPDATE seats SET name = ?, role = ?, characters = ?, policies = ?, revoke_time = ?, sum = ? WHERE id = ?`,
		seat.Name, seat.Role, string(characters), blob(seat.Policies), seat.RevokeTimeMS, seatSum(seat, characters), seatID)
	return err
}

// UpdateSeat implements store.Store.
func (s *Store) UpdateSeat(ctx context.Context, seat store.Seat) error {
	err := s.write(ctx, func(tx *tx) error {
		return changeSeat(tx, seat.TableID, seat.ID, func(kept *store.Seat) {
			kept.Name, kept.Role, kept.Characters, kept.Policies = seat.Name, seat.Role, seat.Characters, seat.Policies
		})
	})
	if err != nil {
		return fmt.Errorf("update seat %q at table %q: %w", seat.ID, seat.TableID, err)
	}
	return nil
}

// RevokeSeat implements store.Store.
func (s *Store) RevokeSeat(ctx context.Context, tableID, seatID string, timeMS int64) error {
	err := s.write(ctx, func(tx *tx) error {
		err := changeSeat(tx, tableID, seatID, func(seat *store.Seat) { seat.RevokeTimeMS = timeMS })
		if err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM pairings WHERE seat_id = ?`, seatID); err != nil {
			return err
		}
		if err := excludeSeat(tx, tableID, seatID); err != nil {
			return err
		}
		return deleteTokens(tx, seatID)
	})
	if err != nil {
		return fmt.Errorf("revoke seat %q at table %q: %w", seatID, tableID, err)
	}
	return nil
}

// changed makes an error of a statement that found nothing to change.
func changed(rows int64, err error) error {
	if err == nil && rows == 0 {
		err = store.ErrNotFound
	}
	return err
}

// setCharacters replaces the characters of a seat of that table.
func setCharacters(tx *tx, tableID string, c store.SeatCharacters) error {
	err := changeSeat(tx, tableID, c.SeatID, func(seat *store.Seat) { seat.Characters = c.Characters })
	if err != nil {
		return fmt.Errorf("seat %q: %w", c.SeatID, err)
	}
	return nil
}

const selectSeat = `SELECT id, table_id, name, role, characters, policies, create_time, revoke_time, sum FROM seats `

// Seats implements store.Store.
func (s *Store) Seats(ctx context.Context, tableID string) ([]store.Seat, error) {
	seats, err := list(s.read(ctx, selectSeat+`WHERE table_id = ? ORDER BY position`, tableID), scanSeat)
	if err == nil && len(seats) == 0 {
		err = s.exists(ctx, tableID)
	}
	if err != nil {
		return nil, fmt.Errorf("seats of table %q: %w", tableID, err)
	}
	return seats, nil
}

func scanSeat(scan scanner) (store.Seat, error) {
	var seat store.Seat
	var characters []byte
	var sum int64
	err := scan(&seat.ID, &seat.TableID, &seat.Name, &seat.Role, &characters, &seat.Policies, &seat.CreateTimeMS, &seat.RevokeTimeMS, &sum)
	switch {
	case err != nil:
		return store.Seat{}, err
	case sum != seatSum(seat, characters):
		return seat, fmt.Errorf("seat %q: %w", seat.ID, store.ErrDamaged)
	}
	return seat, json.Unmarshal(characters, &seat.Characters)
}
