package coc

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
)

//go:embed packs/*.yaml
var defaultPack embed.FS

// tableNames are the tables of a pack, in the order of its hash.
var tableNames = []string{"skills.yaml", "weapons.yaml", "samples.yaml", "occupations.yaml", "traits.yaml", "insanity_short.yaml", "insanity_long.yaml"}

// skillRow is a row of the table skills.
type skillRow struct {
	ID string `yaml:"id"`
	// Base is a number, or a characteristic times a number ("dex*2"); empty for
	// a skill that only creatures have.
	Base     string   `yaml:"base"`
	Group    string   `yaml:"group"`
	Tags     []string `yaml:"tags"`
	Requires string   `yaml:"requires"`
	// Of is the skill of which it is a further one, with a speciality of its own; empty
	// for the first (COC-CRE-06).
	Of string `yaml:"of"`
}

// everybodys reports whether everybody has the skill, at its base at least.
func (s *skillRow) everybodys() bool { return s.Base != "" && s.Requires == "" && s.Of == "" }

// first is the id of the skill, of a further one of the first.
func (s *skillRow) first() string {
	if s.Of != "" {
		return s.Of
	}
	return s.ID
}

// Kinds of weapons.
const (
	kindNatural = "natural"
	kindMelee   = "melee"
	kindFirearm = "firearm"
	kindThrown  = "thrown"
)

// weaponRow is a row of the table weapons.
type weaponRow struct {
	ID     string `yaml:"id"`
	Skill  string `yaml:"skill"`
	Damage string `yaml:"damage"`
	// Range is the reach in squares, or the base range in metres of a firearm.
	Range      int32  `yaml:"range"`
	Durability int32  `yaml:"durability"`
	Part       string `yaml:"part"`
	Kind       string `yaml:"kind"`
	Impaling   bool   `yaml:"impaling"`
	// Human is true for a natural weapon that every human has.
	Human bool `yaml:"human"`

	damage dice.Formula
}

func (w *weaponRow) natural() bool { return w.Kind == kindNatural }
func (w *weaponRow) firearm() bool { return w.Kind == kindFirearm }

// sampleRow is a row of the table samples.
type sampleRow struct {
	ID              string          `yaml:"id"`
	Kind            string          `yaml:"kind"`
	Characteristics characteristics `yaml:"characteristics"`
	Armour          int32           `yaml:"armour"`
	Extraterrestial bool            `yaml:"extraterrestrial"`
	// AttacksPerRound is 1 if it is not given (COC-CMB-09).
	AttacksPerRound int32            `yaml:"attacks_per_round"`
	InstantDeath    bool             `yaml:"instant_death"`
	Skills          map[string]int32 `yaml:"skills"`
	Weapons         []string         `yaml:"weapons"`
	// Sight is what seeing it costs (COC-SAN-01); empty for nothing.
	Sight string `yaml:"sight"`
}

type characteristics struct {
	Str int32 `yaml:"str"`
	Con int32 `yaml:"con"`
	Pow int32 `yaml:"pow"`
	Dex int32 `yaml:"dex"`
	App int32 `yaml:"app"`
	Siz int32 `yaml:"siz"`
	Int int32 `yaml:"int"`
	Edu int32 `yaml:"edu"`
}

// occupationRow is a row of the table occupations (COC-CRE-05).
type occupationRow struct {
	ID     string   `yaml:"id"`
	Skills []string `yaml:"skills"`
}

// traitRow is a row of the table traits; the die of COC-CRE-09 counts them.
type traitRow struct {
	ID      string        `yaml:"id"`
	Changes []traitChange `yaml:"changes"`
}

// traitChange is what a trait adds to a stat or resource.
type traitChange struct {
	Key string `yaml:"key"`
	Add int32  `yaml:"add"`
}

// tables are a pack, ready for use.
type tables struct {
	id          rule.Pack
	skills      []*skillRow
	weapons     []*weaponRow
	samples     []*sampleRow
	occupations []*occupationRow
	traits      []*traitRow
	// short and long are the symptoms by the faces of their die, from 1.
	short, long []*symptomRow
}

func (t *tables) occupation(id string) *occupationRow {
	for _, o := range t.occupations {
		if o.ID == id {
			return o
		}
	}
	return nil
}

