package resolve

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Budgets of one step, and of one command. Who exceeds them meets a bug of the
// rules, not a rule.
const (
	maxDice   = 1000
	maxEvents = 2000
	maxSteps  = 500
)

// DivergedError says that the replay of a waiting step came out otherwise than
// it was committed: the rules are not those that began it. The step is frozen.
type DivergedError struct {
	// Event is the index in the step of the first event that differs; -1 if the
	// rules asked for other dice or answers.
	Event int
	// Detail says what differs.
	Detail string
}

// Error says what differs.
func (e *DivergedError) Error() string {
	return fmt.Sprintf("resolve: the replay differs at event %d: %s", e.Event, e.Detail)
}

// What leaves a rule by panic; execute recovers it.
type (
	suspension struct{}
	refused    struct{ why *rule.Refusal }
	failed     struct{ err error }
)

// execution is one run of one step. It is the rule's runtime.
type execution struct {
	r     *Resolver
	run   *running
	env   *Env
	lever bool // no dice and no questions

	at      int // in run.journal
	added   []*tablev1.JournalEntry
	events  []*tablev1.Event
	loose   []*typev1.Die
	pending []*tablev1.Change // made, and waiting for an event to carry them
	closed  []*tablev1.Window // to be dropped with the first event that all are told of
	opened  int32             // windows and slots so far
	thrown  int32

	everybody *view.Everybody // who sees what by the options of this place; nil if not asked yet

	// Room for what a step mostly has, made with the execution.
	room struct {
		added  [6]*tablev1.JournalEntry
		events [12]*tablev1.Event
		loose  [4]*typev1.Die
	}
}

func newExecution(r *Resolver, run *running, env *Env) *execution {
	x := &execution{r: r, run: run, env: env}
	x.added, x.events, x.loose = x.room.added[:0], x.room.events[:0], x.room.loose[:0]
	return x
}

// execute runs a step from its base with its journal. If it waits run has the
// journal and the event bytes; the record has what is new of both. On an
// error the state is somewhere in the middle: the caller rolls back.
func (r *Resolver) execute(run *running, env *Env) (*tablev1.StepRun, error) {
	x := newExecution(r, run, env)
	suspended, err := x.guard(func() { x.step(); x.end() })
	if err != nil {
		return nil, err
	}
	if x.at != len(run.journal) {
		return nil, r.freeze(&DivergedError{Event: -1, Detail: "dice or answers are left over"})
	}
	rec := &tablev1.StepRun{Journal: x.added, Suspended: suspended}
	rec.Events = make([][]byte, 0, max(0, len(x.events)-len(run.events)))
	for i, e := range x.events {
		b, err := marshal(e)
		if err != nil {
			return nil, err
		}
		if i >= len(run.events) {
			rec.Events = append(rec.Events, b)
			continue
		}
		if !bytes.Equal(b, run.events[i]) && !proto.Equal(e, unmarshal(run.events[i])) {
			return nil, r.freeze(&DivergedError{Event: i, Detail: e.Name})
		}
	}
	if len(x.events) < len(run.events) {
		return nil, r.freeze(&DivergedError{Event: len(x.events), Detail: "events are missing"})
	}
	r.hand(x.events[len(run.events):])
	if suspended {
		run.events = append(run.events, rec.Events...)
		run.journal = append(run.journal, x.added...)
	}
	return rec, nil
}

func (r *Resolver) freeze(err *DivergedError) error {
	r.frozen = true
	return err
}

// guard runs f. It is the only place that recovers: a suspension is no error, a
// refusal and a budget are what they say, all else is a bug of the rules.
func (x *execution) guard(f func()) (suspended bool, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case suspension:
			suspended = true
		case refused:
			err = v.why
		case failed:
			err = v.err
		default:
			err = &rule.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	f()
	return false, nil
}

// refuses asks the rules whether they refuse a command. It returns the refusal, a
// *PanicError for a bug of the rules, or nil.
func refuses(valid func() *rule.Refusal) error {
	var refusal *rule.Refusal
	x := &execution{}
	if _, err := x.guard(func() { refusal = valid() }); err != nil {
		return err
	}
	if refusal != nil {
		return refusal
	}
	return nil
}

// step runs the step's rule.
func (x *execution) step() {
	if info, _ := x.r.rules.Action(x.run.step.GetAction()); info != nil && !info.Lever {
		x.closed = closed(x.r.State().Windows)
	}
	x.r.rules.RunStep(rule.NewCtx(*x.r.view(x.env), x, x.run.step.Audience), x.run.step)
}

// closed are the windows that nobody answers any more.
func closed(all []*tablev1.Window) []*tablev1.Window {
	var out []*tablev1.Window
	for _, w := range all {
		if !w.Open {
			out = append(out, w)
		}
	}
	return out
}

// forgetClosed drops the windows that were still addressable since the last action, as
// soon as the next one is known to everybody: who addresses one is told something else
// when it is gone, and would know by it that something was done in secret.
func (x *execution) forgetClosed(e *tablev1.Event) {
	if len(x.closed) == 0 || e.Audience != rule.Public || !x.toldToAll(e.Name) {
		return
	}
	for _, w := range x.closed {
		x.Change(forgotten(w))
	}
	x.closed = nil
}

// toldToAll reports whether an event of a name is told, whatever of it is hidden.
func (x *execution) toldToAll(name string) bool {
	switch name {
	case namePromptOpened.String(), nameSceneEnded.String():
		return true
	}
	return x.r.rules.PublicName == nil || x.r.rules.PublicName(name)
}

