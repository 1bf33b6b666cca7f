package coc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// TestGames plays random games until everything was used; see the package trial.
func TestGames(t *testing.T) { trial.Games(t, tables(t), gamesAtOnce, everything) }

// TestLeaks plays random games beside others that differ in what a seat may not know.
func TestLeaks(t *testing.T) { trial.Leaks(t, tables(t), leakSteps, keyless...) }

// keyless are the rows of "Who sees what" that govern what no key names.
var keyless = []string{
	"a roll declared with the audience keeper", "a roll declared with the audience owner", "a weapon that has not been in hand",
}

// tables are how tables of these rules are set up for trial.
func tables(t *testing.T) *trial.Setup {
	rules, err := ownPack()
	if err != nil {
		t.Fatal(err)
	}
	return &trial.Setup{
		Rules: rules, Pack: coc.DefaultPack(), Cast: cast, Option: common, Details: bodies,
		Moves: []trial.Move{
			{Weight: 6, Make: startCombat},
			{Weight: 4, Make: sanCheck},
			{Weight: 12, Make: madden},
			{Weight: 1, Make: func(*trial.Game) (string, proto.Message) { return "", &cocv1.EndScenario{} }},
			{Weight: 2, Lever: true, Make: fixCheck},
			{Weight: 1, Lever: true, Make: reward},
			{Weight: 1, Lever: true, Make: bonus},
			{Weight: 6, Lever: true, Refusable: true, Make: treatAsCritical},
		},
		Often:  []string{"end_turn", "attack", "shoot"},
		Seldom: []string{"end_combat", "submit", "gm_end_scenario"},
		Placed: []string{"cover", "fumble_mild"},
		Spared: trial.Exceptions{
			{What: "resource hp", Why: "who has none is dying by a rule alone"},
			{What: "status dead", Why: "who holds the turn loses it by a rule alone"},
			{What: "status unconscious", Why: "who holds the turn loses it by a rule alone"},
		},
		After: after, Between: canGoOn,
		Kept: trial.Exceptions{
			{What: "Trait.id", Why: "what it adds stands in the stats"},
			{What: "SkillPoints.occupation", Why: "they stand in the skills"},
			{What: "SkillPoints.personal", Why: "they stand in the skills"},
			{What: "SkillPoints.skill", Why: "they stand in the skills"},
			{What: "FixedCheck.action", Why: "a roll that was fixed shows no die"},
			{What: "status temp_insane", Why: "that there is one shows by the symptom"},
			{What: "status indef_insane", Why: "that there is one shows by the symptom"},
			{What: "status perm_insane", Why: "that there is one shows by who decides"},
			{What: "Creation.rolled", Why: "the characteristics are there, or not"},
		},
		Later: trial.Exceptions{
			{What: "gm_override_check", Why: "a roll that was fixed shows no die"},
		},
		Reveals: trial.Exceptions{
			{What: "check_resolved.result", Why: "whether a hidden chance was met"},
			{What: "defence_rolled.result", Why: "whether a hidden chance was met"},
			{What: "shock_rolled.result", Why: "whether a hidden chance was met"},
			{What: "resistance_resolved.result", Why: "whether a hidden chance was met"},
			{What: "opposed_resolved.result", Why: "whether a hidden chance was met"},
			{What: "resistance_resolved.value", Why: "the chance tells of both sides (Who sees what)"},
			{What: "resistance_resolved.roll", Why: "what is certain or hopeless is not rolled (COC-CHK-08)"},
			{What: "event initiative_set", Why: "equal DEX has dice thrown"},
			{What: "initiative_set.order", Why: "the order follows DEX"},
			{What: "die initiative", Why: "equal DEX has dice thrown"},
			{What: "event dice_rolled", Why: "equal DEX has dice thrown"},
			{What: "prompt dice", Why: "equal DEX has dice thrown, by hand"},
			{What: "prompt unknown", Why: "a roll of others is thrown by hand, unless it is certain or hopeless"},
			{What: "die db", Why: "the bonus follows STR and SIZ"},
			{What: "damage_rolled.db", Why: "the bonus follows STR and SIZ"},
			{What: "damage_rolled.multiplier", Why: "some creatures double"},
			{What: "damage_rolled.final", Why: "what armour and a hidden bonus leave"},
			{What: "check_resolved.special", Why: "a fifth of a hidden chance"},
			{What: "defence_rolled.special", Why: "a fifth of a hidden chance"},
			{What: "resistance_resolved.special", Why: "a fifth of a hidden chance"},
			{What: "die damage", Why: "a critical against some creatures throws no more dice (COC-ATK-04)"},
			{What: "event weapon_changed", Why: "a weapon whose durability is hidden breaks"},
			{What: "counter_dealt.amount", Why: "what hidden armour leaves"},
			{What: "die san_gain", Why: "a hidden skill reaches ninety (COC-GRW-04)"},
			{What: "event hp_changed", Why: "armour may let nothing through"},
			{What: "resource hp", Why: "the band of who is struck"},
			{What: "event shock_rolled", Why: "half of the hidden hit points are lost"},
			{What: "event defence_locked", Why: "a hidden value is low (COC-DEF-04)"},
			{What: "event check_resolved", Why: "a hidden loss of sanity has the Idea rolled"},
			{What: "event fell_unconscious", Why: "hit points that are hidden run out"},
			{What: "event woke", Why: "hit points that are hidden come back"},
			{What: "event character_updated", Why: "the band of hit points that the keeper changes"},
			{What: "event condition_lost", Why: "hit points that are hidden come back"},
			{What: "check_resolved trace fixed", Why: "a roll that was fixed shows no die, and a secret one may have used that up"},
			{What: "event dying", Why: "hit points that are hidden run out"},
			{What: "event died", Why: "hit points that are hidden run out"},
			{What: "event right_gained", Why: "a critical that only the keeper knows of gives a right that one must know (COC-CHK-05)"},
			{What: "event insanity_gained", Why: "sanity that is hidden runs out"},
			{What: "piece Weapon", Why: "gear that the keeper gives takes away what only humans have"},
			{What: "prompt counter", Why: "against extraterrestrials there is none (COC-DEF-11)"},
		},
		Unoffered: trial.Exceptions{
			{What: "check", Why: "with a multiplier or a modifier it is sent typed (COC-CHK-01)"},
			{What: "resistance", Why: "with numbers in place of a target it is sent typed (COC-CHK-08)"},
			{What: "gm_approve", Why: "a sheet that was declined before is sent typed"},
			{What: "gm_reject", Why: "a sheet that was approved before is sent typed"},
			{What: "request_extra", Why: "what the player may take anyway may be asked for too"},
		},
	}
}

