package coc_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/trial"
	"github.com/hantei/hantei/engine/view"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// These tests are made from the table "Who sees what" of RULES.md. Every value of
// what is played is marked, and must show to those to whom its row of the table
// gives it and to nobody else, whatever audiences protos and rules declare.

// seesTable is the table, by what it governs.
type seesTable struct {
	*trial.WhoSees
	// secret is the row of a roll that only the keeper knows of, owned of one that its
	// owner knows of too, undrawn that of a weapon that has not been in hand.
	secret, owned, undrawn *trial.Row
}

// whoSees reads the table.
var whoSees = sync.OnceValues(func() (*seesTable, error) {
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		return nil, err
	}
	t, err := trial.ReadWhoSees(string(text), keyless...)
	if err != nil {
		return nil, err
	}
	return &seesTable{t, t.Begins(keyless[0]), t.Begins(keyless[1]), t.Begins(keyless[2])}, nil
})

// public is a row that everybody sees, never one that nobody does.
func (s *seesTable) public() *trial.Row { return s.By["prompt"] }
func (s *seesTable) never() *trial.Row  { return s.By["Encounter.pointer"] }

// weapon is the row of a weapon. One that is not in hand may have been before.
func (s *seesTable) weapon(w *cocv1.Weapon) *trial.Row {
	if !w.InHand && w.Audience == s.undrawn.Audience() {
		return s.undrawn
	}
	return s.By["Weapon.id"]
}

// quiet are the events that everybody may know of, and that are told only to whom
// sees something of them.
var quiet = []string{"wound_added", "rp_bonus_given", "modifier_attached", "values_derived", "occupation_set", "points_assigned", "gm_override", "step_taken"}

// ruled is the table with the ruleset.
type ruled struct {
	*seesTable
	rules *rule.Ruleset
}

// ownPack is the ruleset with its own pack; once is enough.
var ownPack = sync.OnceValues(func() (*rule.Ruleset, error) { return maker("coc", nil) })

// makeOnce is a scenario.Maker.
func makeOnce(name string, pack []byte) (*rule.Ruleset, error) {
	if len(pack) > 0 {
		return maker(name, pack)
	}
	return ownPack()
}

func theTable(t *testing.T) *ruled {
	t.Helper()
	s, err := whoSees()
	if err != nil {
		t.Fatal(err)
	}
	r, err := ownPack()
	if err != nil {
		t.Fatal(err)
	}
	return &ruled{s, r}
}

func (s *ruled) stat(key string) *trial.Row {
	for _, st := range s.rules.Sheet.Stats {
		if st.Key == key {
			return s.Row("stat "+key, "stats "+st.Group)
		}
	}
	return nil
}

// declared lists the words of enums, for example of all events, without a prefix.
func declared(prefix string, enums ...protoreflect.Enum) map[string]bool {
	out := map[string]bool{}
	for _, e := range enums {
		values := e.Descriptor().Values()
		for i := 1; i < values.Len(); i++ {
			out[strings.ToLower(strings.TrimPrefix(string(values.Get(i).Name()), prefix))] = true
		}
	}
	return out
}

var (
	ownEvents  = declared("EVENT_NAME_", cocv1.EventName(0))
	coreEvents = declared("EVENT_NAME_", tablev1.EventName(0))
	factKeys   = declared("FACT_KEY_", cocv1.FactKey(0), tablev1.FactKey(0))
)

// TestTableIsComplete has everything stand in exactly one row (what stands in two
// is an error of whoSees), and nothing in the table that is not there.
func TestTableIsComplete(t *testing.T) {
	s := theTable(t)
	known, plain, qualified := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for k := range s.By {
		event, key, dotted := strings.Cut(k, ".")
		bare, _, bracket := strings.Cut(k, "(")
		name, isEvent := strings.CutPrefix(k, "event ")
		switch {
		case dotted && (ownEvents[event] || coreEvents[event]) && factKeys[key]:
			qualified[key], known[k] = true, true
		case bracket && factKeys[bare]:
			known[k] = plain[bare] || s.By[bare] != nil
		case factKeys[k]:
			plain[k], known[k] = true, true
		case isEvent:
			known[k] = ownEvents[name] || coreEvents[name]
		}
	}
	for key := range factKeys {
		if plain[key] == qualified[key] {
			t.Errorf("fact %s stands in the table by itself: %v, and by its events: %v; it has to be one of both", key, plain[key], qualified[key])
		}
	}
	need := func(k string) {
		known[k] = true
		if s.By[k] == nil {
			t.Errorf("%s stands in no row", k)
		}
	}
	for _, st := range s.rules.Sheet.Stats {
		switch {
		case st.Resource:
			need("resource " + st.Key)
		case st.Group == "derived":
			need("stat " + st.Key)
		default:
			need("stats " + st.Group)
		}
	}
	for _, st := range s.rules.Sheet.Statuses {
		need("status " + st.Key)
	}
	for _, f := range valueFields() {
		need(trial.FieldName(f))
	}
	for _, k := range []string{"part_penalty", "rp_bonus", "gm"} {
		need("modifier " + k)
	}
	for _, p := range s.rules.Prompts() {
		known["prompt "+p.Name] = true
	}
	for k := range s.By {
		if !known[k] && !strings.HasPrefix(k, "die ") { // labels are strings of the code: see TestAudiences
			t.Errorf("%s stands in the table and nowhere else", k)
		}
	}
}

