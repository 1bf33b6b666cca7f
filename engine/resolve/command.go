package resolve

import (
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Create begins the log: the ruleset with its pack, and the options that differ
// from their defaults. Of the epochs of dice that are committed the first begins;
// none for a table whose dice nobody checks.
func (r *Resolver) Create(options []*tablev1.Option, committed ...*tablev1.DiceEpoch) (*tablev1.Commit, error) {
	for _, o := range options {
		if refusal := r.rules.Options.Check(o.Key, o.Value); refusal != nil {
			return nil, refusal
		}
	}
	create := &tablev1.Create{Ruleset: r.rules.Name, Pack: r.rules.Pack.Hash, Options: options}
	c := r.begin(&Env{}, &tablev1.Command{What: &tablev1.Command_Create{Create: create}})
	e := &tablev1.Event{Name: nameTableCreated.String(), Audience: rule.Public}
	for _, o := range options {
		e.Changes = append(e.Changes, &tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: o}}})
	}
	for i, d := range committed {
		if i == 0 {
			d = begun(d)
		}
		e.Changes = append(e.Changes, epochIs(d))
	}
	b, err := marshal(e)
	if err != nil {
		return nil, err
	}
	r.table.Begin(create.Ruleset, create.Pack)
	r.apply(e)
	r.hand([]*tablev1.Event{e})
	c.Runs = []*tablev1.StepRun{{Events: [][]byte{b}}}
	return r.finish(c), nil
}

// SetOptions sets table switches, also while a step waits: its replay meets them
// where it waits now, so that what it read before stays what it was.
func (r *Resolver) SetOptions(env Env, options []*tablev1.Option) (*tablev1.Commit, error) {
	if len(options) == 0 {
		return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "options").Say("no_options")
	}
	for i, o := range options {
		if refusal := r.rules.Options.Check(o.Key, o.Value); refusal != nil {
			return nil, refusal
		}
		if slices.ContainsFunc(options[:i], func(e *tablev1.Option) bool { return e.Key == o.Key }) {
			return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "options.key").Say("stands_twice", rule.WordOf("what", o.Key))
		}
	}
	what := &tablev1.Command_Options{Options: &tablev1.SetOptions{Options: options}}
	return r.aside(&env, &tablev1.Command{What: what}, func(ctx *rule.Ctx) {
		var keys, values []string
		e := ctx.Event(nameOptionsChanged, "", "")
		sight := false
		for _, o := range options {
			keys, values = append(keys, o.Key), append(values, o.Value)
			e.Change(&tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: o}}})
			sight = sight || rule.DecidesOnSight(o.Key)
		}
		if sight {
			// Who sees more of the sheets now, or less, is told what.
			for _, c := range ctx.State.Characters {
				// A copy: the row in force may be written again, once the step is rolled back.
				e.Change(rule.AddCharacter(proto.CloneOf(c)))
			}
		}
		ctx.Emit(e.Words(factOption, "", rule.Public, keys...).Words(factSetting, "", rule.Public, values...))
	})
}

// Act resolves a declared action to its end, or until somebody must decide. It
// returns a *rule.Refusal if the action is turned down; then nothing was changed.
func (r *Resolver) Act(env Env, actor string, action *tablev1.Action, audience typev1.Audience) (*tablev1.Commit, error) {
	info, m, err := r.checkAct(&env, actor, action, audience)
	if err != nil {
		return nil, err
	}
	c := r.begin(&env, &tablev1.Command{
		Actor: actor, Audience: audience, GivenDice: notations(env.Given),
		What: &tablev1.Command_Action{Action: action},
	})
	if r.running != nil {
		run, err := r.inject(&env, audience, func(ctx *rule.Ctx) { info.Run(ctx, actor, m) })
		if err != nil {
			return nil, err
		}
		if info.Cancels {
			run.Suspended = false
			r.running, r.frozen = nil, false
		}
		c.Runs = append(c.Runs, run)
		return r.finish(c), nil
	}
	step := &tablev1.Step{Actor: actor, Audience: audience, What: &tablev1.Step_Action{Action: action}}
	return r.chainFrom(c, &env, step)
}

// CheckAct refuses what Act refuses before the first die, with the same words.
func (r *Resolver) CheckAct(env Env, actor string, action *tablev1.Action) error {
	_, _, err := r.checkAct(&env, actor, action, typev1.Audience_AUDIENCE_UNSPECIFIED)
	return err
}

func (r *Resolver) checkAct(env *Env, actor string, action *tablev1.Action, audience typev1.Audience) (*rule.ActionInfo, proto.Message, error) {
	info, m := r.rules.Action(action)
	if m == nil {
		return nil, nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "action").Say("oneof", rule.Code("names", r.rules.Name, "core"))
	}
	if info == nil {
		return nil, nil, rule.Core(tablev1.Reason_REASON_WRONG_RULESET, "action")
	}
	view := r.view(env)
	if refusal := r.mayAct(view, info, actor); refusal != nil {
		return nil, nil, refusal
	}
	if !info.Secret && audience != typev1.Audience_AUDIENCE_UNSPECIFIED && audience != rule.Public {
		return nil, nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "audience").Say("cannot_be_secret")
	}
	if r.paused() && !whilePaused(info, env.Seat) {
		return nil, nil, pausedRefusal()
	}
	if r.running != nil && !info.Lever {
		return nil, nil, r.pending()
	}
	if err := refuses(func() *rule.Refusal { return info.Valid(view, actor, m) }); err != nil {
		return nil, nil, err
	}
	return info, m, nil
}

