package persona

import "github.com/hantei/hantei/engine/rule"

// options are the switches of section 3.6 of the specification.
var options = []rule.Option{
	{Key: "auto_bands", Default: "5/96", Values: []string{"5/96", "1/100", "none"}, Rule: "PER-CHK-01"},
	{Key: "agility_rule", Default: "initiative", Values: []string{"initiative", "max"}, Rule: "PER-CHK-05"},
	{Key: "stat_bonus", Default: "on", Values: []string{"on", "off"}, Rule: "PER-CHK-04"},
	{Key: "facility_partial", Default: "true", Values: rule.OnOff, Rule: "PER-MAC-11"},
	{Key: "hiroemon_check", Default: "false", Values: rule.OnOff, Rule: "PER-MAC-05"},
	{Key: "open_enemies_seen_from", Default: "adjacent", Values: []string{"adjacent", "contact", "floor"}, Rule: "PER-HID-02"},
	{Key: "knowledge_scope", Default: "party", Values: []string{"party", "individual"}, Rule: "PER-HID-01"},
	{Key: "pickup_same_square_only", Default: "false", Values: rule.OnOff, Rule: "PER-SRCH-03"},
	{Key: "search_area_shape", Default: "square", Values: []string{"square", "diamond"}, Rule: "PER-SKL-04"},
	{Key: "show_round_limit", Default: "true", Values: rule.OnOff, Rule: "PER-DUN-07"},
	{Key: "split_party", Default: "false", Values: rule.OnOff, Rule: "PER-MOVE-03"},
	{Key: "rescue_on_stairs", Default: "false", Values: rule.OnOff, Rule: "PER-MOVE-03"},
	{Key: "floor_clock", Default: "cumulative", Values: []string{"cumulative", "reset"}, Rule: "PER-DUN-07"},
	{Key: "cover_limit", Default: "coverer", Values: []string{"coverer", "target"}, Rule: "PER-SB-12"},
	{Key: "flee_consent", Default: "all", Values: []string{"all", "any"}, Rule: "PER-SB-08"},
	{Key: "flee_triggers", Default: "true", Values: rule.OnOff, Rule: "PER-SB-08"},
	{Key: "reveal_enemy_power", Default: "true", Values: rule.OnOff, Rule: "PER-SB-09"},
	{Key: "all_ko_san", Default: "true", Values: rule.OnOff, Rule: "PER-SB-21"},
	{Key: "reward_split", Default: "each", Values: []string{"each", "pool"}, Rule: "PER-SB-22"},
	{Key: "reaper_steps", Default: "2", Min: 1, Max: 2, Rule: "PER-RPR-03"},
	{Key: "reaper_simultaneous", Default: "true", Values: rule.OnOff, Rule: "PER-RPR-03"},
	{Key: "reaper_respawn", Default: "false", Values: rule.OnOff, Rule: "PER-RPR-08"},
	{Key: "allow_unlinked", Default: "false", Values: rule.OnOff, Rule: "PER-VAL-02"},
	{Key: "instant_death_offset", Default: "0", Min: -100, Max: 100, Rule: "PER-SB-18"},
}
