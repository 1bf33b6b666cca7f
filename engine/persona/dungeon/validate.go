package dungeon

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/grid"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Case is a dungeon with what else is known of its exploration.
type Case struct {
	Dungeon *personav1.Dungeon
	// Start is the square that the GM has chosen; nil for the entrance.
	Start *typev1.Square
	// Party is the number of PCs, and SessionLevel that of the session; 0 where it
	// is not known.
	Party, SessionLevel int32
	// Unlinked makes warnings of floors and areas that cannot be reached (option
	// allow_unlinked).
	Unlinked bool
}

// Validate lists all that is wrong with a dungeon (PER-VAL-01, PER-VAL-02), sorted
// by code, then as the dungeon has it.
func Validate(t *Tables, c Case) []*personav1.Finding {
	v := &validator{tables: t, Case: c, d: c.Dungeon, maps: make(map[int32]grid.Map)}
	for _, f := range v.d.Floors {
		v.maps[f.Number] = grid.NewMap(f.Rows)
	}
	v.ranges()
	v.ids()
	for _, f := range v.d.Features {
		v.feature(f)
	}
	v.guidelines()
	v.reach()
	slices.SortStableFunc(v.found, func(a, b *personav1.Finding) int { return cmp.Compare(a.Code, b.Code) })
	return v.found
}

// Refused reports whether a dungeon with these findings cannot be explored.
func Refused(found []*personav1.Finding) bool {
	return slices.ContainsFunc(found, func(f *personav1.Finding) bool { return f.Severity == personav1.Severity_SEVERITY_ERROR })
}

// Place is where a finding is, in signs that are the same in every language, with a
// blank before each: the feature, the square, the floor.
func Place(f *personav1.Finding) string {
	s := ""
	if f.Feature != 0 {
		s += fmt.Sprintf(" #%d", f.Feature)
	}
	if f.Square != nil {
		s += fmt.Sprintf(" (%d,%d)", f.Square.X, f.Square.Y)
	}
	if f.Floor != 0 {
		s += fmt.Sprintf(" F%d", f.Floor)
	}
	return s
}

type validator struct {
	Case
	tables *Tables
	d      *personav1.Dungeon
	maps   map[int32]grid.Map // by floor; read by key alone
	found  []*personav1.Finding
}

const (
	isError = personav1.Severity_SEVERITY_ERROR
	warning = personav1.Severity_SEVERITY_WARNING
)

// find makes a finding on the dungeon as a whole.
func (v *validator) find(code, name string, s personav1.Severity) *personav1.Finding {
	f := &personav1.Finding{Code: code, Name: name, Severity: s}
	v.found = append(v.found, f)
	return f
}

// on makes a finding on a feature.
func (v *validator) on(f *personav1.Feature, code, name string, s personav1.Severity) {
	out := v.find(code, name, s)
	out.Feature, out.Square, out.Floor = f.Id, f.Square, f.Square.GetFloor()
}

// cell is where a square lies on its floor, and whether it lies on one at all.
func (v *validator) cell(s *typev1.Square) (grid.Map, grid.Cell, bool) {
	c := grid.Cell{X: s.GetX(), Y: s.GetY()}
	m, ok := v.maps[s.GetFloor()]
	return m, c, ok && s != nil && m.Holds(c)
}

func (v *validator) passage(s *typev1.Square) bool {
	m, c, ok := v.cell(s)
	return ok && m.Passage(c)
}

// ranges finds numbers and words that are none (V10), and ragged floors (V12).
func (v *validator) ranges() {
	bad := func() *personav1.Finding { return v.find("V10", "bad_range", isError) }
	if v.d.Level < 1 || v.d.Level > maxLevel {
		bad()
	}
	if !validMoon(v.d.Moon) {
		bad()
	}
	if !validWeather(v.d.Weather) {
		bad()
	}
	if len(v.d.Floors) < 1 || len(v.d.Floors) > maxFloors {
		bad()
	}
	for i, f := range v.d.Floors {
		width, height := Size(f)
		if f.Number != int32(i)+1 || width < 1 || width > maxSize || height < 1 || height > maxSize ||
			f.RoundLimitOverride != nil && *f.RoundLimitOverride < 1 {
			bad().Floor = f.Number
		}
		if slices.ContainsFunc(f.Rows, func(r string) bool { return int32(len(r)) != width || !signs(r) }) {
			v.find("V12", "out_of_bounds", isError).Floor = f.Number
		}
	}
}

