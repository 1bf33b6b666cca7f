package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedExploration are the rules of the flow of an exploration that have code.
var codedExploration = []string{
	"PER-EXP-01", "PER-EXP-02", "PER-EXP-03", "PER-EXP-04", "PER-EXP-05", "PER-EXP-07", "PER-EXP-08", "PER-EXP-09",
	"PER-RPR-04", "PER-SB-21",
}

func (g *game) registerExploration(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.EndTurn]{Rule: "PER-EXP-05", Group: groupTurn, Offers: g.offerEndTurn, Valid: g.validEndTurn, Run: g.endTurn})
	rule.Register(r, rule.Action[*personav1.StartExploration]{Rule: "PER-EXP-01", Group: groupDungeon, GM: true, Table: true, Offers: g.offerStartExploration, Valid: g.validStartExploration, Run: g.startExploration})
	rule.Register(r, rule.Action[*personav1.EndExploration]{Rule: "PER-EXP-09", Group: groupDungeon, GM: true, Table: true, Offers: g.offerEndExploration, Valid: g.validEndExploration, Run: g.endExploration})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.DeclarePersona]{Valid: g.validDeclarePersona})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.RoundStartSkills]{Valid: g.validRoundStartSkills})
	rule.RegisterStep(r, g.declarePersonas)
	rule.RegisterStep(r, g.roundStart)
	rule.RegisterStep(r, g.nextTurn)
	rule.RegisterStep(r, g.handEnd)
	rule.RegisterStep(r, g.roundEnd)
	rule.RegisterStep(r, g.arrive)
}

// Phases of an exploration, as steps of the encounter that it is (section 3.5). While
// none is going on there is no encounter.
const (
	phaseActive    = "active"
	phaseBattle    = "battle"
	phaseSuspended = "suspended"
)

// explorers are those who explore, in the order of the party.
func explorers(v *rule.View) []string { return v.Encounter().GetRoster() }

// index is somebody's place in the party (section 3.1).
func index(v *rule.View, who string) int { return slices.Index(explorers(v), who) }

// inOrder sorts characters by their place in the party.
func inOrder(v *rule.View, who []string) []string {
	out := slices.Clone(who)
	slices.SortFunc(out, func(a, b string) int { return index(v, a) - index(v, b) })
	return out
}

// on lists who of the party stands on a square, in its order.
func on(v *rule.View, at *typev1.Square, which func(*tablev1.Character) bool) []string {
	var out []string
	for _, id := range explorers(v) {
		c := v.Character(id)
		if p := c.GetPosition().GetSquare(); p != nil && sameSquare(p, at) && which(c) {
			out = append(out, id)
		}
	}
	return out
}

// ablePC reports whether somebody is a PC who can act.
func ablePC(c *tablev1.Character) bool { return isPC(c) && able(c) }

// place is where somebody stands in the dungeon, or nil.
func place(c *tablev1.Character) *typev1.Square { return c.GetPosition().GetSquare() }

// startExploration begins an exploration (PER-EXP-01): the party stands on its first
// square and sees what there is to see.
func (g *game) startExploration(c *rule.Ctx, _ string, a *personav1.StartExploration) {
	d := dungeonFor(c.State, a.Dungeon)
	who := partyFor(&c.View, a.Party)
	at := startOf(d, a.Start)
	roster := &tablev1.Encounter{Roster: who, Order: who, Step: phaseActive}
	e := c.Event(explorationStarted, "PER-EXP-01", "").On(who...).
		Number(fDungeonLevel, "", rule.Public, d.Level).
		Words(fMoon, "", rule.Public, moonWord(d.Moon)).
		Words(fWeather, "", rule.Public, weatherWord(d.Weather)).
		Change(g.enterDungeon(c.State, d)...).
		Change(rule.SetEncounter(roster), tick(c.State, typev1.Clock_CLOCK_ENCOUNTER))
	c.Emit(e)
	c.Change(g.rows(c.State)...)
	for _, id := range who {
		g.put(c, id, at, "PER-EXP-01", "start")
	}
	g.seeArrival(c, who, at)
	if a.Start == nil {
		g.seeStairs(c, who, at)
	}
	c.Then("", &personav1.DeclarePersonas{}, &personav1.RoundStart{})
}

// enterDungeon writes the dungeon in place of the last one.
func (g *game) enterDungeon(s *tablev1.State, d *personav1.Dungeon) []*tablev1.Change {
	out := leaveDungeon(s)
	core := &tablev1.Dungeon{}
	for _, f := range d.Floors {
		core.Floors = append(core.Floors, &tablev1.DungeonFloor{Number: f.Number, Rows: f.Rows})
	}
	out = append(out, rule.SetDungeon(core))
	conditions := &personav1.Conditions{Level: d.Level, Moon: d.Moon, Weather: d.Weather}
	out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Conditions{Conditions: conditions}}))
	for _, f := range d.Features {
		out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Features{Features: f}}))
	}
	for _, f := range d.Floors {
		limit := g.roundLimit(d.Weather, f)
		out = append(out, piece("", &personav1.Part{Part: &personav1.Part_Limits{Limits: limit}}))
	}
	return out
}

