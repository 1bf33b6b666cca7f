package foreign_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/foreign"
)

// What is no number is unknown, and never 0.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		written string
		value   int32
		known   bool
	}{
		{"75", 75, true}, {" 75 ", 75, true}, {"７５", 75, true}, {"+5", 5, true}, {"-3", -3, true}, {"－３", -3, true}, {"−3", -3, true}, {"0", 0, true},
		{"", 0, false}, {"　", 0, false}, {"-", 0, false}, {"?", 0, false}, {"1D4", 0, false}, {"12.0", 0, false}, {"1e3", 0, false}, {"0x10", 0, false},
		{"1_000", 0, false}, {"9999999999", 0, false}, {"00000000001", 0, false}, {"七", 0, false}, {"75%", 0, false}, {"5 5", 0, false},
	} {
		n := foreign.Parse(c.written)
		if n.Known != c.known || n.Value != c.value {
			t.Errorf("%q: %+v", c.written, n)
		}
	}
	if n := foreign.Of(-7); n.String() != "-7" || !n.Known {
		t.Errorf("%+v", n)
	}
}

func TestReadings(t *testing.T) {
	for label, want := range map[string][]foreign.Reading{
		"《目星》":               {{Name: "目星"}},
		"●【 ＨＰ 】":            {{Name: "hp"}},
		"ｺﾝﾋﾟｭｰﾀｰ":           {{Name: "コンピューター"}},
		"母国語（日本語）":           {{Name: "母国語(日本語)"}, {"母国語", "日本語"}},
		"〈芸術：絵画〉":            {{Name: "芸術:絵画"}, {"芸術", "絵画"}},
		"《芸術（　　）》":           {{Name: "芸術()"}, {"芸術", ""}},
		"芸術（絵画（油彩））":         {{Name: "芸術(絵画(油彩))"}, {"芸術", "絵画(油彩)"}},
		"製作【刀】":              {{Name: "製作【刀"}, {"製作", "刀"}},
		"Spot Hidden":        {{Name: "spothidden"}, {"spot", "Hidden"}},
		"Pilot (Small Boat)": {{Name: "pilot(smallboat)"}, {"pilot", "Small Boat"}, {"pilot", "Small Boat"}},
		"回避(強)+10":           {{Name: "回避(強)+10"}},
		"芸術（10+1）":           {{Name: "芸術(10+1)"}, {"芸術", "10+1"}},
		"STR×5":              {{Name: "str×5"}},
		"STR ＊ 5":            {{Name: "str*5"}},
		"回避+10":              {{Name: "回避+10"}},
		"（名無し）":              {{Name: "(名無し)"}},
		"":                   {{}},
		"【】":                 {{}},
		"操縦/ヘリ":              {{Name: "操縦/ヘリ"}, {"操縦", "ヘリ"}},
		"拳銃(.45)":            {{Name: "拳銃(.45)"}, {"拳銃", ".45"}},
		"運転（自動車）　":           {{Name: "運転(自動車)"}, {"運転", "自動車"}},
		"Operate Heavy Mach": {{Name: "operateheavymach"}, {"operate", "Heavy Mach"}},
	} {
		if got := foreign.Readings(label); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}
