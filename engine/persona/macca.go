package persona

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// noExchange refuses to change macca into ordinary money, always (PER-MAC-01).
func noExchange(*rule.View, string, *personav1.ExchangeMacca) *rule.Refusal {
	return rule.Refuse(whyNoExchange, "PER-MAC-01", "")
}

func offerExchange(v *rule.View, by string) []*tablev1.Offer {
	if v.Encounter() != nil || !trades(v.Character(by)) {
		return nil
	}
	o := rule.NewOffer(&personav1.ExchangeMacca{}, noExchange(v, by, nil), "exchange_macca")
	o.Inputs = []*tablev1.Input{needed(rule.NumberInput("amount", "persona.exchange_macca.amount", 1, resource(v.Character(by), kMacca)))}
	return []*tablev1.Offer{o}
}

// initialMacca is what somebody owns at creation: the own INT, without any correction,
// and twice the highest level of a Persona, tenfold (PER-MAC-02).
func initialMacca(c *tablev1.Character) *effect.Value {
	highest := int32(0)
	for _, p := range details(c).GetPersonas() {
		highest = max(highest, p.Level)
	}
	return effect.Begin(c.Id, rule.Values, kINT, "PER-MAC-02", stat(c, kINT)).
		Add("highest_level", "PER-MAC-02", 2*highest).
		Multiply("initial", "PER-MAC-02", 10)
}

// grantMacca pays the initial macca, once, as INT and levels are now (PER-MAC-02,
// PER-MAC-03).
func (g *game) grantMacca(c *rule.Ctx, _ string, a *personav1.GrantInitialMacca) {
	me := c.Character(a.Character)
	value := initialMacca(me)
	user := &personav1.User{}
	proto.Merge(user, details(me).GetUser())
	if user.DeferMacca {
		value.Note("deferred", "PER-MAC-03")
	}
	user.InitialMaccaGranted, user.DeferMacca = true, false
	now := resource(me, kMacca) + value.Total()
	c.Emit(c.Event(maccaChanged, "PER-MAC-02", me.Id).
		Number(fDelta, "", rule.Values, value.Total()).
		Number(fValue, "", rule.Values, now).
		Words(fReason, "", rule.Values, "initial").
		Trace(value.Trace()...).
		Change(setResource(me, kMacca, now), piece(me.Id, &personav1.Part{Part: &personav1.Part_User{User: user}})))
}

func (g *game) validGrantMacca(v *rule.View, _ string, a *personav1.GrantInitialMacca) *rule.Refusal {
	const field = "action.persona.grant_initial_macca.character"
	me := v.Character(a.Character)
	if me == nil {
		return rule.Core(tablev1.Reason_REASON_NOT_FOUND, field).Suggest(a.Character, v.CharacterIDs())
	}
	if details(me).GetUser().GetInitialMaccaGranted() {
		return rule.Refuse(whyAlreadyGranted, "PER-MAC-02", field)
	}
	return nil
}

// offerGrantMacca lists those whose initial macca is not paid yet; whose is to come
// later by the GM's word comes last (PER-MAC-03).
func (g *game) offerGrantMacca(v *rule.View, _ string) []*tablev1.Offer {
	var now, later []*tablev1.Offer
	for _, me := range v.State.Characters {
		u := details(me).GetUser()
		if !trades(me) || u.GetInitialMaccaGranted() {
			continue
		}
		o := rule.NewOffer(&personav1.GrantInitialMacca{Character: me.Id}, nil, "grant_initial_macca", me.Id)
		if u.GetDeferMacca() {
			later = append(later, o)
		} else {
			now = append(now, o)
		}
	}
	return append(now, later...)
}
