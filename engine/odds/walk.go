package odds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Bounds of one run, as those of play.
const (
	maxDice  = 1000
	maxSteps = 500
)

// ErrCancelled says that nobody waits for the odds any more.
var ErrCancelled = errors.New("odds: cancelled")

// errLeaves says that a tree has more leaves than the budget.
var errLeaves = errors.New("odds: too many leaves")

// tooMuch says that the rules do more than any rule does.
type tooMuch struct{ what string }

func (e *tooMuch) Error() string { return "odds: too many " + e.what }

// What leaves a rule by panic.
type (
	stopped struct{ of, label string }
	cut     struct{}
	failed  struct{ err error }
)

// walk goes through one tree. It is the runtime of the rules in it.
type walk struct {
	q      *Query
	table  *table.Table
	random *rand.Rand // nil unless it samples
	always bool       // also those are asked who have no choice

	// The path of this run through its step: which branch of how many at each node.
	nodes []node
	at    int

	// Of a step that waits: whether the run is still where it has been, and how much of
	// the journal it has met again.
	past bool
	had  int

	// What this run has met in its step.
	dice []*open // of the pool, whose first ones they are
	pool []*open
	sums []drawn
	used int32 // dice
	bare rule.Bare

	// What it has met since the begin, beginning with what the steps before did.
	run

	// All runs.
	known     map[string]*sums
	found     []*found
	byKey     map[string]int
	questions []*asked
	result    result
	reached   *big.Rat // with which probability the step at hand begins
	leaves    int
	key       []byte
}

type node struct{ i, n int }

// run is what a run comes to.
type run struct {
	changes  []*tablev1.Change
	met      []int // indexes of events, each once, in order
	events   int32
	question int // the first that the query does not answer, from 1; 0 for none
	given    []bool
	thrown   []throw
	answered []Answer
}

// found is an event that was met.
type found struct {
	event *tablev1.Event
	p     tally
}

// asked is a question that was met first.
type asked struct {
	prompt, character, def string
	becauseOf, about       string
	choices                []*tablev1.PromptChoice
	p                      tally
}

func newWalk(q *Query) *walk {
	w := &walk{q: q, table: table.FromState(q.State), known: make(map[string]*sums), byKey: make(map[string]int)}
	w.always = q.Rules.Options.Value(q.State.Options, "window_policy") == "always_ask"
	w.given = make([]bool, len(q.Answers))
	w.result.begin(q)
	return w
}

// class is a state between two steps, and the probability of coming to it.
type class struct {
	run
	p tally
}

// exact goes through the whole tree. errLeaves if it has too many.
func (w *walk) exact() error {
	first := &class{run: run{given: w.given}}
	first.p.all = big.NewRat(1, 1)
	for steps, now := 0, []*class{first}; len(now) > 0; steps++ {
		if steps == maxSteps {
			return &tooMuch{"steps"}
		}
		next := classes{byKey: make(map[string]*class)}
		for _, c := range now {
			if err := w.from(c, steps == 0, &next); err != nil {
				return err
			}
			w.settle(c.p.rat(), &next)
		}
		now = next.all
	}
	return nil
}

// settle multiplies what one step came to by the probability with which it was reached.
func (w *walk) settle(reached *big.Rat, next *classes) {
	for _, t := range w.result.touched {
		t.settle(reached)
	}
	w.result.touched = w.result.touched[:0]
	for _, c := range next.all {
		c.p.settle(reached)
	}
}

// from runs the next step of a state in all ways.
func (w *walk) from(c *class, first bool, next *classes) error {
	base := w.table.Mark()
	for _, ch := range c.changes {
		w.table.Apply(ch)
	}
	begin := w.table.Mark()
	w.reached = c.p.rat()
	defer w.table.Rollback(base)
	w.nodes = w.nodes[:0]
	for more := true; more; more = w.advance() {
		if w.leaves++; w.leaves > w.q.budget() {
			return errLeaves
		}
		if w.leaves%128 == 0 && w.q.Cancelled != nil && w.q.Cancelled() {
			return ErrCancelled
		}
		w.begin(c, first)
		end, err := w.step(w.nextStep(first))
		if err != nil {
			return err
		}
		w.leaf(end, next)
		w.table.Rollback(begin)
	}
	return nil
}

// begin sets the run back to where its step begins, which may be the first of all.
func (w *walk) begin(c *class, first bool) {
	w.past, w.had = first && w.q.Waiting != nil, 0
	w.at, w.dice, w.sums, w.used = 0, w.dice[:0], w.sums[:0], 0
	w.bare.Reuse()
	w.run = run{
		changes: append(w.changes[:0], c.changes...), met: append(w.met[:0], c.met...), events: 0,
		question: c.question, given: append(w.given[:0:0], c.given...),
		thrown: append(w.thrown[:0], c.thrown...), answered: append(w.answered[:0], c.answered...),
	}
}

