package persona_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// localeTexts checks that keys and words have a text. That both languages have the
// same keys is checked by Load.
type localeTexts struct {
	t *testing.T
	c *locale.Catalog
}

func texts(t *testing.T) (localeTexts, *rule.Ruleset) {
	t.Helper()
	r, err := persona.New(persona.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	c, err := locale.Load(locale.Core(), r.Locale)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Languages(); !slices.Equal(got, []string{"en", "ja"}) {
		t.Fatalf("languages: %s", got)
	}
	return localeTexts{t, c}, r
}

func (x localeTexts) key(key string) {
	x.t.Helper()
	if !x.c.Has(key) {
		x.t.Errorf("no text %s", key)
	}
}

func (x localeTexts) word(word string) {
	x.t.Helper()
	for _, prefix := range []string{"word.", "stat.", "status.", "choice.", "action.", "name."} {
		if x.c.Has(prefix + word) {
			return
		}
	}
	x.t.Errorf("no text for the word %s", word)
}

func (x localeTexts) enum(e protoreflect.EnumDescriptor, prefix string, check func(name string)) {
	for i := 1; i < e.Values().Len(); i++ {
		check(strings.TrimPrefix(string(e.Values().Get(i).Name()), prefix))
	}
}

// Everything that the ruleset declares has a text.
func TestLocaleDeclared(t *testing.T) {
	x, r := texts(t)
	x.enum(personav1.EventName(0).Descriptor(), "EVENT_NAME_", func(name string) { x.key("event." + strings.ToLower(name)) })
	x.enum(personav1.Reason(0).Descriptor(), "REASON_", func(name string) { x.key("error." + name) })
	for e, prefix := range map[protoreflect.Enum]string{
		personav1.Moon(0): "MOON_", personav1.Weather(0): "WEATHER_", personav1.Affinity(0): "AFFINITY_", personav1.UserKind(0): "USER_KIND_",
		personav1.Hand(0): "HAND_", personav1.Direction(0): "DIRECTION_", personav1.EndReason(0): "END_REASON_",
		personav1.SessionState(0): "SESSION_STATE_", personav1.PlaceKind(0): "PLACE_KIND_", personav1.AmbushResult(0): "AMBUSH_RESULT_",
		personav1.AttackType(0): "ATTACK_TYPE_", personav1.ReaperOutcome(0): "REAPER_OUTCOME_", personav1.Visibility(0): "VISIBILITY_",
		personav1.WarpMode(0): "WARP_MODE_", personav1.Trigger(0): "TRIGGER_",
	} {
		x.enum(e.Descriptor(), prefix, func(name string) { x.word(strings.ToLower(name)) })
	}
	x.key("ruleset." + r.Name)
	x.key("detail." + r.Sheet.GearPath)
	for _, e := range r.Sheet.Gear {
		x.word(e.ID)
	}
	for path, ids := range r.Sheet.Rows {
		x.key("detail." + path)
		for _, id := range ids {
			x.word(id)
		}
	}
	for _, o := range r.Options.All() {
		if !strings.HasPrefix(o.Rule, "PER-") {
			continue
		}
		x.key("option." + o.Key)
		for _, v := range o.Values {
			if v != "true" && v != "false" {
				x.word(v)
			}
		}
	}
	for _, s := range r.Sheet.Stats {
		x.key("stat." + s.Key)
		x.key("group." + s.Group)
	}
	for _, s := range r.Sheet.Statuses {
		x.key("status." + s.Key)
	}
	for _, s := range r.Samples {
		x.key("name." + s.ID)
	}
	for _, m := range r.Marks {
		x.word(m.Kind)
		x.key("mark." + m.Kind)
	}
	for _, a := range r.Actions() {
		x.key("action." + a.Name)
		if a.Group != "table" { // the core's
			x.key("group." + a.Group)
		}
	}
}

// Actions, answers and what people fill in have a text, registered or not.
func TestLocaleContract(t *testing.T) {
	x, _ := texts(t)
	actions := (&personav1.Action{}).ProtoReflect().Descriptor().Fields()
	for i := range actions.Len() {
		x.key("action." + string(actions.Get(i).Name()))
		fields := actions.Get(i).Message().Fields()
		for j := range fields.Len() {
			x.key("input." + string(fields.Get(j).Name()))
		}
	}
	answers := (&personav1.Answer{}).ProtoReflect().Descriptor().Fields()
	for i := range answers.Len() {
		x.key("prompt." + string(answers.Get(i).Name()))
		x.word(string(answers.Get(i).Name()))
	}
}

// What of the details is named is there, in parts that are named too.
func TestLocaleDetails(t *testing.T) {
	x, _ := texts(t)
	for _, key := range x.c.Keys() {
		path, ok := strings.CutPrefix(key, "detail.")
		if !ok {
			continue
		}
		m := (&personav1.Details{}).ProtoReflect().Descriptor()
		for i, name := range strings.Split(path, ".") {
			f := m.Fields().ByName(protoreflect.Name(name))
			if f == nil {
				t.Errorf("%s: %s has no field %s", key, m.FullName(), name)
				break
			}
			x.key("detail." + strings.Join(strings.Split(path, ".")[:i+1], "."))
			m = f.Message()
		}
	}
}

// A text without any value must still be fit to be sent.
func TestLocaleWithoutValues(t *testing.T) {
	x, _ := texts(t)
	for _, lang := range x.c.Languages() {
		for _, key := range x.c.Keys() {
			got := x.c.Text(key, lang, nil)
			if key == "event.check_rolled" {
				continue // What was rolled and how it came out are never hidden from those who are told.
			}
			if strings.ContainsAny(got, "{}[]") || strings.Contains(got, "  ") || strings.HasPrefix(got, "：") || strings.HasPrefix(got, "の") {
				t.Errorf("%s in %s: %q", key, lang, got)
			}
		}
	}
}
