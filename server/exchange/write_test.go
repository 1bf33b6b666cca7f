package exchange_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/server/exchange"
	"pgregory.net/rapid"
)

// example is a sheet as a ruleset writes it.
func example() *foreign.Sheet {
	return &foreign.Sheet{
		Name: `灰野 & "鴉" <x>`, Order: foreign.Of(13), Bot: "Cthulhu",
		Rows: []foreign.Row{
			{Group: "リソース", Label: "HP", Now: foreign.Of(-1), Max: foreign.Of(12)},
			{Group: "能力値", Label: "STR", Now: foreign.Of(13)},
			{Group: "能力値", Label: "DB", Now: foreign.Words("1D4")},
			{Group: "技能", Label: "目星", Now: foreign.Of(0), Roll: true},
		},
		Palette: []string{"CCB<=0 【目星】", "1D6+{DB} 【警棒】", "1D100<={HP} 【?】"},
	}
}

// TestWrite compares what is written with what each tool's users see.
func TestWrite(t *testing.T) {
	ccfolia := `{"kind":"character","data":{"name":"灰野 & \"鴉\" <x>","initiative":13,` +
		`"status":[{"label":"HP","value":-1,"max":12}],"params":[{"label":"STR","value":"13"},{"label":"DB","value":"1D4"}],` +
		`"commands":"CCB<=0 【目星】\n1D6+{DB} 【警棒】\n1D100<={HP} 【?】"}}`
	if got := exchange.Write(example(), exchange.Ccfolia); got.Content != ccfolia || got.Media != "application/json" || got.Ending != ".json" {
		t.Errorf("%+v", got)
	}
	udonarium := `<?xml version="1.0" encoding="UTF-8"?>
<character location.name="table" location.x="0" location.y="0">
  <data name="character">
    <data name="image">
      <data type="image" name="imageIdentifier"></data>
    </data>
    <data name="common">
      <data name="name">灰野 &amp; &#34;鴉&#34; &lt;x&gt;</data>
      <data name="size">1</data>
    </data>
    <data name="detail">
      <data name="リソース">
        <data type="numberResource" currentValue="-1" name="HP">12</data>
      </data>
      <data name="能力値">
        <data name="STR">13</data>
        <data name="DB">1D4</data>
      </data>
      <data name="技能">
        <data name="目星">0</data>
      </data>
    </data>
  </data>
  <chat-palette dicebot="Cthulhu">CCB&lt;=0 【目星】&#xA;1D6+{DB} 【警棒】&#xA;1D100&lt;={HP} 【?】</chat-palette>
</character>
`
	if got := exchange.Write(example(), exchange.Udonarium); got.Content != udonarium || got.Media != "application/xml" || got.Ending != ".xml" {
		t.Errorf("%s", cmp.Diff(udonarium, got.Content))
	}
}

// What is unknown is written as nothing, and never as 0.
func TestWriteUnknown(t *testing.T) {
	s := &foreign.Sheet{Name: "x", Rows: []foreign.Row{{Group: "g", Label: "HP", Now: foreign.Of(3)}, {Group: "g", Label: "MP"}}}
	for _, f := range []exchange.Format{exchange.Ccfolia, exchange.Udonarium} {
		got := exchange.Write(s, f).Content
		if strings.Contains(got, "initiative") || strings.Contains(got, "max") || strings.Contains(got, "numberResource") || strings.Contains(got, ">0<") || strings.Contains(got, `"value":"0"`) {
			t.Errorf("%s", got)
		}
	}
}

// TestThereAndBack: what is written is read as it was, whatever signs are in it.
func TestThereAndBack(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune(`aZ9 <>&"'\{}[]/=:%《》【】目星ｱ　é🙂`)), 1, 12, -1)
	number := rapid.Custom(func(t *rapid.T) foreign.Number {
		if rapid.Bool().Draw(t, "known") {
			return foreign.Of(rapid.Int32Range(-999, 99999).Draw(t, "value"))
		}
		return foreign.Words(rapid.SampledFrom([]string{"", "?", "1D4"}).Draw(t, "words"))
	})
	rapid.Check(t, func(t *rapid.T) {
		s := &foreign.Sheet{
			Name: strings.TrimSpace(word.Draw(t, "name")),
			Rows: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) foreign.Row {
				r := foreign.Row{Group: "g", Label: word.Draw(t, "label"), Now: number.Draw(t, "now")}
				if r.Now.Known && rapid.Bool().Draw(t, "bar") {
					r.Max = foreign.Of(rapid.Int32Range(0, 999).Draw(t, "max"))
				}
				return r
			}), 0, 8).Draw(t, "rows"),
		}
		for _, f := range []exchange.Format{exchange.Ccfolia, exchange.Udonarium} {
			file := exchange.Write(s, f).Content
			back, found, err := exchange.Read([]byte(file), 0)
			if err != nil || found != f || back.Name != s.Name {
				t.Fatalf("%d: %v, %v in %s", found, err, back, file)
			}
			got := map[foreign.Row]int{}
			for _, r := range back.Rows {
				r.Group = "g"
				got[r]++
			}
			for _, r := range s.Rows {
				if got[r]--; got[r] < 0 {
					t.Fatalf("no %+v in %s", r, file)
				}
			}
			if len(back.Rows) != len(s.Rows) {
				t.Fatalf("%d rows for %d in %s", len(back.Rows), len(s.Rows), file)
			}
		}
	})
}

// What a tool with another XML reader is given is XML too, whatever a name has in it.
func TestWriteXML(t *testing.T) {
	s := example()
	s.Name, s.Palette = "a\x00\x1b\ufffe]]>", []string{"<![CDATA["}
	file := exchange.Write(s, exchange.Udonarium).Content
	if err := xml.Unmarshal([]byte(file), new(struct{})); err != nil {
		t.Errorf("%v: %s", err, file)
	}
}