// cast is an investigator and a foe, some more of the pack, and one in the making.
func cast(g *trial.Game) []*tablev1.Character {
	var all []*tablev1.Character
	for i := range 3 + g.Rand.IntN(4) {
		id := trial.Pick(g, g.Rules.Samples).ID
		if i < 2 { // somebody on each side
			id = []string{"officer", "thug"}[i]
		}
		ch := g.Sample(id, all)
		vary(g, ch)
		all = append(all, ch)
	}
	novice := g.Rules.FromDraft()
	novice.Id, novice.Name, novice.Side, novice.Audience = "novice", "Novice", "pc", rule.Public
	novice.Kind, novice.Review, novice.Drafted = tablev1.CharacterKind_CHARACTER_KIND_PC, tablev1.Review_REVIEW_DRAFT, true
	return append(all, novice)
}

// vary makes a sheet one of its own.
func vary(g *trial.Game, ch *tablev1.Character) {
	if g.Chance(4) {
		ch.Review = tablev1.Review_REVIEW_SUBMITTED
	}
	if g.Chance(8) {
		ch.Side = "pc"
	}
	if g.Chance(5) {
		hp := table.Resource(ch, "hp")
		*hp.Value = 1 + g.Rand.Int32N(hp.GetMax())
		hp.Band = rule.BandOf(hp.GetValue(), hp.GetMax())
	}
	if g.Chance(2) {
		for _, key := range []string{"dodge", "fist", "knife", "club", "handgun", "claw"} {
			if skill := table.Stat(ch, key); skill != nil {
				*skill.Value = 90
			}
		}
	}
	if g.Chance(2) {
		ch.Details.GetCoc().Belongings = &cocv1.Belongings{Artifacts: []string{"a mirror"}, Spells: []string{"a song"}, Settings: []string{"heir", "a scar"}}
	}
	if g.Led("prompt ninety_san") || g.Led("prompt growth_reroll") || g.Chance(8) {
		ripen(ch)
	}
	body := ch.Details.GetCoc().Body
	if g.Chance(8) {
		body.InstantDeath = proto.Bool(true)
	}
	if g.Chance(8) {
		body.AttacksPerRound = proto.Int32(2)
	}
	for _, w := range ch.Details.GetCoc().Weapons {
		if w.Durability != nil && g.Chance(3) {
			w.InHand, w.Ready = false, false
		}
	}
}

