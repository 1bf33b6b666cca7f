package storetest

import (
	"testing"

	"github.com/hantei/hantei/server/store"
)

func testSnapshots(t *testing.T, open Open) {
	s := fresh(t, open)
	addTable(t, s, "a")
	addTable(t, s, "b")
	_, err := s.Snapshot(t.Context(), "a")
	wantError(t, err, store.ErrNotFound)
	addCommits(t, s, "a", 1, 1, 1)

	steps := []struct {
		name string
		save store.Snapshot
		err  error
		want store.Snapshot
	}{
		{"before the first commit", snapshot(0, "zero"), nil, snapshot(0, "zero")},
		{"newer", snapshot(2, "two"), nil, snapshot(2, "two")},
		{"older", snapshot(1, "one"), nil, snapshot(2, "two")},
		{"of the same commit", snapshot(2, "two again"), nil, snapshot(2, "two again")},
		{"beyond the head", snapshot(4, "four"), store.ErrConflict, snapshot(2, "two again")},
		{"at the head", snapshot(3, "three"), nil, snapshot(3, "three")},
	}
	for _, step := range steps {
		t.Log(step.name)
		wantError(t, s.SaveSnapshot(t.Context(), "a", step.save), step.err)
		got, err := s.Snapshot(t.Context(), "a")
		check(t, err)
		equal(t, got, step.want)
	}
	_, err = s.Snapshot(t.Context(), "b")
	wantError(t, err, store.ErrNotFound)
}

func snapshot(number int64, text string) store.Snapshot {
	return store.Snapshot{Number: number, Bytes: []byte(text)}
}
