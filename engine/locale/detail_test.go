package locale

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/hantei/hantei/engine/rule"
)

// Details are said in either language: words as people call them, and what could have
// been sent with the word itself.
func TestDetail(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	own := fstest.MapFS{
		"ja.yaml": file("wrong: {own: '{word}は{names}[：{why}]'}\nstat: {spot: 目星}\nchoice: {parry: 受け流し, dodge: 回避}\ninput: {points: ポイント}"),
		"en.yaml": file("wrong: {own: '{word} is {names}[: {why}]'}\nstat: {spot: Spot}\nchoice: {parry: parry, dodge: dodge}\ninput: {points: Points}"),
	}
	c, err := Load(Core(), own)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		detail rule.Detail
		ja, en string
	}{
		{rule.Detail{}, "", ""},
		{rule.Say("unheard_of"), "wrong.unheard_of", "wrong.unheard_of"},
		{rule.Say("required"), "必ず指定してください", "must be filled in"},
		{rule.Say("int32.gte_lte", rule.Number("gte", 1), rule.Number("lte", -3)), "1～-3にしてください", "must be 1 to -3"},
		{
			rule.Say("own", rule.WordOf("word", "spot"), rule.Names("names", "dodge", "points", "nope")),
			"目星は回避（dodge）、ポイント（points）、「nope」", "Spot is dodge, Points (points), “nope”",
		},
		{
			rule.Say("own", rule.WordOf("word", "nope"), rule.Names("names", "parry.spot"), rule.Because("why", rule.Say("dice_sum", rule.Number("sum", 5), rule.Number("total", 6)))),
			"「nope」は受け流し（目星）（parry.spot）：出目の合計が違います（6のところ5）",
			"“nope” is parry (Spot) (parry.spot): the faces add up to another total (5, not 6)",
		},
		{rule.Say("no_option", rule.Sent("sent", "a\nb\"")), "「a\\nb\"」というオプションはありません", "there is no option “a\\nb\"”"},
		{rule.Say("no_option", rule.Sent("sent", "")), "そのオプションはありません", "there is no such option"},
	} {
		if ja, en := c.Detail(tt.detail, "ja"), c.Detail(tt.detail, "en"); ja != tt.ja || en != tt.en {
			t.Errorf("%v: %q, %q", tt.detail, ja, en)
		}
	}
}

// What may have been meant is called as people call it, with what can be sent.
func TestNearest(t *testing.T) {
	c := core(t)
	for _, tt := range []struct {
		refusal rule.Refusal
		ja, en  string
	}{
		{rule.Refusal{}, "", ""},
		{rule.Refusal{Nearest: "nope"}, "nope", "nope"},
		{rule.Refusal{Nearest: "square"}, "マス（square）", "Square (square)"},
		{rule.Refusal{Nearest: "nurse", Called: "恵理"}, "恵理（nurse）", "恵理 (nurse)"},
	} {
		if ja, en := c.Nearest(&tt.refusal, "ja"), c.Nearest(&tt.refusal, "en"); ja != tt.ja || en != tt.en {
			t.Errorf("%v: %q, %q", tt.refusal, ja, en)
		}
	}
}

func TestAsks(t *testing.T) {
	all, needed := core(t).Asks("event.moved", "en")
	if all != nil || needed != nil {
		t.Errorf("of no text: %v, %v", all, needed)
	}
	all, needed = core(t).Asks("import.taken", "en")
	if !slices.Equal(all, []string{"label", "speciality", "value", "what", "written"}) || !slices.Equal(needed, []string{"label", "what"}) {
		t.Errorf("%v, %v", all, needed)
	}
}
