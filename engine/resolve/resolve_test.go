package resolve_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

var (
	spot = &cocv1.Check{Skill: "spot"}
	hit  = &cocv1.Attack{Target: "thug"}
)

func TestAct(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", spot, "1D100=44"))
	g.wantNames("check_resolved")
	g.wantJournal("dice check")
	events, _ := resolve.Events(g.last)
	if d := events[0].Dice; len(d) != 1 || d[0].Label != "check" || d[0].Of != "officer" || d[0].Faces[0] != 44 || d[0].Given {
		t.Errorf("the event's dice are %v", d)
	}
	if c := g.last.Command; c.Seat != "anna" || c.Actor != "officer" || c.GetAction().GetCoc().GetCheck() == nil {
		t.Errorf("the command is %v", c)
	}
}

// What no event of a rule carries gets one: dice one of their own, changes the
// step's last one, or one of their own, so that whoever sees them is told.
func TestWhatIsLoose(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", &cocv1.Check{Skill: "quiet"}))
	g.wantNames("step_taken")
	if g.hp("officer") != 2 {
		t.Error("the change is lost")
	}
	g.must(act(anna, "officer", &cocv1.Check{Skill: "loose"}, "1D100=7"))
	g.wantNames("dice_rolled")
	if g.hp("officer") != 3 {
		t.Error("the change is lost")
	}
	g.must(act(anna, "officer", &cocv1.Check{Skill: "narrow"}))
	g.wantNames("step_taken", "check_resolved", "step_taken")
	events, _ := resolve.Events(g.last)
	for i, want := range []int32{4, 5, 6} {
		if e := events[i]; len(e.Changes) != 1 || e.Changes[0].GetResource().After.GetValue() != want || (e.Audience == rule.Public) != (want != 5) {
			t.Errorf("event %d: %v", i, e)
		}
	}
}

func TestSuspension(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", hit, "1D100=31"))
	g.wantNames("check_resolved", "prompt_opened")
	if !g.r.Waiting() || !g.last.Runs[0].Suspended {
		t.Fatal("nothing waits")
	}
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.wantNames("prompt_answered", "prompt_opened")
	g.must(answer(gm, "defend", "thug", "dodge", "1D100=80", "1D6=5"))
	g.wantNames("prompt_answered", "attack_hit", "hp_changed")
	g.wantJournal("answer defend", "dice dodge", "dice damage")
	if g.r.Waiting() || g.hp("thug") != 7 {
		t.Errorf("waiting %v, hp %d", g.r.Waiting(), g.hp("thug"))
	}
	// What is settled is forgotten with the next action.
	if len(g.r.State().Windows) != 2 {
		t.Errorf("windows %v", g.r.State().Windows)
	}
	g.must(act(anna, "officer", spot, "1D100=44"))
	if len(g.r.State().Windows) != 0 {
		t.Errorf("windows %v", g.r.State().Windows)
	}
}

