package oracle_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"pgregory.net/rapid"
)

const (
	pc  = tablev1.CharacterKind_CHARACTER_KIND_PC
	npc = tablev1.CharacterKind_CHARACTER_KIND_NPC
)

var (
	checked         = []string{"spot", "persuade", "club", "sneak", "own_language", "dodge", "library"}
	characteristics = []string{"str", "con", "pow", "dex", "app", "siz", "int", "edu"}
)

// ledger is what the oracle remembers of growth marks.
type ledger struct {
	game  *game
	marks map[string][]string
}

// expect compares the marks of a sheet with those that the rolls have earned so far
// (COC-GRW-01).
func (l *ledger) expect(who, source string, r oracle.Result) {
	g := l.game
	ch := g.character(who)
	if ch.Kind == pc {
		base, based := oracle.Base(source, g.stat(who, "dex"), g.stat(who, "edu"))
		if kind := oracle.Mark(r, based && base == g.stat(who, source)); kind != "" {
			l.marks[who], _ = g.options.AddMark(l.marks[who], kind, source)
		}
	}
	g.same("marks of "+who, sorted(g.marks(who)), sorted(l.marks[who]))
}

// TestChecks compares declared checks of every kind (COC-CHK-01 to 07, COC-GRW-01).
func TestChecks(t *testing.T) {
	many(t, func(t *rapid.T) {
		g := newGame(t, drawSheet(t, "ada", pc, checked...), drawSheet(t, "bob", npc, checked...))
		l := ledger{g, map[string][]string{}}
		right, bonus := false, map[string]int{} // ada's
		for range inputsPerTable {
			who := rapid.SampledFrom([]string{"ada", "ada", "bob"}).Draw(t, "who")
			c := &cocv1.Check{Mod: rapid.OneOf(rapid.Just(int32(0)), rapid.Int32Range(-100, 100), rapid.Int32Range(-20, 20)).Draw(t, "mod")}
			skill := false
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				c.Skill, skill = rapid.SampledFrom(checked).Draw(t, "skill"), true
			case 2:
				c.Skill = rapid.SampledFrom([]string{"luck", "idea", "know"}).Draw(t, "derived")
			default:
				c.Skill = rapid.SampledFrom(characteristics).Draw(t, "characteristic")
				c.Multiplier = rapid.Int32Range(0, 10).Draw(t, "multiplier")
			}
			if who == "ada" && rapid.IntRange(0, 5).Draw(t, "give bonus") == 0 {
				n := rapid.Int32Range(10, 20).Draw(t, "bonus")
				on := rapid.SampledFrom([]string{"persuade", "club", "dodge"}).Draw(t, "bonus on")
				g.act("", &cocv1.RpBonus{Character: "ada", Skill: on, N: n})
				bonus[on] = int(n)
			}
			c.UsePlus10 = who == "ada" && rapid.IntRange(0, 3).Draw(t, "plus10") == 0
			refusal := ""
			switch { // COC-CHK-05
			case c.UsePlus10 && !skill:
				refusal = "NOT_A_SKILL"
			case c.UsePlus10 && !right:
				refusal = "NO_RIGHT"
			}
			g.same("refusal", g.try(who, c), refusal)
			if refusal != "" {
				continue
			}
			stored := g.stat(who, c.Skill)
			if !skill && c.Multiplier == 0 && slices.Contains(characteristics, c.Skill) {
				c.Multiplier = 5
			}
			flat := int(c.Mod)
			if c.UsePlus10 {
				flat, right = flat+10, false
			}
			if who == "ada" && skill {
				flat += bonus[c.Skill]
				delete(bonus, c.Skill)
			}
			value := oracle.Value(stored*max(1, int(c.Multiplier)), 1, 1, 0, flat)
			roll := g.replay()(100)
			result := g.options.Check(value, roll)
			e := g.one("check_resolved")
			g.same("who", e.Actor, who)
			g.same("value", fact(e, "value"), value)
			g.same("roll", fact(e, "roll"), roll)
			g.same("result", fact(e, "result"), result)
			g.same("special", fact(e, "special") != "", g.options.Special(value, roll))
			l.expect(who, c.Skill, result)
			g.allUsed()
			// COC-CHK-02, COC-CHK-05
			w := g.open(true)
			want := ""
			if who == "ada" {
				want = map[oracle.Result]string{oracle.Critical: "critical_benefit", oracle.Fumble: "fumble_effect"}[result]
			}
			g.same("prompt", w.GetName(), want)
			if want == "critical_benefit" {
				choice := rapid.SampledFrom([]string{"info", "plus10", "nothing"}).Draw(t, "benefit")
				g.answer(w, w.Slots[0], choice)
				right = right || choice == "plus10"
			}
			g.same("right", g.status("ada", "plus10_right"), right)
			g.settle()
		}
	})
}

