package coc

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// symptomRow is a row of the tables insanity_short and insanity_long (COC-SAN-04):
// what a symptom does.
type symptomRow struct {
	ID string `yaml:"id"`
	// Roll is the face of 1D10.
	Roll int32 `yaml:"roll"`
	// Forbids is what cannot be declared: attack, move, parry, cover.
	Forbids []string `yaml:"forbids"`
	// Faints has the character unconscious until it ends.
	Faints bool `yaml:"faints"`
	// Halves attacks once.
	Halves bool `yaml:"halves"`
	// Clings to the nearest ally; neither may move.
	Clings bool `yaml:"clings"`
	// Drops what is in hand.
	Drops bool `yaml:"drops"`
	// Keeper has the keeper decide for the character.
	Keeper bool `yaml:"keeper"`
	// Skills is added to all skills.
	Skills int32 `yaml:"skills"`
}

// What a symptom can forbid.
const (
	doesAttack = "attack"
	doesMove   = "move"
	doesParry  = "parry"
	doesCover  = "cover"
)

// symptomFaces are the faces of the die that picks a symptom.
const symptomFaces = 10

// symptom finds a symptom of either table, or nil.
func (t *tables) symptom(id string) *symptomRow {
	for _, s := range slices.Concat(t.short, t.long) {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// symptomTable reads a table of symptoms: one for each face, in their order.
func symptomTable(f pack.File) ([]*symptomRow, pack.Errors) {
	rows, errs := pack.Rows[symptomRow](f)
	errs = append(errs, pack.Unique(rows, func(r symptomRow) string { return r.ID })...)
	out := make([]*symptomRow, symptomFaces)
	for i := range rows {
		r := &rows[i]
		switch s := &r.Value; {
		case s.ID == "" || len(s.ID) > 24:
			errs = append(errs, r.Error("an id has 1 to 24 characters"))
		case s.Roll < 1 || s.Roll > symptomFaces || out[s.Roll-1] != nil:
			errs = append(errs, r.Error("roll is a face of 1D10, each once, not "+strconv.Itoa(int(s.Roll))))
		default:
			out[s.Roll-1] = s
		}
		for _, what := range r.Value.Forbids {
			switch what {
			case doesAttack, doesMove, doesParry, doesCover:
			default:
				errs = append(errs, r.Error(fmt.Sprintf("a symptom forbids attack, move, parry or cover, not %q", what)))
			}
		}
	}
	if len(errs) == 0 && slices.Contains(out, nil) {
		errs = append(errs, &pack.Error{File: f.Name, Message: "a symptom is missing: there is one for each face of 1D10"})
	}
	return out, errs
}

// symptomOf is the symptom that a character shows now, or nil.
func (g *game) symptomOf(me *tablev1.Character) *symptomRow {
	s := table.Status(me, stSymptom)
	if s == nil || len(s.Causes) == 0 {
		return nil
	}
	return g.pack.symptom(s.Causes[0])
}

// restrained refuses what a symptom forbids (COC-SAN-04).
func (g *game) restrained(me *tablev1.Character, what string) *rule.Refusal {
	if s := g.symptomOf(me); s != nil && slices.Contains(s.Forbids, what) {
		return rule.Refuse(insaneRestricted, "COC-SAN-04", "")
	}
	return nil
}

// held refuses a move by whom a symptom forbids it, by whoever clings to somebody,
// and by whom somebody clings to (COC-SAN-04).
func (g *game) held(v *rule.View, me *tablev1.Character) *rule.Refusal {
	if refusal := g.restrained(me, doesMove); refusal != nil {
		return refusal
	}
	if s := g.symptomOf(me); s != nil && s.Clings {
		return rule.Refuse(insaneRestricted, "COC-SAN-04", "")
	}
	for _, ch := range v.State.Characters {
		if !has(ch, stDead) && details(ch).GetInsanity().GetClingsTo() == me.Id {
			return rule.Refuse(insaneRestricted, "COC-SAN-04", "")
		}
	}
	return nil
}

// nearestAlly is the ally in the fight who is nearest, the first in roster order of
// several, or "".
func (g *game) nearestAlly(v *rule.View, me *tablev1.Character) string {
	nearest, best := "", int32(0)
	for _, id := range v.Encounter().GetRoster() {
		ally := v.Character(id)
		if id == me.Id || ally.Side != me.Side || has(ally, stDead) {
			continue
		}
		if d, _ := distance(me, ally); nearest == "" || d < best {
			nearest, best = id, d
		}
	}
	return nearest
}

// begins is what a symptom does at once: the changes that the event carries which
// tells of it. All but the keeper's deciding is for a fight alone.
func (g *game) begins(c *rule.Ctx, me *tablev1.Character, s *symptomRow, in *cocv1.Insanity, fights bool) []*tablev1.Change {
	out := []*tablev1.Change{rule.SetStatus(me.Id, status(stSymptom, nil, s.ID))}
	if s.Keeper {
		out = append(out, rule.SetStatus(me.Id, status(rule.GMDecides, nil)))
	}
	if !fights {
		return out
	}
	if s.Clings {
		in.ClingsTo = g.nearestAlly(&c.View, me)
	}
	if s.Drops {
		out = append(out, g.dropAll(me)...)
	}
	return out
}

// dropAll drops every weapon in hand (COC-COND-02); natural ones cannot be dropped.
func (g *game) dropAll(me *tablev1.Character) []*tablev1.Change {
	var out []*tablev1.Change
	for _, w := range details(me).GetWeapons() {
		if usable(w) && !g.template(w).natural() {
			out = append(out, setWeapon(me.Id, w, func(w *cocv1.Weapon) {
				w.State, w.InHand, w.Ready = cocv1.WeaponState_WEAPON_STATE_DROPPED, false, false
			}))
		}
	}
	if len(out) > 0 {
		out = append(out, rule.SetStatus(me.Id, status(stWeaponDropped, nil)))
	}
	return out
}
