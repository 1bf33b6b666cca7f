// Package coc is the ruleset of Call of Cthulhu, 6th edition, with one table's
// house rules. RULES.md is its specification; each rule's id stands where its
// code is.
package coc

import (
	"embed"

	_ "embed" // RULES.md

	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

//go:embed RULES.md
var markdown string

//go:embed locale/*.yaml
var locales embed.FS

//go:embed testdata/*.yaml
var examples embed.FS

//go:embed demo
var demo embed.FS

// game is the ruleset with the pack that it plays with.
type game struct {
	pack *tables
	// layout is that of the sheet.
	layout rule.Sheet
}

// New makes the ruleset with a pack. It returns all that is wrong with the pack
// as pack.Errors.
func New(files []pack.File) (*rule.Ruleset, error) {
	t, errs := load(files)
	if len(errs) > 0 {
		return nil, errs
	}
	g := &game{pack: t}
	g.layout = g.sheet()
	r := &rule.Ruleset{
		Name: "coc", Prefix: "COC-", Markdown: markdown, Coded: coded,
		Locale: rule.Folder(locales, "locale"), Examples: rule.Folder(examples, "testdata"), Demo: rule.Folder(demo, "demo"),
		Options: rule.NewOptions(options), Pack: t.id,
		Sheet: g.layout, Samples: g.samples(),
		FromSample: g.fromSample, FromSheet: g.fromSheet, FromDraft: g.fromDraft, Revise: g.revise,
		Foreign:    &rule.Foreign{Read: g.readForeign, Write: g.writeForeign},
		Override:   g.keepersWord(),
		PublicName: publicName,
		Grades: []rule.Grade{
			{Word: gradeWords[critical], Rank: rule.Triumph}, {Word: gradeWords[success], Rank: rule.Success},
			{Word: gradeWords[failure], Rank: rule.Failure}, {Word: gradeWords[fumble], Rank: rule.Disaster},
		},
	}
	r.History = func(p *tablev1.Part) bool { return p.GetCoc().GetGrowthMarks() != nil } // used after the scenario
	g.registerCreation(r)
	g.registerActions(r)
	g.registerPrompts(r)
	rule.RegisterStep(r, g.dexCheck)
	rule.RegisterStep(r, g.roundStart)
	rule.RegisterStep(r, g.nextTurn)
	rule.RegisterStep(r, g.roundEnd)
	rule.RegisterStep(r, g.situationCheck)
	rule.RegisterStep(r, g.combatEnd)
	rule.RegisterLevers(r)
	return r, nil
}

// Groups of actions. They are listed in the order in which their first actions are
// registered: what a draft needs, and what waits for the keeper's review, is only
// listed where there is some, and comes first.
const (
	groupCreation  = "creation"
	groupPoints    = "skill_points"
	groupReview    = "review"
	groupCombat    = "combat"
	groupTreatment = "treatment"
	groupChecks    = "checks"
	groupGrowth    = "growth"
	groupRoleplay  = "roleplay"
	groupSanity    = "sanity"
	groupScenario  = "scenario"
	groupRulings   = "rulings"
)

func (g *game) registerActions(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*cocv1.Attack]{Rule: "COC-ATK-01", Group: groupCombat, Offers: g.offerAttacks, Valid: g.validAttack, Run: g.attack})
	rule.Register(r, rule.Action[*cocv1.Shoot]{Rule: "COC-CMB-05", Group: groupCombat, Offers: g.offerShots, Valid: g.validShoot, Run: g.shoot})
	rule.Register(r, rule.Action[*cocv1.Move]{Rule: "COC-CMB-11", Group: groupCombat, Offers: g.offerMove, Valid: g.validMove, Run: g.move})
	rule.Register(r, rule.Action[*cocv1.Draw]{Rule: "COC-CMB-06", Group: groupCombat, Offers: g.offerDraws, Valid: g.validDraw, Run: g.draw})
	rule.Register(r, rule.Action[*cocv1.Dedicate]{Rule: "COC-DEF-05", Group: groupCombat, Offers: g.offerDedicate, Valid: g.validDedicate, Run: g.dedicate})
	rule.Register(r, rule.Action[*cocv1.SpecialAction]{Rule: "COC-CMB-10", Group: groupCombat, Offers: g.offerSpecial, Valid: g.validSpecial, Run: g.specialAction})
	rule.Register(r, rule.Action[*cocv1.FirstAid]{Rule: "COC-INJ-05", Group: groupTreatment, Offers: played(g.offerFirstAid), Valid: inPlay(g.validFirstAid), Run: g.firstAid})
	rule.Register(r, rule.Action[*cocv1.Medicine]{Rule: "COC-INJ-06", Group: groupTreatment, Offers: played(g.offerMedicine), Valid: inPlay(g.validMedicine), Run: g.medicine})
	rule.Register(r, rule.Action[*cocv1.EndTurn]{Rule: "COC-CMB-06", Group: groupCombat, Offers: g.offerEndTurn, Valid: g.validEndTurn, Run: g.endTurn})
	rule.Register(r, rule.Action[*cocv1.Check]{Rule: "COC-CHK-01", Group: groupChecks, Secret: true, Offers: played(g.offerChecks), Valid: inPlay(g.validCheck), Run: g.declared})
	rule.Register(r, rule.Action[*cocv1.Resistance]{Rule: "COC-CHK-08", Group: groupChecks, Secret: true, Offers: played(g.offerResistance), Valid: inPlay(g.validResistance), Run: g.resistance})
	rule.Register(r, rule.Action[*cocv1.Opposed]{Rule: "COC-CHK-09", Group: groupChecks, Secret: true, Offers: played(g.offerOpposed), Valid: inPlay(g.validOpposed), Run: g.opposed})
	rule.Register(r, rule.Action[*cocv1.Combined]{Rule: "COC-CHK-10", Group: groupChecks, Secret: true, Offers: played(g.offerCombined), Valid: inPlay(g.validCombined), Run: g.combined})
	rule.Register(r, rule.Action[*cocv1.Psychoanalysis]{Rule: "COC-SAN-06", Group: groupTreatment, Offers: played(g.offerPsychoanalysis), Valid: inPlay(g.validPsychoanalysis), Run: g.psychoanalysis})
	rule.Register(r, rule.Action[*cocv1.PhysicalPsychoanalysis]{Rule: "COC-SAN-07", Group: groupTreatment, Offers: played(g.offerPhysical), Valid: inPlay(g.validPhysical), Run: g.physicalPsychoanalysis})
	rule.Register(r, rule.Action[*cocv1.DeclareGrowth]{Rule: "COC-GRW-02", Group: groupGrowth, Offers: g.offerDeclareGrowth, Valid: g.validDeclareGrowth, Run: g.declareGrowth})
	rule.Register(r, rule.Action[*cocv1.ChooseGrowthSkill]{Rule: "COC-GRW-05", Group: groupGrowth, Offers: g.offerChooseGrowthSkill, Valid: g.validChooseGrowthSkill, Run: g.chooseGrowthSkill})
	rule.Register(r, rule.Action[*cocv1.GrowthRoll]{Rule: "COC-GRW-02", Group: groupGrowth, Offers: g.offerGrowthRolls, Valid: g.validGrowthRoll, Run: g.growthRoll})

	rule.Register(r, rule.Action[*cocv1.StartCombat]{Rule: "COC-CMB-02", Group: groupCombat, GM: true, Table: true, Offers: g.offerStartCombat, Valid: g.validStartCombat, Run: g.startCombat})
	rule.Register(r, rule.Action[*cocv1.EndCombat]{Rule: "COC-CMB-08", Group: groupCombat, GM: true, Table: true, Offers: g.offerEndCombat, Valid: g.validEndCombat, Run: g.endCombat})
	rule.Register(r, rule.Action[*cocv1.RpPoints]{Rule: "COC-CHK-03", Group: groupRoleplay, GM: true, Table: true, Lever: true, Offers: g.offerRpPoints, Valid: g.validRpPoints, Run: g.rpPoints})
	rule.Register(r, rule.Action[*cocv1.RpBonus]{Rule: "COC-CHK-06", Group: groupRoleplay, GM: true, Table: true, Lever: true, Offers: g.offerRpBonus, Valid: g.validRpBonus, Run: g.rpBonus})
	rule.Register(r, rule.Action[*cocv1.Week]{Rule: "COC-INJ-06", Group: groupTreatment, GM: true, Table: true, Offers: g.offerWeek, Valid: g.validWeek, Run: g.week})
	rule.Register(r, rule.Action[*cocv1.SanCheck]{Rule: "COC-SAN-01", Group: groupSanity, Secret: true, GM: true, Table: true, Offers: g.offerSanCheck, Valid: g.validSanCheck, Run: g.sanCheck})
	rule.Register(r, rule.Action[*cocv1.San]{Rule: "COC-SAN-08", Group: groupSanity, GM: true, Table: true, Lever: true, Offers: g.offerReward, Valid: g.validReward, Run: g.reward})
	rule.Register(r, rule.Action[*cocv1.NewHour]{Rule: "COC-SAN-05", Group: groupSanity, GM: true, Table: true, Lever: true, Offers: g.offerNewHour, Run: g.newHour})
	rule.Register(r, rule.Action[*cocv1.EndInsanity]{Rule: "COC-SAN-04", Group: groupSanity, GM: true, Table: true, Lever: true, Offers: g.offerKeeperEnds, Valid: g.validKeeperEnds, Run: g.keeperEnds})
	rule.Register(r, rule.Action[*cocv1.StartScenario]{Rule: "COC-CRE-10", Group: groupScenario, GM: true, Table: true, Offers: g.offerStartScenario, Run: g.startScenario})
	rule.Register(r, rule.Action[*cocv1.CloseCreation]{Rule: "COC-CRE-08", Group: groupScenario, GM: true, Table: true, Offers: g.offerCloseCreation, Run: g.closeCreation})
	rule.Register(r, rule.Action[*cocv1.EndScenario]{
		Rule: "COC-GRW-02", Group: groupScenario, GM: true, Table: true, Offers: g.offerEndScenario,
		Run: func(c *rule.Ctx, _ string, _ *cocv1.EndScenario) { g.endScenario(c, r) },
	})
	rule.Register(r, rule.Action[*cocv1.TreatAsCritical]{Rule: "COC-ATK-07", Group: groupRulings, GM: true, Table: true, Lever: true, Valid: g.validTreatAsCritical, Run: g.treatAsCritical})
	rule.Register(r, rule.Action[*cocv1.RuleNote]{Rule: "COC-GM-01", Group: groupRulings, GM: true, Table: true, Lever: true, Offers: g.offerRuleNote, Run: g.ruleNote})
	rule.Register(r, rule.Action[*cocv1.OverrideCheck]{Rule: "COC-GM-01", Group: groupRulings, GM: true, Table: true, Lever: true, Offers: g.offerOverrideCheck, Valid: g.validOverrideCheck, Run: g.overrideCheck})
}

