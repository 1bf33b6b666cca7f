package archive

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

func header() *tablev1.ArchiveHeader {
	return &tablev1.ArchiveHeader{
		Name: "判定", StateHash: "aa", WindowKey: []byte{1}, CreateTimeMs: 7,
		Seats: []*tablev1.Seat{{Id: "s", Name: "GM", Role: tablev1.SeatRole_SEAT_ROLE_GM}},
	}
}

func written(t testing.TB, commits ...[]byte) []byte {
	t.Helper()
	b, err := Write(header(), commits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// packed is a file of these frames, whatever they are.
func packed(t testing.TB, frames ...[]byte) []byte {
	t.Helper()
	var plain []byte
	for _, f := range frames {
		plain = append(binary.AppendUvarint(plain, uint64(len(f))), f...)
	}
	return zipped(t, plain)
}

func zipped(t testing.TB, plain []byte) []byte {
	t.Helper()
	b := bytes.NewBufferString(mark)
	z := gzip.NewWriter(b)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func marshalled(t testing.TB, change func(*tablev1.ArchiveHeader)) []byte {
	t.Helper()
	h := header()
	h.Format, h.Commits = Format, 1
	change(h)
	b, err := proto.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	in := [][]byte{[]byte("one"), {0}, bytes.Repeat([]byte("x"), MaxCommit)}
	h, commits, err := Read(written(t, in...))
	if err != nil {
		t.Fatal(err)
	}
	want := header()
	want.Format, want.Commits = Format, 3
	if !proto.Equal(h, want) || len(commits) != len(in) {
		t.Fatalf("%v, %d commits", h, len(commits))
	}
	for i := range in {
		if !bytes.Equal(commits[i], in[i]) {
			t.Errorf("commit %d", i+1)
		}
	}
}

func TestWriteTooLarge(t *testing.T) {
	half := make([]byte, MaxCommit)
	many := make([][]byte, MaxBytes/MaxCommit)
	for i := range many {
		many[i] = half
	}
	for _, commits := range [][][]byte{{make([]byte, MaxCommit+1)}, many, make([][]byte, MaxCommits+1)} {
		if _, err := Write(header(), commits); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d commits: %v", len(commits), err)
		}
	}
}

func TestRefused(t *testing.T) {
	same := func(*tablev1.ArchiveHeader) {}
	good := written(t, []byte("one"))
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"empty":           {nil, ErrNotOurs},
		"text":            {[]byte("hello"), ErrNotOurs},
		"mark alone":      {[]byte(mark), ErrDamaged},
		"not compressed":  {[]byte(mark + "xxxxxxxxxxxxxxxxxxxxxxxx"), ErrDamaged},
		"nothing in it":   {zipped(t, nil), ErrDamaged},
		"header cut":      {zipped(t, []byte{5, 1}), ErrDamaged},
		"no header":       {packed(t, []byte{0xff}, []byte("one")), ErrDamaged},
		"format":          {packed(t, marshalled(t, func(h *tablev1.ArchiveHeader) { h.Format = 2 }), []byte("one")), ErrFormat},
		"no commit":       {packed(t, marshalled(t, func(h *tablev1.ArchiveHeader) { h.Commits = 0 })), ErrDamaged},
		"negative":        {packed(t, marshalled(t, func(h *tablev1.ArchiveHeader) { h.Commits = -1 })), ErrDamaged},
		"too many":        {packed(t, marshalled(t, func(h *tablev1.ArchiveHeader) { h.Commits = 1 << 40 })), ErrTooLarge},
		"one missing":     {packed(t, marshalled(t, func(h *tablev1.ArchiveHeader) { h.Commits = 2 }), []byte("one")), ErrDamaged},
		"one more":        {packed(t, marshalled(t, same), []byte("one"), []byte("two")), ErrDamaged},
		"empty commit":    {packed(t, marshalled(t, same), nil), ErrDamaged},
		"large commit":    {packed(t, marshalled(t, same), make([]byte, MaxCommit+1)), ErrTooLarge},
		"length too long": {zipped(t, bytes.Repeat([]byte{0xff}, 20)), ErrDamaged},
		"bomb":            {zipped(t, append(append(binary.AppendUvarint(nil, uint64(len(marshalled(t, same)))), append(marshalled(t, same), 1, 1)...), make([]byte, 2*MaxBytes)...)), ErrDamaged},
		"bomb of commits": {packed(t, append([][]byte{marshalled(t, func(h *tablev1.ArchiveHeader) { h.Commits = 100 })}, slices(100)...)...), ErrTooLarge},
		"cut":             {good[:len(good)-4], ErrDamaged},
		"checksum":        {append(bytes.Clone(good[:len(good)-8]), 0, 0, 0, 0, 0, 0, 0, 0), ErrDamaged},
	} {
		if _, _, err := Read(c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// slices are so many commits of a megabyte.
func slices(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = make([]byte, 1<<20)
	}
	return out
}

// FuzzRead: whatever comes is read or refused, and what is read can be written
// and read again.
func FuzzRead(f *testing.F) {
	f.Add(written(f, []byte("one"), []byte("two")))
	f.Add(packed(f, marshalled(f, func(*tablev1.ArchiveHeader) {}), []byte("one"), []byte("two")))
	f.Add([]byte(mark))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, file := range [][]byte{b, zipped(t, b)} {
			h, commits, err := Read(file)
			if err != nil {
				continue
			}
			again, err := Write(h, commits)
			if err != nil {
				t.Fatal(err)
			}
			h2, commits2, err := Read(again)
			if err != nil || !proto.Equal(h, h2) || len(commits) != len(commits2) {
				t.Fatal(err, h, h2)
			}
		}
	})
}