// advance goes to the next path: the last node that has a branch left takes it.
func (w *walk) advance() bool {
	for len(w.nodes) > 0 {
		last := &w.nodes[len(w.nodes)-1]
		if last.i++; last.i < last.n {
			return true
		}
		w.nodes = w.nodes[:len(w.nodes)-1]
	}
	return false
}

// branch returns which of n branches this run takes.
func (w *walk) branch(n int) int {
	if w.at == len(w.nodes) {
		w.nodes = append(w.nodes, node{0, n})
	}
	w.at++
	return w.nodes[w.at-1].i
}

func (w *walk) nextStep(first bool) *tablev1.Step {
	if first {
		return w.q.first()
	}
	agenda := w.table.State().Agenda
	return agenda[len(agenda)-1]
}

// step runs a step once. It returns nil where it came to its end, or how it ended before.
func (w *walk) step(step *tablev1.Step) (end any, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case stopped, cut:
			end = v
		case failed:
			err = v.err
		default:
			if w.q.Sees != nil {
				// The rules rely on what the asker may not see.
				end = stopped{}
				return
			}
			err = &rule.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	view := rule.View{State: w.table.State(), Seat: w.q.Seat, Options: w.q.Rules.Options, Refs: w.q.Refs}
	w.q.Rules.RunStep(rule.NewCtx(view, w, step.Audience), step)
	return nil, nil
}

// leaf takes in how a run ended.
func (w *walk) leaf(end any, next *classes) {
	p := w.weight()
	switch end := end.(type) {
	case cut:
		w.result.add(&w.result.truncated, p)
	case stopped:
		w.result.stop(end, p)
		w.finish(p, false)
	default:
		if len(w.table.State().Agenda) > 0 {
			next.add(w, p)
			return
		}
		w.finish(p, true)
	}
}

// finish takes in a run that is over.
func (w *walk) finish(p weight, done bool) {
	for _, i := range w.met {
		w.result.add(&w.found[i].p, p)
	}
	if w.question > 0 {
		w.result.add(&w.questions[w.question-1].p, p)
	}
	for i, given := range w.given {
		w.result.given[i] = w.result.given[i] || given
	}
	if !done {
		return
	}
	end := End{State: w.table.State()}
	if w.q.Leaf != nil || len(w.q.When) > 0 {
		for _, i := range w.met {
			end.Events = append(end.Events, w.found[i].event)
		}
	}
	w.result.end(w.changes, end, p)
	if w.q.Leaf != nil && w.random == nil {
		l := &Leaf{P: new(big.Rat).Mul(p.rat(), w.reached), Answers: w.answered, End: end}
		for _, t := range w.thrown {
			l.Dice = append(l.Dice, t.given())
		}
		w.q.Leaf(l)
	}
}

// sample runs the whole chain again and again with random dice.
func (w *walk) sample() error {
	seed := [2]uint64{}
	for i, b := range []byte(w.table.Hash()) {
		seed[i%2] = seed[i%2]*31 + uint64(b)
	}
	w.random = rand.New(rand.NewPCG(seed[0], seed[1]))
	n := w.q.samples()
	begin := &class{run: run{given: make([]bool, len(w.q.Answers))}}
	for i := range n {
		if i%128 == 0 && w.q.Cancelled != nil && w.q.Cancelled() {
			return ErrCancelled
		}
		if err := w.sampleOnce(begin, weight{num: 1, den: uint64(n)}); err != nil {
			return err
		}
	}
	w.settle(big.NewRat(1, 1), &classes{})
	return nil
}

func (w *walk) sampleOnce(begin *class, p weight) error {
	mark := w.table.Mark()
	defer w.table.Rollback(mark)
	w.begin(begin, true)
	for steps := 0; ; steps++ {
		if steps == maxSteps {
			return &tooMuch{"steps"}
		}
		w.dice, w.used, w.events = w.dice[:0], 0, 0
		end, err := w.step(w.nextStep(steps == 0))
		switch stop, early := end.(stopped); {
		case err != nil:
			return err
		case early:
			w.result.stop(stop, p)
			w.finish(p, false)
			return nil
		case len(w.table.State().Agenda) == 0:
			w.finish(p, true)
			return nil
		}
	}
}

// Reads implements rule.Oracle.
func (w *walk) Reads(label, of string, a typev1.Audience) {
	if w.q.Sees != nil && !w.q.Sees(of, a) {
		panic(stopped{of, label})
	}
}

// values is Reads for whoever throws or is asked; the table has no sheet.
func (w *walk) values(label, of string) {
	if of != "" {
		w.Reads(label, of, rule.Values)
	}
}

