package coc

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// characteristicKeys in the order in which they are rolled (COC-CRE-01).
var characteristicKeys = []string{kSTR, kCON, kPOW, kDEX, kAPP, kSIZ, kINT, kEDU}

var resourceKeys = []string{kHP, kMP, kSAN}

func isCharacteristic(key string) bool { return slices.Contains(characteristicKeys, key) }

// stat is a stat's value on a sheet; 0 for one that is not there.
func stat(c *tablev1.Character, key string) int32 { return table.Stat(c, key).GetValue() }

// resource is a resource's value on a sheet; 0 for one that is not there.
func resource(c *tablev1.Character, key string) int32 { return table.Resource(c, key).GetValue() }

func hp(c *tablev1.Character) int32 { return resource(c, kHP) }

func has(c *tablev1.Character, status string) bool { return table.Status(c, status) != nil }

func details(c *tablev1.Character) *cocv1.Details { return c.GetDetails().GetCoc() }

func isPC(c *tablev1.Character) bool { return c.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC }

// conscious is neither unconscious nor dead.
func conscious(c *tablev1.Character) bool { return !has(c, stUnconscious) && !has(c, stDead) }

// weaponOf is a weapon on a sheet, or nil.
func weaponOf(c *tablev1.Character, id string) *cocv1.Weapon {
	for _, w := range details(c).GetWeapons() {
		if w.Id == id {
			return w
		}
	}
	return nil
}

func woundOf(c *tablev1.Character, id int32) *cocv1.Wound {
	for _, w := range details(c).GetWounds() {
		if w.Id == id {
			return w
		}
	}
	return nil
}

// piece wraps a piece of the details as a change.
func piece(character string, p *cocv1.Part) *tablev1.Change {
	x := &struct {
		p tablev1.Part
		c tablev1.Part_Coc
	}{}
	x.c.Coc = p
	x.p.Ruleset = &x.c
	return rule.SetPart(character, &x.p)
}

// setCombat writes what a combatant has used of the round, changed by f.
func setCombat(c *tablev1.Character, f func(*cocv1.Combat)) *tablev1.Change {
	x := &struct {
		part  cocv1.Part
		of    cocv1.Part_Combat
		after cocv1.Combat
		count cocv1.DefenceCount
	}{}
	before := details(c).GetCombat()
	x.count.Dodge, x.count.Parry = before.GetDefCount().GetDodge(), before.GetDefCount().GetParry()
	x.after.AttacksMade, x.after.Moved, x.after.ShotAt = before.GetAttacksMade(), before.GetMoved(), before.GetShotAt()
	x.after.TreatedAsCritical = before.GetTreatedAsCritical()
	x.after.DefCount = &x.count
	f(&x.after)
	x.of.Combat = &x.after
	x.part.Part = &x.of
	return piece(c.Id, &x.part)
}

// setWeapon writes a weapon, changed by f.
func setWeapon(character string, w *cocv1.Weapon, f func(*cocv1.Weapon)) *tablev1.Change {
	after := proto.Clone(w).(*cocv1.Weapon)
	f(after)
	return piece(character, &cocv1.Part{Part: &cocv1.Part_Weapons{Weapons: after}})
}

// setWound writes a wound, changed by f.
func setWound(character string, w *cocv1.Wound, f func(*cocv1.Wound)) *tablev1.Change {
	after := proto.Clone(w).(*cocv1.Wound)
	f(after)
	return piece(character, &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: after}})
}

func setHP(c *tablev1.Character, value int32) *tablev1.Change {
	return rule.SetResource(c.Id, table.Resource(c, kHP), value)
}

// status makes a public status.
func status(key string, d *typev1.Duration, causes ...string) *typev1.Status {
	return &typev1.Status{Key: key, Causes: causes, Duration: d, Audience: rule.Public}
}

// withCause is a status with one cause more, or the new status.
func withCause(c *tablev1.Character, key, cause string, d *typev1.Duration) *typev1.Status {
	s := table.Status(c, key)
	if s == nil {
		return status(key, d, cause)
	}
	if slices.Contains(s.Causes, cause) {
		return s
	}
	return status(key, s.Duration, append(slices.Clone(s.Causes), cause)...)
}

// thisRound holds until the round ends.
func thisRound(s *tablev1.State) *typev1.Duration { return effect.Rounds(s, 0, 0) }

// nextRound holds in the next round; what is in force already goes on until then.
func nextRound(s *tablev1.State, already bool) *typev1.Duration {
	if already {
		return effect.Rounds(s, 0, 1)
	}
	return effect.Rounds(s, 1, 1)
}

