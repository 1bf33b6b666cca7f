package coc

import (
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// offerStrike offers an attack with one weapon on all whom it can reach. Where
// there is nobody, the offer says why not: the refusal of the first in the order.
func (g *game) offerStrike(v *rule.View, by string, w *cocv1.Weapon, m proto.Message, name string, valid func(target string) *rule.Refusal) *tablev1.Offer {
	targets, why := reachable(enemiesFirst(v, by), valid)
	o := rule.NewOffer(m, why, name, w.Id)
	path := "coc." + name
	o.Inputs = append(o.Inputs, rule.CharacterInput("target", path+".target", targets))
	if has(v.Character(by), stPlus10) {
		o.Inputs = append(o.Inputs, plus10Input(path))
	}
	if row := g.template(w); v.Character(by).Position == nil && (row.firearm() || row.Kind == kindThrown) {
		o.Inputs = append(o.Inputs, &tablev1.Input{
			Name: "distance_m", Path: path + ".distance_m", Kind: tablev1.InputKind_INPUT_KIND_NUMBER,
			MaxCount: 1, Min: 1, Max: farthest(row),
		})
	}
	return o
}

// enemiesFirst is the roster but for oneself, with those of other sides before the own.
func enemiesFirst(v *rule.View, by string) []string {
	var enemies, allies []string
	for _, id := range v.Encounter().Roster {
		switch {
		case id == by:
		case v.Character(id).GetSide() == v.Character(by).GetSide():
			allies = append(allies, id)
		default:
			enemies = append(enemies, id)
		}
	}
	return append(enemies, allies...)
}

// farthest is how far a firearm or thrown weapon goes, in metres.
func farthest(row *weaponRow) int32 {
	if row.firearm() {
		return 3 * row.Range
	}
	return row.Range
}

// open lists what is not refused; where that is nothing, the first refusal.
func open(all []string, valid func(string) *rule.Refusal) ([]string, *rule.Refusal) {
	var out []string
	var why *rule.Refusal
	for _, one := range all {
		refusal := valid(one)
		if refusal == nil {
			out = append(out, one)
		} else if why == nil {
			why = refusal
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	return nil, why
}

// reachable is open, with a refusal where there is nothing at all.
func reachable(all []string, valid func(string) *rule.Refusal) ([]string, *rule.Refusal) {
	if len(all) == 0 {
		return nil, rule.Refuse(badTarget, "COC-ATK-01", "")
	}
	return open(all, valid)
}