// registerCreation registers what makes an investigator, and what the keeper has to
// say on it.
func (g *game) registerCreation(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*cocv1.RollCharacteristics]{Rule: "COC-CRE-01", Group: groupCreation, Offers: g.offerRollCharacteristics, Valid: g.validRollCharacteristics, Run: g.rollCharacteristics})
	rule.Register(r, rule.Action[*cocv1.RerollAll]{Rule: "COC-CRE-03", Group: groupCreation, Offers: g.offerRerollAll, Valid: g.validRerollAll, Run: g.rerollAll})
	rule.Register(r, rule.Action[*cocv1.RerollOne]{Rule: "COC-CRE-03", Group: groupCreation, Offers: g.offerRerollOne, Valid: g.validRerollOne, Run: g.rerollOne})
	rule.Register(r, rule.Action[*cocv1.Swap]{Rule: "COC-CRE-04", Group: groupCreation, Offers: g.offerSwaps, Valid: g.validSwap, Run: g.swap})
	rule.Register(r, rule.Action[*cocv1.SetOccupation]{Rule: "COC-CRE-05", Group: groupCreation, Offers: g.offerOccupations, Valid: g.validSetOccupation, Run: g.setOccupation})
	rule.Register(r, rule.Action[*cocv1.AssignPoints]{Rule: "COC-CRE-06", Group: groupPoints, Offers: g.offerPoints, Valid: g.validAssignPoints, Run: g.assignPoints})
	rule.Register(r, rule.Action[*cocv1.DeclareSupplements]{Rule: "COC-CRE-08", Group: groupCreation, Offers: g.offerSupplements, Valid: g.validDeclareSupplements, Run: g.declareSupplements})
	rule.Register(r, rule.Action[*cocv1.RequestExtra]{Rule: "COC-CRE-08", Group: groupCreation, Offers: g.offerExtra, Valid: g.validRequestExtra, Run: g.requestExtra})
	rule.Register(r, rule.Action[*cocv1.AddTrait]{Rule: "COC-CRE-09", Group: groupCreation, Offers: g.offerTraits, Valid: g.validAddTrait, Run: g.addTrait})
	rule.Register(r, rule.Action[*cocv1.Submit]{Rule: "COC-CRE-11", Group: groupCreation, Offers: g.offerSubmit, Valid: g.validSubmit, Run: g.submit})

	rule.Register(r, rule.Action[*cocv1.Approve]{Rule: "COC-CRE-11", Group: groupReview, GM: true, Table: true, Lever: true, Offers: g.offerReviews, Valid: g.validApprove, Run: g.approve})
	rule.Register(r, rule.Action[*cocv1.Reject]{Rule: "COC-CRE-11", Group: groupReview, GM: true, Table: true, Lever: true, Offers: g.offerRejections, Valid: g.validReject, Run: g.reject})
	rule.Register(r, rule.Action[*cocv1.Confiscate]{Rule: "COC-CRE-11", Group: groupReview, GM: true, Table: true, Lever: true, Offers: g.offerConfiscate, Valid: g.validConfiscate, Run: g.confiscate})
	rule.Register(r, rule.Action[*cocv1.StripSettings]{Rule: "COC-CRE-11", Group: groupReview, GM: true, Table: true, Lever: true, Offers: g.offerStripSettings, Valid: g.validStripSettings, Run: g.stripSettings})
}