// damageBonus is the dice of COC-CRE-12: how many of which sides, and the sign.
// count 0 is no die.
func damageBonus(c *tablev1.Character) (sign, count, sides int32) {
	switch sum := stat(c, kSTR) + stat(c, kSIZ); {
	case sum <= 12:
		return -1, 1, 6
	case sum <= 16:
		return -1, 1, 4
	case sum <= 24:
		return 1, 0, 0
	case sum <= 32:
		return 1, 1, 4
	case sum <= 40:
		return 1, 1, 6
	default:
		return 1, (sum-41)/16 + 2, 6
	}
}

// newSheet completes a sheet from its characteristics: what follows from them, the
// natural weapons of a human.
func (g *game) newSheet(ch *tablev1.Character, characteristic func(string) int32, body *cocv1.Body) {
	for _, k := range characteristicKeys {
		g.setStat(ch, k, characteristic(k), 0, rule.Values)
	}
	g.setStat(ch, kMov, 8, 0, rule.Values)
	g.setStat(ch, kArmour, 0, 0, rule.Values)
	g.values(ch, characteristic)

	d := &cocv1.Details{Body: body}
	ch.Details = &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: d}}
	if !body.GetExtraterrestrial() {
		for _, w := range g.pack.weapons {
			if w.Human {
				g.carry(d, w)
			}
		}
	}
}

// values writes what follows from the characteristics (COC-CRE-02): derived values,
// and skills at their base; those of a supplement, and further ones of a skill with
// specialities, only where they are on the sheet.
func (g *game) values(ch *tablev1.Character, characteristic func(string) int32) {
	pow, edu := characteristic(kPOW), characteristic(kEDU)
	g.setStat(ch, kLuck, pow*5, 0, rule.Mind)
	g.setStat(ch, kIdea, characteristic(kINT)*5, 0, rule.Mind)
	g.setStat(ch, kKnow, min(99, edu*5), 0, rule.Mind)
	for _, s := range g.pack.skills {
		base, _ := baseOf(s, characteristic)
		if base >= 0 && (s.everybodys() || table.Stat(ch, s.ID) != nil) {
			g.setStat(ch, s.ID, base, base, rule.Values)
		}
	}
	hitPoints := (characteristic(kCON) + characteristic(kSIZ) + 1) / 2 // COC-CHK-11: at creation up
	setResource(ch, kHP, hitPoints, hitPoints, rule.HP)
	setResource(ch, kMP, pow, pow, rule.Mind)
	setResource(ch, kSAN, min(pow*5, 99), 99, rule.Mind)
}

// carry puts a weapon on a sheet, in hand and ready.
func (g *game) carry(d *cocv1.Details, w *weaponRow) {
	own := &cocv1.Weapon{
		Id: w.ID, Template: w.ID, InHand: true, Ready: true,
		State: cocv1.WeaponState_WEAPON_STATE_OK, Audience: rule.Public,
	}
	if !w.natural() {
		own.Durability = proto.Int32(w.Durability)
	}
	i, found := slices.BinarySearchFunc(d.Weapons, w.ID, func(w *cocv1.Weapon, id string) int { return strings.Compare(w.Id, id) })
	if !found {
		d.Weapons = slices.Insert(d.Weapons, i, own)
	}
}

func (g *game) setStat(ch *tablev1.Character, key string, value, base int32, a typev1.Audience) {
	s := &typev1.Stat{Key: key, Value: &value, Audience: a}
	if g.pack.skill(key) != nil {
		s.Base = &base
	}
	i, found := slices.BinarySearchFunc(ch.Stats, key, func(s *typev1.Stat, k string) int { return strings.Compare(s.Key, k) })
	if found {
		s.Speciality = ch.Stats[i].Speciality
		ch.Stats[i] = s
	} else {
		ch.Stats = slices.Insert(ch.Stats, i, s)
	}
}

func setResource(ch *tablev1.Character, key string, value, max int32, a typev1.Audience) {
	r := &typev1.Resource{Key: key, Value: &value, Max: &max, Audience: a, Band: rule.BandOf(value, max)}
	for i, old := range ch.Resources {
		if old.Key == key {
			ch.Resources[i] = r
			return
		}
	}
	// hp, mp, san: the order of creation is the order of the keys.
	ch.Resources = append(ch.Resources, r)
}

