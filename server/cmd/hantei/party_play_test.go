package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// mostCommands is how many commands an exploration takes at the most; it is the sign of
// clients that do not come out.
const mostCommands = 1500

// play has the clients play until the exploration is over, or until says so, which is
// asked before each command. It reports whether the exploration is over.
func (p *party) play(until func() bool) bool {
	p.t.Helper()
	for !until() {
		if p.commands > mostCommands {
			p.t.Fatalf("after %d commands they are still inside: %v", p.commands, p.look(p.gm).Encounter)
		}
		v := p.look(p.players[0])
		if v.Encounter == nil {
			return true
		}
		var before []*tablev1.TableView
		if p.undoAt > 0 && p.commands >= p.undoAt {
			before = p.looks()
		}
		out := p.next(v)
		p.told = append(p.told, names(out.Events)...)
		if p.checked && happened(out) {
			p.check()
		}
		if before != nil && p.moved(out) {
			p.undoAt = 0
			p.undo(before)
		}
		if p.checked && p.commands%10 == 0 {
			p.catchUp()
		}
		if p.t.Failed() {
			p.t.FailNow()
		}
	}
	return false
}

// happened reports whether a command brought more than questions and answers.
func happened(out *hanteiv1.Outcome) bool {
	return slices.ContainsFunc(out.Events, func(e *tablev1.EventView) bool { return !strings.HasPrefix(e.Name, "prompt_") })
}

// moved reports whether a command was the whole of a move that has disclosed something.
func (p *party) moved(out *hanteiv1.Outcome) bool {
	told := names(out.Events)
	return !slices.Contains(told, "prompt_answered") && len(p.look(p.gm).WaitingOn) == 0 && slices.Contains(told, "square_revealed")
}

func names(events []*tablev1.EventView) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Name)
	}
	return out
}

// next has somebody do something who is asked, or has the turn, as everybody sees it.
func (p *party) next(v *tablev1.TableView) *hanteiv1.Outcome {
	p.t.Helper()
	for _, w := range v.WaitingOn {
		if !w.Blocking {
			continue
		}
		for _, s := range append(slices.Clone(p.players), p.gm) {
			if slices.Contains(w.Seats, s.seat) && len(p.look(s).Prompts) > 0 {
				return p.answers(s)
			}
		}
	}
	for _, s := range p.players {
		if !slices.Contains(v.Encounter.Turn, s.own) {
			continue
		}
		if len(p.look(s).Prompts) > 0 { // nothing waits for it
			return p.answers(s)
		}
		if request := s.turn(p.look(s)); request != nil {
			return p.act(s, request)
		}
	}
	if v.Encounter.Step != "suspended" {
		p.t.Fatalf("nobody has anything to do: %v, waiting on %v", v.Encounter, v.WaitingOn)
	}
	return p.act(p.gm, &hanteiv1.ActRequest{What: declared(&personav1.Action{Action: &personav1.Action_ResolveReaperBattle{
		ResolveReaperBattle: &personav1.ResolveReaperBattle{Outcome: p.outcome()},
	}})})
}

// answers answers the first of somebody's prompts.
func (p *party) answers(s *sitter) *hanteiv1.Outcome {
	p.t.Helper()
	v := p.look(s)
	prompt := v.Prompts[0]
	request := &hanteiv1.AnswerRequest{PromptId: prompt.Id}
	switch {
	case prompt.Name == "dice":
		request.GivenDice = p.thrown(prompt)
	case s == p.gm:
		request.Answers = []*hanteiv1.SlotAnswer{p.ruling(prompt)}
	default:
		request.Answers = []*hanteiv1.SlotAnswer{s.answer(v, prompt)}
	}
	return p.answer(s, request)
}

// ruling is the GM's answer.
func (p *party) ruling(prompt *tablev1.PromptView) *hanteiv1.SlotAnswer {
	choice := prompt.DefaultChoice
	if prompt.Name == "gm_event" {
		choice = "done"
	}
	return &hanteiv1.SlotAnswer{Character: prompt.Character, How: &hanteiv1.SlotAnswer_Choice{Choice: choice}}
}