func (t *tables) trait(id string) *traitRow {
	for _, r := range t.traits {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func (t *tables) skill(id string) *skillRow {
	for _, s := range t.skills {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// skillsOf are the ids of a skill and of the further ones of it.
func (t *tables) skillsOf(id string) []string {
	var ids []string
	for _, s := range t.skills {
		if s.ID == id || s.Of == id {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

func (t *tables) weapon(id string) *weaponRow {
	for _, w := range t.weapons {
		if w.ID == id {
			return w
		}
	}
	return nil
}

func (t *tables) sample(id string) *sampleRow {
	for _, s := range t.samples {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// DefaultPack returns the files of the pack that comes with the ruleset.
func DefaultPack() []pack.File { return pack.Embedded(rule.Folder(defaultPack, "packs"), tableNames) }

// load reads a pack and checks that its tables fit each other. It returns all
// errors at once.
func load(files []pack.File) (*tables, pack.Errors) {
	byName, errs := pack.ByName(files, tableNames)
	if len(byName) < len(tableNames) {
		return nil, errs // what refers to its rows would be wrong as well
	}
	skills, e := pack.Rows[skillRow](byName["skills.yaml"])
	errs = append(errs, e...)
	weapons, e := pack.Rows[weaponRow](byName["weapons.yaml"])
	errs = append(errs, e...)
	samples, e := pack.Rows[sampleRow](byName["samples.yaml"])
	errs = append(errs, e...)
	occupations, e := pack.Rows[occupationRow](byName["occupations.yaml"])
	errs = append(errs, e...)
	traits, e := pack.Rows[traitRow](byName["traits.yaml"])
	errs = append(errs, e...)
	errs = append(errs, pack.Unique(occupations, func(r occupationRow) string { return r.ID })...)
	errs = append(errs, pack.Unique(traits, func(r traitRow) string { return r.ID })...)
	errs = append(errs, pack.Unique(skills, func(r skillRow) string { return r.ID })...)
	errs = append(errs, pack.Unique(weapons, func(r weaponRow) string { return r.ID })...)
	errs = append(errs, pack.Unique(samples, func(r sampleRow) string { return r.ID })...)

	t := &tables{}
	for i := range skills {
		errs = append(errs, checkSkill(t, skills[i])...)
		t.skills = append(t.skills, &skills[i].Value)
	}
	for i := range weapons {
		errs = append(errs, checkWeapon(t, &weapons[i])...)
		t.weapons = append(t.weapons, &weapons[i].Value)
	}
	for i := range samples {
		errs = append(errs, checkSample(t, samples[i])...)
		t.samples = append(t.samples, &samples[i].Value)
	}
	for i := range occupations {
		errs = append(errs, checkOccupation(t, occupations[i])...)
		t.occupations = append(t.occupations, &occupations[i].Value)
	}
	for i := range traits {
		errs = append(errs, checkTrait(t, traits[i])...)
		t.traits = append(t.traits, &traits[i].Value)
	}
	t.short, e = symptomTable(byName["insanity_short.yaml"])
	errs = append(errs, e...)
	t.long, e = symptomTable(byName["insanity_long.yaml"])
	errs = append(errs, e...)
	errs = append(errs, needed(t)...)
	if len(errs) > 0 {
		return nil, errs
	}
	t.id = rule.Pack{Name: "default", Hash: pack.Hash(files), Tables: tableNames}
	return t, nil
}

func checkSkill(t *tables, r pack.Row[skillRow]) pack.Errors {
	var errs pack.Errors
	if r.Value.Of != "" {
		first := t.skill(r.Value.Of)
		if first == nil || first.Of != "" || first.Base != r.Value.Base || first.Group != r.Value.Group || first.Requires != r.Value.Requires {
			errs = append(errs, r.Error("of is a skill above it with the same base, group and requires, not "+strconv.Quote(r.Value.Of)))
		}
	}
	if r.Value.ID == "" || len(r.Value.ID) > 24 {
		errs = append(errs, r.Error("an id has 1 to 24 characters"))
	}
	if _, err := baseOf(&r.Value, func(string) int32 { return 1 }); err != nil {
		errs = append(errs, r.Error(err.Error()))
	}
	switch r.Value.Group {
	case "combat", "negotiation", "other":
	default:
		errs = append(errs, r.Error(fmt.Sprintf("group is combat, negotiation or other, not %q", r.Value.Group)))
	}
	return errs
}

func checkWeapon(t *tables, r *pack.Row[weaponRow]) pack.Errors {
	var errs pack.Errors
	w := &r.Value
	if w.ID == "" || len(w.ID) > 24 {
		errs = append(errs, r.Error("an id has 1 to 24 characters"))
	}
	if t.skill(w.Skill) == nil {
		errs = append(errs, r.Error("no skill "+strconv.Quote(w.Skill)))
	}
	f, err := dice.ParseFormula(w.Damage)
	if err != nil {
		errs = append(errs, r.Error("damage: "+err.Error()))
	}
	for sign, name := range f.Names() {
		if name != "DB" || sign < 0 {
			errs = append(errs, r.Error("damage: only +DB is known, not "+strconv.Quote(name)))
		}
	}
	w.damage = f
	if w.Range < 1 {
		errs = append(errs, r.Error("range is at least 1"))
	}
	switch w.Kind {
	case kindNatural:
		if w.Durability != 0 {
			errs = append(errs, r.Error("a natural weapon has no durability"))
		}
	case kindMelee, kindFirearm, kindThrown:
		if w.Durability < 1 {
			errs = append(errs, r.Error("durability is at least 1"))
		}
	default:
		errs = append(errs, r.Error(fmt.Sprintf("kind is natural, melee, firearm or thrown, not %q", w.Kind)))
	}
	return errs
}

func checkSample(t *tables, r pack.Row[sampleRow]) pack.Errors {
	var errs pack.Errors
	s := r.Value
	if s.ID == "" || len(s.ID) > 20 {
		errs = append(errs, r.Error("an id has 1 to 20 characters, to leave room for a number"))
	}
	if s.Kind != "pc" && s.Kind != "npc" {
		errs = append(errs, r.Error(fmt.Sprintf("kind is pc or npc, not %q", s.Kind)))
	}
	if _, ok := readLoss(s.Sight); s.Sight != "" && !ok {
		errs = append(errs, r.Error(`sight is a loss like "1/1D8", not `+strconv.Quote(s.Sight)))
	}
	named := 0
	for _, k := range t.skills {
		if _, ok := s.Skills[k.ID]; ok {
			named++
		}
	}
	if named != len(s.Skills) {
		errs = append(errs, r.Error("a skill that is not in the table skills"))
	}
	for _, id := range s.Weapons {
		if t.weapon(id) == nil {
			errs = append(errs, r.Error("no weapon "+strconv.Quote(id)))
		}
	}
	return errs
}

func checkOccupation(t *tables, r pack.Row[occupationRow]) pack.Errors {
	var errs pack.Errors
	if r.Value.ID == "" || len(r.Value.ID) > 24 {
		errs = append(errs, r.Error("an id has 1 to 24 characters"))
	}
	for _, id := range r.Value.Skills {
		if s := t.skill(id); s == nil || s.Base == "" {
			errs = append(errs, r.Error("no skill of people "+strconv.Quote(id)))
		}
	}
	return errs
}

func checkTrait(t *tables, r pack.Row[traitRow]) pack.Errors {
	var errs pack.Errors
	if r.Value.ID == "" || len(r.Value.ID) > 24 {
		errs = append(errs, r.Error("an id has 1 to 24 characters"))
	}
	for _, c := range r.Value.Changes {
		switch c.Key {
		case kHP, kMP, kSAN, kLuck, kIdea, kKnow:
			continue
		}
		if s := t.skill(c.Key); s == nil || s.Base == "" {
			errs = append(errs, r.Error("nothing on a sheet that a trait can change: "+strconv.Quote(c.Key)))
		}
	}
	return errs
}

// needed are the rows that the rules themselves name.
func needed(t *tables) pack.Errors {
	var errs pack.Errors
	for _, id := range []string{"dodge", "martial_arts", "first_aid", "medicine", kMythos, kPsychoanalysis, kOwnLanguage} {
		if t.skill(id) == nil {
			errs = append(errs, &pack.Error{File: "skills.yaml", Message: "the rules need the skill " + strconv.Quote(id)})
		}
	}
	return errs
}

// baseOf is a skill's base value for these characteristics; -1 for a skill that
// only creatures have.
func baseOf(s *skillRow, characteristic func(string) int32) (int32, error) {
	if s.Base == "" {
		return -1, nil
	}
	number := func(text string) (int32, bool) {
		n, err := strconv.ParseUint(text, 10, 32)
		return int32(n), err == nil && n <= 99 // the end of every skill
	}
	if n, ok := number(s.Base); ok {
		return n, nil
	}
	name, factor, _ := strings.Cut(s.Base, "*")
	n, ok := number(factor)
	if !ok || !isCharacteristic(name) {
		return 0, fmt.Errorf("base is a number up to 99, or a characteristic times one, not %q", s.Base)
	}
	return min(99, characteristic(name)*n), nil
}
