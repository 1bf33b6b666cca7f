package view

import (
	"reflect"
	"slices"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// none stands for a message of which nothing is left.
var none reflect.Value

// seen returns what the viewer may see of m, nil for nothing. around is the
// subject of whatever m lies in.
func seen[M proto.Message](g *gaze, m M, p *plan, around string) (M, bool) {
	var zero M
	v := reflect.ValueOf(m)
	if v.IsNil() {
		return zero, false
	}
	out := g.project(v.Elem(), p, around)
	if !out.IsValid() {
		return zero, false
	}
	return out.Interface().(M), true
}

// seenAll is seen for each row, without those of which nothing is left.
func seenAll[M proto.Message](g *gaze, rows []M, p *plan, around string) []M {
	var out []M
	for _, m := range rows {
		s, ok := seen(g, m, p, around)
		if !ok {
			continue
		}
		if out == nil {
			out = make([]M, 0, len(rows))
		}
		out = append(out, s)
	}
	return out
}

// project makes what the viewer may see of src, which is a message's struct: a
// pointer to a new one, or to src itself if it can be shared, or none.
//
// Whether something is left must not depend on what is hidden. So an empty
// message is left if its type says that the viewer sees all of it, whatever it
// contains, and not if it merely happens to contain nothing else.
func (g *gaze) project(src reflect.Value, p *plan, around string) reflect.Value {
	subject, ok := g.subject(src, p, around)
	if !ok {
		return none
	}
	var row typev1.Audience
	if p.row >= 0 {
		row = typev1.Audience(src.Field(p.row).Int())
		if !g.may(row, subject) && !(p.resource && row == typev1.Audience_AUDIENCE_HP) {
			return none
		}
	}
	// As long as all fields are left as they are, src stands for the result: out is
	// made at the first difference, and the fields before it are taken over. What
	// this build does not know has no audience, and is a difference.
	same := g.share && src.Field(p.unknown).Len() == 0
	left, before, out := 0, 0, none
	for i := range p.fields {
		v := src.Field(p.fields[i].index)
		if v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
			continue
		}
		got := g.field(v, &p.fields[i], subject, row)
		if !got.IsValid() && p.fields[i].after {
			return none
		}
		if got.IsValid() {
			left++
		}
		if same {
			if got.IsValid() && shared(got, v) {
				continue
			}
			same, before = false, i
		}
		if !got.IsValid() {
			continue
		}
		if !out.IsValid() {
			out = p.take(src, before)
		}
		out.Elem().Field(p.fields[i].index).Set(got)
	}
	switch {
	case left == 0 && !(p.open && g.mayAll(p.needs, subject)):
		return none
	case same:
		return src.Addr()
	case !out.IsValid():
		return p.take(src, before)
	}
	return out
}

// take makes a new message with the fields of src before the one with the index.
func (p *plan) take(src reflect.Value, before int) reflect.Value {
	out := reflect.New(p.typ)
	for i := range before {
		out.Elem().Field(p.fields[i].index).Set(src.Field(p.fields[i].index))
	}
	return out
}

// shared reports whether a field's value is the source's own, not a copy.
func shared(got, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return got.Pointer() == v.Pointer()
	case reflect.Slice:
		return got.Len() == v.Len() && got.Pointer() == v.Pointer()
	case reflect.Interface:
		return got.Kind() == reflect.Interface && got.Elem().Pointer() == v.Elem().Pointer()
	}
	return true
}

// subject finds whose the message's values are; false if the viewer may not know
// of that character.
func (g *gaze) subject(src reflect.Value, p *plan, around string) (string, bool) {
	if p.subject < 0 {
		return around, true
	}
	s := src.Field(p.subject).String()
	if s == "" && !p.nobodys {
		return around, true
	}
	return s, g.knows(s)
}

// opens reports whether the viewer may see the field at all.
func (g *gaze) opens(f *field, subject string, row typev1.Audience) bool {
	switch {
	case f.gated && !g.may(f.audience, subject):
		return false
	case f.value:
		return g.may(row, subject)
	case f.band:
		return g.band(row, subject)
	}
	return f.gated || f.child != nil && !f.atom
}

// field is what the viewer may see of a field's value, which is not zero, or none.
func (g *gaze) field(v reflect.Value, f *field, subject string, row typev1.Audience) reflect.Value {
	if f.kind == kindOneof {
		return g.oneof(v, f, subject, row)
	}
	if !g.opens(f, subject, row) {
		return none
	}
	switch f.kind {
	case kindMessage:
		return g.message(v, f, subject)
	case kindMessages:
		return g.messages(v, f, subject)
	case kindScalar:
		return v
	}
	switch {
	case f.ids:
		return g.ids(v)
	case g.share:
		return v
	case f.kind == kindOptional:
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(v.Elem())
		return c
	}
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c
}

func (g *gaze) oneof(v reflect.Value, o *field, subject string, row typev1.Audience) reflect.Value {
	wrapper := v.Elem().Elem()
	f := o.member(wrapper.Type())
	if f == nil || f.child != nil && wrapper.Field(0).IsNil() {
		return none
	}
	got := g.field(wrapper.Field(0), f, subject, row)
	switch {
	case !got.IsValid():
		return none
	case g.share && shared(got, wrapper.Field(0)):
		return v
	}
	w := reflect.New(f.wrapper)
	w.Elem().Field(0).Set(got)
	return w
}

func (g *gaze) message(v reflect.Value, f *field, subject string) reflect.Value {
	switch {
	case f.after && g.keyOnly(v.Elem(), f.child, subject):
		return none
	case f.atom:
		return reflect.New(f.child.typ)
	}
	return g.project(v.Elem(), f.child, subject)
}

func (g *gaze) messages(v reflect.Value, f *field, subject string) reflect.Value {
	same := g.share
	out, n := none, 0
	for i := range v.Len() {
		got := g.message(v.Index(i), f, subject)
		if same {
			if got.IsValid() && shared(got, v.Index(i)) {
				n++
				continue
			}
			same = false
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v.Slice(0, n))
		}
		if !got.IsValid() {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		}
		out.Index(n).Set(got)
		n++
	}
	switch {
	case n == 0:
		return none
	case same:
		return v
	}
	return out.Slice(0, n)
}

// ids are those of the characters that the viewer may know of.
func (g *gaze) ids(v reflect.Value) reflect.Value {
	all := v.Interface().([]string)
	left := g.known(all)
	switch {
	case len(left) == 0:
		return none
	case len(left) < len(all):
		return reflect.ValueOf(left)
	case g.share:
		return v
	}
	return reflect.ValueOf(slices.Clone(left))
}

// keyOnly reports whether the viewer would see of a change's resource nothing but
// its key: that a hidden value changed is as hidden as the value.
func (g *gaze) keyOnly(src reflect.Value, p *plan, subject string) bool {
	return p.resource && !g.band(typev1.Audience(src.Field(p.row).Int()), subject)
}

func (f *field) member(wrapper reflect.Type) *field {
	for i := range f.members {
		if f.members[i].wrapper == wrapper {
			return &f.members[i]
		}
	}
	return nil
}

// mayAll reports whether the viewer belongs to all of the audiences.
func (g *gaze) mayAll(all audiences, subject string) bool {
	for a := typev1.Audience(1); all>>a != 0; a++ {
		if all&(1<<a) != 0 && !g.may(a, subject) {
			return false
		}
	}
	return true
}