func (g *game) registerPrompts(r *rule.Ruleset) {
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Cover]{Valid: g.validCover})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Defend]{Valid: g.validDefend})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.FumbleMild]{Valid: g.validFumbleMild})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.FumbleSevere]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.FumbleVictim]{Valid: g.validFumbleVictim})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.ParryFumble]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Counter]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.CombatContinues]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.Dying]{Valid: g.validDying})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.AllowSpecial]{Valid: g.validAllowSpecial})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.CriticalBenefit]{Settle: g.settleCritical})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.FumbleEffect]{Settle: g.settleFumble})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.ApproveExtra]{Settle: g.settleExtra})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.InsanityTerm]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.IndefiniteSymptom]{Settle: g.settleSymptom})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.GrowthReroll]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.NinetySan]{})
	rule.RegisterPrompt(r, rule.Prompt[*cocv1.ApproveGrowthSkill]{Settle: g.settleGrowthSkill})
}

// options are the switches of section 3.4 of the specification that have code.
var options = []rule.Option{
	{Key: "crit", Default: "5", Min: 0, Max: 100, Rule: "COC-CHK-01"},
	{Key: "fumble", Default: "96", Min: 1, Max: 101, Rule: "COC-CHK-01"},
	{Key: "special_range", Default: "6-10", Values: []string{"6-10", "fifth"}, Rule: "COC-CHK-03"},
	{Key: "special_in_combat", Default: "false", Values: rule.OnOff, Rule: "COC-ATK-07"},
	{Key: "single_reroll_scope", Default: "total", Values: []string{"total", "per_characteristic"}, Rule: "COC-CRE-03"},
	{Key: "swap_across_formulas", Default: "false", Values: rule.OnOff, Rule: "COC-CRE-04"},
	{Key: "skill_cap_initial", Default: "80", Min: 0, Max: 99, Rule: "COC-CRE-07"},
	{Key: "defence_halving", Default: "joint", Values: []string{"joint", "separate"}, Rule: "COC-DEF-03"},
	{Key: "defence_chain_reset", Default: "round", Values: []string{"round", "combat"}, Rule: "COC-DEF-03"},
	{Key: "lock_rounds", Default: "2", Min: 0, Max: 99, Rule: "COC-DEF-04"},
	{Key: "lock_counts_current", Default: "false", Values: rule.OnOff, Rule: "COC-DEF-04"},
	{Key: "low_first_exempt", Default: "dodge_base", Values: []string{"dodge_base", "any_skill"}, Rule: "COC-DEF-06"},
	{Key: "crit_dodge_relief", Default: "next_round", Values: []string{"next_round", "next_roll"}, Rule: "COC-DEF-08"},
	{Key: "cover_reach", Default: "1", Min: 0, Max: 999, Rule: "COC-DEF-07"},
	{Key: "crit_compare", Default: "lower_wins", Values: []string{"lower_wins", "higher_wins"}, Rule: "COC-DEF-10"},
	{Key: "et_crit_scope", Default: "target", Values: []string{"target", "either"}, Rule: "COC-ATK-04"},
	{Key: "dodge_bullets", Default: "first", Values: []string{"first", "none", "all"}, Rule: "COC-ATK-03"},
	{Key: "parry_excess", Default: "true", Values: rule.OnOff, Rule: "COC-DEF-02"},
	{Key: "heal_cap_by_wound", Default: "true", Values: rule.OnOff, Rule: "COC-INJ-05"},
	{Key: "growth_cap", Default: "99", Min: 0, Max: 999, Rule: "COC-GRW-02"},
	{Key: "ninety_inclusive", Default: "false", Values: rule.OnOff, Rule: "COC-GRW-04"},
	{Key: "physical_psycho_base", Default: "current", Values: []string{"current", "max"}, Rule: "COC-SAN-07"},
	{Key: "mark_limit", Default: "skill_kind", Values: []string{"skill_kind", "none"}, Rule: "COC-GRW-01"},
	{Key: "shock_threshold", Default: "half_current", Values: []string{"half_current", "half_max"}, Rule: "COC-INJ-02"},
}

