package dice

import (
	"crypto/sha256"
	"encoding/binary"
)

// Stream is one of the two secrets of an epoch.
type Stream string

// The streams.
const (
	// Open is of the dice that everybody at the table sees when they fall: they are
	// numbered without gaps, and nobody learns from the numbers what is hidden.
	Open Stream = "open"
	// Secret is of all others.
	Secret Stream = "secret"
)

// Commit is what a seed hashes to: it is told before the players give their share,
// so that the seed cannot be chosen after it.
//
//	SHA-256("hantei/commit/v1" | n(stream) | stream | n(table) | table | epoch | seed)
//
// n is the length in bytes, 32 bits, the epoch has 64, both big endian. The seed
// itself enters no face but as the key of an HMAC.
func Commit(stream Stream, table string, epoch int32, seed [32]byte) [32]byte {
	text := appendText([]byte("hantei/commit/v1"), string(stream))
	text = appendText(text, table)
	text = binary.BigEndian.AppendUint64(text, uint64(epoch))
	return sha256.Sum256(append(text, seed[:]...))
}

// Share is what a seat gives for an epoch.
type Share struct {
	// Seat is the seat's id.
	Seat string
	// Text is anything.
	Text string
}

// Mix is the client mix of an epoch, nil if nobody gave a share:
//
//	SHA-256("hantei/mix/v1" | n(seat) | seat | n(text) | text | ...)
//
// over all shares, which are sorted by the bytes of their seats' ids.
func Mix(shares []Share) []byte {
	if len(shares) == 0 {
		return nil
	}
	text := []byte("hantei/mix/v1")
	for _, s := range shares {
		text = appendText(text, s.Seat)
		text = appendText(text, s.Text)
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

// appendText adds a text with its length, so that no two lists of texts are the
// same bytes.
func appendText(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}
