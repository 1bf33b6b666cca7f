package persona

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func (g *game) samples() []rule.Sample {
	var out []rule.Sample
	for _, s := range g.pack.samples {
		out = append(out, rule.Sample{ID: s.ID, NPC: s.Kind == "npc"})
	}
	return out
}

// fromSample makes the sheet of a sample; it is approved.
func (g *game) fromSample(id string) (*tablev1.Character, *rule.Refusal) {
	row := g.pack.sample(id)
	if row == nil {
		return nil, rule.Core(tablev1.Reason_REASON_NOT_FOUND, "sample").Suggest(id, idsOf(g.pack.samples))
	}
	ch := &tablev1.Character{
		Id: id, Name: id, Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Side: "pc", Sample: id,
		Review: tablev1.Review_REVIEW_APPROVED, Audience: rule.Public,
	}
	if row.Kind == "npc" {
		ch.Kind = tablev1.CharacterKind_CHARACTER_KIND_NPC // a friend of the party: enemies are no characters
	}
	for _, k := range statKeys {
		if n, ok := row.Stats[k]; ok {
			putStat(ch, k, n)
		}
	}
	d := &personav1.Details{User: &personav1.User{Kind: userKind(row.User)}}
	for i := range row.Personas {
		putPersona(d, row.Personas[i].persona())
	}
	ch.Details = &tablev1.Details{Ruleset: &tablev1.Details_Persona{Persona: d}}
	complete(ch, row.SAN)
	return ch, nil
}

// persona is the Persona of a row.
func (r *personaRow) persona() *personav1.Persona {
	p := &personav1.Persona{
		Id: r.ID, Name: r.Name, Level: r.Level, Arcana: r.Arcana,
		Strength: r.Stats.Strength, Magic: r.Stats.Magic, Endurance: r.Stats.Endurance, Speed: r.Stats.Speed, Luck: r.Stats.Luck,
		Specialties: slices.Clone(r.Specialties), Skills: slices.Clone(r.Skills),
	}
	for _, a := range attackWords {
		if word, ok := r.Affinities[a]; ok {
			p.Affinities = append(p.Affinities, &personav1.AttributeAffinity{Attribute: a, Affinity: affinity(word)})
		}
	}
	return p
}

// complete gives a new sheet what follows: the first Persona is summoned, and all
// points are at their maximum.
func complete(ch *tablev1.Character, san int32) {
	d := details(ch)
	if len(d.Personas) > 0 {
		first := d.Personas[0]
		d.Active = &personav1.Active{Persona: first.Id, Name: personaName(first), Summoned: true}
	}
	hp, mp := bonus(declared(ch))
	putResource(ch, kHP, stat(ch, kHPMax)+hp, stat(ch, kHPMax)+hp, rule.HP)
	putResource(ch, kMP, stat(ch, kMPMax)+mp, stat(ch, kMPMax)+mp, rule.HP)
	putResource(ch, kSAN, san, 99, rule.Values)
	r := &typev1.Resource{Key: kMacca, Value: proto.Int32(0), Audience: rule.Values}
	putRow(&ch.Resources, r, (*typev1.Resource).GetKey)
}

func putStat(ch *tablev1.Character, key string, value int32) {
	putRow(&ch.Stats, &typev1.Stat{Key: key, Value: &value, Audience: rule.Values}, (*typev1.Stat).GetKey)
}

func putResource(ch *tablev1.Character, key string, value, most int32, a typev1.Audience) {
	r := &typev1.Resource{Key: key, Value: &value, Max: &most, Audience: a, Band: rule.BandOf(value, most)}
	putRow(&ch.Resources, r, (*typev1.Resource).GetKey)
}

func putPersona(d *personav1.Details, p *personav1.Persona) {
	putRow(&d.Personas, p, (*personav1.Persona).GetId)
}

func putCarried(d *personav1.Details, item string, count int32) {
	putRow(&d.Inventory, &personav1.Carried{Item: item, Count: count}, (*personav1.Carried).GetItem)
}

// putRow replaces the row with the same key, or inserts it in key order.
func putRow[R any](rows *[]R, row R, key func(R) string) {
	i, found := slices.BinarySearchFunc(*rows, key(row), func(r R, k string) int { return strings.Compare(key(r), k) })
	if found {
		(*rows)[i] = row
	} else {
		*rows = slices.Insert(*rows, i, row)
	}
}

// fromSheet completes and checks a sheet that a client sends.
func (g *game) fromSheet(in *tablev1.SheetInput) (*tablev1.Character, *rule.Refusal) {
	ch := &tablev1.Character{Kind: in.Kind, Side: in.Side, Audience: rule.Public}
	if ch.Side == "" {
		ch.Side = "pc" // enemies are no characters
	}
	d := &personav1.Details{User: &personav1.User{Kind: personav1.UserKind_USER_KIND_ARCANIST}}
	ch.Details = &tablev1.Details{Ruleset: &tablev1.Details_Persona{Persona: d}}
	for _, k := range []string{kINT, kSTR, kCON, kPOW, kDEX, kHPMax, kMPMax} {
		putStat(ch, k, 10)
	}
	putStat(ch, kPersonaSkill, 0)
	putStat(ch, kSpotHidden, 25)
	if refusal := putStats(ch, in.Stats); refusal != nil {
		return nil, refusal
	}
	if refusal := g.putDetails(ch, in.Details); refusal != nil {
		return nil, refusal
	}
	complete(ch, min(99, stat(ch, kPOW)*5))
	if refusal := putResources(ch, in.Resources); refusal != nil {
		return nil, refusal
	}
	if refusal := g.putGear(ch, in.Gear); refusal != nil {
		return nil, refusal
	}
	return ch, nil
}

// revise writes into a sheet what a client sends, and what follows from it: the
// maxima go with the stats and Personas that they are made of.
func (g *game) revise(ch *tablev1.Character, u *tablev1.UpdateSheet) *rule.Refusal {
	hp, mp := most(ch)
	if refusal := putStats(ch, u.Stats); refusal != nil {
		return refusal
	}
	if refusal := g.putDetails(ch, u.Details); refusal != nil {
		return refusal
	}
	hpNow, mpNow := most(ch)
	moveMax(ch, kHP, hpNow-hp)
	moveMax(ch, kMP, mpNow-mp)
	if refusal := putResources(ch, u.Resources); refusal != nil {
		return refusal
	}
	if u.Gear == nil {
		return nil
	}
	return g.putGear(ch, u.Gear.Ids)
}

// most are the most hit and magic points that the sheet gives.
func most(ch *tablev1.Character) (hp, mp int32) {
	hp, mp = bonus(usable(ch))
	return hp + stat(ch, kHPMax), mp + stat(ch, kMPMax)
}

// moveMax moves the maximum of a resource, and the value with it as far as it is
// above 0: what was lost stays lost.
func moveMax(ch *tablev1.Character, key string, by int32) {
	r := table.Resource(ch, key)
	if by == 0 || r == nil {
		return
	}
	value := r.GetValue()
	if value > 0 {
		value = max(1, value+by)
	}
	putResource(ch, key, value, max(1, r.GetMax()+by), r.Audience)
}
