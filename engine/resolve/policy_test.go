package resolve_test

import (
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// policies are how a table's characters answer by themselves.
type policies []*tablev1.Policy

func (p policies) env(r *resolve.Resolver, s rule.Seat, d dice.Source) resolve.Env {
	return resolve.Env{Seat: s, Dice: d, Policy: func(character, name string) *tablev1.Policy {
		return prompt.PolicyFor(p, r.State(), character, name)
	}}
}

func (p policies) act(s rule.Seat, actor string, m proto.Message, throws ...string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return r.Act(p.env(r, s, d), actor, action(m), 0)
		})
	}
}

func (p policies) answer(s rule.Seat, window, character, choice string, throws ...string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return r.Answer(p.env(r, s, d), find(r, window), []resolve.SlotAnswer{{Character: character, Choice: choice}})
		})
	}
}

func chooses(character, prompt, choice string) *tablev1.Policy {
	return &tablev1.Policy{Character: character, Prompt: prompt, What: &tablev1.Policy_Choice{Choice: choice}}
}

func follows(character, prompt, leader string) *tablev1.Policy {
	return &tablev1.Policy{Character: character, Prompt: prompt, What: &tablev1.Policy_Follow{Follow: leader}}
}

var (
	strike      = &cocv1.Attack{Target: "student"}
	takeDefault = &tablev1.Policy_TakeDefault{TakeDefault: true}
)

// The answers of policies stand in the journal, and say so: a replay and a load
// need none.
func TestPolicies(t *testing.T) {
	g := newGame(t)
	p := policies{{What: takeDefault}, chooses("student", "defend", "dodge")}
	g.must(p.act(gm, "thug", strike, "1D100=31", "1D100=12"))
	g.wantNames("check_resolved", "prompt_opened", "prompt_answered", "prompt_answered", "prompt_opened", "prompt_answered", "attack_avoided")
	g.wantJournal("dice attack", "answer cover", "answer cover", "answer defend", "dice dodge")
	for _, e := range g.last.Runs[0].Journal {
		if a := e.GetAnswer(); a != nil && a.By != tablev1.AnsweredBy_ANSWERED_BY_POLICY {
			t.Errorf("%s was answered %v", a.Character, a.By)
		}
	}
	if g.r.Waiting() {
		t.Error("somebody is asked")
	}
}

// Whoever is asked in spite of a policy's others goes on being asked.
func TestPolicyAmongOthers(t *testing.T) {
	g := newGame(t)
	p := policies{{What: takeDefault}, {Character: "nurse", What: &tablev1.Policy_Ask{Ask: true}}}
	g.must(p.act(gm, "thug", strike, "1D100=31"))
	g.wantNames("check_resolved", "prompt_opened", "prompt_answered")
	// A policy holds for what opens later, not for what she was asked already.
	p = policies{chooses("nurse", "", "cover"), {Character: "officer", What: takeDefault}}
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Act(p.env(r, gm, nil), "", action(&tablev1.Note{Text: "x"}), 0)
	})
	g.must(p.answer(bert, "cover", "nurse", "decline"))
	g.wantNames("prompt_answered", "prompt_opened")
	g.must(answer(bert, "defend", "student", "none", "1D6=2"))
}

// What cannot be chosen as it is leaves the prompt open.
func TestPolicyThatCannotBe(t *testing.T) {
	for _, choice := range []string{"parry", "hide", ""} {
		g := newGame(t)
		p := policies{chooses("", "cover", "decline"), chooses("student", "defend", choice)}
		g.must(p.act(gm, "thug", strike, "1D100=31"))
		if w := find(g.r, "defend"); w == nil || !w.Open {
			t.Errorf("%q: not asked", choice)
		}
	}
}

func TestPolicyThatTakes(t *testing.T) {
	g := newGame(t)
	p := policies{chooses("officer", "cover", "cover")}
	g.must(p.act(gm, "thug", strike, "1D100=31"))
	g.wantNames("check_resolved", "prompt_opened", "prompt_answered", "prompt_withdrawn", "covered", "prompt_opened")
}

func TestFollow(t *testing.T) {
	t.Run("waits for the leader", func(t *testing.T) {
		g := newGame(t)
		p := policies{follows("officer", "cover", "nurse")}
		g.must(p.act(gm, "thug", strike, "1D100=31"))
		g.wantNames("check_resolved", "prompt_opened")
		g.must(p.answer(bert, "cover", "nurse", "decline"))
		g.wantNames("prompt_answered", "prompt_answered", "prompt_opened")
		g.wantJournal("answer cover", "answer cover")
	})
	t.Run("a leader by policy", func(t *testing.T) {
		g := newGame(t)
		p := policies{follows("officer", "cover", "nurse"), chooses("nurse", "cover", "decline")}
		g.must(p.act(gm, "thug", strike, "1D100=31"))
		g.wantNames("check_resolved", "prompt_opened", "prompt_answered", "prompt_answered", "prompt_opened")
	})
	t.Run("a circle takes the default", func(t *testing.T) {
		g := newGame(t)
		p := policies{follows("officer", "cover", "nurse"), follows("nurse", "", "officer")}
		g.must(p.act(gm, "thug", strike, "1D100=31"))
		g.wantNames("check_resolved", "prompt_opened", "prompt_answered", "prompt_answered", "prompt_opened")
	})
	t.Run("nobody to follow", func(t *testing.T) {
		g := newGame(t)
		p := policies{follows("officer", "cover", "thug"), chooses("nurse", "cover", "decline")}
		g.must(p.act(gm, "thug", strike, "1D100=31"))
		g.wantNames("check_resolved", "prompt_opened", "prompt_answered")
		g.must(answer(anna, "cover", "officer", "decline"))
	})
}

// Whoever throws by hand may let the server roll for good.
func TestPolicyForDice(t *testing.T) {
	g := newGame(t, &tablev1.Option{Key: "given_dice", Value: "all"})
	p := policies{{Character: "officer", Prompt: resolve.DicePrompt, What: takeDefault}}
	g.must(p.act(anna, "officer", spot, "1D100=44"))
	g.wantNames("check_resolved")
	g.must(p.act(bert, "nurse", spot))
	g.wantNames("prompt_opened")
}