// signs reports whether a row has none but walls and passages.
func signs(row string) bool {
	for _, r := range row {
		if r != grid.Wall && r != grid.Passage {
			return false
		}
	}
	return true
}

func (v *validator) ids() {
	seen := make(map[int32]bool)
	for _, f := range v.d.Features {
		if seen[f.Id] {
			v.on(f, "V11", "duplicate_id", isError)
		}
		seen[f.Id] = true
		if f.Id < 1 {
			v.on(f, "V10", "bad_range", isError)
		}
	}
}

func (v *validator) feature(f *personav1.Feature) {
	if _, _, ok := v.cell(f.Square); !ok {
		v.on(f, "V12", "out_of_bounds", isError)
	} else if !v.passage(f.Square) {
		v.on(f, "V01", "feature_on_wall", isError)
	}
	switch k := f.Kind.(type) {
	case *personav1.Feature_Stairs:
		if v.shared(f) {
			v.on(f, "V02", "stairs_shared", isError)
		}
		if !k.Stairs.GetOutside() && Arrival(v.d, f) == nil {
			v.on(f, "V05", "stairs_target", isError)
		}
	case *personav1.Feature_Warp:
		v.warp(f, k.Warp)
	case *personav1.Feature_Enemy:
		v.enemy(f, k.Enemy)
	case *personav1.Feature_Item:
		if k.Item.GetMacca() < 0 || slices.ContainsFunc(k.Item.GetItems(), func(i *personav1.ItemCount) bool { return i.Count < 1 || !v.item(i.Item) }) {
			v.on(f, "V10", "bad_range", isError)
		}
	case *personav1.Feature_Trap:
		if !slices.Contains(v.tables.Traps, k.Trap.GetKind()) {
			v.on(f, "V10", "bad_range", isError)
		}
	case *personav1.Feature_Event:
	default:
		v.on(f, "V10", "bad_range", isError)
	}
}

func (v *validator) item(id string) bool {
	return slices.ContainsFunc(v.tables.Items, func(r ItemRow) bool { return r.ID == id })
}

// shared reports whether something lies beside stairs or a warp that may not: all
// but events (PER-SQ-08).
func (v *validator) shared(f *personav1.Feature) bool {
	return slices.ContainsFunc(v.d.Features, func(o *personav1.Feature) bool {
		return o != f && o.GetEvent() == nil && same(o.Square, f.Square)
	})
}

func same(a, b *typev1.Square) bool {
	return a != nil && b != nil && a.X == b.X && a.Y == b.Y && a.Floor == b.Floor
}

func (v *validator) warp(f *personav1.Feature, w *personav1.Warp) {
	if v.shared(f) {
		v.on(f, "V03", "warp_shared", isError)
	}
	switch {
	case same(w.GetTo(), f.Square):
		v.on(f, "V17", "warp_self", isError)
	case !v.passage(w.GetTo()):
		v.on(f, "V04", "warp_to_wall", isError)
	}
}

func (v *validator) enemy(f *personav1.Feature, e *personav1.Enemy) {
	if e.Level < 1 || e.Count < 1 {
		v.on(f, "V10", "bad_range", isError)
		return
	}
	if e.Level != v.tables.EnemyLevel(v.d.Level, v.d.Moon) {
		v.on(f, "V13", "enemy_level_off", warning)
	}
	if e.Count > 5 {
		v.on(f, "V14", "enemy_count_unusual", warning)
	}
}

// guidelines are what only warns of the unusual (PER-DUN-02, -05, -06).
func (v *validator) guidelines() {
	if n := len(v.d.Floors); n < 2 || n > 4 {
		v.find("V15", "floors_unusual", warning)
	}
	for _, f := range v.d.Floors {
		if width, height := Size(f); width < 4 || width > 6 || height < 4 || height > 6 {
			v.find("V16", "size_unusual", warning).Floor = f.Number
		}
	}
	if v.Party != 0 && (v.Party < 3 || v.Party > 5) {
		v.find("V19", "party_size", warning)
	}
	if v.SessionLevel != 0 && v.SessionLevel != v.d.Level {
		v.find("V19", "level_off_session", warning)
	}
}
