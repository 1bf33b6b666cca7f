package oracle_test

import (
	"testing"

	"github.com/hantei/hantei/engine/coc/oracle"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"pgregory.net/rapid"
)

// TestDerived compares what follows from the characteristics of a sheet that is sent, and
// the first values of all skills (COC-CRE-02, table 6.1).
func TestDerived(t *testing.T) {
	many(t, func(t *rapid.T) {
		rules, err := ruleset()
		if err != nil {
			t.Fatal(err)
		}
		g := &game{T: t}
		for range inputsPerTable {
			var r oracle.Rolled
			mythos := rapid.SampledFrom([]int{0, 0, 8, 60, 99}).Draw(t, "mythos")
			in := &tablev1.SheetInput{Kind: pc, Stats: []*tablev1.StatInput{{Key: "cthulhu_mythos", Value: int32(mythos)}}}
			for i, to := range []*int{&r.Str, &r.Con, &r.Pow, &r.Dex, &r.App, &r.Siz, &r.Int, &r.Edu} {
				*to = rapid.OneOf(rapid.IntRange(1, 30), rapid.Map(spread, func(n int32) int { return int(n)%24 + 1 })).Draw(t, characteristics[i])
				in.Stats = append(in.Stats, &tablev1.StatInput{Key: characteristics[i], Value: int32(*to)})
			}
			ch, refusal := rules.FromSheet(in)
			if refusal != nil {
				t.Fatal(refusal)
			}
			want := r.Derive(mythos)
			resource := func(key string, value, most int) {
				got := table.Resource(ch, key)
				g.alike(ch, key, int(got.GetValue()), value)
				g.alike(ch, "most "+key, int(got.GetMax()), most)
			}
			resource("hp", want.HP, want.HP)
			resource("mp", want.MP, want.MP)
			resource("san", want.SAN, want.MaxSAN)
			for key, value := range map[string]int{"luck": want.Luck, "idea": want.Idea, "know": want.Know, "mov": 8, "armour": 0} {
				g.alike(ch, key, int(table.Stat(ch, key).GetValue()), value)
			}
			for _, skill := range oracle.Skills() {
				if skill == "cthulhu_mythos" {
					continue
				}
				base, _ := oracle.Base(skill, r.Dex, r.Edu)
				got := table.Stat(ch, skill)
				g.alike(ch, "base of "+skill, int(got.GetBase()), base)
				g.alike(ch, skill, int(got.GetValue()), min(base, 99))
			}
		}
	})
}

// alike is same for a sheet that is at no table.
func (g *game) alike(ch *tablev1.Character, what string, engine, rules int) {
	if engine != rules {
		g.Fatalf("%s: the engine has %d, the rules %d\n%v", what, engine, rules, ch.Stats)
	}
}
