package scenario

import (
	"slices"
	"strconv"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// compare adds a failure for everything that did not come out as the entry says.
func (s *session) compare(e *Entry, before *Snapshot) {
	events := s.entry.Events()
	if e.exact {
		s.exactly(e, events)
	} else {
		s.among(e, events)
	}
	for _, n := range e.noEvents {
		if slices.ContainsFunc(events, func(ev *tablev1.Event) bool { return ev.Name == n.name }) {
			s.fail(n.line, "there is an event %s", n.name)
		}
	}
	if e.prompts != nil {
		if opened := openedPrompts(events); !slices.Equal(opened, *e.prompts) {
			s.fail(e.promptLine, "the prompts were %v, not %v", Words(opened...), Words(*e.prompts...))
		}
	}
	now := Snap(s.r.State())
	if e.changes != nil {
		for _, p := range account(now.Diff(before), *e.changes, e.changeLine, now) {
			s.fail(p.line, "%s", p.text)
		}
	}
	for _, w := range e.expect {
		s.expected(w, now)
	}
}

// among looks for the events as a subsequence of what happened: the earliest
// match of each is as good as any.
func (s *session) among(e *Entry, events []*tablev1.Event) {
	at := 0
	for _, w := range e.events {
		i := at
		for i < len(events) && w.differs(events[i]) != "" {
			i++
		}
		if i == len(events) {
			s.fail(w.line, "%s", w.missing(events, at))
			continue
		}
		at = i + 1
	}
}

// exactly compares the events one by one. Those of the core, prompts and loose
// dice, count only if the file names them.
func (s *session) exactly(e *Entry, events []*tablev1.Event) {
	events = slices.DeleteFunc(slices.Clone(events), func(ev *tablev1.Event) bool {
		return coreEvent(ev.Name) && !slices.ContainsFunc(e.events, func(w *wantEvent) bool { return w.name == ev.Name })
	})
	for i, w := range e.events {
		if i >= len(events) {
			s.fail(w.line, "no event %s: there are only %d", w.name, len(events))
			return
		}
		if d := w.differs(events[i]); d != "" {
			s.fail(w.line, "event %d is %s: %s", i+1, events[i].Name, d)
			return
		}
	}
	if len(events) > len(e.events) {
		s.fail(e.exactLine, "more events than listed: %s", names(events[len(e.events):]))
	}
}

// differs says what of an event is not as expected; empty if nothing is.
func (w *wantEvent) differs(e *tablev1.Event) string {
	switch {
	case e.Name != w.name:
		return "it is no " + w.name
	case w.rule != "" && e.Rule != w.rule:
		return "its rule is " + strconv.Quote(e.Rule) + ", not " + w.rule
	case w.actor != nil && e.Actor != *w.actor:
		return "its actor is " + whoever(e.Actor) + ", not " + whoever(*w.actor)
	case w.targets != nil && !slices.Equal(e.Targets, w.targets.Words):
		return "its targets are " + Words(e.Targets...).String() + ", not " + w.targets.String()
	}
	for _, f := range w.facts {
		if d := factDiffers(e, f); d != "" {
			return d
		}
	}
	if got := traceTexts(e.Trace); w.trace != nil && !slices.Equal(got, w.trace) {
		return "its trace is " + Words(got...).String() + ", not " + Words(w.trace...).String()
	}
	return ""
}

// factDiffers compares a fact: of several with its key, one must be as expected.
// null expects none.
func factDiffers(e *tablev1.Event, w want) string {
	found := ""
	for _, f := range e.Facts {
		if f.Key != w.path {
			continue
		}
		v := factValue(f)
		if v.Is(w.value) {
			return ""
		}
		found = w.path + " is " + v.String() + ", not " + w.value.String()
	}
	if found == "" && !w.value.Null() {
		return "it does not tell " + w.path
	}
	return found
}

// missing says that an event did not occur, and what occurred instead.
func (w *wantEvent) missing(events []*tablev1.Event, at int) string {
	text := "no such event " + w.name
	if at > 0 {
		text += " after the " + events[at-1].Name
	}
	var like []string
	for i, e := range events {
		if e.Name != w.name {
			continue
		}
		d := w.differs(e)
		if d == "" {
			d = "it came before"
		}
		like = append(like, e.Name+" (event "+strconv.Itoa(i+1)+"): "+d)
	}
	if len(like) > 0 {
		return text + ". " + strings.Join(like, "; ")
	}
	return text + "; there are: " + names(events)
}

func names(events []*tablev1.Event) string {
	all := make([]string, len(events))
	for i, e := range events {
		all[i] = e.Name
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// openedPrompts lists the prompts that opened, in order.
func openedPrompts(events []*tablev1.Event) []string {
	var out []string
	for _, e := range events {
		if e.Name != "prompt_opened" {
			continue
		}
		for _, f := range e.Facts {
			if f.Key == "prompt" {
				out = append(out, f.Words...)
			}
		}
	}
	return out
}

// expected compares one value of the state. null expects that there is none.
func (s *session) expected(w want, now *Snapshot) {
	v, ok := now.Value(w.path)
	switch {
	case ok && v.Is(w.value):
	case ok:
		s.fail(w.line, "%s is %v, not %v", w.path, v, w.value)
	case w.value.Null() && now.any(w.path):
		s.fail(w.line, "%s is there", w.path)
	case w.value.Null() && s.absent(w.path):
	default:
		s.fail(w.line, "there is no %s%s", w.path, nearest(w.path, now.Paths()))
	}
}

// absent reports whether a path that leads nowhere is one that might have: not
// a misspelt one.
func (s *session) absent(path string) bool {
	if path == "encounter" || path == "dungeon" || strings.HasPrefix(path, "dungeon.") {
		return true
	}
	id, rest, _ := strings.Cut(path, ".")
	if id != Table && !slices.ContainsFunc(s.r.State().Characters, func(c *tablev1.Character) bool { return c.Id == id }) {
		return false
	}
	kind, key, _ := strings.Cut(rest, ".")
	switch kind {
	case "position":
		return key == ""
	case "modifier":
		return key != ""
	case "status":
		for _, st := range s.rules.Sheet.Statuses {
			if st.Key == key {
				return true
			}
		}
	case "details":
		piece, _, _ := strings.Cut(key, ".")
		d := details(&tablev1.Details{}, s.rules.Name)
		return d != nil && slices.Contains(fieldNames(d.Descriptor()), piece)
	}
	return false
}
