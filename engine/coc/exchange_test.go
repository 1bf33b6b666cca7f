package coc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"buf.build/go/protovalidate"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// made are the rules and their words.
func made(t testing.TB) (*rule.Ruleset, *locale.Catalog) {
	t.Helper()
	r, err := New(DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	texts, err := locale.Load(locale.Core(), r.Locale)
	if err != nil {
		t.Fatal(err)
	}
	return r, texts
}

// readIn reads another tool's sheet with the words of the locale.
func readIn(t testing.TB, s *foreign.Sheet) (*tablev1.Character, []foreign.Line) {
	t.Helper()
	r, texts := made(t)
	in, lines := r.Foreign.Read(s, texts.Texts)
	ch, refusal := r.FromSheet(in)
	if refusal != nil {
		t.Fatalf("what was read is refused: %v (%v)", refusal, in)
	}
	return ch, lines
}

func row(label, now string) foreign.Row {
	return foreign.Row{Label: label, Now: foreign.Parse(now)}
}

func bar(label, now, top string) foreign.Row {
	return foreign.Row{Label: label, Now: foreign.Parse(now), Max: foreign.Parse(top)}
}

func onRoll(label, now string) foreign.Row {
	r := row(label, now)
	r.Roll = true
	return r
}

// Every label is understood as what it means, or stands in the profile.
func TestForeignLabels(t *testing.T) {
	for label, key := range map[string]string{
		"目星": "spot", "《目星》": "spot", "【 目　星 】": "spot", "Spot Hidden": "spot", "ｓｐｏｔ　ｈｉｄｄｅｎ": "spot",
		"こぶし": "fist", "こぶし（パンチ）": "fist", "Fist (Punch)": "fist", "組みつき": "grapple",
		"母国語（日本語）": "own_language", "母国語:英語": "own_language", "芸術〈絵画〉": "art", "芸術(絵画)": "art", "運転（自動車）": "drive",
		"ｺﾝﾋﾟｭｰﾀ": "computer", "登はん": "climb", "信用": "credit", "クトゥルフ神話": "cthulhu_mythos", "アイディア": "idea", "幸運": "luck",
		"ＳＴＲ": "str", "str": "str", "EDU": "edu", "装甲": "armour",
		"STR×5": "profile", "回避+10": "profile", "SAN減少": "profile", "": "", "【】": "", "カバディ": "profile", "目": "profile",
	} {
		_, lines := readIn(t, &foreign.Sheet{Rows: []foreign.Row{row(label, "33")}})
		if l := lines[0]; l.Key != key || l.Label != label {
			t.Errorf("%q: %+v, want %q", label, l, key)
		}
	}
}

// No label of the table means two things, and all of its keys are there.
func TestLabelsFile(t *testing.T) {
	r, texts := made(t)
	g := &game{layout: r.Sheet}
	g.pack, _ = load(DefaultPack())
	all := g.labels(texts.Texts)
	for _, row := range labelRows {
		switch {
		case (row.Key == "") == (row.Weapon == ""):
			t.Errorf("neither or both: %+v", row)
		case row.Key != "" && !slices.Contains(g.valueKeys(), row.Key), row.Weapon != "" && g.pack.weapon(row.Weapon) == nil:
			t.Errorf("no such thing: %+v", row)
		}
		for _, l := range row.Labels {
			value, _ := find(all.values, l)
			weapon, _ := find(all.weapons, l)
			if row.Key != "" && value != row.Key || row.Weapon != "" && weapon != row.Weapon {
				t.Errorf("%q means something else too", l)
			}
		}
	}
	for _, k := range g.valueKeys() {
		for _, word := range texts.Texts("stat." + k) {
			if got, _ := find(all.values, word); got != k {
				t.Errorf("the word %q of %s means %q", word, k, got)
			}
		}
	}
}

// What is unknown is left to the rules and told, not 0; what is too much is cut and
// told; what stands twice counts once.
func TestForeignReport(t *testing.T) {
	ch, lines := readIn(t, &foreign.Sheet{
		Rows: []foreign.Row{
			row("STR", "13"), row("CON", "?"), row("POW", ""), row("DEX", "12"), row("SIZ", "14"), row("INT", "10"), row("EDU", "14"),
			bar("HP", "9", "15"), bar("MP", "", "12"), bar("SAN", "120", "80"), row("DB", "1D6"),
			row("目星", "1200"), row("聞き耳", "-5"), row("回避", "50"), row("回避", "60"), row("図書館", "x"), row("潮読み", "40"), row("警棒", "1D6+db"),
			onRoll("目星", "70"), onRoll("回避", "50"), onRoll("STR", "65"), onRoll("SANチェック", "60"), onRoll("医学", "70"),
			onRoll("【正気度ロール】", "60"), onRoll("CON × 5", "55"), onRoll("幸運ロール", "65"), onRoll("知識×2", "99"), onRoll("ロール", "1"),
		},
		Weapons: []foreign.Weapon{{Name: "【ナイフ】", Damage: "1D4+2+DB"}, {Name: "こぶしダメージ", Damage: "1D3+{DB}", Roll: true}, {Name: "銃剣", Damage: "1D8"}, {Name: "成長", Damage: "1D100", Roll: true}},
		Texts:   []foreign.Text{{Label: "メモ", Text: "灯台", Notes: true}},
		Palette: []string{"CCB<={SAN}"},
	})
	var got strings.Builder
	for _, l := range lines {
		got.WriteString(strings.TrimRight(strings.Join([]string{l.Label, l.Written, l.Outcome.String(), l.Key, l.Value}, " | "), " |") + "\n")
	}
	want := `STR | 13 | taken | str | 13
CON | ? | not_a_number | con | 10
POW |  | not_a_number | pow | 10
DEX | 12 | taken | dex | 12
SIZ | 14 | taken | siz | 14
INT | 10 | taken | int | 10
EDU | 14 | taken | edu | 14
目星 | 1200 | clamped | spot | 999
聞き耳 | -5 | clamped | listen | 0
回避 | 50 | taken | dodge | 50
回避 | 60 | doubled | dodge | 50
図書館 | x | not_a_number | library | 25
潮読み | 40 | noted | profile
警棒 | 1D6+db | taken | baton | 1D6+DB
目星 | 70 | doubled | spot | 999
回避 | 50 | taken | dodge | 50
STR | 65 | left_out | str
SANチェック | 60 | left_out | san
医学 | 70 | taken | medicine | 70
【正気度ロール】 | 60 | left_out | san
CON × 5 | 55 | left_out | con
幸運ロール | 65 | taken | luck | 65
知識×2 | 99 | not_understood
ロール | 1 | not_understood
【ナイフ】 | 1D4+2+DB | by_rules | knife | 1D4+DB
こぶしダメージ | 1D3+{DB} | taken | fist | 1D3+DB
銃剣 | 1D8 | noted | profile
成長 | 1D100 | left_out
メモ | 灯台 | noted | notes
CCB<={SAN} |  | left_out
 |  | absent | app | 10
DB | 1D6 | by_rules | db | +1D4
HP | 9/15 | taken | hp | 9/15
MP | /12 | not_a_number | mp | 12/12
SAN | 120/80 | clamped | san | 99/99
`
	if d := gocmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
	for key, want := range map[string]int32{"str": 13, "con": 10, "spot": 999, "listen": 0, "dodge": 50, "library": 25, "medicine": 70, "idea": 50} {
		if table.Stat(ch, key).GetValue() != want {
			t.Errorf("%s: %v, want %d", key, table.Stat(ch, key), want)
		}
	}
	var gear []string
	for _, w := range ch.Details.GetCoc().Weapons {
		gear = append(gear, w.Id)
	}
	if !slices.Equal(gear, []string{"baton", "fist", "headbutt", "kick", "knife"}) {
		t.Errorf("weapons %v", gear)
	}
}

// Whatever a tool writes, what is made of it is a sheet that the rules and the
// contract take, and every named thing stands in the report once.
func TestForeignIsTaken(t *testing.T) {
	r, texts := made(t)
	var words []string
	for _, s := range r.Sheet.Stats {
		words = append(words, texts.Texts("stat."+s.Key)...)
	}
	for _, of := range []string{"芸術（ピアノ）", "芸術（絵画）", "芸術：刺繍", "芸術（）", "芸術(能)", "ほかの言語（英語）", "ほかの言語【ラテン語】", "母国語（日本語）", "運転（自動車）", "製作（" + strings.Repeat("刀", 60) + "）", "拳銃(.45)", "回避（\u202e）"} {
		words = append(words, of, of, "【"+of+"】")
	}
	words = append(words, "SAN", "HP", "MP", "DB", "何か", "", "【】", "目星×2", "SANチェック", "ダメージ判定：こぶし", "ナイフ（毒）", strings.Repeat("長", 90), "メモ", "年齢")
	number := rapid.Custom(func(t *rapid.T) foreign.Number {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return foreign.Of(rapid.Int32().Draw(t, "any"))
		case 1:
			return foreign.Words(rapid.SampledFrom([]string{"", "?", "1D6", "30*2", "a\nb\x00", strings.Repeat("x", 500)}).Draw(t, "words"))
		}
		return foreign.Of(rapid.Int32Range(-10, 110).Draw(t, "usual"))
	})
	label := rapid.SampledFrom(words)
	rapid.Check(t, func(t *rapid.T) {
		s := &foreign.Sheet{
			Rows: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) foreign.Row {
				return foreign.Row{Label: label.Draw(t, "label"), Now: number.Draw(t, "now"), Max: number.Draw(t, "max"), Roll: rapid.Bool().Draw(t, "roll")}
			}), 0, 30).Draw(t, "rows"),
			Weapons: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) foreign.Weapon {
				return foreign.Weapon{Name: label.Draw(t, "name"), Damage: "1D6", Roll: rapid.Bool().Draw(t, "roll")}
			}), 0, 5).Draw(t, "weapons"),
			Texts: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) foreign.Text {
				text := strings.Repeat(rapid.SampledFrom([]string{"灯台", "a\nb\u2028", "\u202e\r\n"}).Draw(t, "text"), rapid.SampledFrom([]int{1, 300, 12000}).Draw(t, "times"))
				return foreign.Text{Label: label.Draw(t, "label"), Text: text, Notes: rapid.Bool().Draw(t, "notes")}
			}), 0, 5).Draw(t, "texts"),
			Palette: rapid.SliceOfN(rapid.SampledFrom([]string{":HP-1", "CCB<={SAN}"}), 0, 3).Draw(t, "palette"),
		}
		in, lines := r.Foreign.Read(s, texts.Texts)
		if _, refusal := r.FromSheet(in); refusal != nil {
			t.Fatalf("%v of %v", refusal, in)
		}
		if err := protovalidate.Validate(in); err != nil {
			t.Fatalf("%v of %v", err, in)
		}
		if refusal := cmp.Or(profile.Check(in.Profile, in.Notes), profile.CheckSpecialities(in.Stats)); refusal != nil {
			t.Fatalf("%v of %v", refusal, in)
		}
		var named, told []string
		for _, row := range s.Rows {
			named = append(named, row.Label)
		}
		for _, w := range s.Weapons {
			named = append(named, w.Name)
		}
		for _, text := range s.Texts {
			named = append(named, text.Label)
		}
		named = append(named, s.Palette...)
		for _, l := range lines {
			if l.Outcome != foreign.Absent {
				told = append(told, l.Label)
			}
			// What is kept in words is on the sheet.
			kept := map[string]string{profile.InNotes: in.Notes}[l.Key]
			for _, e := range in.Profile {
				if l.Key == profile.InProfile && slices.Contains([]string{l.Label, foreign.Bare(l.Label)}, strings.ReplaceAll(e.Label, "（ ）", "（\u202e）")) {
					kept = e.Label + e.Text
				}
			}
			if l.Outcome == foreign.Noted && kept == "" {
				t.Fatalf("%+v is in neither %v nor %q", l, in.Profile, in.Notes)
			}
		}
		slices.Sort(named)
		slices.Sort(told)
		if d := gocmp.Diff(named, told); d != "" {
			t.Fatalf("what is told: %s", d)
		}
	})
}