// The thug attacks the student, whom officer and nurse may cover.
func TestFirstTaker(t *testing.T) {
	strike := &cocv1.Attack{Target: "student"}
	t.Run("one takes it", func(t *testing.T) {
		g := newGame(t)
		g.must(act(gm, "thug", strike, "1D100=31"))
		g.must(answer(bert, "cover", "nurse", "cover"))
		g.wantNames("prompt_answered", "prompt_withdrawn", "covered", "prompt_opened")
		w := find(g.r, "cover")
		if w.Open || w.TakenBy != "nurse" || w.Slots[1].State != tablev1.SlotState_SLOT_STATE_WITHDRAWN {
			t.Errorf("the window is %v", w)
		}
		g.refused("PROMPT_CLOSED", answer(anna, "cover", "officer", "cover"))
		g.refused("PROMPT_CLOSED", answer(bert, "cover", "nurse", "decline"))
		g.must(answer(bert, "defend", "nurse", "none", "1D6=2"))
		if g.hp("nurse") != 10 || g.hp("student") != 12 {
			t.Error("the wrong one was hurt")
		}
	})
	t.Run("nobody takes it", func(t *testing.T) {
		g := newGame(t)
		g.must(act(gm, "thug", strike, "1D100=31"))
		g.must(answer(anna, "cover", "officer", "decline"))
		g.wantNames("prompt_answered")
		g.must(answer(bert, "cover", "nurse", "decline"))
		g.wantNames("prompt_answered", "prompt_opened")
		g.must(answer(bert, "defend", "student", "none", "1D6=2"))
		if g.hp("student") != 10 {
			t.Error("the wrong one was hurt")
		}
	})
	t.Run("several answers at once, all or none", func(t *testing.T) {
		g := newGame(t)
		g.must(act(gm, "thug", strike, "1D100=31"))
		both := func(a, b string) []resolve.SlotAnswer {
			return []resolve.SlotAnswer{{Character: "officer", Choice: a}, {Character: "nurse", Choice: b}}
		}
		g.refused("UNKNOWN_CHOICE", reply(gm, "cover", both("decline", "hide"), nil))
		g.refused("INVALID_FIELD", reply(gm, "cover", []resolve.SlotAnswer{{Character: "nurse", Choice: "decline"}, {Character: "nurse", Choice: "cover"}}, nil))
		g.refused("INVALID_FIELD", reply(gm, "cover", nil, nil))
		g.must(reply(gm, "cover", both("decline", "decline"), nil))
		g.wantJournal("answer cover", "answer cover")
		g.wantNames("prompt_answered", "prompt_answered", "prompt_opened")
	})
	t.Run("several answers at once, the first takes it", func(t *testing.T) {
		g := newGame(t)
		g.must(act(gm, "thug", strike, "1D100=31"))
		all := []resolve.SlotAnswer{{Character: "nurse", Choice: "cover"}, {Character: "officer", Choice: "cover"}}
		g.must(reply(gm, "cover", all, nil))
		g.wantJournal("answer cover")
		g.wantNames("prompt_answered", "prompt_withdrawn", "covered", "prompt_opened")
		g.must(answer(bert, "defend", "nurse", "none", "1D6=2"))
		if g.hp("nurse") != 10 || g.hp("student") != 12 {
			t.Error("the wrong one was hurt")
		}
	})
}

// Who has nothing to decide is not asked, unless everybody always is.
func TestWindowPolicy(t *testing.T) {
	net := &cocv1.Attack{Target: "thug", Weapon: "net"}
	t.Run("honest", func(t *testing.T) {
		g := newGame(t)
		g.must(act(anna, "officer", net, "1D100=31"))
		g.must(answer(gm, "cover", "thug-2", "decline", "1D6=3"))
		g.wantNames("prompt_answered", "attack_hit", "hp_changed")
		// The window is kept, so that whoever answers it is told.
		if w := find(g.r, "defend"); w.Open || len(w.Slots) != 0 {
			t.Errorf("%v", w)
		}
		g.refused("PROMPT_CLOSED", answer(gm, "defend", "thug", "none"))
	})
	t.Run("always_ask", func(t *testing.T) {
		g := newGame(t, &tablev1.Option{Key: "window_policy", Value: "always_ask"})
		g.must(act(anna, "officer", net, "1D100=31"))
		g.must(answer(gm, "cover", "thug-2", "decline"))
		g.refused("UNKNOWN_CHOICE", answer(gm, "defend", "thug", "parry"))
		g.must(answer(gm, "defend", "thug", "none", "1D6=3"))
	})
}

