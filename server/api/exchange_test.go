package api_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hantei/hantei/engine/foreign"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/exchange"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

func content(text string) *hanteiv1.ImportCharacterRequest_Content {
	return &hanteiv1.ImportCharacterRequest_Content{Content: text}
}

// brought is a golden sheet of the package exchange, as text.
func brought(t *testing.T, name string) *hanteiv1.ImportCharacterRequest_Content {
	t.Helper()
	b, err := os.ReadFile("../exchange/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return content(string(b))
}

func (t *table) imported(ctx context.Context, r *hanteiv1.ImportCharacterRequest) *hanteiv1.ImportCharacterResponse {
	t.tb.Helper()
	r.TableId = t.id
	out, err := t.Character.ImportCharacter(ctx, r)
	t.ok(err)
	return out
}

func (t *table) exported(ctx context.Context, id string, f hanteiv1.SheetFormat) string {
	t.tb.Helper()
	out, err := t.Character.ExportCharacter(ctx, &hanteiv1.ExportCharacterRequest{TableId: t.id, CharacterId: id, Format: f})
	t.ok(err)
	return out.Content
}

func valueOf(c *tablev1.CharacterView, key string) int32 {
	for _, s := range c.Stats {
		if s.Key == key {
			return s.GetValue()
		}
	}
	for _, r := range c.Resources {
		if r.Key == key {
			return r.GetValue()
		}
	}
	return -1
}

// TestImport: a dry run shows what would be and changes nothing; then it is so.
func TestImport(t *testing.T) {
	g := start(t).table()
	for name, want := range map[string]struct {
		format hanteiv1.SheetFormat
		values map[string]int32
		noted  []string
	}{
		"ccfolia.json": {hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA,
			map[string]int32{"str": 9, "con": 11, "app": 10, "edu": 16, "hp": 9, "mp": 14, "san": 62, "first_aid": 75, "medicine": 60, "own_language": 55, "library": 45},
			[]string{"人魚語", "弾薬", "memo", "externalUrl"}},
		"charasheet.json": {hanteiv1.SheetFormat_SHEET_FORMAT_CHARASHEET,
			map[string]int32{"int": 17, "hp": 13, "san": 58, "library": 85, "knife": 35, "other_language": 40, "drive": 20, "history": 20, "cthulhu_mythos": 5, "know": 90},
			[]string{"古い銃剣", "所持品", "所持品", "職業", "年齢", "身長", "瞳の色", "メモ"}},
		"charasheet.txt": {hanteiv1.SheetFormat_SHEET_FORMAT_CHARASHEET_TEXT,
			map[string]int32{"con": 9, "hp": 7, "mp": 11, "san": 48, "fist": 55, "medicine": 75, "knife": 25, "art": 5},
			[]string{"潮読み", "タイトル", "職業", "年齢", "性別", "所持品", "その他"}},
		"udonarium.xml": {hanteiv1.SheetFormat_SHEET_FORMAT_UDONARIUM,
			map[string]int32{"str": 13, "dex": 10, "hp": 8, "mp": 10, "spot": 65, "listen": 40, "dodge": 26},
			[]string{"説明"}},
	} {
		head := g.head()
		would := g.imported(g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, name), DryRun: true, RequestId: name})
		if g.head().Number != head.Number {
			t.Errorf("%s: the dry run has made a commit", name)
		}
		is := g.imported(g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, name), RequestId: name})
		if g.head().Number != head.Number+1 {
			t.Errorf("%s: %d commits", name, g.head().Number-head.Number)
		}
		if is.Character.Etag == "" || would.Format != want.format {
			t.Errorf("%s: %v, %v", name, is.Character.Etag, would.Format)
		}
		is.Character.Etag = ""
		if d := cmp.Diff(would, is, protocmp.Transform()); d != "" {
			t.Errorf("%s: it came out otherwise: %s", name, d)
		}
		c := is.Character
		if !c.Yours || c.Review != tablev1.Review_REVIEW_SUBMITTED || c.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC || c.Side != "pc" {
			t.Errorf("%s: %v", name, c)
		}
		for key, value := range want.values {
			if got := valueOf(c, key); got != value {
				t.Errorf("%s: %s is %d, want %d", name, key, got, value)
			}
		}
		var noted []string
		for _, f := range is.Report {
			if f.Outcome == hanteiv1.ImportOutcome_IMPORT_OUTCOME_NOTED {
				noted = append(noted, f.Label)
			}
			if f.Text == "" || f.Outcome == hanteiv1.ImportOutcome_IMPORT_OUTCOME_UNSPECIFIED || (f.Label == "") != (f.Outcome == hanteiv1.ImportOutcome_IMPORT_OUTCOME_ABSENT) {
				t.Errorf("%s: %v", name, f)
			}
		}
		slices.Sort(want.noted)
		slices.Sort(noted)
		if !slices.Equal(noted, want.noted) {
			t.Errorf("%s: noted: %q, want %q", name, noted, want.noted)
		}
		// The same request again makes nothing, and has the same answer.
		again := g.imported(g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, name), RequestId: name})
		again.Character.Etag = ""
		same(t, again, is)
		if g.head().Number != head.Number+1 {
			t.Errorf("%s: it was made twice", name)
		}
	}
}

