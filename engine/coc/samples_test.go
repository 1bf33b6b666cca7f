package coc_test

import (
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// TestSamplesArePossible: an investigator of the pack could have been made by the
// rules, with points that there are (COC-CRE-06) and no skill above 80 (COC-CRE-07).
func TestSamplesArePossible(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	investigators := 0
	for _, s := range rules.Samples {
		sheet, refusal := rules.FromSample(s.ID)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if sheet.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC {
			continue
		}
		investigators++
		spent := int32(0)
		for _, stat := range sheet.Stats {
			if stat.Base == nil {
				continue // no skill
			}
			if spent += stat.GetValue() - stat.GetBase(); stat.GetValue() > 80 && stat.GetValue() != stat.GetBase() {
				t.Errorf("%s begins with %s %d", s.ID, stat.Key, stat.GetValue())
			}
			if stat.GetValue() < stat.GetBase() {
				t.Errorf("%s has %s %d, below its base", s.ID, stat.Key, stat.GetValue())
			}
		}
		points := table.Stat(sheet, "edu").GetValue()*20 + table.Stat(sheet, "int").GetValue()*10
		if spent == 0 || spent > points {
			t.Errorf("%s: %d skill points of %d are spent", s.ID, spent, points)
		}
	}
	if investigators < 4 || len(rules.Samples)-investigators < 4 {
		t.Errorf("%d investigators of %d samples: too few for a table", investigators, len(rules.Samples))
	}
}
