package dice

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestParseGiven(t *testing.T) {
	for _, c := range []struct {
		text, canon string
		want        Given
		faces       []int32
	}{
		{"1D100=44", "1D100=44", Given{Dice{1, 100}, []int32{44}, 44}, []int32{44}},
		{"1D6=5", "1D6=5", Given{Dice{1, 6}, []int32{5}, 5}, []int32{5}},
		{"1D6=5(5)", "1D6=5", Given{Dice{1, 6}, []int32{5}, 5}, []int32{5}},
		{"3D6=11(4,4,3)", "3D6=11(4,4,3)", Given{Dice{3, 6}, []int32{4, 4, 3}, 11}, []int32{4, 4, 3}},
		{"3D6=11 (4,4,3)", "3D6=11(4,4,3)", Given{Dice{3, 6}, []int32{4, 4, 3}, 11}, []int32{4, 4, 3}},
		{" 3d6 = 11 ( 1 , 6 , 4 ) ", "3D6=11(1,6,4)", Given{Dice{3, 6}, []int32{1, 6, 4}, 11}, []int32{1, 6, 4}},
		{"3D6=11", "3D6=11", Given{Dice: Dice{3, 6}, Total: 11}, []int32{4, 4, 3}},
		{"3D6=3", "3D6=3", Given{Dice: Dice{3, 6}, Total: 3}, []int32{1, 1, 1}},
		{"3D6=18", "3D6=18", Given{Dice: Dice{3, 6}, Total: 18}, []int32{6, 6, 6}},
		{"2D6=7 ", "2D6=7", Given{Dice: Dice{2, 6}, Total: 7}, []int32{4, 3}},
	} {
		g, err := ParseGiven(c.text)
		if err != nil || !reflect.DeepEqual(g, c.want) {
			t.Errorf("%q: got %v, %v", c.text, g, err)
			continue
		}
		if got := g.String(); got != c.canon {
			t.Errorf("%q: text %q, want %q", c.text, got, c.canon)
		}
		if got, err := g.Resolve(); err != nil || !slices.Equal(got, c.faces) {
			t.Errorf("%q: faces %v, %v, want %v", c.text, got, err, c.faces)
		}
	}
}

func TestParseGivenRefuses(t *testing.T) {
	for _, w := range []wrong{
		{"", 1, expected("the count", "")},
		{"=4", 1, expected("the count", "=")},
		{"44", 3, expected(`"D"`, "")},
		{"1D6", 4, expected(`"="`, "")},
		{"1D6:4", 4, expected(`"="`, ":")},
		{"1D6=", 5, expected("the total", "")},
		{"1D6=-1", 5, expected("the total", "-")},
		{"1D6=４", 5, expected("the total", "４")},
		{"3D6=(4,4,3)", 5, expected("the total", "(")},
		{"1D6=4,", 6, expected(`"(" or nothing`, ",")},
		{"3D6=11[4,4,3]", 7, expected(`"(" or nothing`, "[")},
		{"3D6=11()", 8, expected("the face", ")")},
		{"3D6=11(4,4,)", 12, expected("the face", ")")},
		{"3D6=11(4 4 3)", 10, expected(`"," or ")"`, "4")},
		{"3D6=11(4,4,3", 13, expected(`"," or ")"`, "")},
		{"3D6=11(4,4,3))", 14, expected(`nothing after ")"`, ")")},
		{"0D6=0", 1, outside("count", 0, 1, 100)},
		{"1D6=0", 5, outside("total", 0, 1, 6)},
		{"1D6=7", 5, outside("total", 7, 1, 6)},
		{"3D6=2", 5, outside("total", 2, 3, 18)},
		{"3D6=19(7,6,6)", 5, outside("total", 19, 3, 18)},
		{"3D6=12(1,7,4)", 10, outside("face", 7, 1, 6)},
		{"3D6=12(0,6,6)", 8, outside("face", 0, 1, 6)},
		{"3D6=11(4,4)", 7, &FacesError{Dice: Dice{3, 6}, Got: 2}},
		{"3D6=11 (4,4,2,1)", 8, &FacesError{Dice: Dice{3, 6}, Got: 4}},
		{"3D6=11(4,4,4)", 7, &SumError{Sum: 12, Total: 11}},
		{"1D6=5(4)", 6, &SumError{Sum: 4, Total: 5}},
	} {
		g, err := ParseGiven(w.text)
		if !reflect.DeepEqual(g, Given{}) {
			t.Errorf("%q: got %v beside the error", w.text, g)
		}
		w.check(t, err)
	}
}

