package persona

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/dice"
)

// moonRow is a row of the table moon (PER-DUN-03).
type moonRow struct {
	ID      string `yaml:"id"`
	MoonMod int32  `yaml:"moon_mod"`
}

func (r *moonRow) key() string { return r.ID }

func (r *moonRow) check() []string { return oneOf("id", r.ID, moonWords) }

// weatherRow is a row of the table weather (PER-DUN-04).
type weatherRow struct {
	ID       string `yaml:"id"`
	Rainy    bool   `yaml:"rainy"`
	RoundMod int32  `yaml:"round_mod"`
	RankMod  int32  `yaml:"rank_mod"`
}

func (r *weatherRow) key() string { return r.ID }

func (r *weatherRow) check() []string { return oneOf("id", r.ID, weatherWords) }

// Kinds of items (PER-MAC-10).
const (
	kindConsumable = "consumable"
	kindWeapon     = "weapon"
	kindArmor      = "armor"
)

// itemRow is a row of the table items (PER-MAC-06 to 10).
type itemRow struct {
	ID    string `yaml:"id"`
	Price int32  `yaml:"price"`
	// Unsold is true for a price in parentheses.
	Unsold bool `yaml:"unsold"`
	// Rank and Limit are nil for "-".
	Rank  *int32 `yaml:"rank"`
	Limit *int32 `yaml:"limit"`
	Kind  string `yaml:"kind"`
	Class string `yaml:"class"`
	// Range is "all" for all PCs on the square.
	Range string `yaml:"range"`

	// What a consumable does: hit and magic points, "one", "half" or "full" for
	// whom it brings back, "one" or "all" bad statuses that it takes away, all
	// points to their maximum.
	HP      int32  `yaml:"hp"`
	MP      int32  `yaml:"mp"`
	Revive  string `yaml:"revive"`
	Cure    string `yaml:"cure"`
	Restore bool   `yaml:"restore"`
	// Next is the check that is easier by Bonus, once.
	Next  string `yaml:"next"`
	Bonus int32  `yaml:"bonus"`

	// What it adds while it is worn, or its effect lasts.
	Power        int32 `yaml:"power"`
	PowerPercent int32 `yaml:"power_percent"`
	Defense      int32 `yaml:"defense"`
	Agility      int32 `yaml:"agility"`
	Radius       int32 `yaml:"radius"`
}

func (r *itemRow) key() string { return r.ID }

// rank is the rank; 0 for "-" (PER-MAC-08).
func (r *itemRow) rank() int32 {
	if r.Rank == nil {
		return 0
	}
	return *r.Rank
}

// lasting reports whether an effect of the item lasts: it is a status then.
func (r *itemRow) lasting() bool {
	return r.Kind == kindConsumable && r.Class == "support"
}

// eases reports whether the item is for the next check of a name.
func (r *itemRow) eases(name string) bool { return r.Next != "" && r.Next == name }

func (r *itemRow) check() []string {
	wrong := oneOf("kind", r.Kind, []string{kindConsumable, kindWeapon, kindArmor})
	if r.Kind == kindConsumable {
		wrong = append(wrong, oneOf("class", r.Class, []string{"recovery", "support"})...)
	} else if r.Class != "" {
		wrong = append(wrong, "only a consumable has a class")
	}
	wrong = append(wrong, oneOf("revive", r.Revive, []string{"", "one", "half", "full"})...)
	wrong = append(wrong, oneOf("cure", r.Cure, []string{"", "one", "all"})...)
	wrong = append(wrong, oneOf("range", r.Range, []string{"", "all"})...)
	if r.Price < 0 || r.rank() < 0 || r.Limit != nil && *r.Limit < 1 {
		wrong = append(wrong, "price and rank are at least 0, limit at least 1")
	}
	return wrong
}

// diceRow is a row of the tables base_db and db_by_stat: dice from a value on.
type diceRow struct {
	ID   string `yaml:"id"`
	From int32  `yaml:"from"`
	Dice string `yaml:"dice"`

	dice dice.Dice
}

func (r *diceRow) key() string { return r.ID }

func (r *diceRow) check() []string {
	var wrong []string
	r.dice, wrong = diceOf("dice", r.Dice)
	return wrong
}

// trapRow is a row of the table traps (PER-SQ-06).
type trapRow struct {
	ID      string `yaml:"id"`
	Trigger string `yaml:"trigger"`
	// HP and MP are the dice that it costs; empty for none.
	HP string `yaml:"hp"`
	MP string `yaml:"mp"`
	// PlusLevel is the one of them to which the tens of the dungeon's level are added.
	PlusLevel string `yaml:"plus_level"`
	Targets   string `yaml:"targets"`

	hp, mp dice.Dice
}

func (r *trapRow) key() string { return r.ID }