func forgotten(w *tablev1.Window) *tablev1.Change {
	gone := &tablev1.WindowChange{Id: w.Id, Removed: true}
	return &tablev1.Change{Change: &tablev1.Change_Window{Window: gone}}
}

// end gives what is loose at the end of a step to an event.
func (x *execution) end() {
	x.flushDice()
	if len(x.pending) == 0 {
		return
	}
	if n := len(x.events); n > len(x.run.events) && carries(x.events[n-1], x.pending) {
		last := x.events[n-1]
		last.Changes = append(last.Changes, x.pending...)
		x.pending = nil
		return
	}
	x.carry()
}

// carries reports whether an event can carry changes: whoever sees one of them is told
// of the event.
func carries(e *tablev1.Event, changes []*tablev1.Change) bool {
	return e.Audience == rule.Public || !slices.ContainsFunc(changes, shows)
}

// shows reports whether somebody at the table may see a change: agenda and windows are
// the server's.
func shows(c *tablev1.Change) bool { return c.GetAgenda() == nil && c.GetWindow() == nil }

// carry gives the changes that wait for a carrier an event of their own. Whoever sees one
// of them is told of it, and nobody else.
func (x *execution) carry() {
	e := &tablev1.Event{Name: nameStepTaken.String(), Audience: rule.Public, Changes: x.pending}
	x.pending = nil
	x.events = append(x.events, e)
}

// Change writes to the state now; the next event will carry it.
func (x *execution) Change(c *tablev1.Change) {
	x.r.table.Apply(c)
	x.pending = append(x.pending, c)
}

// Emit takes an event of a rule.
func (x *execution) Emit(e *tablev1.Event) {
	e.Dice, x.loose = append(e.Dice, x.loose...), x.loose[:0]
	x.emit(e)
}

// emit makes an event's changes and keeps it.
func (x *execution) emit(e *tablev1.Event) {
	x.forgetClosed(e)
	x.keep(e)
}

// keep makes an event's changes and keeps it as it is. Changes that wait for a carrier
// were made before, so they stand first.
func (x *execution) keep(e *tablev1.Event) {
	mustBeTold(e, x.all)
	if !carries(e, x.pending) {
		x.carry()
	}
	x.r.apply(e)
	if len(x.pending) > 0 {
		e.Changes = append(x.pending, e.Changes...)
		x.pending = nil
	}
	x.events = append(x.events, e)
	if len(x.events) > maxEvents {
		panic(failed{&rule.BudgetError{What: "events", Limit: maxEvents}})
	}
}

// EventNumber returns the number in the step of the event emitted last, from 1.
func (x *execution) EventNumber() int32 { return int32(len(x.events)) }

// Then puts steps on the agenda, the first of them to run next.
func (x *execution) Then(steps []*tablev1.Step) {
	change, err := rule.Push(x.r.State().Agenda, steps)
	if err != nil {
		panic(failed{err})
	}
	x.Change(change)
}

// next returns the journal entry that a replay meets next, or nil at its end.
func (x *execution) next() *tablev1.JournalEntry {
	if x.at < len(x.run.journal) {
		return x.run.journal[x.at]
	}
	return nil
}

// take consumes an entry, which must be of this place in the rules.
func (x *execution) take(label string) *tablev1.JournalEntry {
	e := x.next()
	if e.Label != label {
		panic(failed{x.r.freeze(&DivergedError{Event: -1, Detail: "asked for " + label + ", the journal has " + e.Label})})
	}
	x.at++
	return e
}

// injected re-applies what levers did while the step was suspended here.
func (x *execution) injected() {
	for e := x.next(); e != nil && e.GetInjected() != nil; e = x.next() {
		x.at++
		for _, b := range e.GetInjected().Events {
			x.keep(unmarshal(b))
		}
		x.everybody = nil // options may have been set
	}
}

// inject runs what may be done at any time: at once, or as an entry in the
// journal of the step that waits.
func (r *Resolver) inject(env *Env, audience typev1.Audience, f func(*rule.Ctx)) (*tablev1.StepRun, error) {
	if err := r.leftOver(env); err != nil {
		return nil, err // a lever throws no dice
	}
	x := &execution{r: r, run: &running{}, env: env, lever: true}
	mark := r.table.Mark()
	c := rule.NewCtx(*r.view(env), x, audience)
	if _, err := x.guard(func() { f(c); x.end() }); err != nil {
		r.table.Rollback(mark)
		return nil, err
	}
	rec := &tablev1.StepRun{Suspended: r.running != nil}
	for _, e := range x.events {
		b, err := marshal(e)
		if err != nil {
			r.table.Rollback(mark)
			return nil, err
		}
		rec.Events = append(rec.Events, b)
	}
	r.hand(x.events)
	if r.running != nil {
		entry := &tablev1.JournalEntry{Label: "injected", Entry: &tablev1.JournalEntry_Injected{Injected: &tablev1.Injected{Events: rec.Events}}}
		rec.Journal = []*tablev1.JournalEntry{entry}
		r.running.journal = append(r.running.journal, entry)
		r.running.events = append(r.running.events, rec.Events...)
	}
	return rec, nil
}

func marshal(m proto.Message) ([]byte, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("resolve: an event that cannot be stored: %w", err) // A text that is no UTF-8.
	}
	return b, nil
}

func unmarshal(b []byte) *tablev1.Event {
	e := &tablev1.Event{}
	if err := proto.Unmarshal(b, e); err != nil {
		panic(failed{fmt.Errorf("resolve: a damaged event: %w", err)})
	}
	return e
}
