package coc

import (
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// afflicted reports whether somebody is insane, if only suppressed: no other
// insanity comes on top (COC-SAN-04, COC-SAN-05).
func afflicted(me *tablev1.Character) bool {
	return has(me, stTempInsane) || has(me, stIndefInsane) || has(me, stPermInsane)
}

// insane reports whether somebody is insane for the rules: not while it is
// suppressed (COC-SAN-06). Everybody sees a symptom.
func insane(me *tablev1.Character) bool {
	return has(me, stSymptom) || afflicted(me) && !details(me).GetMind().GetInsanitySuppressed()
}

// temporary has the Idea roll decide whether a loss was understood, which is what
// drives mad for a while (COC-SAN-04).
func (g *game) temporary(c *rule.Ctx, who string, because int32) {
	r := g.rollSkill(c, check{label: "idea/" + who, by: who, skill: kIdea, id: "COC-SAN-04"}, false,
		func(e *rule.Event, _ rolled) { e.Because(because) })
	if !r.grade.ok() {
		return
	}
	fights := encounter.In(c.Encounter(), who)
	rows, long := g.pack.short, false
	if !fights && g.longTerm(c, who) {
		rows, long = g.pack.long, true
	}
	s := rows[c.Die("symptom/"+who, who, symptomFaces)-1]
	n := c.Die("insanity/"+who, who, 10)
	in := &cocv1.Insanity{Length: n + 4, Unit: cocv1.InsanityUnit_INSANITY_UNIT_ROUNDS}
	if long {
		in.Length, in.Unit = n*10, cocv1.InsanityUnit_INSANITY_UNIT_HOURS
	}
	e := c.Event(insanityGained, "COC-SAN-04", who).
		Words(fKind, "", rule.Mind, "temporary").
		Words(fSymptom, "", rule.Public, s.ID).
		Number(fLength, "", rule.Public, in.Length).
		Words(fUnit, "", rule.Public, unitWord(in.Unit)).
		Because(r.event)
	if fights {
		in.Until = g.nowRound(c) + in.Length
		e.Number(fUntil, "", rule.Public, c.Encounter().Round+in.Length)
	}
	e.Change(rule.SetStatus(who, &typev1.Status{Key: stTempInsane, Audience: rule.Mind})).
		Change(g.begins(c, c.Character(who), s, in, fights)...)
	c.Emit(e.Change(setInsanity(who, in)))
	if s.Faints {
		g.faint(c, who, causeFaint, "COC-SAN-04")
		g.lostTurn(c, who)
	}
}

func unitWord(u cocv1.InsanityUnit) string { return rule.Word(u, "INSANITY_UNIT_") }

// longTerm asks the keeper for rounds or hours, where no rounds are counted.
func (g *game) longTerm(c *rule.Ctx, who string) bool {
	return cocAnswer(c.Ask(&rule.Window{
		Name: "insanity_term", Rule: "COC-SAN-04", Kind: oneSeat, BecauseOf: who, About: who,
		Slots: []rule.Slot{{Default: "short", Choices: []*tablev1.PromptChoice{
			rule.Choice("short", &cocv1.InsanityTerm{}),
			rule.Choice("long", &cocv1.InsanityTerm{Long: true}),
		}}},
	})[0]).GetInsanityTerm().GetLong()
}

// indefinite is what the losses of an hour bring (COC-SAN-05): at a fifth of the
// sanity at its start, once an hour. It replaces a temporary insanity.
func (g *game) indefinite(c *rule.Ctx, who string, because int32) {
	me := c.Character(who)
	hour := details(me).GetSanityHour()
	if hour.GetLost()*5 < hour.GetStart() || hour.GetStruck() || has(me, stIndefInsane) || has(me, stPermInsane) {
		return
	}
	months := c.Die("insanity/"+who+"/months", who, 6)
	struck := true
	e := c.Event(insanityGained, "COC-SAN-05", who).
		Words(fKind, "", rule.Mind, "indefinite").
		Number(fLength, "", rule.Public, months).
		Words(fUnit, "", rule.Public, unitWord(cocv1.InsanityUnit_INSANITY_UNIT_MONTHS)).
		Because(because).
		Change(endings(me)...).
		Change(
			rule.SetStatus(who, &typev1.Status{Key: stIndefInsane, Audience: rule.Mind}),
			setInsanity(who, &cocv1.Insanity{Length: months, Unit: cocv1.InsanityUnit_INSANITY_UNIT_MONTHS}),
			setHour(who, &cocv1.SanityHour{Start: hour.Start, Lost: hour.Lost, Struck: &struck}),
		)
	c.Emit(e)
	g.rouse(c, who, causeFaint)
	c.AskLater(&rule.Window{
		Name: "indefinite_symptom", Rule: "COC-SAN-05", Kind: oneSeat, BecauseOf: who, About: who,
		Slots: []rule.Slot{{Default: "nothing", Choices: []*tablev1.PromptChoice{
			rule.Choice("nothing", &cocv1.IndefiniteSymptom{}),
			rule.Choice("symptom", &cocv1.IndefiniteSymptom{}, textInput("text", "coc.indefinite_symptom.text", 500)),
		}}},
	})
}

// settleSymptom takes the keeper's word on the symptom of an indefinite insanity
// (COC-SAN-05), unless it has ended meanwhile.
func (g *game) settleSymptom(c *rule.Ctx, w *tablev1.Window, a *cocv1.IndefiniteSymptom) {
	me := c.Character(w.About)
	if a.Text == "" || !has(me, stIndefInsane) {
		return
	}
	named := lasting(me)
	named.Symptom = a.Text
	c.Emit(c.Event(symptomNamed, "COC-SAN-05", w.About).
		Text(fNotes, "", rule.Public, a.Text).
		Change(setInsanity(w.About, named)))
}

// permanent is what sanity 0 brings (COC-SAN-03): the investigator is the keeper's.
func (g *game) permanent(c *rule.Ctx, who string, because int32) {
	me := c.Character(who)
	e := c.Event(insanityGained, "COC-SAN-03", who).Words(fKind, "", rule.Mind, "permanent").Because(because)
	if isPC(me) {
		e.Change(rule.SetKind(me, tablev1.CharacterKind_CHARACTER_KIND_NPC))
	}
	e.Change(endings(me)...).
		Change(
			rule.SetStatus(who, &typev1.Status{Key: stPermInsane, Audience: rule.Mind}),
			rule.SetStatus(who, status(rule.GMDecides, nil)),
		)
	if details(me).GetInsanity() != nil {
		e.Change(setInsanity(who, &cocv1.Insanity{}))
	}
	e.Change(setSuppressed(me, false)...)
	c.Emit(e)
	g.rouse(c, who, causeFaint)
}

// endInsanity ends an insanity, or suppresses it until the scenario ends (COC-SAN-06).
func (g *game) endInsanity(c *rule.Ctx, who, ruleID string, suppresses bool, because int32) {
	me := c.Character(who)
	e := c.Event(insanityEnded, ruleID, who).Because(because)
	if has(me, stIndefInsane) {
		e.Words(fKind, "", rule.Mind, "indefinite")
	} else {
		e.Words(fKind, "", rule.Mind, "temporary")
	}
	after := &cocv1.Insanity{}
	if suppresses {
		after = lasting(me)
		e.Words(fSuppressed, "", rule.Mind, "suppressed")
	} else {
		e.Change(endings(me)...)
	}
	c.Emit(e.Change(setInsanity(who, after)).Change(setSuppressed(me, suppresses)...))
	g.rouse(c, who, causeFaint)
}

// endings are the changes that end an insanity and its symptom, but for what is
// told of it apart.
func endings(me *tablev1.Character) []*tablev1.Change {
	var out []*tablev1.Change
	for _, key := range []string{stTempInsane, stIndefInsane, stSymptom, rule.GMDecides} {
		if s := table.Status(me, key); s != nil {
			out = append(out, rule.EndStatus(me.Id, s))
		}
	}
	return out
}

func setInsanity(who string, in *cocv1.Insanity) *tablev1.Change {
	return piece(who, &cocv1.Part{Part: &cocv1.Part_Insanity{Insanity: in}})
}

// lasting is an insanity with what outlasts a fight: its symptom and its length.
func lasting(me *tablev1.Character) *cocv1.Insanity {
	in := details(me).GetInsanity()
	return &cocv1.Insanity{Symptom: in.GetSymptom(), Length: in.GetLength(), Unit: in.GetUnit()}
}

// mindOf is what only the player knows of a mind, to be written anew.
func mindOf(me *tablev1.Character) *cocv1.Mind {
	if m := details(me).GetMind(); m != nil {
		return proto.Clone(m).(*cocv1.Mind)
	}
	return &cocv1.Mind{}
}

// setSuppressed writes whether an indefinite insanity is suppressed (COC-SAN-06), where
// that changes. It is no part of the insanity, which everybody sees whole.
func setSuppressed(me *tablev1.Character, on bool) []*tablev1.Change {
	after := mindOf(me)
	if after.GetInsanitySuppressed() == on {
		return nil
	}
	after.InsanitySuppressed = nil
	if on {
		after.InsanitySuppressed = &on
	}
	return []*tablev1.Change{piece(me.Id, &cocv1.Part{Part: &cocv1.Part_Mind{Mind: after}})}
}

func setHour(who string, h *cocv1.SanityHour) *tablev1.Change {
	return piece(who, &cocv1.Part{Part: &cocv1.Part_SanityHour{SanityHour: h}})
}

// outOfRounds is what the end of a fight does to an insanity: no more rounds are
// counted, the keeper ends it (COC-SAN-04). It is nil where there is nothing to do.
func outOfRounds(me *tablev1.Character) *tablev1.Change {
	in := details(me).GetInsanity()
	if in.GetUntil() == 0 && in.GetClingsTo() == "" {
		return nil
	}
	return setInsanity(me.Id, lasting(me))
}

// keeperEnds ends an insanity by the keeper's word.
func (g *game) keeperEnds(c *rule.Ctx, _ string, a *cocv1.EndInsanity) {
	ruleID := "COC-SAN-04"
	if has(c.Character(a.Character), stIndefInsane) {
		ruleID = "COC-SAN-05"
	}
	g.endInsanity(c, a.Character, ruleID, false, 0)
}

func (g *game) validKeeperEnds(v *rule.View, _ string, a *cocv1.EndInsanity) *rule.Refusal {
	const id, field = "COC-SAN-04", "action.coc.gm_end_insanity.character"
	if refusal := atTable(v, a.Character, id, field); refusal != nil {
		return refusal
	}
	if ch := v.Character(a.Character); has(ch, stDead) || !has(ch, stTempInsane) && !has(ch, stIndefInsane) {
		return rule.Refuse(badTarget, id, field).Name(a.Character)
	}
	return nil
}

func (g *game) offerKeeperEnds(v *rule.View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, ch := range v.State.Characters {
		a := &cocv1.EndInsanity{Character: ch.Id}
		if g.validKeeperEnds(v, "", a) == nil {
			out = append(out, rule.NewOffer(a, nil, "gm_end_insanity", ch.Id))
		}
	}
	return out
}
