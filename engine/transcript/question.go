package transcript

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// question is what somebody who reads is asked.
type question struct {
	prompt, character string
	text, choices     string
}

// asks keeps what is asked until it is answered. It is false if none of those who
// read is asked.
func (c *command) asks(ev *tablev1.Event) bool {
	opened := &tablev1.State{}
	for _, ch := range ev.Changes {
		if w := ch.GetWindow().GetAfter(); w != nil {
			opened.Windows = append(opened.Windows, w)
		}
	}
	var asked []*question
	for _, s := range c.viewers() {
		for _, p := range view.Prompts(opened, view.ViewerOf(s), c.Visibility) {
			view.RenderPrompt(p, c.lang, c.texts, c.name)
			var choices []string
			for _, ch := range p.Choices {
				if ch.Possible {
					choices = append(choices, ch.Text)
				}
			}
			asked = append(asked, &question{p.Name, p.Character, p.Text.GetText(), "[" + strings.Join(choices, " / ") + "]"})
		}
	}
	if len(asked) == 0 {
		return false
	}
	c.unanswered()
	c.say()
	c.questions = append(c.questions, asked...)
	return true
}

// answers tells a question with what was chosen. It is false if it was not asked of
// those who read.
func (c *command) answers(v *tablev1.EventView) bool {
	prompt, chosen := fact(v, "prompt"), fact(v, "choice")
	if prompt == nil || chosen == nil {
		return false
	}
	i := slices.IndexFunc(c.questions, func(q *question) bool {
		return q.prompt == prompt.Words[0] && q.character == chosen.Of
	})
	if i < 0 {
		return false
	}
	c.ask(c.questions[i], " → "+c.texts.Chosen(chosen.Words, c.lang, c.name))
	c.questions = slices.Delete(c.questions, i, i+1)
	return true
}

// fact finds the words of an event's fact; nil if they are not there.
func fact(v *tablev1.EventView, key string) *typev1.Fact {
	for _, f := range v.Facts {
		if f.Key == key && len(f.Words) > 0 {
			return f
		}
	}
	return nil
}

// unanswered tells the questions that were asked and not answered at once.
func (t *Teller) unanswered() {
	for _, q := range t.questions {
		t.ask(q, "")
	}
	t.questions = nil
}

// ask writes a question, with its choices on the same line where there is room.
func (t *Teller) ask(q *question, answer string) {
	between := "  "
	if Width("  ? "+q.text+between+q.choices+answer) > columns {
		between = "\n      "
	}
	t.line("  ? %s%s%s%s", q.text, between, q.choices, answer)
}

// Width is how many columns a terminal needs for a text: two for the signs of East
// Asia, one for the others.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x2e80 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x20000 {
			n++
		}
	}
	return n
}
