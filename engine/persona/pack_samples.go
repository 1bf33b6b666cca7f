package persona

import (
	"strconv"
)

// sampleRow is a row of the table samples.
type sampleRow struct {
	ID   string `yaml:"id"`
	Kind string `yaml:"kind"`
	// User is arcanist, wild or none.
	User     string           `yaml:"user"`
	Stats    map[string]int32 `yaml:"stats"`
	SAN      int32            `yaml:"san"`
	Personas []personaRow     `yaml:"personas"`
}

// personaRow is a Persona of a sample; what is left out follows from its stats.
type personaRow struct {
	ID          string            `yaml:"id"`
	Name        string            `yaml:"name"`
	Level       int32             `yaml:"level"`
	Arcana      string            `yaml:"arcana"`
	Stats       personaStats      `yaml:"stats"`
	Specialties []string          `yaml:"specialties"`
	Affinities  map[string]string `yaml:"affinities"`
	Skills      []string          `yaml:"skills"`
}

type personaStats struct {
	Strength  int32 `yaml:"strength"`
	Magic     int32 `yaml:"magic"`
	Endurance int32 `yaml:"endurance"`
	Speed     int32 `yaml:"speed"`
	Luck      int32 `yaml:"luck"`
}

func (r *sampleRow) key() string { return r.ID }

func (r *sampleRow) check(t *tables) []string {
	wrong := oneOf("kind", r.Kind, []string{"pc", "npc"})
	wrong = append(wrong, oneOf("user", r.User, userWords)...)
	if len(r.ID) > 20 {
		wrong = append(wrong, "an id has 1 to 20 characters, to leave room for a number")
	}
	named := 0
	for _, k := range statKeys {
		if _, ok := r.Stats[k]; ok {
			named++
		}
	}
	if named != len(r.Stats) {
		wrong = append(wrong, "a stat that is none of a sheet")
	}
	for _, p := range r.Personas {
		wrong = append(wrong, p.check(t)...)
	}
	switch {
	case r.User == "none" && len(r.Personas) > 0, r.User == "arcanist" && len(r.Personas) > 1:
		wrong = append(wrong, "too many Personas for "+strconv.Quote(r.User))
	}
	return wrong
}

func (r *personaRow) check(t *tables) []string {
	wrong := allOf("specialties", r.Specialties, specialtyWords)
	wrong = append(wrong, allOf("skills", r.Skills, idsOf(t.skills))...)
	known := 0
	for _, a := range attackWords {
		if word, ok := r.Affinities[a]; ok {
			known++
			wrong = append(wrong, oneOf("affinities", word, affinityWords)...)
		}
	}
	if known != len(r.Affinities) {
		wrong = append(wrong, "an affinity for what is no attribute")
	}
	for _, n := range []int32{r.Level, r.Stats.Strength, r.Stats.Magic, r.Stats.Endurance, r.Stats.Speed, r.Stats.Luck} {
		if n < 1 || n > 99 {
			wrong = append(wrong, "the level and stats of a Persona are 1 to 99")
			break
		}
	}
	return wrong
}
