package prompt_test

import (
	"testing"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

func action(m proto.Message) *tablev1.Action { return rule.Wrap[*tablev1.Action](m) }

func value(name string, values ...string) *tablev1.Value {
	return &tablev1.Value{Name: name, Values: values}
}

// one is an input that takes one value.
func one(name, path string, kind tablev1.InputKind, more ...func(*tablev1.Input)) *tablev1.Input {
	in := &tablev1.Input{Name: name, Path: path, Kind: kind, MinCount: 1, MaxCount: 1}
	for _, f := range more {
		f(in)
	}
	return in
}

func from(choices ...string) func(*tablev1.Input) {
	return func(in *tablev1.Input) { in.Choices = choices }
}

func between(low, high int32) func(*tablev1.Input) {
	return func(in *tablev1.Input) { in.Min, in.Max = low, high }
}

func times(least, most int32) func(*tablev1.Input) {
	return func(in *tablev1.Input) { in.MinCount, in.MaxCount = least, most }
}

const (
	character = tablev1.InputKind_INPUT_KIND_CHARACTER
	number    = tablev1.InputKind_INPUT_KIND_NUMBER
	yesOrNo   = tablev1.InputKind_INPUT_KIND_BOOL
	words     = tablev1.InputKind_INPUT_KIND_TEXT
	square    = tablev1.InputKind_INPUT_KIND_SQUARE
	path      = tablev1.InputKind_INPUT_KIND_PATH
	choice    = tablev1.InputKind_INPUT_KIND_CHOICE
)

// The inputs of the tests, and what they go into.
var (
	target    = one("target", "coc.attack.target", character, from("thug", "thug-2"))
	plus10    = one("use_plus10", "coc.attack.use_plus10", yesOrNo, times(0, 1))
	distance  = one("distance_m", "coc.attack.distance_m", number, between(1, 45), times(0, 1))
	attack    = &cocv1.Attack{Weapon: "baton"}
	steps     = one("path", "coc.move.path", path)
	text      = one("text", "coc.special_action.text", words, between(1, 5))
	kind      = one("kind", "coc.dedicate.kind", choice)
	wound     = one("wound", "coc.first_aid.wound", number, from("1", "3"))
	fighters  = one("combatants", "coc.start_combat.combatants", character, times(2, 3))
	to        = one("square", "core.place.square", square)
	seed      = one("seed", "persona.generate_dungeon.seed", tablev1.InputKind_INPUT_KIND_UINT64)
	anyTarget = one("target", "coc.attack.target", character)
)

func TestFill(t *testing.T) {
	for _, c := range []struct {
		name   string
		into   proto.Message
		inputs []*tablev1.Input
		values []*tablev1.Value
		want   proto.Message
	}{
		{"nothing to fill in", attack, nil, nil, attack},
		{"a character", attack, []*tablev1.Input{target}, []*tablev1.Value{value("target", "thug-2")}, &cocv1.Attack{Weapon: "baton", Target: "thug-2"}},
		{"several inputs, the optional ones left out", attack, []*tablev1.Input{target, plus10, distance}, []*tablev1.Value{value("target", "thug")}, &cocv1.Attack{Weapon: "baton", Target: "thug"}},
		{
			"several inputs, in another order", attack, []*tablev1.Input{target, plus10, distance},
			[]*tablev1.Value{value("distance_m", "45"), value("use_plus10", "true"), value("target", "thug")},
			&cocv1.Attack{Weapon: "baton", Target: "thug", UsePlus10: true, DistanceM: 45},
		},
		{"an input without values is one left out", attack, []*tablev1.Input{plus10}, []*tablev1.Value{value("use_plus10")}, attack},
		{"no", attack, []*tablev1.Input{plus10}, []*tablev1.Value{value("use_plus10", "false")}, attack},
		{"any character where none is listed", attack, []*tablev1.Input{anyTarget}, []*tablev1.Value{value("target", "dog")}, &cocv1.Attack{Weapon: "baton", Target: "dog"}},
		{"a number of the choices", &cocv1.FirstAid{}, []*tablev1.Input{wound}, []*tablev1.Value{value("wound", "3")}, &cocv1.FirstAid{Wound: 3}},
		{"a text as long as it may be, in characters", &cocv1.SpecialAction{}, []*tablev1.Input{text}, []*tablev1.Value{value("text", "花瓶を投ぐ")}, &cocv1.SpecialAction{Text: "花瓶を投ぐ"}},
		{"an enum by its word", &cocv1.Dedicate{}, []*tablev1.Input{kind}, []*tablev1.Value{value("kind", "parry")}, &cocv1.Dedicate{Kind: cocv1.DefenceKind_DEFENCE_KIND_PARRY}},
		{"a square", &tablev1.Place{}, []*tablev1.Input{to}, []*tablev1.Value{value("square", "-1,2")}, &tablev1.Place{Square: &typev1.Square{X: -1, Y: 2}}},
		{"a square of another floor", &tablev1.Place{}, []*tablev1.Input{to}, []*tablev1.Value{value("square", "1,2,3")}, &tablev1.Place{Square: &typev1.Square{X: 1, Y: 2, Floor: 3}}},
		{"a path", &cocv1.Move{}, []*tablev1.Input{steps}, []*tablev1.Value{value("path", " 1,0  2,0 ")}, &cocv1.Move{Path: []*typev1.Square{{X: 1}, {X: 2}}}},
		{"a number of 64 bits", &personav1.GenerateDungeon{}, []*tablev1.Input{seed}, []*tablev1.Value{value("seed", "18446744073709551615")}, &personav1.GenerateDungeon{Seed: "18446744073709551615"}},
		{"a number of 64 bits with zeros before it", &personav1.GenerateDungeon{}, []*tablev1.Input{seed}, []*tablev1.Value{value("seed", "007")}, &personav1.GenerateDungeon{Seed: "7"}},
		{"a list", &cocv1.StartCombat{}, []*tablev1.Input{fighters}, []*tablev1.Value{value("combatants", "b", "a")}, &cocv1.StartCombat{Combatants: []string{"b", "a"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			into := action(proto.Clone(c.into))
			before := proto.Clone(into)
			got, refusal := prompt.Fill(into, c.inputs, c.values)
			if refusal != nil || !proto.Equal(got, action(c.want)) {
				t.Errorf("%v, %v", got, refusal)
			}
			if !proto.Equal(into, before) {
				t.Errorf("the offer was written: %v", into)
			}
			// And back: what was filled in makes the same again.
			values, ok := prompt.Filled(into, c.inputs, got)
			again, refusal := prompt.Fill(into, c.inputs, values)
			if !ok || refusal != nil || !proto.Equal(again, got) || !proto.Equal(into, before) {
				t.Errorf("read back: %v, %v, %v, %v", ok, values, again, refusal)
			}
		})
	}
}

// What an offer cannot make is not read out of it.
func TestFilledOtherwise(t *testing.T) {
	for name, filled := range map[string]proto.Message{
		"another weapon":  &cocv1.Attack{Weapon: "knife", Target: "thug"},
		"more than asked": &cocv1.Attack{Weapon: "baton", Target: "thug", DistanceM: 3},
		"another action":  &cocv1.Shoot{Weapon: "baton", Target: "thug"},
		"of the core":     &tablev1.Place{Character: "thug"},
	} {
		if values, ok := prompt.Filled(action(attack), []*tablev1.Input{target}, action(filled)); ok {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// What is refused says what was expected and what came.
func TestFillRefuses(t *testing.T) {
	open := one("text", "coc.special_action.text", words, func(in *tablev1.Input) { in.Min = 1 })
	for _, c := range []struct {
		name    string
		into    proto.Message
		inputs  []*tablev1.Input
		values  []*tablev1.Value
		field   string
		detail  string
		nearest string
	}{
		{"what is not asked for", attack, []*tablev1.Input{target, distance}, []*tablev1.Value{value("tarket", "thug")}, "values.tarket", `no_input names="target,distance_m"`, "target"},
		{"anything where nothing is asked for", attack, nil, []*tablev1.Value{value("target", "thug")}, "values.target", `no_input names=""`, ""},
		{"a value too few", attack, []*tablev1.Input{target}, nil, "values.target", "required", ""},
		{"a value too many", attack, []*tablev1.Input{target}, []*tablev1.Value{value("target", "thug", "thug-2")}, "values.target", `repeated.max_items max_items="1"`, ""},
		{"values too few", &cocv1.StartCombat{}, []*tablev1.Input{fighters}, []*tablev1.Value{value("combatants", "a")}, "values.combatants", `repeated.min_items min_items="2"`, ""},
		{"the same input twice", attack, []*tablev1.Input{target}, []*tablev1.Value{value("target", "thug"), value("target", "thug-2")}, "values.target", "input_twice", ""},
		{"what is not listed", attack, []*tablev1.Input{target}, []*tablev1.Value{value("target", "thug-3")}, "values.target", `choose_character sent="thug-3"`, "thug-2"},
		{"no number", attack, []*tablev1.Input{distance}, []*tablev1.Value{value("distance_m", "ten")}, "values.distance_m", `int32.gte_lte gte="1" lte="45"`, ""},
		{"a number with a point", attack, []*tablev1.Input{distance}, []*tablev1.Value{value("distance_m", "1.5")}, "values.distance_m", `int32.gte_lte gte="1" lte="45"`, ""},
		{"a number too low", attack, []*tablev1.Input{distance}, []*tablev1.Value{value("distance_m", "0")}, "values.distance_m", `int32.gte_lte gte="1" lte="45"`, ""},
		{"a number too high", attack, []*tablev1.Input{distance}, []*tablev1.Value{value("distance_m", "46")}, "values.distance_m", `int32.gte_lte gte="1" lte="45"`, ""},
		{"a number that no int32 holds", attack, []*tablev1.Input{distance}, []*tablev1.Value{value("distance_m", "4294967297")}, "values.distance_m", `int32.gte_lte gte="1" lte="45"`, ""},
		{"a number that is not listed", &cocv1.FirstAid{}, []*tablev1.Input{wound}, []*tablev1.Value{value("wound", "2")}, "values.wound", `choose_among names="1,3" sent="2"`, "1"},
		{"neither yes nor no", attack, []*tablev1.Input{plus10}, []*tablev1.Value{value("use_plus10", "1")}, "values.use_plus10", "not_bool", ""},
		{"an empty text", &cocv1.SpecialAction{}, []*tablev1.Input{text}, []*tablev1.Value{value("text", "")}, "values.text", `string.min_len min_len="1" max_len="5"`, ""},
		{"an empty text that may be of any length", &cocv1.SpecialAction{}, []*tablev1.Input{open}, []*tablev1.Value{value("text", "")}, "values.text", `string.min_len min_len="1"`, ""},
		{"a text too long", &cocv1.SpecialAction{}, []*tablev1.Input{text}, []*tablev1.Value{value("text", "花瓶を投げる")}, "values.text", `string.min_len min_len="1" max_len="5"`, ""},
		{"a word that the enum has not", &cocv1.Dedicate{}, []*tablev1.Input{kind}, []*tablev1.Value{value("kind", "fly")}, "values.kind", `choose_among names="dodge,parry" sent="fly"`, ""},
		{"the enum's own nothing", &cocv1.Dedicate{}, []*tablev1.Input{kind}, []*tablev1.Value{value("kind", "unspecified")}, "values.kind", `choose_among names="dodge,parry" sent="unspecified"`, ""},
		{"no square", &tablev1.Place{}, []*tablev1.Input{to}, []*tablev1.Value{value("square", "1")}, "values.square", `square_form sent="1"`, ""},
		{"a square and a half", &tablev1.Place{}, []*tablev1.Input{to}, []*tablev1.Value{value("square", "1,2,3,4")}, "values.square", `square_form sent="1,2,3,4"`, ""},
		{"no number of 64 bits", &personav1.GenerateDungeon{}, []*tablev1.Input{seed}, []*tablev1.Value{value("seed", "字")}, "values.seed", `uint64 sent="字"`, ""},
		{"a number of more bits", &personav1.GenerateDungeon{}, []*tablev1.Input{seed}, []*tablev1.Value{value("seed", "18446744073709551616")}, "values.seed", `uint64 sent="18446744073709551616"`, ""},
		{"a path with a hole", &cocv1.Move{}, []*tablev1.Input{steps}, []*tablev1.Value{value("path", "1,0 x")}, "values.path", `path_form sent="x"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			into := action(proto.Clone(c.into))
			before := proto.Clone(into)
			_, refusal := prompt.Fill(into, c.inputs, c.values)
			if refusal == nil || refusal.Reason != "INVALID_FIELD" || !refusal.Core || refusal.Field != c.field ||
				refusal.Detail.String() != c.detail || refusal.Nearest != c.nearest {
				t.Fatalf("%+v", refusal)
			}
			if !proto.Equal(into, before) {
				t.Errorf("the offer was written: %v", into)
			}
		})
	}
}

// Whatever is sent: it is refused, or everything that was listed is in the action
// and nothing else was written.
func FuzzFill(f *testing.F) {
	f.Add("target", "thug", "distance_m", "45")
	f.Add("use_plus10", "true", "use_plus10", "false")
	f.Add("path", "1,2 3,4,5", "square", "-1,9")
	f.Add("kind", "dodge", "text", "\xff")
	f.Add("combatants", "", "wound", "-3")
	all := []struct {
		into   proto.Message
		inputs []*tablev1.Input
	}{
		{attack, []*tablev1.Input{target, plus10, distance}},
		{&cocv1.Move{}, []*tablev1.Input{steps}},
		{&cocv1.SpecialAction{}, []*tablev1.Input{text}},
		{&cocv1.Dedicate{}, []*tablev1.Input{kind}},
		{&cocv1.FirstAid{}, []*tablev1.Input{wound}},
		{&cocv1.StartCombat{}, []*tablev1.Input{fighters}},
		{&tablev1.Place{Character: "thug"}, []*tablev1.Input{to}},
	}
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2 string) {
		for _, c := range all {
			into := action(proto.Clone(c.into))
			before := proto.Clone(into)
			got, refusal := prompt.Fill(into, c.inputs, []*tablev1.Value{value(name1, value1), value(name2, value2)})
			if !proto.Equal(into, before) {
				t.Fatalf("the offer was written: %v", into)
			}
			if refusal != nil {
				continue
			}
			if a := got.GetCoc().GetAttack(); a != nil && (a.Weapon != "baton" || a.Target != "thug" && a.Target != "thug-2" || a.DistanceM < 0 || a.DistanceM > 45) {
				t.Fatalf("%v", got)
			}
			if a := got.GetCoc().GetFirstAid(); a != nil && a.Wound != 1 && a.Wound != 3 {
				t.Fatalf("%v", got)
			}
			if a := got.GetCoc().GetDedicate(); a != nil && a.Kind == 0 {
				t.Fatalf("%v", got)
			}
		}
	})
}

func TestSquare(t *testing.T) {
	for text, want := range map[string]*typev1.Square{
		"1,2":          {X: 1, Y: 2},
		"-1,-2,-3":     {X: -1, Y: -2, Floor: -3},
		"0,0":          {},
		"":             nil,
		"1":            nil,
		"1,":           nil,
		",2":           nil,
		"1, 2":         nil,
		"1,2,":         nil,
		"1,2,3,4":      nil,
		"a,b":          nil,
		"2147483648,0": nil,
	} {
		got, ok := prompt.Square(text)
		if ok != (want != nil) || ok && !proto.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}
