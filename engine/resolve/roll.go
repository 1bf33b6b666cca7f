package resolve

import (
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// rollLabel is the label of dice that no rule asks for.
const rollLabel = "roll"

// Roll is dice that somebody throws without a rule.
type Roll struct {
	// Actor who throws; "" for nobody.
	Actor string
	// Formula is dice and whole numbers, added up.
	Formula string
	// Text says what it is for.
	Text string
	// Audience is who may know: unspecified or public for everybody, owner, or gm.
	Audience typev1.Audience
}

// Roll throws dice, also while a step waits. It returns a *rule.Refusal if they
// cannot be thrown; then none was drawn.
func (r *Resolver) Roll(env Env, roll Roll) (*tablev1.Commit, error) {
	if r.paused() && !env.Seat.GM {
		return nil, pausedRefusal()
	}
	f, refusal := r.mayRoll(&env, roll)
	if refusal != nil {
		return nil, refusal
	}
	cmd := &tablev1.Command{
		Actor: roll.Actor, Audience: roll.Audience, GivenDice: notations(env.Given),
		What: &tablev1.Command_Roll{Roll: &tablev1.Roll{Formula: f.String(), Text: roll.Text}},
	}
	see := rule.Public
	if roll.Actor != "" {
		see = rule.Dice
	}
	thrown, total, err := r.throwAll(&env, roll, f, see)
	if err != nil {
		return nil, err
	}
	return r.aside(&env, cmd, func(ctx *rule.Ctx) {
		e := ctx.Event(nameRolled, "", roll.Actor).For(roll.Audience).
			Words(factFormula, "", rule.Public, f.String()).
			Number(factTotal, "", see, total)
		if roll.Text != "" {
			e.Text(factText, "", rule.Public, roll.Text)
		}
		e.Message().Dice = thrown
		ctx.Emit(e)
	})
}

// mayRoll refuses what cannot be thrown, or reads it.
func (r *Resolver) mayRoll(env *Env, roll Roll) (dice.Formula, *rule.Refusal) {
	v := r.view(env)
	bad := func(field string) *rule.Refusal { return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field) }
	switch {
	case roll.Actor != "" && v.Character(roll.Actor) == nil:
		return dice.Formula{}, unknownCharacter(v, "actor", roll.Actor)
	case roll.Actor != "" && !v.Seat.GM && !v.Controls(roll.Actor):
		return dice.Formula{}, rule.Core(tablev1.Reason_REASON_NOT_YOUR_SEAT, "actor").Say("another_seat_controls")
	case roll.Actor == "" && roll.Audience == rule.Owner:
		return dice.Formula{}, bad("actor").Say("owner_needs_actor")
	}
	f, err := dice.ParseFormula(roll.Formula)
	if err != nil {
		return dice.Formula{}, bad("formula").Say("formula_form", rule.Sent("sent", roll.Formula), rule.Because("why", rule.DiceDetail(err)))
	}
	for _, name := range f.Names() {
		return dice.Formula{}, bad("formula").Say("formula_name", rule.Sent("sent", name))
	}
	count := int32(0)
	for _, d := range f.Dice() {
		count += d.Count
	}
	switch {
	case count == 0:
		return dice.Formula{}, bad("formula").Say("formula_without_dice")
	case count > maxDice:
		return dice.Formula{}, rule.Core(tablev1.Reason_REASON_TOO_LARGE, "formula").Say("most_dice", rule.Number("most", maxDice))
	}
	return f, nil
}

// throwAll throws the dice of a formula, those given by hand first, and adds up.
func (r *Resolver) throwAll(env *Env, roll Roll, f dice.Formula, see typev1.Audience) ([]*typev1.Die, int32, error) {
	of := roll.Actor
	if len(env.Given) > 0 && !env.Seat.GM && !r.View(env.Seat).Controls(of) {
		return nil, 0, rule.Core(tablev1.Reason_REASON_BAD_DICE, "given_dice").Say("dice_of_others")
	}
	all := r.everybody()
	public := roll.Audience == typev1.Audience_AUDIENCE_UNSPECIFIED || roll.Audience == rule.Public
	var thrown []*typev1.Die
	total := f.Constant()
	for sign, d := range f.Dice() {
		die := &typev1.Die{Label: rollLabel, Of: of, Sides: d.Sides, Audience: see}
		if len(env.Given) > 0 {
			given, refusal := faces(env.Given[0], d, rollLabel)
			if refusal != nil {
				return nil, 0, refusal
			}
			die.Faces, die.Given, env.Given = given, true, env.Given[1:]
		} else if err := makeFaces(env, die, d, public && all.Knows(of) && all.SeesDie(die, of)); err != nil {
			return nil, 0, err
		}
		for _, face := range die.Faces {
			total += sign * face
		}
		thrown = append(thrown, die)
	}
	return thrown, total, r.leftOver(env)
}
