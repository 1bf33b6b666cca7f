package exchange

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/foreign"
)

func isCharasheetText(file []byte) bool { return bytes.Contains(file, []byte("■能力値■")) }

var (
	heading    = regexp.MustCompile(`^■(.+)■$`)
	skillEntry = regexp.MustCompile(`《([^《》]*)》([^《》%％]*)[%％]`)
	columns    = regexp.MustCompile(`\t+|[ 　]{2,}|　`)
)

// longestLine is the most bytes of a line of values. Each value of a line that cannot
// be read has the whole line, and looks for its label among the rows: a long one of
// many would take more than in proportion to its length.
const longestLine = 1000

// readCharasheetText reads the site's plain text: parts under headings, of which
// those with values are tables for people.
func readCharasheetText(file []byte) (*foreign.Sheet, error) {
	if !isCharasheetText(file) {
		return nil, wrong(Unknown)
	}
	t := textSheet{sheet: &foreign.Sheet{}}
	part := ""
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			part, t.names = m[1], nil
			continue
		}
		switch {
		case line == "":
			t.table = false
		case part == "":
			t.about(line)
		case part == "能力値" && (len(line) > longestLine || len(t.sheet.Rows) > maxThings):
			return nil, wrong(TooLarge)
		case part == "能力値":
			t.values(line)
		case part == "技能":
			for _, m := range skillEntry.FindAllStringSubmatch(line, -1) {
				t.row(m[1], foreign.Parse(m[2]), foreign.Number{})
			}
		case part == "戦闘":
			t.weapon(line)
		default:
			t.sheet.Texts = append(t.sheet.Texts, foreign.Text{Label: part, Text: line, Notes: true})
		}
	}
	return t.sheet, nil
}

// textSheet is a sheet that is being read line by line.
type textSheet struct {
	sheet *foreign.Sheet
	names []string // the columns of the values
	table bool     // in the table of weapons
}

func (t *textSheet) row(label string, now, top foreign.Number) {
	t.sheet.Rows = append(t.sheet.Rows, foreign.Row{Label: label, Now: now, Max: top})
}

// about reads "職業：医師 / 年齢：30".
func (t *textSheet) about(line string) {
	for field := range strings.SplitSeq(line, " / ") {
		label, value, ok := strings.Cut(field, "：")
		label, value = strings.TrimSpace(label), strings.TrimSpace(value)
		switch {
		case !ok || value == "":
		case label == "キャラクター名":
			t.sheet.Name = value
		default:
			t.sheet.Texts = append(t.sheet.Texts, foreign.Text{Label: label, Text: value})
		}
	}
}

// values reads "SAN：55/99", or a line of the table: the names of its columns, or
// the totals, which count. Totals that are more or fewer than the columns are
// unknown: nobody can tell which is missing.
func (t *textSheet) values(line string) {
	if label, value, ok := strings.Cut(line, "："); ok {
		now, top, _ := strings.Cut(value, "/")
		t.row(label, foreign.Parse(now), foreign.Parse(top))
		return
	}
	fields := strings.Fields(line)
	switch {
	case fields[0] == "STR":
		t.names = fields
	case fields[0] == "=合計=":
		names, totals := t.names, fields[1:]
		t.names = nil // there is one line of totals below them
		unknown := foreign.Words(strings.Join(totals, " "))
		for i, label := range names {
			now := unknown
			if len(totals) == len(names) {
				now = foreign.Parse(totals[i])
			}
			before := slices.IndexFunc(t.sheet.Rows, func(r foreign.Row) bool { return r.Label == label })
			if before < 0 {
				t.row(label, now, foreign.Number{})
				continue
			}
			// It stands above the table already; here is the most that it can be.
			r := &t.sheet.Rows[before]
			if r.Max = now; !r.Now.Known {
				r.Now = now
			}
		}
	}
}

// weapon reads "ダメージボーナス：+1d4", or a line of the table of weapons: name, chance,
// damage and so on.
func (t *textSheet) weapon(line string) {
	if label, value, ok := strings.Cut(line, "："); ok && !t.table {
		t.row(label, foreign.Parse(value), foreign.Number{})
		return
	}
	fields := columns.Split(line, -1)
	switch {
	case fields[0] == "名称":
		t.table = true
	case t.table && strings.Trim(line, "/ 　") == "": // an empty row
	case t.table:
		w := foreign.Weapon{Name: fields[0]}
		if len(fields) > 2 {
			w.Damage = fields[2]
		}
		t.sheet.Weapons = append(t.sheet.Weapons, w)
	}
}
