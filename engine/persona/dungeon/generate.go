package dungeon

import (
	"bytes"
	"slices"

	"github.com/hantei/hantei/engine/grid"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Bounds of what can be generated and explored.
const (
	maxSize   = 20
	maxFloors = 20
	maxLevel  = 99
	// leastGenerated is the least width and height of a generated floor.
	leastGenerated = 3
)

// Request is what a dungeon is generated from (PER-GEN-01).
type Request struct {
	Seed          uint64
	Level         int32 // 1 to 99
	Moon          personav1.Moon
	Weather       personav1.Weather
	Floors        int32 // 1 to 20
	Width, Height int32 // 3 to 20
}

// Fault says why a request makes no dungeon.
type Fault int

// The faults of PER-GEN-01, in the order in which they are told.
const (
	NoFault Fault = iota
	BadSize
	BadFloors
	BadLevel
	BadEnum
)

// String is the word of the reason that the fault is refused with.
func (f Fault) String() string {
	return [...]string{"", "bad_size", "bad_floors", "bad_level", "bad_enum"}[f]
}

// Check says what is wrong with a request first.
func (r Request) Check() Fault {
	size := func(n int32) bool { return n >= leastGenerated && n <= maxSize }
	switch {
	case !size(r.Width) || !size(r.Height):
		return BadSize
	case r.Floors < 1 || r.Floors > maxFloors:
		return BadFloors
	case r.Level < 1 || r.Level > maxLevel:
		return BadLevel
	case !validMoon(r.Moon) || !validWeather(r.Weather):
		return BadEnum
	}
	return NoFault
}

func validMoon(m personav1.Moon) bool {
	return m >= personav1.Moon_MOON_NEW && m <= personav1.Moon_MOON_FULL
}

func validWeather(w personav1.Weather) bool {
	return w >= personav1.Weather_WEATHER_CLEAR && w <= personav1.Weather_WEATHER_THUNDERSTORM
}

// Generate makes a dungeon (PER-GEN-01 to 04). The request must be without fault.
// The same request and tables make the same dungeon.
func Generate(t *Tables, r Request) *personav1.Dungeon {
	g := &generator{
		tables: t, draws: draws{state: r.Seed}, request: r,
		out: &personav1.Dungeon{Level: r.Level, Moon: r.Moon, Weather: r.Weather},
	}
	var down *personav1.Feature // the stairs that lead to the floor that is made next
	for n := int32(1); n <= r.Floors; n++ {
		down = g.floor(n, down)
	}
	return g.out
}

// generator is one dungeon in the making.
type generator struct {
	tables  *Tables
	draws   draws
	request Request
	out     *personav1.Dungeon

	// Of the floor that is being made:
	number int32
	free   []grid.Cell // passages without a feature, row by row
}

// floor makes a floor. down are the stairs that lead to it, nil for the first; it
// returns those that lead on, nil from the last.
func (g *generator) floor(number int32, down *personav1.Feature) *personav1.Feature {
	rows := g.carve()
	m := grid.NewMap(rows)
	g.number, g.free = number, m.Passages()
	n := len(g.free)
	g.out.Floors = append(g.out.Floors, &personav1.Floor{Number: number, Rows: rows})
	on := g.links(m, down)
	g.populate(n)
	return on
}

// carve makes the squares of a floor (PER-GEN-02).
func (g *generator) carve() []string {
	width, height := g.request.Width, g.request.Height
	areas := 2
	if width*height < 20 {
		areas = 1
	}
	target := int(width * height * 25 / 100)
	rows := make([][]byte, height)
	for y := range rows {
		rows[y] = bytes.Repeat([]byte{grid.Passage}, int(width))
	}
	squares := made(rows).Passages()
	shuffle(&g.draws, squares)
	walls := 0
	for _, c := range squares {
		if walls == target {
			break
		}
		rows[c.Y][c.X] = grid.Wall
		if carved(made(rows), areas) {
			walls++
		} else {
			rows[c.Y][c.X] = grid.Passage
		}
	}
	return texts(rows)
}

func made(rows [][]byte) grid.Map { return grid.NewMap(texts(rows)) }

func texts(rows [][]byte) []string {
	out := make([]string, len(rows))
	for y, row := range rows {
		out[y] = string(row)
	}
	return out
}

// leastArea is how many squares a generated area has at least.
const leastArea = 4

func carved(m grid.Map, most int) bool {
	areas := m.Areas()
	return len(areas) <= most && !slices.ContainsFunc(areas, func(a []grid.Cell) bool { return len(a) < leastArea })
}

// links makes stairs and warps (PER-GEN-03).
func (g *generator) links(m grid.Map, down *personav1.Feature) *personav1.Feature {
	at := g.take(g.free)
	up := &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}
	if down != nil {
		up.To = &personav1.Stairs_Stairs{Stairs: down.Id}
	}
	arrival := g.add(at, personav1.Visibility_VISIBILITY_OPEN)
	arrival.Kind = &personav1.Feature_Stairs{Stairs: up}
	if down != nil {
		down.GetStairs().To = &personav1.Stairs_Stairs{Stairs: arrival.Id}
	}
	var warps []grid.Edge
	if areas := m.Areas(); len(areas) == 2 {
		w0 := g.take(g.among(areas[0]))
		w1 := g.take(g.among(areas[1]))
		g.warp(w0, w1)
		g.warp(w1, w0)
		warps = []grid.Edge{{From: w0, To: w1}, {From: w1, To: w0}}
	}
	far := farthest(m.Distances(at, warps...), g.free)
	g.leave(far)
	departure := g.add(far, personav1.Visibility_VISIBILITY_OPEN)
	if g.number < g.request.Floors {
		departure.Kind = &personav1.Feature_Stairs{Stairs: &personav1.Stairs{}} // to the next floor's, which are not there yet
		return departure
	}
	departure.Kind = &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}
	g.add(far, personav1.Visibility_VISIBILITY_HIDDEN).Kind = &personav1.Feature_Event{Event: &personav1.EventFeature{
		Key: "goal", Trigger: personav1.Trigger_TRIGGER_MOVE,
	}}
	return nil
}

