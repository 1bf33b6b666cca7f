package rule_test

import (
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func TestOptions(t *testing.T) {
	o := rule.NewOptions([]rule.Option{
		{Key: "crit", Default: "5", Min: 0, Max: 100},
		{Key: "mercy", Default: "false", Values: rule.OnOff},
	})
	set := []*tablev1.Option{{Key: "crit", Value: "7"}}
	for _, c := range []struct{ key, value, want, nearest string }{
		{"crit", "0", "", ""},
		{"crit", "100", "", ""},
		{"crit", "101", "options.value", ""},
		{"crit", "-1", "options.value", ""},
		{"crit", "+5", "options.value", ""},
		{"crit", "05", "options.value", ""},
		{"crit", "", "options.value", ""},
		{"mercy", "true", "", ""},
		{"mercy", "ture", "options.value", "true"},
		{"mercy", "True", "options.value", "true"},
		{"given_dice", "gm", "", ""},
		{"merci", "true", "options.key", "mercy"},
		{"", "true", "options.key", ""},
	} {
		got, nearest := "", ""
		if r := o.Check(c.key, c.value); r != nil {
			got, nearest = r.Field, r.Nearest
		}
		if got != c.want || nearest != c.nearest {
			t.Errorf("%s=%q: %q (%q), want %q (%q)", c.key, c.value, got, nearest, c.want, c.nearest)
		}
	}
	if o.Value(set, "crit") != "7" || o.Value(nil, "crit") != "5" || o.Value(set, "npc_hp") != "band" {
		t.Error("values")
	}
	for _, c := range []struct{ key, value, want string }{
		{"crit", "many", `option_number option="crit" min="0" max="100" sent="many"`},
		{"npc_hp", "all", `option_words option="npc_hp" names="exact,band,none" sent="all"`},
		{"krit", "1", `no_option sent="krit"`},
	} {
		if r := o.Check(c.key, c.value); r == nil || r.Detail.String() != c.want {
			t.Errorf("%s=%s: %v, want %s", c.key, c.value, r, c.want)
		}
	}
	all := o.InForce(set)
	for i := 1; i < len(all); i++ {
		if all[i-1].Key >= all[i].Key {
			t.Errorf("%s stands before %s", all[i-1].Key, all[i].Key)
		}
	}
	if len(all) != len(o.All()) || len(all) != 11 {
		t.Errorf("%d in force of %d", len(all), len(o.All()))
	}
	for _, d := range o.All() {
		if r := o.Check(d.Key, d.Default); r != nil {
			t.Errorf("the default of %s is refused: %v", d.Key, r)
		}
	}
}

func TestNearest(t *testing.T) {
	valid := []string{"dodge", "parry", "first_aid", "fist"}
	for name, want := range map[string]string{
		"doge": "dodge", "dodge": "dodge", "prary": "parry", "firstaid": "first_aid", "fst": "fist",
		"medicine": "", "": "", "x": "",
		"dogde": "dodge", "fits": "fist", "fi": "", "fistss": "fist", "frist_iad": "first_aid", "dodgeround": "",
	} {
		if got := rule.Nearest(name, valid); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	// Short keys are all alike: only one slip is believed.
	keys := []string{"str", "con", "pow", "dex", "luck"}
	for name, want := range map[string]string{
		"san": "", "mov": "", "sti": "str", "cno": "con", "dx": "dex", "dexx": "dex", "luk": "luck", "kluc": "", "警官": "",
	} {
		if got := rule.Nearest(name, keys); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := rule.Nearest("警宮", []string{"警官"}); got != "警官" {
		t.Errorf("letters of more than one byte: %q", got)
	}
}

// A refusal repeats the name that is wrong, and nothing that can be no name.
func TestSuggest(t *testing.T) {
	for _, c := range []struct{ name, value, nearest string }{
		{"tug", "tug", "thug"},
		{"thug", "thug", ""}, // it is there, and wrong for another reason
		{"", "", ""},
		{"ごろつき", "ごろつき", ""},
		{strings.Repeat("x", 65), "", ""},
		{"a\nb", "", ""},
		{"a\xff", "", ""},
	} {
		r := rule.Core(tablev1.Reason_REASON_NOT_FOUND, "target").Suggest(c.name, []string{"thug", "nurse"})
		if r.Value != c.value || r.Nearest != c.nearest {
			t.Errorf("%q: %q, %q", c.name, r.Value, r.Nearest)
		}
	}
	if r := rule.Refuse(cocv1.Reason_REASON_NOT_APPROVED, "COC-CRE-11", "").Name("thug"); r.Value != "thug" || r.Nearest != "" {
		t.Errorf("%+v", r)
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `""`,
		"a\"b\n":                `"a\"b\n"`,
		"\xff":                  `"\xff"`,
		strings.Repeat("判", 65): `"` + strings.Repeat("判", 64) + `…"`,
		strings.Repeat("x", 64): `"` + strings.Repeat("x", 64) + `"`,
	} {
		if got := rule.Quote(text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Of what has no end there is no part left.
func TestSetResource(t *testing.T) {
	most := int32(10)
	for _, c := range []struct {
		before *typev1.Resource
		want   typev1.Band
	}{{&typev1.Resource{Key: "hp", Max: &most}, typev1.Band_BAND_HURT}, {&typev1.Resource{Key: "money"}, typev1.Band_BAND_UNSPECIFIED}} {
		after := rule.SetResource("officer", c.before, 7).GetResource().After
		if after.GetValue() != 7 || after.Band != c.want || after.GetMax() != c.before.GetMax() {
			t.Errorf("%v", after)
		}
	}
}

func TestBandOf(t *testing.T) {
	for _, c := range []struct {
		value, max int32
		want       typev1.Band
	}{
		{14, 14, typev1.Band_BAND_UNHURT},
		{13, 14, typev1.Band_BAND_HURT},
		{8, 14, typev1.Band_BAND_HURT},
		{7, 14, typev1.Band_BAND_BADLY_HURT},
		{4, 14, typev1.Band_BAND_BADLY_HURT},
		{3, 14, typev1.Band_BAND_NEAR_DEATH},
		{1, 14, typev1.Band_BAND_NEAR_DEATH},
		{0, 14, typev1.Band_BAND_DOWN},
		{-3, 14, typev1.Band_BAND_DOWN},
		{1, 1, typev1.Band_BAND_UNHURT},
	} {
		if got := rule.BandOf(c.value, c.max); got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.value, c.max, got, c.want)
		}
	}
}

func TestControls(t *testing.T) {
	s := &tablev1.State{Characters: []*tablev1.Character{
		{Id: "officer", Kind: tablev1.CharacterKind_CHARACTER_KIND_PC}, {Id: "thug", Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC},
	}}
	for _, c := range []struct {
		seat rule.Seat
		want map[string]bool
	}{
		{rule.Seat{GM: true}, map[string]bool{"": true, "thug": true, "officer": false, "nobody": false}},
		{rule.Seat{GM: true, Characters: []string{"officer"}}, map[string]bool{"officer": true}},
		{rule.Seat{Characters: []string{"officer"}}, map[string]bool{"": false, "thug": false, "officer": true}},
		{rule.Seat{}, map[string]bool{"": false, "thug": false, "officer": false}},
	} {
		v := &rule.View{State: s, Seat: c.seat}
		for who, want := range c.want {
			if got := v.Controls(who); got != want {
				t.Errorf("%+v controls %q: %v", c.seat, who, got)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	a := rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton"})
	if a.GetCoc().GetAttack().GetWeapon() != "baton" {
		t.Errorf("%v", a)
	}
	m, path := rule.Unwrap(a)
	if !proto.Equal(m, &cocv1.Attack{Weapon: "baton"}) || len(path) != 2 || path[0] != "coc" || path[1] != "attack" {
		t.Errorf("%v, %v", m, path)
	}
	if m, path := rule.Unwrap(rule.Wrap[*tablev1.Action](&tablev1.Note{})); path[1] != "note" || m.(*tablev1.Note) == nil {
		t.Errorf("%v, %v", m, path)
	}
	for _, empty := range []*tablev1.Action{nil, {}, {Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{}}}} {
		if m, _ := rule.Unwrap(empty); m != nil {
			t.Errorf("%v", m)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("what belongs nowhere was wrapped")
		}
	}()
	rule.Wrap[*tablev1.Action](&cocv1.Cover{})
}

func TestNames(t *testing.T) {
	if n := rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT).String(); n != "attack_hit" {
		t.Error(n)
	}
	if k := rule.Key(cocv1.FactKey_FACT_KEY_FINAL).String(); k != "final" {
		t.Error(k)
	}
	if w := rule.Word(cocv1.WeaponState_WEAPON_STATE_UNUSABLE, "WEAPON_STATE_"); w != "unusable" {
		t.Error(w)
	}
	r := rule.Refuse(cocv1.Reason_REASON_DEFENCE_LOCKED, "COC-DEF-04", "kind")
	if r.Reason != "DEFENCE_LOCKED" || r.Core || r.Error() != "DEFENCE_LOCKED COC-DEF-04 kind" {
		t.Errorf("%v", r)
	}
	for name, f := range map[string]func(){
		"a name that the enum has not": func() { rule.Name(cocv1.EventName(999)) },
		"a fact key without a type":    func() { rule.Key(cocv1.FactKey_FACT_KEY_UNSPECIFIED) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("taken")
				}
			}()
			f()
		})
	}
}
