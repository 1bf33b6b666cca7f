package sqlite

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/server/store"
)

// Tokens and codes are found by an index over their hashes. How long that takes
// may tell of a hash, but nobody can choose what he hashes to.

// SeatByToken implements store.Store.
func (s *Store) SeatByToken(ctx context.Context, token store.Hash) (store.Seat, error) {
	seat, err := found(scanSeat(s.read(ctx, selectSeat+`WHERE id = (SELECT seat_id FROM tokens WHERE hash = ?)`, token[:]).scan))
	if err != nil {
		return store.Seat{}, fmt.Errorf("seat by token: %w", err)
	}
	return seat, nil
}

// Tokens implements store.Store.
func (s *Store) Tokens(ctx context.Context, seatID string) ([]store.Token, error) {
	held := s.read(ctx, `SELECT hash, name, create_time FROM tokens WHERE seat_id = ? ORDER BY position`, seatID)
	tokens, err := list(held, func(scan scanner) (t store.Token, err error) {
		var hash []byte
		err = scan(&hash, &t.Name, &t.CreateTimeMS)
		copy(t.Hash[:], hash)
		return t, err
	})
	if err != nil {
		return nil, fmt.Errorf("tokens of seat %q: %w", seatID, err)
	}
	return tokens, nil
}

// SavePairing implements store.Store.
func (s *Store) SavePairing(ctx context.Context, seatID string, p store.Pairing, nowMS int64) error {
	err := s.write(ctx, func(tx *tx) error {
		var id string
		if err := tx.row(`SELECT id FROM seats WHERE id = ? AND revoke_time = 0`, seatID)(&id); err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM pairings WHERE seat_id = ? OR expire_time <= ?`, seatID, nowMS); err != nil {
			return err
		}
		return insertPairing(tx, seatID, p)
	})
	if err != nil {
		return fmt.Errorf("pairing code of seat %q: %w", seatID, err)
	}
	return nil
}

// Pair implements store.Store.
func (s *Store) Pair(ctx context.Context, code store.Hash, t store.Token) (store.Seat, store.Pairing, error) {
	var seat store.Seat
	p := store.Pairing{Code: code}
	err := s.write(ctx, func(tx *tx) error {
		found := tx.row(`
			SELECT seat_id, replaces, expire_time FROM pairings WHERE code = ? AND expire_time > ?`,
			code[:], t.CreateTimeMS)
		err := found(&seat.ID, &p.Replace, &p.ExpireTimeMS)
		if err != nil {
			return err
		}
		if seat, err = scanSeat(tx.row(selectSeat+`WHERE id = ?`, seat.ID)); err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM pairings WHERE seat_id = ?`, seat.ID); err != nil {
			return err
		}
		if p.Replace {
			if err := deleteTokens(tx, seat.ID); err != nil {
				return err
			}
		}
		return insertToken(tx, seat.ID, t)
	})
	if err != nil {
		return store.Seat{}, store.Pairing{}, fmt.Errorf("pair: %w", err)
	}
	return seat, p, nil
}

func insertPairing(tx *tx, seatID string, p store.Pairing) error {
	_, err := tx.exec(`INSERT INTO pairings (seat_id, code, replaces, expire_time) VALUES (?, ?, ?, ?)`,
		seatID, p.Code[:], p.Replace, p.ExpireTimeMS)
	return err
}

func insertToken(tx *tx, seatID string, t store.Token) error {
	_, err := tx.exec(`INSERT INTO tokens (hash, seat_id, name, create_time) VALUES (?, ?, ?, ?)`,
		t.Hash[:], seatID, t.Name, t.CreateTimeMS)
	return err
}

func deleteTokens(tx *tx, seatID string) error {
	_, err := tx.exec(`DELETE FROM tokens WHERE seat_id = ?`, seatID)
	return err
}
