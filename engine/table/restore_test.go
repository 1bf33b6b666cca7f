package table_test

import (
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// anyState draws a state that came of three characters: some have gone, one may have
// come, and the table may keep something of its own.
func anyState(t *testing.T, r *rapid.T, label string) *tablev1.State {
	tab := apply(state(t, three), changes(r, label)...)
	for _, id := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(r, label+" goes") {
			tab.Apply(gone(id))
		}
	}
	if rapid.Bool().Draw(r, label+" comes") {
		tab.Apply(character(&tablev1.Character{Id: "d", Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC, Audience: typev1.Audience_AUDIENCE_GM}))
	}
	if rapid.Bool().Draw(r, label+" plays") {
		tab.Apply(part("", &cocv1.Part{Part: &cocv1.Part_Scenario{Scenario: &cocv1.Scenario{CreationClosed: true}}}, rapid.Bool().Draw(r, label+" over")))
	}
	return tab.State()
}

// Whatever the state is now and was then, what Restore writes makes the one of the
// other; and written twice, it makes the same.
func TestRestore(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		now, then := anyState(t, r, "now"), anyState(t, r, "then")
		want := proto.CloneOf(then)
		tab := table.FromState(proto.CloneOf(now))
		changes := table.Restore(now, then)
		var got *tablev1.State
		for n := range 2 {
			for _, c := range changes {
				tab.Apply(c)
			}
			if tab.Hash() != table.Hash(want) {
				r.Fatalf("restored:\n%v\nwant:\n%v", tab.State(), want)
			}
			if n == 0 {
				got = proto.CloneOf(tab.State()) // windows are written once alone
			}
		}
		if len(got.Windows) != len(want.Windows) {
			r.Fatalf("windows:\n%v\nwant:\n%v", got.Windows, want.Windows)
		}
		for i := range want.Windows {
			if !proto.Equal(got.Windows[i], want.Windows[i]) {
				r.Fatalf("windows:\n%v\nwant:\n%v", got.Windows, want.Windows)
			}
		}
		if !proto.Equal(then, want) {
			r.Fatal("the state then was written to")
		}
		if len(table.Restore(want, want)) > 0 {
			r.Fatalf("nothing differs, and %v is written", table.Restore(want, want))
		}
	})
}

// A window that was answered is open again, before the one that was opened after it.
func TestRestoreKeepsTheOrderOfWindows(t *testing.T) {
	then := apply(&tablev1.State{}, window("1", "first", false), window("2", "second", false)).State()
	now := apply(&tablev1.State{}, window("2", "second", false), window("3", "third", false)).State()
	tab := table.FromState(now)
	for _, c := range table.Restore(now, then) {
		tab.Apply(c)
	}
	for i, id := range []string{"1", "2"} {
		if tab.State().Windows[i].Id != id {
			t.Errorf("%v", tab.State().Windows)
		}
	}
	if len(tab.State().Windows) != 2 {
		t.Errorf("%v", tab.State().Windows)
	}
}
