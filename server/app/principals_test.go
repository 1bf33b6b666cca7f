package app_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// row says what each principal gets of a method.
type row struct {
	request func(*place) proto.Message
	// want has an outcome for each of the principals, in their order.
	want string
}

// What there is to get. Shorter names make columns.
var outcomes = map[string]string{
	"ok": "ok", "missing": "TOKEN_MISSING", "unknown": "TOKEN_UNKNOWN", "not-yours": "NOT_YOUR_SEAT", "hidden": "NOT_FOUND", "closed": "PROMPT_CLOSED",
}

// expectations are of every method of the contract, for nobody, the admin, the GM,
// the player, the observer, the stranger and the revoked. A method without a row
// fails the test.
var expectations = map[string]row{
	"RulesetService.ListRulesets": {func(*place) proto.Message { return &hanteiv1.ListRulesetsRequest{} },
		"ok ok ok ok ok ok ok"},
	"RulesetService.GetRuleset": {func(*place) proto.Message { return &hanteiv1.GetRulesetRequest{Ruleset: "coc"} },
		"ok ok ok ok ok ok ok"},
	"RulesetService.ValidatePack": {func(*place) proto.Message {
		return &hanteiv1.ValidatePackRequest{Ruleset: "coc", Files: []*hanteiv1.PackFile{{Name: "x.yaml", Yaml: "{}"}}}
	}, "ok ok ok ok ok ok ok"},

	"TableService.CreateTable": {func(*place) proto.Message { return &hanteiv1.CreateTableRequest{Name: "x", Ruleset: "coc"} },
		"missing ok not-yours not-yours not-yours not-yours unknown"},
	"TableService.GetTable": {func(p *place) proto.Message { return &hanteiv1.GetTableRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown"},
	"TableService.ListTables": {func(*place) proto.Message { return &hanteiv1.ListTablesRequest{} },
		"missing ok ok ok ok ok unknown"}, // each sees its own
	"TableService.UpdateTable": {func(p *place) proto.Message {
		return &hanteiv1.UpdateTableRequest{TableId: p.id, Name: proto.String("x")}
	}, "missing ok ok not-yours not-yours hidden unknown"},
	"TableService.DeleteTable": {func(p *place) proto.Message { return &hanteiv1.DeleteTableRequest{TableId: p.id} },
		"missing ok not-yours not-yours not-yours hidden unknown"},
	"TableService.ExportTable": {func(p *place) proto.Message { return &hanteiv1.ExportTableRequest{TableId: p.id} },
		"missing ok ok not-yours not-yours hidden unknown"},
	"TableService.ImportTable": {func(p *place) proto.Message { return &hanteiv1.ImportTableRequest{Content: p.file()} },
		"missing ok not-yours not-yours not-yours not-yours unknown"},

	"SeatService.InviteSeat": {func(p *place) proto.Message {
		return &hanteiv1.InviteSeatRequest{TableId: p.id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}
	}, "missing ok ok not-yours not-yours hidden unknown"},
	"SeatService.ListSeats": {func(p *place) proto.Message { return &hanteiv1.ListSeatsRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown"},
	"SeatService.UpdateSeat": {func(p *place) proto.Message {
		return &hanteiv1.UpdateSeatRequest{TableId: p.id, SeatId: p.seats["player"], Name: proto.String("x")}
	}, "missing ok ok not-yours not-yours hidden unknown"},
	"SeatService.RevokeSeat": {func(p *place) proto.Message {
		return &hanteiv1.RevokeSeatRequest{TableId: p.id, SeatId: p.seats["player"]}
	}, "missing ok ok not-yours not-yours hidden unknown"},
	"SeatService.CreatePairingCode": {func(p *place) proto.Message {
		return &hanteiv1.CreatePairingCodeRequest{TableId: p.id, SeatId: p.seats["player"]}
	}, "missing ok ok ok not-yours hidden unknown"},
	"SeatService.PairSeat": {func(p *place) proto.Message { return &hanteiv1.PairSeatRequest{Code: p.code} },
		"ok ok ok ok ok ok ok"},

	"CharacterService.CreateCharacter": {func(p *place) proto.Message {
		return &hanteiv1.CreateCharacterRequest{TableId: p.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "officer"}}
	}, "missing not-yours ok ok not-yours hidden unknown"},
	"CharacterService.GetCharacter": {func(p *place) proto.Message {
		return &hanteiv1.GetCharacterRequest{TableId: p.id, CharacterId: "nurse"}
	}, "missing not-yours ok ok ok hidden unknown"},
	"CharacterService.ListCharacters": {func(p *place) proto.Message { return &hanteiv1.ListCharactersRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown"},

	"CharacterService.UpdateCharacter": {func(p *place) proto.Message {
		return &hanteiv1.UpdateCharacterRequest{TableId: p.id, CharacterId: "nurse", Name: "x"}
	}, "missing not-yours ok ok not-yours hidden unknown"},
	// The nurse was approved, so that it is the GM's to remove.
	"CharacterService.DeleteCharacter": {func(p *place) proto.Message {
		return &hanteiv1.DeleteCharacterRequest{TableId: p.id, CharacterId: "nurse"}
	}, "missing not-yours ok not-yours not-yours hidden unknown"},

	"PlayService.GetView": {func(p *place) proto.Message { return &hanteiv1.GetViewRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown"},
	"PlayService.ListOffers": {func(p *place) proto.Message { return &hanteiv1.ListOffersRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown"},
	"PlayService.Act": {func(p *place) proto.Message {
		return &hanteiv1.ActRequest{TableId: p.id, Actor: "nurse", What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
			Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}}}},
		}}}
	}, "missing not-yours ok ok not-yours hidden unknown"},
	// Nobody is asked anything, so who may answer finds nothing to.
	"PlayService.Answer": {func(p *place) proto.Message {
		return &hanteiv1.AnswerRequest{TableId: p.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: "x"}}}}
	}, "missing not-yours closed closed not-yours hidden unknown"},
	"PlayService.ListEvents": {func(p *place) proto.Message { return &hanteiv1.ListEventsRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown"},
	"PlayService.Watch": {func(p *place) proto.Message { return &hanteiv1.WatchRequest{TableId: []string{p.id}} },
		"missing not-yours ok ok ok hidden unknown"},
}

// TestPrincipals calls every method as everybody, each at a table of its own.
func TestPrincipals(t *testing.T) {
	w := startReal(t)
	stranger := w.place("").tokens["gm"]
	rows := 0
	for _, m := range methods() {
		name := string(m.Parent().Name()) + "." + string(m.Name())
		r, ok := expectations[name]
		if !ok {
			t.Errorf("%s: say in expectations what each principal gets of it", name)
			continue
		}
		rows++
		wants := strings.Fields(r.want)
		if len(wants) != len(principals) {
			t.Fatalf("%s: %d expectations for %d principals", name, len(wants), len(principals))
		}
		for i, who := range principals {
			p := w.place(stranger)
			_, err := w.call(w.holding(p.tokens[who]), m, r.request(p))
			want, ok := outcomes[wants[i]]
			if !ok {
				t.Fatalf("%s: what is %q?", name, wants[i])
			}
			if got := outcome(err); got != want {
				t.Errorf("%s as %s: %s, want %s (%v)", name, who, got, want, err)
			}
		}
	}
	if rows != len(expectations) {
		t.Errorf("%d expectations for %d methods: delete those of methods that are gone", len(expectations), rows)
	}
}
