package table

import (
	"fmt"
	"strconv"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Slot names what a change writes: of two changes of the same slot the later one
// alone counts. A change of a whole sheet or dungeon writes also every slot whose name
// begins with that of its own and a slash.
func Slot(c *tablev1.Change) string {
	of := func(character, what, key string) string { return "character/" + character + "/" + what + "/" + key }
	switch k := c.Change.(type) {
	case *tablev1.Change_Option:
		return "option/" + k.Option.After.GetKey()
	case *tablev1.Change_Character:
		return "character/" + k.Character.Character
	case *tablev1.Change_Identity:
		return of(k.Identity.Character, "identity", "")
	case *tablev1.Change_Profile:
		return of(k.Profile.Character, "profile", "")
	case *tablev1.Change_Notes:
		return of(k.Notes.Character, "notes", "")
	case *tablev1.Change_Stat:
		return of(k.Stat.Character, "stat", k.Stat.After.GetKey())
	case *tablev1.Change_Resource:
		return of(k.Resource.Character, "resource", k.Resource.After.GetKey())
	case *tablev1.Change_Status:
		return of(k.Status.Character, "status", k.Status.After.GetKey())
	case *tablev1.Change_Modifier:
		return of(k.Modifier.Character, "modifier", k.Modifier.After.GetId())
	case *tablev1.Change_Position:
		return of(k.Position.Character, "position", "")
	case *tablev1.Change_Review:
		return of(k.Review.Character, "review", "")
	case *tablev1.Change_Encounter:
		return "encounter"
	case *tablev1.Change_Dungeon:
		return "dungeon"
	case *tablev1.Change_DungeonSquare:
		s := k.DungeonSquare.After
		return fmt.Sprintf("dungeon/square/%s/%d,%d,%d", s.GetOf(), s.GetSquare().GetX(), s.GetSquare().GetY(), s.GetSquare().GetFloor())
	case *tablev1.Change_DungeonMark:
		return fmt.Sprintf("dungeon/mark/%s/%d", k.DungeonMark.After.GetOf(), k.DungeonMark.After.GetNumber())
	case *tablev1.Change_DungeonFeature:
		return fmt.Sprintf("dungeon/feature/%d", k.DungeonFeature.After.GetId())
	case *tablev1.Change_DiceEpoch:
		return "dice/" + strconv.Itoa(int(k.DiceEpoch.After.GetEpoch()))
	case *tablev1.Change_Clock:
		return "clock/" + strconv.Itoa(int(k.Clock.After.GetClock()))
	case *tablev1.Change_Window:
		return "window/" + k.Window.Id
	case *tablev1.Change_Agenda:
		return "agenda"
	case *tablev1.Change_Part:
		if k.Part.Character == "" {
			return "table/part/" + pieceKey(k.Part.After)
		}
		return of(k.Part.Character, "part", pieceKey(k.Part.After))
	}
	panic(fmt.Sprintf("table: unknown change %T", c.Change))
}

// pieceKey names a piece of the details: its ruleset, its field, and of a repeated
// one its key.
func pieceKey(p *tablev1.Part) string {
	outer := p.ProtoReflect()
	ruleset := chosen(outer)
	inner := outer.Get(ruleset).Message()
	field := chosen(inner)
	name := string(ruleset.Name()) + "/" + string(field.Name())
	all := detailsOf.Fields().ByNumber(ruleset.Number()).Message()
	if all.Fields().ByNumber(field.Number()).IsList() {
		name += "/" + fmt.Sprint(keyOf(inner.Get(field)))
	}
	return name
}

var detailsOf protoreflect.MessageDescriptor = (&tablev1.Details{}).ProtoReflect().Descriptor()
