// Package archive writes and reads the file of a table: a mark, then, compressed,
// a header and the table's commits, each with its length before it. It knows
// nothing of what is in a commit: its bytes come out as they went in.
//
// A file may come from anywhere. Reading takes no more memory than the limits
// below allow, whatever the file says of itself.
package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Format is the format of the files that are written, and the only one read.
const Format = 1

// mark begins a file: no text has such bytes.
const mark = "\x89HANTEI\n"

// Limits of a file. Larger ones are neither written nor read.
const (
	// MaxBytes is the most bytes of a file, uncompressed.
	MaxBytes = 64 << 20
	// MaxCommit is the most bytes of a commit, or of the header.
	MaxCommit = 4 << 20
	// MaxCommits is the most commits.
	MaxCommits = 200_000
)

// What is wrong with a file. They come wrapped, with what is wrong where.
var (
	// ErrNotOurs says that the file is no table's.
	ErrNotOurs = errors.New("not the file of a table")
	// ErrFormat says that another version of the program has written the file.
	ErrFormat = errors.New("a format that this version does not read")
	// ErrDamaged says that the file was altered or is not whole.
	ErrDamaged = errors.New("damaged or not whole")
	// ErrTooLarge says that a limit is exceeded.
	ErrTooLarge = errors.New("too large")
)

// Write makes a file. The header's format and number of commits are set here.
func Write(h *tablev1.ArchiveHeader, commits [][]byte) ([]byte, error) {
	head := proto.Clone(h).(*tablev1.ArchiveHeader)
	head.Format, head.Commits = Format, int64(len(commits))
	first, err := proto.Marshal(head)
	if err != nil {
		return nil, fmt.Errorf("archive: header: %w", err)
	}
	if len(commits) > MaxCommits {
		return nil, fmt.Errorf("archive: %w: %d commits", ErrTooLarge, len(commits))
	}
	var out bytes.Buffer
	out.WriteString(mark)
	z := gzip.NewWriter(&out)
	total := 0
	for i, b := range append([][]byte{first}, commits...) {
		length := binary.AppendUvarint(nil, uint64(len(b)))
		if total += len(length) + len(b); len(b) > MaxCommit || total > MaxBytes {
			return nil, fmt.Errorf("archive: %w: at commit %d", ErrTooLarge, i)
		}
		for _, part := range [][]byte{length, b} {
			if _, err := z.Write(part); err != nil {
				return nil, fmt.Errorf("archive: %w", err) // cannot be: it writes to memory
			}
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return out.Bytes(), nil
}

// Read reads a file: the header, and the commits' bytes, none of them empty.
func Read(file []byte) (*tablev1.ArchiveHeader, [][]byte, error) {
	packed, ok := bytes.CutPrefix(file, []byte(mark))
	if !ok {
		return nil, nil, fmt.Errorf("archive: %w", ErrNotOurs)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, nil, fmt.Errorf("archive: %w: %w", ErrDamaged, err)
	}
	z.Multistream(false)
	// One byte more than may be: who reads it has met the limit.
	limit := &io.LimitedReader{R: z, N: MaxBytes + 1}
	r := bufio.NewReader(limit)
	next := func(what string) ([]byte, error) {
		b, err := frame(r)
		switch {
		case err == nil:
			return b, nil
		case limit.N <= 0:
			err = ErrTooLarge
		case !errors.Is(err, ErrTooLarge):
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return nil, fmt.Errorf("archive: %s: %w", what, err)
	}
	first, err := next("header")
	if err != nil {
		return nil, nil, err
	}
	h := &tablev1.ArchiveHeader{}
	if err := proto.Unmarshal(first, h); err != nil {
		return nil, nil, fmt.Errorf("archive: header: %w: %w", ErrDamaged, err)
	}
	switch {
	case h.Format != Format:
		return nil, nil, fmt.Errorf("archive: %w: %d, not %d", ErrFormat, h.Format, Format)
	case h.Commits > MaxCommits:
		return nil, nil, fmt.Errorf("archive: %w: %d commits", ErrTooLarge, h.Commits)
	case h.Commits < 1:
		return nil, nil, fmt.Errorf("archive: %w: no commit", ErrDamaged)
	}
	var commits [][]byte
	for i := int64(1); i <= h.Commits; i++ {
		b, err := next(fmt.Sprintf("commit %d", i))
		if err != nil {
			return nil, nil, err
		}
		commits = append(commits, b)
	}
	// To the very end, where the checksum stands.
	switch _, err := r.ReadByte(); {
	case limit.N <= 0:
		return nil, nil, fmt.Errorf("archive: %w", ErrTooLarge)
	case err == nil:
		return nil, nil, fmt.Errorf("archive: %w: more than %d commits", ErrDamaged, h.Commits)
	case !errors.Is(err, io.EOF):
		return nil, nil, fmt.Errorf("archive: %w: %w", ErrDamaged, err)
	}
	return h, commits, nil
}

// frame reads a length and so many bytes. It makes room for what has come, not
// for what is announced.
func frame(r *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case n == 0:
		return nil, errors.New("empty")
	case n > MaxCommit:
		return nil, fmt.Errorf("%w: %d bytes", ErrTooLarge, n)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}