// FromSample makes the sheet of a sample; it is approved (COC-CRE-11).
func (g *game) fromSample(id string) (*tablev1.Character, *rule.Refusal) {
	row := g.pack.sample(id)
	if row == nil {
		ids := make([]string, len(g.pack.samples))
		for i, s := range g.pack.samples {
			ids[i] = s.ID
		}
		return nil, rule.Core(tablev1.Reason_REASON_NOT_FOUND, "sample").Suggest(id, ids)
	}
	ch := &tablev1.Character{
		Id: id, Name: id, Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Side: "pc", Sample: id,
		Review: tablev1.Review_REVIEW_APPROVED, Audience: rule.Public,
	}
	if row.Kind == "npc" {
		ch.Kind, ch.Side = tablev1.CharacterKind_CHARACTER_KIND_NPC, "enemy"
	}
	body := &cocv1.Body{}
	if row.Extraterrestial {
		body.Extraterrestrial = proto.Bool(true)
	}
	if row.AttacksPerRound > 1 {
		body.AttacksPerRound = proto.Int32(row.AttacksPerRound)
	}
	if row.InstantDeath {
		body.InstantDeath = proto.Bool(true)
	}
	g.newSheet(ch, row.Characteristics.get, body)
	g.setStat(ch, kArmour, row.Armour, 0, rule.Values)
	for _, s := range g.pack.skills {
		if v, ok := row.Skills[s.ID]; ok {
			base, _ := baseOf(s, row.Characteristics.get)
			g.setStat(ch, s.ID, v, max(base, 0), rule.Values)
		}
	}
	boundSAN(ch, 0)
	for _, w := range row.Weapons {
		g.carry(ch.Details.GetCoc(), g.pack.weapon(w))
	}
	return ch, nil
}

func (c characteristics) get(key string) int32 {
	switch key {
	case kSTR:
		return c.Str
	case kCON:
		return c.Con
	case kPOW:
		return c.Pow
	case kDEX:
		return c.Dex
	case kAPP:
		return c.App
	case kSIZ:
		return c.Siz
	case kINT:
		return c.Int
	}
	return c.Edu
}

// fromSheet completes a sheet that a client sends: what it does not name is
// derived, or at its base. The caller sets id, name, kind, side and review.
func (g *game) fromSheet(in *tablev1.SheetInput) (*tablev1.Character, *rule.Refusal) {
	body, refusal := bodyIn(in.Details)
	if refusal != nil {
		return nil, refusal
	}
	left, refusal := belongingsIn(in.Details)
	if refusal != nil {
		return nil, refusal
	}
	if body == nil {
		body = &cocv1.Body{}
	}
	ch := &tablev1.Character{Audience: rule.Public}
	begins := func(key string) int32 { return given(in.Stats, key, 10) }
	g.newSheet(ch, begins, proto.Clone(body).(*cocv1.Body))
	if refusal := g.setStats(ch, in.Stats, begins); refusal != nil {
		return nil, refusal
	}
	boundSAN(ch, 0)
	if refusal := setResources(ch, in.Resources, func(_ *typev1.Resource, top int32) int32 { return top }); refusal != nil {
		return nil, refusal
	}
	for _, id := range in.Gear {
		w, refusal := g.gear(id)
		if refusal != nil {
			return nil, refusal
		}
		g.carry(ch.Details.GetCoc(), w)
	}
	if left != nil {
		ch.Details.GetCoc().Belongings = proto.Clone(left).(*cocv1.Belongings)
	}
	return ch, nil
}

// boundSAN has the most SAN follow from Cthulhu Mythos (COC-CRE-02), where it is what
// the Mythos was before gave.
func boundSAN(ch *tablev1.Character, before int32) {
	r, mythos := table.Resource(ch, kSAN), stat(ch, kMythos)
	if mythos == before || r.GetMax() != sanMax(before) {
		return
	}
	setResource(ch, kSAN, min(r.GetValue(), sanMax(mythos)), sanMax(mythos), r.Audience)
}

// sanMax is the most SAN that Cthulhu Mythos leaves (COC-CRE-02).
func sanMax(mythos int32) int32 { return max(1, 99-mythos) }

// given is the value that a client sends for a stat; otherwise what it is without.
func given(stats []*tablev1.StatInput, key string, otherwise int32) int32 {
	for _, s := range stats {
		if s.Key == key {
			return s.Value
		}
	}
	return otherwise
}

// setStats writes the stats that a client sends. Their base values follow from
// the characteristics.
func (g *game) setStats(ch *tablev1.Character, stats []*tablev1.StatInput, characteristic func(string) int32) *rule.Refusal {
	for i, s := range stats {
		if refusal := g.checkStat(s); refusal != nil {
			return refusal
		}
		if slices.ContainsFunc(stats[:i], func(e *tablev1.StatInput) bool { return e.Key == s.Key }) {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.stats.key").Say("stands_twice", rule.WordOf("what", s.Key)).Name(s.Key)
		}
	}
	for _, s := range stats {
		audience, base := rule.Values, int32(0)
		switch s.Key {
		case kLuck, kIdea, kKnow:
			audience = rule.Mind
		}
		if old := table.Stat(ch, s.Key); old != nil {
			audience = old.Audience
		}
		if row := g.pack.skill(s.Key); row != nil {
			base, _ = baseOf(row, characteristic)
		}
		g.setStat(ch, s.Key, s.Value, max(base, 0), audience)
		if s.Speciality != nil {
			table.Stat(ch, s.Key).Speciality = *s.Speciality
		}
	}
	return nil
}

