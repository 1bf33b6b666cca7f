package api_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	engine "github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

// mirror is a client that knows the table by its first view and by the changes of the
// events that it was sent since.
type mirror struct {
	name   string
	ctx    context.Context
	table  *engine.Table
	cursor string
}

func (t *table) mirror(name string, ctx context.Context) *mirror {
	v := t.view(ctx)
	return &mirror{name: name, ctx: ctx, table: engine.FromState(stateOf(v)), cursor: v.Cursor}
}

// stateOf is a view as a state, to which changes are applied.
func stateOf(v *tablev1.TableView) *tablev1.State {
	s := &tablev1.State{Options: v.Options, Encounter: v.Encounter, Clocks: v.Clocks, Details: v.Details}
	for _, c := range v.Characters {
		sheet := &tablev1.Character{
			Id: c.Id, Name: c.Name, Kind: c.Kind, Side: c.Side, Review: c.Review, Sample: c.Sample,
			Stats: c.Stats, Resources: c.Resources, Statuses: c.Statuses, Modifiers: c.Modifiers, Details: c.Details, Profile: c.Profile, Notes: c.Notes,
		}
		if c.Position != nil {
			sheet.Position = &typev1.Position{Square: c.Position}
		}
		s.Characters = append(s.Characters, sheet)
	}
	return proto.CloneOf(s)
}

// plainState is a state without what cannot be told from nothing: shells of details in
// which nothing is left.
func plainState(s *tablev1.State) *tablev1.State {
	s = proto.CloneOf(s)
	empty := func(d *tablev1.Details) bool { return d != nil && proto.Size(d.GetCoc()) == 0 }
	if empty(s.Details) {
		s.Details = nil
	}
	for _, c := range s.Characters {
		if empty(c.Details) {
			c.Details = nil
		}
	}
	return s
}

// follow applies what happened since, and compares with what the server shows.
func (m *mirror) follow(t *table, what string) {
	t.tb.Helper()
	for {
		r, err := t.Play.ListEvents(m.ctx, &hanteiv1.ListEventsRequest{TableId: t.id, Cursor: m.cursor, PageSize: 500})
		t.ok(err)
		for _, e := range r.Events {
			for _, c := range e.Changes {
				m.table.Apply(c)
			}
		}
		m.cursor = r.Cursor
		if !r.More {
			break
		}
	}
	want, got := plainState(stateOf(t.view(m.ctx))), plainState(m.table.State())
	if !proto.Equal(want, got) {
		t.tb.Fatalf("after %s, %s has another table than the server shows (-server +client):\n%s",
			what, m.name, cmp.Diff(want, got, protocmp.Transform()))
	}
}

// TestFold: whoever applies the changes of the events, in order, to what the view
// showed, has what the view shows: the GM, the players and who only looks on, whatever
// is done, and taken back, and whoever may see what.
func TestFold(t *testing.T) {
	for name, options := range map[string][]*tablev1.Option{
		"shown":  nil,
		"hidden": {{Key: "party_sheets", Value: "hidden"}, {Key: "npc_hp", Value: "none"}, {Key: "npc_dice", Value: "hidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := start(t).fixed()
			if options != nil {
				_, err := g.Table.UpdateTable(g.gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Options: options})
				g.ok(err)
			}
			p := &playing{table: g, rand: rand.New(rand.NewPCG(1, 2))}
			r, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "Looker", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
			g.ok(err)
			looker := as(t, auth.Principal{Seat: r.Seat.Id, Table: g.id})
			var all []*mirror
			for name, ctx := range map[string]context.Context{"the GM": g.gm, "the nurse": g.nurse, "the student": g.student, "who looks on": looker} {
				all = append(all, g.mirror(name, ctx))
			}
			g.fight()
			for n := 0; n < 150 || n < 1000 && p.missing() != ""; n++ {
				what := p.something()
				for _, m := range all {
					m.follow(g, what)
				}
			}
			if what := p.missing(); what != "" {
				t.Errorf("%s was never done: %v", what, p.done)
			}
		})
	}
}

