package api_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// lurking is coc with cultists whom only the GM knows of.
func lurking(files []pack.File) (*rule.Ruleset, error) {
	r, err := coc.New(files)
	if err != nil {
		return nil, err
	}
	sample := r.FromSample
	r.FromSample = func(id string) (*tablev1.Character, *rule.Refusal) {
		c, refusal := sample(id)
		if refusal == nil && id == "cultist" {
			c.Audience = rule.GM
		}
		return c, refusal
	}
	return r, nil
}

// TestHiddenCharacter: a character that a seat may not know of is answered for
// like one that does not exist, to the letter but for the name that the seat sent
// itself, whatever it is named for.
func TestHiddenCharacter(t *testing.T) {
	hides, err := host.NewGame(lurking, coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(h *host.Options, _ *api.Options, _ *sqlite.Options) { h.Games = []*host.Game{hides} })
	g := s.table()
	g.sample("nurse", "student", "cultist", "thug")
	g.act(g.gm, "", startCombat("nurse", "cultist", "student", "thug"))
	w := g.watch(g.nurse, "")
	w.next()

	const there, nowhere = "cultist", "cultisx"
	calls := map[string]func(name string) error{
		"character": func(name string) error {
			_, err := s.Character.GetCharacter(g.nurse, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: name})
			return err
		},
		"update": func(name string) error {
			_, err := s.Character.UpdateCharacter(g.nurse, &hanteiv1.UpdateCharacterRequest{TableId: g.id, CharacterId: name, Name: "x", Etag: "x"})
			return err
		},
		"delete": func(name string) error {
			_, err := s.Character.DeleteCharacter(g.nurse, &hanteiv1.DeleteCharacterRequest{TableId: g.id, CharacterId: name, Etag: "x"})
			return err
		},
		"offers": func(name string) error {
			_, err := s.Play.ListOffers(g.nurse, &hanteiv1.ListOffersRequest{TableId: g.id, Actor: name})
			return err
		},
		"actor": func(name string) error {
			_, err := s.Play.Act(g.nurse, g.request(name, check("spot")))
			return err
		},
		"target": func(name string) error {
			_, err := s.Play.Act(g.nurse, g.request("nurse", attack("fist", name)))
			return err
		},
		"patient": func(name string) error {
			_, err := s.Play.Act(g.nurse, g.request("nurse", &cocv1.Action{Action: &cocv1.Action_FirstAid{FirstAid: &cocv1.FirstAid{Target: name}}}))
			return err
		},
		"placed": func(name string) error {
			_, err := s.Play.Act(g.nurse, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
				Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{Action: &tablev1.CoreAction_Place{Place: &tablev1.Place{Character: name}}}},
			}}})
			return err
		},
		"answer": func(name string) error {
			_, err := s.Play.Answer(g.nurse, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: "-", Answers: []*hanteiv1.SlotAnswer{{Character: name}}})
			return err
		},
	}
	for what, call := range calls {
		t.Run(what, func(t *testing.T) {
			hidden, none := call(there), call(nowhere)
			if hidden == nil || none == nil {
				t.Fatalf("it was taken: %v, %v", hidden, none)
			}
			if x, y := told(hidden), strings.ReplaceAll(told(none), nowhere, there); x != y {
				t.Errorf("different answers:\n%v\n%v", x, y)
			}
		})
	}
	// The GM's own questions are answered.
	_, err = s.Character.GetCharacter(g.gm, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: there})
	g.ok(err)
	_, err = s.Play.Act(g.gm, g.request(nowhere, check("spot")))
	if info := refused(t, err, codes.NotFound, "NOT_FOUND"); info.Metadata["nearest"] != there {
		t.Errorf("the GM is told %v", info)
	}

	// What is changed of it is told to nobody else.
	_, err = s.Character.UpdateCharacter(g.gm, &hanteiv1.UpdateCharacterRequest{TableId: g.id, CharacterId: there, Name: "the other cultist"})
	g.ok(err)

	// Nothing of it is in what the players are shown.
	for _, m := range []proto.Message{
		must(s.Play.GetView(g.nurse, &hanteiv1.GetViewRequest{TableId: g.id})),
		must(s.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})),
		must(s.Play.ListOffers(g.nurse, &hanteiv1.ListOffersRequest{TableId: g.id})),
		must(s.Seat.ListSeats(g.nurse, &hanteiv1.ListSeatsRequest{TableId: g.id})),
		must(s.Character.ListCharacters(g.nurse, &hanteiv1.ListCharactersRequest{TableId: g.id})),
	} {
		if contains(m, there) {
			t.Errorf("%T tells of it: %v", m, m)
		}
	}
	_ = w.stop()
}

func must[M proto.Message](m M, err error) proto.Message {
	if err != nil {
		panic(status.Convert(err).Proto())
	}
	return m
}

// contains reports whether a text stands anywhere in a message's bytes.
func contains(m proto.Message, text string) bool {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	for i := 0; i+len(text) <= len(b); i++ {
		if string(b[i:i+len(text)]) == text {
			return true
		}
	}
	return false
}

// TestInsanityEnds: whoever keeps a sheet by the changes of the events is told that an
// insanity is over, where the sheets of others are hidden too.
func TestInsanityEnds(t *testing.T) {
	g := start(t).table(&tablev1.Option{Key: "party_sheets", Value: "hidden"})
	g.sample("nurse")
	g.override("nurse", &tablev1.Operation{Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "temp_insane"}}})
	insanity := &cocv1.Insanity{Length: 5, Unit: cocv1.InsanityUnit_INSANITY_UNIT_HOURS}
	part := &tablev1.Part{Ruleset: &tablev1.Part_Coc{Coc: &cocv1.Part{Part: &cocv1.Part_Insanity{Insanity: insanity}}}}
	g.override("nurse", &tablev1.Operation{Operation: &tablev1.Operation_Part{Part: part}})
	g.act(g.gm, "", &cocv1.Action{Action: &cocv1.Action_GmEndInsanity{GmEndInsanity: &cocv1.EndInsanity{Character: "nurse"}}})

	r, err := g.Play.ListEvents(g.student, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: 500})
	g.ok(err)
	var kept []*cocv1.Insanity
	for _, e := range r.Events {
		for _, c := range e.Changes {
			if p := c.GetPart().GetAfter().GetCoc().GetInsanity(); p != nil {
				kept = append(kept, p)
			}
		}
	}
	if len(kept) != 2 || kept[0].Length != 5 || !proto.Equal(kept[1], &cocv1.Insanity{}) {
		t.Errorf("the others are told %v", kept)
	}
}
