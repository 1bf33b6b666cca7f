package table

import (
	"slices"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Changes are the fewest writes that make of one sheet the other, which is of the
// same id: name and side, the profile, the notes, a stat, a resource, a status, a
// modifier, the place, the review, a piece of the details each by itself; the whole
// sheet where something else changes. None if the sheets are equal. The changes share
// rows with the sheet after, which must
// not be written in place any more.
func Changes(before, after *tablev1.Character) []*tablev1.Change {
	rest := proto.Clone(before).(*tablev1.Character)
	rest.Stats, rest.Resources, rest.Details = after.Stats, after.Resources, after.Details
	rest.Name, rest.Side = after.Name, after.Side
	rest.Statuses, rest.Modifiers, rest.Position = after.Statuses, after.Modifiers, after.Position
	rest.Profile, rest.Notes = after.Profile, after.Notes
	rest.Review, rest.ApprovedOnce = after.Review, after.ApprovedOnce
	parts := pieces(before.GetDetails(), after.GetDetails())
	gone := missing(before.Stats, after.Stats, (*typev1.Stat).GetKey) ||
		missing(before.Resources, after.Resources, (*typev1.Resource).GetKey) ||
		len(parts) == 0 && !proto.Equal(before.Details, after.Details)
	if gone || !proto.Equal(rest, after) {
		return []*tablev1.Change{whole(after)}
	}
	var out []*tablev1.Change
	if before.Name != after.Name || before.Side != after.Side {
		identity := &tablev1.IdentityChange{Character: after.Id, Name: after.Name, Side: after.Side}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Identity{Identity: identity}})
	}
	if !slices.EqualFunc(before.Profile, after.Profile, func(a, b *tablev1.ProfileEntry) bool { return proto.Equal(a, b) }) {
		entries := &tablev1.ProfileChange{Character: after.Id, After: after.Profile}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Profile{Profile: entries}})
	}
	if before.Notes != after.Notes {
		notes := &tablev1.NotesChange{Character: after.Id, After: after.Notes}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Notes{Notes: notes}})
	}
	for _, s := range after.Stats {
		if !proto.Equal(s, Stat(before, s.Key)) {
			out = append(out, &tablev1.Change{Change: &tablev1.Change_Stat{Stat: &tablev1.StatChange{Character: after.Id, After: s}}})
		}
	}
	for _, r := range after.Resources {
		if !proto.Equal(r, Resource(before, r.Key)) {
			out = append(out, &tablev1.Change{Change: &tablev1.Change_Resource{Resource: &tablev1.ResourceChange{Character: after.Id, After: r}}})
		}
	}
	for _, st := range ended(before.Statuses, after.Statuses, (*typev1.Status).GetKey) {
		gone := &typev1.Status{Key: st.Key, Audience: st.Audience}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{Character: after.Id, Removed: true, After: gone}}})
	}
	for _, st := range after.Statuses {
		if !proto.Equal(st, Status(before, st.Key)) {
			out = append(out, &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{Character: after.Id, After: st}}})
		}
	}
	for _, m := range ended(before.Modifiers, after.Modifiers, (*typev1.Modifier).GetId) {
		gone := &typev1.Modifier{Id: m.Id, Audience: m.Audience}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{Character: after.Id, Removed: true, After: gone}}})
	}
	for _, m := range after.Modifiers {
		if !proto.Equal(m, Modifier(before, m.Id)) {
			out = append(out, &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{Character: after.Id, After: m}}})
		}
	}
	if !proto.Equal(before.Position, after.Position) {
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Position{Position: &tablev1.PositionChange{Character: after.Id, After: after.Position}}})
	}
	for _, p := range parts {
		p.Character = after.Id
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Part{Part: p}})
	}
	if before.Review != after.Review || before.ApprovedOnce != after.ApprovedOnce {
		review := &tablev1.ReviewChange{Character: after.Id, After: after.Review, ApprovedOnce: after.ApprovedOnce}
		out = append(out, &tablev1.Change{Change: &tablev1.Change_Review{Review: review}})
	}
	return out
}