// farthest is the first of the cells to which the way is longest.
func farthest(way grid.Walk, cells []grid.Cell) grid.Cell {
	far, most := cells[0], int32(-1)
	for _, c := range cells {
		if steps, ok := way.To(c); ok && steps > most {
			far, most = c, steps
		}
	}
	return far
}

func (g *generator) warp(from, to grid.Cell) {
	g.add(from, personav1.Visibility_VISIBILITY_OPEN).Kind = &personav1.Feature_Warp{Warp: &personav1.Warp{
		To: g.square(to), Mode: personav1.WarpMode_WARP_MODE_OPTIONAL,
	}}
}

// groups are the sizes of a group of enemies, one as likely as the other.
var groups = [...]int32{1, 1, 2, 2, 2, 3, 3, 3, 4, 5}

// populate puts enemies, items and traps on a floor of n passages (PER-GEN-04).
func (g *generator) populate(n int) {
	for range max(1, n/5) {
		if len(g.free) == 0 {
			return
		}
		g.enemy()
	}
	for range max(1, n/6) {
		if len(g.free) == 0 {
			return
		}
		g.treasure()
	}
	for range n / 8 {
		if len(g.free) == 0 {
			return
		}
		at := g.take(g.free)
		trap := pick(&g.draws, g.tables.Traps)
		g.add(at, personav1.Visibility_VISIBILITY_HIDDEN).Kind = &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: trap}}
	}
}

func (g *generator) enemy() {
	at := g.take(g.free)
	level := g.tables.EnemyLevel(g.request.Level, g.request.Moon)
	var rows []EnemyRow
	for _, row := range g.tables.Enemies {
		if row.MinLevel <= level {
			rows = append(rows, row)
		}
	}
	row := pick(&g.draws, rows)
	count := pick(&g.draws, groups[:])
	f := g.add(at, g.hidden(30))
	f.Kind = &personav1.Feature_Enemy{Enemy: &personav1.Enemy{Name: row.ID, Level: level, Count: count, Specialties: row.Specialties}}
}

func (g *generator) treasure() {
	at := g.take(g.free)
	f := g.add(at, g.hidden(40))
	if g.draws.u(100) < 30 {
		f.Kind = &personav1.Feature_Item{Item: &personav1.Treasure{Macca: g.request.Level * int32(1+g.draws.u(10))}}
		return
	}
	rows := g.tables.Obtained(g.request.Level, g.request.Weather)
	f.Kind = &personav1.Feature_Item{Item: &personav1.Treasure{Items: []*personav1.ItemCount{{Item: pick(&g.draws, rows), Count: 1}}}}
}

// hidden draws whether a feature is hidden, so many times in a hundred.
func (g *generator) hidden(percent int) personav1.Visibility {
	if g.draws.u(100) < percent {
		return personav1.Visibility_VISIBILITY_HIDDEN
	}
	return personav1.Visibility_VISIBILITY_OPEN
}

// take picks one of some free squares, which is not free any more.
func (g *generator) take(from []grid.Cell) grid.Cell {
	p := pick(&g.draws, from)
	g.leave(p)
	return p
}

func (g *generator) leave(p grid.Cell) {
	i := slices.Index(g.free, p)
	g.free = slices.Delete(g.free, i, i+1)
}

// among are the free squares of an area.
func (g *generator) among(area []grid.Cell) []grid.Cell {
	var out []grid.Cell
	for _, p := range g.free {
		if slices.Contains(area, p) {
			out = append(out, p)
		}
	}
	return out
}

// add makes the next feature.
func (g *generator) add(at grid.Cell, v personav1.Visibility) *personav1.Feature {
	f := &personav1.Feature{Id: int32(len(g.out.Features)) + 1, Square: g.square(at), Visibility: v}
	g.out.Features = append(g.out.Features, f)
	return f
}

func (g *generator) square(p grid.Cell) *typev1.Square {
	return &typev1.Square{X: p.X, Y: p.Y, Floor: g.number}
}
