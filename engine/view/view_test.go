package view

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

const (
	public  = typev1.Audience_AUDIENCE_PUBLIC
	party   = typev1.Audience_AUDIENCE_PARTY
	owner   = typev1.Audience_AUDIENCE_OWNER
	asked   = typev1.Audience_AUDIENCE_ASKED
	knows   = typev1.Audience_AUDIENCE_KNOWS
	gmOnly  = typev1.Audience_AUDIENCE_GM
	never   = typev1.Audience_AUDIENCE_NEVER
	hp      = typev1.Audience_AUDIENCE_HP
	values  = typev1.Audience_AUDIENCE_VALUES
	dice    = typev1.Audience_AUDIENCE_DICE
	mind    = typev1.Audience_AUDIENCE_MIND
	exact   = tablev1.NpcHp_NPC_HP_EXACT
	banded  = tablev1.NpcHp_NPC_HP_BAND
	unshown = tablev1.NpcHp_NPC_HP_NONE
)

// The table of the tests: ann plays the officer, ben the nurse; thug is the GM's,
// dog an NPC that ann may play; nobody has claimed the stranger, a PC.
var (
	theGM = Viewer{Seat: "gm", GM: true}
	ann   = Viewer{Seat: "ann"}
	ben   = Viewer{Seat: "ben"}
	olga  = Viewer{Seat: "olga", Observer: true}
)

func stamp(set ...func(*tablev1.Visibility)) *tablev1.Visibility {
	pc, npc := tablev1.CharacterKind_CHARACTER_KIND_PC, tablev1.CharacterKind_CHARACTER_KIND_NPC
	vis := &tablev1.Visibility{
		PartySheets: true,
		NpcHp:       banded,
		NpcDice:     true,
		Owners: []*tablev1.Ownership{
			{Character: "dog", Kind: npc, Seats: []string{"ann"}},
			{Character: "nurse", Kind: pc, Seats: []string{"ben"}},
			{Character: "officer", Kind: pc, Seats: []string{"ann"}},
			{Character: "stranger", Kind: pc},
			{Character: "thug", Kind: npc},
		},
	}
	for _, o := range vis.Owners {
		setAudience(o, public)
	}
	for _, f := range set {
		f(vis)
	}
	return vis
}

// setAudience sets who may know of a character, once the stamp has a field for it.
func setAudience(o *tablev1.Ownership, a typev1.Audience) bool {
	m := o.ProtoReflect()
	fd := m.Descriptor().Fields().ByName("audience")
	if fd == nil {
		return false
	}
	m.Set(fd, enumOf(a))
	return true
}

func hiddenSheets(v *tablev1.Visibility) { v.PartySheets = false }
func hiddenDice(v *tablev1.Visibility)   { v.NpcDice = false }
func openValues(v *tablev1.Visibility)   { v.NpcValues = true }
func npcHP(h tablev1.NpcHp) func(*tablev1.Visibility) {
	return func(v *tablev1.Visibility) { v.NpcHp = h }
}

func TestAudiences(t *testing.T) {
	tests := []struct {
		name     string
		audience typev1.Audience
		subject  string
		vis      *tablev1.Visibility
		sees     string // of gm, ann, ben, olga: a letter for each
	}{
		{"undeclared", 0, "officer", stamp(), ""},
		{"unknown word", 99, "officer", stamp(), ""},
		{"never", never, "officer", stamp(), ""},
		{"public", public, "", stamp(), "gabo"},
		{"public of a stranger", public, "who", nil, "gabo"},
		{"party", party, "", stamp(), "gab"},
		{"owner", owner, "officer", stamp(), "ga"},
		{"owner of an NPC", owner, "thug", stamp(), "g"},
		{"owner of an NPC with a seat", owner, "dog", stamp(), "ga"},
		{"owner unknown", owner, "who", stamp(), "g"},
		{"owner of nobody", owner, "", stamp(), "g"},
		{"asked, no question", asked, "officer", stamp(), ""},
		{"knows", knows, "officer", stamp(), "g"},
		{"gm", gmOnly, "officer", stamp(), "g"},

		{"PC hp", hp, "officer", stamp(), "gabo"},
		{"PC hp, hidden", hp, "officer", stamp(hiddenSheets), "ga"},
		{"PC values, hidden", values, "nurse", stamp(hiddenSheets), "gb"},
		{"PC mind", mind, "officer", stamp(), "gabo"},
		{"PC mind, hidden", mind, "officer", stamp(hiddenSheets), "ga"},
		{"PC dice, hidden", dice, "officer", stamp(hiddenSheets, hiddenDice), "gabo"},
		{"PC of nobody, hidden", hp, "stranger", stamp(hiddenSheets), "g"},

		{"NPC hp, exact", hp, "thug", stamp(npcHP(exact)), "gabo"},
		{"NPC hp, band", hp, "thug", stamp(npcHP(banded)), "g"},
		{"NPC hp, none", hp, "thug", stamp(npcHP(unshown)), "g"},
		{"NPC hp, not said", hp, "thug", stamp(npcHP(0)), "g"},
		{"NPC values", values, "thug", stamp(), "g"},
		{"NPC values, shown", values, "thug", stamp(openValues), "gabo"},
		{"NPC dice", dice, "thug", stamp(), "gabo"},
		{"NPC dice, hidden", dice, "thug", stamp(hiddenDice), "g"},
		{"NPC mind, all shown", mind, "thug", stamp(openValues, npcHP(exact)), "g"},
		{"NPC with a seat, values", values, "dog", stamp(), "ga"},
		{"NPC with a seat, mind", mind, "dog", stamp(), "g"},

		{"unknown character", hp, "who", stamp(openValues, npcHP(exact)), "g"},
		{"no character", dice, "", stamp(), "g"},
		{"no stamp", hp, "officer", nil, "g"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for i, v := range []Viewer{theGM, ann, ben, olga} {
				g := newGaze(v, tt.vis)
				if g.may(tt.audience, tt.subject) {
					got += "gabo"[i : i+1]
				}
			}
			if got != tt.sees {
				t.Errorf("%v of %q is seen by %q, want %q", tt.audience, tt.subject, got, tt.sees)
			}
		})
	}
}

// Nobody sits on no seat, and an observer plays nobody, whatever the stamp says.
func TestSeatless(t *testing.T) {
	vis := stamp(hiddenSheets, func(v *tablev1.Visibility) {
		v.Owners[2].Seats = []string{"", "olga"}
	})
	for _, v := range []Viewer{{}, olga} {
		g := newGaze(v, vis)
		if g.may(owner, "officer") || g.may(party, "") || g.may(hp, "officer") || g.answers("officer") {
			t.Errorf("%+v sees the officer as an owner would", v)
		}
	}
}

func TestViewerOf(t *testing.T) {
	for role, want := range []Viewer{{Seat: "s", Observer: true}, {Seat: "s", GM: true}, {Seat: "s"}, {Seat: "s", Observer: true}} {
		if got := ViewerOf(&tablev1.Seat{Id: "s", Role: tablev1.SeatRole(role)}); got != want {
			t.Errorf("role %d: %+v, want %+v", role, got, want)
		}
	}
}

// read makes a message from text, so that tables of tests stay readable.
func read[M proto.Message](t testing.TB, m M, text string) M {
	t.Helper()
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

func same(t *testing.T, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", prototext.Format(got), prototext.Format(want))
	}
}