// TestImportByGM: the GM's are approved, given to whom he names, NPCs too; a zip as
// well as text; the report in the caller's language.
func TestImportByGM(t *testing.T) {
	g := start(t).table()
	r := g.imported(g.gm, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), SeatId: g.nurseSeat, CharacterId: "shizuku"})
	if c := r.Character; c.Id != "shizuku" || c.Name != "高遠 しずく" || c.Review != tablev1.Review_REVIEW_APPROVED {
		t.Errorf("%v", c)
	}
	npc := g.imported(g.gm, &hanteiv1.ImportCharacterRequest{
		Source: brought(t, "udonarium.xml"), Name: "Stranger", Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC,
	}).Character
	if npc.Id != "stranger" || npc.Kind != tablev1.CharacterKind_CHARACTER_KIND_NPC || npc.Side != "enemy" {
		t.Errorf("%v", npc)
	}
	ja := as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, "ja")
	texts := map[string]bool{}
	for _, f := range g.imported(ja, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), DryRun: true}).Report {
		texts[f.Text] = true
	}
	for _, want := range []string{
		"「《医学》」（60）：医学 60", "「HP」（9/11）：耐久力 9/11", "「APP」：APPの「?」は数ではありません。ルールの値 10 になります", "「人魚語」（80）：このルールの値ではないので、そのままプロフィールに書きます",
		"「SAN」（62/70）：正気度はルールの値 62/99 を使います", "「DB」（0）：ダメージボーナスはルールの値 0 を使います", "「memo」（灯台守の娘）：このルールの値ではないので、そのままメモに書きます",
		"「〈母国語（日本語）〉」（55）：母国語（日本語） 55", "「:HP-1」：シートの値ではないので取り込みません",
	} {
		if !texts[want] {
			t.Errorf("no %s in %v", want, texts)
		}
	}
	for _, f := range g.imported(g.gm, &hanteiv1.ImportCharacterRequest{Source: content(`{"kind":"character","data":{"name":"Nobody"}}`), DryRun: true}).Report {
		if f.Outcome != hanteiv1.ImportOutcome_IMPORT_OUTCOME_ABSENT || !strings.HasSuffix(f.Text, "is not there; the rules make it "+f.Value) {
			t.Errorf("%v", f)
		}
	}
}

