package view

import (
	"fmt"
	"reflect"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// plan is how a message type is projected: what its descriptor says, made ready
// once for the Go struct. The generated structs are used directly, since
// protoreflect allocates for every scalar that it sets.
type plan struct {
	desc    protoreflect.MessageDescriptor
	typ     reflect.Type // the struct
	unknown int          // index of its unknown fields
	fields  []field
	// sees is the message's own audience, 0 if it declares none.
	sees typev1.Audience
	// subject is the index of the field that names whose the values are, or -1.
	subject int
	// nobodys: an empty subject is nobody, not the one around.
	nobodys bool
	// row is the index of the row's own audience, or -1.
	row int
	// resource: of hit points others may see key and band.
	resource bool
	// needs are the audiences that see every message of this type whole, whatever
	// it contains; open is false where the type alone cannot tell.
	needs audiences
	open  bool
}

// field is one field of a plan, or one member of a oneof.
type field struct {
	desc  protoreflect.FieldDescriptor // nil for a oneof
	index int                          // in the struct, or in the oneof's wrapper
	kind  fieldKind
	// audience of a value, or of all that lies below a message.
	audience typev1.Audience
	// gated is false for a message field without any audience: what is below it
	// declares its own.
	gated bool
	// value and band are those of a resource.
	value, band bool
	// ids: the value names characters.
	ids bool
	// atom: a message without fields, which tells only that it is there.
	atom bool
	// after: the message around is nothing without it.
	after bool
	// child is the plan of a message field.
	child *plan
	// members of a oneof, and the type of each one's wrapper struct.
	members []field
	wrapper reflect.Type
}

type fieldKind int

const (
	kindScalar   fieldKind = iota
	kindOptional           // a scalar behind a pointer
	kindScalars            // a repeated scalar, or bytes
	kindMessage
	kindMessages
	kindOneof
)

// audiences is a set of them, by bit.
type audiences uint16

func (s audiences) with(a typev1.Audience) audiences { return s | 1<<a }

// plans has all types that can be reached from an event or a state. It is made
// at start and only read afterwards.
var plans = planner{}

var (
	eventPlan     = plans.of(&tablev1.Event{})
	statePlan     = plans.of(&tablev1.State{})
	characterPlan = statePlan.child("characters")
	encounterPlan = statePlan.child("encounter")
	detailsPlan   = statePlan.child("details")
	dungeonPlan   = statePlan.child("dungeon")
	optionPlan    = statePlan.child("options")
	clockPlan     = statePlan.child("clocks")
	factPlan      = eventPlan.child("facts")
	diePlan       = eventPlan.child("dice")
	tracePlan     = eventPlan.child("trace")
	changePlan    = eventPlan.child("changes")
	cuePlan       = eventPlan.child("cues")
)

// child is the plan of a message field; it panics if there is none.
func (p *plan) child(name protoreflect.Name) *plan {
	for i := range p.fields {
		if f := &p.fields[i]; f.child != nil && f.desc.Name() == name {
			return f.child
		}
	}
	panic(fmt.Sprintf("view: %s has no message %s", p.desc.FullName(), name))
}

type planner map[protoreflect.FullName]*plan

func (made planner) of(m proto.Message) *plan {
	return made.build(m.ProtoReflect().Type())
}

func (made planner) build(mt protoreflect.MessageType) *plan {
	d := mt.Descriptor()
	if p, ok := made[d.FullName()]; ok {
		return p
	}
	p := &plan{
		desc:    d,
		typ:     reflect.TypeOf(mt.Zero().Interface()).Elem(),
		sees:    seesOf(d),
		subject: -1,
		// A die of nobody is the table's, not the actor's.
		nobodys:  d.FullName() == "hantei.type.v1.Die",
		row:      -1,
		resource: d.FullName() == "hantei.type.v1.Resource",
	}
	made[d.FullName()] = p // before its fields: types may contain themselves
	unknown, ok := p.typ.FieldByName("unknownFields")
	if !ok {
		panic("view: no unknownFields in " + p.typ.String())
	}
	p.unknown = unknown.Index[0]
	for i := range p.typ.NumField() {
		sf := p.typ.Field(i)
		if name := sf.Tag.Get("protobuf_oneof"); name != "" {
			p.fields = append(p.fields, made.oneof(mt, p, i, protoreflect.Name(name)))
			continue
		}
		tag := sf.Tag.Get("protobuf")
		if tag == "" {
			continue
		}
		fd := d.Fields().ByName(tagName(tag))
		if isRowAudience(fd) {
			p.row = i
		}
		if isSubject(fd) {
			p.subject = i
		}
		p.fields = append(p.fields, made.field(p, fd, i, sf.Type))
	}
	p.needs, p.open = p.wants()
	return p
}

func (made planner) oneof(mt protoreflect.MessageType, p *plan, index int, name protoreflect.Name) field {
	o := field{index: index, kind: kindOneof}
	members := mt.Descriptor().Oneofs().ByName(name).Fields()
	for i := range members.Len() {
		fd := members.Get(i)
		// No descriptor knows the wrapper's type: set the member and look.
		m := mt.New()
		m.Set(fd, m.NewField(fd))
		wrapper := reflect.ValueOf(m.Interface()).Elem().Field(index).Elem().Type().Elem()
		f := made.field(p, fd, 0, wrapper.Field(0).Type)
		f.wrapper = wrapper
		o.members = append(o.members, f)
	}
	return o
}

func (made planner) field(p *plan, fd protoreflect.FieldDescriptor, index int, typ reflect.Type) field {
	f := field{desc: fd, index: index, audience: p.sees}
	if own := seeOf(fd); own != 0 {
		f.audience = own
	}
	f.gated = f.audience != 0
	f.value = p.resource && (fd.Name() == "value" || fd.Name() == "max")
	f.band = p.resource && fd.Name() == "band"
	switch {
	case fd.IsMap():
		panic("view: a map in " + string(fd.FullName()))
	case fd.Message() != nil:
		f.kind = kindMessage
		if fd.IsList() {
			f.kind = kindMessages
		}
		mt, err := protoregistry.GlobalTypes.FindMessageByName(fd.Message().FullName())
		if err != nil {
			panic(fmt.Sprintf("view: %s: %v", fd.FullName(), err))
		}
		f.child = made.build(mt)
		f.atom = fd.Message().Fields().Len() == 0
		f.after = fd.Name() == "after" && !fd.IsList()
	case typ.Kind() == reflect.Pointer:
		f.kind = kindOptional
	case typ.Kind() == reflect.Slice:
		f.kind = kindScalars
		f.ids = isIDs(fd)
	default:
		f.kind = kindScalar
		f.ids = isIDs(fd)
	}
	return f
}

// isRowAudience reports whether the field is a row's own audience.
func isRowAudience(fd protoreflect.FieldDescriptor) bool {
	return fd.Name() == "audience" && fd.Enum() != nil && fd.Enum().FullName() == "hantei.type.v1.Audience"
}

// isSubject reports whether the field names whose the message's values are.
func isSubject(fd protoreflect.FieldDescriptor) bool {
	if fd.Kind() != protoreflect.StringKind || fd.IsList() {
		return false
	}
	switch fd.Name() {
	case "character", "of", "actor":
		return true
	case "id":
		return fd.Parent().FullName() == "hantei.table.v1.Character"
	}
	return false
}

// isIDs reports whether the field names characters, other than as the subject.
func isIDs(fd protoreflect.FieldDescriptor) bool {
	if fd.Kind() != protoreflect.StringKind {
		return false
	}
	switch fd.Name() {
	case "targets", "characters", "roster", "order", "turn":
		return true
	}
	return false
}

// wants says which audiences see all of the type; false if that depends on what
// a message contains.
func (p *plan) wants() (audiences, bool) {
	if p.row >= 0 {
		return 0, false
	}
	var all audiences
	for i := range p.fields {
		of := p.fields[i : i+1]
		if of[0].kind == kindOneof {
			of = of[0].members
		}
		for j := range of {
			a, ok := of[j].wants()
			if !ok {
				return 0, false
			}
			all |= a
		}
	}
	return all, true
}

func (f *field) wants() (audiences, bool) {
	var all audiences
	switch {
	case f.ids, f.audience == typev1.Audience_AUDIENCE_ASKED, f.audience == typev1.Audience_AUDIENCE_NEVER:
		return 0, false
	case f.gated:
		all = all.with(f.audience)
	case f.child == nil || f.atom:
		return 0, false
	}
	if f.child == nil || f.atom {
		return all, true
	}
	// A type that contains itself is not finished here, and so not open. One with a
	// subject of its own may be about somebody else, whom the viewer does not know.
	if !f.child.open || f.child.subject >= 0 {
		return 0, false
	}
	return all | f.child.needs, true
}

func seesOf(d protoreflect.MessageDescriptor) typev1.Audience {
	return proto.GetExtension(d.Options(), typev1.E_Sees).(typev1.Audience)
}

func seeOf(fd protoreflect.FieldDescriptor) typev1.Audience {
	return proto.GetExtension(fd.Options(), typev1.E_See).(typev1.Audience)
}

// tagName finds the proto's name in the tag of a generated field.
func tagName(tag string) protoreflect.Name {
	for part := range strings.SplitSeq(tag, ",") {
		if name, ok := strings.CutPrefix(part, "name="); ok {
			return protoreflect.Name(name)
		}
	}
	panic("view: no name in " + tag)
}