func TestTypedAnswer(t *testing.T) {
	typed := func(d *cocv1.Defend) []resolve.SlotAnswer {
		return []resolve.SlotAnswer{{Character: "thug", Answer: rule.Wrap[*tablev1.Answer](d)}}
	}
	dodge := &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}
	defending := func(t *testing.T) *game {
		g := newGame(t)
		g.must(act(anna, "officer", hit, "1D100=31"))
		g.must(answer(gm, "cover", "thug-2", "decline"))
		return g
	}
	t.Run("is taken as the choice that it fills in", func(t *testing.T) {
		g := defending(t)
		g.must(reply(gm, "defend", typed(&cocv1.Defend{Kind: dodge, Dedicate: true}), nil, "1D100=30"))
		a := g.last.Runs[0].Journal[0].GetAnswer()
		if a.Choice != "dodge" || !a.GetAnswer().GetCoc().GetDefend().Dedicate {
			t.Errorf("taken as %v", a)
		}
	})
	for name, c := range map[string]struct {
		answers []resolve.SlotAnswer
		reason  string
	}{
		"what no choice says":           {typed(&cocv1.Defend{}), "UNKNOWN_CHOICE"},
		"a barred choice":               {typed(&cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{}}}), "UNKNOWN_CHOICE"},
		"a barred choice by its id":     {[]resolve.SlotAnswer{{Character: "thug", Choice: "parry"}}, "UNKNOWN_CHOICE"},
		"what the rules refuse":         {typed(&cocv1.Defend{Kind: dodge, UsePlus10: true}), "NO_RIGHT"},
		"another prompt's answer":       {[]resolve.SlotAnswer{{Character: "thug", Answer: rule.Wrap[*tablev1.Answer](&cocv1.Cover{})}}, "INVALID_FIELD"},
		"nothing":                       {[]resolve.SlotAnswer{{Character: "thug"}}, "INVALID_FIELD"},
		"an empty answer":               {[]resolve.SlotAnswer{{Character: "thug", Answer: &tablev1.Answer{}}}, "INVALID_FIELD"},
		"an unknown character":          {[]resolve.SlotAnswer{{Character: "thugg", Choice: "dodge"}}, "NOT_FOUND"},
		"one who is not asked":          {[]resolve.SlotAnswer{{Character: "thug-2", Choice: "dodge"}}, "PROMPT_CLOSED"},
		"the table, which is not asked": {[]resolve.SlotAnswer{{Choice: "dodge"}}, "PROMPT_CLOSED"},
		"values that are not asked for": {[]resolve.SlotAnswer{{Character: "thug", Choice: "dodge", Values: []*tablev1.Value{{Name: "how"}}}}, "INVALID_FIELD"},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			defending(t).refused(c.reason, reply(gm, "defend", c.answers, nil))
		})
	}
}

// An answer to a window as it was before others answered changes nothing.
func TestStaleWindow(t *testing.T) {
	g := newGame(t)
	g.must(act(gm, "thug", &cocv1.Attack{Target: "student"}, "1D100=31"))
	old := find(g.r, "cover")
	stale := func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Answer(resolve.Env{Seat: gm}, old, []resolve.SlotAnswer{{Character: "nurse", Choice: "cover"}})
	}
	g.must(answer(bert, "cover", "nurse", "decline"))
	g.refused("PROMPT_CLOSED", stale)
	g.must(answer(anna, "cover", "officer", "decline"))
	g.refused("PROMPT_CLOSED", stale)
	g.must(answer(bert, "defend", "student", "none", "1D6=2"))
	g.must(act(gm, "thug", hit, "1D100=31"))
	g.refused("PROMPT_CLOSED", stale)
	g.must(answer(gm, "cover", "thug-2", "decline"))
}

