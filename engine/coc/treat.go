package coc

import (
	"strconv"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// firstAid treats a wound (COC-INJ-05). In combat it uses the attack (COC-CMB-10).
func (g *game) firstAid(c *rule.Ctx, by string, a *cocv1.FirstAid) {
	g.treat(c, by, a.Target, a.Wound, "first_aid", a.UsePlus10)
	g.lostTurn(c, by) // a fumble on oneself
}

// medicine treats a wound (COC-INJ-06). In combat it uses the attack (COC-CMB-10).
func (g *game) medicine(c *rule.Ctx, by string, a *cocv1.Medicine) {
	g.treat(c, by, a.Target, a.Wound, "medicine", a.UsePlus10)
}

// treat rolls First Aid or Medicine on one wound and heals it.
func (g *game) treat(c *rule.Ctx, healer, patient string, wound int32, skill string, plus10 bool) {
	ruleID := "COC-INJ-05"
	if skill == "medicine" {
		ruleID = "COC-INJ-06"
	}
	r := g.rollBesides(c, check{by: healer, skill: skill, id: ruleID, action: skill}, plus10,
		func(e *rule.Event, _ rolled) { e.On(patient) })

	c.Reads("healing", patient, rule.HP)
	points := int32(0)
	switch {
	case skill == "first_aid" && r.grade == critical:
		points = 3
	case r.grade.ok():
		points = c.Die("healing", healer, 3)
	}
	w := treatable(c.Character(patient), wound, skill)
	healed := min(points, g.healable(c, patient, w))
	c.Emit(c.Event(woundTreated, ruleID, healer).On(patient).
		Words(fResult, "", rule.Public, r.grade.String()).
		Number(fWound, patient, rule.HP, w.Id).
		Number(fAmount, patient, rule.HP, healed).
		Change(setWound(patient, w, func(w *cocv1.Wound) {
			if skill == "first_aid" {
				w.FirstAidTried = true
			} else {
				w.MedicineTried = true
			}
			w.Healed += healed
		})).
		Because(r.event))
	if healed > 0 {
		g.changeHP(c, patient, healed, skill, r.event)
		g.recover(c, patient)
	}
	if skill != "first_aid" {
		return
	}
	if r.grade == fumble {
		g.changeHP(c, patient, -1, skill, r.event) // No new wound.
		if hp(c.Character(patient)) <= 2 {
			g.lowHP(c, patient)
		}
	}
	if r.grade.ok() {
		g.rouse(c, patient, causeShock)
	}
}

// rollBesides rolls for what uses the attack of the round besides an attack
// (COC-CMB-10); its die is named like it.
func (g *game) rollBesides(c *rule.Ctx, ck check, plus10 bool, more func(*rule.Event, rolled)) rolled {
	ck.label = ck.action
	if encounter.In(c.Encounter(), ck.by) {
		ck.changes = []*tablev1.Change{usesAttack(c.Character(ck.by))}
	}
	return g.rollSkill(c, ck, plus10, more)
}

// healable is how much of a wound can be healed: what is unhealed of it, and up
// to the maximum (option heal_cap_by_wound).
func (g *game) healable(c *rule.Ctx, patient string, w *cocv1.Wound) int32 {
	r := table.Resource(c.Character(patient), kHP)
	missing := max(0, r.GetMax()-r.GetValue())
	if c.Flag("heal_cap_by_wound") {
		return min(missing, max(0, w.Amount-w.Healed))
	}
	return missing
}

func (g *game) validFirstAid(v *rule.View, by string, a *cocv1.FirstAid) *rule.Refusal {
	return g.validTreat(v, by, a.Target, a.Wound, "first_aid", a.UsePlus10, "action.coc.first_aid.")
}

func (g *game) validMedicine(v *rule.View, by string, a *cocv1.Medicine) *rule.Refusal {
	return g.validTreat(v, by, a.Target, a.Wound, "medicine", a.UsePlus10, "action.coc.medicine.")
}

func (g *game) validTreat(v *rule.View, by, target string, wound int32, skill string, plus10 bool, field string) *rule.Refusal {
	me := v.Character(by)
	if refusal := g.besides(v, by, v.Character(target), field+"target"); refusal != nil {
		return refusal
	}
	patient := v.Character(target)
	if patient == nil {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field+"target").Suggest(target, v.CharacterIDs())
	}
	if refusal := validWound(patient, wound, skill, field+"wound"); refusal != nil {
		if hidesWounds(v, patient) {
			// Which wounds there are, and which were treated, is not for this seat.
			return rule.Refuse(noWound, refusal.Rule, field+"wound")
		}
		return refusal
	}
	return validRight(me, plus10, field)
}

// hidesWounds reports whether the seat may not see a patient's wounds.
func hidesWounds(v *rule.View, patient *tablev1.Character) bool {
	if v.Seat.GM || v.Controls(patient.Id) {
		return false
	}
	if isPC(patient) {
		return v.Option("party_sheets") == "hidden"
	}
	return v.Option("npc_hp") != "exact"
}

// besides refuses what uses the attack of the round besides an attack
// (COC-CMB-10): in combat in the own turn, within one square. Outside combat
// only the unconscious cannot.
func (g *game) besides(v *rule.View, by string, target *tablev1.Character, field string) *rule.Refusal {
	me := v.Character(by)
	if v.Encounter() == nil {
		if !conscious(me) {
			return rule.Refuse(unconscious, "COC-CMB-10", "")
		}
		return nil
	}
	if refusal := turnOf(v, by, stepActions, "COC-CMB-10"); refusal != nil {
		return refusal
	}
	if refusal := g.mayAct(v, me, "COC-CMB-10"); refusal != nil {
		return refusal
	}
	if d, _ := distance(me, target); target != nil && target.Id != by && d > 1 {
		return rule.Refuse(outOfRange, "COC-CMB-10", field)
	}
	return nil
}

