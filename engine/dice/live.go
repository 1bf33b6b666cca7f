package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
)

// liveLabel keeps these HMACs apart from whatever else a seed may be used for. A
// change of the derivation below needs a new version here, and the old one stays:
// see Former.
const liveLabel = "hantei/die/v2"

// Live is the source of a running table. Nothing in it is drawn: each face is
// computed from a secret seed and from where the die stands, so that whoever
// learns the seed later can check every die alone, whatever other dice were
// thrown. What a throw is for does not enter: renaming a label moves no face.
//
// A face is made from
//
//	HMAC-SHA256(Seed, "hantei/die/v2" | n(Stream) | Stream | n(Table) | Table |
//	    Epoch | n(ClientMix) | ClientMix | Number | attempt)
//
// where n is the length in bytes, lengths and attempt have 32 bits, the other
// numbers 64, all big endian. The first 32 bits of the result are a number w. If
// w is below the highest multiple of the sides that 32 bits can hold, the face is
// w mod sides + 1. Otherwise (less than once in four million dice) it would
// favour the low faces; it is thrown away and attempt, 0 at first, goes up by one.
//
// Make one for a command, set the fields, and change none but Number after the
// first throw.
type Live struct {
	// Seed is the epoch's secret of the stream. It must not be zero.
	Seed [32]byte
	// Stream is which of the epoch's seeds it is.
	Stream Stream
	// Table is the table's id, or a label in its place.
	Table string
	// Epoch is the number of the seed within the table.
	Epoch int32
	// ClientMix is the players' share in the epoch, see Mix. It may be empty.
	ClientMix []byte
	// Number is that of the next die within epoch and stream, 0 at first; each die
	// adds one. An audit can begin at any.
	Number int32

	faces derivation
}

// Throw throws the dice. Errors: ErrNoSeed, ErrSpent, *RangeError if the dice are
// outside the limits.
func (l *Live) Throw(_, _ string, d Dice) (Throw, error) {
	if err := d.check(); err != nil {
		return Throw{}, err
	}
	if l.Number > math.MaxInt32-d.Count {
		return Throw{}, ErrSpent
	}
	if !l.faces.ready() {
		if l.Seed == ([32]byte{}) {
			return Throw{}, ErrNoSeed
		}
		text := make([]byte, 0, len(liveLabel)+len(l.Stream)+len(l.Table)+len(l.ClientMix)+32)
		text = append(text, liveLabel...)
		text = appendText(text, string(l.Stream))
		text = appendText(text, l.Table)
		text = binary.BigEndian.AppendUint64(text, uint64(l.Epoch))
		text = appendText(text, string(l.ClientMix))
		l.faces.begin(l.Seed, text)
	}
	t := l.faces.throw(d, uint64(l.Number))
	l.Number += d.Count
	return t, nil
}

// Place is where the next die stands.
func (l *Live) Place() Place { return Place{l.Stream, l.Epoch, l.Number} }

// formerLabel is that of the derivation before epochs had two seeds.
const formerLabel = "hantei/die/v1"

// Former is the source of tables that have no epochs yet, and checks their logs. It
// counts the dice of each command, and so tells how many commands there were: no
// seat can check its dice. A face is made as Live makes it, but from
//
//	HMAC-SHA256(Seed, "hantei/die/v1" | n(Table) | Table | Epoch |
//	    n(ClientMix) | ClientMix | Step | Index | attempt)
//
// with Epoch 0 and an empty ClientMix.
type Former struct {
	// Seed is the table's secret. It must not be zero.
	Seed [32]byte
	// Table is the table's id, or a label in its place.
	Table string
	// Step is the number of the command.
	Step int64
	// Index is the number of the next die within the command, 0 at first.
	Index int64

	faces derivation
}

// Throw throws the dice. Errors: ErrNoSeed, *RangeError if the dice are outside
// the limits.
func (f *Former) Throw(_, _ string, d Dice) (Throw, error) {
	if err := d.check(); err != nil {
		return Throw{}, err
	}
	if !f.faces.ready() {
		if f.Seed == ([32]byte{}) {
			return Throw{}, ErrNoSeed
		}
		text := appendText([]byte(formerLabel), f.Table)
		text = binary.BigEndian.AppendUint64(text, 0)
		text = appendText(text, "")
		f.faces.begin(f.Seed, binary.BigEndian.AppendUint64(text, uint64(f.Step)))
	}
	t := f.faces.throw(d, uint64(f.Index))
	f.Index += int64(d.Count)
	return t, nil
}

// derivation makes faces. The HMAC is made once, because making it costs more than
// a die.
type derivation struct {
	mac  hash.Hash
	text []byte // what is hashed; what comes before the die's number stays
	tail int    // where the number stands in text
	sum  [sha256.Size]byte
}

func (f *derivation) ready() bool { return f.mac != nil }

func (f *derivation) begin(seed [32]byte, text []byte) {
	f.mac = hmac.New(sha256.New, seed[:])
	f.text, f.tail = text, len(text)
}

// throw throws dice, the first of which has the number.
func (f *derivation) throw(d Dice, number uint64) Throw {
	t := Throw{Dice: d, Faces: make([]int32, d.Count)}
	for i := range t.Faces {
		t.Faces[i] = f.die(number+uint64(i), d.Sides)
		t.Total += t.Faces[i]
	}
	return t
}

func (f *derivation) die(number uint64, sides int32) int32 {
	for attempt := uint32(0); ; attempt++ {
		f.text = binary.BigEndian.AppendUint64(f.text[:f.tail], number)
		f.text = binary.BigEndian.AppendUint32(f.text, attempt)
		f.mac.Reset()
		f.mac.Write(f.text)
		word := binary.BigEndian.Uint32(f.mac.Sum(f.sum[:0]))
		if face, ok := fair(word, sides); ok {
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
