package resolve

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// snapshotFormat is the beginning of every snapshot. It is another one whenever
// the layout changes, or the fold: what Table.Apply makes of a stored change.
const snapshotFormat = "hantei/snapshot/2"

// ErrSnapshot says that a snapshot is of no use. The log has all that is in it.
var ErrSnapshot = errors.New("resolve: unusable snapshot")

// Snapshot is the table as it is between two steps: loading the commits up to
// Number comes to the same. It is false while a step waits, whose beginning can
// only be had from the log, and before the first commit.
//
// A snapshot is for the build that made it, and disposable. It holds the format,
// the build, number, event, chain, state, the spans of events that were taken back,
// how many dice of the running epoch were open and secret, and the epochs, each with
// its length, and at last the SHA-256 of all that.
func (r *Resolver) Snapshot() ([]byte, bool) {
	if r.running != nil || r.frozen || r.number == 0 {
		return nil, false
	}
	state, err := proto.MarshalOptions{Deterministic: true}.Marshal(r.table.State())
	if err != nil {
		return nil, false // a text that is no UTF-8 cannot have been committed
	}
	b := make([]byte, 0, len(state)+256)
	b = appendText(b, snapshotFormat)
	b = appendText(b, build())
	b = binary.AppendVarint(b, r.number)
	b = binary.AppendVarint(b, r.event)
	b = append(b, r.chain[:]...)
	b = appendText(b, string(state))
	b = binary.AppendVarint(b, int64(len(r.undone)))
	for _, s := range r.undone {
		b = binary.AppendVarint(binary.AppendVarint(b, s.first), s.last)
	}
	b = binary.AppendVarint(b, int64(r.dice.open))
	b = binary.AppendVarint(b, int64(r.dice.secret))
	for _, e := range r.dice.list {
		epoch, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
		if err != nil {
			return nil, false
		}
		b = appendText(b, string(epoch))
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), true
}

// Restore goes to the state of a snapshot. last is the commit that the log has at
// the snapshot's number: the snapshot must continue its chain. On an error, an
// ErrSnapshot, nothing was changed.
func (r *Resolver) Restore(snapshot []byte, last *tablev1.Commit) error {
	n := len(snapshot) - sha256.Size
	if n < 0 {
		return fmt.Errorf("%w: cut off", ErrSnapshot)
	}
	if sum := sha256.Sum256(snapshot[:n]); !bytes.Equal(sum[:], snapshot[n:]) {
		return fmt.Errorf("%w: damaged", ErrSnapshot)
	}
	in := reader{b: snapshot[:n]}
	if format := in.text(); string(format) != snapshotFormat {
		return fmt.Errorf("%w: of another format", ErrSnapshot)
	}
	if by := in.text(); string(by) != build() {
		return fmt.Errorf("%w: made by another build", ErrSnapshot)
	}
	number, event := in.number(), in.number()
	chain, state := in.take(sha256.Size), in.text()
	var undone spans
	for range in.number() {
		undone = append(undone, span{in.number(), in.number()})
		if in.failed {
			break
		}
	}
	known := epochs{open: int32(in.number()), secret: int32(in.number())}
	for len(in.b) > 0 {
		e := &tablev1.DiceEpoch{}
		if err := proto.Unmarshal(in.text(), e); err != nil {
			return fmt.Errorf("%w: %w", ErrSnapshot, err)
		}
		known.list = append(known.list, e)
	}
	if in.failed {
		return fmt.Errorf("%w: malformed", ErrSnapshot)
	}
	if number != last.GetNumber() || event != last.FirstEvent+countEvents(last)-1 || !bytes.Equal(chain, last.Chain) {
		return fmt.Errorf("%w: it is not of this log", ErrSnapshot)
	}
	s := &tablev1.State{}
	if err := proto.Unmarshal(state, s); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	r.table, r.running, r.frozen = table.FromState(s), nil, false
	r.number, r.event, r.chain, r.undone, r.dice = number, event, [32]byte(chain), undone, known
	return nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader takes a snapshot apart. It goes on after a failure, with nothing.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.failed, r.b = true, nil
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) text() []byte {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > uint64(len(r.b)-size) {
		return r.take(len(r.b) + 1)
	}
	r.b = r.b[size:]
	return r.take(int(n))
}

func (r *reader) number() int64 {
	n, size := binary.Varint(r.b)
	if size <= 0 {
		r.take(len(r.b) + 1)
		return 0
	}
	r.b = r.b[size:]
	return n
}

// build tells apart what may fold otherwise or reads other bytes: the schema of
// the state, and the revision of the code where it is known. Two builds between
// two revisions, with the same schema, are taken for the same one.
func build() string { return thisBuild }

// thisBuild is made at start: the schema does not change while the program runs.
var thisBuild = func() string {
	h := sha256.New()
	if info, ok := debug.ReadBuildInfo(); ok {
		h.Write(appendText(nil, info.GoVersion+" "+info.Main.Version))
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				h.Write(appendText(nil, s.Key+"="+s.Value))
			}
		}
	}
	files := imports((&tablev1.State{}).ProtoReflect().Descriptor().ParentFile(), nil)
	slices.SortFunc(files, func(a, b protoreflect.FileDescriptor) int { return strings.Compare(a.Path(), b.Path()) })
	for _, f := range files {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(protodesc.ToFileDescriptorProto(f))
		if err != nil {
			panic(fmt.Errorf("resolve: schema: %w", err)) // it is linked in
		}
		h.Write(appendText(nil, string(b)))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}()

// imports adds a file and all that it imports to those that are known.
func imports(f protoreflect.FileDescriptor, known []protoreflect.FileDescriptor) []protoreflect.FileDescriptor {
	for _, k := range known {
		if k.Path() == f.Path() {
			return known
		}
	}
	known = append(known, f)
	for i := range f.Imports().Len() {
		known = imports(f.Imports().Get(i).FileDescriptor, known)
	}
	return known
}