func (r *trapRow) check() []string {
	wrong := oneOf("trigger", r.Trigger, []string{"move", "search"})
	wrong = append(wrong, oneOf("targets", r.Targets, []string{"actor", "square"})...)
	wrong = append(wrong, oneOf("plus_level", r.PlusLevel, []string{"", "hp", "mp"})...)
	for _, one := range []struct {
		name, text string
		to         *dice.Dice
	}{{"hp", r.HP, &r.hp}, {"mp", r.MP, &r.mp}} {
		if one.text == "" {
			continue
		}
		var w []string
		*one.to, w = diceOf(one.name, one.text)
		wrong = append(wrong, w...)
	}
	if r.HP == "" && r.MP == "" {
		wrong = append(wrong, "a trap costs hp or mp")
	}
	return wrong
}

// enemyRow is a row of the table enemies (PER-GEN-04).
type enemyRow struct {
	ID          string   `yaml:"id"`
	Specialties []string `yaml:"specialties"`
	MinLevel    int32    `yaml:"min_level"`
}

func (r *enemyRow) key() string { return r.ID }

func (r *enemyRow) check() []string {
	wrong := allOf("specialties", r.Specialties, specialtyWords)
	if r.MinLevel < 1 || r.MinLevel > 99 {
		wrong = append(wrong, "min_level is 1 to 99")
	}
	return wrong
}

// skillRow is a row of the table skills (section 3.3).
type skillRow struct {
	ID     string `yaml:"id"`
	Class  string `yaml:"class"`
	CostHP int32  `yaml:"cost_hp"`
	CostMP int32  `yaml:"cost_mp"`
	// Attribute and AttackType are those of an attack.
	Attribute  string `yaml:"attribute"`
	AttackType string `yaml:"attack_type"`
	// Power is so many times the damage dice of the Persona; 0 for none.
	Power int32 `yaml:"power"`
	// InstantDeath is the base rate in percent, or "auto"; empty for none.
	InstantDeath string `yaml:"instant_death"`
	Range        string `yaml:"range"`
	// Duration is "floor" or "rounds:n"; empty for at once.
	Duration string `yaml:"duration"`
	// Timing is "round_start" or "battle_start"; empty for an action.
	Timing string `yaml:"timing"`
	// Heal are the dice of hit points that it restores.
	Heal string `yaml:"heal"`
	// Defense is what it adds while it lasts.
	Defense int32 `yaml:"defense"`

	heal dice.Dice
	// rounds of Duration; 0 for another one.
	rounds int32
	// rate of InstantDeath; 0 for another one.
	rate int32
}

func (r *skillRow) key() string { return r.ID }

// lasting reports whether an effect of the skill lasts: it is a status then.
func (r *skillRow) lasting() bool { return r.Duration != "" }

func (r *skillRow) check() []string {
	wrong := oneOf("class", r.Class, []string{"recovery", "support", "analyze", "attack", "auto"})
	wrong = append(wrong, oneOf("range", r.Range, []string{"", "one", "all_enemies_or_allies", "everyone", "self"})...)
	wrong = append(wrong, oneOf("timing", r.Timing, []string{"", "round_start", "battle_start"})...)
	if r.Class == "attack" {
		wrong = append(wrong, oneOf("attribute", r.Attribute, attackWords)...)
		wrong = append(wrong, oneOf("attack_type", r.AttackType, []string{"physical", "magic"})...)
		if (r.Power > 0) == (r.InstantDeath != "") {
			wrong = append(wrong, "an attack has power or instant_death")
		}
		if r.Timing != "" {
			wrong = append(wrong, "an attack has no timing")
		}
	}
	if r.InstantDeath != "" && r.InstantDeath != "auto" {
		n, err := strconv.ParseInt(r.InstantDeath, 10, 32)
		if r.rate = int32(n); err != nil {
			wrong = append(wrong, "instant_death is a number or auto")
		}
	}
	if n, ok := strings.CutPrefix(r.Duration, "rounds:"); ok {
		rounds, err := strconv.ParseInt(n, 10, 32)
		if r.rounds = int32(rounds); err != nil || rounds < 1 {
			wrong = append(wrong, `duration is "floor" or "rounds:n"`)
		}
	} else {
		wrong = append(wrong, oneOf("duration", r.Duration, []string{"", "floor"})...)
	}
	if r.Heal != "" {
		var w []string
		r.heal, w = diceOf("heal", r.Heal)
		wrong = append(wrong, w...)
	}
	if r.CostHP < 0 || r.CostMP < 0 || r.Power < 0 {
		wrong = append(wrong, "costs and power are at least 0")
	}
	return wrong
}

// oneOf says what is wrong with a word that must be one of these.
func oneOf(name, word string, valid []string) []string {
	if slices.Contains(valid, word) {
		return nil
	}
	return []string{fmt.Sprintf("%s is one of %s, not %q", name, strings.Join(valid, ", "), word)}
}

// allOf says what is wrong with words that must be some of these.
func allOf(name string, words, valid []string) []string {
	var wrong []string
	for _, w := range words {
		wrong = append(wrong, oneOf(name, w, valid)...)
	}
	return wrong
}

// diceOf reads dice like "2D6", and says what is wrong with them.
func diceOf(name, text string) (dice.Dice, []string) {
	d, err := dice.Parse(text)
	if err != nil {
		return dice.Dice{}, []string{fmt.Sprintf("%s is dice like 2D6, not %q", name, text)}
	}
	return d, nil
}