// leaveDungeon takes what is kept of a dungeon away.
func leaveDungeon(s *tablev1.State) []*tablev1.Change {
	var out []*tablev1.Change
	if s.Dungeon != nil {
		out = append(out, rule.EndDungeon())
	}
	d := tableDetails(s)
	for _, f := range d.GetFeatures() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Features{Features: &personav1.Feature{Id: f.Id}}}))
	}
	for _, f := range d.GetFloors() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Floors{Floors: &personav1.FloorClock{Floor: f.Floor}}}))
	}
	for _, l := range d.GetLimits() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Limits{Limits: &personav1.RoundLimit{Floor: l.Floor, Audience: l.Audience}}}))
	}
	for _, r := range d.GetReapers() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Reapers{Reapers: &personav1.Reaper{Floor: r.Floor}}}))
	}
	if b := d.GetReaperBattle(); b != nil {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_ReaperBattle{ReaperBattle: b}}))
	}
	for _, r := range d.GetSightings() {
		out = append(out, endPiece("", &personav1.Part{Part: &personav1.Part_Sightings{Sightings: &personav1.Sighting{Floor: r.Floor}}}))
	}
	return out
}

// rows are the features in the core's words.
func (g *game) rows(s *tablev1.State) []*tablev1.Change {
	var out []*tablev1.Change
	for _, f := range tableDetails(s).GetFeatures() {
		out = append(out, rule.SetFeature(g.row(s, f)))
	}
	return out
}

// put moves somebody to a square, whatever leads there.
func (g *game) put(c *rule.Ctx, who string, at *typev1.Square, id, cause string) {
	from := place(c.Character(who))
	e := c.Event(tokenMoved, id, who).
		Squares(fTo, "", rule.Public, at).
		Words(fCause, "", rule.Public, cause).
		Change(rule.SetPosition(who, at, rule.Public)).
		Walk(who, []*typev1.Square{at})
	if from != nil && cause != "start" {
		e.Squares(fFrom, "", rule.Public, from)
	}
	c.Emit(e)
}

// dungeonFor is the dungeon to explore: the one that is given, or the last that was made.
func dungeonFor(s *tablev1.State, given *personav1.Dungeon) *personav1.Dungeon {
	if given != nil {
		return given
	}
	return tableDetails(s).GetBlueprint()
}

// partyFor is who explores: those who are named, or all approved PCs.
func partyFor(v *rule.View, named []string) []string {
	if len(named) > 0 {
		return named
	}
	var out []string
	for _, c := range v.State.Characters {
		if isPC(c) && c.Review == tablev1.Review_REVIEW_APPROVED && !has(c, stDead) {
			out = append(out, c.Id)
		}
	}
	return out
}

// startOf is where an exploration begins: where the GM says, or on the outside stairs
// with the lowest id of the lowest floor that has some (PER-EXP-01); nil without any.
func startOf(d *personav1.Dungeon, given *typev1.Square) *typev1.Square {
	if given != nil {
		return given
	}
	return dungeon.Entrance(d).GetSquare()
}

func (g *game) validStartExploration(v *rule.View, _ string, a *personav1.StartExploration) *rule.Refusal {
	const field = "action.persona.start_exploration."
	if v.Encounter() != nil {
		return rule.Refuse(whyExplorationActive, "PER-EXP-01", "")
	}
	who := partyFor(v, a.Party)
	if len(who) == 0 {
		return rule.Refuse(whyNoParty, "PER-EXP-01", field+"party")
	}
	for i, id := range who {
		switch c := v.Character(id); {
		case c == nil:
			return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+"party").Suggest(id, v.CharacterIDs())
		case slices.Contains(who[:i], id):
			return invalid(field+"party").Say("stands_twice", rule.WordOf("what", id)).Name(id)
		case c.Review != tablev1.Review_REVIEW_APPROVED, has(c, stDead):
			return rule.Refuse(whyNoParty, "PER-EXP-01", field+"party").Name(id)
		}
	}
	if !slices.ContainsFunc(who, func(id string) bool { return isPC(v.Character(id)) }) {
		return rule.Refuse(whyNoParty, "PER-EXP-01", field+"party")
	}
	d := dungeonFor(v.State, a.Dungeon)
	return g.invalidDungeon(v, d, a.Start, field+"dungeon")
}

func (g *game) offerStartExploration(v *rule.View, by string) []*tablev1.Offer {
	a := &personav1.StartExploration{}
	return formOffer(a, g.validStartExploration(v, by, a), "start_exploration")
}

