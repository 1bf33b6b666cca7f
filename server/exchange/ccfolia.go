package exchange

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/foreign"
)

func isCcfolia(o object) bool { return text(o["kind"]) != "" && o["data"] != nil }

// shown are the fields that say how ccfolia shows a character, not what it is.
var shown = []string{
	"active", "angle", "color", "faces", "height", "hideStatus", "iconUrl", "initiative", "invisible", "owner", "secret", "width", "x", "y", "z",
}

// readCcfolia reads {"kind": "character", "data": {...}}. Bars are rows with a
// maximum, parameters rows without.
func readCcfolia(o object) (*foreign.Sheet, error) {
	data, ok := o["data"].(object)
	if text(o["kind"]) != "character" || !ok {
		return nil, wrong(Unknown)
	}
	s := &foreign.Sheet{Name: strings.TrimSpace(text(data["name"]))}
	for _, v := range all(data["status"]) {
		bar, _ := v.(object)
		s.Rows = append(s.Rows, foreign.Row{Label: text(bar["label"]), Now: number(bar["value"]), Max: number(bar["max"])})
	}
	for _, v := range all(data["params"]) {
		p, _ := v.(object)
		s.Rows = append(s.Rows, foreign.Row{Label: text(p["label"]), Now: number(p["value"])})
	}
	readPalette(s, text(data["commands"]))
	var rest []string
	for name := range data {
		if !slices.Contains(shown, name) && !slices.Contains([]string{"name", "status", "params", "commands"}, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		if v := text(data[name]); v != "" {
			s.Texts = append(s.Texts, foreign.Text{Label: name, Text: v, Notes: true})
		}
	}
	return s, nil
}

type ccfoliaFile struct {
	Kind string           `json:"kind"`
	Data ccfoliaCharacter `json:"data"`
}

type ccfoliaCharacter struct {
	Name       string         `json:"name"`
	Memo       string         `json:"memo,omitempty"`
	Initiative *int32         `json:"initiative,omitempty"`
	Status     []ccfoliaBar   `json:"status"`
	Params     []ccfoliaParam `json:"params"`
	Commands   string         `json:"commands,omitempty"`
}

type ccfoliaBar struct {
	Label string `json:"label"`
	Value int32  `json:"value"`
	Max   int32  `json:"max"`
}

type ccfoliaParam struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// writeCcfolia writes what can be pasted into ccfolia. Its parameters are for the
// palette to name, so what is only rolled stands in the palette alone. What is said in
// a line is a parameter too, and notes are its memo.
func writeCcfolia(s *foreign.Sheet) string {
	out := ccfoliaFile{"character", ccfoliaCharacter{
		Name: s.Name, Status: []ccfoliaBar{}, Params: []ccfoliaParam{}, Commands: strings.Join(s.Palette, "\n"),
	}}
	if s.Order.Known {
		out.Data.Initiative = &s.Order.Value
	}
	for _, r := range s.Rows {
		switch {
		case r.Roll:
		case r.Now.Known && r.Max.Known:
			out.Data.Status = append(out.Data.Status, ccfoliaBar{r.Label, r.Now.Value, r.Max.Value})
		default:
			out.Data.Params = append(out.Data.Params, ccfoliaParam{r.Label, r.Now.Written})
		}
	}
	var memo []string
	for _, t := range s.Texts {
		if t.Notes {
			memo = append(memo, t.Text)
		} else {
			out.Data.Params = append(out.Data.Params, ccfoliaParam{t.Label, t.Text})
		}
	}
	out.Data.Memo = strings.Join(memo, "\n")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read the palette's "<="
	if err := e.Encode(out); err != nil {
		panic(err) // it has nothing but texts and numbers
	}
	return strings.TrimSuffix(b.String(), "\n")
}
