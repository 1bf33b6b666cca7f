package host

import "encoding/binary"

// Place stands for a seat in the cursors of many views.
type Place [8]byte

// Mark is how far the view of one seat was read.
type Mark struct {
	// Place is the seat's.
	Place Place
	// Commit is the number of the last commit that was read; 0 for none.
	Commit int64
}

// markBytes is the length of a mark in a cursor: 100 of them make a cursor of
// about 2200 characters.
const markBytes = len(Place{}) + 8

// Marks are what a cursor says of how far views were read.
type Marks struct {
	of    map[Place]int64
	table *Position // of a cursor of one table, whosever view it was
}

// Place stands for a seat.
func (h *Host) Place(seat string) Place { return h.keys.place(seat) }

func (k *keys) place(seat string) Place { return Place(mac(k.tags, "seat", seat)[:len(Place{})]) }

// Cursor makes the cursor of a reader of many views. As with the cursor of a
// table, all numbers have the same length.
func (h *Host) Cursor(all []Mark) string {
	b := make([]byte, 0, len(all)*markBytes)
	for _, m := range all {
		b = append(b, m.Place[:]...)
		b = binary.BigEndian.AppendUint64(b, uint64(m.Commit))
	}
	return h.keys.seal(marksKind, "", b)
}

// Marks reads a cursor, of many views or of one table; false if it is none.
func (h *Host) Marks(cursor string) (Marks, bool) { return h.keys.marks(cursor) }

func (k *keys) marks(cursor string) (Marks, bool) {
	if p, ok := k.position(cursor); ok {
		return Marks{table: &p}, true
	}
	b, ok := k.unseal(marksKind, cursor)
	if !ok || len(b)%markBytes != 0 {
		return Marks{}, false
	}
	m := Marks{of: make(map[Place]int64, len(b)/markBytes)}
	for ; len(b) > 0; b = b[markBytes:] {
		n := int64(binary.BigEndian.Uint64(b[len(Place{}):]))
		if n < 0 {
			return Marks{}, false
		}
		m.of[Place(b[:len(Place{})])] = n
	}
	return m, true
}

// Of is how far the view of a seat of a table was read; false if the cursor says
// nothing of it.
func (m Marks) Of(p Place, table string) (int64, bool) {
	if m.table != nil {
		return m.table.Commit, m.table.Table == table
	}
	n, ok := m.of[p]
	return n, ok
}

// Single reports whether it is the cursor of one table.
func (m Marks) Single() bool { return m.table != nil }
