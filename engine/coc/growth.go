package coc

import (
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// mark gives an investigator the growth mark that a roll earned (COC-GRW-01):
// for a critical, a fumble, or a success with a skill at its base value.
func (g *game) mark(c *rule.Ctx, ck check, earned grade, because int32) {
	me := c.Character(ck.by)
	if !isPC(me) {
		return
	}
	skill := ""
	if g.pack.skill(ck.skill) != nil {
		skill = ck.skill
	}
	kind := g.markKind(me, skill, earned)
	if kind == cocv1.MarkKind_MARK_KIND_UNSPECIFIED {
		return
	}
	m := &cocv1.GrowthMark{Kind: kind, Source: ck.skill, Skill: skill, Audience: rule.Owner, Scenario: scenarios(c.State)}
	m.Id = markWord(kind) + "." + ck.skill
	if c.Audience == rule.GM {
		// A mark that would give a secret roll away is numbered apart from the open ones.
		m.Audience, m.Id = rule.GM, secretMark+m.Id
	}
	if n, now := marksLike(me, m.Id, m.Scenario); n > 0 {
		if now && c.Option("mark_limit") == "skill_kind" {
			return
		}
		m.Id += "." + strconv.Itoa(n+1)
	}
	c.Emit(tellMark(c.Event(growthMarked, "COC-GRW-01", me.Id), m).
		Change(piece(me.Id, &cocv1.Part{Part: &cocv1.Part_GrowthMarks{GrowthMarks: m}})).
		Because(because))
}

// secretMark begins the id of a mark that only the keeper knows of.
const secretMark = "secret."

// tellMark tells of a mark those who may know of it.
func tellMark(e *rule.Event, m *cocv1.GrowthMark) *rule.Event {
	e.For(m.Audience).Words(fKind, "", m.Audience, markWord(m.Kind)).Words(fSource, "", m.Audience, m.Source)
	if m.Skill != "" {
		e.Words(fSkill, "", m.Audience, m.Skill)
	}
	return e
}

func (g *game) markKind(me *tablev1.Character, skill string, gr grade) cocv1.MarkKind {
	switch gr {
	case critical:
		return markCritical
	case fumble:
		return markFumble
	case success:
		// Stored value and base count; modifiers on the roll do not. What only
		// creatures have has no base.
		if s := table.Stat(me, skill); s != nil && g.learnable(skill) != nil && s.GetValue() == s.GetBase() {
			return markInitial
		}
	}
	return cocv1.MarkKind_MARK_KIND_UNSPECIFIED
}

// marksLike returns the highest number among the marks of the same kind and source,
// and whether one of them is of this scenario: those of an ended one may still be
// unused.
func marksLike(me *tablev1.Character, id string, scenario int32) (n int, now bool) {
	for _, m := range details(me).GetGrowthMarks() {
		rest, ok := strings.CutPrefix(m.Id, id)
		number := 1
		if ok && rest != "" {
			number, _ = strconv.Atoi(strings.TrimPrefix(rest, "."))
		}
		if !ok || number == 0 {
			continue // another kind or source
		}
		n, now = max(n, number), now || m.Scenario == scenario
	}
	return n, now
}

// aftermath asks the keeper what a critical or fumble outside attack and defence
// brings (COC-CHK-02). Nothing waits for it.
func (g *game) aftermath(c *rule.Ctx, by string, r rolled) {
	audience := secretOr(c.Audience, rule.Owner)
	facts := []*typev1.Fact{rule.WordFact(fSkill, by, audience, r.skill)} // there may be several to decide
	switch r.grade {
	case critical:
		c.AskLater(&rule.Window{
			Name: "critical_benefit", Rule: "COC-CHK-02", Kind: oneSeat, BecauseOf: by, About: by, Audience: audience, Facts: facts,
			Slots: []rule.Slot{{Default: "plus10", Choices: []*tablev1.PromptChoice{
				rule.Choice("info", &cocv1.CriticalBenefit{Choice: cocv1.CriticalBenefit_CHOICE_INFO}),
				rule.Choice("plus10", &cocv1.CriticalBenefit{Choice: cocv1.CriticalBenefit_CHOICE_PLUS10}),
				rule.Choice("nothing", &cocv1.CriticalBenefit{Choice: cocv1.CriticalBenefit_CHOICE_NOTHING}),
			}}},
		})
	case fumble:
		c.AskLater(&rule.Window{
			Name: "fumble_effect", Rule: "COC-CHK-02", Kind: oneSeat, BecauseOf: by, About: by, Audience: audience, Facts: facts,
			Slots: []rule.Slot{{Default: "nothing", Choices: []*tablev1.PromptChoice{
				rule.Choice("nothing", &cocv1.FumbleEffect{}),
				rule.Choice("effect", &cocv1.FumbleEffect{}, textInput("text", "coc.fumble_effect.text", 500)),
			}}},
		})
	}
}

// settleCritical takes the keeper's word on a critical: the +10 right, unless
// one is held already (COC-CHK-05).
func (g *game) settleCritical(c *rule.Ctx, w *tablev1.Window, a *cocv1.CriticalBenefit) {
	decision := rule.Word(a.Choice, "CHOICE_")
	c.Emit(c.Event(effectDecided, "COC-CHK-02", w.About).For(w.Audience).Words(fDecision, "", rule.Owner, decision))
	if a.Choice != cocv1.CriticalBenefit_CHOICE_PLUS10 {
		return
	}
	me := c.Character(w.About)
	if has(me, stPlus10) {
		c.Emit(c.Event(rightNotGained, "COC-CHK-05", me.Id).For(secretOr(w.Audience, rule.Mind)))
		return
	}
	right := &typev1.Status{Key: stPlus10, Audience: rule.Mind}
	// Also after a roll that only the keeper knows of: one must know it to use it.
	c.Emit(c.Event(rightGained, "COC-CHK-05", me.Id).For(rule.Mind).Change(rule.SetStatus(me.Id, right)))
}

// settleFumble takes the keeper's word on a fumble.
func (g *game) settleFumble(c *rule.Ctx, w *tablev1.Window, a *cocv1.FumbleEffect) {
	e := c.Event(effectDecided, "COC-CHK-02", w.About).For(w.Audience)
	if a.Text == "" {
		e.Words(fDecision, "", rule.Owner, "nothing")
	} else {
		e.Text(fNotes, "", rule.Owner, a.Text)
	}
	c.Emit(e)
}

// secretOr is the keeper for what only he may know of, else the other audience.
func secretOr(asked, otherwise typev1.Audience) typev1.Audience {
	if asked == rule.GM {
		return rule.GM
	}
	return otherwise
}
