package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// party is a table at which four players explore a generated dungeon, each from a seat of
// his own, over REST.
type party struct {
	t       *testing.T
	s       *child
	c       rest
	table   string
	gm      *sitter
	players []*sitter
	// faces are what is thrown by hand, where dice are.
	faces *rand.Rand
	// dungeon is what is explored: as it was generated, with ids and amounts that are found
	// again wherever they stand.
	dungeon *personav1.Dungeon
	// dark are the strings that tell of what is not known.
	dark []*secret
	// steps are the commands so far, by their handle.
	steps map[string]int
	// commands counts them.
	commands int
	// each is true if each knows what he has seen himself.
	each bool
	// checked is true if all that seats are sent is checked after each command.
	checked bool
	// undoAt is after how many commands the next move that discloses something is taken
	// back; 0 for never.
	undoAt int
	// told are the names of all events that a player's command brought.
	told []string
	// reapers counts the battles against the Reaper.
	reapers int
}

// sitter is a seat, and what its client is sent.
type sitter struct {
	name, own, seat, token string
	// knows is since which command the seat may know of something: a square, or a secret.
	knows map[any]int
	*explorer
	*follower
	// sent is what has not been checked yet.
	sent []sent
	// seen is the view since a command.
	seen   *tablev1.TableView
	seenAt int
}

// sent is something that a seat was sent: the bytes, and what they say.
type sent struct {
	bytes []byte
	m     proto.Message
}

// secret is a string that tells of something that lies in the dungeon.
type secret struct {
	text string
	// of are the features whose data tells it; without any nobody is ever told.
	of []int32
}

// four are the players of an exploration.
var four = []string{"Anna", "Bert", "Cora", "Dirk"}

// newParty makes the table with its seats and characters. The server makes no limits of
// the rate, since the clients do not think long.
func newParty(t *testing.T, s *child, players []string, options ...string) *party {
	t.Helper()
	p := &party{t: t, s: s, c: rest{s.http}, faces: rand.New(rand.NewPCG(4, 4)), steps: map[string]int{}, each: slices.Contains(options, "knowledge_scope=individual")}
	request := &hanteiv1.CreateTableRequest{Name: "Expedition", Ruleset: "persona"}
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		request.Options = append(request.Options, &tablev1.Option{Key: key, Value: value})
	}
	made := &hanteiv1.CreateTableResponse{}
	p.must(s.admin, createTable(), request, made)
	p.table, p.gm = made.Table.Id, &sitter{name: "GM", seat: made.GmSeat.Id, token: made.GmToken}
	for i, name := range players {
		own := string(rune('a' + i))
		invited := &hanteiv1.InviteSeatResponse{}
		p.must(p.gm.token, inviteSeat(p.table), &hanteiv1.InviteSeatRequest{
			TableId: p.table, Name: name, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{own},
		}, invited)
		p.players = append(p.players, &sitter{
			name: name, own: own, seat: invited.Seat.Id, token: invited.Token, knows: map[any]int{},
			explorer: &explorer{own: own, rand: rand.New(rand.NewPCG(9, uint64(i))), done: map[string]bool{}, marches: true},
		})
		p.must(p.gm.token, createCharacter(p.table), &hanteiv1.CreateCharacterRequest{
			TableId: p.table, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: own},
		}, &hanteiv1.CreateCharacterResponse{})
		// Nobody falls, whatever the dice are.
		for _, o := range []*tablev1.Operation{
			{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "hp_max", Value: 90}}},
			{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "hp", Value: proto.Int32(90), Max: proto.Int32(90)}}},
		} {
			p.must(p.gm.token, route{verb: "POST", path: "/v1/tables/" + p.table + ":override"}, &hanteiv1.OverrideRequest{
				TableId: p.table, Character: own, Operation: o,
			}, &hanteiv1.OverrideResponse{})
		}
		p.must(p.gm.token, route{verb: "POST", path: "/v1/tables/" + p.table + ":act"}, &hanteiv1.ActRequest{
			TableId: p.table, What: declared(&personav1.Action{Action: &personav1.Action_GmSet{GmSet: &personav1.Set{
				Character: own, What: &personav1.Set_Item{Item: &personav1.ItemCount{Item: "herb", Count: 2}},
			}}}),
		}, &hanteiv1.ActResponse{})
	}
	return p
}

func declared(a *personav1.Action) *hanteiv1.ActRequest_Action {
	return &hanteiv1.ActRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Persona{Persona: a}}}
}

// seed is what the dungeon is made from. It stands in no other number.
const seed = "7"

// generate has the server make the dungeon, and enter makes the party begin: two floors, the first
// with two areas that a warp joins.
func (p *party) generate(width int32) {
	p.t.Helper()
	out := p.act(p.gm, &hanteiv1.ActRequest{What: declared(&personav1.Action{Action: &personav1.Action_GenerateDungeon{
		GenerateDungeon: &personav1.GenerateDungeon{
			Seed: seed, DungeonLevel: 20, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLEAR,
			Floors: 2, Width: width, Height: width,
		},
	}})})
	for _, e := range out.Events {
		for _, f := range e.Facts {
			if f.Key == "hash" {
				p.dark = append(p.dark, &secret{text: f.GetText()})
			}
		}
	}
	p.dungeon = p.view(p.gm).Details.GetPersona().Blueprint
	if p.dungeon == nil || len(p.dark) != 1 {
		p.t.Fatalf("no dungeon was made: %v", out)
	}
}

// Numbers that are found wherever they stand: no other is as long.
const (
	firstID    = 730_000_000
	firstMacca = 5_500_000
)

