package view

import (
	"strings"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// damage is the fullest of the events of an exchange.
const damage = `name: "damage_rolled" rule: "COC-ATK-02" cause: 2 actor: "officer" targets: "thug" audience: AUDIENCE_PUBLIC
	facts {key: "dice" number: 4 audience: AUDIENCE_DICE}
	facts {key: "db" number: 2 audience: AUDIENCE_DICE}
	facts {key: "multiplier" words: "1" audience: AUDIENCE_DICE}
	facts {key: "armour" of: "thug" number: 0 audience: AUDIENCE_VALUES}
	facts {key: "final" of: "thug" number: 6 audience: AUDIENCE_HP}
	dice {label: "damage" of: "officer" sides: 6 faces: 4 audience: AUDIENCE_DICE}
	dice {label: "db" of: "officer" sides: 4 faces: 2 audience: AUDIENCE_DICE}
	trace {of: "officer" label: "db" rule: "COC-ATK-02" op: MODIFIER_OP_ADD value: 2 result: 6 audience: AUDIENCE_VALUES}
	changes {resource {character: "thug" after {key: "hp" value: 7 max: 13 band: BAND_HURT audience: AUDIENCE_HP}}}
	changes {part {character: "thug" after {coc {wounds {id: 1 amount: 6}}}}}
	changes {part {character: "officer" after {coc {combat {attacks_made: 1}}}}}
	cues {float {character: "thug" fact: "final"}}`

func BenchmarkEvent(b *testing.B) {
	ev := read(b, &tablev1.Event{}, damage)
	vis := stamp()
	for _, bb := range []struct {
		name   string
		viewer Viewer
	}{{"gm", theGM}, {"player", ann}, {"observer", olga}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Event(ev, bb.viewer, vis, Handles{Event: "e"}, nil)
			}
		})
	}
}

func BenchmarkTable(b *testing.B) {
	s := read(b, &tablev1.State{}, windows)
	for _, id := range []string{"dog", "nurse", "officer", "stranger", "thug"} {
		s.Characters = append(s.Characters, read(b, &tablev1.Character{}, replace(sheet, id)))
	}
	vis := stamp()
	b.ReportAllocs()
	for b.Loop() {
		Table(s, ann, vis, seats)
	}
}

// The projection of an event runs for each event and each kind of viewer.
func TestEventAllocs(t *testing.T) {
	ev := read(t, &tablev1.Event{}, damage)
	vis := stamp()
	for _, v := range []Viewer{theGM, ann, olga} {
		if n := testing.AllocsPerRun(100, func() { Event(ev, v, vis, Handles{Event: "e"}, nil) }); n > 30 {
			t.Errorf("%s: %v allocations", v.Seat, n)
		}
	}
}

// A floor of twenty by twenty that is known as a whole, with something on every tenth
// square of which half is known.
func BenchmarkDungeon(b *testing.B) {
	const size = 20
	d := &tablev1.Dungeon{Floors: []*tablev1.DungeonFloor{{Number: 1}}}
	for y := range int32(size) {
		d.Floors[0].Rows = append(d.Floors[0].Rows, strings.Repeat(".", size))
		for x := range int32(size) {
			at := &typev1.Square{X: x, Y: y, Floor: 1}
			d.Squares = append(d.Squares, &tablev1.DungeonSquare{Square: at, Terrain: tablev1.Terrain_TERRAIN_PASSAGE, Audience: typev1.Audience_AUDIENCE_PUBLIC})
			n := int32(len(d.Squares))
			if n%10 > 0 {
				continue
			}
			f := &tablev1.DungeonFeature{Id: n, Square: at, Kind: "trap", Hidden: true}
			if n%20 == 0 {
				f.Known = []*tablev1.KnownAs{{Number: n, Detail: tablev1.MarkDetail_MARK_DETAIL_DATA}}
				d.Marks = append(d.Marks, &tablev1.DungeonMark{
					Number: n, Square: at, Kind: "trap", Detail: tablev1.MarkDetail_MARK_DETAIL_DATA, Audience: typev1.Audience_AUDIENCE_PUBLIC,
					Facts: []*typev1.Fact{{Key: "trap", Words: []string{"dart"}, Audience: typev1.Audience_AUDIENCE_PUBLIC}},
				})
			}
			d.Features = append(d.Features, f)
		}
	}
	vis := stamp()
	for _, bb := range []struct {
		name   string
		viewer Viewer
	}{{"gm", theGM}, {"player", ann}, {"observer", olga}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Dungeon(d, bb.viewer, vis)
			}
		})
	}
}
