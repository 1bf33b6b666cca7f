package view

import (
	"bytes"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// Non-interference: two events, sheets or states that differ only in what a viewer
// may not see look the same to it, byte for byte. Who may see what is decided here
// a second time, from DESIGN.md, and not by the code under test.

// twins makes pairs: each thing twice, the same where the viewer may see it.
type twins struct {
	*rapid.T
	viewer Viewer
	vis    *tablev1.Visibility
}

var someone = []string{"officer", "nurse", "stranger", "thug", "dog", "ghost"}

func drawTwins(t *rapid.T) twins {
	return twins{
		T:      t,
		viewer: rapid.SampledFrom([]Viewer{theGM, ann, ben, olga, {}}).Draw(t, "viewer"),
		vis: stamp(func(v *tablev1.Visibility) {
			v.PartySheets = rapid.Bool().Draw(t, "party_sheets")
			v.NpcHp = rapid.SampledFrom([]tablev1.NpcHp{0, exact, banded, unshown}).Draw(t, "npc_hp")
			v.NpcValues = rapid.Bool().Draw(t, "npc_values")
			v.NpcDice = rapid.Bool().Draw(t, "npc_dice")
		}),
	}
}

func (t twins) owns(c string) bool {
	return t.viewer == ann && (c == "officer" || c == "dog") || t.viewer == ben && c == "nurse"
}

// sees is the specification.
func (t twins) sees(a typev1.Audience, c string) bool {
	pc := c == "officer" || c == "nurse" || c == "stranger"
	npc := c == "thug" || c == "dog"
	gm := t.viewer.GM
	switch a {
	case public:
		return gm || pc || npc || c == ""
	case party:
		return gm || (t.viewer == ann || t.viewer == ben) && (pc || npc || c == "")
	case owner:
		return gm || t.owns(c)
	case gmOnly, knows:
		return gm
	case dice:
		return gm || pc || npc && (t.vis.NpcDice || t.owns(c))
	case hp:
		return gm || pc && (t.vis.PartySheets || t.owns(c)) || npc && (t.vis.NpcHp == exact || t.owns(c))
	case values:
		return gm || pc && (t.vis.PartySheets || t.owns(c)) || npc && (t.vis.NpcValues || t.owns(c))
	case mind:
		return gm || pc && (t.vis.PartySheets || t.owns(c))
	}
	return false
}

func (t twins) audience() typev1.Audience {
	return typev1.Audience(rapid.Int32Range(0, 11).Filter(func(n int32) bool { return n != int32(asked) }).Draw(t.T, "audience"))
}

func (t twins) character() string { return rapid.SampledFrom(someone).Draw(t.T, "character") }
func (t twins) number() int32     { return rapid.Int32Range(-1, 2).Draw(t.T, "number") }
func (t twins) word() string      { return rapid.SampledFrom([]string{"", "a", "b"}).Draw(t.T, "word") }
func (t twins) yes() bool         { return rapid.Bool().Draw(t.T, "yes") }

func (t twins) maybe() *int32 {
	if t.yes() {
		return nil
	}
	n := t.number()
	return &n
}

func (t twins) count() int { return rapid.IntRange(0, 3).Draw(t.T, "count") }

// both draws once where it may be seen, else twice.
func both[V any](seen bool, draw func() V) (V, V) {
	a := draw()
	if seen {
		return a, a
	}
	return a, draw()
}

// pair is a list on either side. A row that may not be seen is on both sides, on
// one or on none, and different.
type pair[M proto.Message] struct{ a, b []M }

func (p *pair[M]) add(t twins, seen bool, draw func() M) {
	if seen {
		m := draw()
		p.a, p.b = append(p.a, m), append(p.b, proto.Clone(m).(M))
		return
	}
	if t.yes() {
		p.a = append(p.a, draw())
	}
	if t.yes() {
		p.b = append(p.b, draw())
	}
}

func (t twins) facts(actor string) (p pair[*typev1.Fact]) {
	for range t.count() {
		of, a := rapid.SampledFrom(append(someone, "")).Draw(t.T, "of"), t.audience()
		subject := of
		if of == "" {
			subject = actor
		}
		p.add(t, t.sees(a, subject) && t.sees(public, of), func() *typev1.Fact {
			text := t.word()
			return &typev1.Fact{Key: t.word(), Of: of, Audience: a, Number: t.maybe(), Words: []string{t.word()}, Text: &text, Squares: []*typev1.Square{{X: t.number()}}}
		})
	}
	return p
}

func (t twins) throws() (p pair[*typev1.Die]) {
	for range t.count() {
		of, a := rapid.SampledFrom(append(someone, "")).Draw(t.T, "of"), t.audience()
		p.add(t, t.sees(a, of) && t.sees(public, of), func() *typev1.Die {
			return &typev1.Die{Label: t.word(), Of: of, Audience: a, Sides: 6, Faces: []int32{t.number()}}
		})
	}
	return p
}

func (t twins) lines() (p pair[*typev1.TraceLine]) {
	for range t.count() {
		of, a := t.character(), t.audience()
		p.add(t, t.sees(a, of) && t.sees(public, of), func() *typev1.TraceLine {
			return &typev1.TraceLine{Label: t.word(), Of: of, Audience: a, Value: t.maybe(), Rule: t.word(), Suppressed: t.yes()}
		})
	}
	return p
}

func (t twins) stat(a typev1.Audience) *typev1.Stat {
	return &typev1.Stat{Key: t.word(), Value: t.maybe(), Base: t.maybe(), Audience: a}
}

func (t twins) status(a typev1.Audience) *typev1.Status {
	return &typev1.Status{Key: t.word(), Causes: []string{t.word()}, Duration: &typev1.Duration{Until: t.number()}, Audience: a}
}

func (t twins) modifier(a typev1.Audience) *typev1.Modifier {
	return &typev1.Modifier{Id: t.word(), Value: t.maybe(), Reason: t.word(), Audience: a}
}

// resource makes both sides: of hit points, key and perhaps band are seen by all.
func (t twins) resource(c string, a typev1.Audience) (x, y *typev1.Resource, told bool) {
	sees := t.sees(a, c)
	npc := c == "thug" || c == "dog"
	band := sees || a == hp && npc && t.vis.NpcHp == banded
	key, otherKey := both(sees || a == hp && t.sees(public, c), t.word)
	draw := func() *typev1.Resource {
		return &typev1.Resource{Key: key, Value: t.maybe(), Max: t.maybe(), Band: typev1.Band(t.number() + 1), Audience: a}
	}
	x, y = both(sees, draw)
	if !sees {
		y.Key = otherKey
		if band {
			y.Band = x.Band
		}
	}
	return x, proto.Clone(y).(*typev1.Resource), band
}

func (t twins) weapon(c string, a typev1.Audience) (x, y *cocv1.Weapon) {
	x, y = both(t.sees(a, c), func() *cocv1.Weapon { return &cocv1.Weapon{Id: t.word(), InHand: t.yes(), Audience: a} })
	y = proto.Clone(y).(*cocv1.Weapon)
	x.Durability, y.Durability = both(t.sees(values, c), t.maybe)
	return x, y
}

func (t twins) wound() *cocv1.Wound { return &cocv1.Wound{Id: t.number(), Amount: t.number()} }
func (t twins) mark(a typev1.Audience) *cocv1.GrowthMark {
	return &cocv1.GrowthMark{Id: t.word(), Skill: t.word(), Audience: a}
}
func (t twins) mind() *cocv1.Mind     { return &cocv1.Mind{RpPoints: t.maybe()} }
func (t twins) body() *cocv1.Body     { return &cocv1.Body{AttacksPerRound: t.maybe()} }
func (t twins) combat() *cocv1.Combat { return &cocv1.Combat{AttacksMade: t.number()} }

func partChange(c string, removed bool, part *cocv1.Part) *tablev1.Change {
	return &tablev1.Change{Change: &tablev1.Change_Part{Part: &tablev1.PartChange{
		Character: c, Removed: removed, After: &tablev1.Part{Ruleset: &tablev1.Part_Coc{Coc: part}},
	}}}
}

func (t twins) changes() (p pair[*tablev1.Change]) {
	for range t.count() {
		c, a := t.character(), t.audience()
		seen, known := t.sees(a, c) && t.sees(public, c), t.sees(public, c)
		switch rapid.IntRange(0, 14).Draw(t.T, "kind") {
		case 0:
			p.add(t, seen, func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Stat{Stat: &tablev1.StatChange{Character: c, After: t.stat(a)}}}
			})
		case 1:
			x, y, told := t.resource(c, a)
			wrap := func(r *typev1.Resource) *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Resource{Resource: &tablev1.ResourceChange{Character: c, After: r}}}
			}
			if told && known {
				p.a, p.b = append(p.a, wrap(x)), append(p.b, wrap(y))
			} else {
				p.add(t, false, func() *tablev1.Change { return wrap(x) })
			}
		case 2:
			p.add(t, seen, func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Status{Status: &tablev1.StatusChange{Character: c, Removed: t.yes(), After: t.status(a)}}}
			})
		case 3:
			p.add(t, seen, func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Modifier{Modifier: &tablev1.ModifierChange{Character: c, Removed: t.yes(), After: t.modifier(a)}}}
			})
		case 4:
			p.add(t, seen, func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Position{Position: &tablev1.PositionChange{Character: c, After: &typev1.Position{Square: &typev1.Square{X: t.number()}, Audience: a}}}}
			})
		case 5:
			p.add(t, t.sees(owner, c), func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Review{Review: &tablev1.ReviewChange{Character: c, After: tablev1.Review(t.number() + 1)}}}
			})
		case 6:
			p.add(t, false, func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Agenda{Agenda: &tablev1.AgendaChange{After: []*tablev1.Step{{Actor: c}}}}}
			})
		case 7:
			x, y := t.weapon(c, a)
			if seen {
				p.a = append(p.a, partChange(c, false, &cocv1.Part{Part: &cocv1.Part_Weapons{Weapons: x}}))
				p.b = append(p.b, partChange(c, false, &cocv1.Part{Part: &cocv1.Part_Weapons{Weapons: y}}))
			} else {
				p.add(t, false, func() *tablev1.Change {
					return partChange(c, t.yes(), &cocv1.Part{Part: &cocv1.Part_Weapons{Weapons: x}})
				})
			}
		case 8:
			p.add(t, t.sees(hp, c), func() *tablev1.Change {
				return partChange(c, t.yes(), &cocv1.Part{Part: &cocv1.Part_Wounds{Wounds: t.wound()}})
			})
		case 9:
			p.add(t, t.sees(owner, c) && t.sees(a, c), func() *tablev1.Change {
				return partChange(c, t.yes(), &cocv1.Part{Part: &cocv1.Part_GrowthMarks{GrowthMarks: t.mark(a)}})
			})
		case 10:
			p.add(t, t.sees(mind, c), func() *tablev1.Change {
				return partChange(c, false, &cocv1.Part{Part: &cocv1.Part_Mind{Mind: t.mind()}})
			})
		case 11:
			p.add(t, t.sees(values, c), func() *tablev1.Change {
				return partChange(c, false, &cocv1.Part{Part: &cocv1.Part_Body{Body: t.body()}})
			})
		case 13:
			p.add(t, t.sees(mind, c), func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Profile{Profile: &tablev1.ProfileChange{Character: c, After: t.profile()}}}
			})
		case 14:
			p.add(t, t.sees(owner, c), func() *tablev1.Change {
				return &tablev1.Change{Change: &tablev1.Change_Notes{Notes: &tablev1.NotesChange{Character: c, After: t.word()}}}
			})
		case 12:
			p.add(t, known, func() *tablev1.Change {
				return partChange(c, false, &cocv1.Part{Part: &cocv1.Part_Combat{Combat: t.combat()}})
			})
		}
	}
	return p
}