// mark gives what lies in the dungeon ids and amounts that are found wherever they stand,
// and all floors a limit of rounds.
func (p *party) mark(limit int32) {
	for _, f := range p.dungeon.Floors {
		f.RoundLimitOverride = &limit
	}
	p.secret("73000")
	for _, f := range p.dungeon.Features {
		f.Id += firstID
		switch k := f.Kind.(type) {
		case *personav1.Feature_Stairs:
			if to, ok := k.Stairs.To.(*personav1.Stairs_Stairs); ok {
				to.Stairs += firstID
			}
		case *personav1.Feature_Item:
			k.Item.Macca = firstMacca + f.Id%1000
			k.Item.Container = fmt.Sprintf("strongbox-%d", f.Id%1000)
			p.secret("strongbox")
			p.secret(fmt.Sprint(k.Item.Macca), f.Id)
		case *personav1.Feature_Event:
			k.Event.Key = "the-idol-wakes"
			p.secret(k.Event.Key)
		case *personav1.Feature_Enemy:
			p.secret(k.Enemy.Name, f.Id)
			p.secret(titled(k.Enemy.Name), f.Id)
		case *personav1.Feature_Trap:
			p.secret(k.Trap.Kind, f.Id)
			p.secret(titled(k.Trap.Kind), f.Id)
		}
	}
}

// titled is how an English text has a word of the pack: "Rust Hound".
func titled(word string) string {
	var out []string
	for _, w := range strings.Split(word, "_") {
		out = append(out, strings.ToUpper(w[:1])+w[1:])
	}
	return strings.Join(out, " ")
}

func (p *party) secret(text string, of ...int32) {
	for _, s := range p.dark {
		if s.text == text {
			s.of = append(s.of, of...)
			return
		}
	}
	p.dark = append(p.dark, &secret{text, of})
}

func (p *party) enter() {
	p.t.Helper()
	p.act(p.gm, &hanteiv1.ActRequest{What: declared(&personav1.Action{Action: &personav1.Action_StartSession{StartSession: &personav1.StartSession{Level: 20}}})})
	p.act(p.gm, &hanteiv1.ActRequest{What: declared(&personav1.Action{Action: &personav1.Action_StartExploration{StartExploration: &personav1.StartExploration{Dungeon: p.dungeon}}})})
}

func (p *party) must(token string, r route, request, response proto.Message) {
	p.t.Helper()
	if err := p.c.call(token, r, request, response); err != nil {
		p.t.Fatal(err)
	}
}

// send sends a request and keeps what a player is answered for the checks.
func (p *party) send(s *sitter, r route, request, response proto.Message) {
	p.t.Helper()
	status, b, err := p.c.exchange(s.token, r, request)
	switch {
	case err != nil:
		p.t.Fatal(err)
	case status != http.StatusOK:
		p.t.Fatalf("%s: %s %s: %d: %s\nsent: %v", s.name, r.verb, r.path, status, b, request)
	}
	if err := protojson.Unmarshal(b, response); err != nil {
		p.t.Fatal(err)
	}
	if s != p.gm {
		s.sent = append(s.sent, sent{b, response})
	}
}

// counted notes which command it was.
func (p *party) counted(out *hanteiv1.Outcome) *hanteiv1.Outcome {
	p.commands++
	p.steps[out.StepId] = p.commands
	return out
}

// act declares an action, and notes which command it was.
func (p *party) act(s *sitter, request *hanteiv1.ActRequest) *hanteiv1.Outcome {
	p.t.Helper()
	request.TableId = p.table
	out := &hanteiv1.ActResponse{}
	p.send(s, act(p.table), request, out)
	return p.counted(out.Outcome)
}

// takeBack has the GM take the last command back.
func (p *party) takeBack() *hanteiv1.Outcome {
	p.t.Helper()
	out := &hanteiv1.UndoResponse{}
	p.send(p.gm, route{verb: "POST", path: "/v1/tables/" + p.table + ":undo"}, &hanteiv1.UndoRequest{TableId: p.table}, out)
	return p.counted(out.Outcome)
}

// answer answers one of the own prompts.
func (p *party) answer(s *sitter, request *hanteiv1.AnswerRequest) *hanteiv1.Outcome {
	p.t.Helper()
	request.TableId = p.table
	out := &hanteiv1.AnswerResponse{}
	p.send(s, answer(p.table, request.PromptId), request, out)
	return p.counted(out.Outcome)
}

func (p *party) view(s *sitter) *tablev1.TableView {
	p.t.Helper()
	out := &hanteiv1.GetViewResponse{}
	p.send(s, getView(p.table), &hanteiv1.GetViewRequest{TableId: p.table}, out)
	return out.View
}

// thrown throws the dice of a prompt by hand.
func (p *party) thrown(prompt *tablev1.PromptView) []string {
	var count, sides int
	if _, err := fmt.Sscanf(prompt.Dice, "%dD%d", &count, &sides); err != nil {
		p.t.Fatalf("dice %q: %v", prompt.Dice, err)
	}
	sum, faces := 0, make([]string, count)
	for i := range faces {
		face := 1 + p.faces.IntN(sides)
		sum, faces[i] = sum+face, fmt.Sprint(face)
	}
	if count == 1 {
		return []string{fmt.Sprintf("%s=%d", prompt.Dice, sum)}
	}
	return []string{fmt.Sprintf("%s=%d(%s)", prompt.Dice, sum, strings.Join(faces, ","))}
}

func square(s *typev1.Square) string {
	return fmt.Sprintf("%d,%d,%d", s.GetX(), s.GetY(), s.GetFloor())
}
