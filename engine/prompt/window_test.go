package prompt_test

import (
	"testing"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

const (
	open     = tablev1.SlotState_SLOT_STATE_OPEN
	answered = tablev1.SlotState_SLOT_STATE_ANSWERED
)

// windows: a cover of two, of whom one has answered; a standing one for the GM;
// two defends, the first of them over.
var windows = []*tablev1.Window{
	{Id: "w1", Name: "defend", Slots: []*tablev1.Slot{{Id: "s1", Character: "thug", State: answered}}},
	{Id: "w2", Name: "cover", Open: true, Slots: []*tablev1.Slot{{Id: "s2", Character: "nurse", State: answered}, {Id: "s3", Character: "officer", State: open}}},
	{Id: "w3", Name: "fumble_effect", Open: true, Standing: true, Slots: []*tablev1.Slot{{Id: "s4", State: open}}},
	{Id: "w4", Name: "defend", Open: true, Slots: []*tablev1.Slot{{Id: "s5", Character: "officer", State: open}, {Id: "s6", Character: "dog", State: open}}},
}

func TestOfSlot(t *testing.T) {
	w, s := prompt.OfSlot(windows, "s3")
	if w.GetId() != "w2" || s.GetCharacter() != "officer" {
		t.Errorf("%v, %v", w, s)
	}
	if w, s := prompt.OfSlot(windows, "w2"); w != nil || s != nil {
		t.Errorf("%v, %v", w, s)
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{"w1": "w1", "cover": "w2", "defend": "w4", "nothing": "", "": ""} {
		if got := prompt.Named(windows, name).GetId(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestOnly(t *testing.T) {
	for who, want := range map[string]string{"dog": "w4", "": "w3", "officer": "", "nurse": "", "thug": "", "nobody": ""} {
		if got := prompt.Only(windows, who).GetId(); got != want {
			t.Errorf("%q: %q, want %q", who, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	if s := prompt.Open(windows[1], "officer"); s.GetId() != "s3" {
		t.Errorf("%v", s)
	}
	if prompt.Open(windows[1], "nurse") != nil || prompt.Open(windows[1], "dog") != nil {
		t.Error("open, though it is not")
	}
}

// choices of a defence: none, a dodge and a parry that may be dedicated, and one
// that is barred.
func choices() []*tablev1.PromptChoice {
	dedicate := &tablev1.Input{Name: "dedicate", Path: "coc.defend.dedicate", Kind: yesOrNo, MaxCount: 1}
	return []*tablev1.PromptChoice{
		rule.Choice("none", &cocv1.Defend{Kind: &cocv1.Defend_None{None: &cocv1.NoDefence{}}}),
		rule.Choice("dodge", &cocv1.Defend{Kind: &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}}, dedicate),
		rule.Choice("parry.baton", &cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{Weapon: "baton"}}}, dedicate),
		rule.Barred("parry.fist", &cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{Weapon: "fist"}}}, rule.Refuse(cocv1.Reason_REASON_CANNOT_PARRY, "", "")),
	}
}

func TestChoice(t *testing.T) {
	if c := prompt.Choice(choices(), "parry.fist"); c == nil || c.Possible || c.Reason != "CANNOT_PARRY" {
		t.Errorf("%v", c)
	}
	if prompt.Choice(choices(), "parry") != nil {
		t.Error("found")
	}
}

func TestOnlyDefault(t *testing.T) {
	all := choices()
	for _, c := range []struct {
		name    string
		choices []*tablev1.PromptChoice
		def     string
		want    bool
	}{
		{"the default alone", all[:1], "none", true},
		{"besides only what is barred", []*tablev1.PromptChoice{all[0], all[3]}, "none", true},
		{"another choice", all[:2], "none", false},
		{"the default with something to fill in", all[1:2], "dodge", false},
		{"no choice", nil, "none", true},
	} {
		if got := prompt.OnlyDefault(c.choices, c.def); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestMatch(t *testing.T) {
	parry := func(weapon string) *cocv1.Defend {
		return &cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{Weapon: weapon}}}
	}
	dodge := &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}
	for _, c := range []struct {
		name   string
		answer proto.Message
		want   string
	}{
		{"as offered", parry("baton"), "parry.baton"},
		{"a barred one", parry("fist"), "parry.fist"},
		{"with an input filled in", &cocv1.Defend{Kind: dodge, Dedicate: true}, "dodge"},
		{"with something that is no input", &cocv1.Defend{Kind: dodge, UsePlus10: true}, ""},
		{"an input of another choice", &cocv1.Defend{Kind: &cocv1.Defend_None{None: &cocv1.NoDefence{}}, Dedicate: true}, ""},
		{"a weapon that is not offered", parry("knife"), ""},
		{"nothing", &cocv1.Defend{}, ""},
		{"another prompt's", &cocv1.Cover{}, ""},
	} {
		if got := prompt.Match(choices(), rule.Wrap[*tablev1.Answer](c.answer)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// An input deep in an answer that is not there matches nothing, and breaks nothing.
func TestMatchDeepInput(t *testing.T) {
	treat := []*tablev1.PromptChoice{rule.Choice("treat", &cocv1.Dying{Choice: &cocv1.Dying_Treat{Treat: &cocv1.Treat{Skill: "first_aid"}}},
		&tablev1.Input{Name: "wound", Path: "coc.dying.treat.wound", Kind: number, MinCount: 1, MaxCount: 1})}
	for want, answer := range map[string]*cocv1.Dying{
		"treat": {Choice: &cocv1.Dying_Treat{Treat: &cocv1.Treat{Skill: "first_aid", Wound: 3}}},
		"":      {Choice: &cocv1.Dying_Dies{Dies: &cocv1.Dies{}}},
	} {
		if got := prompt.Match(treat, rule.Wrap[*tablev1.Answer](answer)); got != want {
			t.Errorf("%v: %q, want %q", answer, got, want)
		}
	}
}