// outcome is how a battle against the Reaper went: at first they flee.
func (p *party) outcome() personav1.ReaperOutcome {
	if p.reapers++; p.reapers%2 == 1 {
		return personav1.ReaperOutcome_REAPER_OUTCOME_FLED
	}
	return personav1.ReaperOutcome_REAPER_OUTCOME_WON
}

// look is the view of a seat as it is since the last command.
func (p *party) look(s *sitter) *tablev1.TableView {
	p.t.Helper()
	if s.seen == nil || s.seenAt != p.commands {
		s.seen, s.seenAt = p.view(s), p.commands
	}
	return s.seen
}

// looks are the views of all players.
func (p *party) looks() []*tablev1.TableView {
	var out []*tablev1.TableView
	for _, s := range p.players {
		out = append(out, p.look(s))
	}
	return out
}

// TestExploration: four players explore a generated dungeon from the entrance to the
// escape. What each of them is sent is what is known to him, and to the party, at that time.
func TestExploration(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		// width of the floors, and the limit of rounds of each: after it the Reaper comes.
		width, limit int32
		set          func(p *party)
		told         []string
	}{
		"party": {
			[]string{"given_dice=all"}, 5, 99, func(p *party) { p.undoAt = 30 },
			[]string{"warp_used", "floor_changed", "event_fired", "trap_triggered", "battle_ended", "item_gained", "nothing_found"},
		},
		"individual": {
			[]string{"given_dice=all", "knowledge_scope=individual", "split_party=true"}, 5, 99, func(p *party) {
				p.undoAt = 20
				p.players[0].hasty, p.players[1].hasty = true, true
			},
			[]string{"warp_used", "floor_changed", "event_fired", "battle_ended", "wait_started"},
		},
		// With dice of the server's own, which may fall as they like.
		"reaper": {
			nil, 4, 2, func(*party) {},
			[]string{"reaper_appeared", "floor_changed"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t, fresh(t, "HANTEI_RATE_LIMIT=0"), four, c.options...)
			p.generate(c.width)
			p.mark(c.limit)
			c.set(p)
			p.checked = true
			p.follow()
			p.enter()
			p.check()
			p.play(func() bool { return slices.Contains(p.look(p.players[0]).Encounter.GetTurn(), "a") })
			p.alike(p.players[0])
			if !p.play(func() bool { return false }) {
				t.Error("they are still inside")
			}
			p.catchUp()
			p.verify()
			for _, name := range append(c.told, "exploration_ended") {
				if !slices.Contains(p.told, name) {
					t.Errorf("%s never happened", name)
				}
			}
			if p.undoAt != 0 {
				t.Error("nothing was taken back")
			}
		})
	}
}

// TestExplorationKilled kills the server in the middle of an exploration, while a player is
// asked, and starts it again: the players go on, and in the end all is as without the kill.
func TestExplorationKilled(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	s := running(t, db, "HANTEI_RATE_LIMIT=0")
	begun := func() *party {
		p := newParty(t, s, four, "given_dice=all")
		p.generate(4)
		p.mark(2) // the Reaper comes
		p.enter()
		return p
	}
	hash := func(p *party) string {
		if !p.play(func() bool { return false }) {
			t.Fatal("they are still inside")
		}
		return p.look(p.gm).StateHash
	}
	whole := begun()
	want := hash(whole)
	for _, name := range []string{"reaper_sighted", "normal_battle_started", "normal_battle_resolved"} {
		if !slices.Contains(whole.told, name) {
			t.Errorf("%s never happened", name)
		}
	}

	p := begun()
	var asked *tablev1.PromptView
	p.play(func() bool {
		for _, s := range p.players {
			for _, prompt := range p.look(s).Prompts {
				if p.commands > 60 && prompt.Name == "reaction" {
					asked = prompt
				}
			}
		}
		return asked != nil
	})
	before := p.looks()
	s.kill()

	s = running(t, db, "HANTEI_RATE_LIMIT=0")
	p.s, p.c = s, rest{s.http}
	for i, s := range p.players {
		if diff := difference(before[i], p.view(s)); diff != "" {
			t.Errorf("%s sees another table after the kill (-before +after):\n%s", s.name, diff)
		}
	}
	if got := hash(p); got != want || len(want) != 64 {
		t.Errorf("state_hash %s, without the kill %s", got, want)
	}
}