// TestImportRefused: what cannot be read, and who may not.
func TestImportRefused(t *testing.T) {
	g := start(t).table()
	head := g.head()
	for _, dry := range []bool{true, false} {
		for _, c := range []struct {
			by     context.Context
			r      *hanteiv1.ImportCharacterRequest
			code   codes.Code
			reason string
			words  string
		}{
			{g.nurse, &hanteiv1.ImportCharacterRequest{}, codes.InvalidArgument, "INVALID_FIELD", "content: has nothing in it."},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: &hanteiv1.ImportCharacterRequest_File{File: []byte("\x93\xfa\x96\x7b")}}, codes.InvalidArgument, "INVALID_FIELD", "file: is not valid UTF-8"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: content(`{"a":1,"a":2}`)}, codes.InvalidArgument, "INVALID_FIELD", "content: has the same name twice"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: content("<!DOCTYPE x><x/>")}, codes.InvalidArgument, "INVALID_FIELD", "content: is XML with a DOCTYPE"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: content(strings.Repeat(" ", exchange.MaxBytes+1))}, codes.ResourceExhausted, "TOO_LARGE", "(content): 256 KiB"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC}, codes.PermissionDenied, "NOT_YOUR_SEAT", "Field: kind"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), SeatId: g.gmSeat}, codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), CharacterId: "student"}, codes.AlreadyExists, "ALREADY_EXISTS", ""},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: brought(t, "ccfolia.json"), Name: "a\u202eb"}, codes.InvalidArgument, "INVALID_FIELD", "name"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: content(`{"kind":"character","data":{}}`)}, codes.InvalidArgument, "INVALID_FIELD", "name"},
			{g.nurse, &hanteiv1.ImportCharacterRequest{Source: content(`{"kind":"character","data":{"name":"` + strings.Repeat("長", 81) + `"}}`)}, codes.InvalidArgument, "INVALID_FIELD", "name"},
		} {
			c.r.TableId, c.r.DryRun = g.id, dry
			_, err := g.Character.ImportCharacter(c.by, c.r)
			refused(t, err, c.code, c.reason)
			if !strings.Contains(told(err), c.words) {
				t.Errorf("%s: %v", c.words, told(err))
			}
		}
	}
	if g.head().Number != head.Number {
		t.Error("something was made")
	}
	ja := as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, "ja")
	_, err := g.Character.ImportCharacter(ja, &hanteiv1.ImportCharacterRequest{TableId: g.id, Source: content(`{`)})
	if !strings.Contains(told(err), "content の指定が正しくありません（JSONとして読めません）") {
		t.Error(told(err))
	}
	g.sample("nurse")
	for _, f := range []hanteiv1.SheetFormat{0, hanteiv1.SheetFormat_SHEET_FORMAT_CHARASHEET, 9} {
		_, err := g.Character.ExportCharacter(g.gm, &hanteiv1.ExportCharacterRequest{TableId: g.id, CharacterId: "nurse", Format: f})
		refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
	}
}

// TestExportAndBack: what was written is read as the same sheet, in both formats and
// languages, and needs no rules of its own but the damage bonus.
func TestExportAndBack(t *testing.T) {
	g := start(t).table()
	g.sample("officer")
	g.revised(g.gm, g.revise("officer", func(r *hanteiv1.UpdateCharacterRequest) {
		r.Sheet.Profile = []*tablev1.ProfileEntry{{Label: "職業", Text: "警官"}, {Label: "職業", Text: "釣り人"}}
		r.Sheet.Notes = "海が怖い。\n\n【秘密】\n泳げない"
		for i, key := range []string{"art", "art_2", "other_language"} {
			of := []string{"ピアノ", "絵画", "英語"}[i]
			r.Sheet.Stats = append(r.Sheet.Stats, &tablev1.StatInput{Key: key, Value: 40, Speciality: &of})
		}
	}))
	officer, err := g.Character.GetCharacter(g.gm, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: "officer"})
	g.ok(err)
	for _, f := range []hanteiv1.SheetFormat{hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA, hanteiv1.SheetFormat_SHEET_FORMAT_UDONARIUM} {
		for _, lang := range []string{"ja", "en"} {
			gm := as(t, auth.Principal{Seat: g.gmSeat, Table: g.id}, lang)
			back := g.imported(gm, &hanteiv1.ImportCharacterRequest{Source: content(g.exported(gm, "officer", f)), CharacterId: "back", DryRun: true})
			for _, line := range back.Report {
				if line.Outcome != hanteiv1.ImportOutcome_IMPORT_OUTCOME_TAKEN && line.Outcome != hanteiv1.ImportOutcome_IMPORT_OUTCOME_LEFT_OUT && line.Outcome != hanteiv1.ImportOutcome_IMPORT_OUTCOME_NOTED && line.Key != "db" {
					t.Errorf("%v in %s: %v", f, lang, line)
				}
			}
			want := proto.Clone(officer.Character).(*tablev1.CharacterView)
			want.Id, want.Sample, want.Etag = "back", "", ""
			if d := cmp.Diff(want, back.Character, protocmp.Transform()); d != "" {
				t.Errorf("%v in %s: %s", f, lang, d)
			}
		}
	}
}

