// Package transcript tells how a scenario file is played, as a table would read
// it: who declares what, what is asked and chosen, and what happened, in the
// server's own texts. A seat reads what its views have, and nothing else.
//
// The frame comes from the locale too: the texts transcript.*, and for the file
// that is told title and about, scene.<key> and scene.<key>.about.
package transcript

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// columns is how wide a question with its choices may be to stand on one line. It is
// for terminals; what has no such place to break is as long as it is.
const columns = 100

// Teller writes a transcript. Tell is called for each command of the play.
type Teller struct {
	w         io.Writer
	file      *scenario.File
	texts     *locale.Catalog
	lang      string
	seat      string
	scenes    int
	entry     *scenario.Entry // told last
	questions []*question     // told as soon as they are answered, or something else happens
	err       error
}

// New returns a teller of a file in a language. seat is whose views are told:
// "gm", "observer" or a player's character; empty for everybody's, that is all
// that is said at the table, and of what happens what the GM sees.
func New(w io.Writer, f *scenario.File, texts *locale.Catalog, lang, seat string) *Teller {
	return &Teller{w: w, file: f, texts: texts, lang: lang, seat: seat}
}

// Close tells what is still open, and says what went wrong: there is no such seat,
// or the writer failed.
func (t *Teller) Close() error {
	t.unanswered()
	return t.err
}

// Tell tells one command.
func (t *Teller) Tell(told *scenario.Told) {
	c := &command{Teller: t, Told: told}
	if t.entry == nil {
		if t.err = c.seated(); t.err == nil {
			t.line("%s", t.text("title", nil))
			t.line("%s", t.text("about", nil))
		}
	}
	if t.entry != told.Entry {
		if told.Entry.Scene != "" {
			t.scene(told.Entry.Scene)
		}
		t.entry = told.Entry
	}
	c.declare()
	for _, ev := range told.Moment.Events {
		if !slices.Contains(t.file.Untold, ev.Name) {
			c.event(ev)
		}
	}
}

// line writes a line, unless something has gone wrong.
func (t *Teller) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// scene begins a scene.
func (t *Teller) scene(key string) {
	t.unanswered()
	t.scenes++
	heading := map[string]string{"number": strconv.Itoa(t.scenes), "scene": t.text("scene."+key, nil)}
	t.line("\n== %s ==", t.text("transcript.scene", heading))
	t.line("%s", t.text("scene."+key+".about", nil))
}

func (t *Teller) text(key string, values map[string]string) string {
	return strings.TrimSpace(t.texts.Text(key, t.lang, func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	}))
}

// gm is what the rules call who leads the game.
func (t *Teller) gm() string {
	if t.texts.Has("transcript.gm") {
		return t.text("transcript.gm", nil)
	}
	return t.texts.Word(scenario.GM, t.lang)
}

// command is one command on its way to be told.
type command struct {
	*Teller
	*scenario.Told
	// declared is what the sender says. It is told with the first line of what comes
	// of it: of what brings nothing to tell, the saying is not told either.
	declared string
}

// seated refuses a seat that the table does not have.
func (c *command) seated() error {
	ids := make([]string, len(c.Seats))
	for i, s := range c.Seats {
		ids[i] = s.Id
	}
	if c.seat == "" || slices.Contains(ids, c.seat) {
		return nil
	}
	if near := rule.Nearest(c.seat, ids); near != "" {
		return fmt.Errorf("no seat %q; did you mean %q?", c.seat, near)
	}
	return fmt.Errorf("no seat %q; there are: %s", c.seat, strings.Join(ids, ", "))
}

// heard reports whether who reads hears what a seat sends.
func (c *command) heard() bool { return c.seat == "" || c.seat == c.Told.Seat }

// name is what a character is called; a sample by its name in the language.
func (c *command) name(id string) string {
	i := slices.IndexFunc(c.Characters, func(ch *tablev1.Character) bool { return ch.Id == id })
	if i < 0 {
		return ""
	}
	if key := "name." + c.Characters[i].Name; c.texts.Has(key) {
		return c.text(key, nil)
	}
	return c.Characters[i].Name
}