func (t twins) cues() (cues []*tablev1.Cue) {
	for range t.count() {
		cues = append(cues, &tablev1.Cue{Cue: &tablev1.Cue_Float{Float: &tablev1.Float{Character: t.character(), Fact: t.word()}}})
	}
	return cues
}

func (t twins) events() (x, y *tablev1.Event) {
	actor, a := rapid.SampledFrom(append(someone, "")).Draw(t.T, "actor"), t.audience()
	draw := func() *tablev1.Event {
		return &tablev1.Event{Name: t.word(), Rule: t.word(), Actor: actor, Audience: a, Targets: []string{t.character()}}
	}
	x, y = both(t.sees(a, actor) && t.sees(public, actor), draw)
	y = proto.Clone(y).(*tablev1.Event)
	x.Cause, y.Cause = t.number(), t.number()
	facts, throws, lines, changes := t.facts(actor), t.throws(), t.lines(), t.changes()
	x.Facts, y.Facts = facts.a, facts.b
	x.Dice, y.Dice = throws.a, throws.b
	x.Trace, y.Trace = lines.a, lines.b
	x.Changes, y.Changes = changes.a, changes.b
	x.Cues = t.cues()
	y.Cues = x.Cues
	if t.yes() {
		// A hidden character among those whom it befalls.
		if !t.viewer.GM {
			y.Targets = append(y.Targets, "ghost")
		}
	}
	return x, y
}