// TestExportSees: an export has what its seat sees, and nothing for what it does not.
func TestExportSees(t *testing.T) {
	g := start(t).table(&tablev1.Option{Key: "party_sheets", Value: "hidden"})
	g.sample("nurse", "thug")
	for _, id := range []string{"nurse", "thug"} {
		g.revised(g.gm, g.revise(id, func(r *hanteiv1.UpdateCharacterRequest) {
			r.Sheet.Profile, r.Sheet.Notes = []*tablev1.ProfileEntry{{Label: "born", Text: "by the sea"}}, "cannot swim"
		}))
	}
	for _, c := range []struct {
		by   context.Context
		id   string
		has  []string
		lack []string
	}{
		{g.gm, "thug", []string{`{"label":"HP","value":13,"max":13}`, `{"label":"STR","value":"13"}`, "CCB<=55 【", `{DB}`, "by the sea", "cannot swim"}, nil},
		{g.nurse, "thug", []string{`"name":"Thug"`, `"status":[]`, `"params":[]`}, []string{"13", "55", "CCB", "initiative", "DB", "commands", "sea", "swim"}},
		{g.nurse, "nurse", []string{`"label":"SAN","value":70,"max":99`, "1D100<={SAN} 【Sanity check】", "CCB<=75 【First Aid】", `{"label":"born","value":"by the sea"}`, `"memo":"cannot swim"`}, nil},
		{g.student, "nurse", []string{`"name":"Nurse"`, `"status":[]`}, []string{"CCB", "label", "70", "initiative", "sea", "swim"}},
	} {
		got := g.exported(c.by, c.id, hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA)
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", c.id, want, got)
			}
		}
		for _, not := range c.lack {
			if strings.Contains(got, not) {
				t.Errorf("%s: %s in %s", c.id, not, got)
			}
		}
	}
}

// The numbers of the contract are those of the packages that it is made from.
func TestExchangeNumbers(t *testing.T) {
	for n := foreign.Taken; n <= foreign.Noted; n++ {
		if got := strings.ToLower(strings.TrimPrefix(hanteiv1.ImportOutcome(n).String(), "IMPORT_OUTCOME_")); got != n.String() {
			t.Errorf("%d: %s and %s", n, got, n)
		}
	}
	if hanteiv1.SheetFormat(exchange.Ccfolia) != hanteiv1.SheetFormat_SHEET_FORMAT_CCFOLIA || hanteiv1.SheetFormat(exchange.Charasheet) != hanteiv1.SheetFormat_SHEET_FORMAT_CHARASHEET ||
		hanteiv1.SheetFormat(exchange.CharasheetText) != hanteiv1.SheetFormat_SHEET_FORMAT_CHARASHEET_TEXT || hanteiv1.SheetFormat(exchange.Udonarium) != hanteiv1.SheetFormat_SHEET_FORMAT_UDONARIUM {
		t.Error("formats differ")
	}
}
