package api_test

import (
	"slices"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/grpc/codes"
)

func sampleOf(name string) *hanteiv1.CreateCharacterRequest_Sample {
	return &hanteiv1.CreateCharacterRequest_Sample{Sample: name}
}

// TestPlayerCreates: a player's own sheet belongs to its seat and is submitted.
func TestPlayerCreates(t *testing.T) {
	g := start(t).table()
	r, err := g.Character.CreateCharacter(g.nurse, &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: sampleOf("officer"), Name: "小林"})
	g.ok(err)
	c := r.Characters[0]
	if c.Id != "officer" || c.Name != "小林" || !c.Yours || c.Review != tablev1.Review_REVIEW_SUBMITTED || c.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC {
		t.Errorf("%v", c)
	}
	seats, err := g.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
	g.ok(err)
	if got := seats.Seats[1].Characters; !slices.Equal(got, []string{"nurse", "officer"}) {
		t.Errorf("the seat has %v", got)
	}
	// The id of somebody else's character is left to it.
	r, err = g.Character.CreateCharacter(g.nurse, &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: sampleOf("student")})
	g.ok(err)
	if id := r.Characters[0].Id; id != "student-2" {
		t.Errorf("id %s", id)
	}
	g.restart()
	seats, err = g.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
	g.ok(err)
	if got := seats.Seats[1].Characters; !slices.Equal(got, []string{"nurse", "officer", "student-2"}) {
		t.Errorf("after a restart the seat has %v", got)
	}
}

// TestGMCreates: the GM's sheets are approved, and given to whom he names.
func TestGMCreates(t *testing.T) {
	g := start(t).table()
	ja := as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, "ja")
	r, err := g.Character.CreateCharacter(ja, &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: sampleOf("thug"), Count: 2})
	g.ok(err)
	if c := r.Characters[1]; c.Id != "thug-2" || c.Name == "Thug 2" || c.Review != tablev1.Review_REVIEW_APPROVED || !c.Yours {
		t.Errorf("%v", c)
	}
	value := int32(777)
	r, err = g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{
		TableId: g.id, Name: "Old Bob!", SeatId: g.nurseSeat,
		Source: &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{
			Kind:      tablev1.CharacterKind_CHARACTER_KIND_NPC,
			Resources: []*tablev1.ResourceInput{{Key: "hp", Value: &value, Max: &value}},
		}},
	})
	g.ok(err)
	if c := r.Characters[0]; c.Id != "old-bob" || c.Name != "Old Bob!" || c.Side != "enemy" {
		t.Errorf("%v", c)
	}
	one, err := g.Character.GetCharacter(g.nurse, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: "old-bob"})
	g.ok(err)
	if !one.Character.Yours || one.Character.Resources[0].GetValue() != 777 {
		t.Errorf("%v", one.Character)
	}
	// A name without a letter that could stand in an id.
	r, err = g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{
		TableId: g.id, Name: "太郎", Source: &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC}},
	})
	g.ok(err)
	if c := r.Characters[0]; c.Id != "pc" || c.Name != "太郎" {
		t.Errorf("%v", c)
	}
	// Nobody has been given it, so the GM has its offers.
	offers, err := g.Play.ListOffers(g.gm, &hanteiv1.ListOffersRequest{TableId: g.id, Actor: "pc"})
	g.ok(err)
	if len(offers.Offers) == 0 {
		t.Error("nobody can play the character")
	}
	// A client puts the offer of a roll beside its stat, and others elsewhere.
	for _, o := range offers.Offers {
		if roll := o.GetAction().GetCoc().GetCheck().GetSkill(); o.Stat != roll {
			t.Errorf("the offer %s is beside the stat %q, and rolls %q", o.Text, o.Stat, roll)
		}
	}
	// An id that is too long to be numbered is cut.
	long := "abcdefghijklmnopqrstuvwx"
	r, err = g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, CharacterId: long, Source: sampleOf("thug"), Count: 3})
	g.ok(err)
	for _, c := range r.Characters {
		if len(c.Id) > 24 {
			t.Errorf("id %s", c.Id)
		}
	}
}

