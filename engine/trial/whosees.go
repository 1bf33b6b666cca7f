package trial

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Row is a row of the table "Who sees what" of a RULES.md: its cells for a PC's player,
// for other players, and for players where it is an NPC's, the first word of each.
type Row struct{ Fact, Own, Party, NPC string }

// classes are the audiences in the words of the table.
var classes = map[[3]string]typev1.Audience{
	{"yes", "yes", "yes"}:                 rule.Public,
	{"yes", "party_sheets", "npc_hp"}:     rule.HP,
	{"yes", "party_sheets", "npc_values"}: rule.Values,
	{"yes", "yes", "npc_dice"}:            rule.Dice,
	{"yes", "party_sheets", "no"}:         rule.Mind,
	{"yes", "no", "no"}:                   rule.Owner,
	{"addressee", "no", "no"}:             rule.Owner,
	{"no", "no", "no"}:                    rule.GM,
	{"never", "never", "never"}:           typev1.Audience_AUDIENCE_NEVER,
	{"-", "-", "yes"}:                     rule.Public, // of the table
	{"-", "-", "no"}:                      rule.GM,
}

// Audience is the audience that the cells are; 0 if they are none.
func (r *Row) Audience() typev1.Audience { return classes[[3]string{r.Own, r.Party, r.NPC}] }

// WhoSees is the table "Who sees what".
type WhoSees struct {
	// By are the rows by what they govern: each thing stands in one.
	By map[string]*Row
	// Rows are all of them, in order.
	Rows []*Row
}

var ticked = regexp.MustCompile("`[^`]+`")

// ReadWhoSees reads the table of a RULES.md. Rows that begin with one of the texts
// govern what no key names, or are no audience: what they say is left alone. Each of
// them has to be there.
func ReadWhoSees(markdown string, keyless ...string) (*WhoSees, error) {
	_, section, _ := strings.Cut(markdown, "\n### Who sees what\n")
	section, _, _ = strings.Cut(section, "\n## ")
	t := &WhoSees{By: make(map[string]*Row)}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|--") || strings.HasPrefix(line, "| fact ") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 {
			return nil, fmt.Errorf("a row of %d cells: %s", len(cells)-2, line)
		}
		r := &Row{strings.TrimSpace(cells[1]), firstWord(cells[2]), firstWord(cells[3]), firstWord(cells[4])}
		t.Rows = append(t.Rows, r)
		if slices.ContainsFunc(keyless, func(text string) bool { return strings.HasPrefix(r.Fact, text) }) {
			continue
		}
		if r.Audience() == 0 {
			return nil, fmt.Errorf("the cells of row %q are no audience", r.Fact)
		}
		for _, k := range ticked.FindAllString(cells[5], -1) {
			k = strings.Trim(k, "`")
			if t.By[k] != nil {
				return nil, fmt.Errorf("%s stands in two rows, %q and %q", k, t.By[k].Fact, r.Fact)
			}
			t.By[k] = r
		}
	}
	if len(t.By) == 0 {
		return nil, errors.New("RULES.md lacks the table Who sees what")
	}
	for _, text := range keyless {
		if t.Begins(text) == nil {
			return nil, fmt.Errorf("the table Who sees what lacks the row %q", text)
		}
	}
	return t, nil
}

func firstWord(cell string) string {
	for _, w := range strings.Fields(cell) {
		if w != "NPC" {
			return strings.Trim(w, "`,;:")
		}
	}
	return ""
}

// Row finds the row of the first of these that stands in the table, or nil.
func (t *WhoSees) Row(keys ...string) *Row {
	for _, k := range keys {
		if r := t.By[k]; r != nil {
			return r
		}
	}
	return nil
}

// Begins finds the row whose first cell begins with a text, or nil.
func (t *WhoSees) Begins(text string) *Row {
	for _, r := range t.Rows {
		if strings.HasPrefix(r.Fact, text) {
			return r
		}
	}
	return nil
}

// Onlooker is who looks at a table, and what the table's options say of who sees what.
type Onlooker struct {
	// GM is true for the GM, who sees all but what never leaves the server.
	GM bool
	// Plays reports whether the seat plays a character, PC whether it is a player's.
	Plays, PC func(character string) bool
	// Party, Values and Dice are party_sheets, npc_values and npc_dice, where shown.
	Party, Values, Dice bool
	// HP is npc_hp.
	HP tablev1.NpcHp
}

// May is what a row's cells say to the onlooker of something of the subject's; "" is
// the table.
func (o *Onlooker) May(r *Row, subject string) bool {
	switch {
	case r.Own == "never":
		return false
	case o.GM:
		return true
	case subject == "": // there is no cell for it
		return r.Audience() == rule.Public
	case o.Plays(subject): // an NPC too, that was a player's before
		return r.Own == "yes" || r.Own == "addressee"
	case o.PC(subject):
		return o.cell(r.Party)
	}
	return o.cell(r.NPC)
}

func (o *Onlooker) cell(c string) bool {
	switch c {
	case "yes":
		return true
	case "party_sheets":
		return o.Party
	case "npc_hp":
		return o.HP == tablev1.NpcHp_NPC_HP_EXACT
	case "npc_values":
		return o.Values
	case "npc_dice":
		return o.Dice
	}
	return false
}
