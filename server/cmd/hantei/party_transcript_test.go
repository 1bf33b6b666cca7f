package main

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// cellar is a dungeon of two floors with something of everything.
func cellar() *personav1.Dungeon {
	at := func(x, y, floor int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: floor} }
	outside := &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}
	return &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_NEW, Weather: personav1.Weather_WEATHER_RAIN,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"....", "#.##"}}, {Number: 2, Rows: []string{"...", "###"}}},
		Features: []*personav1.Feature{
			{Id: 11, Square: at(0, 0, 1), Kind: outside},
			{Id: 12, Square: at(1, 0, 1), Kind: &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: "dart"}}},
			{Id: 13, Square: at(1, 0, 1), Kind: &personav1.Feature_Item{Item: &personav1.Treasure{Macca: 30, Items: []*personav1.ItemCount{{Item: "lamp_oil", Count: 1}}}}},
			{Id: 14, Square: at(2, 0, 1), Kind: &personav1.Feature_Enemy{Enemy: &personav1.Enemy{Name: "frost_imp", Level: 16, Count: 2, Specialties: []string{"ice"}}}},
			{Id: 15, Square: at(1, 1, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 16}}}},
			{Id: 16, Square: at(0, 0, 2), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 15}}}},
			{Id: 17, Square: at(2, 0, 2), Kind: outside},
			{Id: 18, Square: at(2, 0, 2), Kind: &personav1.Feature_Event{Event: &personav1.EventFeature{Key: "the-idol-wakes"}}},
		},
	}
}

// does declares an action of a player's, with dice thrown by hand.
func (p *party) does(s *sitter, a *personav1.Action, dice ...string) {
	p.t.Helper()
	p.act(s, &hanteiv1.ActRequest{Actor: s.own, What: declared(a), GivenDice: dice})
}

// says answers the only prompt of a seat that has this name.
func (p *party) says(s *sitter, name, choice string, dice ...string) {
	p.t.Helper()
	for _, prompt := range p.look(s).Prompts {
		if prompt.Name != name {
			continue
		}
		request := &hanteiv1.AnswerRequest{PromptId: prompt.Id, GivenDice: dice}
		if choice != "" {
			request.Answers = []*hanteiv1.SlotAnswer{{Character: prompt.Character, How: &hanteiv1.SlotAnswer_Choice{Choice: choice}}}
		}
		p.answer(s, request)
		return
	}
	p.t.Fatalf("%s is not asked %s, but %v; waiting on %v", s.name, name, p.look(s).Prompts, p.look(s).WaitingOn)
}

func step(d personav1.Direction) *personav1.Action {
	return &personav1.Action{Action: &personav1.Action_Move{Move: &personav1.Move{Direction: d}}}
}

// TestExplorationTold plays a short exploration in which each knows what he has seen
// himself: what Anna, Bert and the GM are told of it stands in testdata, in both languages.
func TestExplorationTold(t *testing.T) {
	p := newParty(t, fresh(t, "HANTEI_RATE_LIMIT=0"), four[:2], "given_dice=all", "knowledge_scope=individual")
	anna, bert := p.players[0], p.players[1]
	cursors := map[*sitter]string{}
	for _, s := range []*sitter{anna, bert, p.gm} {
		cursors[s] = p.view(s).Cursor
	}
	const right, down, left = personav1.Direction_DIRECTION_RIGHT, personav1.Direction_DIRECTION_DOWN, personav1.Direction_DIRECTION_LEFT
	end := &personav1.Action{Action: &personav1.Action_EndTurn{EndTurn: &personav1.EndTurn{}}}

	p.dungeon = cellar()
	p.enter()
	p.says(anna, "declare_persona", "alpha")
	p.does(anna, step(right), "1D6=4") // onto the dart
	p.does(anna, &personav1.Action{Action: &personav1.Action_Search{Search: &personav1.Search{}}}, "1D100=30")
	p.says(anna, "pickup_choice", "all")
	p.does(bert, step(right))
	p.does(bert, step(right), "1D100=30") // onto the imps, whom nobody surprises
	p.says(p.gm, "dice", "", "1D100=40")
	p.says(p.gm, "enemy_attack_profile", "profile")
	p.says(p.gm, "dice", "", "2D6=9(5,4)")
	p.says(bert, "reaction", "intercept.strike_1db", "1D10=8")

	p.does(anna, step(down))
	p.does(anna, end)
	p.does(bert, step(left))
	p.does(bert, step(down))

	p.does(anna, &personav1.Action{Action: &personav1.Action_ChangeFloor{ChangeFloor: &personav1.ChangeFloor{}}})
	p.says(bert, "floor_change_consent", "yes")
	p.does(anna, step(right))
	p.does(anna, step(right))
	p.says(p.gm, "gm_event", "done")
	p.does(bert, step(right))
	p.does(bert, step(right))
	p.does(anna, &personav1.Action{Action: &personav1.Action_Escape{Escape: &personav1.Escape{}}})
	p.says(bert, "floor_change_consent", "yes")

	for file, s := range map[string]*sitter{"anna": anna, "bert": bert, "gm": p.gm} {
		golden(t, filepath.Join("testdata", "exploration-"+file+".txt"), p.inBoth(s, cursors[s]))
	}
}

// inBoth is a transcript with the texts in both languages.
func (p *party) inBoth(s *sitter, cursor string) []byte {
	p.t.Helper()
	var b bytes.Buffer
	english, japanese := p.listed(s, cursor, "en"), p.listed(s, cursor, "ja")
	for i, e := range english {
		for _, text := range []string{e.Text.GetText(), japanese[i].Text.GetText()} {
			if text != "" {
				fmt.Fprintln(&b, text)
			}
		}
		b.Write(transcribed(english[i : i+1]))
		b.WriteString("\n")
	}
	return b.Bytes()
}

// listed are the events after a cursor, with texts in a language.
func (p *party) listed(s *sitter, cursor, lang string) []*tablev1.EventView {
	p.t.Helper()
	r := listEvents(p.table)
	r.path += "?page_size=500&cursor=" + cursor
	out := &hanteiv1.ListEventsResponse{}
	status, b, err := p.c.exchange(s.token, r, nil, lang)
	if err == nil {
		err = protojson.Unmarshal(b, out)
	}
	if err != nil || status != http.StatusOK || out.More {
		p.t.Fatalf("%d %v: %s", status, err, b)
	}
	return out.Events
}
