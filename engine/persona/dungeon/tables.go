package dungeon

import (
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// Tables are the pack's tables that dungeons are made with.
type Tables struct {
	// Moon is what each phase adds to the level of enemies.
	Moon map[personav1.Moon]int32
	// Weather is what each kind adds to the round limit and to the rank of items.
	Weather map[personav1.Weather]WeatherRow
	// Items in the order of the table.
	Items []ItemRow
	// Enemies in the order of the table.
	Enemies []EnemyRow
	// Traps are the ids in the order of the table.
	Traps []string
}

// WeatherRow is what a kind of weather does.
type WeatherRow struct{ Rounds, Rank int32 }

// ItemRow is an item; its rank is 0 where the table has none.
type ItemRow struct {
	ID   string
	Rank int32
}

// EnemyRow is a kind of enemy.
type EnemyRow struct {
	ID          string
	Specialties []string
	MinLevel    int32
}

// EnemyLevel is the level of the enemies in a dungeon (PER-DUN-03).
func (t *Tables) EnemyLevel(level int32, moon personav1.Moon) int32 {
	return max(1, level+t.Moon[moon])
}

// ObtainedRank is the rank of the items that are found in a dungeon (PER-DUN-04).
func (t *Tables) ObtainedRank(level int32, w personav1.Weather) int32 {
	highest := int32(0)
	for _, i := range t.Items {
		highest = max(highest, i.Rank)
	}
	return min(max(level/12+1+t.Weather[w].Rank, 0), highest)
}

// Obtained are the items that are found in a dungeon, in the order of the table: those
// of the rank that it gives, or of the next below that has some (PER-DUN-04, PER-GEN-04).
func (t *Tables) Obtained(level int32, w personav1.Weather) []string {
	var out []string
	for rank := t.ObtainedRank(level, w); len(out) == 0 && rank >= 0; rank-- {
		for _, i := range t.Items {
			if i.Rank == rank {
				out = append(out, i.ID)
			}
		}
	}
	return out
}

// RoundLimit is how many rounds a floor allows (PER-DUN-07).
func (t *Tables) RoundLimit(f *personav1.Floor, w personav1.Weather) int32 {
	if f.RoundLimitOverride != nil {
		return *f.RoundLimitOverride
	}
	width, height := Size(f)
	return max(1, width*height/2+t.Weather[w].Rounds)
}

// Size is the width and height of a floor in squares.
func Size(f *personav1.Floor) (width, height int32) {
	for _, row := range f.Rows {
		width = max(width, int32(len(row)))
	}
	return width, int32(len(f.Rows))
}
