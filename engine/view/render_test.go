package view

import (
	"testing"
	"testing/fstest"

	"github.com/hantei/hantei/engine/locale"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

func catalog(t *testing.T) *locale.Catalog {
	t.Helper()
	c, err := locale.Load(locale.Core(), fstest.MapFS{
		"en.yaml": {Data: []byte(`
event:
  damage_rolled: "{actor} strikes {targets}[ with {weapon}][ for {final} points][, {fact.dice} of the weapon][ \\[{dice}\\]]."
  order: "[Order: {order}.][ They said: {said}]"
word: {baton: "baton", success: "success"}
stat: {club: "Club"}
prompt: {defend: "How does {character} meet the blow[ of {actor}][ for {about}][, {roll}]?"}
choice: {dodge: "Dodge", parry: "Parry[ with {what}]"}
error.TOO_LATE: "Too late."
action.attack: "Attack"
input.target: "Target"
`)},
		"ja.yaml": {Data: []byte(`
event:
  damage_rolled: "{actor}が{targets}を[{weapon}で]打った[（{final}点）][、武器{fact.dice}][　{dice}]。"
  order: "[順番：{order}。][「{said}」]"
word: {baton: "警棒", success: "成功"}
stat: {club: "こん棒"}
prompt: {defend: "{character}は[{actor}の]攻撃にどうする？[{about}][{roll}]"}
choice: {dodge: "回避", parry: "[{what}で]受け流し"}
error.TOO_LATE: "もう遅い。"
action.attack: "攻撃"
input.target: "対象"
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func nameOf(id string) string {
	switch id {
	case "officer":
		return "Officer Mori"
	case "thug":
		return "Thug"
	}
	return ""
}

func TestRender(t *testing.T) {
	c := catalog(t)
	tests := []struct {
		name, event, en, ja string
	}{
		{
			"whole",
			`name: "damage_rolled" actor: "officer" targets: "thug" targets: "rat"
			facts {key: "dice" number: 4} facts {key: "final" of: "thug" number: 6} facts {key: "weapon" words: "baton" words: "club"}
			dice {sides: 100 faces: 44} dice {sides: 6 faces: 4 faces: 3}`,
			"Officer Mori strikes Thug, rat with baton, Club for 6 points, 4 of the weapon [1D100=44, 2D6=7 (4, 3)].",
			"Officer MoriがThug、ratを警棒、こん棒で打った（6点）、武器4　1D100=44、2D6=7 (4, 3)。",
		},
		{
			"what is hidden leaves no trace",
			`name: "damage_rolled" actor: "officer"`,
			"Officer Mori strikes .",
			"Officer Moriがを打った。",
		},
		{
			"the actor's fact before another's",
			`name: "damage_rolled" actor: "officer" targets: "thug" facts {key: "final" of: "thug" number: 6} facts {key: "final" number: 0}`,
			"Officer Mori strikes Thug for 0 points.",
			"Officer MoriがThugを打った（0点）。",
		},
		{
			"characters, and a person's own text as it is",
			`name: "order" facts {key: "order" characters: "thug" characters: "officer"} facts {key: "said" text: "success {actor} [x]"}`,
			"Order: Thug, Officer Mori. They said: success {actor} [x]",
			"順番：Thug、Officer Mori。「success {actor} [x]」",
		},
		{"no such text", `name: "unheard_of"`, "event.unheard_of", "event.unheard_of"},
		{"nothing to say", `name: "order"`, "", ""},
		{"placed", `name: "placed" actor: "thug" facts {key: "square" squares {x: 1} squares {x: 3 y: 4 floor: -1}}`, "Thug is placed on the map at 3,4,-1.", "Thugをマップ上の3,4,-1に配置した。"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": tt.en, "ja-JP": tt.ja, "fr": tt.en} {
				ev := read(t, &tablev1.EventView{}, tt.event)
				Render(ev, lang, c, nameOf)
				if got := ev.GetText().GetText(); got != want {
					t.Errorf("%s: %q, want %q", lang, got, want)
				}
				if want != "" && ev.Text.Key != ev.Name {
					t.Errorf("key %q, want the event's name", ev.Text.Key)
				}
				if want == "" && ev.Text != nil {
					t.Errorf("a text without words")
				}
			}
		})
	}
}

func TestRenderPrompt(t *testing.T) {
	p := read(t, &tablev1.PromptView{}, `name: "defend" character: "thug" because_of: "officer" facts {key: "roll" number: 44}
		choices {id: "dodge" reason: "TOO_LATE"}
		choices {id: "parry.baton" possible: true inputs {name: "target" kind: INPUT_KIND_CHARACTER choices {value: "thug"} choices {value: "rat"}}
			inputs {name: "plus10" kind: INPUT_KIND_BOOL choices {value: "true"}} inputs {name: "n" kind: INPUT_KIND_NUMBER choices {value: "1"}}
			inputs {name: "take" kind: INPUT_KIND_CHOICE choices {value: "3.club"} choices {value: "3.rat"}}}`)
	RenderPrompt(p, "en", catalog(t), nameOf)
	same(t, p, read(t, &tablev1.PromptView{}, `name: "defend" character: "thug" because_of: "officer" facts {key: "roll" number: 44}
		text {key: "prompt.defend" text: "How does Thug meet the blow of Officer Mori, 44?"}
		choices {id: "dodge" text: "Dodge" reason: "TOO_LATE" reason_text: "Too late."}
		choices {id: "parry.baton" text: "Parry with baton" possible: true
			inputs {name: "target" text: "Target" kind: INPUT_KIND_CHARACTER choices {value: "thug" text: "Thug"} choices {value: "rat" text: "rat"}}
			inputs {name: "plus10" text: "plus10" kind: INPUT_KIND_BOOL choices {value: "true" text: "yes"}}
			inputs {name: "n" text: "n" kind: INPUT_KIND_NUMBER choices {value: "1" text: "1"}}
			inputs {name: "take" text: "take" kind: INPUT_KIND_CHOICE choices {value: "3.club" text: "3, Club"} choices {value: "3.rat" text: "3.rat"}}}`))
}

// A dice prompt says what the dice are for, and not how the rules number them.
func TestRenderDicePrompt(t *testing.T) {
	texts := fstest.MapFS{"en.yaml": {Data: []byte("prompt: {dice: 'roll {dice}[ ({purpose})]'}\nword: {initiative: 'who is first'}")}}
	c, err := locale.Load(texts)
	if err != nil {
		t.Fatal(err)
	}
	for facts, want := range map[string]string{
		`facts {key: "purpose" words: "initiative/officer/1"}`: "roll 1D6 (who is first)",
		`facts {key: "purpose" words: "initiative"}`:           "roll 1D6 (who is first)",
		``: "roll 1D6",
	} {
		p := read(t, &tablev1.PromptView{}, `name: "dice" dice: "1D6" `+facts)
		RenderPrompt(p, "en", c, nameOf)
		if p.Text.Text != want {
			t.Errorf("%s: %q", facts, p.Text.Text)
		}
	}
}

func TestOffer(t *testing.T) {
	o := read(t, &tablev1.Offer{}, `id: "o" actor: "officer" label: "action.attack" label: "baton" stat: "club" action {coc {attack {weapon: "baton"}}}
		inputs {name: "target" kind: INPUT_KIND_CHARACTER choices: "thug"} reason: "TOO_LATE"`)
	same(t, Offer(o, "ja", catalog(t), nameOf), read(t, &tablev1.OfferView{}, `id: "o" actor: "officer" action {coc {attack {weapon: "baton"}}}
		inputs {name: "target" text: "対象" kind: INPUT_KIND_CHARACTER choices {value: "thug" text: "Thug"}}
		text: "攻撃（警棒）" stat: "club" reason: "TOO_LATE" reason_text: "もう遅い。"`))
}
