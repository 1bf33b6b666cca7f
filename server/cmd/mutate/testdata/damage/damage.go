// Package damage is what the test of mutate tries: a rule that is tested well, and
// one that is not.
package damage

// Armoured is what is left of a damage after armour, never less than 0 (DEMO-DMG-01).
func Armoured(damage, armour int32) int32 { return max(0, damage-armour) }

// Shock reports whether a wound brings a shock roll (DEMO-DMG-02).
func Shock(wound, hp int32) bool {
	if wound*2 > hp && hp > 0 {
		return true
	}
	return false
}
