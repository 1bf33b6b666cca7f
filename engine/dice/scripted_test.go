package dice

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func script(t *testing.T, texts ...string) *Scripted {
	t.Helper()
	var list []Given
	for _, text := range texts {
		g, err := ParseGiven(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return NewScripted(list...)
}

func TestScripted(t *testing.T) {
	s := script(t, "1D100=44", "3D6=11", "2D4=5(1,4)")
	for i, want := range []Throw{
		{Dice{1, 100}, []int32{44}, 44},
		{Dice{3, 6}, []int32{4, 4, 3}, 11},
		{Dice{2, 4}, []int32{1, 4}, 5},
	} {
		if got := len(s.Left()); got != 3-i {
			t.Errorf("%d left before throw %d", got, i+1)
		}
		got, err := s.Throw("attack", "officer", want.Dice)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	if len(s.Left()) != 0 {
		t.Errorf("left: %v", s.Left())
	}
}

func TestScriptedMissing(t *testing.T) {
	_, err := NewScripted().Throw("trap", "", Dice{1, 6})
	want := &MissingError{Label: "trap", Asked: Dice{1, 6}}
	var missing *MissingError
	if !errors.As(err, &missing) || *missing != *want {
		t.Errorf("got %v, want %v", err, want)
	}
	if text := "dice: 1D6 asked for trap, no dice left"; err.Error() != text {
		t.Errorf("got %v, want %s", err, text)
	}
}

// A wrong throw stays where it is: the right one can still be asked for.
func TestScriptedMismatch(t *testing.T) {
	s := script(t, "3D6=11(4,4,3)", "1D6=1")
	for _, d := range []Dice{{1, 100}, {3, 8}, {2, 6}, {0, 0}} {
		_, err := s.Throw("attack", "officer", d)
		want := &MismatchError{Label: "attack", Of: "officer", Asked: d, Next: Given{Dice{3, 6}, []int32{4, 4, 3}, 11}}
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) || !reflect.DeepEqual(mismatch, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		if text := "dice: " + d.String() + " asked for attack of officer, next is 3D6=11(4,4,3)"; err.Error() != text {
			t.Errorf("got %v, want %s", err, text)
		}
	}
	if got, err := s.Throw("attack", "officer", Dice{3, 6}); err != nil || got.Total != 11 || len(s.Left()) != 1 {
		t.Errorf("got %v, %v, left %v", got, err, s.Left())
	}
}

func TestScriptedImpossible(t *testing.T) {
	s := NewScripted(Given{Dice: Dice{1, 6}, Total: 7})
	_, err := s.Throw("attack", "officer", Dice{1, 6})
	if out := new(RangeError); !errors.As(err, &out) || len(s.Left()) != 1 {
		t.Errorf("got %v, left %v", err, s.Left())
	}
}

// What a source threw can be written down and thrown again.
func TestScriptedReplays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		throws := rapid.SliceOfN(anyThrow, 0, 5).Draw(t, "throws")
		var list []Given
		for _, throw := range throws {
			g, err := ParseGiven(throw.String())
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, g)
		}
		s := NewScripted(list...)
		for _, want := range throws {
			got, err := s.Throw("", "", want.Dice)
			if err != nil || !slices.Equal(got.Faces, want.Faces) || got.Total != want.Total {
				t.Fatalf("got %v, %v, want %v", got, err, want)
			}
		}
		if len(s.Left()) != 0 {
			t.Fatalf("left: %v", s.Left())
		}
	})
}