// valueFields are the fields with values of their own of sheets and tables.
func valueFields() []protoreflect.FieldDescriptor {
	var messages []protoreflect.MessageDescriptor
	file := (&cocv1.Details{}).ProtoReflect().Descriptor().ParentFile().Messages()
	for i := range file.Len() {
		messages = append(messages, file.Get(i))
	}
	for _, m := range []proto.Message{&tablev1.Character{}, &tablev1.ProfileEntry{}, &tablev1.Encounter{}, &tablev1.ClockReading{}, &tablev1.Option{}} {
		messages = append(messages, m.ProtoReflect().Descriptor())
	}
	var out []protoreflect.FieldDescriptor
	for _, m := range messages {
		for i := range m.Fields().Len() {
			if f := m.Fields().Get(i); f.Message() == nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// TestProtoAudiences compares the audiences that fields declare with their rows.
func TestProtoAudiences(t *testing.T) {
	s := theTable(t)
	for _, f := range valueFields() {
		a := proto.GetExtension(f.Options(), typev1.E_See).(typev1.Audience)
		if a == 0 {
			a = proto.GetExtension(f.Parent().Options(), typev1.E_Sees).(typev1.Audience)
		}
		if r := s.By[trial.FieldName(f)]; r != nil && a != r.Audience() {
			t.Errorf("%s declares %v, row %q demands %v", f.FullName(), a, r.Fact, r.Audience())
		}
	}
}

// TestSheetAudiences compares the sheets of all samples with the table.
func TestSheetAudiences(t *testing.T) {
	s := theTable(t)
	for _, st := range s.rules.Sheet.Statuses {
		r := s.Row("status " + st.Key) // TestTableIsComplete finds it missing
		if got := s.rules.Sheet.StatusAudience(st.Key); r != nil && got != r.Audience() {
			t.Errorf("status %s has %v, row %q demands %v", st.Key, got, r.Fact, r.Audience())
		}
	}
	for _, sample := range s.rules.Samples {
		c, refusal := s.rules.FromSample(sample.ID)
		if refusal != nil {
			t.Fatal(refusal)
		}
		demand := func(what string, got typev1.Audience, r *trial.Row) {
			if r == nil {
				t.Errorf("%s: %s stands in no row", sample.ID, what)
			} else if got != r.Audience() {
				t.Errorf("%s: %s has %v, row %q demands %v", sample.ID, what, got, r.Fact, r.Audience())
			}
		}
		for _, st := range c.Stats {
			demand("stat "+st.Key, st.Audience, s.stat(st.Key))
		}
		for _, r := range c.Resources {
			demand("resource "+r.Key, r.Audience, s.Row("resource "+r.Key))
		}
		for _, w := range c.Details.GetCoc().Weapons {
			demand("weapon "+w.Id, w.Audience, s.weapon(w))
		}
	}
}

// TestDiceHaveWords looks for the words that a throw is asked for by: those who
// throw by hand read what each die is for.
func TestDiceHaveWords(t *testing.T) {
	s, err := whoSees()
	if err != nil {
		t.Fatal(err)
	}
	r, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	texts, err := locale.Load(locale.Core(), r.Locale)
	if err != nil {
		t.Fatal(err)
	}
	for key := range s.By {
		if label, ok := strings.CutPrefix(key, "die "); ok && texts.Word(label, "ja") == label {
			t.Errorf("a die is for %q, and no language has a word for it", label)
		}
	}
}

// secretRolls is play that no example has: rolls that only the keeper knows of,
// and the core's levers.
const secretRolls = `
id: EX-COC-SECRET-1
rule: [COC-CHK-01]
ruleset: coc
given: {characters: [{sample: student, patch: {statuses: {plus10_right: {}}}}, {sample: thug}, {sample: nurse}, {sample: officer}]}
play:
  - {by: student, seat: gm, act: {coc: {check: {skill: library, use_plus10: true}}}, audience: gm, dice: ["1D100=2"], answers: [{prompt: critical_benefit, by: gm, choose: plus10}]}
  - {by: student, seat: gm, act: {coc: {check: {skill: spot}}}, audience: gm, dice: ["1D100=2"], answers: [{prompt: critical_benefit, by: gm, choose: plus10}]}
  - {by: student, seat: gm, act: {coc: {check: {skill: luck}}}, audience: gm, dice: ["1D100=99"]}
  - {by: student, seat: gm, act: {coc: {opposed: {skill: hide, target: thug, target_skill: spot}}}, audience: gm, dice: ["1D100=98", "1D100=20"]}
  - {by: student, seat: gm, act: {coc: {combined: {skills: [hide, sneak]}}}, audience: gm, dice: ["1D100=99"]}
  - {by: student, seat: gm, act: {coc: {resistance: {characteristic: pow, target: thug, target_characteristic: pow}}}, audience: gm, dice: ["1D100=3"]}
  - {by: thug, act: {coc: {resistance: {characteristic: str, target: nurse, target_characteristic: str}}}, dice: ["1D100=60"]}
  - {by: gm, act: {coc: {san_check: {targets: [thug, nurse], loss: 1/1D6}}}, dice: ["1D100=60", "1D6=4", "1D100=30"]}
  - {by: gm, act: {coc: {san_check: {targets: [nurse], loss: 1/1D6}}}, audience: gm, dice: ["1D100=98", "1D6=6", "1D100=30", "1D10=2", "1D10=3"]}
  - {by: gm, act: {coc: {san_check: {targets: [student], loss: 1/1D20}}}, audience: gm, dice: ["1D100=90", "1D20=19", "1D100=90", "1D6=2"], answers: [{prompt: indefinite_symptom, by: gm, choose: symptom, values: {text: shudders}}]}
  - {by: gm, act: {coc: {san_check: {targets: [thug, officer], loss: 1/1D6}}}, audience: owner, dice: ["1D100=60", "1D6=4", "1D100=98", "1D6=6", "1D100=30", "1D10=2", "1D10=3"]}
  - {by: officer, act: {coc: {check: {skill: spot}}}, audience: owner, dice: ["1D100=2"], answers: [{prompt: critical_benefit, by: gm, choose: plus10}]}
  - {by: officer, act: {coc: {opposed: {skill: hide, target: thug, target_skill: spot}}}, audience: owner, dice: ["1D100=50", "1D100=20"]}
  - {by: officer, act: {coc: {combined: {skills: [hide, sneak]}}}, audience: owner, dice: ["1D100=60"]}
  - {by: officer, act: {coc: {resistance: {characteristic: pow, target: thug, target_characteristic: pow}}}, audience: owner, dice: ["1D100=30"]}
  - {by: officer, roll: 1D20, audience: owner, dice: ["1D20=3"]}
  - {by: gm, act: {core: {override: {character: student, operation: {part: {coc: {growth_marks: {id: secret.fumble.luck, kind: fumble, source: luck, skill: spot}}}}}}}}
  - {by: gm, act: {core: {override: {character: thug, operation: {stat: {key: knife, value: 60}}, reason: a lesson}}}}
  - {by: thug, act: {coc: {check: {skill: luck}}}, dice: ["1D100=7"]}
  - {by: thug, act: {coc: {check: {skill: spot}}}, audience: gm, dice: ["1D100=30"]}
  - {by: gm, act: {core: {modify: {character: thug, value: -20, applies_to: spot, reason: fog}}}}
  - {by: gm, act: {coc: {gm_rp_points: {character: nurse, n: 2, perk: a favour}}}}
  - {by: gm, act: {core: {note: {text: no phones}}}}
  - {by: gm, act: {core: {place: {character: thug, square: {x: 4, y: 2}}}}}
  - {by: gm, act: {core: {end_scene: {}}}}
  - {by: gm, roll: 1D6+2, dice: ["1D6=5"]}
  - {by: student, roll: 2D6, dice: ["2D6=7(3,4)"]}
  - {by: thug, roll: 1D100, dice: ["1D100=7"]}
  - {by: student, seat: gm, roll: 1D20, audience: gm, dice: ["1D20=3"]}
  - {by: gm, act: {core: {reveal: {event_id: "last:rolled"}}}}
`

// told is an event with what is known of its making.
type told struct {
	*tablev1.Event
	// secret: the roll was declared for the keeper alone, or this settles such a roll;
	// owned: for its owner and the keeper.
	secret, owned bool
}

// rolls is what the event says that is rolled, or "".
func (ev told) rolls() string {
	for _, f := range ev.Facts {
		if f.Key == "skill" {
			return f.Words[0]
		}
	}
	return ""
}

// played is a case that was played.
type played struct {
	name       string
	characters []*tablev1.Character // their samples, without patches but for the right
	moments    [][]told
}

// playAll plays the examples once for all tests.
var playAll = sync.OnceValues(func() ([]*played, error) {
	files, err := scenario.LoadDir(os.DirFS("testdata"))
	if err != nil {
		return nil, err
	}
	own, err := scenario.Parse("secret.yaml", []byte(secretRolls))
	if err != nil {
		return nil, err
	}
	files = append(files, own)
	out, errs := make([][]*played, len(files)), make([]error, len(files))
	var next atomic.Int32
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(files); i = next.Add(1) - 1 {
				out[i], errs[i] = play(files[i], files[i] == own)
			}
		})
	}
	wait.Wait()
	return slices.Concat(out...), errors.Join(errs...)
})

