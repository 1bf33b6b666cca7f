package oracle_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"pgregory.net/rapid"
)

// The rows of table 6.4, as the pack names them.
var symptoms = map[string][]string{
	"short": {"faints", "flees", "screams", "stands_frozen", "attacks_nearest", "laughs_or_weeps", "clings_to_ally", "talks_without_end", "stares_at_hands", "empties_firearm"},
	"long":  {"sleeps_badly", "compulsive_checking", "fear_of_a_thing", "suspicion", "hoarding", "lost_memory", "speaks_to_absent", "fear_of_the_dark", "mutism", "obsession"},
}

func symptomID(row string) string {
	if row == "" {
		return ""
	}
	name, n, _ := strings.Cut(row, ".")
	i, _ := strconv.Atoi(n)
	return symptoms[name][i-1]
}

// TestSanity compares sanity checks, what they lose and what follows, gains, treatment and
// therapy (chapter COC-SAN), in a fight and outside.
func TestSanity(t *testing.T) {
	many(t, func(t *rapid.T) {
		const patients = "ab"
		sheets := []*tablev1.Character{drawSheet(t, "doc", pc, "psychoanalysis", "fist", "club")}
		minds := map[string]*oracle.Mind{}
		for _, r := range patients {
			id := string(r)
			ch := drawSheet(t, id, pc)
			m := &oracle.Mind{Mythos: int(rapid.SampledFrom([]int32{0, 0, 8, 40}).Draw(t, "mythos")), Idea: int(table.Stat(ch, "idea").GetValue())}
			m.SAN = int(rapid.Int32Range(1, int32(99-m.Mythos)).Draw(t, "san"))
			*table.Stat(ch, "cthulhu_mythos").Value = int32(m.Mythos)
			san, hp := table.Resource(ch, "san"), table.Resource(ch, "hp")
			*san.Value, *san.Max = int32(m.SAN), int32(99-m.Mythos)
			*hp.Max = rapid.Int32Range(10, 200).Draw(t, "most hp")
			*hp.Value = rapid.Int32Range(6, hp.GetMax()).Draw(t, "hp")
			minds[id] = m
			sheets = append(sheets, ch)
		}
		g := newGame(t, sheets...)
		l := ledger{g, map[string][]string{}}
		round := 0
		if rapid.Bool().Draw(t, "fight") {
			round = 1
			g.act("", &cocv1.StartCombat{Combatants: []string{"doc", "a", "b"}})
			g.thrown = nil // who acts first is of no matter
		}
		for range inputsPerTable {
			id := string(rapid.SampledFrom([]rune(patients)).Draw(t, "who"))
			m := minds[id]
			if m.Permanent {
				g.same("sanity check of the mad", g.try("", &cocv1.SanCheck{Targets: []string{id}, Loss: "1/1"}), "BAD_TARGET")
				continue
			}
			switch rapid.IntRange(0, 7).Draw(t, "what") {
			default:
				checkSanity(g, &l, id, m, round)
			case 4:
				delta := rapid.Int32Range(-20, 60).Draw(t, "delta")
				g.act("", &cocv1.San{Character: id, Delta: delta})
				m.Take(int(delta))
			case 5:
				g.act("", &cocv1.NewHour{})
				for _, m := range minds {
					m.NewHour()
				}
			case 6:
				if m.Temporary || m.Indefinite {
					g.act("", &cocv1.EndInsanity{Character: id})
					m.End()
				}
			case 7:
				if round == 0 && !treat(g, &l, id, m) {
					return
				}
			}
			g.allUsed()
			g.settle()
			for id, m := range minds {
				g.same("mind of "+id, mindOf(g, id), writtenMind(m))
			}
		}
	})
}

// checkSanity has somebody make a sanity check.
func checkSanity(g *game, l *ledger, id string, m *oracle.Mind, round int) {
	success, failure := drawLoss(g.T), drawLoss(g.T)
	g.act("", &cocv1.SanCheck{Targets: []string{id}, Loss: loss(success) + "/" + loss(failure)})
	long := false
	if w := g.open(false); w != nil {
		g.same("prompt", w.Name, "insanity_term")
		long = rapid.Bool().Draw(g.T, "long")
		g.answer(w, w.Slots[0], map[bool]string{true: "long", false: "short"}[long])
	}
	before := m.SAN
	c := g.options.CheckSanity(m, g.replay(), success, failure, long, round)
	asked := len(g.asked) > 0
	g.same("insanity_term asked", asked, c.Asked)
	checks := g.events("check_resolved")
	g.same("roll", fact(checks[0], "roll"), c.Roll)
	result := oracle.Failure
	if c.Success {
		result = oracle.Success
	}
	g.same("result", fact(checks[0], "result"), result)
	g.same("special", fact(checks[0], "special"), "")
	if c.Mark != "" {
		l.marks[id], _ = g.options.AddMark(l.marks[id], c.Mark, "san")
	}
	if c.IdeaRoll > 0 {
		g.same("idea", fmt.Sprint(fact(checks[1], "skill"), fact(checks[1], "roll"), fact(checks[1], "result")), fmt.Sprint("idea", c.IdeaRoll, c.Idea))
		l.expect(id, "idea", c.Idea)
	}
	g.same("marks", sorted(g.marks(id)), sorted(l.marks[id]))
	if c.Loss > 0 {
		e := g.one("san_changed")
		g.same("delta", fact(e, "delta"), m.SAN-before)
		g.same("san", fact(e, "san"), m.SAN)
	} else {
		g.same("san_changed", len(g.events("san_changed")), 0)
	}
	var kinds, want []string
	for _, e := range g.events("insanity_gained") {
		kinds = append(kinds, fact(e, "kind"))
	}
	for _, k := range []struct {
		kind string
		is   bool
	}{{"permanent", m.Permanent}, {"temporary", c.Temporary}, {"indefinite", c.Months > 0}} {
		if k.is {
			want = append(want, k.kind)
		}
	}
	g.same("insanities", kinds, want)
}

