package interceptor

import (
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

func note(text string) *hanteiv1.ActRequest {
	return &hanteiv1.ActRequest{TableId: "t1", What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
		Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{
			Action: &tablev1.CoreAction_Note{Note: &tablev1.Note{Text: text}},
		}},
	}}}
}

func TestValidate(t *testing.T) {
	i, err := newValidate()
	if err != nil {
		t.Fatal(err)
	}
	offer := func(values ...*tablev1.Value) *hanteiv1.ActRequest {
		return &hanteiv1.ActRequest{TableId: "t1", What: &hanteiv1.ActRequest_Offer{Offer: &hanteiv1.OfferChoice{OfferId: "o", Values: values}}}
	}
	for name, c := range map[string]struct {
		req   proto.Message
		field string // "" for a good one
	}{
		"good":             {&hanteiv1.GetViewRequest{TableId: "t1"}, ""},
		"empty id":         {&hanteiv1.GetViewRequest{}, "table_id"},
		"long seat":        {&hanteiv1.GetViewRequest{TableId: "t1", AsSeat: strings.Repeat("x", 25)}, "as_seat"},
		"nothing declared": {&hanteiv1.ActRequest{TableId: "t1"}, "action"},
		"japanese":         {&hanteiv1.InviteSeatRequest{TableId: "t1", Name: "判定 太郎", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}, ""},
		"not UTF-8":        {&hanteiv1.InviteSeatRequest{TableId: "t1", Name: "a\xff", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}, "name"},
		"newline in name":  {&hanteiv1.InviteSeatRequest{TableId: "t1", Name: "a\nb", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}, "name"},
		"escape in list":   {&hanteiv1.ActRequest{TableId: "t1", GivenDice: []string{"1D6=1", "\x1b[2J"}, What: offer().What}, "given_dice[1]"},
		"C1 deep inside":   {offer(&tablev1.Value{Name: "a"}, &tablev1.Value{Name: "b", Values: []string{"\u0085"}}), "offer.values[1].values[0]"},
		"lines in a note":  {note("one\r\n\ttwo"), ""},
		"lines in notes":   {&hanteiv1.UpdateCharacterRequest{TableId: "t1", CharacterId: "nurse", Sheet: &tablev1.SheetInput{Notes: "one\r\n\ttwo"}}, ""},
		"lines in entries": {&hanteiv1.UpdateCharacterRequest{TableId: "t1", CharacterId: "nurse", Sheet: &tablev1.SheetInput{Profile: []*tablev1.ProfileEntry{{Label: "a", Text: "b\nc"}}}}, "sheet.profile[0].text"},
		"empty entry":      {&hanteiv1.UpdateCharacterRequest{TableId: "t1", CharacterId: "nurse", Sheet: &tablev1.SheetInput{Profile: []*tablev1.ProfileEntry{{Label: "a"}}}}, "sheet.profile[0].text"},
		"bell in a note":   {note("\a"), "action.core.note.text"},
		"empty note":       {note(""), "action.core.note.text"},
	} {
		_, err := unary(t.Context(), i, method, c.req, nil)
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		info := infoOf(err)
		if status.Code(err) != codes.InvalidArgument || info.GetReason() != "INVALID_FIELD" || info.GetDomain() != "hantei" || info.GetMetadata()["field"] != c.field {
			t.Errorf("%s: %v %v", name, err, info)
		}
		bad := status.Convert(err).Details()[2].(*errdetails.BadRequest)
		if bad.GetFieldViolations()[0].GetField() != c.field || bad.GetFieldViolations()[0].GetDescription() == "" {
			t.Errorf("%s: %v", name, bad)
		}
	}
}

func TestValidateStream(t *testing.T) {
	i, err := newValidate()
	if err != nil {
		t.Fatal(err)
	}
	watch := func(_ any, ss grpc.ServerStream) error { return ss.RecvMsg(&hanteiv1.WatchRequest{}) }
	if err := stream(&fakeStream{ctx: t.Context(), in: &hanteiv1.WatchRequest{Cursor: "c"}}, i, method, watch); err != nil {
		t.Error(err)
	}
	long := &hanteiv1.WatchRequest{Cursor: strings.Repeat("x", 9000)}
	if err := stream(&fakeStream{ctx: t.Context(), in: long}, i, method, watch); infoOf(err).GetMetadata()["field"] != "cursor" {
		t.Error(err)
	}
}

func BenchmarkValidate(b *testing.B) {
	i, err := newValidate()
	if err != nil {
		b.Fatal(err)
	}
	req := note("text")
	b.ReportAllocs()
	for b.Loop() {
		if err := i.(validate).check(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}
