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
		if err := insertSeat(tx, n.Seat, n.Token); err != nil {
			return err
		}
		return insertRequest(tx, n.Seat.TableID, n.Request)
	})
	if err != nil {
		return fmt.Errorf("create seat %q at table %q: %w", n.Seat.ID, n.Seat.TableID, err)
	}
	return nil
}

func insertSeat(tx *tx, s store.Seat, token store.Hash) error {
	characters, err := json.Marshal(s.Characters)
	if err != nil {
		return err
	}
	_, err = tx.exec(`
		INSERT INTO seats (id, table_id, name, role, characters, token, create_time)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		s.ID, s.TableID, s.Name, s.Role, string(characters), token[:], s.CreateTimeMS)
	return err
}

// setCharacters replaces the characters of a seat of that table.
func setCharacters(tx *tx, tableID string, c store.SeatCharacters) error {
	characters, err := json.Marshal(c.Characters)
	if err != nil {
		return err
	}
	changed, err := tx.exec(`UPDATE seats SET characters = ? WHERE id = ? AND table_id = ?`,
		string(characters), c.SeatID, tableID)
	if err != nil {
		return err
	}
	if changed == 0 {
		return fmt.Errorf("seat %q: %w", c.SeatID, store.ErrNotFound)
	}
	return nil
}

const selectSeat = `SELECT id, table_id, name, role, characters, create_time FROM seats `

// Seats implements store.Store.
func (s *Store) Seats(ctx context.Context, tableID string) ([]store.Seat, error) {
	var seats []store.Seat
	err := s.read(ctx, selectSeat+`WHERE table_id = ? ORDER BY position`, tableID).each(func(scan scanner) error {
		seat, err := scanSeat(scan)
		seats = append(seats, seat)
		return err
	})
	if err == nil && len(seats) == 0 {
		err = s.exists(ctx, tableID)
	}
	if err != nil {
		return nil, fmt.Errorf("seats of table %q: %w", tableID, err)
	}
	return seats, nil
}

// SeatByToken implements store.Store.
func (s *Store) SeatByToken(ctx context.Context, token store.Hash) (store.Seat, error) {
	seat, err := scanSeat(s.read(ctx, selectSeat+`WHERE token = ?`, token[:]).scan)
	if err != nil {
		return store.Seat{}, fmt.Errorf("seat by token: %w", err)
	}
	return seat, nil
}

func scanSeat(scan scanner) (store.Seat, error) {
	var seat store.Seat
	var characters []byte
	err := scan(&seat.ID, &seat.TableID, &seat.Name, &seat.Role, &characters, &seat.CreateTimeMS)
	if err != nil {
		return store.Seat{}, err
	}
	return seat, json.Unmarshal(characters, &seat.Characters)
}
