package persona_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// gmActs is an action of the GM for the table.
func gmActs(m proto.Message) *deed { return act(seated[0], "", rule.Wrap[*tablev1.Action](m)) }

// The GM is told when Treasure Search is asked for again in a scene, whatever he answered
// before (PER-MAC-04).
func TestTreasureSearchAgain(t *testing.T) {
	x := explore(t, newRules(t), 1, nil)
	sheet, refusal := x.rules.FromSample("scout")
	if refusal != nil {
		t.Fatal(refusal)
	}
	search := act(seated[0], "scout", rule.Wrap[*tablev1.Action](&personav1.TreasureSearchScene{}))
	no := answer(seated[0], "permit_treasure_search", resolve.SlotAnswer{Choice: "no"})
	for _, step := range []struct {
		deed  *deed
		again bool
	}{
		{bring(sheet), false}, {gmActs(&personav1.StartSession{Level: 20}), false},
		{search, false}, {no, false},
		{search, true}, {no, false},
		{gmActs(&personav1.NextScene{}), false},
		{search, false}, {no, false},
		{gmActs(&personav1.EndSession{}), false}, {gmActs(&personav1.StartSession{Level: 20}), false},
		{search, false}, {no, false},
	} {
		if err := x.do(step.deed); err != nil {
			t.Fatalf("%s: %v", step.deed.what, err)
		}
		w := waiting(x.r.State())
		if again := w != nil && slices.ContainsFunc(w.Facts, func(f *typev1.Fact) bool { return f.Key == "repeat" }); again != step.again {
			t.Errorf("after %s: asked again is %v", step.deed.what, again)
		}
	}
}

// Goods are offered where they can be had, with words in both languages: what can be
// bought is what is sold, fits and can be paid.
func TestGoodsOffers(t *testing.T) {
	x := explore(t, newRules(t), 1, nil)
	texts := catalog(t, x.rules)
	find := func(lang, text string) *tablev1.Offer {
		for _, s := range []rule.Seat{seated[1], seated[0]} {
			for _, o := range x.offers(s) {
				if (o.Actor == "a" || o.Actor == "") && view.Offer(o, lang, texts, nil).Text == text {
					return o
				}
			}
		}
		return nil
	}
	trade := func(m proto.Message) *deed { return act(seated[1], "a", rule.Wrap[*tablev1.Action](m)) }
	for _, step := range []struct {
		deed   *deed
		en, ja string
		reason string   // why it is not possible
		choose []string // what its first input takes
		absent string
	}{
		{deed: gmActs(&personav1.StartSession{Level: 20}), en: "Buy", ja: "買う", reason: "NO_SHOP", absent: "Close the place"},
		{deed: gmActs(&personav1.OpenShop{}), en: "Buy", ja: "買う", reason: "INSUFFICIENT_MACCA"},
		{deed: gmActs(&personav1.GrantInitialMacca{Character: "b"}), en: "Grant the initial macca of Aoi", ja: "初期マッカを渡す（葵）", absent: "Grant the initial macca of Bunta"},
		{
			deed: gmActs(&personav1.AdjustMacca{Character: "a", Delta: 150}), en: "Buy", ja: "買う",
			choose: []string{"herb", "smelling_salts", "lamp_oil", "bead_small", "mana_drop", "antidote_charm", "iron_bat", "padded_vest"},
		},
		{deed: trade(&personav1.Buy{Item: "padded_vest"}), en: "Equip Padded Vest", ja: "装備する（綿入りベスト）"},
		{deed: trade(&personav1.Equip{Item: "padded_vest"}), en: "Sell Padded Vest", ja: "売る（綿入りベスト）", reason: "ITEM_EQUIPPED", absent: "Equip Padded Vest"},
		{deed: gmActs(&personav1.OpenShop{Stock: []string{"silver_knife"}}), en: "Buy", ja: "買う", reason: "INSUFFICIENT_MACCA"},
		{deed: gmActs(&personav1.OpenFacility{}), en: "Recover at the facility: Hit Points", ja: "回復施設を使う（HP）", reason: "OVER_MAXIMUM"},
		{deed: gmActs(&personav1.ClosePlace{}), en: "Exchange macca", ja: "マッカを両替する", reason: "NO_EXCHANGE", absent: "Recover at the facility"},
	} {
		if err := x.do(step.deed); err != nil {
			t.Fatalf("%s: %v", step.deed.what, err)
		}
		if step.absent != "" && find("en", step.absent) != nil {
			t.Errorf("after %s: %s is offered", step.deed.what, step.absent)
		}
		o := find("en", step.en)
		if o == nil || find("ja", step.ja) == nil {
			t.Errorf("after %s: no offer %s, %s", step.deed.what, step.en, step.ja)
			continue
		}
		if o.Reason != step.reason || o.Possible != (step.reason == "") {
			t.Errorf("after %s: %s is possible %v, %s", step.deed.what, step.en, o.Possible, o.Reason)
		}
		if step.choose != nil && !slices.Equal(o.Inputs[0].Choices, step.choose) {
			t.Errorf("after %s: %s takes %q", step.deed.what, step.en, o.Inputs[0].Choices)
		}
	}
}