// TestTables lists tables in pages.
func TestTables(t *testing.T) {
	s := start(t)
	var want []string
	for range 5 {
		want = append(want, s.table().id)
	}
	slices.Reverse(want)
	var got []string
	admin, token := as(t, auth.Admin), ""
	for {
		r, err := s.Table.ListTables(admin, &hanteiv1.ListTablesRequest{PageSize: 2, PageToken: token})
		s.ok(err)
		for _, x := range r.Tables {
			got = append(got, x.Id)
			if len(x.Id) != 16 || len(x.Options) == 0 || x.CreateTime == nil || x.PackHash == "" {
				t.Errorf("table %v", x)
			}
		}
		if token = r.NextPageToken; token == "" {
			break
		}
		if len(token) > 128 {
			t.Errorf("a token of %d bytes", len(token))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	g := s.table(&tablev1.Option{Key: "crit", Value: "3"})
	r, err := s.Table.ListTables(g.nurse, &hanteiv1.ListTablesRequest{})
	s.ok(err)
	if len(r.Tables) != 1 || r.Tables[0].Id != g.id {
		t.Errorf("a seat sees %v", r.Tables)
	}
	for _, o := range r.Tables[0].Options {
		if o.Key == "crit" && o.Value != "3" {
			t.Errorf("option %v", o)
		}
	}
}

// TestDraft: a player makes an investigator by what the server offers, without
// knowing the rules, and no update is a way around them.
func TestDraft(t *testing.T) {
	g := start(t).table()
	r, err := g.Character.CreateCharacter(g.nurse, &hanteiv1.CreateCharacterRequest{
		TableId: g.id, CharacterId: "anna", Name: "Anna", Source: &hanteiv1.CreateCharacterRequest_Draft{Draft: &hanteiv1.Draft{}},
	})
	g.ok(err)
	if c := r.Characters[0]; c.Review != tablev1.Review_REVIEW_DRAFT || !c.Yours || c.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC || c.Side != "pc" {
		t.Errorf("%v", c)
	}
	_, err = g.Character.UpdateCharacter(g.nurse, g.revise("anna", withStat("str", 18)))
	refused(t, err, codes.FailedPrecondition, "MADE_BY_THE_RULES")
	g.revised(g.nurse, g.revise("anna", func(r *hanteiv1.UpdateCharacterRequest) { r.Sheet.Gear = []string{"knife"} }))

	take := func(action string, values ...*tablev1.Value) {
		t.Helper()
		offers, err := g.Play.ListOffers(g.nurse, &hanteiv1.ListOffersRequest{TableId: g.id, Actor: "anna"})
		g.ok(err)
		for _, o := range offers.Offers {
			a := o.GetAction().GetCoc().ProtoReflect()
			if o.Form || !o.Possible || string(a.WhichOneof(a.Descriptor().Oneofs().Get(0)).Name()) != action {
				continue
			}
			_, err := g.Play.Act(g.nurse, &hanteiv1.ActRequest{
				TableId: g.id, Actor: "anna", What: &hanteiv1.ActRequest_Offer{Offer: &hanteiv1.OfferChoice{OfferId: o.Id, Values: values}},
			})
			g.ok(err)
			return
		}
		t.Fatalf("%s is not offered", action)
	}
	value := func(name string, values ...string) *tablev1.Value { return &tablev1.Value{Name: name, Values: values} }
	take("roll_characteristics")
	take("reroll_all")
	take("reroll_one", value("characteristic", "dex"))
	take("swap", value("with", "con"))
	take("set_occupation", value("sample", "guard"))
	take("assign_points", value("points", "5"))
	take("declare_supplements", value("owns_2015", "true"))
	take("add_trait")
	take("request_extra", value("text", "a boat"))
	take("submit")
	c := g.character(g.nurse, "anna")
	if c.Review != tablev1.Review_REVIEW_SUBMITTED || len(c.Details.GetCoc().Traits) != 1 || c.Details.GetCoc().Creation.RerollsAll != 1 {
		t.Errorf("%v", c)
	}
	_, err = g.Character.UpdateCharacter(g.nurse, g.revise("anna", withStat("str", 19))) // what no dice bring
	refused(t, err, codes.FailedPrecondition, "MADE_BY_THE_RULES")
	// Nobody else is told how it was made.
	if d := g.character(g.student, "anna").Details.GetCoc(); d.GetCreation() != nil || d.GetTraits() != nil || d.GetSkillPoints() != nil {
		t.Errorf("%v", d)
	}
	g.answer(g.gm, "", "yes")
	g.act(g.gm, "", &cocv1.Action{Action: &cocv1.Action_GmApprove{GmApprove: &cocv1.Approve{Character: "anna"}}})
	g.restart()
	if c := g.character(g.nurse, "anna"); c.Review != tablev1.Review_REVIEW_APPROVED || len(c.Details.GetCoc().Extras) != 1 {
		t.Errorf("%v", c)
	}
	// The scenario is the table's, and everybody's to see.
	g.act(g.gm, "", &cocv1.Action{Action: &cocv1.Action_GmCloseCreation{GmCloseCreation: &cocv1.CloseCreation{}}})
	if v := g.view(g.student); !v.Details.GetCoc().GetScenario().GetCreationClosed() {
		t.Errorf("%v", v.Details)
	}
}