// Each speciality stands beside its skill, as long as there are further ones of it;
// what is more is kept in words. What the palette repeats is the same.
func TestForeignSpecialities(t *testing.T) {
	ch, lines := readIn(t, &foreign.Sheet{Rows: []foreign.Row{
		row("芸術（ピアノ）", "60"), row("芸術(絵画)", "30"), row("芸術（　）", "5"), row("芸術：刺繍", "40"), row("芸術（ピアノ）", "50"),
		row("ほかの言語（英語）", "41"), row("ほかの言語（ラテン語）", "41"), row("母国語", "80"), row("回避（強）", "50"), row("回避", "40"),
		row("運転2（船）", "30"), row("運転2", "31"), row("操縦（ヘリ）", "?"), row("製作（料理）", "1200"),
		onRoll("【芸術（ピアノ）】", "60"), onRoll("芸術", "30"), onRoll("【母国語（日本語）】ロール", "80"), onRoll("目星 判定", "70"), onRoll("【聞き耳】", "30*2"), onRoll("人魚語", "80"), onRoll(":目星", "{目星}"), onRoll("芸術(絵画)", "{芸術(絵画)}"),
	}})
	var got strings.Builder
	for _, l := range lines {
		if l.Outcome != foreign.Absent {
			got.WriteString(strings.TrimRight(strings.Join([]string{l.Label, l.Written, l.Outcome.String(), l.Key, l.Value, l.Speciality}, " | "), " |") + "\n")
		}
	}
	want := `芸術（ピアノ） | 60 | taken | art | 60 | ピアノ
芸術(絵画) | 30 | taken | art_2 | 30 | 絵画
芸術（　） | 5 | taken | art_3 | 5
芸術：刺繍 | 40 | noted | profile
芸術（ピアノ） | 50 | doubled | art | 60
ほかの言語（英語） | 41 | taken | other_language | 41 | 英語
ほかの言語（ラテン語） | 41 | taken | other_language_2 | 41 | ラテン語
母国語 | 80 | taken | own_language | 80
回避（強） | 50 | taken | dodge | 50 | 強
回避 | 40 | doubled | dodge | 50
運転2（船） | 30 | taken | drive_2 | 30 | 船
運転2 | 31 | doubled | drive_2 | 30
操縦（ヘリ） | ? | noted | profile
製作（料理） | 1200 | clamped | craft | 999 | 料理
【芸術（ピアノ）】 | 60 | taken | art | 60 | ピアノ
芸術 | 30 | taken | art_2 | 30 | 絵画
【母国語（日本語）】ロール | 80 | taken | own_language | 80 | 日本語
目星 判定 | 70 | taken | spot | 70
人魚語 | 80 | noted | profile
【聞き耳】 | 30*2 | not_a_number | listen | 25
:目星 | {目星} | taken | spot | 70
芸術(絵画) | {芸術(絵画)} | taken | art_2 | 30 | 絵画
`
	if d := gocmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
	for key, of := range map[string]string{"art": "ピアノ", "art_2": "絵画", "art_3": "", "other_language_2": "ラテン語", "own_language": "日本語", "spot": ""} {
		if s := table.Stat(ch, key); s == nil || s.Speciality != of {
			t.Errorf("%s: %v, want %q", key, s, of)
		}
	}
	if table.Stat(ch, "craft_2") != nil {
		t.Error("a further skill that nobody has learned")
	}
}

