package table

import (
	"fmt"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Cell is what a change writes: two changes of the same cell write the same thing.
type Cell struct {
	// Character whose it is; "" for the table's.
	Character string
	// What of it; Sheet for the whole sheet, which every other cell of the character
	// is a part of.
	What string
}

// Sheet is the cell of a whole sheet, and Explored that of a whole dungeon, whose
// squares, marks and features have cells that begin with it and a dot.
const (
	Sheet    = "sheet"
	Explored = "dungeon"
)

// Slot names what a change writes: of two changes of the same slot the later one
// alone counts. A change of a whole sheet, or a whole dungeon, writes also every slot
// whose name begins with that of its own and a slash.
func Slot(c *tablev1.Change) string {
	cell := CellOf(c)
	switch {
	case cell.Character == "":
		return strings.Replace(cell.What, Explored+".", Explored+"/", 1)
	case cell.What == Sheet:
		return "character/" + cell.Character
	}
	return "character/" + cell.Character + "/" + cell.What
}

// CellOf is the cell of a change.
func CellOf(c *tablev1.Change) Cell {
	switch k := c.Change.(type) {
	case *tablev1.Change_Option:
		return Cell{What: "option." + k.Option.After.GetKey()}
	case *tablev1.Change_Character:
		return Cell{k.Character.Character, Sheet}
	case *tablev1.Change_Identity:
		return Cell{k.Identity.Character, "identity"}
	case *tablev1.Change_Profile:
		return Cell{k.Profile.Character, "profile"}
	case *tablev1.Change_Notes:
		return Cell{k.Notes.Character, "notes"}
	case *tablev1.Change_Stat:
		return Cell{k.Stat.Character, "stat." + k.Stat.After.GetKey()}
	case *tablev1.Change_Resource:
		return Cell{k.Resource.Character, "resource." + k.Resource.After.GetKey()}
	case *tablev1.Change_Status:
		return Cell{k.Status.Character, "status." + k.Status.After.GetKey()}
	case *tablev1.Change_Modifier:
		return Cell{k.Modifier.Character, "modifier." + k.Modifier.After.GetId()}
	case *tablev1.Change_Position:
		return Cell{k.Position.Character, "position"}
	case *tablev1.Change_Review:
		return Cell{k.Review.Character, "review"}
	case *tablev1.Change_Encounter:
		return Cell{What: "encounter"}
	case *tablev1.Change_Dungeon:
		return Cell{What: Explored}
	case *tablev1.Change_DungeonSquare:
		sq := k.DungeonSquare.After
		return Cell{What: fmt.Sprintf("%s.square.%s.%d.%d.%d", Explored, sq.GetOf(), sq.GetSquare().GetFloor(), sq.GetSquare().GetX(), sq.GetSquare().GetY())}
	case *tablev1.Change_DungeonMark:
		return Cell{What: fmt.Sprintf("%s.mark.%s.%d", Explored, k.DungeonMark.After.GetOf(), k.DungeonMark.After.GetNumber())}
	case *tablev1.Change_DungeonFeature:
		return Cell{What: fmt.Sprintf("%s.feature.%d", Explored, k.DungeonFeature.After.GetId())}
	case *tablev1.Change_DiceEpoch:
		return Cell{What: "dice epoch"} // which no undo writes back
	case *tablev1.Change_Clock:
		return Cell{What: "clock." + k.Clock.After.GetClock().String()}
	case *tablev1.Change_Window:
		return Cell{What: "window." + k.Window.Id}
	case *tablev1.Change_Agenda:
		return Cell{What: "agenda"}
	case *tablev1.Change_Part:
		return Cell{k.Part.Character, "part." + pieceName(k.Part.After)}
	}
	panic(fmt.Sprintf("table: unknown change %T", c.Change))
}

// pieceName is the name of a piece among all of a sheet, with its key if there can be
// several.
func pieceName(p *tablev1.Part) string {
	outer := p.ProtoReflect()
	ruleset := chosen(outer)
	inner := outer.Get(ruleset).Message()
	f := chosen(inner)
	details := (&tablev1.Details{}).ProtoReflect()
	among := details.Descriptor().Fields().ByNumber(ruleset.Number()).Message().Fields().ByNumber(f.Number())
	if !among.IsList() {
		return string(f.Name())
	}
	return fmt.Sprintf("%s.%v", f.Name(), keyOf(inner.Get(f)))
}