// ripen has a skill that is nearly as good as can be marked for growth: chance alone
// seldom would.
func ripen(ch *tablev1.Character) {
	skill := table.Stat(ch, "spot")
	if ch.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC || skill == nil {
		return
	}
	*skill.Value = 89
	d := ch.Details.GetCoc()
	for kind, id := range map[cocv1.MarkKind]string{
		cocv1.MarkKind_MARK_KIND_CRITICAL: "critical.spot", cocv1.MarkKind_MARK_KIND_INITIAL_SUCCESS: "initial_success.spot",
	} {
		d.GrowthMarks = append(d.GrowthMarks, &cocv1.GrowthMark{Id: id, Kind: kind, Source: "spot", Skill: "spot", Audience: rule.Owner})
	}
	slices.SortFunc(d.GrowthMarks, func(a, b *cocv1.GrowthMark) int { return strings.Compare(a.Id, b.Id) })
}

// common has criticals and fumbles come often at half of the tables, and seldom what
// slows everything down.
func common(g *trial.Game, o rule.Option) string {
	switch {
	case o.Key == "crit" && g.Chance(2):
		return trial.Pick(g, []string{"40", "60"})
	case o.Key == "fumble" && g.Chance(2):
		return trial.Pick(g, []string{"50", "70"})
	case o.Key == "crit", o.Key == "fumble",
		o.Key == "given_dice" && !g.Chance(4), o.Key == "growth_cap" && !g.Chance(4):
		return o.Default
	}
	return ""
}

// bodies change while nobody is asked, since what was offered may be refused then.
func bodies(g *trial.Game) *tablev1.Details {
	if g.Waiting() {
		return nil
	}
	return &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{Body: &cocv1.Body{Extraterrestrial: proto.Bool(g.Chance(2))}}}}
}

func startCombat(g *trial.Game) (string, proto.Message) {
	s := g.State()
	start := &cocv1.StartCombat{Notes: "in the dark"}
	for _, c := range s.Characters {
		if c.Review == tablev1.Review_REVIEW_APPROVED && table.Status(c, "dead") == nil {
			start.Combatants = append(start.Combatants, c.Id)
		}
	}
	if s.Encounter != nil || len(start.Combatants) == 0 {
		return "", nil
	}
	if g.Chance(2) {
		for i, id := range start.Combatants {
			start.Positions = append(start.Positions, &cocv1.Placement{Character: id, Square: &typev1.Square{X: int32(i % 2), Y: int32(i / 2)}})
		}
	}
	return "", start
}

