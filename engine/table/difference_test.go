package table_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// nurse is a sheet with something of each kind.
func nurse() *tablev1.Character {
	return &tablev1.Character{
		Id: "nurse", Name: "Nurse", Side: "pc", Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Review: tablev1.Review_REVIEW_APPROVED,
		Stats:     []*typev1.Stat{{Key: "dex", Value: proto.Int32(10)}, {Key: "spot", Value: proto.Int32(50), Base: proto.Int32(25)}},
		Resources: []*typev1.Resource{{Key: "hp", Value: proto.Int32(9), Max: proto.Int32(12)}, {Key: "mp", Value: proto.Int32(3), Max: proto.Int32(3)}},
		Statuses:  []*typev1.Status{{Key: "dying"}},
		Modifiers: []*typev1.Modifier{{Id: "gm.dex", Value: proto.Int32(5)}},
		Position:  &typev1.Position{Square: &typev1.Square{X: 1}},
		Profile:   []*tablev1.ProfileEntry{{Label: "age", Text: "31"}},
		Notes:     "afraid of the sea",
		Details: &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{
			Combat:  &cocv1.Combat{AttacksMade: 1},
			Weapons: []*cocv1.Weapon{{Id: "baton", Ready: true, Audience: typev1.Audience_AUDIENCE_VALUES}, {Id: "knife"}},
			Wounds:  []*cocv1.Wound{{Id: 1, Amount: 3}},
			Body:    &cocv1.Body{Extraterrestrial: proto.Bool(true)},
		}}},
	}
}

// TestChanges: what is written is what differs, and folding it makes the one sheet
// of the other; taken back, it is the first one again.
func TestChanges(t *testing.T) {
	coc := func(c *tablev1.Character) *cocv1.Details { return c.Details.GetCoc() }
	for _, c := range []struct {
		name string
		edit func(*tablev1.Character)
		want []string
	}{
		{"nothing", func(*tablev1.Character) {}, nil},
		{"name", func(c *tablev1.Character) { c.Name = "Anna" }, []string{"identity"}},
		{"side", func(c *tablev1.Character) { c.Side = "" }, []string{"identity"}},
		{"profile", func(c *tablev1.Character) { c.Profile = append(c.Profile, &tablev1.ProfileEntry{Label: "age"}) }, []string{"profile"}},
		{"no profile", func(c *tablev1.Character) { c.Profile = nil }, []string{"profile"}},
		{"an entry", func(c *tablev1.Character) { c.Profile[0] = &tablev1.ProfileEntry{Label: "age", Text: "32"} }, []string{"profile"}},
		{"notes", func(c *tablev1.Character) { c.Notes = "" }, []string{"notes"}},
		{"speciality", func(c *tablev1.Character) {
			c.Stats[1] = &typev1.Stat{Key: "spot", Value: proto.Int32(50), Base: proto.Int32(25), Speciality: "birds"}
		}, []string{"stat"}},
		{"stat", func(c *tablev1.Character) { c.Stats[0] = &typev1.Stat{Key: "dex", Value: proto.Int32(11)} }, []string{"stat"}},
		{"new stats", func(c *tablev1.Character) {
			c.Stats = append(c.Stats, &typev1.Stat{Key: "str"}, &typev1.Stat{Key: "swim"})
		}, []string{"stat", "stat"}},
		{"stat is gone", func(c *tablev1.Character) { c.Stats = c.Stats[1:] }, []string{"character"}},
		{"resource", func(c *tablev1.Character) { c.Resources[1] = &typev1.Resource{Key: "mp"} }, []string{"resource"}},
		{"resource is gone", func(c *tablev1.Character) { c.Resources = c.Resources[:1] }, []string{"character"}},
		{"review", func(c *tablev1.Character) { c.Review, c.ApprovedOnce = tablev1.Review_REVIEW_REJECTED, true }, []string{"review"}},
		{"approved once", func(c *tablev1.Character) { c.ApprovedOnce = true }, []string{"review"}},
		{"kind", func(c *tablev1.Character) { c.Kind = tablev1.CharacterKind_CHARACTER_KIND_NPC }, []string{"character"}},
		{"status ends", func(c *tablev1.Character) { c.Statuses, c.Name = nil, "Anna" }, []string{"identity", "status, removed"}},
		{"status", func(c *tablev1.Character) { c.Statuses[0] = &typev1.Status{Key: "dying", Causes: []string{"hp"}} }, []string{"status"}},
		{"modifier ends", func(c *tablev1.Character) { c.Modifiers = nil }, []string{"modifier, removed"}},
		{"modifier", func(c *tablev1.Character) { c.Modifiers = append(c.Modifiers, &typev1.Modifier{Id: "gm.spot"}) }, []string{"modifier"}},
		{"place", func(c *tablev1.Character) { c.Position = nil }, []string{"position"}},
		{"audience", func(c *tablev1.Character) { c.Audience = typev1.Audience_AUDIENCE_GM }, []string{"character"}},
		{"piece", func(c *tablev1.Character) { coc(c).Body = &cocv1.Body{} }, []string{"part"}},
		{"new piece", func(c *tablev1.Character) { coc(c).Mind = &cocv1.Mind{RpPoints: proto.Int32(0)} }, []string{"part"}},
		{"empty new piece", func(c *tablev1.Character) { coc(c).Health = &cocv1.Health{} }, []string{"part"}},
		{"piece is gone", func(c *tablev1.Character) { coc(c).Combat = nil }, []string{"part, removed"}},
		{"repeated piece", func(c *tablev1.Character) { coc(c).Weapons[1] = &cocv1.Weapon{Id: "knife", InHand: true} }, []string{"part"}},
		{"repeated pieces come and go", func(c *tablev1.Character) {
			coc(c).Weapons = []*cocv1.Weapon{{Id: "club"}, {Id: "knife"}}
			coc(c).Wounds = nil
		}, []string{"part, removed", "part", "part, removed"}},
		{"no details", func(c *tablev1.Character) { c.Details = nil }, []string{"character"}},
		{"much", func(c *tablev1.Character) {
			c.Name, c.Stats[0], coc(c).Body = "Anna", &typev1.Stat{Key: "dex"}, &cocv1.Body{}
		}, []string{"identity", "stat", "part"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := nurse(), nurse()
			c.edit(after)
			changes := table.Changes(before, after)
			var got []string
			for _, ch := range changes {
				m := ch.ProtoReflect()
				name := string(m.WhichOneof(m.Descriptor().Oneofs().Get(0)).Name())
				if ch.GetPart().GetRemoved() || ch.GetStatus().GetRemoved() || ch.GetModifier().GetRemoved() {
					name += ", removed"
				}
				got = append(got, name)
			}
			if !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if loses := table.Loses(before, after); loses != (c.name == "no details" || slices.Contains(got, "part, removed")) {
				t.Errorf("loses: %v", loses)
			}
			b := table.FromState(&tablev1.State{Characters: []*tablev1.Character{nurse()}})
			for _, ch := range changes {
				b.Apply(ch)
			}
			if now := b.Character("nurse"); !proto.Equal(now, after) {
				t.Errorf("folded:\n%v\nwant:\n%v", now, after)
			}
			b.Rollback(0)
			if was := b.Character("nurse"); !proto.Equal(was, before) {
				t.Errorf("taken back:\n%v\nwant:\n%v", was, before)
			}
		})
	}
}

