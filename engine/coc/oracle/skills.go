package oracle

// bases are the first values of the skills of table 6.1; dodge and own_language, which
// follow from characteristics, stand in Base.
var bases = map[string]int{
	"fist": 50, "kick": 25, "headbutt": 10, "grapple": 25, "martial_arts": 1, "knife": 25, "club": 25,
	"sword": 20, "throw": 25, "handgun": 20, "rifle": 25, "shotgun": 30, "submachine_gun": 15, "machine_gun": 15,
	"fast_talk": 5, "persuade": 15, "credit": 15, "bargain": 5,
	"first_aid": 30, "medicine": 5, "psychoanalysis": 1, "psychology": 5, "spot": 25, "listen": 25, "library": 25,
	"sneak": 10, "hide": 10, "conceal": 15, "climb": 40, "jump": 25, "swim": 25, "locksmith": 1, "mechanical": 20,
	"electrical": 10, "electronics": 1, "drive": 20, "ride": 5, "pilot": 1, "heavy_machine": 1, "navigate": 10,
	"track": 10, "disguise": 1, "photography": 10, "art": 5, "craft": 5, "history": 20, "law": 5, "accounting": 10,
	"occult": 5, "natural_history": 10, "archaeology": 1, "anthropology": 1, "physics": 1, "chemistry": 1,
	"biology": 1, "geology": 1, "astronomy": 1, "pharmacy": 1, "computer": 1, "cthulhu_mythos": 0, "other_language": 1,
	"martial_way": 1, "street_lore": 5,
}

// Base is the first value of a skill (COC-CRE-02, table 6.1), and whether it has one: the
// claws of creatures have none.
func Base(skill string, dex, edu int) (int, bool) {
	switch skill {
	case "dodge":
		return dex * 2, true
	case "own_language":
		return min(edu*5, 99), true
	}
	base, ok := bases[skill]
	return base, ok
}

// Skills are those that everybody has: with a base, and not of a supplement.
func Skills() []string {
	return []string{
		"dodge", "fist", "kick", "headbutt", "grapple", "martial_arts", "knife", "club", "sword", "throw", "handgun",
		"rifle", "shotgun", "submachine_gun", "machine_gun", "fast_talk", "persuade", "credit", "bargain", "first_aid",
		"medicine", "psychoanalysis", "psychology", "spot", "listen", "library", "sneak", "hide", "conceal", "climb",
		"jump", "swim", "locksmith", "mechanical", "electrical", "electronics", "drive", "ride", "pilot",
		"heavy_machine", "navigate", "track", "disguise", "photography", "art", "craft", "history", "law",
		"accounting", "occult", "natural_history", "archaeology", "anthropology", "physics", "chemistry", "biology",
		"geology", "astronomy", "pharmacy", "computer", "cthulhu_mythos", "other_language", "own_language",
	}
}

// parts are the body parts of the skills that a fight rolls (table 6.1).
var parts = map[string][]string{
	"fist": {"arm"}, "kick": {"leg"}, "headbutt": {"head"}, "knife": {"arm"}, "club": {"arm"}, "sword": {"arm"},
	"handgun": {"arm"}, "rifle": {"arm"}, "claw": {"arm"},
}
