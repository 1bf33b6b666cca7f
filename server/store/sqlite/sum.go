package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"modernc.org/sqlite"

	"github.com/hantei/hantei/server/store"
)

// Rows of commits, seats, tables and requests have a checksum in the column sum.
// SQLite finds damage to its own pages' order alone, and the chain that a commit
// holds goes over its events: who was allowed to see them, who sits at the table and
// what the seats control would stand unprotected. What was damaged is never given a
// new checksum: whoever changes a part of a row reads all of it before.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf is the checksum of a row: the CRC-32C over its columns, texts and blobs as
// they are and numbers in 8 bytes.
func sumOf(columns ...driver.Value) int64 {
	var room [128]byte // for what is short, since every row is summed up
	sum, short := uint32(0), room[:0]
	for _, c := range columns {
		switch c := c.(type) {
		case nil: // an empty blob
		case string:
			short = append(short, c...)
		case int64:
			short = binary.BigEndian.AppendUint64(short, uint64(c))
		case []byte:
			sum = crc32.Update(crc32.Update(sum, castagnoli, short), castagnoli, c)
			short = short[:0]
		default:
			panic("sqlite: no column has such a type")
		}
	}
	return int64(crc32.Update(sum, castagnoli, short))
}

// row_sum is sumOf in SQL, for the migrations that begin to keep checksums.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("row_sum", -1, func(_ *sqlite.FunctionContext, columns []driver.Value) (driver.Value, error) {
		return sumOf(columns...), nil
	})
}

// found is what was found of a row by somebody who looks only for which it is: one
// that is damaged hides no others of a list, and its table says what is wrong when it
// is read whole.
func found[T any](row T, err error) (T, error) {
	if errors.Is(err, store.ErrDamaged) {
		err = nil
	}
	return row, err
}
