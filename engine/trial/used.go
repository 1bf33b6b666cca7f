package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// used counts what games have used.
type used struct {
	setup *Setup
	times map[string]int
	// words are those of commands that were taken and of what they brought.
	words map[string]bool
	// led is what the games are led to, and ledWords the words that stand for it.
	led, ledWords []string
}

func newUsed(s *Setup, led []string) *used {
	u := &used{setup: s, times: make(map[string]int), words: make(map[string]bool), led: led}
	for _, what := range led {
		u.ledWords = append(u.ledWords, what[strings.LastIndexAny(what, " =")+1:])
	}
	return u
}

// all is everything that is to be used.
func (s *Setup) all() ([]string, error) {
	var out []string
	kinds := (&tablev1.Command{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range kinds.Len() {
		out = append(out, "command "+string(kinds.Get(i).Name()))
	}
	for _, a := range s.Rules.Actions() {
		out = append(out, "action "+a.Name)
	}
	for _, p := range s.Rules.Prompts() {
		out = append(out, "prompt "+p.Name)
	}
	for _, st := range s.Rules.Sheet.Statuses {
		out = append(out, "status "+st.Key)
	}
	for _, o := range s.Rules.Options.All() {
		for _, v := range o.Values {
			out = append(out, "option "+o.Key+"="+v)
		}
		if len(o.Values) == 0 {
			out = append(out, "option "+o.Key+"="+o.Default, "option "+o.Key+"=another")
		}
	}
	for _, f := range s.Pack {
		ids, err := rows(f)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			out = append(out, "row "+f.Name+" "+id)
		}
	}
	return out, nil
}

// unused is what of all was not used.
func (u *used) unused(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(what string) bool {
		if name, ok := strings.CutPrefix(what, "row "); ok {
			_, id, _ := strings.Cut(name, " ")
			return u.words[id]
		}
		return u.times[what] > 0
	})
}

// add adds what another game has used.
func (u *used) add(o *used, all []string) {
	for _, what := range all {
		u.times[what] += o.times[what]
		if name, ok := strings.CutPrefix(what, "row "); ok {
			if _, id, _ := strings.Cut(name, " "); o.words[id] {
				u.words[id] = true
			}
		}
	}
}

func (u *used) count(kind, name string) { u.times[kind+" "+name]++ }

// commit counts what a command has used that was taken.
func (u *used) commit(g *Game, c *tablev1.Commit, events []*tablev1.Event) {
	if m := c.Command.ProtoReflect(); c.Command.What != nil {
		u.count("command", string(m.WhichOneof(m.Descriptor().Oneofs().ByName("what")).Name()))
	}
	switch what := c.Command.What.(type) {
	case *tablev1.Command_Create:
		u.options(what.Create.Options)
	case *tablev1.Command_Options:
		u.options(what.Options.Options)
	case *tablev1.Command_Sheet:
		u.words[what.Sheet.Character.Sample] = true
	case *tablev1.Command_Action:
		u.count("action", g.info(what.Action).Name)
		u.message(what.Action.ProtoReflect())
	case *tablev1.Command_Answer:
		w := table.Window(g.State(), what.Answer.Window)
		if w == nil {
			break // it is gone with the step
		}
		u.count("prompt", w.Name)
		for _, a := range what.Answer.Answers {
			choice, _, _ := strings.Cut(a.Choice, ".")
			u.count("choice", w.Name+" "+choice)
			if a.Answer != nil {
				u.message(a.Answer.ProtoReflect())
			}
		}
	}
	for _, e := range events {
		for _, f := range e.Facts {
			for _, w := range f.Words {
				u.words[w] = true
			}
		}
		for _, ch := range e.Changes {
			if s := ch.GetStatus(); s != nil && !s.Removed {
				u.count("status", s.After.Key)
			}
		}
	}
}

// options counts values that a table has now.
func (u *used) options(set []*tablev1.Option) {
	for _, o := range u.setup.Rules.Options.All() {
		value := u.setup.Rules.Options.Value(set, o.Key)
		if len(o.Values) == 0 && value != o.Default {
			value = "another"
		}
		u.count("option", o.Key+"="+value)
	}
}

// message has the words of a message count.
func (u *used) message(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		v := m.Get(f)
		switch {
		case f.IsList() && f.Kind() == protoreflect.StringKind:
			for j := range v.List().Len() {
				u.words[v.List().Get(j).String()] = true
			}
		case f.IsList():
		case f.Message() != nil:
			u.message(v.Message())
		case f.Kind() == protoreflect.StringKind:
			u.words[v.String()] = true
		}
	}
}

// ledValue is a value of a switch that games are led to; "" for none.
func (u *used) ledValue(o rule.Option) string {
	for _, v := range o.Values {
		if slices.Contains(u.led, "option "+o.Key+"="+v) {
			return v
		}
	}
	if slices.Contains(u.led, "option "+o.Key+"=another") && o.Max > o.Min {
		return fmt.Sprint(o.Max)
	}
	return ""
}

// ledAmong is a word among others that games are led to and this one has not used; ""
// for none.
func (u *used) ledAmong(words []string) string {
	for _, w := range u.ledWords {
		if slices.Contains(words, w) && !u.words[w] {
			return w
		}
	}
	return ""
}

// leads reports whether an offer is, or can be filled in to be, what games are led to.
func (u *used) leads(name string, o *tablev1.Offer) bool {
	if len(u.led) == 0 {
		return false
	}
	if slices.Contains(u.led, "action "+name) && u.times["action "+name] == 0 {
		return true
	}
	if u.ledAmong(o.Label) != "" {
		return true
	}
	return slices.ContainsFunc(o.Inputs, func(in *tablev1.Input) bool { return u.ledAmong(in.Choices) != "" })
}