// setResources writes the resources that a client sends. Of one whose maximum is
// sent without a value, now says the value.
func setResources(ch *tablev1.Character, all []*tablev1.ResourceInput, now func(old *typev1.Resource, top int32) int32) *rule.Refusal {
	const field = "sheet.resources."
	for i, r := range all {
		old := table.Resource(ch, r.Key)
		if old == nil {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"key").
				Say("choose_among", rule.Names("names", resourceKeys...), rule.Sent("sent", r.Key)).Suggest(r.Key, resourceKeys)
		}
		if slices.ContainsFunc(all[:i], func(e *tablev1.ResourceInput) bool { return e.Key == r.Key }) {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"key").Say("stands_twice", rule.WordOf("what", r.Key)).Name(r.Key)
		}
		top, value := old.GetMax(), old.GetValue()
		if r.Max != nil {
			top = *r.Max
			value = now(old, top)
		}
		if r.Value != nil {
			value = *r.Value
		}
		if top < 1 || top > 999 || value > top || value < -999 {
			return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field+"value").Say("resource_bounds", rule.Number("min", 1), rule.Number("max", 999))
		}
		setResource(ch, r.Key, value, top, old.Audience)
	}
	return nil
}

// gear finds a weapon of the pack by its id.
func (g *game) gear(id string) (*weaponRow, *rule.Refusal) {
	if w := g.pack.weapon(id); w != nil {
		return w, nil
	}
	ids := make([]string, len(g.pack.weapons))
	for i, w := range g.pack.weapons {
		ids[i] = w.ID
	}
	return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.gear").Say("no_weapon", rule.Sent("sent", id)).Suggest(id, ids)
}

// belongingsIn is what earlier scenarios have left, among the details that a client
// sends, or nil: it is the player's to say, and the keeper's to take (COC-CRE-11).
func belongingsIn(d *tablev1.Details) (*cocv1.Belongings, *rule.Refusal) {
	b := d.GetCoc().GetBelongings()
	for _, all := range [][]string{b.GetArtifacts(), b.GetSpells(), b.GetSettings()} {
		if len(all) > 100 || slices.ContainsFunc(all, func(s string) bool { return s == "" || len(s) > 200 }) {
			const field = "sheet.details.coc.belongings"
			return nil, rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field).
				Say("belongings_bounds", rule.Number("most", 100), rule.Number("bytes", 200))
		}
	}
	return b, nil
}

// bodyIn is the body among the details that a client sends, or nil. All else of
// the details is made by play, but for what earlier scenarios have left.
func bodyIn(d *tablev1.Details) (*cocv1.Body, *rule.Refusal) {
	const field = "sheet.details"
	refuse := func(field string) *rule.Refusal { return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, field) }
	if d.GetRuleset() == nil {
		return nil, nil
	}
	if d.GetCoc() == nil {
		return nil, refuse(field).Say("other_rules")
	}
	m := d.GetCoc().ProtoReflect()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); f.Name() != "body" && f.Name() != "belongings" && m.Has(f) {
			return nil, refuse(field+".coc."+string(f.Name())).Say("only_these_details", rule.Code("names", "body", "belongings"))
		}
	}
	body := d.GetCoc().GetBody()
	if n := body.GetAttacksPerRound(); n < 0 || n > 10 {
		return nil, refuse(field+".coc.body.attacks_per_round").Say("int32.gte_lte", rule.Number("gte", 0), rule.Number("lte", 10))
	}
	return body, nil
}

// checkStat refuses a stat that the ruleset does not know, or a value out of range.
func (g *game) checkStat(s *tablev1.StatInput) *rule.Refusal {
	names := slices.Concat(characteristicKeys, []string{kMov, kArmour, kLuck, kIdea, kKnow})
	for _, k := range g.pack.skills {
		names = append(names, k.ID)
	}
	if !slices.Contains(names, s.Key) {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.stats.key").Say("no_stat", rule.Sent("sent", s.Key)).Suggest(s.Key, names)
	}
	if s.Value < 0 || s.Value > 999 {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.stats.value").
			Say("stat_bounds", rule.WordOf("stat", s.Key), rule.Number("min", 0), rule.Number("max", 999))
	}
	if s.GetSpeciality() != "" && g.pack.skill(s.Key) == nil {
		return rule.Core(tablev1.Reason_REASON_INVALID_FIELD, "sheet.stats.speciality").Say("no_speciality", rule.WordOf("stat", s.Key)).Name(s.Key)
	}
	return nil
}