// sanCheck drives somebody mad: chance alone seldom would.
func sanCheck(g *trial.Game) (string, proto.Message) {
	c := g.Character()
	if c != nil && c.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC && !g.Chance(4) {
		c = table.Character(g.State(), "officer")
	}
	if c == nil || c.Review != tablev1.Review_REVIEW_APPROVED || table.Status(c, "dead") != nil || table.Status(c, "perm_insane") != nil {
		return "", nil
	}
	return "", &cocv1.SanCheck{Targets: []string{c.Id}, Loss: trial.Pick(g, []string{"1/1D8", "6/8", "9/11"})}
}

// madden has insanities come and go where games are led to what they bring.
func madden(g *trial.Game) (string, proto.Message) {
	if !g.Led("row insanity_") {
		return "", nil
	}
	for _, c := range g.State().Characters {
		if table.Status(c, "temp_insane") != nil && table.Status(c, "dead") == nil {
			return "", &cocv1.EndInsanity{Character: c.Id}
		}
	}
	actor, check := sanCheck(g)
	if check != nil {
		check.(*cocv1.SanCheck).Loss = "6/7"
	}
	return actor, check
}

func fixCheck(g *trial.Game) (string, proto.Message) {
	c := g.Character()
	if c == nil {
		return "", nil
	}
	return "", &cocv1.OverrideCheck{
		Character: c.Id, Action: trial.Pick(g, []string{"attack", "check", "combined", "san_check", "physical_psychoanalysis"}),
		Result: cocv1.CheckGrade(1 + g.Rand.IntN(4)),
	}
}

func reward(g *trial.Game) (string, proto.Message) {
	c := g.Character()
	if c == nil || table.Status(c, "dead") != nil {
		return "", nil
	}
	return "", &cocv1.San{Character: c.Id, Delta: g.Rand.Int32N(41) - 25}
}

func bonus(g *trial.Game) (string, proto.Message) {
	c := g.Character()
	switch {
	case c == nil:
		return "", nil
	case g.Chance(2):
		return "", &cocv1.RpPoints{Character: c.Id, N: 3}
	case table.Stat(c, "persuade") == nil:
		return "", nil
	}
	return "", &cocv1.RpBonus{Character: c.Id, Skill: "persuade", N: 10}
}

// treatAsCritical is of the last attack roll: it is taken while the attack's prompt is
// open, of a success.
func treatAsCritical(g *trial.Game) (string, proto.Message) {
	for n := g.Events(); n > 0 && n > g.Events()-20; n-- {
		if e := g.Event(n); e.Name == "check_resolved" && len(e.Dice) == 1 && e.Dice[0].Label == "attack" {
			return "", &cocv1.TreatAsCritical{RollId: fmt.Sprint(n)}
		}
	}
	return "", nil
}

// after: with a new round ends what ended before it, and who is down is dying or dead.
func after(g *trial.Game, events []*tablev1.Event) error {
	s := g.State()
	for _, e := range events {
		if e.Name != "round_declared" {
			continue
		}
		for _, id := range s.Encounter.GetOrder() {
			if err := nothingPast(s, table.Character(s, id)); err != nil {
				return err
			}
		}
	}
	for _, ch := range s.Characters {
		hurt := slices.ContainsFunc(events, func(e *tablev1.Event) bool { return e.Name == "hp_changed" && e.Actor == ch.Id })
		down := table.Status(ch, "dying") != nil || table.Status(ch, "dead") != nil
		if hp := table.Resource(ch, "hp").GetValue(); hp <= 0 && !down && hurt && !g.Waiting() {
			return fmt.Errorf("%s has %d hp and is neither dying nor dead", ch.Id, hp)
		}
		if table.Status(ch, "dead") != nil {
			if err := nothingOffered(g, ch.Id); err != nil {
				return err
			}
		}
	}
	return nil
}

