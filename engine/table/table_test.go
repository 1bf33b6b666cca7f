package table_test

import (
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// anyChange draws a change of one of three characters, who are always there.
func anyChange(t *rapid.T) *tablev1.Change {
	who := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "who")
	key := rapid.SampledFrom([]string{"k", "l", "m"}).Draw(t, "key")
	n := rapid.Int32Range(-2, 3).Draw(t, "n")
	yes := rapid.Bool().Draw(t, "removed")
	switch rapid.IntRange(0, 14).Draw(t, "change") {
	case 0:
		return stat(who, key, n)
	case 1:
		return resource(who, key, n)
	case 2:
		return status(who, key, yes, key)
	case 3:
		return modifier(who, key, yes, n)
	case 4:
		return position(who, &typev1.Position{Square: &typev1.Square{X: n}})
	case 5:
		return position(who, nil)
	case 6:
		return review(who, tablev1.Review(n+2))
	case 7:
		return option(key, who)
	case 8:
		return clock(typev1.Clock(n+2), n)
	case 9:
		if yes {
			return encounter(nil)
		}
		return encounter(&tablev1.Encounter{Round: n})
	case 10:
		return agenda(who, key)
	case 11:
		return window(key, who, yes)
	case 12:
		return character(&tablev1.Character{Id: who, Name: key, Stats: []*typev1.Stat{{Key: "l", Value: &n}}})
	case 13:
		if yes {
			return healed(who, n)
		}
		return wound(who, n, 1)
	default:
		return part(who, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: &cocv1.Combat{AttacksMade: n}}}, yes)
	}
}

func changes(t *rapid.T, label string) []*tablev1.Change {
	return rapid.SliceOfN(rapid.Custom(anyChange), 0, 20).Draw(t, label)
}

const three = `ruleset: "coc" characters { id: "a" } characters { id: "b" details {} }
	characters { id: "c" stats { key: "l" value: 1 } details { coc { wounds { id: 1 amount: 2 } combat {} } } }`

// Whatever was written since the mark, taking it back gives the same bytes.
func TestRollback(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab := apply(state(t, three), changes(r, "before")...)
		if rapid.Bool().Draw(r, "forget") {
			tab.Forget()
		}
		mark, before, hash := tab.Mark(), bytesOf(tab.State()), tab.Hash()
		for _, c := range changes(r, "after") {
			tab.Apply(c)
		}
		tab.Rollback(mark)
		if bytesOf(tab.State()) != before || tab.Hash() != hash {
			r.Fatalf("the state is another: %v", tab.State())
		}
		if tab.Mark() != mark {
			r.Fatalf("mark %d, want %d", tab.Mark(), mark)
		}
	})
}

// Marks nest: what was written before an inner mark can still be taken back.
func TestRollbackNests(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tab := table.FromState(state(t, three))
		before := bytesOf(tab.State())
		for _, c := range changes(r, "outer") {
			tab.Apply(c)
		}
		mark := tab.Mark()
		for _, c := range changes(r, "inner") {
			tab.Apply(c)
		}
		tab.Rollback(mark)
		for _, c := range changes(r, "again") {
			tab.Apply(c)
		}
		tab.Rollback(0)
		if bytesOf(tab.State()) != before {
			r.Fatalf("the state is another: %v", tab.State())
		}
	})
}

func TestForget(t *testing.T) {
	tab := apply(state(t, three), stat("a", "m", 1))
	tab.Forget()
	before := bytesOf(tab.State())
	tab.Rollback(0)
	if tab.Mark() != 0 || bytesOf(tab.State()) != before {
		t.Error("what was forgotten was taken back")
	}
}