// sheet lays a sheet out: what stands where.
func (g *game) sheet() rule.Sheet {
	var s rule.Sheet
	for _, k := range resourceKeys {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "resources", Resource: true})
	}
	for _, k := range characteristicKeys {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "characteristics"})
	}
	for _, k := range []string{kIdea, kLuck, kKnow, kMov, kArmour} {
		s.Stats = append(s.Stats, rule.Stat{Key: k, Group: "derived"})
	}
	for _, group := range []string{"combat", "negotiation", "other"} {
		for _, k := range g.pack.skills {
			if k.Group == group {
				// One's own language is one of many, too (COC-CRE-06).
				speciality := k.ID == kOwnLanguage || k.Of != "" || len(g.pack.skillsOf(k.ID)) > 1
				s.Stats = append(s.Stats, rule.Stat{Key: k.ID, Group: group + "_skills", Tags: k.Tags, Speciality: speciality})
			}
		}
	}
	s.Statuses = []rule.Status{
		{Key: stUnconscious, Icon: "sleep"}, {Key: stDying, Icon: "down"}, {Key: stDead, Icon: "skull"},
		{Key: stKnockedDown, Icon: "down"}, {Key: stWeaponDropped, Icon: "weapon"}, {Key: stRestriction, Icon: "down"},
		{Key: stLocked, Icon: "lock"}, {Key: stDedicatedDodge, Icon: "shield"}, {Key: stDedicatedParry, Icon: "shield"},
		{Key: stRelief, Icon: "star"}, {Key: stPlus10, Icon: "star", Audience: rule.Mind},
		{Key: stSymptom, Icon: "mind"}, {Key: rule.GMDecides, Icon: "mind"}, {Key: stTempInsane, Icon: "mind", Audience: rule.Mind},
		{Key: stIndefInsane, Icon: "mind", Audience: rule.Mind}, {Key: stPermInsane, Icon: "mind", Audience: rule.Mind},
	}
	for _, w := range g.pack.weapons {
		s.Gear = append(s.Gear, rule.Gear{ID: w.ID, Natural: w.Human})
	}
	s.GearPath = "weapons.id"
	s.Rows = map[string][]string{
		"occupation.sample": g.occupations(), "traits.id": g.traits(), "growth_marks.source": {kResistance},
	}
	return s
}