// play plays a file.
func play(f *scenario.File, own bool) ([]*played, error) {
	text := []byte(secretRolls)
	if !own {
		var err error
		if text, err = os.ReadFile("testdata/" + f.Name); err != nil {
			return nil, err
		}
	}
	cast, err := casts(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	r := scenario.Run(f, makeOnce, scenario.Options{})
	if err := r.Err(); err != nil {
		return nil, err
	}
	var out []*played
	for i, c := range r.Cases {
		p := &played{name: strings.TrimSuffix(f.Name, ".yaml") + "/" + c.Case.Name}
		if err := p.cast(cast[min(i, len(cast)-1)]); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		p.take(c)
		out = append(out, p)
	}
	return out, nil
}

func allPlayed(t *testing.T) []*played {
	t.Helper()
	all, err := playAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// role is a character that a scenario file gives.
type role struct {
	ID, Sample string
	Draft      bool
	Patch      struct{ Statuses map[string]any }
}

// casts reads who plays in a file: one cast for each case, or one for all.
func casts(text []byte) ([][]role, error) {
	type given struct{ Characters []role }
	var file struct {
		Given given
		Cases []struct{ Given *given }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	var out [][]role
	for _, c := range file.Cases {
		if c.Given == nil {
			c.Given = &file.Given
		}
		out = append(out, c.Given.Characters)
	}
	if out == nil {
		out = [][]role{file.Given.Characters}
	}
	return out, nil
}

func (p *played) cast(roles []role) error {
	rules, err := ownPack()
	if err != nil {
		return err
	}
	for _, r := range roles {
		var c *tablev1.Character
		if r.Draft {
			c = rules.FromDraft()
			c.Kind, c.Side, c.Review = tablev1.CharacterKind_CHARACTER_KIND_PC, "pc", tablev1.Review_REVIEW_DRAFT
		} else {
			var refusal *rule.Refusal
			if c, refusal = rules.FromSample(r.Sample); refusal != nil {
				return refusal
			}
		}
		if r.ID != "" {
			c.Id = r.ID
		}
		if _, ok := r.Patch.Statuses["plus10_right"]; ok {
			c.Statuses = append(c.Statuses, &typev1.Status{Key: "plus10_right", Audience: rule.Mind})
		}
		p.characters = append(p.characters, c)
	}
	return nil
}

func (p *played) take(c *scenario.CaseReport) {
	for _, e := range c.Entries {
		for _, m := range e.Moments {
			var events []told
			settles := false
			for _, ev := range m.Events {
				for _, ch := range ev.Changes {
					if w := ch.GetWindow().GetAfter(); w != nil {
						settles = w.Standing && !w.Open && w.Audience == rule.GM
					}
				}
				events = append(events, told{ev, e.Entry.Audience == rule.GM || settles, e.Entry.Audience == rule.Owner})
			}
			p.moments = append(p.moments, events)
		}
	}
}

// happens is the row that says who may know of an event at all.
func (s *ruled) happens(ev told) *trial.Row {
	switch ev.Name {
	case "right_used", "right_gained", "scene_ended", "step_taken":
		// Not of the secret roll itself.
	case "san_changed", "insanity_gained", "symptom_named":
		// What the roll does to a sheet shows there.
	default:
		if ev.secret {
			return s.secret
		}
		if ev.owned {
			return s.owned
		}
	}
	if slices.Contains(quiet, ev.Name) {
		return s.public()
	}
	for _, f := range ev.Facts {
		if f.Key == "prompt" {
			return s.Row("prompt "+f.Words[0], "prompt")
		}
	}
	if r := s.By["event "+ev.Name]; r != nil {
		return r
	}
	return s.public()
}

// toKeeper is the row of prompts' choices where the addressee is the keeper.
var toKeeper = &trial.Row{Fact: "prompts to the keeper: choices", Own: "no", Party: "no", NPC: "no"}

// fact is the row of a fact. Of a secret roll's own events it does not matter:
// they are the keeper's.
func (s *ruled) fact(ev told, key string) *trial.Row {
	if ev.secret && (ev.Name == "growth_marked" || ev.Name == "right_used") {
		return s.secret
	}
	if key == "choice" && len(ev.Targets) == 0 {
		return toKeeper
	}
	if ev.Name == "rolled" && ev.Actor == "" {
		return s.By["rolled.text"] // nobody's dice
	}
	return s.Row(ev.Name+"."+key, key+"("+ev.rolls()+")", key)
}

func (s *ruled) die(d *typev1.Die) *trial.Row {
	if d.Label == "roll" && d.Of == "" {
		return s.By["rolled.text"] // nobody's
	}
	return s.Row("die " + before(d.Label, "/"))
}

// trace is the row of a line of working: that of the fact that it works out.
func (s *ruled) trace(ev told, l *typev1.TraceLine) *trial.Row {
	switch {
	case l.Label == "special":
		return s.By["special"]
	case ev.Name == "san_changed":
		return s.By["san"]
	case ev.Name != "damage_rolled":
		return s.fact(ev, "value")
	case l.Op == typev1.ModifierOp_MODIFIER_OP_UNSPECIFIED && l.Label != "rolled_twice":
		return s.By["armour"]
	}
	return s.By["dice"]
}

func (s *ruled) modifier(m *typev1.Modifier) *trial.Row {
	return s.Row("modifier " + before(m.Id, "."))
}

// mark is the row of a growth mark.
func (s *ruled) mark(m *cocv1.GrowthMark) *trial.Row {
	if strings.HasPrefix(m.Id, "secret.") {
		return s.secret
	}
	return s.By["GrowthMark.id"]
}

func before(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}

// TestAudiences compares the audience of every row of every event with the table.
func TestAudiences(t *testing.T) {
	s := theTable(t)
	thrown, said := map[string]bool{}, map[string]bool{}
	for _, p := range allPlayed(t) {
		for _, ev := range slices.Concat(p.moments...) {
			s.compare(ev, func(what string, got typev1.Audience, r *trial.Row) {
				wrong := ""
				switch {
				case r == nil:
					wrong = fmt.Sprintf("%s: %s stands in no row", ev.Name, what)
				case got != r.Audience():
					wrong = fmt.Sprintf("%s (secret: %v): %s has %v, row %q demands %v", ev.Name, ev.secret, what, got, r.Fact, r.Audience())
				}
				if wrong != "" && !said[wrong] {
					said[wrong] = true
					t.Errorf("%s: %s", p.name, wrong)
				}
			})
			for _, f := range ev.Facts {
				if of := f.Of; of != "" && of != s.whose(p, ev, f) || of == "" && s.whose(p, ev, f) != ev.Actor {
					t.Errorf("%s: %s: fact %s is of %q, and row %q tells of %s", p.name, ev.Name, f.Key, of, s.fact(ev, f.Key).Fact, s.whose(p, ev, f))
				}
			}
			for _, d := range ev.Dice {
				thrown["die "+before(d.Label, "/")] = true
				if ev.Name != "dice_rolled" && d.Of != ev.Actor {
					t.Errorf("%s: %s: die %s is of %q, and %q rolled", p.name, ev.Name, d.Label, d.Of, ev.Actor)
				}
			}
		}
	}
	for k := range s.By {
		if strings.HasPrefix(k, "die ") && !thrown[k] {
			t.Errorf("%s stands in the table, and nobody threw it", k)
		}
	}
	for name := range ownEvents {
		if got, want := s.rules.PublicName(name), !slices.Contains(quiet, name); got != want {
			t.Errorf("PublicName(%s) is %v", name, got)
		}
	}
	for name := range coreEvents {
		if s.rules.PublicName(name) {
			t.Errorf("PublicName(%s): the core knows its own", name)
		}
	}
}

// whose says of whom a fact tells: what hit points or armour have to do with it, of
// whom the event befalls, if it befalls somebody; a choice of whom was asked; the
// chance of a resistance roll of the side that is an NPC, else of the target.
func (s *ruled) whose(p *played, ev told, f *typev1.Fact) string {
	r := s.fact(ev, f.Key)
	switch {
	case len(ev.Targets) == 0, f.Key == "prompt":
		return ev.Actor
	case f.Key == "value" && ev.Name == "resistance_resolved" && (p.isPC(ev.Actor) || !p.isPC(ev.Targets[0])):
		return ev.Targets[0]
	case r.Audience() == rule.HP, f.Key == "armour", f.Key == "weapon" && ev.Name == "attack_parried":
		return ev.Targets[0]
	case f.Key == "choice":
		return ev.Targets[0]
	}
	return ev.Actor
}

// isPC reports whether a character of the cast is a player's.
func (p *played) isPC(id string) bool {
	return slices.ContainsFunc(p.characters, func(c *tablev1.Character) bool { return c.Id == id && isPC(c) })
}

// compare calls demand for every row of an event that has an audience of its own.
func (s *ruled) compare(ev told, demand func(what string, got typev1.Audience, r *trial.Row)) {
	demand("the event", ev.Audience, s.happens(ev))
	for _, f := range ev.Facts {
		demand("fact "+f.Key, f.Audience, s.fact(ev, f.Key))
	}
	for _, d := range ev.Dice {
		demand("die "+d.Label, d.Audience, s.die(d))
	}
	for _, l := range ev.Trace {
		demand("trace "+l.Label, l.Audience, s.trace(ev, l))
	}
	for _, ch := range ev.Changes {
		switch c := ch.Change.(type) {
		case *tablev1.Change_Stat:
			demand("stat "+c.Stat.After.Key, c.Stat.After.Audience, s.stat(c.Stat.After.Key))
		case *tablev1.Change_Resource:
			demand("resource "+c.Resource.After.Key, c.Resource.After.Audience, s.Row("resource "+c.Resource.After.Key))
		case *tablev1.Change_Status:
			demand("status "+c.Status.After.Key, c.Status.After.Audience, s.Row("status "+c.Status.After.Key))
		case *tablev1.Change_Modifier:
			demand("modifier "+c.Modifier.After.Id, c.Modifier.After.Audience, s.modifier(c.Modifier.After))
		case *tablev1.Change_Position:
			if c.Position.After != nil {
				demand("position", c.Position.After.Audience, s.Row("path"))
			}
		case *tablev1.Change_Part:
			switch part := c.Part.After.GetCoc().GetPart().(type) {
			case *cocv1.Part_Weapons:
				demand("weapon "+part.Weapons.Id, part.Weapons.Audience, s.weapon(part.Weapons))
			case *cocv1.Part_GrowthMarks:
				// The keeper names the mark that he overrides.
				if s.mark(part.GrowthMarks) == s.secret != ev.secret && ev.Name != "gm_override" {
					demand("id of mark "+part.GrowthMarks.Id, 0, s.happens(ev))
				}
				demand("mark "+part.GrowthMarks.Id, part.GrowthMarks.Audience, s.mark(part.GrowthMarks))
			}
		}
	}
}

// leaf is a value that was marked.
type leaf struct {
	what, subject string
	row           *trial.Row
	// aside: the event is not worth telling for it.
	aside bool
	// mark as it stands in what is sent, and in a sentence.
	mark, text []byte
}

// marker puts in the place of values such as occur nowhere else.
type marker struct {
	*ruled
	n      int32
	leaves []leaf
}

const firstMark = 1_900_000_000

func (m *marker) next(what, subject string, r *trial.Row) int32 {
	m.n++
	n := firstMark + m.n
	m.leaves = append(m.leaves, leaf{
		what: what, subject: subject, row: r,
		mark: binary.AppendUvarint(nil, uint64(n)), text: strconv.AppendInt(nil, int64(n), 10),
	})
	return n
}

func (m *marker) nextWord(what, subject string, r *trial.Row) string {
	word := "<" + strconv.Itoa(int(m.next(what, subject, r))) + ">"
	last := &m.leaves[len(m.leaves)-1]
	last.mark, last.text = []byte(word), []byte(word)
	return word
}

func (m *marker) number(what, subject string, r *trial.Row, p *int32) {
	if p != nil {
		*p = m.next(what, subject, r)
	}
}

func (m *marker) word(what, subject string, r *trial.Row, p *string) {
	if p != nil && *p != "" {
		*p = m.nextWord(what, subject, r)
	}
}

func (m *marker) words(what, subject string, r *trial.Row, all []string) {
	for i := range all {
		m.word(what, subject, r, &all[i])
	}
}

func (m *marker) squares(what, subject string, all ...*typev1.Square) {
	for _, s := range all {
		if s != nil {
			m.number(what, subject, m.By["path"], &s.X)
		}
	}
}

// event marks an event in place.
func (m *marker) event(ev told) {
	rows := make([]*trial.Row, len(ev.Facts)) // before the skill among them is marked
	for i, f := range ev.Facts {
		rows[i] = m.fact(ev, f.Key)
	}
	lines := make([]*trial.Row, len(ev.Trace))
	for i, l := range ev.Trace {
		lines[i] = m.trace(ev, l)
	}
	for i, f := range ev.Facts {
		what, of := "fact "+f.Key, f.Of
		if of == "" {
			of = ev.Actor
		}
		m.number(what, of, rows[i], f.Number)
		m.words(what, of, rows[i], f.Words)
		m.word(what, of, rows[i], f.Text)
		for _, s := range f.Squares {
			m.number(what, of, rows[i], &s.X)
		}
	}
	for _, d := range ev.Dice {
		r, what := m.die(d), "die "+d.Label
		for i := range d.Faces {
			m.number(what, d.Of, r, &d.Faces[i])
		}
		m.word(what, d.Of, r, &d.Label)
	}
	for _, ch := range ev.Changes {
		m.change(ch)
	}
	from := len(m.leaves)
	for _, c := range ev.Cues {
		m.squares("walk", c.GetWalk().GetCharacter(), c.GetWalk().GetPath()...)
	}
	for i, l := range ev.Trace {
		what := "trace " + l.Label
		m.word(what, l.Of, lines[i], &l.Label)
		m.number(what, l.Of, lines[i], l.Value)
		m.number(what, l.Of, lines[i], l.Result)
	}
	m.word("rule", "", m.public(), &ev.Rule)
	for i := range m.leaves[from:] {
		m.leaves[from+i].aside = true
	}
}

func (m *marker) change(ch *tablev1.Change) {
	switch c := ch.Change.(type) {
	case *tablev1.Change_Stat:
		m.stat(c.Stat.Character, c.Stat.After)
	case *tablev1.Change_Resource:
		m.resource(c.Resource.Character, c.Resource.After)
	case *tablev1.Change_Status:
		m.status(c.Status.Character, c.Status.After)
	case *tablev1.Change_Modifier:
		m.markModifier(c.Modifier.Character, c.Modifier.After)
	case *tablev1.Change_Position:
		m.squares("position", c.Position.Character, c.Position.After.GetSquare())
	case *tablev1.Change_Profile:
		m.profile(c.Profile.Character, c.Profile.After)
	case *tablev1.Change_Notes:
		m.notes(c.Notes.Character, &c.Notes.After)
	case *tablev1.Change_Encounter:
		m.encounter(c.Encounter.After)
	case *tablev1.Change_Clock:
		m.number("clock", "", m.By["ClockReading.reading"], &c.Clock.After.Reading)
	case *tablev1.Change_Window:
		m.window(m.never(), c.Window.After)
	case *tablev1.Change_Agenda:
		for _, s := range c.Agenda.After {
			m.word("agenda", "", m.never(), &s.Actor)
		}
	case *tablev1.Change_Part:
		p := c.Part.After.GetCoc().ProtoReflect()
		if fd := p.WhichOneof(p.Descriptor().Oneofs().Get(0)); fd != nil {
			m.piece(c.Part.Character, p.Mutable(fd).Message())
		}
	}
}

func (m *marker) stat(of string, s *typev1.Stat) {
	r := m.ruled.stat(s.Key)
	m.number("stat "+s.Key, of, r, s.Value)
	m.number("base of "+s.Key, of, r, s.Base)
	m.word("speciality of "+s.Key, of, r, &s.Speciality)
}

func (m *marker) profile(of string, all []*tablev1.ProfileEntry) {
	for _, e := range all {
		m.word("ProfileEntry.label", of, m.By["ProfileEntry.label"], &e.Label)
		m.word("ProfileEntry.text", of, m.By["ProfileEntry.text"], &e.Text)
	}
}

func (m *marker) notes(of string, p *string) {
	m.word("Character.notes", of, m.By["Character.notes"], p)
}

func (m *marker) resource(of string, x *typev1.Resource) {
	r := m.Row("resource " + x.Key)
	m.number("resource "+x.Key, of, r, x.Value)
	m.number("maximum of "+x.Key, of, r, x.Max)
}

func (m *marker) status(of string, s *typev1.Status) {
	r := m.Row("status " + s.Key)
	m.words("cause of "+s.Key, of, r, s.Causes)
	m.word("status "+s.Key, of, r, &s.Key)
}

func (m *marker) markModifier(of string, x *typev1.Modifier) {
	r, what := m.modifier(x), "modifier "+x.Id
	m.number(what, of, r, x.Value)
	m.word(what, of, r, &x.AppliesTo)
	m.word(what, of, r, &x.Reason)
	m.word(what, of, r, &x.Id)
}

func (m *marker) encounter(e *tablev1.Encounter) {
	if e == nil {
		return
	}
	m.number("Encounter.round", "", m.By["Encounter.round"], &e.Round)
	m.number("Encounter.pointer", "", m.By["Encounter.pointer"], &e.Pointer)
	m.word("Encounter.step", "", m.By["Encounter.step"], &e.Step)
	m.word("Encounter.notes", "", m.By["Encounter.notes"], &e.Notes)
}

// window marks a question, but not whom it asks.
func (m *marker) window(r *trial.Row, w *tablev1.Window) {
	for _, s := range w.GetSlots() {
		m.word("default", "", r, &s.DefaultChoice)
		for _, c := range s.Choices {
			m.word("choice "+c.Id, "", r, &c.Id)
		}
	}
}

// piece marks a piece of the details, field by field.
func (m *marker) piece(of string, msg protoreflect.Message) {
	var instead *trial.Row // of public fields
	switch x := msg.Interface().(type) {
	case *cocv1.Weapon:
		instead = m.weapon(x)
	case *cocv1.GrowthMark:
		instead = m.mark(x)
	}
	msg.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		name := trial.FieldName(fd)
		r := m.By[name]
		if instead != nil && (r == m.By["Weapon.id"] || r == m.By["GrowthMark.id"]) {
			r = instead
		}
		switch {
		case fd.IsList() && fd.Kind() == protoreflect.StringKind:
			for i := range v.List().Len() {
				v.List().Set(i, protoreflect.ValueOfString(m.nextWord(name, of, r)))
			}
		case fd.IsList():
			for i := range v.List().Len() {
				m.piece(of, msg.Mutable(fd).List().Get(i).Message())
			}
		case fd.Message() != nil:
			m.piece(of, msg.Mutable(fd).Message())
		case fd.Kind() == protoreflect.Int32Kind:
			msg.Set(fd, protoreflect.ValueOfInt32(m.next(name, of, r)))
		case fd.Kind() == protoreflect.StringKind:
			msg.Set(fd, protoreflect.ValueOfString(m.nextWord(name, of, r)))
		}
		return true
	})
}

// character marks a sheet.
func (m *marker) character(c *tablev1.Character) {
	m.word("Character.name", c.Id, m.By["Character.name"], &c.Name)
	m.word("Character.side", c.Id, m.By["Character.side"], &c.Side)
	m.word("Character.sample", c.Id, m.By["Character.sample"], &c.Sample)
	m.profile(c.Id, c.Profile)
	m.notes(c.Id, &c.Notes)
	for _, s := range c.Stats {
		m.stat(c.Id, s)
	}
	for _, r := range c.Resources {
		m.resource(c.Id, r)
	}
	for _, s := range c.Statuses {
		m.status(c.Id, s)
	}
	for _, x := range c.Modifiers {
		m.markModifier(c.Id, x)
	}
	m.squares("position", c.Id, c.Position.GetSquare())
	m.piece(c.Id, c.Details.GetCoc().ProtoReflect())
}

// setting is what a table's options say of who sees what.
type setting struct {
	party, values, dice bool
	hp                  tablev1.NpcHp
}

var settings = []setting{
	{party: true, dice: true, hp: tablev1.NpcHp_NPC_HP_BAND}, // the defaults
	{hp: tablev1.NpcHp_NPC_HP_NONE},
	{party: true, values: true, dice: true, hp: tablev1.NpcHp_NPC_HP_EXACT},
	{values: true, hp: tablev1.NpcHp_NPC_HP_BAND},
	{dice: true, hp: tablev1.NpcHp_NPC_HP_EXACT},
}

// stamp is the visibility of a commit. Each PC has a seat that is named like it.
func (o setting) stamp(characters []*tablev1.Character) *tablev1.Visibility {
	v := &tablev1.Visibility{PartySheets: o.party, NpcHp: o.hp, NpcValues: o.values, NpcDice: o.dice}
	for _, c := range characters {
		own := &tablev1.Ownership{Character: c.Id, Kind: c.Kind, Audience: rule.Public}
		if isPC(c) {
			own.Seats = []string{c.Id}
		}
		v.Owners = append(v.Owners, own)
	}
	return v
}

func isPC(c *tablev1.Character) bool { return c.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC }

// watcher is who looks.
type watcher struct {
	view.Viewer
	name string
	pcs  map[string]bool
	setting
}

// watchers are the GM, an observer, a player of nobody here, and each PC's player,
// who is the other player for the other PCs.
func (p *played) watchers(o setting) []*watcher {
	out := []*watcher{
		{Viewer: view.Viewer{Seat: "the-gm", GM: true}, name: "the GM"},
		{Viewer: view.Viewer{Seat: "watches", Observer: true}, name: "an observer"},
		{Viewer: view.Viewer{Seat: "another"}, name: "another player"},
	}
	pcs := map[string]bool{}
	for _, c := range p.characters {
		if isPC(c) {
			pcs[c.Id] = true
			out = append(out, &watcher{Viewer: view.Viewer{Seat: c.Id}, name: "the player of " + c.Id})
		}
	}
	for _, w := range out {
		w.pcs, w.setting = pcs, o
	}
	return out
}

// may is what a row's cells say to the watcher of something of the subject's.
func (w *watcher) may(r *trial.Row, subject string) bool {
	eyes := trial.Onlooker{
		GM: w.GM, Party: w.party, Values: w.values, Dice: w.dice, HP: w.hp,
		Plays: func(who string) bool { return w.pcs[who] && w.Seat == who },
		PC:    func(who string) bool { return w.pcs[who] },
	}
	return eyes.May(r, subject)
}

// sent reports whether the watcher is told of an event: if it may know of it, and
// the name tells something or anything else does.
func (w *watcher) sent(s *ruled, ev told, leaves []leaf) bool {
	if !w.may(s.happens(ev), ev.Actor) {
		return false
	}
	name := ownEvents[ev.Name] && !slices.Contains(quiet, ev.Name)
	return name || strings.HasPrefix(ev.Name, "prompt_") || ev.Name == "scene_ended" || ev.Name == "revealed" ||
		slices.ContainsFunc(leaves, func(l leaf) bool { return !l.aside && w.may(l.row, l.subject) })
}

// TestProjection looks at everything that was played, with all values marked, as
// every watcher under several settings.
func TestProjection(t *testing.T) {
	s, all := theTable(t), allPlayed(t)
	catalog, err := locale.Load(locale.Core(), s.rules.Locale)
	if err != nil {
		t.Fatal(err)
	}
	const parts = 4
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for i, p := range all {
				if i%parts == part {
					l := &look{T: t, ruled: s, played: p, catalog: catalog, said: map[string]bool{}, seen: seen}
					l.all()
				}
			}
		})
	}
}

