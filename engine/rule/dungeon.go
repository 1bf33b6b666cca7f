package rule

import (
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// SetDungeon writes the dungeon as a whole.
func SetDungeon(after *tablev1.Dungeon) *tablev1.Change {
	return table.SetDungeon(after)
}

// EndDungeon leaves the dungeon for good.
func EndDungeon() *tablev1.Change { return table.SetDungeon(nil) }

// SetSquare writes what is known of a square.
func SetSquare(after *tablev1.DungeonSquare) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_DungeonSquare{DungeonSquare: &tablev1.DungeonSquareChange{After: after}}}
}

// EndSquare forgets a square.
func EndSquare(s *tablev1.DungeonSquare) *tablev1.Change {
	after := &tablev1.DungeonSquare{Of: s.Of, Square: s.Square, Audience: s.Audience}
	return &tablev1.Change{Change: &tablev1.Change_DungeonSquare{DungeonSquare: &tablev1.DungeonSquareChange{Removed: true, After: after}}}
}

// SetMark writes what is known to lie on a square.
func SetMark(after *tablev1.DungeonMark) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_DungeonMark{DungeonMark: &tablev1.DungeonMarkChange{After: after}}}
}

// EndMark takes a mark away.
func EndMark(m *tablev1.DungeonMark) *tablev1.Change {
	after := &tablev1.DungeonMark{Of: m.Of, Number: m.Number, Audience: m.Audience}
	return &tablev1.Change{Change: &tablev1.Change_DungeonMark{DungeonMark: &tablev1.DungeonMarkChange{Removed: true, After: after}}}
}

// SetFeature writes what lies in the dungeon, for the GM.
func SetFeature(after *tablev1.DungeonFeature) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_DungeonFeature{DungeonFeature: &tablev1.DungeonFeatureChange{After: after}}}
}

// WithFeature returns a copy of what lies in the dungeon, changed by f. Rows of the
// state are shared with events and never written in place.
func WithFeature(d *tablev1.DungeonFeature, f func(*tablev1.DungeonFeature)) *tablev1.DungeonFeature {
	out := proto.Clone(d).(*tablev1.DungeonFeature)
	f(out)
	return out
}
