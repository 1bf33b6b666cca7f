package persona_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// A Persona is called by its name wherever it is asked for and told of: that of a sample
// in the language of who reads, somebody's own as it was written (PER-EXP-02).
func TestPersonaNames(t *testing.T) {
	x := explore(t, newRules(t), 1, nil)
	texts := catalog(t, x.rules)
	wild, refusal := x.rules.FromSample("a")
	if refusal != nil {
		t.Fatal(refusal)
	}
	wild.Id, wild.Review = "e", tablev1.Review_REVIEW_APPROVED
	own := proto.CloneOf(wild.Details.GetPersona().Personas[1])
	own.Id, own.Name = "p.1", "夜の鴉" // no word of the rules
	wild.Details.GetPersona().Personas = append(wild.Details.GetPersona().Personas, own)
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"..."}}}, Features: []*personav1.Feature{{
			Id: 1, Square: &typev1.Square{Floor: 1},
			Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}},
		}},
	}
	for _, step := range []*deed{bring(wild), enter(d, "e")} {
		if err := x.do(step); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
	}
	gm := viewer(seated[0])
	names := map[string][]string{"en": {"Emberglass", "Reedwhistle", "夜の鴉"}, "ja": {"燠硝子", "葦笛", "夜の鴉"}}
	for lang, want := range names {
		p := view.Prompts(x.r.State(), gm, x.visibility())[0]
		view.RenderPrompt(p, lang, texts, nil)
		var got []string
		for _, c := range p.Choices {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %s %q can be chosen, not %q", lang, got, want)
		}
	}
	if err := x.do(answer(seated[0], "declare_persona", resolve.SlotAnswer{Character: "e", Choice: "p.1"})); err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, e := range x.r.Made() {
		v := view.Event(e, gm, x.visibility(), view.Handles{Event: "e"}, x.rules.PublicName)
		view.Render(v, "en", texts, nil)
		told[v.Name] = v.GetText().GetText()
	}
	for name, want := range map[string]string{
		"prompt_answered": "e has decided (Persona declaration): 夜の鴉.", "persona_summoned": "e summons 夜の鴉.",
	} {
		if told[name] != want {
			t.Errorf("%s is told as %q, not %q", name, told[name], want)
		}
	}
}
