package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// meetReaper is an arrival where a Reaper may stand, after all that goes off there: a PC
// who has come and can act makes contact (PER-RPR-04).
func (g *game) meetReaper(c *rule.Ctx, a *personav1.Arrive) {
	r := reaper(c.State, a.Square.GetFloor())
	if r.GetSquare() == nil || !sameSquare(r.Square, a.Square) {
		return
	}
	if slices.ContainsFunc(present(&c.View, a), func(id string) bool { return isPC(c.Character(id)) }) {
		g.contact(c, r.Floor, a.EventsOnly && !c.Flag("split_party"))
	}
}

// contact begins the battle against the Reaper of a floor with the PCs on its square who
// can act, and reports whether it does (PER-RPR-04). The exploration waits for it.
// between is true where the round has ended, and the next has not begun.
func (g *game) contact(c *rule.Ctx, floor int32, between bool) bool {
	r := reaper(c.State, floor)
	if c.Encounter().GetStep() != phaseActive || r.GetSquare() == nil {
		return false
	}
	who := on(&c.View, r.Square, ablePC)
	if len(who) == 0 {
		return false
	}
	var others []string
	for _, id := range explorers(&c.View) {
		if ablePC(c.Character(id)) && !slices.Contains(who, id) {
			others = append(others, id)
		}
	}
	c.Emit(c.Event(normalBattleStarted, "PER-RPR-04", "").On(who...).
		Squares(fSquare, "", rule.Public, r.Square).
		Characters(fParticipants, "", rule.Public, who...).
		Characters(fOthers, "", rule.Public, others...).
		Change(
			setReaperBattle(c.State, func(b *personav1.ReaperBattle) {
				b.Square, b.Characters, b.BetweenRounds = r.Square, who, between
			}),
			rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Step, e.Turn = phaseSuspended, nil })),
		))
	for _, id := range others {
		g.askToJoin(c, id, r.Square)
	}
	return true
}

// reaperBattle is the battle against a Reaper for which the exploration waits, or nil.
func reaperBattle(s *tablev1.State) *personav1.ReaperBattle { return tableDetails(s).GetReaperBattle() }

// setReaperBattle writes that battle, changed by f.
func setReaperBattle(s *tablev1.State, f func(*personav1.ReaperBattle)) *tablev1.Change {
	after := &personav1.ReaperBattle{}
	proto.Merge(after, reaperBattle(s))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_ReaperBattle{ReaperBattle: after}})
}

// fightReaper are those who are in the battle, and have joined it, by their order in the
// party.
func fightReaper(v *rule.View) []string {
	b := reaperBattle(v.State)
	return inOrder(v, slices.Concat(b.GetCharacters(), b.GetJoining()))
}

// askToJoin asks somebody elsewhere whether he joins the battle, after as many of its
// rounds as it is steps to there (PER-RPR-05). It stands until the battle is over.
func (g *game) askToJoin(c *rule.Ctx, who string, at *typev1.Square) {
	w := &rule.Window{Name: "reaper_join", Rule: "PER-RPR-05", Kind: tablev1.WindowKind_WINDOW_KIND_ONE}
	no, yes := rule.Choice("no", &personav1.ReaperJoin{}), rule.Choice("yes", &personav1.ReaperJoin{Join: true})
	if n, ok := stepsTo(&c.View, who, at); ok {
		w.Facts = []*typev1.Fact{
			{Key: fDistance.String(), Of: who, Number: &n, Audience: rule.Public},
			{Key: fBattleRound.String(), Of: who, Number: proto.Int32(n + 1), Audience: rule.Public},
		}
	} else {
		yes = rule.Barred("yes", &personav1.ReaperJoin{Join: true}, cannotReach())
	}
	w.Slots = []rule.Slot{{Character: who, Default: "no", Choices: []*tablev1.PromptChoice{yes, no}}}
	c.AskLater(w)
}

// stepsTo is how many steps it is for somebody to a square, without warps.
func stepsTo(v *rule.View, who string, at *typev1.Square) (int32, bool) {
	from := place(v.Character(who))
	if from.GetFloor() != at.GetFloor() {
		return 0, false
	}
	return floorMap(v.State, at.Floor).Distances(cell(from)).To(cell(at))
}

func cannotReach() *rule.Refusal {
	return rule.Refuse(whyCannotReach, "PER-RPR-05", "answer.persona.reaper_join.join")
}

func (g *game) validReaperJoin(_ *rule.View, w *tablev1.Window, _ string, a *personav1.ReaperJoin) *rule.Refusal {
	if a.Join && len(w.Facts) == 0 {
		return cannotReach()
	}
	return nil
}