// missing is something that was not done yet; "" if all was.
func (p *playing) missing() string {
	for _, what := range []string{"undo", "undo of an event", "undo of a player", "act", "answer", "override", "options", "create", "delete", "update"} {
		if p.done[what] == 0 {
			return what
		}
	}
	return ""
}

// playing plays at random: the same way each time.
type playing struct {
	*table
	rand *rand.Rand
	done map[string]int
}

func (p *playing) count(what string, err error) string {
	if p.done == nil {
		p.done = make(map[string]int)
	}
	if err == nil {
		p.done[what]++
	} else if details(err).GetReason() == "INTERNAL" {
		p.tb.Fatalf("%s: %v", what, err)
	}
	return what
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

func (p *playing) something() string {
	v := p.view(p.gm)
	var ids []string
	for _, c := range v.Characters {
		ids = append(ids, c.Id)
	}
	if len(ids) == 0 {
		p.sample("nurse", "student", "thug")
		return "new characters"
	}
	if len(v.WaitingOn) > 0 && p.rand.IntN(4) > 0 {
		return p.answerSomething()
	}
	if v.Encounter != nil && len(v.Encounter.Turn) > 0 && p.rand.IntN(2) == 0 {
		by := v.Encounter.Turn[0]
		_, err := p.Play.Act(p.gm, p.request(by, attack("fist", pick(p.rand, ids))))
		return p.count("attack", err)
	}
	who := pick(p.rand, ids)
	switch p.rand.IntN(14) {
	case 0:
		_, err := p.Play.Undo(p.gm, &hanteiv1.UndoRequest{TableId: p.id})
		return p.count("undo", err)
	case 1:
		all := p.events(p.gm)
		last := all[max(0, len(all)-40):]
		_, err := p.Play.Undo(p.gm, &hanteiv1.UndoRequest{TableId: p.id, EventId: pick(p.rand, last).EventId, Reason: "a slip"})
		return p.count("undo of an event", err)
	case 2:
		own := map[string]context.Context{"nurse": p.nurse, "student": p.student}[who]
		if own == nil {
			return "nothing"
		}
		_, err := p.Character.UpdateCharacter(own, &hanteiv1.UpdateCharacterRequest{TableId: p.id, CharacterId: who, Name: "Own" + strconv.Itoa(p.rand.IntN(100))})
		p.count("update", err)
		_, err = p.Play.Undo(own, &hanteiv1.UndoRequest{TableId: p.id})
		return p.count("undo of a player", err)
	case 3:
		o := pick(p.rand, []*tablev1.Operation{
			setHP(int32(p.rand.IntN(8))),
			{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: "spot", Value: int32(p.rand.IntN(90))}}},
			{Operation: &tablev1.Operation_Status{Status: &tablev1.StatusInput{Key: "knocked_down", Ends: p.rand.IntN(2) == 0}}},
			{Operation: &tablev1.Operation_Position{Position: &tablev1.PositionInput{Square: &typev1.Square{X: int32(p.rand.IntN(4))}}}},
		})
		_, err := p.Play.Override(p.gm, &hanteiv1.OverrideRequest{TableId: p.id, Character: who, Operation: o, Reason: "so be it"})
		return p.count("override", err)
	case 4:
		_, err := p.Character.UpdateCharacter(p.gm, &hanteiv1.UpdateCharacterRequest{
			TableId: p.id, CharacterId: who, Name: "N" + strconv.Itoa(p.rand.IntN(100)),
			Sheet: &tablev1.SheetInput{Resources: []*tablev1.ResourceInput{{Key: "hp", Value: proto.Int32(int32(1 + p.rand.IntN(9)))}}},
		})
		return p.count("update", err)
	case 5:
		if p.rand.IntN(3) > 0 {
			_, err := p.Character.CreateCharacter(p.gm, &hanteiv1.CreateCharacterRequest{
				TableId: p.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: pick(p.rand, []string{"thug", "officer"})},
			})
			return p.count("create", err)
		}
		if who == "nurse" || who == "student" {
			return "nothing" // their seats are to go on playing
		}
		_, err := p.Character.DeleteCharacter(p.gm, &hanteiv1.DeleteCharacterRequest{TableId: p.id, CharacterId: who})
		return p.count("delete", err)
	case 6:
		audience := pick(p.rand, []typev1.Audience{typev1.Audience_AUDIENCE_PUBLIC, typev1.Audience_AUDIENCE_GM, typev1.Audience_AUDIENCE_OWNER})
		_, err := p.Play.Roll(p.gm, &hanteiv1.RollRequest{TableId: p.id, Actor: who, Formula: "1D6", Audience: audience})
		return p.count("roll", err)
	case 7:
		o := pick(p.rand, []*tablev1.Option{
			{Key: "party_sheets", Value: "hidden"}, {Key: "party_sheets", Value: "shown"}, {Key: "npc_values", Value: "shown"},
			{Key: "npc_values", Value: "hidden"}, {Key: "npc_hp", Value: "band"}, {Key: "npc_hp", Value: "none"}, {Key: "npc_hp", Value: "exact"},
		})
		_, err := p.Table.UpdateTable(p.gm, &hanteiv1.UpdateTableRequest{TableId: p.id, Options: []*tablev1.Option{o}})
		return p.count("options", err)
	}
	return p.takeAnOffer()
}

