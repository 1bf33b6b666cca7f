package table_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/table"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// The hashes in testdata/hash never change: logs and foreign tools hold on to
// them. Another algorithm takes another domain, and other files.
func TestHashVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/hash/*.textproto")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(f, "textproto") + "sha256")
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Hash(state(t, string(text))); got != strings.TrimSpace(string(want)) {
			t.Errorf("%s: %s, want %s", f, got, want)
		}
	}
}

// The canonical form, byte by byte: number of the field, length, content; a list
// has its length first, an absent message is 0, whole numbers are zigzag.
func TestCanonical(t *testing.T) {
	zero, minus := int32(0), int32(-1)
	for _, c := range []struct {
		name string
		m    proto.Message
		want string
	}{
		{"nothing", &tablev1.Option{}, ""},
		{"texts", &tablev1.Option{Key: "a", Value: "bc"}, "01 01 61 02 02 62 63"},
		{"an absent text", &tablev1.Option{Value: "b"}, "02 01 62"},
		{"number 0 that is there", &typev1.Stat{Key: "a", Value: &zero}, "01 01 61 02 00"},
		{"a negative number", &typev1.Stat{Value: &minus, Base: &zero}, "02 01 03 00"},
		{"an enum", &typev1.Stat{Audience: typev1.Audience_AUDIENCE_HP}, "04 08"},
		{"yes", &cocv1.Combat{Moved: true}, "02 01"},
		{"a message in a message", &cocv1.Combat{DefCount: &cocv1.DefenceCount{Dodge: 1}}, "03 03 01 02"},
		{"an empty message", &cocv1.Combat{DefCount: &cocv1.DefenceCount{}}, "03 01"},
		{"a list of texts", &tablev1.Encounter{Roster: []string{"a", ""}}, "01 02 01 61 00"},
		{"a list of messages", &tablev1.AgendaChange{After: []*tablev1.Step{{}, {Actor: "a"}}}, "01 02 01 04 01 01 61"},
		{"one of many", &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: &cocv1.Wound{Id: 1}}}, "03 03 01 02"},
	} {
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Canonical(c.m); !slices.Equal(got, want) {
			t.Errorf("%s: % x, want %s", c.name, got, c.want)
		}
	}
}

// Fields go by their numbers, not by where they are declared: Fact declares
// audience, 6, after text, 8.
func TestCanonicalOrder(t *testing.T) {
	text := "t"
	got := table.Canonical(&typev1.Fact{Audience: typev1.Audience_AUDIENCE_PUBLIC, Text: &text, Characters: []string{"a"}})
	if want := []byte{6, 1, 7, 1, 1, 'a', 8, 1, 't'}; !slices.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}

// What is not the same in play is not the same in the hash.
func TestHashDistinguishes(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{
		``,
		`characters {}`,
		`characters { id: "a" }`,
		`characters { name: "a" }`,
		`characters { id: "a" name: "b" }`,
		`characters { id: "ab" }`,
		`characters { id: "a" } characters { id: "b" }`,
		`characters { id: "b" } characters { id: "a" }`,
		`characters { id: "a" stats { key: "k" } }`,
		`characters { id: "a" stats { key: "k" value: 0 } }`,
		`characters { id: "a" stats { key: "k" base: 0 } }`,
		`characters { id: "a" stats { key: "k" value: 1 } }`,
		`characters { id: "a" stats { key: "k" value: -1 } }`,
		`characters { id: "a" resources { key: "k" value: 1 } }`,
		`characters { id: "a" statuses { key: "k" causes: "a" causes: "b" } }`,
		`characters { id: "a" statuses { key: "k" causes: "ab" } }`,
		`characters { id: "a" details {} }`,
		`characters { id: "a" details { coc {} } }`,
		`characters { id: "a" details { coc { combat {} } } }`,
		`characters { id: "a" details { coc { wounds {} } } }`,
		`characters { id: "a" details { coc { wounds {} wounds {} } } }`,
		`encounter {}`,
		`encounter { roster: "a" }`,
		`encounter { order: "a" }`,
		`encounter { turn: "a" }`,
		`encounter { pointer: 1 }`,
		`encounter { round: 1 }`,
		`clocks { clock: CLOCK_ROUND }`,
		`clocks { clock: CLOCK_ROUND reading: 1 }`,
		`clocks { clock: CLOCK_SCENE reading: 1 }`,
		`agenda {}`,
		`agenda { actor: "a" }`,
		`agenda { args { coc { next_turn {} } } }`,
		`agenda { args { coc { round_end {} } } }`,
	} {
		h := table.Hash(state(t, text))
		if other, ok := seen[h]; ok {
			t.Errorf("%q has the hash of %q", text, other)
		}
		seen[h] = text
	}
}

// Seats, prompts and what a table was made from are not in it.
func TestHashLeavesOut(t *testing.T) {
	want := table.Hash(state(t, `characters { id: "a" }`))
	for _, text := range []string{
		`ruleset: "coc"`, `pack: "00"`, `options { key: "a" value: "b" }`, `windows { id: "w" open: true }`,
	} {
		if table.Hash(state(t, `characters { id: "a" } `+text)) != want {
			t.Errorf("%s is in the hash", text)
		}
	}
}

// The way to a state is not in its hash.
func TestHashOfTheSameState(t *testing.T) {
	folded := apply(&tablev1.State{},
		character(&tablev1.Character{Id: "b"}), character(&tablev1.Character{Id: "a", Name: "old"}),
		stat("b", "z", 1), character(&tablev1.Character{Id: "a"}), stat("a", "m", 7), stat("a", "k", 2), stat("a", "m", 3),
		status("a", "down", false), status("a", "down", true), wound("a", 2, 5), wound("a", 1, 4), healed("a", 2),
		clock(typev1.Clock_CLOCK_SCENE, 1), clock(typev1.Clock_CLOCK_ROUND, 2), encounter(&tablev1.Encounter{Round: 1}), encounter(nil),
	)
	made := state(t, `characters { id: "a" stats { key: "k" value: 2 } stats { key: "m" value: 3 } details { coc { wounds { id: 1 amount: 4 } } } }
		characters { id: "b" stats { key: "z" value: 1 } }
		clocks { clock: CLOCK_ROUND reading: 2 } clocks { clock: CLOCK_SCENE reading: 1 }`)
	read := &tablev1.State{}
	if err := proto.Unmarshal([]byte(bytesOf(made)), read); err != nil {
		t.Fatal(err)
	}
	want := table.Hash(made)
	if folded.Hash() != want || table.Hash(read) != want || table.Hash(proto.Clone(made).(*tablev1.State)) != want {
		t.Errorf("folded %s, read %s, made %s", folded.Hash(), table.Hash(read), want)
	}
}
