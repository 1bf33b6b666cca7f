package exchange_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/server/exchange"
)

var update = flag.Bool("update", false, "write the golden files anew")

// files are the golden inputs with their formats.
var files = map[string]exchange.Format{
	"ccfolia.json": exchange.Ccfolia, "charasheet.json": exchange.Charasheet,
	"charasheet.txt": exchange.CharasheetText, "udonarium.xml": exchange.Udonarium,
}

func load(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// said is a sheet for people to compare: what is unknown has a question mark.
func said(s *foreign.Sheet) string {
	var b strings.Builder
	number := func(n foreign.Number) string {
		if n.Known {
			return fmt.Sprint(n.Value)
		}
		return fmt.Sprintf("?%q", n.Written)
	}
	fmt.Fprintf(&b, "name %q\n", s.Name)
	for _, r := range s.Rows {
		fmt.Fprintf(&b, "row %q %q now %s max %s roll %v\n", r.Group, r.Label, number(r.Now), number(r.Max), r.Roll)
	}
	for _, w := range s.Weapons {
		fmt.Fprintf(&b, "weapon %q %q roll %v\n", w.Name, w.Damage, w.Roll)
	}
	for _, t := range s.Texts {
		fmt.Fprintf(&b, "text %q %q notes %v\n", t.Label, t.Text, t.Notes)
	}
	for _, p := range s.Palette {
		fmt.Fprintf(&b, "palette %q\n", p)
	}
	return b.String()
}

// TestRead reads each golden file, with its format named and found out, and compares
// what comes out with what somebody has read and found right.
func TestRead(t *testing.T) {
	for name, format := range files {
		for _, f := range []exchange.Format{format, 0} {
			s, found, err := exchange.Read(load(t, name), f)
			if err != nil || found != format {
				t.Errorf("%s: format %d, %v", name, found, err)
				continue
			}
			golden := filepath.Join("testdata", name+".read")
			got := said(s)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(load(t, name+".read")); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

// The same sheet in another wrapping.
func TestWrapped(t *testing.T) {
	plain := func(name string) string {
		s, _, err := exchange.Read(load(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		return said(s)
	}
	for what, c := range map[string]struct {
		name string
		file []byte
	}{
		"a call":         {"charasheet.json", []byte("show.sheet( " + string(load(t, "charasheet.json")) + " );\n")},
		"a mark":         {"ccfolia.json", append([]byte("\xef\xbb\xbf\n"), load(t, "ccfolia.json")...)},
		"a zip":          {"udonarium.xml", zipped(t, "picture.png", "no picture", "data.xml", string(load(t, "udonarium.xml")))},
		"other newlines": {"charasheet.txt", bytes.ReplaceAll(load(t, "charasheet.txt"), []byte("\n"), []byte("\r\n"))},
	} {
		s, _, err := exchange.Read(c.file, 0)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if got := said(s); got != plain(c.name) {
			t.Errorf("%s: got\n%s", what, got)
		}
	}
}

func zipped(t testing.TB, nameAndContent ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(nameAndContent); i += 2 {
		w, err := z.Create(nameAndContent[i])
		if err == nil {
			_, err = w.Write([]byte(nameAndContent[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// character is a file of Udonarium with a detail.
func character(detail string) string {
	return `<character><data name="character"><data name="detail">` + detail + `</data></data></character>`
}

// TestRefused: what is made to do harm, and what is merely not ours.
func TestRefused(t *testing.T) {
	laughs := `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>` + character("<data name='x'>&b;</data>")
	lists := func(n int) string {
		return `{"kind":"character","data":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "<data name='%d'>1</data>", i)
	}
	for what, c := range map[string]struct {
		file   string
		format exchange.Format
		want   exchange.Wrong
	}{
		"a long line":         {"■能力値■\nSTR\n=合計=" + strings.Repeat(" 1", 500), 0, exchange.TooLarge},
		"nothing":             {"", 0, exchange.Empty},
		"blanks":              {" \n　", 0, exchange.Empty},
		"Shift_JIS":           {"{\"kind\":\"character\",\"data\":{\"name\":\"\x8a\xbf\x8e\x9a\"}}", 0, exchange.NotUTF8},
		"UTF-16":              {"\xff\xfe{\x00}\x00", 0, exchange.NotUTF8},
		"words":               {"目星 75", 0, exchange.Unknown},
		"other JSON":          {`{"name":"x"}`, 0, exchange.Unknown},
		"a list":              {`[1]`, 0, exchange.Unknown},
		"a named list":        {`[1]`, exchange.Ccfolia, exchange.Unknown},
		"another kind":        {`{"kind":"item","data":{}}`, 0, exchange.Unknown},
		"no data":             {`{"kind":"character","data":7}`, 0, exchange.Unknown},
		"not the named one":   {`{"kind":"character","data":{}}`, exchange.Charasheet, exchange.Unknown},
		"nor this":            {`{"pc_name":"x","NP1":"1"}`, exchange.Ccfolia, exchange.Unknown},
		"no text of the site": {"STR 10", exchange.CharasheetText, exchange.Unknown},
		"another game":        {`{"pc_name":"x","NP1":"1","game":"swordworld"}`, 0, exchange.OtherGame},
		"half JSON":           {`{"kind":"character","data":{`, 0, exchange.BadJSON},
		"JSON and more":       {`{"kind":"character","data":{}} {}`, 0, exchange.BadJSON},
		"JSON is not XML":     {`{}`, exchange.Udonarium, exchange.BadXML},
		"twice in JSON":       {`{"kind":"character","data":{"name":"a","name":"b"}}`, 0, exchange.Twice},
		"deep JSON":           {lists(40), 0, exchange.TooDeep},
		"very deep JSON":      {lists(100_000), 0, exchange.TooDeep},
		"a billion laughs":    {laughs, 0, exchange.Doctype},
		"an external entity":  {`<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd">` + character(""), 0, exchange.Doctype},
		"an unknown entity":   {character("<data name='x'>&b;</data>"), 0, exchange.BadXML},
		"another encoding":    {`<?xml version="1.0" encoding="Shift_JIS"?>` + character(""), 0, exchange.NotUTF8},
		"deep XML":            {character(strings.Repeat("<data>", 40) + strings.Repeat("</data>", 40)), 0, exchange.TooDeep},
		"twice in XML":        {character(`<data name="a" name="b"/>`), 0, exchange.Twice},
		"half XML":            {`<character><data name="character">`, 0, exchange.BadXML},
		"crossed XML":         {`<character><data name="character"></character></data>`, 0, exchange.BadXML},
		"two characters":      {character("") + character(""), 0, exchange.BadXML},
		"words behind":        {character("") + "x", 0, exchange.BadXML},
		"a room":              {`<room><character/></room>`, 0, exchange.Unknown},
		"too many rows":       {character("<data name='s'>" + many.String() + "</data>"), 0, exchange.TooLarge},
		"too long":            {"{" + strings.Repeat(" ", exchange.MaxBytes), 0, exchange.TooLarge},
		"a zip of pictures":   {string(zipped(t, "a.png", "x")), 0, exchange.BadZip},
		"a zip bomb":          {string(zipped(t, "a.xml", strings.Repeat(" ", 100<<20))), 0, exchange.TooLarge},
		"half a zip":          {string(zipped(t, "a.xml", character("")))[:40], 0, exchange.BadZip},
		"a zip in a zip":      {string(zipped(t, "a.xml", string(zipped(t, "a.xml", character(""))))), 0, exchange.NotUTF8},
	} {
		s, _, err := exchange.Read([]byte(c.file), c.format)
		var e *exchange.Error
		if !errors.As(err, &e) || e.Wrong != c.want {
			t.Errorf("%s: %v, %v, want %s", what, s, err, c.want)
		}
	}
	_, _, err := exchange.Read([]byte(`{"kind":"character","data":{"status":1,"status":2}}`), 0)
	if e := (*exchange.Error)(nil); !errors.As(err, &e) || e.Name != "status" {
		t.Errorf("which stands twice: %v", err)
	}
}

// TestTotalsOnce: what stands below the totals of a table is of no table.
func TestTotalsOnce(t *testing.T) {
	s, _, err := exchange.Read([]byte("■能力値■\nSTR CON\n=合計= 9 11\n=合計= 12 13\n"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(s), "name \"\"\nrow \"\" \"STR\" now 9 max ?\"\" roll false\nrow \"\" \"CON\" now 11 max ?\"\" roll false\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}
