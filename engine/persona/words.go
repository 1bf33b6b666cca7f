package persona

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// Words of the rules that the tables and the contract share.
var (
	moonWords    = []string{"new", "1_8", "2_8", "3_8", "half", "5_8", "6_8", "7_8", "full"}
	weatherWords = []string{"clear", "sunny", "cloudy", "rain", "thunderstorm"}
	// attackWords are the attributes of attacks, specialtyWords what a Persona can be
	// good at (section 3.2).
	attackWords    = []string{"slash", "strike", "pierce", "fire", "ice", "electric", "wind", "light", "dark", "almighty"}
	specialtyWords = append(slices.Clip(attackWords), "recovery", "support", analyze)
)

// analyze is the specialty of search (PER-SRCH-02, PER-RPR-09).
const analyze = "analyze"

func moonWord(m personav1.Moon) string           { return rule.Word(m, "MOON_") }
func weatherWord(w personav1.Weather) string     { return rule.Word(w, "WEATHER_") }
func affinityWord(a personav1.Affinity) string   { return rule.Word(a, "AFFINITY_") }
func handWord(h personav1.Hand) string           { return rule.Word(h, "HAND_") }
func endReasonWord(r personav1.EndReason) string { return rule.Word(r, "END_REASON_") }

// successWord is how a check came out.
func successWord(ok bool) string {
	if ok {
		return "success"
	}
	return "failure"
}

// Kinds of what lies on squares (PER-SQ-02 to 07).
const (
	kindStairs = "stairs"
	kindWarp   = "warp"
	kindItem   = "item"
	kindEnemy  = "enemy"
	kindTrap   = "trap"
	kindEvent  = "event"
	kindReaper = "reaper"
)

var (
	userWords     = []string{"arcanist", "wild", "none"}
	affinityWords = []string{"weak", "normal", "resist", "null", "reflect", "absorb"}
	// statKeys are all stats that a sheet can have.
	statKeys = slices.Concat(humanKeys, checkKeys)
)

// userKind is the kind of a Persona user by its word.
func userKind(word string) personav1.UserKind {
	return personav1.UserKind(slices.Index(userWords, word) + 1)
}

// affinity is how an attribute takes effect, by its word.
func affinity(word string) personav1.Affinity {
	return personav1.Affinity(slices.Index(affinityWords, word) + 1)
}