func (t twins) profile() (all []*tablev1.ProfileEntry) {
	for range t.count() {
		all = append(all, &tablev1.ProfileEntry{Label: t.word(), Text: t.word()})
	}
	return all
}

func (t twins) sheets(c string) (x, y *tablev1.Character) {
	draw := func() *tablev1.Character {
		return &tablev1.Character{Id: c, Name: t.word(), Kind: tablev1.CharacterKind(t.number() + 1), Side: t.word(), Audience: public}
	}
	x, y = both(t.sees(public, c), draw)
	y = proto.Clone(y).(*tablev1.Character)
	x.Review, y.Review = both(t.sees(owner, c), func() tablev1.Review { return tablev1.Review(t.number() + 1) })
	x.Sample, y.Sample = both(t.viewer.GM, t.word)
	x.Notes, y.Notes = both(t.sees(owner, c), t.word)
	x.Profile, y.Profile = both(t.sees(mind, c), t.profile)

	var stats pair[*typev1.Stat]
	var statuses pair[*typev1.Status]
	var modifiers pair[*typev1.Modifier]
	var wounds pair[*cocv1.Wound]
	var marks pair[*cocv1.GrowthMark]
	dx, dy := &cocv1.Details{}, &cocv1.Details{}
	for range t.count() {
		a := t.audience()
		stats.add(t, t.sees(a, c), func() *typev1.Stat { return t.stat(a) })
		statuses.add(t, t.sees(a, c), func() *typev1.Status { return t.status(a) })
		modifiers.add(t, t.sees(a, c), func() *typev1.Modifier { return t.modifier(a) })
		wounds.add(t, t.sees(hp, c), t.wound)
		marks.add(t, t.sees(owner, c) && t.sees(a, c), func() *cocv1.GrowthMark { return t.mark(a) })
		rx, ry, _ := t.resource(c, a)
		if t.sees(a, c) || a == hp {
			x.Resources, y.Resources = append(x.Resources, rx), append(y.Resources, ry)
		} else {
			x.Resources = append(x.Resources, rx)
		}
		wx, wy := t.weapon(c, a)
		dx.Weapons = append(dx.Weapons, wx)
		if t.sees(a, c) || t.yes() {
			dy.Weapons = append(dy.Weapons, wy)
		}
	}
	x.Stats, y.Stats = stats.a, stats.b
	x.Statuses, y.Statuses = statuses.a, statuses.b
	x.Modifiers, y.Modifiers = modifiers.a, modifiers.b
	dx.Wounds, dy.Wounds = wounds.a, wounds.b
	dx.GrowthMarks, dy.GrowthMarks = marks.a, marks.b
	dx.Mind, dy.Mind = both(t.sees(mind, c), t.mind)
	dx.Body, dy.Body = both(t.sees(values, c), t.body)
	if t.yes() {
		dx.Combat = t.combat()
		dy.Combat = proto.Clone(dx.Combat).(*cocv1.Combat)
	}
	x.Details = &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: dx}}
	y.Details = &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: dy}}
	a := t.audience()
	if t.sees(a, c) {
		x.Position = &typev1.Position{Square: &typev1.Square{X: t.number()}, Audience: a}
		y.Position = proto.Clone(x.Position).(*typev1.Position)
	} else if t.yes() {
		y.Position = &typev1.Position{Square: &typev1.Square{X: t.number()}, Audience: a}
	}
	return x, y
}