// Ask implements rule.Runtime: a question is answered as the query says.
func (w *walk) Ask(ask *rule.Window) []*tablev1.Answered {
	answers := make([]*tablev1.Answered, len(ask.Slots))
	open := make([]int, 0, len(ask.Slots))
	for i, s := range ask.Slots {
		if !w.always && prompt.OnlyDefault(s.Choices, s.Default) {
			answers[i] = answered(s, s.Default, prompt.Choice(s.Choices, s.Default).GetAnswer())
			continue
		}
		open = append(open, i)
	}
	if w.past {
		var settled bool
		if open, settled = w.answeredBefore(ask, answers, open); settled {
			return answers
		}
		open = w.chosenFirst(ask, open)
	}
	for _, i := range open {
		s := ask.Slots[i]
		w.values(ask.Name, s.Character)
		w.values(ask.Name, ask.About)
		answers[i] = w.answer(ask, s)
		if ask.Takes != nil && ask.Takes(answers[i].Answer) {
			break // the others' are withdrawn
		}
	}
	return answers
}

// AsksLater implements rule.Oracle: where the step has been already it has asked.
func (w *walk) AsksLater() bool { w.next(); return w.past }

// AskLater implements rule.Runtime: nothing waits for it.
func (w *walk) AskLater(*rule.Window) {}

func (w *walk) answer(ask *rule.Window, s rule.Slot) *tablev1.Answered {
	name := ask.Name
	i := slices.IndexFunc(w.q.Answers, func(a Answer) bool {
		return a.Prompt == name && (a.Character == "" || a.Character == s.Character)
	})
	if i < 0 {
		w.ask(ask, s)
		return w.take(name, s, s.Default, prompt.Choice(s.Choices, s.Default).GetAnswer())
	}
	a := w.q.Answers[i]
	if c := prompt.Choice(s.Choices, a.Choice); c != nil && c.Possible {
		values := completed(c.Inputs, a.Values)
		if len(values) == 0 && !slices.ContainsFunc(c.Inputs, func(in *tablev1.Input) bool { return in.MinCount > 0 }) {
			// It is taken as it is offered.
			w.given[i] = true
			return w.take(name, s, c.Id, c.Answer)
		}
		if filled, refusal := prompt.Fill(c.Answer, c.Inputs, values); refusal == nil {
			w.given[i] = true
			return w.take(name, s, c.Id, filled, values...)
		}
	}
	return w.take(name, s, s.Default, prompt.Choice(s.Choices, s.Default).GetAnswer())
}

func (w *walk) take(name string, s rule.Slot, choice string, a *tablev1.Answer, values ...*tablev1.Value) *tablev1.Answered {
	if w.q.Leaf != nil {
		w.answered = append(w.answered, Answer{Prompt: name, Character: s.Character, Choice: choice, Values: values})
	}
	return answered(s, choice, a)
}

func answered(s rule.Slot, choice string, a *tablev1.Answer) *tablev1.Answered {
	return &tablev1.Answered{Character: s.Character, Choice: choice, Answer: a, By: tablev1.AnsweredBy_ANSWERED_BY_POLICY}
}

// completed are values with the first of those that are listed where one is needed.
func completed(inputs []*tablev1.Input, values []*tablev1.Value) []*tablev1.Value {
	out := slices.Clone(values)
	for _, in := range inputs {
		if in.MinCount == 0 || slices.ContainsFunc(values, func(v *tablev1.Value) bool { return v.Name == in.Name }) {
			continue
		}
		if n := int(in.MinCount); len(in.Choices) >= n {
			out = append(out, &tablev1.Value{Name: in.Name, Values: in.Choices[:n]})
		}
	}
	return out
}

// ask notes a question that nobody has answered beforehand, if it is the first.
func (w *walk) ask(ask *rule.Window, s rule.Slot) {
	if w.question > 0 {
		return
	}
	for i, q := range w.questions {
		if q.prompt == ask.Name && q.character == s.Character {
			q.choices = joined(q.choices, s.Choices)
			w.question = i + 1
			return
		}
	}
	w.questions = append(w.questions, &asked{
		prompt: ask.Name, character: s.Character, def: s.Default, becauseOf: ask.BecauseOf, about: ask.About, choices: joined(nil, s.Choices),
	})
	w.question = len(w.questions)
}

// joined adds choices that are possible to those that were before.
func joined(all, more []*tablev1.PromptChoice) []*tablev1.PromptChoice {
	for _, c := range more {
		if c.Possible && prompt.Choice(all, c.Id) == nil {
			all = append(all, c)
		}
	}
	return all
}

// Emit implements rule.Runtime.
func (w *walk) Emit(e *tablev1.Event) {
	for _, c := range e.Changes {
		w.Change(c)
	}
	w.events++
	if w.past {
		return // it has happened, and was told
	}
	i := w.index(e)
	if !slices.Contains(w.met, i) {
		w.met = append(w.met, i)
	}
}