// What is refused draws no die, and nothing shows that it was tried; the next
// command falls out as if it had not been.
func TestRefusals(t *testing.T) {
	idle := func(t *testing.T) *game { return newGame(t) }
	waiting := func(t *testing.T) *game {
		g := newGame(t)
		g.must(act(anna, "officer", hit, "1D100=31"))
		return g
	}
	for _, c := range []struct {
		name   string
		at     func(t *testing.T) *game
		do     command
		reason string
	}{
		{"no action", idle, func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: gm}, "officer", nil, 0)
		}, "INVALID_FIELD"},
		{"an empty action", idle, func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: gm}, "officer", &tablev1.Action{}, 0)
		}, "INVALID_FIELD"},
		{"an empty action of the ruleset", idle, func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: gm}, "officer", &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{}}}, 0)
		}, "INVALID_FIELD"},
		{"an action that the ruleset does not take", idle, act(gm, "officer", &cocv1.Draw{}), "WRONG_RULESET"},
		{"the rules refuse", idle, act(anna, "officer", &cocv1.Check{Skill: "swim"}), "UNKNOWN_SKILL"},
		{"another's character", idle, act(bert, "officer", spot), "NOT_YOUR_SEAT"},
		{"somebody who looks on", idle, act(lurk, "officer", spot), "NOT_YOUR_SEAT"},
		{"an NPC is the GM's", idle, act(anna, "thug", spot), "NOT_YOUR_SEAT"},
		{"an unknown character", idle, act(anna, "oficer", spot), "NOT_FOUND"},
		{"no character", idle, act(anna, "", spot), "NOT_FOUND"},
		{"the GM's action", idle, act(anna, "", &tablev1.Note{Text: "x"}), "NOT_YOUR_SEAT"},
		{"a character for what no character does", idle, act(gm, "officer", &tablev1.Note{Text: "x"}), "INVALID_FIELD"},
		{"a character that is there", idle, func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.AddCharacter(resolve.Env{Seat: gm}, sheet("thug"))
		}, "ALREADY_EXISTS"},
		{"an action while somebody must decide", waiting, act(anna, "officer", spot), "PROMPT_PENDING"},
		{"the end of the scene while somebody must decide", waiting, act(gm, "", &tablev1.EndScene{}), "PROMPT_PENDING"},
		{"a fixture while somebody must decide", waiting, func(r *resolve.Resolver) (*tablev1.Commit, error) { return r.Fixture() }, "PROMPT_PENDING"},
		{"another's prompt", waiting, answer(anna, "cover", "thug-2", "cover"), "NOT_YOUR_SEAT"},
		{"a choice that is not offered", waiting, answer(gm, "cover", "thug-2", "covers"), "UNKNOWN_CHOICE"},
		{"a lever that is not the seat's", waiting, act(anna, "", &tablev1.Modify{Character: "thug"}), "NOT_YOUR_SEAT"},
		{"dice for a lever", waiting, func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: gm, Given: given("1D6=3")}, "", action(&tablev1.Note{Text: "x"}), 0)
		}, "BAD_DICE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := c.at(t)
			g.refused(c.reason, c.do) // do throws no dice: an empty list has none
		})
	}
	t.Run("the nearest name is suggested", func(t *testing.T) {
		err := idle(t).do(act(anna, "oficer", spot))
		if why, ok := err.(*rule.Refusal); !ok || why.Nearest != "officer" {
			t.Errorf("%#v", err)
		}
	})
}

func TestStanding(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", spot, "1D100=1"))
	g.wantNames("check_resolved", "prompt_opened")
	if g.r.Waiting() {
		t.Fatal("it holds the table up")
	}
	// It outlives other actions, and may be answered while a step waits.
	g.must(act(anna, "officer", hit, "1D100=44"))
	g.refused("NOT_YOUR_SEAT", answer(anna, "critical_benefit", "", "plus10"))
	g.must(answer(gm, "critical_benefit", "", "plus10"))
	g.wantNames("prompt_answered", "right_gained")
	g.wantJournal("injected")
	g.refused("PROMPT_CLOSED", answer(gm, "critical_benefit", "", "plus10"))
	g.must(answer(gm, "cover", "thug-2", "decline"))
	g.must(answer(gm, "defend", "thug", "none", "1D6=1"))
	if table.Status(table.Character(g.r.State(), "officer"), "plus10_right") == nil {
		t.Error("no right")
	}

	// Idle, the answer is a step of its own.
	g.must(act(bert, "nurse", spot, "1D100=2"))
	g.must(answer(gm, "critical_benefit", "", "nothing"))
	g.wantNames("prompt_answered")

	// The end of the scene takes the defaults of all that are left.
	g.must(act(bert, "nurse", spot, "1D100=3"))
	g.must(act(bert, "student", spot, "1D100=4"))
	g.must(act(gm, "", &tablev1.EndScene{}))
	g.wantNames("prompt_answered", "right_gained", "prompt_answered", "right_gained", "scene_ended")
	if table.Clock(g.r.State(), typev1.Clock_CLOCK_SCENE) != 1 {
		t.Error("the scene did not end")
	}
}