// answers is who decides, by the specification.
func (t twins) answers(c string) bool {
	return t.owns(c) || t.viewer.GM && (c == "" || c == "thug" || c == "dog" || c == "stranger" || c == "ghost")
}

func (t twins) windows() (x, y *tablev1.Window) {
	slots := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"officer", "nurse", "thug", "dog", "stranger", ""}), 1, 3, rapid.ID).Draw(t.T, "slots")
	x = &tablev1.Window{Id: "w", Name: t.word(), Open: true, Standing: t.yes(), Kind: tablev1.WindowKind(rapid.Int32Range(1, 6).Draw(t.T, "kind")), Audience: public}
	mine := false
	for _, c := range slots {
		x.Slots = append(x.Slots, &tablev1.Slot{Id: "s" + c, Character: c, State: tablev1.SlotState(rapid.Int32Range(1, 3).Draw(t.T, "state"))})
		mine = mine || t.answers(c)
	}
	y = proto.Clone(x).(*tablev1.Window)
	choice := func() *tablev1.PromptChoice {
		return &tablev1.PromptChoice{Id: t.word(), Possible: t.yes(), Inputs: []*tablev1.Input{{Name: t.word()}}}
	}
	for i, c := range slots {
		x.Slots[i].Choices = []*tablev1.PromptChoice{choice()}
		x.Slots[i].DefaultChoice = t.word()
		if t.answers(c) {
			y.Slots[i].Choices, y.Slots[i].DefaultChoice = x.Slots[i].Choices, x.Slots[i].DefaultChoice
		} else if t.yes() {
			y.Slots[i].Choices = []*tablev1.PromptChoice{choice(), choice()}
		}
	}
	x.Leads = []*tablev1.Lead{{Character: "officer", Choice: t.word()}}
	if mine {
		facts := t.facts("")
		x.Facts, y.Facts = facts.a, facts.b
	} else {
		x.Facts = append(x.Facts, &typev1.Fact{Key: t.word(), Audience: asked})
	}
	return x, y
}

