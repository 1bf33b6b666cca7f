package interceptor

import (
	"slices"
	"strings"
	"testing"

	shapes "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// What the validator says in the terms of protos is said in those of a client,
// and in its language.
func TestDescribe(t *testing.T) {
	i, err := newValidate()
	if err != nil {
		t.Fatal(err)
	}
	invite := func(role tablev1.SeatRole, characters ...string) *hanteiv1.InviteSeatRequest {
		return &hanteiv1.InviteSeatRequest{TableId: "t1", Name: "x", Role: role, Characters: characters}
	}
	const roles = "SEAT_ROLE_GM, SEAT_ROLE_PLAYER, SEAT_ROLE_OBSERVER"
	kept := note("x")
	kept.Audience = typev1.Audience_AUDIENCE_NEVER
	dedicate := note("x")
	dedicate.GetAction().Ruleset = &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Dedicate{Dedicate: &cocv1.Dedicate{}}}}
	for _, c := range []struct {
		req    proto.Message
		en, ja string
	}{
		{&hanteiv1.ActRequest{TableId: "t1", Actor: "officer"}, "action: one of action, offer is needed.", "action の指定が正しくありません（action, offer のどれか1つを指定してください）。"},
		{invite(0), "role: must be one of " + roles + ".", "role の指定が正しくありません（" + roles + " のどれかにしてください）。"},
		{invite(9), "role: must be one of " + roles + ".", "role の指定が正しくありません（" + roles + " のどれかにしてください）。"},
		{invite(1, "Thug"), "characters[0]: must be small letters, digits, _ and -, at most 24, and begin with a letter or a digit.", "characters[0] の指定が正しくありません（英小文字・数字・_・- で24文字以内、先頭は英小文字か数字にしてください）。"},
		{invite(1, "thug", "thug"), "characters: must not have the same entry twice.", "characters の指定が正しくありません（同じものを2回入れないでください）。"},
		{kept, "audience: must be one of AUDIENCE_UNSPECIFIED, AUDIENCE_PUBLIC, AUDIENCE_OWNER, AUDIENCE_GM.", "audience の指定が正しくありません（AUDIENCE_UNSPECIFIED, AUDIENCE_PUBLIC, AUDIENCE_OWNER, AUDIENCE_GM のどれかにしてください）。"},
		{dedicate, "action.coc.dedicate.kind: must be one of DEFENCE_KIND_DODGE, DEFENCE_KIND_PARRY.", "action.coc.dedicate.kind の指定が正しくありません（DEFENCE_KIND_DODGE, DEFENCE_KIND_PARRY のどれかにしてください）。"},
		{&hanteiv1.GetViewRequest{}, "table_id: must have 1 to 24 characters.", "table_id の指定が正しくありません（1～24文字にしてください）。"},
		{&hanteiv1.GetViewRequest{TableId: "t1", AsSeat: strings.Repeat("x", 25)}, "as_seat: must have at most 24 characters.", "as_seat の指定が正しくありません（24文字以内にしてください）。"},
		{&hanteiv1.ActRequest{TableId: "t1", WaitSeconds: 99, What: note("x").What}, "wait_seconds: must be 0 to 25.", "wait_seconds の指定が正しくありません（0～25にしてください）。"},
		{note("\a"), "action.core.note.text: has a control character (U+0007) at byte 0.", "action.core.note.text の指定が正しくありません（0バイト目に制御文字（U+0007）があります）。"},
	} {
		for lang, want := range map[string]string{"en": c.en, "ja": c.ja} {
			_, err := unary(incoming(t, "accept-language", lang), i, method, c.req, nil)
			if got := said(t, err, lang); got != want {
				t.Errorf("%s: %q, want %q", lang, got, want)
			}
			if got := status.Convert(err).Message(); got != c.en {
				t.Errorf("to programmers in %s: %q", lang, got)
			}
			for _, d := range status.Convert(err).Details() {
				if b, ok := d.(*errdetails.BadRequest); ok && !strings.Contains(want, b.GetFieldViolations()[0].GetDescription()) {
					t.Errorf("%s: the violation is %q", lang, b.GetFieldViolations()[0].GetDescription())
				}
			}
		}
	}
}