// look is a pass over one case.
type look struct {
	*testing.T
	*ruled
	*played
	catalog *locale.Catalog
	said    map[string]bool
	// seen is what was looked at: with their values marked many events are the same.
	seen map[string]bool
}

func (l *look) wrong(format string, args ...any) {
	l.Helper()
	if s := fmt.Sprintf(format, args...); !l.said[s] {
		l.said[s] = true
		l.Errorf("%s: %s", l.played.name, s)
	}
}

func (l *look) all() {
	state := table.FromState(&tablev1.State{Ruleset: "coc"})
	for _, c := range l.characters {
		state.Apply(rule.AddCharacter(proto.Clone(c).(*tablev1.Character)))
	}
	for _, moment := range l.moments {
		for _, ev := range moment {
			l.event(ev)
			for _, ch := range proto.Clone(ev.Event).(*tablev1.Event).Changes {
				state.Apply(ch)
			}
		}
		l.prompts(state.State())
	}
	l.state(state.State())
	for _, c := range state.State().Characters {
		l.written(c)
	}
}

// written looks at an update of what people write on a sheet by themselves.
func (l *look) written(c *tablev1.Character) {
	after := proto.Clone(c).(*tablev1.Character)
	after.Profile, after.Notes = []*tablev1.ProfileEntry{{Label: "age", Text: "31"}}, "afraid of the sea"
	l.event(told{Event: &tablev1.Event{Name: "character_updated", Actor: c.Id, Audience: rule.Public, Changes: table.Changes(c, after)}})
}

