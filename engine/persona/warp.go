package persona

import (
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// warpTrigger are warps, which take away whoever comes to their square, or ask.
func (g *game) warpTrigger() trigger { return trigger{kind: kindWarp} }

// moveByWarp goes through the warp of the own square.
func (g *game) moveByWarp(*rule.Ctx, string, personav1.Hand) {}

// validViaWarp refuses to go through a warp where none is known.
func (g *game) validViaWarp(*rule.View, string) *rule.Refusal {
	return rule.Refuse(whyNoWarp, "", "action.persona.move.via_warp")
}

// offerViaWarp offers to go through the known warp of the own square.
func (g *game) offerViaWarp(*rule.View, string) []*tablev1.Offer { return nil }
