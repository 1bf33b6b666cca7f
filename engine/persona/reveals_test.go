package persona_test

import (
	"slices"

	"github.com/hantei/hantei/engine/trial"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// reveals are what may tell of something hidden when it happens (section 5.5 of the
// specification). What the dungeon tells it tells to those alone who have come
// somewhere, or searched with success: neither a failure nor anything else does.
func reveals() trial.Exceptions {
	return slices.Concat(
		because("it follows initiatives that may be hidden (PER-EXP-04)", nil,
			"encounter.order", "encounter.turn", "event turn_started", "event turn_skipped", "turn_skipped.group"),
		because("whether a hidden chance was met", nil, "check_rolled.success", "san_changed.success"),
		because("unsaid, one searches with the better of two skills that may be hidden (PER-SRCH-02)", nil, "check_rolled.name"),
		because("the representative is who has the highest agility, which may be hidden (PER-SB-02)", ambush, "prompt ambush_representative", "event check_rolled"),
		because("hit points that are hidden run out", nil, "event status_gained"),
		because("the dice of the damage follow hidden values (PER-SB-14)", nil, "reaction_resolved.power"),
		because("the band of hidden points whose maximum the GM changes", nil, "resource hp", "resource mp", "event character_updated"),
		because("what lies there is found (PER-HID-02)", looked,
			"event feature_revealed", "feature_revealed.square", "feature_revealed.detail", "feature_revealed.kind"),
		because("all that there is to know of it is found", examined,
			"feature_revealed.items", "feature_revealed.counts", "feature_revealed.macca", "feature_revealed.to_floor", "feature_revealed.leads",
			"feature_revealed.mode", "feature_revealed.to", "feature_revealed.trap", "feature_revealed.trigger", "feature_revealed.effect",
			"feature_revealed.enemy", "feature_revealed.enemy_name", "feature_revealed.level", "feature_revealed.count", "feature_revealed.specialties"),
		because("a square is seen from beside it (PER-HID-03), and what shows from afar shows its own", looked,
			"event square_revealed", "square_revealed.square", "square_revealed.terrain"),
		because("what waits for an event goes with the last of its step, which may be what is found", looked, "encounter"),
		because("something lies there that one may do something with", lies,
			"prompt warp_choice", "prompt pickup_choice", "prompt disarm_choice", "prompt skip_search_trigger"),
		because("policies answer, and one flees, where there is a way, which others need not know", apart, "prompt simultaneous_move", "prompt reaper_flee_destination"),
		because("something goes off there (PER-MOVE-02, PER-SRCH-05)", acted,
			"event trap_triggered", "trap_triggered.trap", "event event_fired", "event warp_used", "warp_used.to", "event battle_started", "event damage_applied"),
		because("whoever fights enemies knows them", acted,
			"battle_started.enemy", "battle_started.enemy_name", "battle_started.level", "battle_started.count", "battle_started.specialties", "piece Battle"),
		because("a floor is entered where the stairs lead, which one need not know", nil, "floor_changed.to", "event floor_changed"),
		because("others take what they know of", apart,
			"event macca_changed", "macca_changed.delta", "event item_gained", "item_gained.item", "item_gained.count"),
		because("what a trap costs others, of which they alone know what it was", apart, "die trap_hp", "die trap_mp", "damage_applied.damage", "damage_applied.hp", "event mp_changed", "mp_changed.delta"),
		because("an event that has happened may be over (PER-SQ-07), and the GM's number may be of something else", over, "event feature_removed"),
		because("the Reaper is near, or not any more (PER-RPR-09)", haunted,
			"event reaper_sighted", "reaper_sighted.square", "reaper_sighted.seen_by", "event reaper_lost", "reaper_lost.square"),
		because("the Reaper is met (PER-RPR-04)", haunted, "event normal_battle_started"),
		because("a limit that is not shown is over (PER-RPR-01), where dice may be thrown by hand", secret, "event reaper_appeared", "prompt dice"),
		because("a limit that is shown tells how large its floor is (PER-DUN-07)", shown, "piece RoundLimit"),
		because("a limit is shown from now on (PER-DUN-07)", shown, "round_started.limit"),
	)
}

func because(why string, cause func(*trial.Game, []*tablev1.Event) bool, whats ...string) trial.Exceptions {
	var out trial.Exceptions
	for _, what := range whats {
		out = append(out, trial.Exception{What: what, Why: why, If: cause})
	}
	return out
}

// recent are the events since the last hand was spent, the newest first.
func recent(past []*tablev1.Event) []*tablev1.Event {
	for i := len(past) - 1; i >= 0; i-- {
		if past[i].Name == "hand_spent" {
			past = past[i:]
			break
		}
	}
	past = slices.Clone(past)
	slices.Reverse(past)
	return past
}

// looked: somebody has come there, or searched with success, or the GM has told it, or
// changed something where somebody sees it.
func looked(g *trial.Game, past []*tablev1.Event) bool {
	switch past[len(past)-1].Rule {
	case "PER-HID-02":
		return true // by the GM, without any event before
	case "PER-RPR-09":
		return haunted(g, past) // where the Reaper stands
	case "PER-SQ-06":
		return acted(g, past) // where a trap went off
	}
	return slices.ContainsFunc(recent(past), func(e *tablev1.Event) bool {
		switch e.Name {
		case "gm_override":
			return true
		case "check_rolled":
			return slices.ContainsFunc(e.Facts, func(f *typev1.Fact) bool { return f.Key == "success" && slices.Equal(f.Words, []string{"success"}) })
		}
		return came(e)
	})
}

// examined: as looked, and what is told is all of it.
func examined(g *trial.Game, past []*tablev1.Event) bool {
	return looked(g, past) && slices.ContainsFunc(past[len(past)-1].Facts, func(f *typev1.Fact) bool { return f.Key == "detail" && slices.Equal(f.Words, []string{"data"}) })
}

// ambush: enemies and PCs check who surprises whom.
func ambush(_ *trial.Game, past []*tablev1.Event) bool { return past[len(past)-1].Rule == "PER-SB-02" }

// came reports whether somebody has come to a square by an event.
func came(e *tablev1.Event) bool {
	return slices.Contains([]string{"token_moved", "warp_used", "floor_changed"}, e.Name)
}

// lies: as looked, or others know what lies there, where everybody knows for himself.
func lies(g *trial.Game, past []*tablev1.Event) bool {
	return looked(g, past) || apart(g, past)
}

// apart: everybody knows for himself.
func apart(g *trial.Game, _ []*tablev1.Event) bool {
	return g.GM().Option("knowledge_scope") != "party"
}

// acted: somebody has come there, or searched there.
func acted(_ *trial.Game, past []*tablev1.Event) bool {
	return slices.ContainsFunc(recent(past), func(e *tablev1.Event) bool {
		return came(e) || e.Name == "hand_spent" && slices.ContainsFunc(e.Facts, func(f *typev1.Fact) bool { return slices.Equal(f.Words, []string{"search"}) })
	})
}

// over: an event has happened, or the GM has taken something away.
func over(_ *trial.Game, past []*tablev1.Event) bool {
	last := past[len(past)-1]
	return last.Name == "feature_removed" && last.Rule == "PER-HID-01" ||
		slices.ContainsFunc(recent(past), func(e *tablev1.Event) bool { return e.Name == "event_fired" })
}

// secret: round limits are not shown, or were not when the round began.
func secret(g *trial.Game, past []*tablev1.Event) bool {
	for i := len(past) - 1; i >= 0 && past[i].Name != "round_started"; i-- {
		if past[i].Name == "options_changed" {
			return true
		}
	}
	return !g.GM().Flag("show_round_limit")
}

// shown: they are, or the GM changes the weather where one has been shown.
func shown(g *trial.Game, past []*tablev1.Event) bool {
	return g.GM().Flag("show_round_limit") || past[len(past)-1].Name == "gm_override"
}

// haunted: the Reaper has come to a floor.
func haunted(_ *trial.Game, past []*tablev1.Event) bool {
	return slices.ContainsFunc(past, func(e *tablev1.Event) bool { return e.Name == "reaper_appeared" })
}