// joinReaperBattle takes the answer of somebody elsewhere.
func (g *game) joinReaperBattle(c *rule.Ctx, w *tablev1.Window, a *personav1.ReaperJoin) {
	if a.Join && reaperBattle(c.State) != nil {
		c.Change(setReaperBattle(c.State, func(b *personav1.ReaperBattle) { b.Joining = append(b.Joining, w.Slots[0].Character) }))
	}
}

func (g *game) validResolveReaperBattle(v *rule.View, _ string, a *personav1.ResolveReaperBattle) *rule.Refusal {
	const field = "action.persona.resolve_reaper_battle."
	if v.Encounter().GetStep() != phaseSuspended {
		return rule.Refuse(whyNotSuspended, "PER-RPR-07", "")
	}
	if a.Outcome == personav1.ReaperOutcome_REAPER_OUTCOME_UNSPECIFIED {
		return invalid(field + "outcome").Say("required")
	}
	var after []string
	for _, x := range a.After {
		after = append(after, x.Character)
	}
	for _, list := range []struct {
		field string
		ids   []string
	}{{"after", after}, {"fled", a.Fled}} {
		for i, id := range list.ids {
			if !slices.Contains(fightReaper(v), id) {
				return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+list.field).Suggest(id, fightReaper(v))
			}
			if list.field == "after" && slices.Contains(list.ids[:i], id) {
				return invalid(field+list.field).Say("stands_twice", rule.WordOf("what", id)).Name(id)
			}
		}
	}
	return nil
}

// resolveReaperBattle takes how the battle went, as the GM or whoever plays it tells
// (PER-RPR-07): how those who were in it are, where those go who have fled, and what a
// victory brings. Then the exploration goes on at the start of a round.
func (g *game) resolveReaperBattle(c *rule.Ctx, _ string, a *personav1.ResolveReaperBattle) {
	g.closeJoining(c)
	b, who := reaperBattle(c.State), fightReaper(&c.View)
	e := c.Event(normalBattleResolved, "PER-RPR-07", "").On(who...).
		Characters(fParticipants, "", rule.Public, who...).
		Words(fOutcome, "", rule.Public, rule.Word(a.Outcome, "REAPER_OUTCOME_"))
	if a.Outcome == personav1.ReaperOutcome_REAPER_OUTCOME_WON {
		e.Change(reaperGone(c.State, b.Square.Floor, func(r *personav1.Reaper) { r.Defeated = true })...)
		for _, m := range reaperMarks(c.State, b.Square.Floor) {
			e.Change(rule.EndMark(m))
		}
	}
	c.Emit(e)
	for _, id := range who {
		g.comesOut(c, id, a)
	}
	g.fleeFromReaper(c, b.Square, runaways(a, who))
	if a.Outcome == personav1.ReaperOutcome_REAPER_OUTCOME_WON {
		g.hiroemon(c, who)
	}
	c.Change(
		endPiece("", &personav1.Part{Part: &personav1.Part_ReaperBattle{ReaperBattle: reaperBattle(c.State)}}),
		rule.SetEncounter(encounter.With(c.Encounter(), func(e *tablev1.Encounter) { e.Step = phaseActive })),
	)
	g.sight(c, "PER-RPR-09")
	if b.BetweenRounds {
		g.goOn(c)
	} else {
		c.Then("", &personav1.RoundEnd{Interrupted: true})
	}
}

// closeJoining closes the questions of those who have not said to join.
func (g *game) closeJoining(c *rule.Ctx) {
	for _, w := range slices.Clone(c.State.Windows) {
		if w.Open && w.Name == "reaper_join" {
			rule.SettleDefault(c, g.rules, w)
		}
	}
}

// runaways are those who have fled: who is named, or all with the outcome that they have.
func runaways(a *personav1.ResolveReaperBattle, who []string) []string {
	if len(a.Fled) == 0 && a.Outcome == personav1.ReaperOutcome_REAPER_OUTCOME_FLED {
		return who
	}
	return slices.DeleteFunc(slices.Clone(who), func(id string) bool { return !slices.Contains(a.Fled, id) })
}

