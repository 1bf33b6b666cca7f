package resolve_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// A snapshot is not made in the middle of a step, nor of nothing.
func TestSnapshotBetweenSteps(t *testing.T) {
	if _, ok := resolve.New(rules(same), ids).Snapshot(); ok {
		t.Error("a snapshot before the first commit")
	}
	g := newGame(t)
	if _, ok := g.r.Snapshot(); !ok {
		t.Error("no snapshot between steps")
	}
	g.must(act(gm, "thug", &cocv1.Attack{Target: "student"}, "1D100=31"))
	if !g.r.Waiting() {
		t.Fatal("nobody is asked")
	}
	if _, ok := g.r.Snapshot(); ok {
		t.Error("a snapshot while a step waits")
	}
}

// What is not exactly what was made, for this log, is refused and changes nothing.
func TestSnapshotUnusable(t *testing.T) {
	g := newGame(t)
	all := commits(t, g.log)
	last := all[len(all)-1]
	good, ok := g.r.Snapshot()
	if !ok {
		t.Fatal("no snapshot")
	}
	r := resolve.New(rules(same), ids)
	fails := func(what string, snapshot []byte, c *tablev1.Commit) {
		t.Helper()
		if err := r.Restore(snapshot, c); !errors.Is(err, resolve.ErrSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
		if r.Number() != 0 || len(r.State().Characters) != 0 {
			t.Fatalf("%s: something was restored", what)
		}
	}
	for i := 0; i < len(good); i += 5 { // all bits would take long
		damaged := slices.Clone(good)
		damaged[i] ^= 1
		fails("a flipped bit", damaged, last)
		fails("cut off", good[:i], last)
	}
	// Made anew over other content, as another program would.
	resum := func(b []byte) []byte {
		b = b[:len(b)-sha256.Size]
		sum := sha256.Sum256(b)
		return append(slices.Clone(b), sum[:]...)
	}
	for i := range len(good) - sha256.Size {
		// The first byte is the length of the format; all before the state is checked.
		if i > 1+17+1+32+2+32 {
			break
		}
		other := slices.Clone(good)
		other[i] ^= 1
		fails("another format, build, number or chain", resum(other), last)
	}
	fails("longer", resum(append(slices.Clone(good), make([]byte, 1)...)), last)
	for i := 0; i < len(good)-sha256.Size; i += 5 {
		fails("shorter", resum(good[:i+sha256.Size]), last)
	}
	fails("of an earlier commit", good, all[len(all)-2])
	fails("of no commit", good, nil)
	altered := proto.Clone(last).(*tablev1.Commit)
	altered.Chain[0] ^= 1
	fails("of another log", good, altered)
	if err := r.Restore(good, last); err != nil || snapshot(r) != snapshot(g.r) {
		t.Errorf("the snapshot itself: %v", err)
	}
}