func (l *look) event(ev told) {
	marked := told{proto.Clone(ev.Event).(*tablev1.Event), ev.secret, ev.owned}
	m := &marker{ruled: l.ruled}
	m.event(marked)
	if l.again(marked.Event, l.happens(ev).Fact, m.leaves) {
		return
	}
	for _, o := range settings {
		stamp := o.stamp(l.characters)
		for _, w := range l.watchers(o) {
			v := view.Event(marked.Event, w.Viewer, stamp, view.Handles{Event: "e"}, l.rules.PublicName)
			sent := w.sent(l.ruled, ev, m.leaves)
			if (v != nil) != sent {
				l.wrong("%s is sent to %s: %v, and the table says %v; %+v", ev.Name, w.name, v != nil, sent, o)
			}
			text := ""
			if v != nil {
				view.Render(v, "en", l.catalog, nil)
				text, v.Text = v.Text.GetText(), nil
			}
			l.marks(ev.Name, w, m.leaves, l.encode(v), text, sent)
		}
	}
}

// again reports whether the same was looked at before: the same message, with its
// values marked, of the same cast, with the same demands.
func (l *look) again(marked proto.Message, where string, leaves []leaf) bool {
	key := slices.Concat(l.encode(settings[0].stamp(l.characters)), l.encode(marked), []byte(where))
	for _, x := range leaves {
		key = append(key, byte(x.row.Audience()))
	}
	if l.seen[string(key)] {
		return true
	}
	l.seen[string(key)] = true
	return false
}

