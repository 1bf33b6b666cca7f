package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// skConnectAway lets its owner use his skills with another's hand (PER-SKL-03).
const skConnectAway = "connect_away"

// connects reports whether somebody can use his skills with another's hand: a PC's who
// can act, on the same floor (PER-SKL-03).
func connects(owner, lender *tablev1.Character) bool {
	return ablePC(owner) && ablePC(lender) && hasSkill(owner, skConnectAway) &&
		place(lender) != nil && place(owner) != nil && floorNow(owner) == floorNow(lender)
}

// lent asks whoever of the two did not declare it whether he agrees to Connect Away
// (PER-SKL-03). Without it nobody needs to.
func (g *game) lent(c *rule.Ctx, by string, u use) bool {
	if u.owner == u.lender {
		return true
	}
	other := u.owner
	if by == u.owner {
		other = u.lender
	}
	a := c.Ask(&rule.Window{
		Name: "connect_consent", Rule: "PER-SKL-03", Kind: tablev1.WindowKind_WINDOW_KIND_ONE, BecauseOf: by,
		Slots: []rule.Slot{{Character: other, Default: "no", Choices: []*tablev1.PromptChoice{
			rule.Choice("no", &personav1.ConnectConsent{}), rule.Choice("yes", &personav1.ConnectConsent{Consent: true}),
		}}},
	})[0]
	return rule.Unpack[*personav1.ConnectConsent](a).GetConsent()
}