func (t twins) identical(what string, x, y, a, b proto.Message) {
	t.Helper()
	marshal := proto.MarshalOptions{Deterministic: true}
	ab, _ := marshal.Marshal(a)
	bb, _ := marshal.Marshal(b)
	if !bytes.Equal(ab, bb) || a.ProtoReflect().IsValid() != b.ProtoReflect().IsValid() {
		t.Fatalf("%+v sees a difference in %s with %v\n--- one\n%s\n--- as\n%s\n--- other\n%s\n--- as\n%s", t.viewer, what, t.vis,
			prototext.Format(x), prototext.Format(a), prototext.Format(y), prototext.Format(b))
	}
}

func TestNonInterference(t *testing.T) {
	t.Run("event", rapid.MakeCheck(func(rt *rapid.T) {
		tw := drawTwins(rt)
		x, y := tw.events()
		named := func(name string) bool { return name == "a" }
		tw.identical("an event", x, y, Event(x, tw.viewer, tw.vis, Handles{}, named), Event(y, tw.viewer, tw.vis, Handles{}, named))
		if got := Sees(x, tw.viewer, tw.vis, Handles{}, named); got != (Event(x, tw.viewer, tw.vis, Handles{}, named) != nil) {
			tw.Fatalf("Sees says %v of\n%s", got, prototext.Format(x))
		}
	}))
	t.Run("sheet", rapid.MakeCheck(func(rt *rapid.T) {
		tw := drawTwins(rt)
		x, y := tw.sheets(tw.character())
		tw.identical("a sheet", x, y, Character(x, tw.viewer, tw.vis), Character(y, tw.viewer, tw.vis))
		change := func(c *tablev1.Character) *tablev1.EventView {
			ev := &tablev1.Event{Audience: public, Changes: []*tablev1.Change{{Change: &tablev1.Change_Character{
				Character: &tablev1.CharacterChange{Character: c.Id, After: c}}}}}
			return Event(ev, tw.viewer, tw.vis, Handles{}, nil)
		}
		tw.identical("a new sheet", x, y, change(x), change(y))
	}))
	t.Run("state", rapid.MakeCheck(func(rt *rapid.T) {
		tw := drawTwins(rt)
		wx, wy := tw.windows()
		cx, cy := tw.sheets("officer")
		x := &tablev1.State{Windows: []*tablev1.Window{wx}, Characters: []*tablev1.Character{cx}, Agenda: []*tablev1.Step{{Actor: "thug"}}}
		y := &tablev1.State{Windows: []*tablev1.Window{wy}, Characters: []*tablev1.Character{cy}}
		x.Encounter = &tablev1.Encounter{Roster: []string{"officer"}, Pointer: 1}
		y.Encounter = &tablev1.Encounter{Roster: []string{"officer"}, Pointer: 2}
		if !tw.viewer.GM {
			y.Encounter.Roster = append(y.Encounter.Roster, "ghost")
			hidden := &tablev1.Window{Open: true, Audience: gmOnly, Slots: []*tablev1.Slot{{Character: "thug", State: 1}}}
			x.Windows = append(x.Windows, hidden)
			more := proto.Clone(hidden).(*tablev1.Window)
			more.Name = "other"
			more.Slots = append(more.Slots, &tablev1.Slot{Character: "", State: 1})
			y.Windows = append(y.Windows, more)
		}
		tw.identical("a table", x, y, Table(x, tw.viewer, tw.vis, seats), Table(y, tw.viewer, tw.vis, seats))
		tw.identical("what offers are made of", x, y, State(x, tw.viewer, tw.vis), State(y, tw.viewer, tw.vis))
	}))
}

// What may be seen is seen: the projection that sends nothing would pass above.
func TestSeesWhatItMay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tw := drawTwins(rt)
		ev, _ := tw.events()
		ev.Audience, ev.Actor = public, ""
		got := Event(ev, tw.viewer, tw.vis, Handles{}, func(string) bool { return true })
		want := 0
		for _, f := range ev.Facts {
			if tw.sees(f.Audience, f.Of) && tw.sees(public, f.Of) {
				want++
			}
		}
		for _, d := range ev.Dice {
			if tw.sees(d.Audience, d.Of) && tw.sees(public, d.Of) {
				want++
			}
		}
		if n := len(got.Facts) + len(got.Dice); n != want {
			rt.Fatalf("%+v sees %d facts and dice, want %d, of\n%s", tw.viewer, n, want, prototext.Format(ev))
		}
	})
}