// Of what a seat does not see, nothing is written.
func TestForeignHides(t *testing.T) {
	r, texts := made(t)
	in := &tablev1.SheetInput{Gear: []string{"baton"}}
	for i, s := range r.Sheet.Stats {
		if !s.Resource {
			in.Stats = append(in.Stats, &tablev1.StatInput{Key: s.Key, Value: int32(700 + i)})
		}
	}
	ch, refusal := r.FromSheet(in)
	if refusal != nil {
		t.Fatal(refusal)
	}
	ch.Id, ch.Name, ch.Kind = "brute", "Brute", tablev1.CharacterKind_CHARACTER_KIND_NPC
	state := &tablev1.State{Characters: []*tablev1.Character{ch}}
	vis := view.Stamp(r.Options.InForce(nil), state, nil)
	write := func(v view.Viewer) *foreign.Sheet {
		return r.Foreign.Write(view.Character(proto.Clone(ch).(*tablev1.Character), v, vis), func(key string) string {
			if !texts.Has(key) {
				return ""
			}
			return texts.Text(key, "en", nil)
		})
	}
	if s := write(view.Viewer{Seat: "p"}); len(s.Rows) > 0 || s.Order.Known || len(s.Palette) > 0 || s.Name != "Brute" {
		t.Errorf("a player is told %+v", s)
	}
	gm := write(view.Viewer{Seat: "gm", GM: true})
	if len(gm.Rows) < 50 || !gm.Order.Known || !slices.ContainsFunc(gm.Palette, func(l string) bool { return strings.Contains(l, "{DB}") }) {
		t.Errorf("the GM is told %+v", gm)
	}
	for _, s := range r.Sheet.Stats {
		if n := table.Stat(ch, s.Key).GetValue(); !s.Resource && !slices.ContainsFunc(gm.Rows, func(r foreign.Row) bool { return r.Now.Written == strconv.Itoa(int(n)) }) {
			t.Errorf("the GM is not told %s", s.Key)
		}
	}
}