// TestResistance compares resistance rolls (COC-CHK-08).
func TestResistance(t *testing.T) {
	many(t, func(t *rapid.T) {
		g := newGame(t, drawSheet(t, "ada", pc), drawSheet(t, "bob", npc))
		l := ledger{g, map[string][]string{}}
		for range inputsPerTable {
			m := &cocv1.Resistance{}
			numbers := rapid.OneOf(rapid.Int32Range(0, 30), rapid.Int32Range(0, 1000))
			active := int(numbers.Draw(t, "active"))
			if rapid.Bool().Draw(t, "active is a characteristic") {
				m.Characteristic = rapid.SampledFrom(characteristics).Draw(t, "characteristic")
				active = g.stat("ada", m.Characteristic)
			} else {
				m.Active = int32(active)
			}
			passive := int(numbers.Draw(t, "passive"))
			if rapid.Bool().Draw(t, "passive is a characteristic") {
				m.Target, m.TargetCharacteristic = "bob", rapid.SampledFrom(characteristics).Draw(t, "resists")
				passive = g.stat("bob", m.TargetCharacteristic)
			} else {
				m.Passive = int32(passive)
			}
			g.act("ada", m)
			chance, automatic := oracle.Resistance(active, passive)
			e := g.one("resistance_resolved")
			if automatic {
				g.same("dice", len(g.thrown), 0)
				result := oracle.Failure
				if chance >= 100 {
					result = oracle.Success
				}
				g.same("result", fact(e, "result"), result)
				g.same("marks", sorted(g.marks("ada")), sorted(l.marks["ada"]))
				continue
			}
			roll := g.replay()(100)
			result := g.options.Check(chance, roll)
			g.same("chance", fact(e, "value"), chance)
			g.same("roll", fact(e, "roll"), roll)
			g.same("result", fact(e, "result"), result)
			g.same("special", fact(e, "special") != "", g.options.Special(chance, roll))
			l.expect("ada", "resistance", result)
			g.allUsed()
			g.settle()
		}
	})
}

// TestOpposed compares opposed rolls (COC-CHK-09).
func TestOpposed(t *testing.T) {
	many(t, func(t *rapid.T) {
		g := newGame(t, drawSheet(t, "ada", pc, checked...), drawSheet(t, "bob", rapid.SampledFrom([]tablev1.CharacterKind{pc, npc}).Draw(t, "kind"), checked...))
		l := ledger{g, map[string][]string{}}
		for range inputsPerTable {
			m := &cocv1.Opposed{
				Skill: rapid.SampledFrom(checked).Draw(t, "skill"), Target: "bob",
				TargetSkill: rapid.SampledFrom(checked).Draw(t, "target skill"),
			}
			g.act("ada", m)
			d := g.replay()
			a, p := d(100), d(100)
			g.allUsed()
			first := g.options.Check(oracle.Clamp(g.stat("ada", m.Skill)), a)
			second := g.options.Check(oracle.Clamp(g.stat("bob", m.TargetSkill)), p)
			winner := map[string]string{"active": "ada", "passive": "bob"}[oracle.Winner(first, second, a, p)]
			checks := g.events("check_resolved")
			if len(checks) != 2 {
				g.Fatalf("%d checks\n%s", len(checks), g.story())
			}
			g.same("active", fact(checks[0], "result"), first)
			g.same("passive", fact(checks[1], "result"), second)
			g.same("winner", fact(g.one("opposed_resolved"), "winner"), winner)
			l.expect("ada", m.Skill, first)
			l.expect("bob", m.TargetSkill, second)
			g.settle()
		}
	})
}

// TestCombined compares combined rolls (COC-CHK-10).
func TestCombined(t *testing.T) {
	many(t, func(t *rapid.T) {
		g := newGame(t, drawSheet(t, "ada", pc, checked...))
		l := ledger{g, map[string][]string{}}
		for range inputsPerTable {
			m := &cocv1.Combined{Skills: rapid.SliceOfNDistinct(rapid.SampledFrom(checked), 2, 5, rapid.ID).Draw(t, "skills")}
			marked := m.Skills[0]
			if rapid.Bool().Draw(t, "another is marked") {
				marked = rapid.SampledFrom(m.Skills).Draw(t, "marked")
				m.MarkSkill = marked
			}
			g.act("ada", m)
			var values []int
			for _, s := range m.Skills {
				values = append(values, oracle.Clamp(g.stat("ada", s)))
			}
			roll := g.replay()(100)
			g.allUsed()
			result := g.options.Combined(roll, values...)
			e := g.one("check_resolved")
			g.same("roll", fact(e, "roll"), roll)
			g.same("result", fact(e, "result"), result)
			g.same("special", fact(e, "special") != "", g.options.Special(slices.Min(values), roll))
			l.expect("ada", marked, result)
			g.settle()
		}
	})
}
