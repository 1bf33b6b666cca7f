package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/locale"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Render writes the event's sentence in the language: the text event.<name> of
// the catalog, made of what is left in the view. An event whose text is empty has
// none. name gives a character's name, "" if it is none.
//
// A text may ask for {actor}, {target}, {targets}, {dice} and for each fact by
// its key; {fact.dice} is the fact of a key that is one of these words.
func Render(ev *tablev1.EventView, lang string, catalog *locale.Catalog, name func(id string) string) {
	w := words{lang, catalog, name}
	text := catalog.Text("event."+ev.Name, lang, func(value string) (string, bool) { return w.ofEvent(ev, value) })
	ev.Text = nil
	if text = strings.TrimSpace(text); text != "" {
		ev.Text = &typev1.Text{Key: ev.Name, Text: text}
	}
}

// RenderPrompt writes the question and the words of its choices in the language:
// the texts prompt.<name>, choice.<id>, input.<name> and error.<reason>. A question
// may ask for {character}, {actor} (whose step it is in), {about}, {dice} and for
// each fact by its key.
func RenderPrompt(p *tablev1.PromptView, lang string, catalog *locale.Catalog, name func(id string) string) {
	w := words{lang, catalog, name}
	key := "prompt." + p.Name
	text := catalog.Text(key, lang, func(value string) (string, bool) { return w.ofPrompt(p, value) })
	p.Text = &typev1.Text{Key: key, Text: text}
	for _, c := range p.Choices {
		c.Text = catalog.Chosen(append([]string{c.Id}, c.Label...), lang, name)
		c.ReasonText = w.reason(c.Reason)
		w.inputs(c.Inputs)
	}
}

// RenderSeat writes the words of a seat's policies in the language: the texts
// choice.<id>. The policies may be the table's own and are not written to.
func RenderSeat(s *tablev1.Seat, lang string, catalog *locale.Catalog, name func(id string) string) {
	s.Policies = slices.Clone(s.Policies)
	for i, p := range s.Policies {
		if p.GetChoice() != "" {
			p = proto.Clone(p).(*tablev1.Policy)
			p.ChoiceText = catalog.Choice(p.GetChoice(), lang, name)
			s.Policies[i] = p
		}
	}
}

// words finds the values of a text's placeholders.
type words struct {
	lang    string
	catalog *locale.Catalog
	name    func(id string) string
}

// inputs writes what to fill in, and the values to choose from.
func (w words) inputs(all []*tablev1.InputView) {
	for _, in := range all {
		in.Text = w.input(in.Name)
		for _, c := range in.Choices {
			c.Text = w.choice(in.Kind, c.Value)
		}
	}
}

func (w words) input(name string) string {
	if key := "input." + name; w.catalog.Has(key) {
		return w.catalog.Text(key, w.lang, nil)
	}
	return w.catalog.Word(name, w.lang)
}

func (w words) choice(kind tablev1.InputKind, value string) string {
	switch kind {
	case tablev1.InputKind_INPUT_KIND_CHARACTER:
		text, _ := w.character(value)
		return text
	case tablev1.InputKind_INPUT_KIND_NUMBER, tablev1.InputKind_INPUT_KIND_SQUARE,
		tablev1.InputKind_INPUT_KIND_PATH, tablev1.InputKind_INPUT_KIND_TEXT, tablev1.InputKind_INPUT_KIND_UINT64:
		return value
	}
	// A value that is no word may have parts of which the last is one, as "3.herb".
	if front, word, ok := cutLast(value, "."); ok && w.catalog.Word(value, w.lang) == value && w.catalog.Word(word, w.lang) != word {
		return w.catalog.Words([]string{front, word}, w.lang, nil)
	}
	return w.catalog.Word(value, w.lang)
}

// cutLast cuts text around the last sep.
func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

func (w words) reason(reason string) string {
	if reason == "" {
		return ""
	}
	return w.catalog.Error(reason, w.lang, nil)
}

func (w words) ofEvent(ev *tablev1.EventView, value string) (string, bool) {
	switch value {
	case "actor":
		return w.character(ev.Actor)
	case "target":
		if len(ev.Targets) > 0 {
			return w.character(ev.Targets[0])
		} // else the number that was to be rolled
	case "targets":
		return w.characters(ev.Targets), len(ev.Targets) > 0
	case "dice":
		throws := make([]string, len(ev.Dice))
		for i, d := range ev.Dice {
			throws[i] = Throw(d)
		}
		return w.catalog.Join(throws, w.lang), len(throws) > 0
	}
	return w.fact(ev.Facts, value, ev.Actor)
}

func (w words) ofPrompt(p *tablev1.PromptView, value string) (string, bool) {
	switch value {
	case "character":
		return w.character(p.Character)
	case "actor":
		return w.character(p.BecauseOf)
	case "about":
		return w.character(p.About)
	case "dice":
		return p.Dice, p.Dice != ""
	}
	return w.fact(p.Facts, value, p.BecauseOf)
}

func (w words) character(id string) (string, bool) {
	if id == "" {
		return "", false
	}
	if w.name != nil {
		if n := w.name(id); n != "" {
			return n, true
		}
	}
	return id, true
}

func (w words) characters(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i], _ = w.character(id)
	}
	return w.catalog.Join(names, w.lang)
}

// fact renders the fact of a key: the actor's if there are several.
func (w words) fact(facts []*typev1.Fact, value, actor string) (string, bool) {
	key := strings.TrimPrefix(value, "fact.")
	var found *typev1.Fact
	for _, f := range facts {
		if f.Key != key {
			continue
		}
		if f.Of == "" || f.Of == actor {
			found = f
			break
		}
		if found == nil {
			found = f
		}
	}
	switch {
	case found == nil:
		return "", false
	case found.Number != nil:
		return strconv.Itoa(int(*found.Number)), true
	case key == "purpose" && len(found.Words) == 1:
		// Of the label of a throw, "initiative/officer/1", the first part is a word.
		label, _, _ := strings.Cut(found.Words[0], "/")
		return w.catalog.Word(label, w.lang), label != ""
	case key == "choice" && len(found.Words) > 0:
		return w.catalog.Chosen(found.Words, w.lang, w.name), true
	case len(found.Words) > 0:
		return w.catalog.Words(found.Words, w.lang, w.name), true
	case len(found.Characters) > 0:
		return w.characters(found.Characters), true
	case found.Text != nil:
		return *found.Text, *found.Text != ""
	case len(found.Squares) > 0:
		return squares(found.Squares), true
	}
	// Present without a value: a fact that only says that something is so.
	return "", true
}

// Throw writes a throw as "1D100=44" or "3D6=11 (4, 4, 3)".
func Throw(d *typev1.Die) string {
	total, faces := 0, make([]string, len(d.Faces))
	for i, f := range d.Faces {
		total += int(f)
		faces[i] = strconv.Itoa(int(f))
	}
	text := strconv.Itoa(len(faces)) + "D" + strconv.Itoa(int(d.Sides)) + "=" + strconv.Itoa(total)
	if len(faces) > 1 {
		text += " (" + strings.Join(faces, ", ") + ")"
	}
	return text
}

// squares writes a square as inputs take it; of a path the last one, its goal.
func squares(path []*typev1.Square) string {
	s := path[len(path)-1]
	text := strconv.Itoa(int(s.X)) + "," + strconv.Itoa(int(s.Y))
	if s.Floor != 0 {
		text += "," + strconv.Itoa(int(s.Floor))
	}
	return text
}
