package host

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash"
	"strings"
	"sync"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/server/auth"
)

// keys are what opaque ids and cursors are made with. All come from one secret of
// the server; each use has a key of its own.
type keys struct {
	events  cipher.Block
	steps   cipher.Block
	cursors cipher.AEAD
	nonces  sync.Pool // of hash.Hash: every frame has a cursor, and keying one takes longer than using it
	tags    []byte
	etags   []byte
	windows []byte
	tokens  []byte
	codes   []byte
	pairs   []byte
}

// secretBytes is the length of a secret that the store keeps.
const secretBytes = 32

func randomSecret() []byte {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails
	return b
}

func newKeys(secret []byte) (*keys, error) {
	if len(secret) != secretBytes {
		return nil, errors.New("the stored secret has the wrong length")
	}
	events, err := aes.NewCipher(mac(secret, "events"))
	if err != nil {
		return nil, err
	}
	steps, err := aes.NewCipher(mac(secret, "steps"))
	if err != nil {
		return nil, err
	}
	cursors, err := aes.NewCipher(mac(secret, "cursors"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(cursors)
	if err != nil {
		return nil, err
	}
	nonces := mac(secret, "nonces")
	return &keys{
		events: events, steps: steps, cursors: aead,
		nonces: sync.Pool{New: func() any { return hmac.New(sha256.New, nonces) }},
		tags:   mac(secret, "tags"), etags: mac(secret, "etags"), windows: mac(secret, "windows"), tokens: mac(secret, "tokens"),
		codes: mac(secret, "codes"), pairs: mac(secret, "pairs"),
	}, nil
}

// mac is the HMAC-SHA256 over texts, each with its length, so that no two lists
// of texts are the same bytes.
func mac(key []byte, texts ...string) []byte {
	return sum(hmac.New(sha256.New, key), texts...)
}

// sum is mac with an HMAC that has its key and nothing else yet.
func sum(h hash.Hash, texts ...string) []byte {
	var n [4]byte
	for _, t := range texts {
		binary.BigEndian.PutUint32(n[:], uint32(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
	return h.Sum(nil)
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// idBytes make 16 characters of base32.
const idBytes = 10

// newID makes the id of a table or a seat.
func newID() string {
	var b [idBytes]byte
	rand.Read(b[:]) // never fails
	return base32Lower.EncodeToString(b[:])
}

// windowKey is what the ids of a table's windows are made with. It goes with the
// table into its file: a step that waits makes its windows again when it goes on.
func (k *keys) windowKey(table string) []byte { return mac(k.windows, table) }

// windowIDs makes the ids of windows and slots with a table's key.
func windowIDs(key []byte) resolve.IDs {
	return func(commit int64, run, n int32) string {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], uint64(commit))
		binary.BigEndian.PutUint32(b[8:12], uint32(run))
		binary.BigEndian.PutUint32(b[12:], uint32(n))
		return base32Lower.EncodeToString(mac(key, string(b[:]))[:idBytes])
	}
}

// token makes the token of a seat or bridge. Whoever repeats a request with an id
// gets the same one, though only its hash is kept: it takes the server's key and the
// whole request to make it. Without an id it is a random one.
func (k *keys) token(kind auth.Kind, scope string, by Caller, r Request) string {
	if r.ID == "" {
		return auth.NewToken(kind)
	}
	return string(kind) + base64.RawURLEncoding.EncodeToString(mac(k.tokens, scope, by.principal(), r.ID, string(r.Hash[:])))
}

// tag is a table's part of event ids.
type tag [8]byte

func (k *keys) tag(table string) tag {
	return tag(mac(k.tags, table)[:8])
}

// strict64 takes each text in one form only: no stray bits at the end.
var strict64 = base64.RawURLEncoding.Strict()

// opaque encrypts a number of a table: one AES block over the table's tag and the
// number. It tells nothing, not even which of two is the greater one, and cannot
// be made up: what decrypts to another tag is not one of the table's.
func opaque(b cipher.Block, t tag, n int64) string {
	var block [aes.BlockSize]byte
	copy(block[:8], t[:])
	binary.BigEndian.PutUint64(block[8:], uint64(n))
	b.Encrypt(block[:], block[:])
	return strict64.EncodeToString(block[:])
}

// plain is the number of an opaque text; false if it is not one of the table's.
func plain(b cipher.Block, t tag, text string) (int64, bool) {
	var block [aes.BlockSize]byte
	if len(text) != strict64.EncodedLen(len(block)) || strings.ContainsAny(text, "\r\n") {
		return 0, false
	}
	if _, err := strict64.Decode(block[:], []byte(text)); err != nil {
		return 0, false
	}
	b.Decrypt(block[:], block[:])
	n := int64(binary.BigEndian.Uint64(block[8:]))
	return n, tag(block[:8]) == t && n > 0
}
