package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	"pgregory.net/rapid"
)

var growing = []string{"spot", "listen", "club", "persuade", "dodge", "own_language", "library", "hide"}

// TestGrowth compares growth after a scenario: which marks are left, what is rolled, what
// is gained by skill and sanity (COC-GRW-02 to 04).
func TestGrowth(t *testing.T) {
	many(t, func(t *rapid.T) {
		ch := drawSheet(t, "ada", pc, growing...)
		mythos := int(rapid.SampledFrom([]int32{0, 0, 8, 40}).Draw(t, "mythos"))
		*table.Stat(ch, "cthulhu_mythos").Value = int32(mythos)
		san := table.Resource(ch, "san")
		*san.Max = int32(99 - mythos)
		*san.Value = san.GetMax() - rapid.Int32Range(0, san.GetMax()-1).Draw(t, "lost san")
		details := ch.Details.GetCoc()
		declared := map[string]bool{}
		for _, skill := range growing {
			*table.Stat(ch, skill).Value = rapid.OneOf(spread, rapid.Int32Range(80, 99), rapid.Int32Range(80, 110)).Draw(t, skill)
			for _, kind := range []cocv1.MarkKind{cocv1.MarkKind_MARK_KIND_CRITICAL, cocv1.MarkKind_MARK_KIND_FUMBLE, cocv1.MarkKind_MARK_KIND_INITIAL_SUCCESS} {
				if rapid.Bool().Draw(t, kindWord(kind)) {
					details.GrowthMarks = append(details.GrowthMarks, &cocv1.GrowthMark{Id: kindWord(kind) + "." + skill, Kind: kind, Source: skill, Skill: skill})
				}
			}
		}
		slices.SortFunc(details.GrowthMarks, func(a, b *cocv1.GrowthMark) int { return strings.Compare(a.Id, b.Id) })
		g := newGame(t, ch)
		var left []*cocv1.GrowthMark
		for _, m := range details.GrowthMarks {
			g.same("growth before the end", g.try("ada", &cocv1.GrowthRoll{Mark: m.Id}), "SCENARIO_NOT_ENDED")
			if m.Kind == cocv1.MarkKind_MARK_KIND_CRITICAL {
				if declared[m.Id] = rapid.IntRange(0, 3).Draw(t, "declares") > 0; declared[m.Id] {
					g.act("ada", &cocv1.DeclareGrowth{Mark: m.Id})
				} else {
					continue
				}
			}
			left = append(left, m)
		}
		g.act("", &cocv1.EndScenario{})
		var ids []string
		for _, m := range left {
			ids = append(ids, m.Id)
		}
		g.same("marks that are left", sorted(g.marks("ada")), sorted(ids))
		grown := map[string]bool{}
		for len(left) > 0 {
			i := rapid.IntRange(0, len(left)-1).Draw(t, "mark")
			m := left[i]
			left = slices.Delete(left, i, i+1)
			if m.Kind == cocv1.MarkKind_MARK_KIND_CRITICAL {
				g.same("declared after the end", g.try("ada", &cocv1.DeclareGrowth{Mark: m.Id}), "TOO_LATE")
			}
			grow(g, m, mythos, grown)
		}
		g.same("marks", len(g.marks("ada")), 0)
	})
}

// grow rolls for a mark.
func grow(g *game, m *cocv1.GrowthMark, mythos int, grown map[string]bool) {
	skill, san := g.stat("ada", m.Skill), g.resource("ada", "san")
	g.act("ada", &cocv1.GrowthRoll{Mark: m.Id})
	for w := g.open(false); w != nil; w = g.open(false) {
		g.answer(w, w.Slots[0], rapid.SampledFrom([]string{"yes", "no"}).Draw(g.T, w.Name))
	}
	answer := func(prompt string) func() bool {
		return func() bool {
			if len(g.asked) == 0 || g.asked[0].prompt != prompt {
				g.Fatalf("the rules ask %s, the engine %v\n%s", prompt, g.asked, g.story())
			}
			a := g.asked[0]
			g.asked = g.asked[1:]
			return a.choice == "yes"
		}
	}
	want := g.options.Grow(g.replay(), kindWord(m.Kind), skill, san, mythos, grown[m.Skill], answer("growth_reroll"), answer("ninety_san"))
	g.allUsed()
	g.same("prompts too many", len(g.asked), 0)
	grown[m.Skill] = grown[m.Skill] || want.Ninety
	g.same("growth roll", len(g.events("growth_resolved")) > 0, true)
	g.same(m.Skill, g.stat("ada", m.Skill), want.Skill)
	g.same("san", g.resource("ada", "san"), want.SAN)
	if want.Gain > 0 { // also where the cap leaves nothing of it
		g.same("delta", fact(g.one("skill_changed"), "delta"), want.Skill-skill)
	} else {
		g.same("skill_changed", len(g.events("skill_changed")), 0)
	}
	var ninety []string
	for _, n := range g.character("ada").Details.GetCoc().Ninety {
		ninety = append(ninety, n.Skill)
	}
	var above []string
	for s, yes := range grown {
		if yes {
			above = append(above, s)
		}
	}
	g.same("grown above 90", sorted(ninety), sorted(above))
}

func kindWord(k cocv1.MarkKind) string {
	return map[cocv1.MarkKind]string{
		cocv1.MarkKind_MARK_KIND_CRITICAL: "critical", cocv1.MarkKind_MARK_KIND_FUMBLE: "fumble", cocv1.MarkKind_MARK_KIND_INITIAL_SUCCESS: "initial_success",
	}[k]
}