// sender is who sends the command: a character's player, or the GM for somebody.
func (c *command) sender() string {
	switch {
	case c.Told.Seat != scenario.GM:
		return c.name(c.Actor)
	case c.Actor == "":
		return c.gm()
	}
	return c.text("transcript.for", map[string]string{"gm": c.gm(), "character": c.name(c.Actor)})
}

// declare has what is declared stand before what comes of it, and tells why it is
// refused if it is.
func (c *command) declare() {
	if !c.heard() {
		return
	}
	if c.Action != nil {
		c.declared = c.text("transcript.declares", map[string]string{"who": c.sender(), "what": c.words()})
	}
	if r := c.Moment.Refusal; r != nil {
		why := c.texts.Error(r.Reason, c.lang, map[string]string{
			"value": r.Value, "nearest": c.texts.Nearest(r, c.lang), "field": r.Field, "detail": c.texts.Detail(r.Detail, c.lang),
		})
		c.tell("    ! " + c.text("transcript.refused", map[string]string{"why": why, "rule": r.Rule}))
	}
}

// tell writes a line of what comes of the command.
func (c *command) tell(line string) {
	c.unanswered()
	c.say()
	c.line("%s", line)
}

// say tells what was declared, once.
func (c *command) say() {
	if c.declared != "" {
		c.line("> %s", c.declared)
		c.declared = ""
	}
}

// viewers are who reads.
func (c *command) viewers() []*tablev1.Seat {
	if c.seat == "" {
		return c.Seats
	}
	return slices.DeleteFunc(slices.Clone(c.Seats), func(s *tablev1.Seat) bool { return s.Id != c.seat })
}

// see is what of an event is told: the seat's view of it, or the GM's; of what
// somebody has chosen, the chooser's. nil for nothing.
func (c *command) see(ev *tablev1.Event) *tablev1.EventView {
	var best *tablev1.EventView
	for _, s := range c.viewers() {
		v := view.Event(ev, view.ViewerOf(s), c.Visibility, view.Handles{}, c.Rules.PublicName)
		if best == nil || v != nil && ev.Name == "prompt_answered" && len(v.Facts) > len(best.Facts) {
			best = v
		}
	}
	return best
}

// event tells what has happened, with the dice.
func (c *command) event(ev *tablev1.Event) {
	if ev.Name == "prompt_opened" && c.asks(ev) {
		return
	}
	v := c.see(ev)
	if v == nil || ev.Name == "prompt_answered" && c.answers(v) {
		return
	}
	view.Render(v, c.lang, c.texts, c.name)
	text := v.Text.GetText()
	if dice := dice(v); dice != "" {
		text += "  [" + dice + "]"
	}
	if text == "" {
		return
	}
	if c.secret(ev) {
		text += "  " + c.text("transcript.secret", map[string]string{"gm": c.gm()})
	}
	c.tell("    " + text)
}

// dice are the throws that do not stand in the sentence: a percentile die does,
// since it is told as the number that it shows.
func dice(v *tablev1.EventView) string {
	var out []string
	for _, d := range v.Dice {
		percentile := d.Sides == 100 && len(d.Faces) == 1 && strings.Contains(v.Text.GetText(), strconv.Itoa(int(d.Faces[0])))
		if throw := view.Throw(d); !percentile && !strings.Contains(v.Text.GetText(), throw) {
			out = append(out, throw)
		}
	}
	return strings.Join(out, ", ")
}

// secret reports whether the GM alone is told of an event.
func (c *command) secret(ev *tablev1.Event) bool {
	return !slices.ContainsFunc(c.Seats, func(s *tablev1.Seat) bool {
		return s.Id != scenario.GM && view.Sees(ev, view.ViewerOf(s), c.Visibility, view.Handles{}, c.Rules.PublicName)
	})
}
