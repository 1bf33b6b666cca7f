package persona_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// These tests are made from the table "Who sees what" of RULES.md: each fact, die and
// field has an audience that its row allows, whatever rules and protos declare.

// audiences are those that the cells of a row allow. Of the dungeon everybody knows what
// the party does, or each what he does by himself (option knowledge_scope).
func audiences(cells []string) []typev1.Audience {
	own, others, npc := word(cells[2]), word(cells[3]), word(cells[4])
	switch {
	case own == "never":
		return []typev1.Audience{typev1.Audience_AUDIENCE_NEVER}
	case own == "no", own == "-" && npc == "no" && !strings.Contains(cells[4], "until"):
		return []typev1.Audience{rule.GM}
	case own == "addressee":
		return []typev1.Audience{rule.Owner, rule.GM}
	case own == "as":
		return []typev1.Audience{rule.Public, rule.Owner, rule.Values, rule.HP, rule.GM}
	case npc == "npc_hp":
		return []typev1.Audience{rule.HP}
	case npc == "npc_values":
		return []typev1.Audience{rule.Values}
	case npc == "npc_dice": // and reveal_enemy_power: both are options, and decide when it happens
		return []typev1.Audience{rule.Public, rule.Dice, rule.GM}
	case own == "declarer":
		return []typev1.Audience{rule.Owner}
	case npc == "result":
		return []typev1.Audience{rule.Public, rule.Dice}
	case npc == "show_round_limit":
		return []typev1.Audience{rule.Public, rule.GM}
	case own == "-":
		return []typev1.Audience{rule.Public, rule.Owner}
	case own == "yes" && others == "yes":
		return []typev1.Audience{rule.Public}
	}
	return nil
}

// word is the first word of a cell that says who.
func word(cell string) string {
	for _, w := range strings.Fields(cell) {
		if w = strings.Trim(w, "`,;"); w != "NPC" {
			return w
		}
	}
	return ""
}

// allowed reads the table, by what each row governs.
func allowed(t *testing.T) map[string][]typev1.Audience {
	t.Helper()
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n### Who sees what\n")
	section, _, _ = strings.Cut(section, "\n## ")
	out := map[string][]typev1.Audience{}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| fact ") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		of := audiences(cells)
		if of == nil {
			t.Errorf("the cells of this row say nothing: %s", line)
		}
		for _, k := range ticked.FindAllString(cells[5], -1) {
			out[strings.Trim(k, "`")] = of
		}
	}
	return out
}

// Facts, dice and events of all that the worked examples play.
func TestAudiences(t *testing.T) {
	rows := allowed(t)
	files, err := scenario.LoadDir(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for values, i := personav1.EventName(0).Descriptor().Values(), 1; i < values.Len(); i++ {
		own[rule.Name(personav1.EventName(values.Get(i).Number())).String()] = true
	}
	reported, facts := map[string]bool{}, map[string]bool{}
	check := func(what string, got typev1.Audience, keys ...string) {
		facts[what] = true
		for _, k := range keys {
			of, ok := rows[k]
			if !ok {
				continue
			}
			if !slices.Contains(of, got) && !reported[what] {
				t.Errorf("%s has the audience %v, its row allows %v", what, got, of)
				reported[what] = true
			}
			return
		}
		if !reported[what] {
			t.Errorf("%s stands in no row", what)
			reported[what] = true
		}
	}
	look := func(e *tablev1.Event) {
		if !own[e.Name] || e.Audience == rule.GM {
			return // the core's own have their tests; the GM sees all
		}
		of, quiet := rows["event "+e.Name]
		if quiet && len(of) == 1 && of[0] == rule.GM {
			t.Errorf("%s is told to %v, and is the GM's alone", e.Name, e.Audience)
		}
		for _, f := range e.Facts {
			switch {
			case f.Audience == rule.GM, f.Audience == e.Audience && e.Audience != rule.Public:
				facts[e.Name+"."+f.Key] = true // as narrow as the event
			case f.Key == "status" && len(f.Words) == 1 && rows["status "+f.Words[0]] != nil:
				check("status "+f.Words[0], f.Audience, "status "+f.Words[0])
			case e.Name == "check_rolled" && f.Key == "target" && f.Audience == rule.Owner:
				facts[e.Name+"."+f.Key] = true // it tells the level of an enemy that others do not know (PER-HID-01)
			case quiet && !slices.Contains(of, rule.Public) && e.Name != "status_gained" && e.Name != "status_lost":
				// Whoever sees a fact of it is told of the event.
				if f.Audience == rule.Public {
					t.Errorf("%s shows to everybody by its %s", e.Name, f.Key)
				}
			default:
				check(e.Name+"."+f.Key, f.Audience, e.Name+"."+f.Key, f.Key)
			}
		}
		for _, d := range e.Dice {
			label, _, _ := strings.Cut(d.Label, "/")
			if _, ok := rows["die "+label]; ok {
				check("die "+label, d.Audience, "die "+label)
			}
		}
	}
	for _, f := range files {
		scenario.Run(f, maker, scenario.Options{Tell: func(told *scenario.Told) {
			for _, e := range told.Moment.Events {
				look(e)
			}
		}})
	}
	if len(facts) < 80 {
		t.Errorf("only %d kinds of facts were seen", len(facts))
	}
}

// Fields of what sheets and the table keep.
func TestFieldAudiences(t *testing.T) {
	rows := allowed(t)
	seen := map[protoreflect.FullName]bool{}
	// below is the audience of the message around: nobody else sees what lies below.
	var walk func(d protoreflect.MessageDescriptor, below typev1.Audience)
	walk = func(d protoreflect.MessageDescriptor, below typev1.Audience) {
		if seen[d.FullName()] || !strings.HasPrefix(string(d.FullName()), "hantei.persona.") {
			return
		}
		seen[d.FullName()] = true
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			a := proto.GetExtension(f.Options(), typev1.E_See).(typev1.Audience)
			if a == 0 {
				a = proto.GetExtension(d.Options(), typev1.E_Sees).(typev1.Audience)
			}
			if below == rule.GM {
				a = below
			}
			if m := f.Message(); m != nil {
				walk(m, a)
				continue
			}
			name := string(d.Name()) + "." + string(f.Name())
			// TestWhoSeesWhatIsWhole finds what stands in no row.
			if of, ok := rows[name]; ok && !slices.Contains(of, a) {
				t.Errorf("%s declares %v, its row allows %v", name, a, of)
			}
		}
	}
	walk((&personav1.Details{}).ProtoReflect().Descriptor(), 0)
}
