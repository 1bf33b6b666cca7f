package api

import (
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// detailsOf lists the fields of the ruleset's details that its locale names, in
// the order of the message: what has no name is not for people.
func detailsOf(g *host.Game, lang string) []*hanteiv1.DetailInfo {
	own := (&tablev1.Details{}).ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(g.Rules.Name))
	if own == nil {
		return nil
	}
	var out []*hanteiv1.DetailInfo
	var walk func(m protoreflect.MessageDescriptor, prefix string)
	walk = func(m protoreflect.MessageDescriptor, prefix string) {
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			path := prefix + string(f.Name())
			if !g.Texts.Has("detail." + path) {
				continue
			}
			info := &hanteiv1.DetailInfo{Path: path, Name: text(g, lang, "detail."+path, path), Gear: path == g.Rules.Sheet.GearPath}
			if e := f.Enum(); e != nil {
				info.Values = valuesOf(g, lang, e)
			}
			for _, id := range g.Rules.Sheet.Rows[path] {
				info.Values = append(info.Values, &hanteiv1.DetailValue{Value: id, Text: g.Texts.Word(id, lang)})
			}
			out = append(out, info)
			if f.Message() != nil {
				walk(f.Message(), path+".")
			}
		}
	}
	walk(own.Message(), "")
	return out
}

// valuesOf has the words for the values of an enum: those of WEAPON_STATE_OK, of
// WeaponState, are those of "ok".
func valuesOf(g *host.Game, lang string, e protoreflect.EnumDescriptor) []*hanteiv1.DetailValue {
	values := e.Values()
	prefix, _ := strings.CutSuffix(string(values.ByNumber(0).Name()), "UNSPECIFIED")
	var out []*hanteiv1.DetailValue
	for i := range values.Len() {
		if v := values.Get(i); v.Number() != 0 {
			word := strings.ToLower(strings.TrimPrefix(string(v.Name()), prefix))
			out = append(out, &hanteiv1.DetailValue{Value: string(v.Name()), Text: g.Texts.Word(word, lang)})
		}
	}
	return out
}