// marks has those marks show of which the table says so.
func (l *look) marks(where string, w *watcher, leaves []leaf, sent []byte, text string, told bool) {
	for _, x := range leaves {
		may := told && w.may(x.row, x.subject)
		if shows := bytes.Contains(sent, x.mark); shows != may {
			l.wrong("%s: %s of %q shows to %s: %v, and row %q says %v; %+v", where, x.what, x.subject, w.name, shows, x.row.Fact, may, w.setting)
		}
		if !may && strings.Contains(text, string(x.text)) {
			l.wrong("%s: %s of %q stands in the sentence for %s; %+v", where, x.what, x.subject, w.name, w.setting)
		}
	}
}

func (l *look) encode(m proto.Message) []byte {
	b, err := proto.Marshal(m)
	if err != nil {
		l.Fatal(err)
	}
	return b
}

// state looks at the whole table, as it stands at the end.
func (l *look) state(s *tablev1.State) {
	s = proto.Clone(s).(*tablev1.State)
	m := &marker{ruled: l.ruled}
	for _, c := range s.Characters {
		// What people write by themselves stands in no example.
		c.Profile, c.Notes = []*tablev1.ProfileEntry{{Label: "age", Text: "31"}}, "afraid of the sea"
		for _, st := range c.Stats {
			st.Speciality = "birds"
		}
		m.character(c)
	}
	m.encounter(s.Encounter)
	if d := s.Details.GetCoc(); d != nil {
		m.piece("", d.ProtoReflect())
	}
	s.Windows, s.Agenda = nil, nil // see prompts
	if l.again(s, "", m.leaves) {
		return
	}
	for _, o := range settings {
		stamp := o.stamp(l.characters)
		for _, w := range l.watchers(o) {
			v := view.Table(s, w.Viewer, stamp, nil)
			l.marks("the table", w, m.leaves, l.encode(v), "", true)
			for _, c := range v.Characters {
				l.bands(w, c)
			}
		}
	}
}