// answerSomething answers a prompt of somebody.
func (p *playing) answerSomething() string {
	for _, ctx := range []context.Context{p.gm, p.nurse, p.student} {
		for _, q := range p.view(ctx).Prompts {
			choice := pick(p.rand, q.Choices).Id
			if p.rand.IntN(3) == 0 {
				choice = q.DefaultChoice
			}
			_, err := p.Play.Answer(ctx, &hanteiv1.AnswerRequest{TableId: p.id, PromptId: q.Id, Answers: []*hanteiv1.SlotAnswer{
				{How: &hanteiv1.SlotAnswer_Choice{Choice: choice}},
			}})
			if err == nil || p.rand.IntN(2) == 0 {
				return p.count("answer", err)
			}
		}
	}
	return "nothing"
}

// modified reports whether a modifier waits for a roll: a secret roll uses it up, and
// nobody is told by whom.
func modified(v *tablev1.TableView) bool {
	return slices.ContainsFunc(v.Characters, func(c *tablev1.CharacterView) bool { return len(c.Modifiers) > 0 })
}

// takeAnOffer has the GM do something that is offered.
func (p *playing) takeAnOffer() string {
	r, err := p.Play.ListOffers(p.gm, &hanteiv1.ListOffersRequest{TableId: p.id})
	p.ok(err)
	var possible []*tablev1.OfferView
	for _, o := range r.Offers {
		if o.Possible && !o.Form {
			possible = append(possible, o)
		}
	}
	if len(possible) == 0 {
		return "nothing"
	}
	o := pick(p.rand, possible)
	var values []*tablev1.Value
	for _, in := range o.Inputs {
		v := &tablev1.Value{Name: in.Name}
		for len(v.Values) < int(max(1, in.MinCount)) {
			switch {
			case len(in.Choices) > 0:
				v.Values = append(v.Values, pick(p.rand, in.Choices).Value)
			case in.Kind == tablev1.InputKind_INPUT_KIND_NUMBER:
				v.Values = append(v.Values, strconv.Itoa(int(in.Min)+p.rand.IntN(int(max(1, min(20, in.Max-in.Min))))))
			case in.Kind == tablev1.InputKind_INPUT_KIND_TEXT:
				v.Values = append(v.Values, "words")
			default:
				v.Values = append(v.Values, strconv.Itoa(p.rand.IntN(4))+",0")
			}
		}
		if in.MinCount > 0 || in.MaxCount > 0 && p.rand.IntN(2) == 0 {
			values = append(values, v)
		}
	}
	a := &hanteiv1.ActRequest{TableId: p.id, What: &hanteiv1.ActRequest_Offer{Offer: &hanteiv1.OfferChoice{OfferId: o.Id, Values: values}}}
	if o.Secret && !modified(p.view(p.gm)) {
		a.Audience = pick(p.rand, []typev1.Audience{typev1.Audience_AUDIENCE_PUBLIC, typev1.Audience_AUDIENCE_GM, typev1.Audience_AUDIENCE_OWNER})
	}
	_, err = p.Play.Act(p.gm, a)
	p.count("act", err)
	return o.Text
}