// A facility that restores all that is missing asks for no amounts; what it offers is
// accepted as it stands (PER-MAC-11).
func TestFacilityOffers(t *testing.T) {
	for partial, inputs := range map[string]int{"true": 1, "false": 0} {
		x := explore(t, newRules(t), 1, []*tablev1.Option{{Key: "facility_partial", Value: partial}})
		for _, d := range []*deed{
			gmActs(&personav1.OpenFacility{}), gmActs(&personav1.AdjustMacca{Character: "a", Delta: 500}),
			gmActs(&tablev1.Override{Character: "a", Operation: &tablev1.Operation{Operation: &tablev1.Operation_Resource{
				Resource: &tablev1.ResourceInput{Key: "hp", Value: proto.Int32(50)},
			}}}),
		} {
			if err := x.do(d); err != nil {
				t.Fatalf("%s: %v", d.what, err)
			}
		}
		offers := x.offers(seated[1])
		i := slices.IndexFunc(offers, func(o *tablev1.Offer) bool {
			return o.Actor == "a" && o.Action.GetPersona().GetRecoverAtFacility() != nil
		})
		if i < 0 || !offers[i].Possible || len(offers[i].Inputs) != inputs {
			t.Fatalf("with facility_partial %s: %v", partial, offers)
		}
		var values []*tablev1.Value
		if inputs > 0 {
			values = []*tablev1.Value{{Name: "hp", Values: []string{"10"}}}
		}
		a, refusal := resolve.Take(offers[i], values)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if err := x.do(act(seated[1], "a", a)); err != nil {
			t.Errorf("with facility_partial %s: %v", partial, err)
		}
	}
}

// Who may not see what others carry hears of no trade, and what the GM lays hidden is
// told to nobody.
func TestWhoSeesGoods(t *testing.T) {
	const play = `
id: EX-PER-MAC-00-1
rule: [PER-MAC-06]
ruleset: persona
options: {party_sheets: hidden}
given:
  characters: [{sample: a, patch: {resources: {macca: 500}}}, {sample: b}]
  encounter: {order: [a, b], round: 1, step: active, turn: a}
  dungeon: {floors: [{rows: ["...", "..."]}]}
  table: {details: {conditions: {level: 20, moon: full, weather: rain}}}
  positions: {a: "0,1,1", b: "0,0,1"}
play:
  - {by: gm, act: {persona: {open_shop: {}}}}
  - {by: a, act: {persona: {buy: {item: iron_bat}}}}
  - {by: a, act: {persona: {equip: {item: iron_bat}}}}
  - {by: gm, act: {persona: {gm_adjust_macca: {character: a, delta: 5, reason: "a secret"}}}}
  - {by: gm, act: {persona: {gm_set: {character: a, item: {item: herb, count: 2}}}}}
  - {by: gm, act: {persona: {gm_place_item: {square: "2,1,1", auto: true, visibility: hidden}}}, dice: ["1D5=1"]}
  - {by: gm, act: {persona: {gm_set: {terrain: {square: "2,0,1"}}}}}
`
	f, err := scenario.Parse("goods.yaml", []byte(play))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	r := scenario.Run(f, maker, scenario.Options{Tell: func(told *scenario.Told) {
		for _, e := range told.Moment.Events {
			for _, seat := range []string{"a", "b"} {
				if v := view.Event(e, view.Viewer{Seat: seat}, told.Visibility, view.Handles{Event: "e"}, told.Rules.PublicName); v != nil {
					got[seat] = append(got[seat], v.Name)
					if slices.Contains(keys(v), "notes") {
						t.Errorf("%s sees why the GM did it", seat)
					}
				}
			}
		}
	}})
	for _, failure := range r.Failures() {
		t.Fatal(failure)
	}
	want := map[string][]string{
		"a": {"shop_opened", "macca_changed", "item_gained", "hand_spent", "item_equipped", "hand_ended", "gm_override", "gm_override"},
		"b": {"shop_opened", "hand_spent", "hand_ended"},
	}
	for seat, names := range want {
		if !slices.Equal(got[seat], names) {
			t.Errorf("%s is told of %q, want %q", seat, got[seat], names)
		}
	}
}