// index is the event's among those that were found.
func (w *walk) index(e *tablev1.Event) int {
	k := append(append(append(w.key[:0], e.Name...), 0), e.Actor...)
	for _, t := range e.Targets {
		k = append(append(k, 1), t...)
	}
	for _, f := range e.Facts {
		k = append(append(k, 2), f.Key...)
		for _, word := range f.Words {
			k = append(append(k, 3), word...)
		}
	}
	w.key = k
	i, ok := w.byKey[string(k)]
	if !ok {
		i = len(w.found)
		w.byKey[string(k)] = i
		w.found = append(w.found, &found{event: &tablev1.Event{
			Name: e.Name, Rule: e.Rule, Actor: e.Actor, Targets: slices.Clone(e.Targets), Audience: e.Audience, Facts: cloned(e.Facts),
		}})
	}
	if one := w.found[i].event; one.Rule != e.Rule {
		one.Rule = "" // of several
	}
	return i
}

func cloned(facts []*typev1.Fact) []*typev1.Fact {
	out := make([]*typev1.Fact, len(facts))
	for i, f := range facts {
		out[i] = &typev1.Fact{Key: f.Key, Of: f.Of, Audience: f.Audience, Words: slices.Clone(f.Words)}
	}
	return out
}

// Bare implements rule.Oracle.
func (w *walk) Bare() *rule.Bare { return &w.bare }

// Change implements rule.Runtime. Windows are not kept: nobody looks at them.
func (w *walk) Change(c *tablev1.Change) {
	if c.GetWindow() != nil {
		return
	}
	w.table.Apply(c)
	w.changes = append(w.changes, c)
}

// Tell implements rule.Runtime.
func (w *walk) Tell(string, string) {}

// EventNumber implements rule.Runtime.
func (w *walk) EventNumber() int32 { return w.events }

// Then implements rule.Runtime.
func (w *walk) Then(steps []*tablev1.Step) {
	c, err := rule.Push(w.table.State().Agenda, steps)
	if err != nil {
		panic(failed{err})
	}
	w.Change(c)
}

// classes are the states that a step leads to.
type classes struct {
	all   []*class
	byKey map[string]*class
}

// add takes in a state, with those that are the same.
func (cs *classes) add(w *walk, p weight) {
	net := netOf(w.changes)
	key := ""
	if !w.q.Apart {
		key = w.classKey(net)
		if c := cs.byKey[key]; c != nil {
			c.p.add(p)
			return
		}
	}
	c := &class{run: run{
		changes: net, met: slices.Clone(w.met), question: w.question, given: slices.Clone(w.given),
		thrown: past(w.thrown), answered: slices.Clone(w.answered),
	}}
	c.p.add(p)
	cs.all = append(cs.all, c)
	if !w.q.Apart {
		cs.byKey[key] = c
	}
}

// past are throws of steps that are over: the dice are used again.
func past(thrown []throw) []throw {
	out := make([]throw, len(thrown))
	for i, t := range thrown {
		g := t.given()
		out[i] = throw{dice: t.dice, was: &g}
	}
	return out
}

// netOf are the last changes of each slot, in an order in which they can be made.
func netOf(changes []*tablev1.Change) []*tablev1.Change {
	type slotted struct {
		slot string
		c    *tablev1.Change
	}
	var all []slotted
	for _, c := range changes {
		s := table.Slot(c)
		all = slices.DeleteFunc(all, func(o slotted) bool {
			return o.slot == s || (c.GetCharacter() != nil || c.GetDungeon() != nil) && strings.HasPrefix(o.slot, s+"/")
		})
		all = append(all, slotted{s, c})
	}
	// A sheet or a dungeon as a whole has the shorter name, and comes before its pieces.
	slices.SortStableFunc(all, func(a, b slotted) int { return strings.Compare(a.slot, b.slot) })
	out := make([]*tablev1.Change, len(all))
	for i, s := range all {
		out[i] = s.c
	}
	return out
}

// classKey is the same for states that go on in the same way: what was written, but
// for history that no later step reads, and what has happened.
func (w *walk) classKey(net []*tablev1.Change) string {
	k := w.key[:0]
	for _, c := range net {
		if p := c.GetPart(); p != nil && w.q.Rules.History != nil && w.q.Rules.History(p.After) {
			continue
		}
		k = binary.AppendUvarint(k, uint64(proto.Size(c)))
		// Never kept: it need be the same within this process only.
		b, err := proto.MarshalOptions{Deterministic: true, UseCachedSize: true}.MarshalAppend(k, c)
		if err != nil {
			panic(err) // a change of a state can always be written
		}
		k = b
	}
	met := slices.Clone(w.met)
	slices.Sort(met)
	k = fmt.Appendf(k, "%v %v %d", met, w.given, w.question)
	w.key = k
	return string(k)
}