// treat has the doctor treat somebody, or give a month of therapy. It reports whether the
// table goes on.
func treat(g *game, l *ledger, id string, m *oracle.Mind) bool {
	therapy := rapid.IntRange(0, 2).Draw(g.T, "therapy") == 0
	hp := g.resource(id, "hp")
	most := int(table.Resource(g.character(id), "hp").GetMax())
	if !therapy && hp-g.options.PhysicalLoss(hp, most) > 2 && rapid.Bool().Draw(g.T, "physical") {
		skill := rapid.SampledFrom([]string{"fist", "club", "spot"}).Draw(g.T, "skill")
		why := ""
		switch {
		case !m.Insane():
			why = "NOT_INSANE"
		case skill != "fist": // the doctor has bare hands alone
			why = "NOT_COMBAT_SKILL"
		}
		g.same("refusal", g.try("doc", &cocv1.PhysicalPsychoanalysis{Target: id, Skill: skill}), why)
		if why != "" {
			return true
		}
		g.answerDefaults()
		d := g.replay()
		roll := d(100)
		result := g.options.Check(oracle.Clamp(g.stat("doc", "fist")), roll)
		e := g.events("check_resolved")[0]
		g.same("value", fact(e, "value"), oracle.Clamp(g.stat("doc", "fist")))
		g.same("result", fact(e, "result"), result)
		if result == oracle.Fumble {
			return false // what it brings is compared in TestFights
		}
		l.expect("doc", "fist", result)
		if result.Succeeded() {
			m.Calm()
			hp -= g.options.PhysicalLoss(hp, most)
		}
		g.same("hp", g.resource(id, "hp"), hp)
		return true
	}
	why := ""
	if !therapy && !m.Insane() {
		why = "NOT_INSANE"
	}
	g.same("refusal", g.try("doc", &cocv1.Psychoanalysis{Target: id, Therapy: therapy}), why)
	if why != "" {
		return true
	}
	d := g.replay()
	roll := d(100)
	result := g.options.Check(oracle.Clamp(g.stat("doc", "psychoanalysis")), roll)
	g.same("result", fact(g.one("check_resolved"), "result"), result)
	l.expect("doc", "psychoanalysis", result)
	if therapy {
		m.Therapy(d, result)
	} else if result.Succeeded() {
		m.Calm()
	}
	return true
}

// answerDefaults answers what waits with its default.
func (g *game) answerDefaults() {
	for w := g.open(false); w != nil; w = g.open(false) {
		g.answer(w, w.Slots[0], w.Slots[0].DefaultChoice)
	}
}

func drawLoss(t *rapid.T) (terms []oracle.Term) {
	for range rapid.IntRange(1, 2).Draw(t, "terms") {
		if rapid.Bool().Draw(t, "number") {
			terms = append(terms, oracle.Term{Count: int(rapid.IntRange(0, 7).Draw(t, "points"))})
		} else {
			terms = append(terms, oracle.Term{Count: rapid.IntRange(1, 2).Draw(t, "dice"), Sides: rapid.SampledFrom([]int{3, 4, 6, 8, 10}).Draw(t, "sides")})
		}
	}
	return terms
}

func loss(terms []oracle.Term) string {
	var out []string
	for _, t := range terms {
		if t.Sides == 0 {
			out = append(out, strconv.Itoa(t.Count))
		} else {
			out = append(out, fmt.Sprintf("%dD%d", t.Count, t.Sides))
		}
	}
	return strings.Join(out, "+")
}

// mindOf is what the engine keeps of a mind.
func mindOf(g *game, id string) string {
	ch := g.character(id)
	i, h := ch.Details.GetCoc().GetInsanity(), ch.Details.GetCoc().GetSanityHour()
	unit := strings.ToLower(strings.TrimPrefix(i.GetUnit().String(), "INSANITY_UNIT_"))
	if unit == "unspecified" {
		unit = ""
	}
	symptom := ""
	if s := table.Status(ch, "symptom"); s != nil {
		symptom = strings.Join(s.Causes, ",")
	}
	return fmt.Sprintf("san %d temporary %v indefinite %v permanent %v suppressed %v symptom %q %d %s until %d hour %v %d %d %v",
		g.resource(id, "san"), g.status(id, "temp_insane"), g.status(id, "indef_insane"), g.status(id, "perm_insane"), ch.Details.GetCoc().GetMind().GetInsanitySuppressed(),
		symptom, i.GetLength(), unit, i.GetUntil(), h.GetStart() > 0, h.GetStart(), h.GetLost(), h.GetStruck())
}

// writtenMind is the same by the rules.
func writtenMind(m *oracle.Mind) string {
	return fmt.Sprintf("san %d temporary %v indefinite %v permanent %v suppressed %v symptom %q %d %s until %d hour %v %d %d %v",
		m.SAN, m.Temporary, m.Indefinite, m.Permanent, m.Suppressed, symptomID(m.Symptom), m.Length, m.Unit, m.Until,
		m.InHour, m.HourStart, m.HourLost, m.Struck)
}