// Steps of the agenda run after the action, each with its own journal; one in
// the middle may wait.
func TestAgenda(t *testing.T) {
	g := newGame(t)
	g.must(act(anna, "officer", &cocv1.EndTurn{}))
	g.wantNames("turn_started", "round_declared", "prompt_opened")
	if len(g.last.Runs) != 3 || len(g.r.State().Agenda) != 1 {
		t.Fatalf("%d runs, agenda %v", len(g.last.Runs), g.r.State().Agenda)
	}
	for i, run := range g.last.Runs {
		if run.Suspended != (i == 2) || run.Step == nil {
			t.Errorf("run %d: %v", i, run)
		}
	}
	g.must(act(gm, "", &tablev1.Note{Text: "in the middle of a chain"}))
	g.refused("UNKNOWN_CHOICE", answer(gm, "combat_continues", "", "perhaps"))
	g.must(answer(gm, "combat_continues", "", "no", "1D100=9"))
	g.wantNames("prompt_answered", "special_decided", "combat_ended", "step_taken")
	if len(g.r.State().Agenda) != 0 || g.r.Waiting() {
		t.Errorf("agenda %v", g.r.State().Agenda)
	}
	if g.last.Runs[0].Step != nil || g.last.Runs[1].Step.GetArgs().GetCoc().GetCombatEnd().GetResult() != "ended" {
		t.Errorf("runs %v", g.last.Runs)
	}
}

func TestIDsAreUnique(t *testing.T) {
	g := newGame(t)
	g.must(act(gm, "thug", &cocv1.Attack{Target: "student"}, "1D100=31"))
	g.must(answer(anna, "cover", "officer", "cover"))
	g.must(answer(anna, "defend", "officer", "none", "1D6=2"))
	var seen []string
	for _, w := range g.r.State().Windows {
		seen = append(seen, w.Id)
		for _, s := range w.Slots {
			seen = append(seen, s.Id)
		}
	}
	slices.Sort(seen)
	if len(seen) != 5 || len(slices.Compact(slices.Clone(seen))) != 5 {
		t.Errorf("ids %v", seen)
	}
}

func TestOffers(t *testing.T) {
	g := newGame(t)
	view := func(s rule.Seat) *rule.View { return g.r.View(s) }
	offers := resolve.Offers(g.r.Rules(), view(bert))
	var actors []string
	for _, o := range offers {
		actors = append(actors, o.Actor)
		if len(o.Id) == 0 || len(o.Id) > 24 {
			t.Errorf("id %q", o.Id)
		}
		if resolve.Offer(g.r.Rules(), view(bert), o.Id).GetActor() != o.Actor {
			t.Errorf("%s is not found again", o.Id)
		}
	}
	if want := "nurse nurse student student "; strings.Join(actors, " ") != want {
		t.Errorf("actors %v, want %s", actors, want)
	}
	if resolve.Offer(g.r.Rules(), view(anna), offers[0].Id) != nil {
		t.Error("another's offer is found")
	}
	if !offers[0].Possible || offers[1].Possible || offers[1].Reason != "UNKNOWN_SKILL" {
		t.Errorf("%v", offers)
	}
	a, refusal := resolve.Take(offers[0], []*tablev1.Value{{Name: "mod", Values: []string{"-7"}}})
	if refusal != nil || a.GetCoc().GetCheck().GetMod() != -7 || offers[0].Action.GetCoc().GetCheck().GetMod() != 0 {
		t.Errorf("%v %v", a, refusal)
	}
	g.must(act(anna, "officer", hit, "1D100=31"))
	again := resolve.Offers(g.r.Rules(), view(bert))
	if again[0].Possible || again[0].Reason != "PROMPT_PENDING" || again[1].Reason != "UNKNOWN_SKILL" || again[0].Id != offers[0].Id {
		t.Errorf("while somebody must decide: %v", again)
	}
}