func (g *game) samples() []rule.Sample {
	var out []rule.Sample
	for _, s := range g.pack.samples {
		out = append(out, rule.Sample{ID: s.ID, NPC: s.Kind == "npc"})
	}
	return out
}

// publicName reports whether an event is told, to whom its own audience lets know
// of it, whatever of its content is hidden (Who sees what). The core knows which of
// its own are.
func publicName(name string) bool {
	switch name {
	case woundAdded.String(), rpBonusGiven.String(), valuesDerived.String(), occupationSet.String(), pointsAssigned.String(), gmOverride.String():
		return false
	}
	return ownNames[name]
}

// ownNames are the names that the ruleset declares.
var ownNames = func() map[string]bool {
	values := cocv1.EventName(0).Descriptor().Values()
	own := make(map[string]bool, values.Len())
	for i := range values.Len() {
		own[rule.Name(cocv1.EventName(values.Get(i).Number())).String()] = true
	}
	return own
}()

// nowRound is the round of the table.
func (g *game) nowRound(c *rule.Ctx) int32 { return table.Clock(c.State, typev1.Clock_CLOCK_ROUND) }

// within reports whether two squares are at most so many steps apart.
func within(a, b *typev1.Square, steps int32) bool {
	d, same := grid.Distance(a, b)
	return same && d <= steps
}

func counterChoices() []*tablev1.PromptChoice {
	return []*tablev1.PromptChoice{
		rule.Choice("yes", &cocv1.Counter{Counter: true}),
		rule.Choice("no", &cocv1.Counter{}),
	}
}
