package view

import (
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// reached calls visit for each message type that can be sent as part of what lies
// in m: not for what is below something that is nobody's.
func reached(d protoreflect.MessageDescriptor, seen *[]protoreflect.FullName, visit func(protoreflect.MessageDescriptor)) {
	if slices.Contains(*seen, d.FullName()) || seesOf(d) == never {
		return
	}
	*seen = append(*seen, d.FullName())
	visit(d)
	for fd := range fieldsOf(d) {
		if fd.Message() != nil && seeOf(fd) != never {
			reached(fd.Message(), seen, visit)
		}
	}
}

func fieldsOf(d protoreflect.MessageDescriptor) func(func(protoreflect.FieldDescriptor) bool) {
	return func(yield func(protoreflect.FieldDescriptor) bool) {
		for i := range d.Fields().Len() {
			if !yield(d.Fields().Get(i)) {
				return
			}
		}
	}
}

// The state as a whole has no audience: it never leaves the server.
var stateItself = []protoreflect.FullName{"hantei.table.v1.State.ruleset", "hantei.table.v1.State.pack"}

// In these, nothing and hidden look the same, and may: an empty word is no sample, and
// empty notes are none.
var emptyIsNothing = []protoreflect.FullName{"hantei.table.v1.Character.sample", "hantei.table.v1.Character.notes"}

func TestEveryFieldHasAnAudience(t *testing.T) {
	var seen []protoreflect.FullName
	check := func(d protoreflect.MessageDescriptor) {
		for fd := range fieldsOf(d) {
			see, sees := seeOf(fd), seesOf(d)
			switch {
			case fd.IsMap():
				t.Errorf("%s is a map", fd.FullName())
			case fd.Message() != nil:
				if fd.Message().Fields().Len() == 0 && see == 0 && sees == 0 {
					t.Errorf("%s has no audience; its type has no fields that could", fd.FullName())
				}
			case see == 0 && sees == 0:
				if !slices.Contains(stateItself, fd.FullName()) {
					t.Errorf("%s has no audience", fd.FullName())
				}
			case see != 0 && see != sees && see != never:
				// Hidden and 0 must differ for those who do not see it.
				unspecified := fd.Enum() != nil && fd.Enum().Values().Get(0).Number() == 0
				if !fd.HasOptionalKeyword() && !fd.IsList() && !unspecified && !slices.Contains(emptyIsNothing, fd.FullName()) {
					t.Errorf("%s is narrower than its message and not optional", fd.FullName())
				}
			}
		}
		if fd := d.Fields().ByName("audience"); fd != nil && seeOf(fd) != never {
			t.Errorf("%s is not AUDIENCE_NEVER", fd.FullName())
		}
	}
	reached((&tablev1.Event{}).ProtoReflect().Descriptor(), &seen, check)
	reached((&tablev1.State{}).ProtoReflect().Descriptor(), &seen, check)
	if len(seen) < 40 {
		t.Errorf("only %d types reached: %v", len(seen), seen)
	}
}

// Names that look like a character's id must be treated as one: plan.go knows them
// by name.
func TestCharacterIDs(t *testing.T) {
	var seen []protoreflect.FullName
	check := func(d protoreflect.MessageDescriptor) {
		subjects := 0
		for fd := range fieldsOf(d) {
			if isSubject(fd) {
				subjects++
			}
		}
		if subjects > 1 {
			t.Errorf("%s has %d subjects", d.FullName(), subjects)
		}
		if p := plans[d.FullName()]; p == nil {
			t.Errorf("%s has no plan", d.FullName())
		} else if (p.subject >= 0) != (subjects == 1) {
			t.Errorf("%s: subject at %d, want %d", d.FullName(), p.subject, subjects)
		}
	}
	reached((&tablev1.Event{}).ProtoReflect().Descriptor(), &seen, check)
	reached((&tablev1.State{}).ProtoReflect().Descriptor(), &seen, check)
}

// Each ruleset's Part is its Details in pieces: the fold and the projection of a
// change depend on it.
func TestPartsMatchDetails(t *testing.T) {
	parts := (&tablev1.Part{}).ProtoReflect().Descriptor()
	details := (&tablev1.Details{}).ProtoReflect().Descriptor()
	if parts.Fields().Len() != details.Fields().Len() {
		t.Errorf("Part has %d rulesets, Details %d", parts.Fields().Len(), details.Fields().Len())
	}
	for whole := range fieldsOf(details) {
		part := parts.Fields().ByNumber(whole.Number())
		if part == nil || part.Name() != whole.Name() {
			t.Errorf("Part has no %s = %d", whole.Name(), whole.Number())
			continue
		}
		if p, d := part.Message().Fields().Len(), whole.Message().Fields().Len(); p != d {
			t.Errorf("%s has %d pieces, %s %d", part.Message().FullName(), p, whole.Message().FullName(), d)
		}
		for fd := range fieldsOf(whole.Message()) {
			piece := part.Message().Fields().ByNumber(fd.Number())
			switch {
			case fd.Message() == nil:
				t.Errorf("%s is no message", fd.FullName())
			case piece == nil || piece.Name() != fd.Name() || piece.Message() != fd.Message():
				t.Errorf("%s has no %s = %d of that type", part.Message().FullName(), fd.Name(), fd.Number())
			case piece.IsList() || piece.ContainingOneof() == nil:
				t.Errorf("%s is not a member of a oneof", piece.FullName())
			case fd.IsList():
				key := fd.Message().Fields().ByNumber(1)
				if key == nil || key.IsList() || key.Kind() != protoreflect.StringKind && key.Kind() != protoreflect.Int32Kind {
					t.Errorf("%s has no key in field 1", fd.Message().FullName())
				}
			}
		}
	}
}

// Whoever sees nothing is sent nothing, and what is nobody's is not even sent to
// those who see everything: a random full message, looked at by its schema alone.
func TestNeverToNobody(t *testing.T) {
	ev := filled((&tablev1.Event{}).ProtoReflect(), public, 0).Interface().(*tablev1.Event)
	vis := stamp(func(v *tablev1.Visibility) {
		v.Owners = append(v.Owners, &tablev1.Ownership{Character: "x", Kind: tablev1.CharacterKind_CHARACTER_KIND_PC})
		setAudience(v.Owners[len(v.Owners)-1], public)
	})
	got := Event(ev, theGM, vis, Handles{}, nil)
	if got == nil || len(got.Facts) == 0 || len(got.Changes) == 0 {
		t.Fatalf("the GM sees %v", got)
	}
	walk(got.ProtoReflect(), func(fd protoreflect.FieldDescriptor) {
		if seeOf(fd) == never || seesOf(fd.ContainingMessage()) == never {
			t.Errorf("%s was sent", fd.FullName())
		}
	})
	ev = filled((&tablev1.Event{}).ProtoReflect(), never, 0).Interface().(*tablev1.Event)
	ev.Audience = public
	for _, f := range append(ev.Facts, ev.Changes[0].GetWindow().GetAfter().GetFacts()...) {
		f.Audience = never
	}
	if got := Event(ev, theGM, vis, Handles{}, nil); got != nil && (len(got.Facts) > 0 || len(got.Dice) > 0 || len(got.Trace) > 0) {
		t.Errorf("rows that are nobody's were sent: %v", got)
	}
}

// filled sets every field of a message, with one row in each list; of a oneof the
// member with the index.
func filled(m protoreflect.Message, a typev1.Audience, member int) protoreflect.Message {
	for fd := range fieldsOf(m.Descriptor()) {
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() && o.Fields().Get(member%o.Fields().Len()) != fd {
			continue
		}
		switch {
		case fd.IsList() && fd.Message() != nil:
			l := m.Mutable(fd).List()
			rows := 1
			if o := fd.Message().Oneofs(); o.Len() > 0 {
				rows = o.Get(0).Fields().Len()
			}
			for i := range rows {
				l.Append(protoreflect.ValueOfMessage(filled(l.NewElement().Message(), a, i)))
			}
		case fd.IsList():
			m.Mutable(fd).List().Append(scalar(fd, a))
		case fd.Message() != nil:
			filled(m.Mutable(fd).Message(), a, member)
		default:
			m.Set(fd, scalar(fd, a))
		}
	}
	return m
}

func scalar(fd protoreflect.FieldDescriptor, a typev1.Audience) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.EnumKind:
		if isRowAudience(fd) {
			return enumOf(a)
		}
		return protoreflect.ValueOfEnum(1)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("x")
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(7)
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte("x"))
	}
	return protoreflect.ValueOfInt32(7)
}

func walk(m protoreflect.Message, visit func(protoreflect.FieldDescriptor)) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		visit(fd)
		switch {
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				walk(v.List().Get(i).Message(), visit)
			}
		default:
			walk(v.Message(), visit)
		}
		return true
	})
}