// mayAct refuses a seat that may not declare this action for this actor.
func (r *Resolver) mayAct(v *rule.View, info *rule.ActionInfo, actor string) *rule.Refusal {
	if info.GM && !v.Seat.GM {
		return rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "action").Say("gm_only")
	}
	if info.Table {
		if actor != "" {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "actor").Say("no_actor")
		}
		return nil
	}
	if v.Character(actor) == nil {
		return unknownCharacter(v, "actor", actor)
	}
	if !v.Seat.GM && !v.Controls(actor) {
		return rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "actor").Say("another_seat_controls")
	}
	return nil
}

func unknownCharacter(v *rule.View, field, id string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field).Suggest(id, v.CharacterIDs())
}

// paused reports whether the GM has stopped play.
func (r *Resolver) paused() bool { return pausedIn(r.rules, r.State()) }

func pausedIn(rules *rule.Ruleset, s *tablev1.State) bool {
	return rules.Options.Value(s.Options, rule.Paused) == "true"
}

// whilePaused reports whether a seat may declare an action at a paused table.
func whilePaused(info *rule.ActionInfo, s rule.Seat) bool { return info.Lever && s.GM }

func pausedRefusal() *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_TABLE_PAUSED, "")
}

// pending refuses what cannot be declared while the table waits for somebody.
func (r *Resolver) pending() *rule.Refusal {
	if r.frozen {
		return rule.Core(tablev1.Reason_REASON_FROZEN, "")
	}
	return rule.Core(tablev1.Reason_REASON_PROMPT_PENDING, "")
}

func (r *Resolver) view(env *Env) *rule.View {
	v := r.View(env.Seat)
	v.Refs = func(sequence string) rule.EventRef { return r.ref(env, sequence) }
	return v
}

// ref finds an event by its sequence number, in the waiting step or before it.
func (r *Resolver) ref(env *Env, decimal string) rule.EventRef {
	sequence, err := strconv.ParseInt(decimal, 10, 64)
	if err != nil || sequence < 1 || sequence > r.event || r.undone.has(sequence) {
		return rule.EventRef{}
	}
	if run := r.running; run != nil && sequence >= run.first {
		// Between two commits of a step nothing else is committed.
		return rule.EventRef{Event: unmarshal(run.events[sequence-run.first]), Open: true}
	}
	if env.Past == nil {
		return rule.EventRef{}
	}
	return rule.EventRef{Event: env.Past(sequence)}
}

// chainFrom runs a step and then the agenda, until it is empty or a step waits.
func (r *Resolver) chainFrom(c *tablev1.Commit, env *Env, first *tablev1.Step) (*tablev1.Commit, error) {
	r.table.Forget()
	waits, err := r.work(c, env, first)
	if err != nil {
		r.table.Rollback(0)
		return nil, err
	}
	r.running = waits
	return r.finish(c), nil
}

// goOn runs the waiting step again with what was added to its journal, then the agenda.
func (r *Resolver) goOn(c *tablev1.Commit, env *Env, added []*tablev1.JournalEntry) (*tablev1.Commit, error) {
	was := *r.running
	run := was
	run.journal, run.since, run.late = slices.Concat(was.journal, added), len(was.journal), 0
	r.table.Rollback(run.base)
	waits, err := r.again(c, env, &run, added)
	if err != nil {
		r.table.Rollback(was.base)
		r.reapply(&was)
		r.running = &was
		return nil, err
	}
	r.running = waits
	return r.finish(c), nil
}

// reapply has the state be where a step waits, from the one before the step.
func (r *Resolver) reapply(run *running) {
	for _, b := range run.events {
		r.apply(unmarshal(b))
	}
}

// again runs a step that waited. It returns the step that waits now, or nil.
func (r *Resolver) again(c *tablev1.Commit, env *Env, run *running, added []*tablev1.JournalEntry) (*running, error) {
	rec, err := r.execute(run, env)
	if err != nil {
		return nil, err
	}
	rec.Journal = append(added[:len(added)-run.late:len(added)-run.late], rec.Journal...)
	c.Runs = append(c.Runs, rec)
	if rec.Suspended {
		return run, r.leftOver(env)
	}
	return r.work(c, env, r.nextStep())
}

// work runs a step and the agenda after it. It returns the step that waits, or
// nil; the caller rolls back on an error.
func (r *Resolver) work(c *tablev1.Commit, env *Env, step *tablev1.Step) (*running, error) {
	for step != nil {
		if len(c.Runs) >= maxSteps {
			return nil, &rule.BudgetError{What: "steps", Limit: maxSteps}
		}
		run := &running{
			step: step, base: r.table.Mark(), commit: c.Number, run: int32(len(c.Runs)),
			first: c.FirstEvent + countEvents(c),
		}
		if n := len(c.Runs); r.redo != nil && n < len(r.redo.Runs) {
			run.journal = r.redo.Runs[n].Journal
		}
		rec, err := r.execute(run, env)
		if err != nil {
			return nil, err
		}
		rec.Step = step
		c.Runs = append(c.Runs, rec)
		if rec.Suspended {
			return run, r.leftOver(env)
		}
		step = r.nextStep()
	}
	return nil, r.leftOver(env)
}

func countEvents(c *tablev1.Commit) int64 {
	n := 0
	for _, run := range c.Runs {
		n += len(run.Events)
	}
	return int64(n)
}

func (r *Resolver) nextStep() *tablev1.Step {
	agenda := r.State().Agenda
	if len(agenda) == 0 {
		return nil
	}
	return agenda[len(agenda)-1]
}
