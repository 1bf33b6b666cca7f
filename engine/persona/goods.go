package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// codedGoods are the rules of macca, items and shops that have code.
var codedGoods = []string{
	"PER-MAC-01", "PER-MAC-02", "PER-MAC-03", "PER-MAC-04", "PER-MAC-05", "PER-MAC-06", "PER-MAC-07", "PER-MAC-08", "PER-MAC-09",
	"PER-MAC-10", "PER-MAC-11",
}

func (g *game) registerGoods(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.Buy]{Rule: "PER-MAC-06", Group: groupGoods, Offers: g.offerBuy, Valid: g.validBuy, Run: g.buy})
	rule.Register(r, rule.Action[*personav1.Sell]{Rule: "PER-MAC-07", Group: groupGoods, Offers: g.offerSell, Valid: g.validSell, Run: g.sell})
	rule.Register(r, rule.Action[*personav1.Equip]{Rule: "PER-MAC-10", Group: groupGoods, Offers: g.offerEquip, Valid: g.validEquip, Run: g.equip})
	rule.Register(r, rule.Action[*personav1.RecoverAtFacility]{Rule: "PER-MAC-11", Group: groupGoods, Offers: g.offerRecover, Valid: g.validRecover, Run: g.recoverAt})
	rule.Register(r, rule.Action[*personav1.TreasureSearchScene]{Rule: "PER-MAC-04", Group: groupGoods, Offers: g.offerTreasureSearch, Valid: g.validTreasureSearch, Run: g.treasureSearch})
	rule.Register(r, rule.Action[*personav1.ExchangeMacca]{Rule: "PER-MAC-01", Group: groupGoods, Offers: offerExchange, Valid: noExchange, Run: func(*rule.Ctx, string, *personav1.ExchangeMacca) {}})
	rule.Register(r, rule.Action[*personav1.OpenShop]{Rule: "PER-MAC-06", Group: groupSession, GM: true, Table: true, Offers: g.offerOpenShop, Valid: g.validOpenShop, Run: g.openShop})
	rule.Register(r, rule.Action[*personav1.OpenFacility]{Rule: "PER-MAC-11", Group: groupSession, GM: true, Table: true, Offers: offerOpenFacility, Run: g.openFacility})
	rule.Register(r, rule.Action[*personav1.ClosePlace]{Rule: "PER-MAC-06", Group: groupSession, GM: true, Table: true, Offers: g.offerClosePlace, Run: g.closePlace})
	rule.Register(r, rule.Action[*personav1.GrantInitialMacca]{Rule: "PER-MAC-02", Group: groupSession, GM: true, Table: true, Offers: g.offerGrantMacca, Valid: g.validGrantMacca, Run: g.grantMacca})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.PermitTreasureSearch]{})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.TreasureReward]{Valid: g.validTreasureReward, Settle: g.takeTreasureReward})
}

// changeMacca gives or takes macca, and tells why to whom may know how much there is.
func changeMacca(c *rule.Ctx, who string, delta int32, reason, id string) {
	now := max(0, resource(c.Character(who), kMacca)+delta)
	c.Emit(c.Event(maccaChanged, id, who).
		Number(fDelta, "", rule.Values, delta).
		Number(fValue, "", rule.Values, now).
		Words(fReason, "", rule.Values, reason).
		Change(setResource(c.Character(who), kMacca, now)))
}

// gain gives items.
func gain(c *rule.Ctx, who, item string, count int32, reason, id string) {
	c.Emit(c.Event(itemGained, id, who).
		Words(fItem, "", rule.Values, item).
		Number(fCount, "", rule.Values, count).
		Words(fReason, "", rule.Values, reason).
		Change(setCarried(who, item, carried(c.Character(who), item)+count)))
}

// times is how many pieces an action is about: one unless it says so.
func times(count int32) int32 { return max(1, count) }

// mayTrade refuses the dead, who own nothing any more.
func mayTrade(c *tablev1.Character) *rule.Refusal {
	if has(c, stDead) {
		return rule.Refuse(whyActorIncapacitated, "PER-CHK-02", "")
	}
	return nil
}

// trades reports whether somebody is offered to deal in goods.
func trades(c *tablev1.Character) bool { return isPC(c) && !has(c, stDead) }