// Of a piece that is gone a change tells who may know of it, and no more.
func TestChangesOfWhatIsGone(t *testing.T) {
	after := nurse()
	after.Details.GetCoc().Weapons = after.Details.GetCoc().Weapons[1:]
	changes := table.Changes(nurse(), after)
	want := &cocv1.Weapon{Id: "baton", Audience: typev1.Audience_AUDIENCE_VALUES}
	if len(changes) != 1 || !proto.Equal(changes[0].GetPart().GetAfter().GetCoc().GetWeapons(), want) {
		t.Errorf("%v", changes)
	}
}

// A piece that stands alone has no key: a change tells what there was, so that whoever has
// seen something of it is told that it is gone.
func TestChangesOfWhatStoodAlone(t *testing.T) {
	before, was := nurse(), &cocv1.Combat{Moved: true}
	before.Details.GetCoc().Combat = was
	after := proto.CloneOf(before)
	after.Details.GetCoc().Combat = nil
	changes := table.Changes(before, after)
	if len(changes) != 1 || !changes[0].GetPart().GetRemoved() || !proto.Equal(changes[0].GetPart().GetAfter().GetCoc().GetCombat(), was) {
		t.Errorf("%v", changes)
	}
}

// Every field of a sheet is either written by itself or with the whole sheet: one
// that is forgotten would be lost.
func TestChangesOfAnyField(t *testing.T) {
	fields := nurse().ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Name() == "id" {
			continue
		}
		after := nurse()
		m := after.ProtoReflect()
		switch {
		case m.Has(f):
			m.Clear(f)
		case f.Kind() == protoreflect.BoolKind:
			m.Set(f, protoreflect.ValueOfBool(true))
		case f.Kind() == protoreflect.EnumKind:
			m.Set(f, protoreflect.ValueOfEnum(1))
		default:
			m.Set(f, protoreflect.ValueOfString("x"))
		}
		b := table.FromState(&tablev1.State{Characters: []*tablev1.Character{nurse()}})
		for _, ch := range table.Changes(nurse(), after) {
			b.Apply(ch)
		}
		if now := b.Character("nurse"); !proto.Equal(now, after) {
			t.Errorf("%s is lost:\n%v", f.Name(), now)
		}
	}
}