// declarePersonas has the PCs name the Personas to explore with, free and without a
// check (PER-EXP-02). Who has one only is not asked.
func (g *game) declarePersonas(c *rule.Ctx, _ string, _ *personav1.DeclarePersonas) {
	w := &rule.Window{Name: "declare_persona", Rule: "PER-EXP-02", Kind: tablev1.WindowKind_WINDOW_KIND_OPEN}
	var who []string
	for _, id := range explorers(&c.View) {
		me := c.Character(id)
		if len(details(me).GetPersonas()) == 0 || !able(me) {
			continue
		}
		who = append(who, id)
		w.Slots = append(w.Slots, personaSlot(me))
	}
	for i, a := range c.Ask(w) {
		g.summon(c, who[i], rule.Unpack[*personav1.DeclarePersona](a).Persona, "PER-EXP-02")
	}
}

// personaSlot asks which of the own Personas it is; the first on the sheet unless said.
func personaSlot(me *tablev1.Character) rule.Slot {
	s := rule.Slot{Character: me.Id}
	for _, p := range details(me).Personas {
		ch := rule.Choice(p.Id, &personav1.DeclarePersona{Persona: p.Id})
		ch.Label = []string{personaName(p)}
		s.Choices = append(s.Choices, ch)
	}
	s.Default = s.Choices[0].Id
	return s
}

// summon has a Persona be there, free.
func (g *game) summon(c *rule.Ctx, who, persona, id string) {
	me := c.Character(who)
	p := personaOf(me, persona)
	c.Emit(c.Event(personaSummoned, id, who).
		Words(fPersona, "", rule.Public, personaName(p)).
		Words(fFree, "", rule.Public, "free").
		Change(g.summoning(&c.View, me, p, true, false)...))
}

func (g *game) validDeclarePersona(v *rule.View, _ *tablev1.Window, who string, a *personav1.DeclarePersona) *rule.Refusal {
	if personaOf(v.Character(who), a.Persona) == nil {
		return rule.Refuse(whyPersonaUnknown, "PER-EXP-02", "answer.persona.declare_persona.persona").
			Suggest(a.Persona, personasOf(v.Character(who)))
	}
	return nil
}

// personasOf lists the Personas of a sheet.
func personasOf(c *tablev1.Character) []string {
	var out []string
	for _, p := range details(c).GetPersonas() {
		out = append(out, p.Id)
	}
	return out
}

// endExploration is the GM's word that it is over (PER-EXP-09).
func (g *game) endExploration(c *rule.Ctx, _ string, a *personav1.EndExploration) {
	reason := a.Reason
	if reason == personav1.EndReason_END_REASON_UNSPECIFIED {
		reason = personav1.EndReason_END_REASON_COMPLETED
	}
	g.leave(c, reason)
}

// leave ends the exploration: what lasts for a floor ends, nobody has a turn any
// more, and the dungeon is forgotten (PER-EXP-09).
func (g *game) leave(c *rule.Ctx, reason personav1.EndReason) {
	rule.SettleAll(c, g.rules)
	who := explorers(&c.View)
	for _, id := range who {
		g.endFloorStatuses(c, id, "PER-EXP-09")
	}
	e := c.Event(explorationEnded, "PER-EXP-09", "").Words(fReason, "", rule.Public, endReasonWord(reason))
	for _, id := range who {
		me := c.Character(id)
		if hands(me) != nil {
			e.Change(endPiece(id, &personav1.Part{Part: &personav1.Part_Hands{Hands: &personav1.Hands{}}}))
		}
		if me.Position != nil {
			e.Change(rule.SetPosition(id, nil, rule.Public))
		}
	}
	c.Emit(e.Change(leaveDungeon(c.State)...).Change(rule.EndEncounter()))
}

func (g *game) validEndExploration(v *rule.View, _ string, _ *personav1.EndExploration) *rule.Refusal {
	if v.Encounter() == nil {
		return rule.Refuse(whyNotExploring, "PER-EXP-09", "")
	}
	return nil
}

func (g *game) offerEndExploration(v *rule.View, by string) []*tablev1.Offer {
	o := rule.NewOffer(&personav1.EndExploration{}, g.validEndExploration(v, by, nil), "end_exploration")
	o.Inputs = []*tablev1.Input{rule.ChoiceInput("reason", "persona.end_exploration.reason", []string{"completed", "escaped", "wiped_out", "aborted"})}
	o.Inputs[0].MinCount = 0
	return []*tablev1.Offer{o}
}

// floorNow is the floor that somebody is on; 0 for none.
func floorNow(c *tablev1.Character) int32 { return place(c).GetFloor() }

// roundNow is the round of the table.
func roundNow(s *tablev1.State) int32 { return table.Clock(s, typev1.Clock_CLOCK_ROUND) }
