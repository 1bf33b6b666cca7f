package coc

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// revise writes what a client sends into a sheet that is at the table. What is
// derived from the characteristics (COC-CRE-02) is derived anew where it is what
// they gave: a value that somebody set apart from them stays. Conditions come from
// play alone.
func (g *game) revise(ch *tablev1.Character, u *tablev1.UpdateSheet) *rule.Refusal {
	body, refusal := bodyIn(u.Details)
	if refusal != nil {
		return refusal
	}
	kept, refusal := belongingsIn(u.Details)
	if refusal != nil {
		return refusal
	}
	if kept != nil {
		details(ch).Belongings = changedBelongings(details(ch).Belongings, kept)
	}
	was := func(key string) int32 { return stat(ch, key) }
	is := func(key string) int32 { return given(u.Stats, key, stat(ch, key)) }
	mythos := stat(ch, kMythos)
	before, after := &tablev1.Character{}, &tablev1.Character{}
	g.newSheet(before, was, &cocv1.Body{})
	g.newSheet(after, is, &cocv1.Body{})
	for _, sheet := range []*tablev1.Character{before, after} {
		g.setStat(sheet, kMythos, mythos, 0, rule.Values)
		boundSAN(sheet, 0)
	}
	g.derive(ch, before, after)
	if refusal := g.setStats(ch, u.Stats, is); refusal != nil {
		return refusal
	}
	boundSAN(ch, mythos)
	if refusal := setResources(ch, u.Resources, func(old *typev1.Resource, top int32) int32 {
		return left(old.GetValue(), top-old.GetMax(), top)
	}); refusal != nil {
		return refusal
	}
	return g.equip(ch, body, u.Gear)
}

// changedBelongings are the lists that are sent in place of those that were there.
func changedBelongings(was, sent *cocv1.Belongings) *cocv1.Belongings {
	now := &cocv1.Belongings{}
	proto.Merge(now, was)
	if len(sent.Artifacts) > 0 {
		now.Artifacts = slices.Clone(sent.Artifacts)
	}
	if len(sent.Spells) > 0 {
		now.Spells = slices.Clone(sent.Spells)
	}
	if len(sent.Settings) > 0 {
		now.Settings = slices.Clone(sent.Settings)
	}
	return now
}

// derive brings to a sheet what has become of what is derived: before and after
// are new sheets of the characteristics as they were and as they are to be.
func (g *game) derive(ch, before, after *tablev1.Character) {
	was := func(key string) int32 { return stat(before, key) }
	is := func(key string) int32 { return stat(after, key) }
	for _, s := range slices.Clone(ch.Stats) {
		switch row := g.pack.skill(s.Key); {
		case isCharacteristic(s.Key):
		case row != nil:
			old, _ := baseOf(row, was)
			base, _ := baseOf(row, is)
			if old == base {
				continue
			}
			value := s.GetValue()
			if value == old {
				value = base // nothing was learned
			}
			g.setStat(ch, s.Key, value, base, s.Audience)
		case s.GetValue() == stat(before, s.Key) && table.Stat(after, s.Key) != nil:
			g.setStat(ch, s.Key, stat(after, s.Key), 0, s.Audience)
		}
	}
	for _, r := range slices.Clone(ch.Resources) {
		old, now := table.Resource(before, r.Key), table.Resource(after, r.Key)
		if r.GetMax() != old.GetMax() || proto.Equal(old, now) {
			continue
		}
		setResource(ch, r.Key, left(r.GetValue(), now.GetValue()-old.GetValue(), now.GetMax()), now.GetMax(), r.Audience)
	}
}

// left is what there is of a resource when what it begins with is more by so much:
// what was lost stays lost. Who is down is not raised by it, and nobody is brought
// down: that is for play.
func left(value, more, top int32) int32 {
	if value <= 0 {
		return value
	}
	return max(1, min(value+more, top))
}

// equip writes the body, and what is carried: the gear, if it is sent, and the
// natural weapons of a human. What is there already stays as it is.
func (g *game) equip(ch *tablev1.Character, body *cocv1.Body, gear *tablev1.GearInput) *rule.Refusal {
	d := details(ch)
	human := !d.GetBody().GetExtraterrestrial()
	if body != nil {
		now := &cocv1.Body{}
		proto.Merge(now, d.GetBody())
		proto.Merge(now, body)
		d.Body = now
	}
	becomes := !d.GetBody().GetExtraterrestrial()
	keep := func(w *cocv1.Weapon) bool { return becomes || human == becomes || !g.innate(w.Template) }
	if gear != nil {
		for _, id := range gear.Ids {
			if _, refusal := g.gear(id); refusal != nil {
				return refusal
			}
		}
		keep = func(w *cocv1.Weapon) bool { return slices.Contains(gear.Ids, w.Id) || becomes && g.innate(w.Template) }
	}
	d.Weapons = slices.DeleteFunc(d.Weapons, func(w *cocv1.Weapon) bool { return !keep(w) })
	for _, w := range g.pack.weapons {
		if becomes && !human && w.Human || slices.Contains(gear.GetIds(), w.ID) {
			g.carry(d, w)
		}
	}
	return nil
}

// innate reports whether a weapon is one that every human has by nature.
func (g *game) innate(template string) bool {
	w := g.pack.weapon(template)
	return w != nil && w.Human
}
