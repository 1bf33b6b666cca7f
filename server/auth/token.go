package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// Kind is what a token is for. It stands in front of the token, so that people
// and secret scanners know what they have found.
type Kind string

// The kinds.
const (
	// KindAdmin is the token of who runs the server.
	KindAdmin Kind = "hta_"
	// KindSeat is the token of a seat at a table.
	KindSeat Kind = "hts_"
	// KindBridge is the token of a bridge, which acts for seats of many tables.
	KindBridge Kind = "htb_"
)

// randomBytes in a token: 256 bits, which nobody guesses; so a fast hash is
// enough to keep them by.
const randomBytes = 32

// tokenLength is the length of every token.
var tokenLength = len(KindSeat) + base64.RawURLEncoding.EncodedLen(randomBytes)

// NewToken makes a token. It is shown once and kept only as its hash.
func NewToken(k Kind) string {
	var b [randomBytes]byte
	rand.Read(b[:]) // never fails: the program ends if the system has no randomness
	return string(k) + base64.RawURLEncoding.EncodeToString(b[:])
}

// KindOf tells the kind of a token, and false for what cannot be one, so that
// nobody needs to ask the store about it.
func KindOf(token string) (Kind, bool) {
	if len(token) != tokenLength {
		return "", false
	}
	for _, k := range []Kind{KindAdmin, KindSeat, KindBridge} {
		if strings.HasPrefix(token, string(k)) {
			return k, true
		}
	}
	return "", false
}

// Hash is the SHA-256 of a token, which is all that is kept of it.
type Hash [sha256.Size]byte

// HashToken is the hash of a token, its kind included.
func HashToken(token string) Hash { return sha256.Sum256([]byte(token)) }

// Equal compares in a time that does not depend on the values.
func (h Hash) Equal(o Hash) bool { return subtle.ConstantTimeCompare(h[:], o[:]) == 1 }