// bands looks at the bands of resources: npc_hp has a word for those of hit points.
func (l *look) bands(w *watcher, c *tablev1.CharacterView) {
	for _, r := range c.Resources {
		row := l.Row("resource " + r.Key)
		want := w.may(row, c.Id) || row.NPC == "npc_hp" && !w.pcs[c.Id] && w.hp == tablev1.NpcHp_NPC_HP_BAND
		if got := r.Band != 0; got != want {
			l.wrong("the band of %s of %s shows to %s: %v, and the table says %v; %+v", r.Key, c.Id, w.name, got, want, w.setting)
		}
	}
}

// prompts looks at what is asked now: the choices are the addressee's, and that a
// prompt is open is everybody's, except where the table says otherwise.
func (l *look) prompts(s *tablev1.State) {
	marked := &tablev1.State{}
	marks := map[string][]leaf{}
	m := &marker{ruled: l.ruled}
	for _, w := range s.Windows {
		if !w.Open {
			continue
		}
		w = proto.Clone(w).(*tablev1.Window)
		for _, slot := range w.Slots {
			from := len(m.leaves)
			m.window(l.By["choice"], &tablev1.Window{Slots: []*tablev1.Slot{slot}})
			marks[slot.Id] = m.leaves[from:]
		}
		marked.Windows = append(marked.Windows, w)
	}
	if len(marked.Windows) == 0 {
		return
	}
	stamp := settings[0].stamp(l.characters)
	for _, viewer := range l.watchers(settings[0]) {
		t := view.Table(marked, viewer.Viewer, stamp, nil)
		b := l.encode(t)
		for _, w := range marked.Windows {
			l.waits(viewer, w.Name, marked.Windows, t)
			for _, slot := range w.Slots {
				asked := slot.State == tablev1.SlotState_SLOT_STATE_OPEN && viewer.answers(slot.Character)
				for _, x := range marks[slot.Id] {
					if shows := bytes.Contains(b, x.mark); shows != asked {
						l.wrong("%s of prompt %s for %q shows to %s: %v", x.what, w.Name, slot.Character, viewer.name, shows)
					}
				}
			}
		}
	}
}

// answers reports whether the watcher is the addressee of what a character is asked.
func (w *watcher) answers(character string) bool {
	if w.pcs[character] {
		return w.Seat == character
	}
	return w.GM
}

// waits looks at how many prompts of a name the watcher is told are open.
func (l *look) waits(viewer *watcher, name string, open []*tablev1.Window, t *tablev1.TableView) {
	r, want := l.Row("prompt "+name, "prompt"), 0
	for _, w := range open {
		row := r
		switch {
		case w.Audience == rule.GM:
			row = l.secret
		case w.Audience == rule.Owner:
			row = l.owned
		}
		for _, s := range w.Slots {
			if w.Name == name && s.State == tablev1.SlotState_SLOT_STATE_OPEN &&
				(viewer.may(row, w.BecauseOf) || slices.ContainsFunc(w.Slots, func(s *tablev1.Slot) bool { return viewer.answers(s.Character) })) {
				want++
			}
		}
	}
	got := 0
	for _, x := range t.WaitingOn {
		if x.Name == name {
			got++
		}
	}
	if got != want {
		l.wrong("of %s %d are told to %s, and row %q says %d", name, got, viewer.name, r.Fact, want)
	}
}
