package view

import (
	"strings"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

func replace(text, kind string) string { return strings.Replace(text, "%s", kind, 1) }

const sheet = `id: "%s" name: "N" kind: CHARACTER_KIND_NPC side: "enemy" review: REVIEW_SUBMITTED sample: "thug" audience: AUDIENCE_PUBLIC
	stats {key: "dex" value: 0 base: 50 audience: AUDIENCE_VALUES}
	resources {key: "hp" value: 7 max: 13 band: BAND_HURT audience: AUDIENCE_HP}
	resources {key: "san" value: 50 max: 99 band: BAND_HURT audience: AUDIENCE_MIND}
	statuses {key: "prone" causes: "hit" duration {until: 3} audience: AUDIENCE_PUBLIC}
	modifiers {id: "m" value: -10 audience: AUDIENCE_VALUES}
	position {square {} audience: AUDIENCE_PUBLIC}
	details {coc {
		combat {attacks_made: 1 def_count {dodge: 1}}
		weapons {id: "baton" durability: 9 audience: AUDIENCE_PUBLIC}
		weapons {id: "knife" durability: 9 audience: AUDIENCE_VALUES}
		wounds {id: 1 amount: 6}
		body {attacks_per_round: 1}
		growth_marks {id: "critical.club" source: "club" audience: AUDIENCE_OWNER}
		growth_marks {id: "fumble.fist" source: "fist" audience: AUDIENCE_GM}
		mind {rp_points: 0}
	}}`

func TestCharacter(t *testing.T) {
	const outside = `name: "N" kind: CHARACTER_KIND_NPC side: "enemy" statuses {key: "prone" causes: "hit" duration {until: 3}} position {}`
	tests := []struct {
		name      string
		character string
		viewer    Viewer
		vis       *tablev1.Visibility
		want      string
	}{
		{"NPC for a player", "thug", ann, stamp(), outside + `id: "thug"
			resources {key: "hp" band: BAND_HURT}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton"}}}`},
		{"NPC for a player, no band", "thug", ann, stamp(npcHP(unshown)), outside + `id: "thug"
			resources {key: "hp"}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton"}}}`},
		{"NPC for a player, all shown", "thug", ann, stamp(npcHP(exact), openValues), outside + `id: "thug"
			stats {key: "dex" value: 0 base: 50}
			resources {key: "hp" value: 7 max: 13 band: BAND_HURT}
			modifiers {id: "m" value: -10}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton" durability: 9} weapons {id: "knife" durability: 9}
				wounds {id: 1 amount: 6} body {attacks_per_round: 1}}}`},
		{"PC for its player", "officer", ann, stamp(hiddenSheets), outside + `id: "officer" yours: true review: REVIEW_SUBMITTED
			stats {key: "dex" value: 0 base: 50}
			resources {key: "hp" value: 7 max: 13 band: BAND_HURT}
			resources {key: "san" value: 50 max: 99 band: BAND_HURT}
			modifiers {id: "m" value: -10}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton" durability: 9} weapons {id: "knife" durability: 9}
				wounds {id: 1 amount: 6} body {attacks_per_round: 1} growth_marks {id: "critical.club" source: "club"} mind {rp_points: 0}}}`},
		{"PC for another, hidden", "officer", ben, stamp(hiddenSheets), outside + `id: "officer"
			resources {key: "hp"}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton"}}}`},
		{"NPC for the GM", "thug", theGM, stamp(), outside + `id: "thug" yours: true review: REVIEW_SUBMITTED sample: "thug"
			stats {key: "dex" value: 0 base: 50}
			resources {key: "hp" value: 7 max: 13 band: BAND_HURT}
			resources {key: "san" value: 50 max: 99 band: BAND_HURT}
			modifiers {id: "m" value: -10}
			details {coc {combat {attacks_made: 1 def_count {dodge: 1}} weapons {id: "baton" durability: 9} weapons {id: "knife" durability: 9}
				wounds {id: 1 amount: 6} body {attacks_per_round: 1}
				growth_marks {id: "critical.club" source: "club"} growth_marks {id: "fumble.fist" source: "fist"} mind {rp_points: 0}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := read(t, &tablev1.Character{}, replace(sheet, tt.character))
			same(t, Character(c, tt.viewer, tt.vis), read(t, &tablev1.CharacterView{}, tt.want))
		})
	}
	c := read(t, &tablev1.Character{}, replace(sheet, "thug"))
	c.Audience = gmOnly
	if got := Character(c, ann, stamp()); got != nil {
		t.Errorf("a hidden character: %v", got)
	}
}

// A view of the state outlives the moment: nothing of it may be the state's own.
func TestStateSharesNothing(t *testing.T) {
	s := &tablev1.State{
		Characters: []*tablev1.Character{read(t, &tablev1.Character{}, replace(sheet, "thug"))},
		Encounter:  read(t, &tablev1.Encounter{}, `roster: "thug" round: 1`),
	}
	view, _ := proto.MarshalOptions{Deterministic: true}.Marshal(Table(s, theGM, stamp(), nil))
	got := Table(s, theGM, stamp(), nil)
	c := s.Characters[0]
	*c.Stats[0].Value = 99
	c.Position.Square.X = 99
	c.Statuses[0].Causes[0] = "changed"
	c.Details.GetCoc().Combat.DefCount.Dodge = 99
	*c.Details.GetCoc().Weapons[0].Durability = 99
	s.Encounter.Roster[0] = "changed"
	after, _ := proto.MarshalOptions{Deterministic: true}.Marshal(got)
	if string(view) != string(after) {
		t.Error("the view changed with the state")
	}
}

const windows = `
	ruleset: "coc" pack: "p" options {key: "k" value: "v"} clocks {clock: CLOCK_ROUND reading: 2}
	agenda {actor: "thug"}
	encounter {roster: "officer" roster: "thug" pointer: 1}
	windows {id: "w1" name: "cover" rule: "R" kind: WINDOW_KIND_FIRST_TAKER because_of: "thug" about: "officer" open: true audience: AUDIENCE_PUBLIC
		slots {id: "s1" character: "officer" state: SLOT_STATE_OPEN default_choice: "no"
			choices {id: "cover.knife" possible: true answer {coc {cover {}}} inputs {name: "to" kind: INPUT_KIND_CHOICE choices: "a"}}
			choices {id: "no" reason: "TOO_LATE" answer {coc {defend {dodge {}}}}}}
		slots {id: "s2" character: "nurse" state: SLOT_STATE_ANSWERED}
		slots {id: "s3" character: "thug" state: SLOT_STATE_OPEN}
		facts {key: "roll" number: 44 audience: AUDIENCE_ASKED}
		facts {key: "value" number: 60 audience: AUDIENCE_VALUES}}
	windows {id: "w2" name: "secret" standing: true open: true audience: AUDIENCE_GM
		slots {id: "s4" character: "thug" state: SLOT_STATE_OPEN}
		slots {id: "s5" state: SLOT_STATE_OPEN}}
	windows {id: "w3" name: "old" audience: AUDIENCE_PUBLIC slots {id: "s6" character: "officer" state: SLOT_STATE_OPEN}}`

var seats = []*tablev1.Seat{
	{Id: "gm", Role: tablev1.SeatRole_SEAT_ROLE_GM},
	{Id: "ann", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"officer"}},
	{Id: "ben", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER},
	{Id: "olga", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER},
}

func TestTable(t *testing.T) {
	s := read(t, &tablev1.State{}, windows)
	const common = `ruleset: "coc" encounter {roster: "officer" roster: "thug"} options {key: "k" value: "v"} clocks {clock: CLOCK_ROUND reading: 2}
		seats {id: "gm" role: SEAT_ROLE_GM} seats {id: "ann" role: SEAT_ROLE_PLAYER characters: "officer"}
		seats {id: "ben" role: SEAT_ROLE_PLAYER} seats {id: "olga" role: SEAT_ROLE_OBSERVER}
		waiting_on {name: "cover" character: "officer" blocking: true seats: "ann"}
		waiting_on {name: "cover" character: "thug" blocking: true seats: "gm"}`
	const prompt = `window: "w1" name: "cover" rule: "R" kind: WINDOW_KIND_FIRST_TAKER because_of: "thug" about: "officer" facts {key: "roll" number: 44}`
	same(t, Table(s, ann, stamp(), seats), read(t, &tablev1.TableView{}, common+`seat_id: "ann"
		prompts {`+prompt+` id: "s1" character: "officer" default_choice: "no"
			choices {id: "cover.knife" possible: true answer {coc {cover {}}} inputs {name: "to" kind: INPUT_KIND_CHOICE choices {value: "a"}}}
			choices {id: "no" reason: "TOO_LATE" answer {coc {defend {dodge {}}}}}}`))
	same(t, Table(s, olga, stamp(), seats), read(t, &tablev1.TableView{}, common+`seat_id: "olga"`))
	same(t, Table(s, theGM, stamp(), seats), read(t, &tablev1.TableView{}, common+`seat_id: "gm"
		waiting_on {name: "secret" character: "thug" seats: "gm"}
		waiting_on {name: "secret" seats: "gm"}
		prompts {`+prompt+` facts {key: "value" number: 60} id: "s3" character: "thug"}
		prompts {window: "w2" name: "secret" standing: true id: "s4" character: "thug"}
		prompts {window: "w2" name: "secret" standing: true id: "s5"}`))
}

func TestState(t *testing.T) {
	s := read(t, &tablev1.State{}, windows)
	same(t, State(s, ben, stamp()), read(t, &tablev1.State{}, `
		ruleset: "coc" pack: "p" options {key: "k" value: "v"} clocks {clock: CLOCK_ROUND reading: 2}
		encounter {roster: "officer" roster: "thug"}
		windows {id: "w1" name: "cover" rule: "R" kind: WINDOW_KIND_FIRST_TAKER because_of: "thug" about: "officer" open: true
			slots {character: "officer" state: SLOT_STATE_OPEN}
			slots {character: "nurse" state: SLOT_STATE_ANSWERED}
			slots {character: "thug" state: SLOT_STATE_OPEN}}
		windows {standing: true open: true}
		windows {id: "w3" name: "old" slots {character: "officer" state: SLOT_STATE_OPEN}}`))
}

// The GM answers for a PC that no seat has.
func TestPromptOfNobodysPC(t *testing.T) {
	s := read(t, &tablev1.State{}, `windows {id: "w" open: true audience: AUDIENCE_PUBLIC slots {id: "s" character: "stranger" state: SLOT_STATE_OPEN}}`)
	if got := Prompts(s, theGM, stamp()); len(got) != 1 {
		t.Errorf("the GM has %d prompts, want 1", len(got))
	}
	if got := Prompts(s, ann, stamp()); len(got) != 0 {
		t.Errorf("a player has %d prompts, want 0", len(got))
	}
}
