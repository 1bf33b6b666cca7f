package dice

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var _ = []Source{(*Live)(nil), (*Scripted)(nil)}

// Two seeds: the bytes 0 to 31, and 32 times 255.
var seedA, seedB = func() (a, b [32]byte) {
	for i := range a {
		a[i], b[i] = byte(i), 0xff
	}
	return a, b
}()

// testTable is the Live of most tests.
func testTable() *Live {
	return &Live{Seed: seedA, Table: "k7mq3w5zr2ynd4ta", Epoch: 1, Step: 1}
}

// The faces come from a program of its own, written in another language after the
// comment on Live. They must never change: logs are verified against them. A new
// derivation gets a new liveLabel and new rows, beside these.
func TestLiveGolden(t *testing.T) {
	const table = "k7mq3w5zr2ynd4ta"
	for _, c := range []struct {
		name  string
		live  Live
		dice  Dice
		faces []int32
	}{
		{"zero but for the seed", Live{Seed: seedA}, Dice{1, 100}, []int32{61}},
		{"base", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1}, Dice{4, 1000}, []int32{738, 822, 453, 107}},
		{"in the middle", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1, Index: 3}, Dice{1, 100}, []int32{7}},
		{"other seed", Live{Seed: seedB, Table: table, Epoch: 1, Step: 1}, Dice{4, 1000}, []int32{709, 389, 697, 502}},
		{"other table", Live{Seed: seedA, Table: "other", Epoch: 1, Step: 1}, Dice{4, 1000}, []int32{328, 419, 480, 351}},
		{"other epoch", Live{Seed: seedA, Table: table, Epoch: 2, Step: 1}, Dice{4, 1000}, []int32{760, 130, 817, 353}},
		{"other mix", Live{Seed: seedA, Table: table, Epoch: 1, ClientMix: []byte("officer's share"), Step: 1}, Dice{4, 1000}, []int32{328, 353, 867, 372}},
		{"other step", Live{Seed: seedA, Table: table, Epoch: 1, Step: 2}, Dice{4, 1000}, []int32{436, 890, 330, 752}},
		{"high numbers", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1 << 40, Index: 1 << 33}, Dice{2, 1000}, []int32{53, 891}},
		{"one side", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1}, Dice{10, 1}, []int32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"all fields", Live{Seed: seedB, Table: "卓", Epoch: 9, ClientMix: []byte{0, 0xff}, Step: 77, Index: 5}, Dice{8, 10}, []int32{2, 1, 7, 6, 1, 4, 5, 4}},
		// One of the rare dice that are thrown twice.
		{"second attempt of 966", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1, Index: 477_686}, Dice{3, 966}, []int32{735, 853, 63}},
		{"second attempt of 983", Live{Seed: seedA, Table: table, Epoch: 1, Step: 1, Index: 477_686}, Dice{3, 983}, []int32{637, 565, 774}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := c.live.Index
			got, err := c.live.Throw("attack", "officer", c.dice)
			if err != nil {
				t.Fatal(err)
			}
			if want := (Throw{c.dice, c.faces, sumOf(c.faces)}); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if used := c.live.Index - start; used != int64(c.dice.Count) {
				t.Errorf("the index moved by %d", used)
			}
		})
	}
}

func TestFair(t *testing.T) {
	for _, c := range []struct {
		word  uint32
		sides int32
		face  int32
		ok    bool
	}{
		{0, 6, 1, true},
		{5, 6, 6, true},
		{6, 6, 1, true},
		{4294967291, 6, 6, true}, // 2^32 = 6 * 715827882 + 4
		{4294967292, 6, 0, false},
		{math.MaxUint32, 6, 0, false},
		{math.MaxUint32, 1, 1, true},
		{math.MaxUint32, 8, 8, true}, // nothing is left over
		{math.MaxUint32 - 296, 1000, 1000, true},
		{math.MaxUint32 - 295, 1000, 0, false},
	} {
		if face, ok := fair(c.word, c.sides); face != c.face || ok != c.ok {
			t.Errorf("%d on a die of %d: got %d, %v", c.word, c.sides, face, ok)
		}
	}
}

func TestLiveRefuses(t *testing.T) {
	var none Live
	if _, err := none.Throw("attack", "officer", Dice{1, 6}); !errors.Is(err, ErrNoSeed) {
		t.Errorf("without a seed: got %v", err)
	}
	live := testTable()
	for _, d := range []Dice{{}, {0, 6}, {101, 6}, {-1, 6}, {1, 0}, {1, 1001}, {1, -6}} {
		_, err := live.Throw("attack", "officer", d)
		if out := new(RangeError); !errors.As(err, &out) {
			t.Errorf("%v: got %v", d, err)
		}
	}
	if live.Index != 0 {
		t.Errorf("refused dice moved the index to %d", live.Index)
	}
}

// How dice are grouped and what they are for moves no face, and any die can be
// thrown alone from its index.
func TestLiveRandomAccess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.Int32Range(1, MaxSides).Draw(t, "sides")
		counts := rapid.SliceOfN(rapid.Int32Range(1, 10), 1, 5).Draw(t, "counts")
		live := testTable()
		var faces []int32
		for _, n := range counts {
			throw, err := live.Throw("attack", "officer", Dice{n, sides})
			if err != nil {
				t.Fatal(err)
			}
			if throw.Total != sumOf(throw.Faces) || slices.Min(throw.Faces) < 1 || slices.Max(throw.Faces) > sides {
				t.Fatalf("got %v", throw)
			}
			faces = append(faces, throw.Faces...)
		}
		at := rapid.IntRange(0, len(faces)-1).Draw(t, "at")
		audit := testTable()
		audit.Index = int64(at)
		throw, err := audit.Throw("another", "thug", Dice{1, sides})
		if err != nil || throw.Total != faces[at] {
			t.Fatalf("die %d: got %v, %v, want %d", at, throw, err, faces[at])
		}
	})
}

// A chi-square test without fractions: the squared distances from the even share,
// times what the share is, stay below the value that one fair run in a thousand
// passes. The seed is fixed, so that it passes always or never.
func TestLiveUniform(t *testing.T) {
	const throws = 60_000
	for _, c := range []struct {
		sides int32
		limit int64 // chi-square of sides-1 degrees of freedom at 0.999, cut
	}{
		{2, 10}, {6, 20}, {10, 27}, {100, 148}, {1000, 1142},
	} {
		live := testTable()
		seen := make([]int64, c.sides)
		for range throws / MaxCount {
			throw, err := live.Throw("attack", "officer", Dice{MaxCount, c.sides})
			if err != nil {
				t.Fatal(err)
			}
			for _, face := range throw.Faces {
				seen[face-1]++
			}
		}
		share := throws / int64(c.sides)
		var squares int64
		for _, n := range seen {
			squares += (n - share) * (n - share)
		}
		if squares > c.limit*share {
			t.Errorf("1D%d: %d is more than %d; seen %v", c.sides, squares/share, c.limit, seen)
		}
	}
}

func BenchmarkLiveThrow(b *testing.B) {
	for _, d := range []Dice{{1, 100}, {3, 6}, {MaxCount, 6}} {
		b.Run(d.String(), func(b *testing.B) {
			live := testTable()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := live.Throw("attack", "officer", d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLiveCommand makes the source of a command and throws an exchange's four dice.
func BenchmarkLiveCommand(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		live := testTable()
		for _, d := range []Dice{{1, 100}, {1, 100}, {1, 6}, {1, 4}} {
			if _, err := live.Throw("attack", "officer", d); err != nil {
				b.Fatal(err)
			}
		}
	}
}
