package view

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

const explored = `
	floors {number: 1 rows: ["..", "#."]}
	squares {square {x: 1 floor: 1} terrain: TERRAIN_PASSAGE audience: AUDIENCE_PUBLIC}
	squares {of: "officer" square {floor: 1} terrain: TERRAIN_WALL audience: AUDIENCE_OWNER}
	marks {number: 1 square {x: 1 floor: 1} kind: "stairs" detail: MARK_DETAIL_DATA audience: AUDIENCE_PUBLIC
		facts {key: "to" number: 2 audience: AUDIENCE_PUBLIC} facts {key: "secret" number: 3 audience: AUDIENCE_GM}}
	marks {of: "officer" number: 1 square {floor: 1} kind: "enemy" detail: MARK_DETAIL_PRESENCE audience: AUDIENCE_OWNER}
	features {id: 7 kind: "trap" hidden: true known {number: 1 detail: MARK_DETAIL_DATA}}`

// Each row of the explored dungeon is for whom it says; the floors and what lies
// there are the GM's.
func TestDungeon(t *testing.T) {
	const party = `
		squares {square {x: 1 floor: 1} terrain: TERRAIN_PASSAGE}
		marks {mark {number: 1 square {x: 1 floor: 1} kind: "stairs" detail: MARK_DETAIL_DATA facts {key: "to" number: 2}}}`
	for _, c := range []struct {
		name, dungeon string
		viewer        Viewer
		want          string
	}{
		{"its player", explored, ann, party + `
			squares {of: "officer" square {floor: 1} terrain: TERRAIN_WALL}
			marks {mark {of: "officer" number: 1 square {floor: 1} kind: "enemy" detail: MARK_DETAIL_PRESENCE}}`},
		{"another player", explored, ben, party},
		{"an observer", explored, Viewer{}, party},
		{"the GM", explored, theGM, `
			floors {number: 1 rows: ["..", "#."]}
			squares {square {x: 1 floor: 1} terrain: TERRAIN_PASSAGE}
			squares {of: "officer" square {floor: 1} terrain: TERRAIN_WALL}
			marks {mark {number: 1 square {x: 1 floor: 1} kind: "stairs" detail: MARK_DETAIL_DATA
				facts {key: "to" number: 2} facts {key: "secret" number: 3}}}
			marks {mark {of: "officer" number: 1 square {floor: 1} kind: "enemy" detail: MARK_DETAIL_PRESENCE}}
			features {feature {id: 7 kind: "trap" hidden: true known {number: 1 detail: MARK_DETAIL_DATA}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, want := &tablev1.Dungeon{}, &tablev1.DungeonView{}
			for text, m := range map[string]proto.Message{c.dungeon: d, c.want: want} {
				if err := prototext.Unmarshal([]byte(text), m); err != nil {
					t.Fatal(err)
				}
			}
			if got := Dungeon(d, c.viewer, stamp()); !proto.Equal(got, want) {
				t.Errorf("%s\nwant %s", prototext.Format(got), prototext.Format(want))
			}
		})
	}
}

// Of a dungeon of which nothing is known, others are not told that it is there, and
// of the writes to it those that are theirs.
func TestUnknownDungeon(t *testing.T) {
	d := &tablev1.Dungeon{}
	if err := prototext.Unmarshal([]byte(`floors {number: 1 rows: "."} features {id: 1}`), d); err != nil {
		t.Fatal(err)
	}
	if got := Dungeon(d, ben, stamp()); got != nil {
		t.Errorf("a player sees %v", got)
	}
	ev := &tablev1.Event{}
	if err := prototext.Unmarshal([]byte(`name: "explored" audience: AUDIENCE_PUBLIC
		changes {dungeon {after {floors {number: 1 rows: "."} features {id: 1}}}}
		changes {dungeon_feature {after {id: 1}}}
		changes {dungeon_square {after {square {x: 1} terrain: TERRAIN_WALL audience: AUDIENCE_PUBLIC}}}
		changes {dungeon_mark {after {of: "officer" number: 1 audience: AUDIENCE_OWNER}}}
		changes {dungeon {removed: true}}`), ev); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		viewer Viewer
		want   int
	}{"another player": {ben, 2}, "its player": {ann, 3}, "the GM": {theGM, 5}} {
		if got := Event(ev, c.viewer, stamp(), Handles{}, nil); len(got.GetChanges()) != c.want {
			t.Errorf("%s sees %v", name, got)
		}
	}
}