// Loses reports whether a piece of the details is not there any more.
func Loses(before, after *tablev1.Character) bool {
	for _, p := range pieces(before.GetDetails(), after.GetDetails()) {
		if p.Removed {
			return true
		}
	}
	return before.GetDetails() != nil && after.GetDetails() == nil
}

// whole is the change that writes a sheet as it is.
func whole(c *tablev1.Character) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: c.Id, After: c}}}
}

// missing reports whether a row is not there any more that no change ends.
func missing[R any](before, after []R, key func(R) string) bool {
	return len(ended(before, after, key)) > 0
}

// ended are the rows that are not there any more.
func ended[R any](before, after []R, key func(R) string) []R {
	var out []R
	for _, row := range before {
		if _, ok := find(after, key(row), key); !ok {
			out = append(out, row)
		}
	}
	return out
}

// pieces are the changes that make of one ruleset's details the others, which
// are of the same ruleset; none if these are none.
func pieces(before, after *tablev1.Details) []*tablev1.PartChange {
	if after.GetRuleset() == nil || proto.Equal(before, after) {
		return nil
	}
	outer := after.ProtoReflect()
	ruleset := chosen(outer)
	now := outer.Get(ruleset).Message()
	was := now.New()
	if before != nil {
		was = before.ProtoReflect().Get(ruleset).Message()
	}
	var out []*tablev1.PartChange
	fields := now.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.IsList():
			out = append(out, listed(ruleset, f, was.Get(f).List(), now.Get(f).List())...)
		case !now.Has(f) && was.Has(f):
			// As it was: whoever has seen something of it must be told.
			out = append(out, &tablev1.PartChange{Removed: true, After: partOf(ruleset, f, was.Get(f).Message())})
		case now.Has(f) && !(was.Has(f) && same(was.Get(f), now.Get(f))):
			out = append(out, &tablev1.PartChange{After: partOf(ruleset, f, now.Get(f).Message())})
		}
	}
	return out
}

// listed are the changes of a repeated piece.
func listed(ruleset, f protoreflect.FieldDescriptor, was, now protoreflect.List) []*tablev1.PartChange {
	var out []*tablev1.PartChange
	for i := range was.Len() {
		if _, ok := keyedBy(now, keyOf(was.Get(i))); !ok {
			out = append(out, &tablev1.PartChange{Removed: true, After: partOf(ruleset, f, remains(was.Get(i).Message()))})
		}
	}
	for i := range now.Len() {
		if old, ok := keyedBy(was, keyOf(now.Get(i))); !ok || !same(old, now.Get(i)) {
			out = append(out, &tablev1.PartChange{After: partOf(ruleset, f, now.Get(i).Message())})
		}
	}
	return out
}

func same(a, b protoreflect.Value) bool {
	return proto.Equal(a.Message().Interface(), b.Message().Interface())
}

// keyedBy is the piece with the key.
func keyedBy(l protoreflect.List, key any) (protoreflect.Value, bool) {
	for i := range l.Len() {
		if keyOf(l.Get(i)) == key {
			return l.Get(i), true
		}
	}
	return protoreflect.Value{}, false
}

// remains is what a change tells of a piece that is gone: its key, and who may know.
func remains(piece protoreflect.Message) protoreflect.Message {
	out := piece.New()
	key := piece.Descriptor().Fields().ByNumber(1)
	out.Set(key, piece.Get(key))
	if a := piece.Descriptor().Fields().ByName("audience"); a != nil {
		out.Set(a, piece.Get(a))
	}
	return out
}

// partOf wraps a piece. The field numbers of a ruleset's Part are those of its
// Details, those of the shells too.
func partOf(ruleset, f protoreflect.FieldDescriptor, piece protoreflect.Message) *tablev1.Part {
	out := &tablev1.Part{}
	shell := out.ProtoReflect()
	member := shell.Descriptor().Fields().ByNumber(ruleset.Number())
	inner := shell.NewField(member).Message()
	inner.Set(inner.Descriptor().Fields().ByNumber(f.Number()), protoreflect.ValueOfMessage(piece))
	shell.Set(member, protoreflect.ValueOfMessage(inner))
	return out
}
