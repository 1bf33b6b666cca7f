package scenario

import (
	"slices"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// entry reads one entry of the play.
func (l *loader) entry(n *node) *Entry {
	e := &Entry{Line: n.line, diceLine: n.line}
	var errs errorKeys
	l.fields(n, "an entry", append([]field{
		optional("scene", l.into(&e.Scene, "scene")),
		optional("by", l.who(&e.By, "by")),
		optional("seat", l.seat(&e.Seat)),
		optional("act", func(n *node, _ int) { e.Action = l.action(n) }),
		optional("roll", l.into(&e.Roll, "roll")),
		optional("audience", func(n *node, _ int) { e.Audience = l.audience(n) }),
		optional("odds", func(n *node, line int) { e.Odds = l.chances(n, line) }),
		optional("dice", func(n *node, line int) { e.Dice, e.diceLine = l.throws(n), line }),
		optional("answers", func(n *node, _ int) {
			l.list(n, "answers", func(n *node) { e.Answers = append(e.Answers, l.reply(n)) })
		}),
		optional("must_answer", func(n *node, _ int) { e.mustAnswer = l.promptNames(n, "must_answer") }),
		optional("events", func(n *node, _ int) {
			l.list(n, "events", func(n *node) { e.events = append(e.events, l.event(n)) })
		}),
		optional("exact", func(n *node, line int) { e.exact, e.exactLine = l.flag(n, "exact"), line }),
		optional("no_events", func(n *node, line int) {
			for _, name := range l.texts(n, "no_events") {
				l.declared(line, "event", name, l.events)
				e.noEvents = append(e.noEvents, named{line, name})
			}
		}),
		optional("prompts", func(n *node, line int) {
			names := l.promptNames(n, "prompts")
			e.prompts, e.promptLine = &names, line
		}),
		optional("changes", func(n *node, line int) {
			wants := l.wants(n, "changes")
			e.changes, e.changeLine = &wants, line
		}),
		optional("expect", func(n *node, _ int) { e.expect = l.wants(n, "expect") }),
	}, errs.fields(l)...))
	e.wantError = errs.want(l, n.line)
	if (e.Action != nil || e.Roll != "") && n.get("by") == nil {
		l.add(n.line, "an entry with act or roll lacks by")
	}
	if e.Odds != nil && (e.Action == nil || e.wantError != nil) {
		l.add(n.line, "odds are those of an act that is not refused")
	}
	if e.Action != nil && e.Roll != "" {
		l.add(n.line, "an entry has act or roll")
	}
	if e.Action == nil && e.Roll == "" && len(e.Answers) == 0 && len(e.expect) == 0 {
		l.add(n.line, "an entry without act, roll, answers or expect does nothing")
	}
	if e.wantError != nil && (len(e.Dice) > 0 || len(e.Answers) > 0 || len(e.events) > 0 || e.prompts != nil && len(*e.prompts) > 0) {
		l.add(n.line, "what is refused throws no dice, asks nobody and brings no event")
	}
	return e
}

// errorKeys are the keys of a refusal that is expected.
type errorKeys struct {
	reason, rule string
	line         int
}

func (k *errorKeys) fields(l *loader) []field {
	return []field{
		optional("error", func(n *node, line int) {
			k.reason, k.line = l.text(n, "error"), line
			l.declared(n.line, "reason", k.reason, l.reasons)
		}),
		optional("error_rule", l.into(&k.rule, "error_rule")),
	}
}

func (k *errorKeys) want(l *loader, line int) *wantError {
	if k.reason == "" {
		if k.rule != "" {
			l.add(line, "error_rule without error")
		}
		return nil
	}
	return &wantError{line: k.line, reason: k.reason, rule: k.rule}
}

// reply reads an answer, or a lever while a prompt is open.
func (l *loader) reply(n *node) *Reply {
	r := &Reply{Line: n.line}
	var errs errorKeys
	prompt := func(to *string, key string) func(*node, int) {
		return func(n *node, _ int) {
			*to = l.text(n, key)
			l.declared(n.line, "prompt", *to, l.prompts)
		}
	}
	l.fields(n, "an answer", append([]field{
		optional("prompt", prompt(&r.Prompt, "prompt")),
		optional("during", prompt(&r.During, "during")),
		optional("by", l.who(&r.By, "by")),
		optional("seat", l.seat(&r.Seat)),
		optional("choose", l.into(&r.Choice, "choose")),
		optional("values", func(n *node, _ int) { r.Values = l.values(n) }),
		optional("answer", func(n *node, _ int) {
			r.Answer = &tablev1.Answer{}
			l.merge(n, r.Answer.ProtoReflect())
		}),
		optional("act", func(n *node, _ int) { r.Action = l.action(n) }),
	}, errs.fields(l)...))
	r.wantError = errs.want(l, n.line)
	ways := 0
	for _, key := range []string{"choose", "answer", "act"} {
		if n.get(key) != nil {
			ways++
		}
	}
	switch {
	case ways != 1:
		l.add(n.line, "an answer has one of choose, answer and act")
	case r.Action != nil && (r.Prompt != "" || r.During == ""):
		l.add(n.line, "an act among the answers has during, and no prompt")
	case r.Action == nil && (r.Prompt == "" || n.get("by") == nil):
		l.add(n.line, "an answer has prompt and by")
	case r.Values != nil && r.Choice == "":
		l.add(n.line, "values are those of a choice")
	}
	if r.During == "" {
		r.During = r.Prompt
	}
	return r
}

func (l *loader) values(n *node) []*tablev1.Value {
	if n.kind != mapNode {
		l.add(n.line, "values is a mapping, not %s", n.word())
		return nil
	}
	out := make([]*tablev1.Value, 0, len(n.pairs))
	for _, kv := range n.pairs {
		out = append(out, &tablev1.Value{Name: kv.key, Values: l.texts(kv.value, kv.key)})
	}
	return out
}

func (l *loader) promptNames(n *node, key string) []string {
	names := l.texts(n, key)
	for _, name := range names {
		l.declared(n.line, "prompt", name, l.prompts)
	}
	return names
}

// audience reads who may know of a roll, as its sender asks.
func (l *loader) audience(n *node) typev1.Audience {
	switch l.text(n, "audience") {
	case "gm":
		return typev1.Audience_AUDIENCE_GM
	case "owner":
		return typev1.Audience_AUDIENCE_OWNER
	}
	l.add(n.line, "audience is gm or owner, not %q", n.text)
	return 0
}

// event reads an event that has to occur.
func (l *loader) event(n *node) *wantEvent {
	e := &wantEvent{line: n.line}
	l.fields(n, "an event", []field{
		needed("name", func(n *node, _ int) {
			e.name = l.text(n, "name")
			l.declared(n.line, "event", e.name, l.events)
		}),
		optional("rule", l.into(&e.rule, "rule")),
		optional("actor", func(n *node, line int) {
			var actor string
			l.who(&actor, "actor")(n, line)
			e.actor = &actor
		}),
		optional("targets", func(n *node, _ int) {
			v := Words(l.ids(n, "targets")...)
			e.targets = &v
		}),
		optional("facts", func(n *node, _ int) {
			e.facts = l.wants(n, "facts")
			for _, f := range e.facts {
				l.declared(f.line, "fact", f.path, l.facts)
			}
		}),
		optional("trace", func(n *node, _ int) { e.trace = append([]string{}, l.texts(n, "trace")...) }),
	})
	return e
}

// action reads a typed action: one of the ruleset at hand, or a core lever.
func (l *loader) action(n *node) *tablev1.Action {
	a := &tablev1.Action{}
	before := len(l.found)
	l.merge(n, a.ProtoReflect())
	if len(l.found) > before {
		return a
	}
	if f := a.ProtoReflect().WhichOneof(a.ProtoReflect().Descriptor().Oneofs().Get(0)); f == nil {
		l.add(n.line, "an act names a ruleset: {%s: {...}}", l.ruleset)
	} else if name := string(f.Name()); name != l.ruleset && name != coreMember {
		l.add(n.line, "an act of %s in a scenario of %s", name, l.ruleset)
	}
	eachText(a.ProtoReflect(), func(text string) string {
		if name, ok := strings.CutPrefix(text, lastPrefix); ok {
			l.declared(n.line, "event", name, l.events)
		}
		return text
	})
	return a
}

// lastPrefix begins the handle of the latest event of a name: "last:check_resolved".
const lastPrefix = "last:"

// eachText replaces every text in a message.
func eachText(m protoreflect.Message, f func(string) string) {
	for _, d := range fieldsOf(m.Descriptor()) {
		switch {
		case !m.Has(d):
		case d.IsList():
			l := m.Mutable(d).List()
			for i := range l.Len() {
				if d.Message() != nil {
					eachText(l.Get(i).Message(), f)
				} else if d.Kind() == protoreflect.StringKind {
					l.Set(i, protoreflect.ValueOfString(f(l.Get(i).String())))
				}
			}
		case d.Message() != nil:
			eachText(m.Mutable(d).Message(), f)
		case d.Kind() == protoreflect.StringKind:
			m.Set(d, protoreflect.ValueOfString(f(m.Get(d).String())))
		}
	}
}

// withLast returns the action with handles in the place of "last:...". It also
// returns the first name of which there is no event.
func withLast(a *tablev1.Action, events []*tablev1.Event, handle func(index int) string) (*tablev1.Action, string) {
	out := proto.Clone(a).(*tablev1.Action)
	missing := ""
	eachText(out.ProtoReflect(), func(text string) string {
		name, ok := strings.CutPrefix(text, lastPrefix)
		if !ok {
			return text
		}
		for i, e := range slices.Backward(events) {
			if e.Name == name {
				return handle(i)
			}
		}
		if missing == "" {
			missing = name
		}
		return text
	})
	return out, missing
}
