package dungeon

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/grid"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// Text writes a dungeon as people write one by hand; Parse reads it again.
//
//	level 20
//	moon full
//	weather rain
//
//	floor 1
//	limit 9
//	#.#b
//	.d..
//	.c##
//	...a
//
//	a = stairs outside
//	b = stairs to #8
//	c = enemy rust_hound x3 level 24 (strike) hidden
//	d = item soul_thread, herb x2, 40 macca in "a red chest"
//	d = trap mana_leech
//
// "#" is a wall, "." a passage, any other sign a passage on which something lies,
// which the lines below the floor say: one for each feature.
func Text(d *personav1.Dungeon) string {
	var b strings.Builder
	fmt.Fprintf(&b, "level %d\nmoon %s\nweather %s\n", d.Level, moonWords[d.Moon], weatherWords[d.Weather])
	for _, f := range d.Floors {
		fmt.Fprintf(&b, "\nfloor %d\n", f.Number)
		if f.RoundLimitOverride != nil {
			fmt.Fprintf(&b, "limit %d\n", *f.RoundLimitOverride)
		}
		writeFloor(&b, d, f)
	}
	return b.String()
}

// signs that stand for what lies on a square, in the order in which they are given
// out: without those that mean something else, or look alike.
const legend = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"

// signOf is the n-th sign; past the legend any other letter of Unicode serves.
func signOf(n int) rune {
	if n < len(legend) {
		return rune(legend[n])
	}
	return rune(0x3041 + n - len(legend)) // hiragana and what follows
}

func writeFloor(b *strings.Builder, d *personav1.Dungeon, f *personav1.Floor) {
	signs := make(map[grid.Cell]rune)
	var lines []string
	for _, feature := range d.Features {
		if feature.Square.GetFloor() != f.Number {
			continue
		}
		c := grid.Cell{X: feature.Square.X, Y: feature.Square.Y}
		if _, ok := signs[c]; !ok {
			signs[c] = signOf(len(signs))
		}
		lines = append(lines, fmt.Sprintf("%c = #%d %s", signs[c], feature.Id, describe(feature)))
	}
	for y, row := range f.Rows {
		for x, sign := range row {
			if s, ok := signs[grid.Cell{X: int32(x), Y: int32(y)}]; ok {
				sign = s
			}
			b.WriteRune(sign)
		}
		b.WriteByte('\n')
	}
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	}
}

// describe is the line of a feature, without its sign and id.
func describe(f *personav1.Feature) string {
	var s string
	switch k := f.Kind.(type) {
	case *personav1.Feature_Stairs:
		s = "stairs " + describeStairs(k.Stairs)
	case *personav1.Feature_Warp:
		s = fmt.Sprintf("warp %d,%d", k.Warp.To.GetX(), k.Warp.To.GetY())
		if to := k.Warp.To.GetFloor(); to != f.Square.Floor {
			s += fmt.Sprintf(" floor %d", to)
		}
		if k.Warp.Mode == personav1.WarpMode_WARP_MODE_FORCED {
			s += " forced"
		}
	case *personav1.Feature_Item:
		s = "item " + describeTreasure(k.Item)
	case *personav1.Feature_Enemy:
		s = fmt.Sprintf("enemy %s x%d level %d (%s)", quoted(k.Enemy.Name), k.Enemy.Count, k.Enemy.Level, strings.Join(k.Enemy.Specialties, ", "))
	case *personav1.Feature_Trap:
		s = "trap " + quoted(k.Trap.Kind)
	case *personav1.Feature_Event:
		s = "event " + quoted(k.Event.Key)
		if k.Event.Trigger == personav1.Trigger_TRIGGER_SEARCH {
			s += " search"
		}
		if k.Event.Again {
			s += " again"
		}
	}
	if v := f.Visibility; v != usual(f) && v != personav1.Visibility_VISIBILITY_UNSPECIFIED {
		s += " " + visibilityWords[v]
	}
	return s
}

// usual is how a feature of its kind shows by itself (PER-HID-02).
func usual(f *personav1.Feature) personav1.Visibility {
	if f.GetTrap() != nil || f.GetEvent() != nil {
		return personav1.Visibility_VISIBILITY_HIDDEN
	}
	return personav1.Visibility_VISIBILITY_OPEN
}

// Shows is how a feature shows by itself, as it says or as its kind does (PER-HID-02).
func Shows(f *personav1.Feature) personav1.Visibility {
	if f.Visibility != personav1.Visibility_VISIBILITY_UNSPECIFIED {
		return f.Visibility
	}
	return usual(f)
}

func describeStairs(s *personav1.Stairs) string {
	switch to := s.GetTo().(type) {
	case *personav1.Stairs_Stairs:
		return fmt.Sprintf("to #%d", to.Stairs)
	case *personav1.Stairs_Floor:
		return fmt.Sprintf("floor %d", to.Floor)
	}
	return "outside"
}

func describeTreasure(t *personav1.Treasure) string {
	var parts []string
	for _, i := range t.Items {
		s := quoted(i.Item)
		if i.Count != 1 {
			s += " x" + strconv.Itoa(int(i.Count))
		}
		parts = append(parts, s)
	}
	if t.Macca != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%d macca", t.Macca))
	}
	s := strings.Join(parts, ", ")
	if t.Container != "" {
		s += " in " + strconv.Quote(t.Container)
	}
	return s
}

// quoted is a name, in quotes if it is not a plain word.
func quoted(name string) string {
	for _, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return strconv.Quote(name)
		}
	}
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return strconv.Quote(name)
	}
	return name
}