// comesOut is how somebody is after the battle. In a battle that was lost he has no hit
// points left, unless he has fled or is said to have some.
func (g *game) comesOut(c *rule.Ctx, who string, a *personav1.ResolveReaperBattle) {
	const id, cause = "PER-RPR-07", "reaper_battle"
	after := &personav1.AfterBattle{}
	if a.Outcome == personav1.ReaperOutcome_REAPER_OUTCOME_LOST && !slices.Contains(a.Fled, who) {
		after.Hp = proto.Int32(0)
	}
	for _, x := range a.After {
		if x.Character == who {
			proto.Merge(after, x)
		}
	}
	for _, p := range []struct {
		key string
		to  *int32
	}{{kHP, after.Hp}, {kMP, after.Mp}} {
		if p.to != nil && *p.to != resource(c.Character(who), p.key) {
			g.points(c, who, p.key, effect.Begin(who, rule.HP, cause, id, *p.to), because(cause), id)
		}
	}
	if me := c.Character(who); after.San != nil && *after.San != resource(me, kSAN) {
		c.Emit(c.Event(sanChanged, id, who).
			Number(fDelta, "", rule.Values, *after.San-resource(me, kSAN)).
			Number(fValue, "", rule.Values, *after.San).
			Words(fCause, "", rule.Public, cause).
			Change(setResource(me, kSAN, *after.San)))
		if *after.San == 0 {
			c.Emit(c.Event(sanZero, id, who).For(rule.GM))
		}
	}
	// The battle's own rules have seen to sanity.
	if me := c.Character(who); able(me) && resource(me, kHP) == 0 {
		g.fall(c, who)
	}
}

// fleeFromReaper has those who have fled go to a passage beside the battle's square; with
// none they stay. They see what is there, and nothing goes off (PER-RPR-06).
func (g *game) fleeFromReaper(c *rule.Ctx, at *typev1.Square, who []string) {
	ways := passagesBeside(c.State, at)
	w := &rule.Window{Name: "reaper_flee_destination", Rule: "PER-RPR-06", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN}
	var steps []step
	for _, id := range who {
		if me := c.Character(id); len(ways) > 0 && able(me) && place(me) != nil {
			w.Slots = append(w.Slots, squareSlot(id, ways, func(to *typev1.Square) proto.Message { return &personav1.ReaperFleeDestination{Square: to} }))
			steps = append(steps, step{who: id, from: place(me)})
		}
	}
	if len(steps) == 0 {
		return
	}
	w.Apart = apart(&c.View, w)
	for i, a := range c.Ask(w) {
		steps[i].to = rule.Unpack[*personav1.ReaperFleeDestination](a).Square
	}
	for _, s := range steps {
		g.put(c, s.who, s.to, "PER-RPR-06", "fled")
	}
	g.lookAround(c, steps, "PER-RPR-06")
}

// passagesBeside are the passages beside a square, in the order of neighbours.
func passagesBeside(s *tablev1.State, at *typev1.Square) []*typev1.Square {
	var out []*typev1.Square
	for _, n := range floorMap(s, at.Floor).Exits(cell(at)) {
		out = append(out, square(n, at.Floor))
	}
	return out
}

func (g *game) validReaperFleeDestination(v *rule.View, _ *tablev1.Window, _ string, a *personav1.ReaperFleeDestination) *rule.Refusal {
	const field = "answer.persona.reaper_flee_destination.square"
	at := reaperBattle(v.State).GetSquare()
	if _, beside := cell(at).Beside(cell(a.Square)); !beside || a.Square.GetFloor() != at.GetFloor() {
		return rule.Refuse(whyNotAdjacent, "PER-RPR-06", field)
	}
	if terrain(v.State, a.Square) != tablev1.Terrain_TERRAIN_PASSAGE {
		return rule.Refuse(whyBlockedByWall, "PER-RPR-06", field)
	}
	return nil
}

// offerResolveReaperBattle offers to end the battle: in short, by how it went, or with
// how everybody is.
func (g *game) offerResolveReaperBattle(v *rule.View, by string) []*tablev1.Offer {
	if v.Encounter().GetStep() != phaseSuspended {
		return nil
	}
	var out []*tablev1.Offer
	for _, o := range []personav1.ReaperOutcome{
		personav1.ReaperOutcome_REAPER_OUTCOME_WON, personav1.ReaperOutcome_REAPER_OUTCOME_FLED, personav1.ReaperOutcome_REAPER_OUTCOME_LOST,
	} {
		a := &personav1.ResolveReaperBattle{Outcome: o}
		offer := rule.NewOffer(a, g.validResolveReaperBattle(v, by, a), "resolve_reaper_battle", rule.Word(o, "REAPER_OUTCOME_"))
		fled := rule.CharacterInput("fled", "persona.resolve_reaper_battle.fled", fightReaper(v))
		fled.MinCount, fled.MaxCount = 0, int32(len(fled.Choices))
		offer.Inputs = []*tablev1.Input{fled}
		out = append(out, offer)
	}
	return append(out, formOffer(&personav1.ResolveReaperBattle{}, nil, "resolve_reaper_battle")...)
}