// nothingOffered: the dead do nothing.
func nothingOffered(g *trial.Game, who string) error {
	for _, name := range []string{"attack", "move", "check", "first_aid"} {
		for _, a := range g.Rules.Actions() {
			if a.Name != name {
				continue
			}
			for _, o := range a.Offers(g.GM(), who) {
				if o.Possible {
					return fmt.Errorf("the dead %s is offered %v", who, o.Label)
				}
			}
		}
	}
	return nil
}

func nothingPast(s *tablev1.State, ch *tablev1.Character) error {
	for _, st := range ch.Statuses {
		if effect.Past(s, st.Duration) {
			return fmt.Errorf("%s still has %v", ch.Id, st)
		}
	}
	for _, m := range ch.Modifiers {
		if effect.Past(s, m.Duration) {
			return fmt.Errorf("%s still has %v", ch.Id, m)
		}
	}
	return nil
}

// canGoOn: the table waits for somebody, or somebody can act.
func canGoOn(g *trial.Game) error {
	s := g.State()
	if s.Encounter == nil || g.Waiting() {
		return nil
	}
	if len(s.Encounter.Turn) == 0 {
		if g.Cancelled() {
			return nil // the GM cancelled the step that gives the turn on, and ends the fight
		}
		return fmt.Errorf("it is nobody's turn: %v", s.Encounter)
	}
	who := s.Encounter.Turn[0]
	if table.Status(table.Character(s, who), "unconscious") != nil || table.Status(table.Character(s, who), "dead") != nil {
		return fmt.Errorf("%s has the turn, and cannot act", who)
	}
	info, m := g.Rules.Action(rule.Wrap[*tablev1.Action](&cocv1.EndTurn{}))
	if refusal := info.Valid(g.GM(), who, m); refusal != nil {
		return fmt.Errorf("%s cannot end the turn: %v", who, refusal)
	}
	return nil
}

// TestTurnLostByOneself: whoever falls unconscious in the own turn ends it at once
// (COC-CMB-06), also by a fumble of First Aid on oneself. The games found it.
func TestTurnLostByOneself(t *testing.T) {
	r := fight(t)
	hp := table.Resource(table.Character(r.State(), "officer"), "hp")
	wound := rule.SetPart("officer", rule.Wrap[*tablev1.Part](&cocv1.Wound{Id: 1, Amount: 11}))
	if _, err := r.Fixture(rule.SetResource("officer", hp, 3), wound); err != nil {
		t.Fatal(err)
	}
	aid := rule.Wrap[*tablev1.Action](&cocv1.FirstAid{Target: "officer", Wound: 1})
	env := resolve.Env{Seat: rule.Seat{GM: true}, Dice: given(t, "1D100=98")}
	if _, err := r.Act(env, "officer", aid, 0); err != nil {
		t.Fatal(err)
	}
	if turn := r.State().Encounter.Turn; !slices.Equal(turn, []string{"thug"}) {
		t.Errorf("it is the turn of %v", turn)
	}
}

// TestCoverForTheTable: the GM may answer for the table (""), who is not asked to
// cover; that is refused like anybody else. The games found a nil there.
func TestCoverForTheTable(t *testing.T) {
	r := fight(t)
	thug := table.Character(r.State(), "thug-2")
	side := proto.Clone(thug).(*tablev1.Character)
	side.Side = table.Character(r.State(), "thug").Side
	if _, err := r.Fixture(rule.AddCharacter(side)); err != nil {
		t.Fatal(err)
	}
	env := resolve.Env{Seat: rule.Seat{GM: true}, Dice: given(t, "1D100=44")}
	if _, err := r.Act(env, "officer", rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton", Target: "thug"}), 0); err != nil {
		t.Fatal(err)
	}
	w := prompt.Named(r.State().Windows, "cover")
	_, err := r.Answer(env, w, []resolve.SlotAnswer{{Answer: rule.Wrap[*tablev1.Answer](&cocv1.Cover{Cover: true})}})
	if why := (*rule.Refusal)(nil); !errors.As(err, &why) || why.Reason != "BAD_TARGET" {
		t.Errorf("%v", err)
	}
}
