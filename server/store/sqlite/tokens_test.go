package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/hantei/hantei/server/store"
)

// Seats of the first schema, which had one token each, keep it.
func TestMigrateTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hantei.db")
	conn := connect(t, path)
	if err := migrate(t.Context(), conn, schema()[:1]); err != nil {
		t.Fatal(err)
	}
	hash := store.Hash{1, 2, 3}
	_, err := conn.ExecContext(t.Context(), `
		INSERT INTO tables (id, name, ruleset, options, pack_hash, create_time) VALUES ('t', 'T', 'coc', x'', '', 1);
		INSERT INTO seats (position, id, table_id, name, role, characters, token, create_time)
		VALUES (7, 's', 't', 'S', 2, '["nurse"]', ?, 5)`, hash[:])
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	seat, err := s.SeatByToken(t.Context(), hash)
	if err != nil || seat.ID != "s" || seat.TableID != "t" || len(seat.Characters) != 1 || seat.RevokeTimeMS != 0 {
		t.Errorf("%+v, %v", seat, err)
	}
	tokens, err := s.Tokens(t.Context(), "s")
	if err != nil || len(tokens) != 1 || tokens[0] != (store.Token{Hash: hash, CreateTimeMS: 5}) {
		t.Errorf("%+v, %v", tokens, err)
	}
}
