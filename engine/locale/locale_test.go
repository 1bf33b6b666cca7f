package locale

import (
	"strings"
	"testing"
	"testing/fstest"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func TestRenderTemplate(t *testing.T) {
	known := func(name string) (string, bool) {
		switch name {
		case "a":
			return "A", true
		case "zero":
			return "0", true
		case "empty":
			return "", true
		case "braces":
			return "{a}[b]", true
		case "healed":
			return "3", true
		case "hurt":
			return "-3", true
		}
		return "", false
	}
	for text, want := range map[string]string{
		"":                     "",
		"plain":                "plain",
		"{a} and {zero}":       "A and 0",
		"{absent}":             "",
		"x[ {a}][ {absent}] y": "x A y",
		"x[ {a} {absent}]":     "x",
		"x[{empty}]":           "x",
		"x[ ({braces})]":       "x ({a}[b])",
		`\{a\} \[ \] \\ {a}`:   `{a} [ ] \ A`,
		`[\[{a}\]]`:            "[A]",
		"{a}、{a}":              "A、A",
		"{fact.a}{a}":          "A",
		// A number with its sign.
		"{+healed} {+hurt} {+zero}": "+3 -3 0",
		"{healed}[ {+a}{+absent}]":  "3",
		"[{+healed}{+a}{+absent}|]": "",
		// The first part that can stand.
		"[{a}|{zero}|none]":           "A",
		"[{absent}|{zero}|none]!":     "0!",
		"[{absent}{a}|{absent}|-]{a}": "-A",
		"[{absent}|{absent}]x":        "x",
		`a|b[\|{a}|c]`:                "a|b|A",
		"二人[が{absent}に]会った[（{zero}）]": "二人会った（0）",
	} {
		tm, err := parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := tm.render(known); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
		tm.render(nil)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{a":      "character 1: {",
		"{}":      "character 1: {",
		"{A}":     "character 1: {",
		"x {a b}": "character 3: {",
		"}":       "character 1: } without {",
		"]":       "character 1: ] without [",
		"漢[{a}":   "character 2: [ without ]",
		"[[{a}]]": "character 2: [ inside of [ ]",
		"[x]":     "character 1: [ ] without a placeholder",
		"x[]":     "character 2: [ ] without a placeholder",
		"[x|{a}]": "character 1: [ ] without a placeholder",
		"[{a}|":   "character 1: [ without ]",
		"[{a}|[":  "character 6: [ inside of [ ]",
		"{+}":     "character 1: {",
		"{++a}":   "character 1: {",
		"{a+}":    "character 1: {",
		"{+":      "character 1: {",
		`\x`:      `character 1: \ is followed`,
		`x\`:      `character 2: \ is followed`,
	} {
		_, err := parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func files(en, ja string) fstest.MapFS {
	return fstest.MapFS{"en.yaml": {Data: []byte(en)}, "ja.yaml": {Data: []byte(ja)}}
}

// All that is wrong is told at once.
func TestLoadErrors(t *testing.T) {
	_, err := Load(
		files("event: {a: x, b: x}\nlist: [1]", "event: {a: x, c: '{'}"),
		files("event.a: again", "{"),
		fstest.MapFS{},
	)
	if err == nil {
		t.Fatal("loaded")
	}
	for _, want := range []string{
		"en.yaml:2: list is neither",
		"ja.yaml:1: event.c: character 1",
		"en.yaml:1: event.a stands twice",
		"ja lacks event.b",
		"en lacks event.c",
		"ja.yaml: [1:1]",
		"no *.yaml",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s\n%v", want, err)
		}
	}
}

func TestLoadMerges(t *testing.T) {
	c, err := Load(files("word: {a: A}", "word: {a: あ}"), files("word.b: B\nstat: {b: Stat, c: C}", "word.b: び\nstat: {b: す, c: し}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Languages(), " ") + ": " + strings.Join(c.Keys(), " "); got != "en ja: stat.b stat.c word.a word.b" {
		t.Error(got)
	}
	for _, tt := range []struct{ lang, want string }{{"en", "A, B, C, x"}, {"ja", "あ、び、し、x"}, {"JA-jp", "あ、び、し、x"}, {"", "A, B, C, x"}, {"de", "A, B, C, x"}} {
		if got := c.Words([]string{"a", "b", "c", "x"}, tt.lang, nil); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.lang, got, tt.want)
		}
	}
	if got := c.Text("no.such", "ja", nil); got != "no.such" {
		t.Errorf("a key that is not there gives %q", got)
	}
}

func TestLabelAndChoice(t *testing.T) {
	c, err := Load(
		files("choice: {parry: 'Parry[ with {what}]', cover: Cover}\nword: {knife: Knife}\naction: {check: Check, aid: 'Aid[ on {what.1}][ (wound {what.2})]'}\nstat: {spot: Spot}",
			"choice: {parry: '[{what}で]受ける', cover: かばう}\nword: {knife: ナイフ}\naction: {check: 判定, aid: '手当[（{what.1}、{what.2}番）|（{what.1}）]'}\nstat: {spot: 目星}"))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][2]string{
		"parry":        {"Parry", "受ける"},
		"parry.knife":  {"Parry with Knife", "ナイフで受ける"},
		"cover.knife":  {"Cover (Knife)", "かばう（ナイフ）"},
		"cover":        {"Cover", "かばう"},
		"other.knife":  {"other, Knife", "other、ナイフ"},
		"unheard":      {"unheard", "unheard"},
		"parry.unlike": {"Parry with unlike", "unlikeで受ける"},
	} {
		if en, ja := c.Choice(id, "en", nil), c.Choice(id, "ja", nil); en != want[0] || ja != want[1] {
			t.Errorf("%s: %q, %q, want %q", id, en, ja, want)
		}
	}
	if got := c.Label([]string{"action.check", "spot"}, "ja", nil); got != "判定（目星）" {
		t.Error(got)
	}
	if got := c.Label([]string{"no.key", "spot"}, "en", nil); got != "no.key, Spot" {
		t.Error(got)
	}
	for _, tt := range []struct {
		about  []string
		en, ja string
	}{{nil, "Aid", "手当"}, {[]string{"knife"}, "Aid on Knife", "手当（ナイフ）"}, {[]string{"knife", "2"}, "Aid on Knife (wound 2)", "手当（ナイフ、2番）"}} {
		label := append([]string{"action.aid"}, tt.about...)
		if en, ja := c.Label(label, "en", nil), c.Label(label, "ja", nil); en != tt.en || ja != tt.ja {
			t.Errorf("%v: %q, %q", label, en, ja)
		}
	}
	if got := c.Label(nil, "en", nil); got != "" {
		t.Error(got)
	}
}

func core(t *testing.T) *Catalog {
	t.Helper()
	c, err := Load(Core())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestError(t *testing.T) {
	c := core(t)
	for _, tt := range []struct {
		reason, lang string
		params       map[string]string
		want         string
	}{
		{"NOT_FOUND", "en", nil, "Not found."},
		{"NOT_FOUND", "en", map[string]string{"field": "target", "nearest": ""}, "Not found (target)."},
		{"NOT_FOUND", "en", map[string]string{"field": "target", "value": "tug", "nearest": "thug"}, "There is no “tug” (target). Did you mean thug?"},
		{"NOT_FOUND", "ja", map[string]string{"value": "tug", "nearest": "thug"}, "「tug」は見つかりません。「thug」ではありませんか？"},
		{"INVALID_FIELD", "en", map[string]string{"field": "count", "detail": "0 to 20"}, "count: 0 to 20."},
		{"INVALID_FIELD", "ja", map[string]string{"field": "count", "detail": "0 to 20"}, "count の指定が正しくありません（0 to 20）。"},
		{"INVALID_FIELD", "en", map[string]string{"field": "options.key", "detail": `no option "krit"`, "nearest": "crit"}, `options.key: no option "krit". Did you mean crit?`},
		{"INVALID_FIELD", "en", map[string]string{"field": "count"}, "count: this is not filled in correctly."},
		{"INVALID_FIELD", "en", nil, "The request is not filled in correctly."},
		{"BAD_DICE", "en", map[string]string{"field": "given_dice", "detail": "damage takes 1D6, not 1D4=2"}, "The given dice cannot be used: damage takes 1D6, not 1D4=2."},
		{"BAD_DICE", "ja", map[string]string{"field": "given_dice", "detail": "damage takes 1D6, not 1D4=2"}, "指定された出目は使えません（damage takes 1D6, not 1D4=2）。"},
		{"TOO_LARGE", "en", map[string]string{"field": "answers", "detail": "at most 50"}, "That is too much (answers): at most 50."},
		{"TOO_LARGE", "ja", map[string]string{"detail": "a table has at most 50 seats"}, "大きすぎるか、多すぎます（a table has at most 50 seats）。"},
		{"TOO_LARGE", "en", nil, "The request is too large or makes too much work."},
		{"UNHEARD_OF", "ja", nil, "error.UNHEARD_OF"},
	} {
		if got := c.Error(tt.reason, tt.lang, tt.params); got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.reason, tt.lang, got, tt.want)
		}
	}
}

// Everything that the core declares has a text.
func TestCoreIsComplete(t *testing.T) {
	c := core(t)
	if got := strings.Join(c.Languages(), " "); got != "en ja" {
		t.Errorf("languages: %s", got)
	}
	need := func(e protoreflect.EnumDescriptor, prefix, key string, lower bool) {
		for i := 1; i < e.Values().Len(); i++ {
			name := strings.TrimPrefix(string(e.Values().Get(i).Name()), prefix)
			if lower {
				name = strings.ToLower(name)
			}
			if !c.Has(key + name) {
				t.Errorf("%s%s is missing", key, name)
			}
		}
	}
	need(tablev1.EventName(0).Descriptor(), "EVENT_NAME_", "event.", true)
	need(tablev1.Reason(0).Descriptor(), "REASON_", "error.", false)
	for _, key := range []string{"prompt.dice"} {
		if !c.Has(key) {
			t.Errorf("%s is missing", key)
		}
	}
}

// A text without any value left must still read well enough to be sent.
func TestCoreWithoutValues(t *testing.T) {
	c := core(t)
	for _, lang := range c.Languages() {
		for _, key := range c.Keys() {
			got := c.Text(key, lang, nil)
			if key != "event.step_taken" && key != "event.restored" && key != "event.character_created" && key != "event.dice_rolled" && strings.TrimSpace(got) == "" {
				t.Errorf("%s in %s is empty without values", key, lang)
			}
			if strings.Contains(got, "nil") || strings.ContainsAny(got, "{}[]") {
				t.Errorf("%s in %s: %q", key, lang, got)
			}
		}
	}
}