// TestEveryShapeIsSaid: no request can break a rule that has no text of its own.
func TestEveryShapeIsSaid(t *testing.T) {
	rules := map[string]bool{}
	for fd := range requestFields(t) {
		for _, rule := range rulesFor(fd) {
			rules[rule] = true
			if w := broken(fd, rule); w.what == "shape" {
				t.Errorf("%s: %s has no text", fd.FullName(), rule)
			} else if en, ja := w.in("en"), w.in("ja"); en == ja || strings.Contains(en+ja, "  ") {
				t.Errorf("%s: %s says %q and %q", fd.FullName(), rule, en, ja)
			}
		}
	}
	for _, rule := range []string{
		"required", "string.pattern", "string.min_len", "string.max_len", "string.max_bytes", "bytes.min_len", "bool.const",
		"int32.gte_lte", "enum.defined_only", "enum.not_in", "repeated.min_items", "repeated.max_items", "repeated.unique",
	} {
		if !rules[rule] {
			t.Errorf("%s was not met: does this test still walk?", rule)
		}
	}
	if w := broken(field(t, &hanteiv1.GetViewRequest{}, "table_id"), "string.email"); w.in("en") != "has not the right form (string.email)" {
		t.Errorf("a rule without a text says %q", w.in("en"))
	}
}

// requestFields are the fields of all that stands in requests.
func requestFields(t *testing.T) map[protoreflect.FieldDescriptor]bool {
	t.Helper()
	fields := map[protoreflect.FieldDescriptor]bool{}
	var walk func(protoreflect.MessageDescriptor)
	walk = func(m protoreflect.MessageDescriptor) {
		options, err := protovalidate.ResolveMessageRules(m)
		if err != nil {
			t.Fatal(err)
		}
		if len(options.GetCel())+len(options.GetOneof()) > 0 {
			t.Errorf("%s has rules that this test does not know", m.FullName())
		}
		for i := range m.Fields().Len() {
			fd := m.Fields().Get(i)
			if fields[fd] {
				continue
			}
			fields[fd] = true
			if fd.Message() != nil {
				walk(fd.Message())
			}
		}
	}
	protoregistry.GlobalFiles.RangeFilesByPackage("hantei.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			for j := range f.Services().Get(i).Methods().Len() {
				walk(f.Services().Get(i).Methods().Get(j).Input())
			}
		}
		return true
	})
	return fields
}

// rulesFor are the ids of the rules that a field may break.
func rulesFor(fd protoreflect.FieldDescriptor) []string {
	var ids []string
	add := func(rules *shapes.FieldRules) {
		if rules.GetRequired() {
			ids = append(ids, "required")
		}
		for _, c := range rules.GetCel() {
			ids = append(ids, c.GetId())
		}
		rules.ProtoReflect().Range(func(kind protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			if kind.ContainingOneof() == nil {
				return true
			}
			v.Message().Range(func(rule protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
				if rule.Message() == nil {
					ids = append(ids, string(kind.Name())+"."+string(rule.Name()))
				}
				return true
			})
			return true
		})
	}
	add(rulesOf(fd, false))
	if fd.IsList() {
		add(rulesOf(fd, true))
	}
	// Two bounds are one rule.
	for i, id := range ids {
		if lower, ok := strings.CutSuffix(id, ".gte"); ok && slices.Contains(ids, lower+".lte") {
			ids[i] = lower + ".gte_lte"
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool {
		lower, ok := strings.CutSuffix(id, ".lte")
		return ok && slices.Contains(ids, lower+".gte_lte")
	})
}

func field(t *testing.T, m proto.Message, name protoreflect.Name) protoreflect.FieldDescriptor {
	t.Helper()
	return m.ProtoReflect().Descriptor().Fields().ByName(name)
}

// said is what an error says in a language to who asked for it.
func said(t *testing.T, err error, lang string) string {
	t.Helper()
	for _, d := range status.Convert(err).Details() {
		if m, ok := d.(*errdetails.LocalizedMessage); ok {
			if m.GetLocale() != lang {
				t.Errorf("in %s, not %s", m.GetLocale(), lang)
			}
			return m.GetMessage()
		}
	}
	return ""
}
