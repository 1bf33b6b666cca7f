package dice

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var _ = []Source{(*Live)(nil), (*Former)(nil), (*Scripted)(nil), Placed((*Live)(nil))}

// Two seeds: the bytes 0 to 31, and 32 times 255.
var seedA, seedB = func() (a, b [32]byte) {
	for i := range a {
		a[i], b[i] = byte(i), 0xff
	}
	return a, b
}()

// testTable is the Live of most tests.
func testTable() *Live {
	return &Live{Seed: seedA, Stream: Open, Table: "k7mq3w5zr2ynd4ta", Epoch: 1}
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
		{"base", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1}, Dice{4, 1000}, []int32{861, 822, 623, 178}},
		{"in the middle", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1, Number: 3}, Dice{1, 100}, []int32{78}},
		{"other seed", Live{Seed: seedB, Stream: Open, Table: table, Epoch: 1}, Dice{4, 1000}, []int32{184, 561, 565, 44}},
		{"other stream", Live{Seed: seedA, Stream: Secret, Table: table, Epoch: 1}, Dice{4, 1000}, []int32{923, 754, 33, 823}},
		{"other table", Live{Seed: seedA, Stream: Open, Table: "other", Epoch: 1}, Dice{4, 1000}, []int32{781, 46, 266, 597}},
		{"other epoch", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 2}, Dice{4, 1000}, []int32{194, 226, 831, 77}},
		{"other mix", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1, ClientMix: []byte("officer's share")}, Dice{4, 1000}, []int32{224, 621, 690, 387}},
		{"high numbers", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1, Number: math.MaxInt32 - 2}, Dice{2, 1000}, []int32{841, 542}},
		{"one side", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1}, Dice{10, 1}, []int32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"all fields", Live{Seed: seedB, Stream: Secret, Table: "卓", Epoch: 9, ClientMix: []byte{0, 0xff}, Number: 5}, Dice{8, 10}, []int32{4, 2, 7, 7, 6, 1, 7, 7}},
		// One of the rare dice that are thrown twice.
		{"second attempt of 966", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1, Number: 278_532}, Dice{3, 966}, []int32{407, 537, 456}},
		{"second attempt of 997", Live{Seed: seedA, Stream: Open, Table: table, Epoch: 1, Number: 278_532}, Dice{3, 997}, []int32{841, 727, 849}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := c.live.Number
			got, err := c.live.Throw("attack", "officer", c.dice)
			if err != nil {
				t.Fatal(err)
			}
			if want := (Throw{c.dice, c.faces, sumOf(c.faces)}); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if used := c.live.Number - start; used != c.dice.Count {
				t.Errorf("the number moved by %d", used)
			}
		})
	}
}

// The same for the derivation of old logs.
func TestFormerGolden(t *testing.T) {
	const table = "k7mq3w5zr2ynd4ta"
	for _, c := range []struct {
		name   string
		former Former
		dice   Dice
		faces  []int32
	}{
		{"zero but for the seed", Former{Seed: seedA}, Dice{1, 100}, []int32{61}},
		{"base", Former{Seed: seedA, Table: table, Step: 1}, Dice{4, 1000}, []int32{121, 526, 149, 982}},
		{"other step", Former{Seed: seedA, Table: table, Step: 2}, Dice{4, 1000}, []int32{638, 645, 618, 423}},
		{"high numbers", Former{Seed: seedA, Table: table, Step: 1 << 40, Index: 1 << 33}, Dice{2, 1000}, []int32{632, 59}},
		{"all fields", Former{Seed: seedB, Table: "卓", Step: 77, Index: 5}, Dice{8, 10}, []int32{7, 5, 1, 2, 4, 5, 9, 2}},
	} {
		got, err := c.former.Throw("attack", "officer", c.dice)
		if err != nil || !slices.Equal(got.Faces, c.faces) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.faces)
		}
	}
	var none Former
	if _, err := none.Throw("attack", "officer", Dice{1, 6}); !errors.Is(err, ErrNoSeed) {
		t.Errorf("without a seed: got %v", err)
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
	spent := testTable()
	spent.Number = math.MaxInt32 - 1
	if _, err := spent.Throw("attack", "officer", Dice{2, 6}); !errors.Is(err, ErrSpent) {
		t.Errorf("beyond the last number: got %v", err)
	}
	live := testTable()
	for _, d := range []Dice{{}, {0, 6}, {101, 6}, {-1, 6}, {1, 0}, {1, 1001}, {1, -6}} {
		_, err := live.Throw("attack", "officer", d)
		if out := new(RangeError); !errors.As(err, &out) {
			t.Errorf("%v: got %v", d, err)
		}
	}
	if live.Number != 0 {
		t.Errorf("refused dice moved the number to %d", live.Number)
	}
}

// How dice are grouped and what they are for moves no face, and any die can be
// thrown alone from its number.
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
		audit.Number = int32(at)
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