// A stored event must stay what it was: the state writes into nothing that it got
// from a change, when the change is applied, later, and when it is taken back.
func TestChangesAreNotWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := changes(r, "changes")
		var were []string
		for _, c := range all {
			were = append(were, bytesOf(c))
		}
		tab := apply(state(t, three), all...)
		tab.Rollback(rapid.IntRange(0, tab.Mark()).Draw(r, "mark"))
		for _, c := range changes(r, "later") {
			tab.Apply(c)
		}
		for i, c := range all {
			if bytesOf(c) != were[i] {
				r.Fatalf("change %d is now %v", i, c)
			}
		}
	})
}

// The last write of a key is what stands there; the rows are sorted and no key
// stands twice.
func TestLastWriteStands(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := changes(r, "changes")
		tab := apply(state(t, three), all...)
		for _, c := range tab.State().Characters {
			keys := make([]string, len(c.Stats))
			for i, s := range c.Stats {
				keys[i] = s.Key
			}
			if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
				r.Fatalf("stats of %s: %v", c.Id, keys)
			}
			wounds := c.GetDetails().GetCoc().GetWounds()
			for i := 1; i < len(wounds); i++ {
				if wounds[i-1].Id >= wounds[i].Id {
					r.Fatalf("wounds of %s: %v", c.Id, wounds)
				}
			}
		}
		want := map[string]int32{"c/l": 1}
		for _, c := range all {
			if s := c.GetStat(); s != nil {
				want[s.Character+"/"+s.After.Key] = s.After.GetValue()
			}
			if ch := c.GetCharacter(); ch != nil {
				for _, k := range []string{"k", "l", "m"} {
					delete(want, ch.Character+"/"+k)
				}
				want[ch.Character+"/l"] = ch.After.Stats[0].GetValue()
			}
		}
		for _, who := range []string{"a", "b", "c"} {
			for _, key := range []string{"k", "l", "m"} {
				n, there := want[who+"/"+key]
				s := table.Stat(tab.Character(who), key)
				if (s != nil) != there || s.GetValue() != n {
					r.Fatalf("%s/%s is %v, want %d (%v)", who, key, s, n, there)
				}
			}
		}
	})
}

// Folding needs the changes alone: from their bytes comes the same state.
func TestFoldFromBytes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := changes(r, "changes")
		live, read := apply(state(t, three), all...), table.FromState(state(t, three))
		for _, c := range all {
			again := &tablev1.Change{}
			if err := proto.Unmarshal([]byte(bytesOf(c)), again); err != nil {
				r.Fatal(err)
			}
			read.Apply(again)
		}
		if bytesOf(live.State()) != bytesOf(read.State()) || live.Hash() != read.Hash() {
			r.Fatal("the fold of the stored changes is another state")
		}
	})
}

func TestLookups(t *testing.T) {
	s := state(t, `characters { id: "a" stats { key: "k" value: 1 } resources { key: "hp" value: 2 } statuses { key: "down" } } characters { id: "b" }
		clocks { clock: CLOCK_SCENE reading: 3 } windows { id: "w" name: "x" }`)
	a := table.Character(s, "a")
	if a.GetId() != "a" || table.Character(s, "aa") != nil || table.Character(s, "c") != nil || table.Character(&tablev1.State{}, "") != nil {
		t.Error("characters")
	}
	if table.Stat(a, "k").GetValue() != 1 || table.Stat(a, "l") != nil || table.Stat(nil, "k") != nil {
		t.Error("stats")
	}
	if table.Resource(a, "hp").GetValue() != 2 || table.Resource(a, "mp") != nil || table.Resource(nil, "hp") != nil {
		t.Error("resources")
	}
	if table.Status(a, "down") == nil || table.Status(a, "up") != nil || table.Status(nil, "down") != nil {
		t.Error("statuses")
	}
	if table.Window(s, "w").GetName() != "x" || table.Window(s, "v") != nil {
		t.Error("windows")
	}
	if table.Clock(s, typev1.Clock_CLOCK_SCENE) != 3 || table.Clock(s, typev1.Clock_CLOCK_ROUND) != 0 {
		t.Error("clocks")
	}
}
