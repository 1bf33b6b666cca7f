package host

import (
	"crypto/rand"
	"encoding/binary"
	"hash"
	"strings"

	"github.com/hantei/hantei/server/store"
)

// Position is how far a reader has read a table.
type Position struct {
	// Table is the table's id.
	Table string
	// Commit is the number of the last commit that was read; 0 for none.
	Commit int64
}

// What a token is for; the first byte of its authenticated data.
const (
	cursorKind  = 'c' // of one table
	marksKind   = 'm' // of many views
	tablesKind  = 'p' // of a list of tables
	bridgesKind = 'b'
)

// tokenVersion is the first byte of every token.
const tokenVersion = 1

// maxToken is longer than any token that the contract lets in.
const maxToken = 8192

// seal makes an opaque, authenticated token. The salt tells tokens of the same
// content apart: without one, each is different, so that a reader cannot see by
// comparing them whether a table has gone on in secret.
func (k *keys) seal(kind byte, salt string, content []byte) string {
	if salt == "" {
		salt = rand.Text()
	}
	h := k.nonces.Get().(hash.Hash)
	nonce := sum(h, salt, string(content))[:k.cursors.NonceSize()]
	h.Reset()
	k.nonces.Put(h)
	out := append([]byte{tokenVersion}, nonce...)
	return strict64.EncodeToString(k.cursors.Seal(out, nonce, content, []byte{tokenVersion, kind}))
}

// unseal opens a token; false if it was not made here for this use.
func (k *keys) unseal(kind byte, token string) ([]byte, bool) {
	if len(token) > maxToken || strings.ContainsAny(token, "\r\n") {
		return nil, false
	}
	b, err := strict64.DecodeString(token)
	n := k.cursors.NonceSize()
	if err != nil || len(b) < 1+n || b[0] != tokenVersion {
		return nil, false
	}
	content, err := k.cursors.Open(nil, b[1:1+n], b[1+n:], []byte{tokenVersion, kind})
	return content, err == nil
}

// cursor makes the cursor of a reader who stands at a position. Numbers have all
// the same length, which would tell of them otherwise.
func (k *keys) cursor(salt string, at Position) string {
	b := append([]byte{byte(len(at.Table))}, at.Table...)
	return k.seal(cursorKind, salt, binary.BigEndian.AppendUint64(b, uint64(at.Commit)))
}

// position is that of the cursor of one table; false if it is none.
func (k *keys) position(cursor string) (Position, bool) {
	b, ok := k.unseal(cursorKind, cursor)
	if !ok || len(b) < 1 || len(b) != 1+int(b[0])+8 {
		return Position{}, false
	}
	n := 1 + int(b[0])
	p := Position{Table: string(b[1:n]), Commit: int64(binary.BigEndian.Uint64(b[n:]))}
	return p, p.Commit >= 0
}

// pageToken is where the next page of a list begins; "" for no next page.
func (k *keys) pageToken(list byte, p store.Position) string {
	if p == 0 {
		return ""
	}
	return k.seal(list, "", binary.BigEndian.AppendUint64(nil, uint64(p)))
}

func (k *keys) page(list byte, token string) (store.Position, bool) {
	if token == "" {
		return 0, true
	}
	b, ok := k.unseal(list, token)
	if !ok || len(b) != 8 {
		return 0, false
	}
	return store.Position(binary.BigEndian.Uint64(b)), true
}
