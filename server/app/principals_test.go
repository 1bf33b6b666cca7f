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
	"ok": "ok", "missing": "TOKEN_MISSING", "unknown": "TOKEN_UNKNOWN", "not-yours": "NOT_YOUR_SEAT", "hidden": "NOT_FOUND", "closed": "PROMPT_CLOSED", "fenced": "UNDO_FENCED",
	"seatless": "SEAT_MISSING", "not-bridges": "NOT_FOR_BRIDGES",
}

// expectations are of every method of the contract, for nobody, the admin, the GM,
// the player, the observer, the stranger, the revoked, and the bridges: for none,
// the player and the GM; one that is not admitted and one that was, both for the
// player. A method without a row fails the test.
var expectations = map[string]row{
	"RulesetService.ListRulesets": {func(*place) proto.Message { return &hanteiv1.ListRulesetsRequest{} },
		"ok ok ok ok ok ok ok ok ok ok ok ok"},
	"RulesetService.GetRuleset": {func(*place) proto.Message { return &hanteiv1.GetRulesetRequest{Ruleset: "coc"} },
		"ok ok ok ok ok ok ok ok ok ok ok ok"},
	"RulesetService.ValidatePack": {func(*place) proto.Message {
		return &hanteiv1.ValidatePackRequest{Ruleset: "coc", Files: []*hanteiv1.PackFile{{Name: "x.yaml", Yaml: "{}"}}}
	}, "ok ok ok ok ok ok ok ok ok ok ok ok"},

	"TableService.CreateTable": {func(*place) proto.Message { return &hanteiv1.CreateTableRequest{Name: "x", Ruleset: "coc"} },
		"missing ok not-yours not-yours not-yours not-yours unknown not-yours not-yours not-yours not-yours not-yours"},
	"TableService.GetTable": {func(p *place) proto.Message { return &hanteiv1.GetTableRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown ok ok ok hidden hidden"},
	"TableService.ListTables": {func(*place) proto.Message { return &hanteiv1.ListTablesRequest{} },
		"missing ok ok ok ok ok unknown ok ok ok not-yours not-yours"}, // each sees its own
	"TableService.UpdateTable": {func(p *place) proto.Message {
		return &hanteiv1.UpdateTableRequest{TableId: p.id, Name: proto.String("x")}
	}, "missing ok ok not-yours not-yours hidden unknown seatless not-yours not-bridges hidden hidden"},
	"TableService.DeleteTable": {func(p *place) proto.Message { return &hanteiv1.DeleteTableRequest{TableId: p.id} },
		"missing ok not-yours not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"TableService.ExportTable": {func(p *place) proto.Message { return &hanteiv1.ExportTableRequest{TableId: p.id} },
		"missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"TableService.ImportTable": {func(p *place) proto.Message { return &hanteiv1.ImportTableRequest{Content: p.file()} },
		"missing ok not-yours not-yours not-yours not-yours unknown not-yours not-yours not-yours not-yours not-yours"},
	"TableService.ListDiceEpochs": {func(p *place) proto.Message { return &hanteiv1.ListDiceEpochsRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown ok ok ok hidden hidden"},
	"TableService.GiveDiceShare": {func(p *place) proto.Message {
		return &hanteiv1.GiveDiceShareRequest{TableId: p.id, Share: "x"}
	}, "missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
	"TableService.RotateSeed": {func(p *place) proto.Message { return &hanteiv1.RotateSeedRequest{TableId: p.id} },
		"missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"TableService.VerifyTable": {func(p *place) proto.Message { return &hanteiv1.VerifyTableRequest{TableId: p.id} },
		"missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},

	"SeatService.InviteSeat": {func(p *place) proto.Message {
		return &hanteiv1.InviteSeatRequest{TableId: p.id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}
	}, "missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"SeatService.ListSeats": {func(p *place) proto.Message { return &hanteiv1.ListSeatsRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown ok ok ok hidden hidden"},
	"SeatService.UpdateSeat": {func(p *place) proto.Message {
		return &hanteiv1.UpdateSeatRequest{TableId: p.id, SeatId: p.seats["player"], Name: proto.String("x")}
	}, "missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"SeatService.SetPolicies": {func(p *place) proto.Message {
		return &hanteiv1.SetPoliciesRequest{TableId: p.id, SeatId: p.seats["player"]}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	"SeatService.RevokeSeat": {func(p *place) proto.Message {
		return &hanteiv1.RevokeSeatRequest{TableId: p.id, SeatId: p.seats["player"]}
	}, "missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"SeatService.CreatePairingCode": {func(p *place) proto.Message {
		return &hanteiv1.CreatePairingCodeRequest{TableId: p.id, SeatId: p.seats["player"]}
	}, "missing ok ok ok not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"SeatService.PairSeat": {func(p *place) proto.Message { return &hanteiv1.PairSeatRequest{Code: p.code} },
		"ok ok ok ok ok ok ok ok ok ok ok ok"},

	"CharacterService.CreateCharacter": {func(p *place) proto.Message {
		return &hanteiv1.CreateCharacterRequest{TableId: p.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "officer"}}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	"CharacterService.GetCharacter": {func(p *place) proto.Message {
		return &hanteiv1.GetCharacterRequest{TableId: p.id, CharacterId: "nurse"}
	}, "missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
	"CharacterService.ListCharacters": {func(p *place) proto.Message { return &hanteiv1.ListCharactersRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},

	"CharacterService.ImportCharacter": {func(p *place) proto.Message {
		return &hanteiv1.ImportCharacterRequest{TableId: p.id, Source: &hanteiv1.ImportCharacterRequest_Content{
			Content: `{"kind":"character","data":{"name":"Shizuku"}}`,
		}}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	"CharacterService.ExportCharacter": {func(p *place) proto.Message {
		return &hanteiv1.ExportCharacterRequest{TableId: p.id, CharacterId: "nurse", Format: hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA}
	}, "missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},

	"BridgeService.CreateBridge": {func(*place) proto.Message { return &hanteiv1.CreateBridgeRequest{Name: "x"} },
		"missing ok not-yours not-yours not-yours not-yours unknown not-yours not-yours not-yours not-yours not-yours"},
	"BridgeService.ListBridges": {func(*place) proto.Message { return &hanteiv1.ListBridgesRequest{} },
		"missing ok not-yours not-yours not-yours not-yours unknown not-yours not-yours not-yours not-yours not-yours"},
	"BridgeService.DeleteBridge": {func(p *place) proto.Message { return &hanteiv1.DeleteBridgeRequest{BridgeId: p.bridge} },
		"missing ok not-yours not-yours not-yours not-yours unknown not-yours not-yours not-yours not-yours not-yours"},
	"BridgeService.AdmitBridge": {func(p *place) proto.Message {
		return &hanteiv1.AdmitBridgeRequest{TableId: p.id, BridgeId: p.bridge, AllSeats: true}
	}, "missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},
	"BridgeService.ListAdmittedBridges": {func(p *place) proto.Message { return &hanteiv1.ListAdmittedBridgesRequest{TableId: p.id} },
		"missing ok ok ok ok hidden unknown ok ok ok hidden hidden"},
	"BridgeService.DismissBridge": {func(p *place) proto.Message {
		return &hanteiv1.DismissBridgeRequest{TableId: p.id, BridgeId: p.bridge}
	}, "missing ok ok not-yours not-yours hidden unknown not-bridges not-bridges not-bridges not-bridges not-bridges"},

	"CharacterService.UpdateCharacter": {func(p *place) proto.Message {
		return &hanteiv1.UpdateCharacterRequest{TableId: p.id, CharacterId: "nurse", Name: "x"}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	// The nurse was approved, so that it is the GM's to remove.
	"CharacterService.DeleteCharacter": {func(p *place) proto.Message {
		return &hanteiv1.DeleteCharacterRequest{TableId: p.id, CharacterId: "nurse"}
	}, "missing not-yours ok not-yours not-yours hidden unknown seatless not-yours ok hidden hidden"},

	"PlayService.GetView": {func(p *place) proto.Message { return &hanteiv1.GetViewRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
	// The table has no dungeon: who may look is told that there is no such floor.
	"PlayService.GetDungeonPicture": {func(p *place) proto.Message { return &hanteiv1.GetDungeonPictureRequest{TableId: p.id} },
		"missing not-yours hidden hidden hidden hidden unknown seatless hidden hidden hidden hidden"},
	"PlayService.ListOffers": {func(p *place) proto.Message { return &hanteiv1.ListOffersRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
	"PlayService.Act": {func(p *place) proto.Message {
		return &hanteiv1.ActRequest{TableId: p.id, Actor: "nurse", What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
			Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}}}},
		}}}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	"PlayService.Preview": {func(p *place) proto.Message {
		return &hanteiv1.PreviewRequest{TableId: p.id, Actor: "nurse", What: &hanteiv1.PreviewRequest_Action{Action: &tablev1.Action{
			Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}}}},
		}}}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	// Nobody is asked anything, so who may answer finds nothing to.
	"PlayService.Answer": {func(p *place) proto.Message {
		return &hanteiv1.AnswerRequest{TableId: p.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: "x"}}}}
	}, "missing not-yours closed closed not-yours hidden unknown seatless closed closed hidden hidden"},
	"PlayService.Roll": {func(p *place) proto.Message {
		return &hanteiv1.RollRequest{TableId: p.id, Formula: "1D6"}
	}, "missing not-yours ok ok not-yours hidden unknown seatless ok ok hidden hidden"},
	// The last thing was the GM's.
	"PlayService.Undo": {func(p *place) proto.Message { return &hanteiv1.UndoRequest{TableId: p.id} },
		"missing not-yours ok fenced not-yours hidden unknown seatless fenced ok hidden hidden"},
	"PlayService.Override": {func(p *place) proto.Message {
		return &hanteiv1.OverrideRequest{TableId: p.id, Character: "nurse", Operation: &tablev1.Operation{
			Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: 1}},
		}}
	}, "missing not-yours ok not-yours not-yours hidden unknown seatless not-yours ok hidden hidden"},
	"PlayService.ListEvents": {func(p *place) proto.Message { return &hanteiv1.ListEventsRequest{TableId: p.id} },
		"missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
	"PlayService.Watch": {func(p *place) proto.Message { return &hanteiv1.WatchRequest{TableId: []string{p.id}} },
		"missing not-yours ok ok ok hidden unknown seatless ok ok hidden hidden"},
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
			_, err := w.call(w.calling(p.tokens[who], p.headers[who]), m, r.request(p))
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