func TestGivenErrorText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"3D6=11(4,4)", `dice: column 7 of "3D6=11(4,4)": 3D6 needs 3 faces, not 2`},
		{"3D6=11(4,4,4)", `dice: column 7 of "3D6=11(4,4,4)": faces add up to 12, not to the total 11`},
	} {
		if _, err := ParseGiven(c.text); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	_, err := ParseGiven("3D6=11(4,4,4)")
	if sum := new(SumError); !errors.As(err, &sum) || sum.Sum != 12 {
		t.Errorf("got %v", err)
	}
}

// A Given that was not parsed may be anything.
func TestResolveRefuses(t *testing.T) {
	for _, c := range []struct {
		given Given
		want  error
	}{
		{Given{}, outside("count", 0, 1, 100)},
		{Given{Dice: Dice{1, 0}, Total: 1}, outside("sides", 0, 1, 1000)},
		{Given{Dice: Dice{-1, 6}, Total: -3}, outside("count", -1, 1, 100)},
		{Given{Dice: Dice{3, 6}, Total: 2}, outside("total", 2, 3, 18)},
		{Given{Dice: Dice{3, 6}, Total: 19}, outside("total", 19, 3, 18)},
		{Given{Dice{2, 6}, []int32{7, 1}, 8}, outside("face", 7, 1, 6)},
		{Given{Dice{2, 6}, []int32{8}, 8}, &FacesError{Dice: Dice{2, 6}, Got: 1}},
		{Given{Dice{2, 6}, []int32{4, 3}, 8}, &SumError{Sum: 7, Total: 8}},
	} {
		faces, err := c.given.Resolve()
		if faces != nil || !reflect.DeepEqual(err, c.want) {
			t.Errorf("%v: got %v, %v, want %v", c.given, faces, err, c.want)
		}
	}
}

// Whoever gets faces may write to them.
func TestResolveCopies(t *testing.T) {
	g := Given{Dice{2, 6}, []int32{3, 4}, 7}
	faces, err := g.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	faces[0] = 99
	if g.Faces[0] != 3 {
		t.Error("the faces of the Given changed")
	}
}

var anyThrow = rapid.Custom(func(t *rapid.T) Throw {
	d := anyDice.Draw(t, "dice")
	faces := rapid.SliceOfN(rapid.Int32Range(1, d.Sides), int(d.Count), int(d.Count)).Draw(t, "faces")
	return Throw{Dice: d, Faces: faces, Total: sumOf(faces)}
})

func sumOf(faces []int32) (sum int32) {
	for _, face := range faces {
		sum += face
	}
	return sum
}

func TestGivenRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Given(anyThrow.Draw(t, "throw"))
		if g.Count > 1 && rapid.Bool().Draw(t, "open") {
			g.Faces = nil
		}
		got, err := ParseGiven(g.String())
		if err != nil || !reflect.DeepEqual(got, g) {
			t.Fatalf("%q: got %v, %v", g, got, err)
		}
	})
}

func TestResolveOpenFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDice.Draw(t, "dice")
		g := Given{Dice: d, Total: rapid.Int32Range(d.Min(), d.Max()).Draw(t, "total")}
		faces, err := g.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) != int(d.Count) || sumOf(faces) != g.Total || slices.Min(faces) < 1 || slices.Max(faces) > d.Sides {
			t.Fatalf("%v: got %v", g, faces)
		}
		again, err := g.Resolve()
		if err != nil || !slices.Equal(again, faces) {
			t.Fatalf("%v: got %v, then %v", g, faces, again)
		}
	})
}

func FuzzParseGiven(f *testing.F) {
	for _, seed := range []string{
		"1D100=44", "3D6=11(4,4,3)", "3D6=11 (4,4,3)", "3D6=11", "1D6=5(5)", "3D6=19", "2D6=7(7,0)", "2D6=7(3,3)", "1D6=", "3D6=11(",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseGiven(text)
		if err != nil {
			checkPlace(t, text, err)
			return
		}
		if again, err := ParseGiven(g.String()); err != nil || !reflect.DeepEqual(again, g) {
			t.Fatalf("%q: %v came back as %v, %v", text, g, again, err)
		}
		if faces, err := g.Resolve(); err != nil || sumOf(faces) != g.Total {
			t.Fatalf("%q: got %v, %v", text, faces, err)
		}
	})
}
