package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/stream"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The brute's values are such that nothing else has them: hit points around 900,
// skills around 600.
const bruteHP, bruteSkill = int32(900), int32(612)

func telling(n int64) bool { return n >= 850 && n <= 900 || n >= 600 && n <= 620 }

// opaque are fields whose content is random.
var opaque = []protoreflect.Name{"cursor", "event_id", "step_id", "cause", "id", "window", "table_id", "seat_id", "seats", "told_to", "token", "gm_token", "pack_hash", "hash", "etag", "table", "open_commitment", "secret_commitment"}

// leaks walks a message and reports what tells of the brute.
func leaks(m protoreflect.Message, path string) []string {
	var out []string
	one := func(fd protoreflect.FieldDescriptor, v protoreflect.Value, path string) {
		switch x := v.Interface().(type) {
		case int32:
			if telling(int64(x)) {
				out = append(out, path)
			}
		case int64:
			if telling(x) {
				out = append(out, path)
			}
		case string:
			if slices.Contains(opaque, fd.Name()) {
				return
			}
			for n := int64(600); n <= 900; n++ {
				if telling(n) && strings.Contains(x, itoa(n)) {
					out = append(out, path+" "+x)
				}
			}
		case protoreflect.Message:
			out = append(out, leaks(x, path)...)
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		at := path + "." + string(fd.Name())
		switch {
		case fd.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				one(fd, v, at+"."+k.String())
				return true
			})
		case fd.IsList():
			for i := range v.List().Len() {
				one(fd, v.List().Get(i), at)
			}
		default:
			one(fd, v, at)
		}
		return true
	})
	return out
}

func itoa(n int64) string {
	return string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)})
}

// TestLeaks plays against an NPC with telling values and looks through all that
// players are sent.
func TestLeaks(t *testing.T) {
	g := start(t).table(&tablev1.Option{Key: "npc_dice", Value: "hidden"})
	hp := bruteHP
	_, err := g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, CharacterId: "brute", Source: &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{
		Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC,
		Stats: []*tablev1.StatInput{
			{Key: "dex", Value: 12}, {Key: "fist", Value: bruteSkill}, {Key: "dodge", Value: bruteSkill + 1}, {Key: "armour", Value: 0}, {Key: "luck", Value: bruteSkill + 2},
		},
		Resources: []*tablev1.ResourceInput{{Key: "hp", Value: &hp, Max: &hp}},
	}}})
	g.ok(err)
	g.sample("nurse", "student")

	var sent []proto.Message
	keep := func(m proto.Message, err error) {
		if err != nil {
			m = status.Convert(err).Proto()
		}
		sent = append(sent, m)
	}
	players := []context.Context{g.nurse, g.student}
	var watches []*watch
	for _, p := range players {
		watches = append(watches, g.watch(p, stream.Beginning))
	}
	looks := func() {
		for _, p := range players {
			keep(g.Play.GetView(p, &hanteiv1.GetViewRequest{TableId: g.id}))
			keep(g.Play.ListOffers(p, &hanteiv1.ListOffersRequest{TableId: g.id}))
			keep(g.Play.ListEvents(p, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500}))
			keep(g.Character.ListCharacters(p, &hanteiv1.ListCharactersRequest{TableId: g.id}))
			keep(g.Character.GetCharacter(p, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: "brute"}))
			for _, f := range []hanteiv1.SheetFormat{hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA, hanteiv1.SheetFormat_SHEET_FORMAT_UDONARIUM} {
				keep(g.Character.ExportCharacter(p, &hanteiv1.ExportCharacterRequest{TableId: g.id, CharacterId: "brute", Format: f}))
			}
			keep(g.Seat.ListSeats(p, &hanteiv1.ListSeatsRequest{TableId: g.id}))
			keep(g.Play.Act(p, g.request("brute", attack("fist", "nurse"))))
			keep(g.Play.Act(p, g.request("student", attack("fist", "brute"))))
		}
	}
	looks()
	g.revised(g.gm, g.revise("brute", withStat("knife", bruteSkill+3)))
	more := hp - 10
	g.revised(g.gm, g.revise("brute", func(r *hanteiv1.UpdateCharacterRequest) {
		r.Name, r.Sheet.Resources = "the brute", []*tablev1.ResourceInput{{Key: "hp", Value: &more, Max: &more}}
	}))
	keep(g.Character.UpdateCharacter(g.nurse, g.revise("brute", withStat("knife", 1))))
	looks()
	g.act(g.gm, "", startCombat("nurse", "student", "brute"))
	looks()
	keep(g.Play.Act(g.nurse, g.request("nurse", attack("fist", "brute"))))
	looks()
	// The dice are random: the blow may be a fumble, too.
	choices := map[string]string{"defend": "none", "fumble_mild": "weapon_unusable", "fumble_severe": "break", "fumble_victim": "nurse"}
	for g.view(g.gm).WaitingOn != nil {
		w := g.view(g.gm).WaitingOn[0]
		g.answer(g.gm, w.Character, choices[w.Name])
		looks()
	}
	keep(g.Play.Act(g.nurse, g.request("nurse", endTurn())))
	g.act(g.gm, "brute", attack("fist", "nurse"), "1D100=50")
	looks()
	keep(g.Play.Answer(g.student, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: "decline"}}}}))
	looks()
	keep(g.Play.Answer(g.nurse, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: "none"}}}}))
	looks()
	secret := g.request("brute", check("dodge"))
	secret.Audience = typev1.Audience_AUDIENCE_GM
	_, _ = g.Play.Act(g.gm, secret)
	looks()
	for _, w := range watches {
		for quiet := false; !quiet; {
			select {
			case f := <-w.frames:
				keep(f, nil)
			case <-time.After(100 * time.Millisecond):
				quiet = true
			}
		}
		w.stop()
	}
	for _, m := range sent {
		for _, l := range leaks(m.ProtoReflect(), string(m.ProtoReflect().Descriptor().Name())) {
			t.Errorf("leaked: %s", l)
		}
	}
	// The GM does see it, so that the test looks for the right thing.
	exported, err := g.Character.ExportCharacter(g.gm, &hanteiv1.ExportCharacterRequest{TableId: g.id, CharacterId: "brute", Format: hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA})
	g.ok(err)
	for _, m := range []proto.Message{g.view(g.gm), exported} {
		if len(leaks(m.ProtoReflect(), "")) == 0 {
			t.Errorf("the GM sees nothing of it either in %T", m)
		}
	}
}
