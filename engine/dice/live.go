package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// liveLabel keeps these HMACs apart from whatever else a seed may be used for. A
// change of the derivation below needs a new version here.
const liveLabel = "hantei/die/v1"

// Live is the source of a running table. Nothing in it is drawn: each face is
// computed from a secret seed and from where the die stands, so that whoever
// learns the seed later can check every die alone, whatever other dice were
// thrown. What a throw is for does not enter: renaming a label moves no face.
//
// A face is made from
//
//	HMAC-SHA256(Seed, "hantei/die/v1" | n(Table) | Table | Epoch |
//	    n(ClientMix) | ClientMix | Step | Index | attempt)
//
// where n is the length in bytes, lengths and attempt have 32 bits, the other
// numbers 64, all big endian. The first 32 bits of the result are a number w. If
// w is below the highest multiple of the sides that 32 bits can hold, the face is
// w mod sides + 1. Otherwise (less than once in four million dice) it would
// favour the low faces; it is thrown away and attempt, 0 at first, goes up by one.
//
// Make one for a command, set the fields, and change none but Index after the
// first throw.
type Live struct {
	// Seed is the epoch's secret of the stream, open or secret, that the dice are
	// of. It must not be zero.
	Seed [32]byte
	// Table is the table's id.
	Table string
	// Epoch is the number of the seed within the table.
	Epoch int64
	// ClientMix is the players' share in the epoch. It may be empty.
	ClientMix []byte
	// Step is the server's number of the step, which never comes twice.
	Step int64
	// Index is the number of the next die within the step, 0 at first; each die
	// adds one. A step that goes on after a suspension goes on from its Index,
	// and an audit can begin at any.
	Index int64

	mac  hash.Hash
	text []byte // what is hashed; what comes before the index stays
	tail int    // where the index stands in text
	sum  [sha256.Size]byte
}

// Throw throws the dice. Errors: ErrNoSeed, *RangeError if the dice are outside
// the limits.
func (l *Live) Throw(_, _ string, d Dice) (Throw, error) {
	if err := d.check(); err != nil {
		return Throw{}, err
	}
	if l.mac == nil {
		if l.Seed == ([32]byte{}) {
			return Throw{}, ErrNoSeed
		}
		l.start()
	}
	t := Throw{Dice: d, Faces: make([]int32, d.Count)}
	for i := range t.Faces {
		t.Faces[i] = l.die(d.Sides)
		t.Total += t.Faces[i]
	}
	return t, nil
}

// start writes what all dice of the step have in common. The HMAC is made once,
// because making it costs more than a die.
func (l *Live) start() {
	l.mac = hmac.New(sha256.New, l.Seed[:])
	text := make([]byte, 0, len(liveLabel)+len(l.Table)+len(l.ClientMix)+36)
	text = append(text, liveLabel...)
	text = binary.BigEndian.AppendUint32(text, uint32(len(l.Table)))
	text = append(text, l.Table...)
	text = binary.BigEndian.AppendUint64(text, uint64(l.Epoch))
	text = binary.BigEndian.AppendUint32(text, uint32(len(l.ClientMix)))
	text = append(text, l.ClientMix...)
	text = binary.BigEndian.AppendUint64(text, uint64(l.Step))
	l.text, l.tail = text, len(text)
}

// die throws the die at Index and goes on to the next.
func (l *Live) die(sides int32) int32 {
	for attempt := uint32(0); ; attempt++ {
		l.text = binary.BigEndian.AppendUint64(l.text[:l.tail], uint64(l.Index))
		l.text = binary.BigEndian.AppendUint32(l.text, attempt)
		l.mac.Reset()
		l.mac.Write(l.text)
		word := binary.BigEndian.Uint32(l.mac.Sum(l.sum[:0]))
		if face, ok := fair(word, sides); ok {
			l.Index++
			return face
		}
	}
}

// fair makes a face of 32 random bits, unless they are among those left over when
// 2^32 is dealt out to the sides in equal parts.
func fair(word uint32, sides int32) (face int32, ok bool) {
	n := uint64(sides)
	if uint64(word) >= 1<<32/n*n {
		return 0, false
	}
	return int32(uint64(word)%n) + 1, true
}