// treatable is the wound of a number, or for 0 the newest that was not yet
// treated in this way: who cannot see the wounds treats what bleeds. It is nil if
// there is none.
func treatable(patient *tablev1.Character, wound int32, skill string) *cocv1.Wound {
	if wound != 0 {
		return woundOf(patient, wound)
	}
	wounds := details(patient).GetWounds()
	for i := len(wounds) - 1; i >= 0; i-- {
		if !treated(wounds[i], skill) {
			return wounds[i]
		}
	}
	return nil
}

func treated(w *cocv1.Wound, skill string) bool {
	return skill == "first_aid" && w.FirstAidTried || skill == "medicine" && w.MedicineTried
}

// validWound refuses a wound that is not there or was treated in this way.
func validWound(patient *tablev1.Character, wound int32, skill, field string) *rule.Refusal {
	ruleID := "COC-INJ-05"
	if skill == "medicine" {
		ruleID = "COC-INJ-06"
	}
	w := treatable(patient, wound, skill)
	if w == nil || has(patient, stDead) {
		return rule.Refuse(noWound, ruleID, field)
	}
	if treated(w, skill) {
		return rule.Refuse(woundIsTreated, ruleID, field)
	}
	return nil
}

// untreated are the numbers of the wounds that were not treated in this way.
func untreated(patient *tablev1.Character, skill string) []string {
	var out []string
	for _, w := range details(patient).GetWounds() {
		if validWound(patient, w.Id, skill, "") == nil {
			out = append(out, strconv.Itoa(int(w.Id)))
		}
	}
	return out
}

// offerFirstAid and offerMedicine offer a treatment of each wound that the seat
// knows of.
func (g *game) offerFirstAid(v *rule.View, by string) []*tablev1.Offer {
	return g.offerTreatment(v, by, "first_aid", func(target string, wound int32) *tablev1.Offer {
		a := &cocv1.FirstAid{Target: target, Wound: wound}
		return rule.NewOffer(a, g.validFirstAid(v, by, a), "first_aid", target, strconv.Itoa(int(wound)))
	})
}

func (g *game) offerMedicine(v *rule.View, by string) []*tablev1.Offer {
	return g.offerTreatment(v, by, "medicine", func(target string, wound int32) *tablev1.Offer {
		a := &cocv1.Medicine{Target: target, Wound: wound}
		return rule.NewOffer(a, g.validMedicine(v, by, a), "medicine", target, strconv.Itoa(int(wound)))
	})
}

func (g *game) offerTreatment(v *rule.View, by, skill string, offer func(target string, wound int32) *tablev1.Offer) []*tablev1.Offer {
	if v.Encounter() != nil && !encounter.In(v.Encounter(), by) {
		return nil
	}
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		for _, w := range details(ch).GetWounds() {
			if validWound(ch, w.Id, skill, "") != nil {
				continue // over and done with
			}
			o := offer(ch.Id, w.Id)
			if has(v.Character(by), stPlus10) {
				o.Inputs = append(o.Inputs, plus10Input("coc."+skill))
			}
			out = append(out, o)
		}
	}
	return out
}

// week passes a week of healing (COC-INJ-06).
func (g *game) week(c *rule.Ctx, _ string, a *cocv1.Week) {
	n := int32(1)
	if a.Healer != "" {
		r := g.rollSkill(c, check{label: "medicine", by: a.Healer, skill: "medicine", id: "COC-INJ-06"}, false,
			func(e *rule.Event, _ rolled) { e.On(a.Character) })
		if r.grade.ok() {
			n = 2
		}
	}
	points := total(c.Sum(a.Character, rule.Summand{Label: "healing", Dice: dice.Dice{Count: n, Sides: 3}, Sign: 1}))
	r := table.Resource(c.Character(a.Character), kHP)
	healed := min(points, max(0, r.GetMax()-r.GetValue()))
	e := c.Emit(c.Event(weekPassed, "COC-INJ-06", a.Character).Number(fAmount, "", rule.HP, healed))
	if healed > 0 {
		g.changeHP(c, a.Character, healed, "week", e)
		g.recover(c, a.Character)
	}
}

func (g *game) validWeek(v *rule.View, _ string, a *cocv1.Week) *rule.Refusal {
	const field = "action.coc.gm_week."
	if ch := v.Character(a.Character); ch == nil || has(ch, stDead) {
		return rule.Refuse(badTarget, "COC-INJ-06", field+"character").Suggest(a.Character, v.CharacterIDs())
	}
	if a.Healer == "" {
		return nil
	}
	if h := v.Character(a.Healer); h == nil || !conscious(h) || a.Healer == a.Character {
		return rule.Refuse(badTarget, "COC-INJ-06", field+"healer").Suggest(a.Healer, v.CharacterIDs())
	}
	return nil
}

// offerWeek offers a week of healing for everybody who lacks hit points.
func (g *game) offerWeek(v *rule.View, _ string) []*tablev1.Offer {
	if v.Encounter() != nil {
		return nil
	}
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		if r := table.Resource(ch, kHP); has(ch, stDead) || r.GetValue() >= r.GetMax() {
			continue
		}
		var healers []string
		for _, h := range v.State.Characters {
			if h.Id != ch.Id && conscious(h) {
				healers = append(healers, h.Id)
			}
		}
		o := rule.NewOffer(&cocv1.Week{Character: ch.Id}, nil, "gm_week", ch.Id)
		if len(healers) > 0 {
			in := rule.CharacterInput("healer", "coc.gm_week.healer", healers)
			in.MinCount = 0
			o.Inputs = []*tablev1.Input{in}
		}
		out = append(out, o)
	}
	return out
}
