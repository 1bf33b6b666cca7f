package host

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// NewCharacters are characters that are to come to a table.
type NewCharacters struct {
	// Request identifies the request.
	Request Request
	// ID of the first; empty makes one of the sample or the name.
	ID string
	// Name that everybody sees; empty for the sample's.
	Name string
	// Sample is a sample of the pack; or
	Sample string
	// Sheet is a sheet; or
	Sheet *tablev1.SheetInput
	// Draft is true for a player character that is still to be made.
	Draft bool
	// Count is how many of a sample; 0 for one.
	Count int
	// Seat that will control them; empty for a player's own. The GM's are
	// controlled by whoever has been given the id, or else by the GM.
	Seat string
}

// CreateCharacters brings characters to a table, a commit for each, and returns
// them as the caller's seat sees them.
func (h *Host) CreateCharacters(ctx context.Context, by Caller, n NewCharacters) ([]*tablev1.CharacterView, error) {
	type made struct {
		viewer  view.Viewer
		moments []*Moment
	}
	create := func(t *table, ids []string) (made, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return made{}, refusal
		}
		moments, err := t.create(ctx, s, by, n, ids)
		return made{s.viewer, moments}, err
	}
	m, kept, err := command(ctx, h, by, n.Request, func(t *table) (made, error) { return create(t, nil) })
	if err != nil {
		return nil, err
	}
	if kept == nil {
		return h.created(by, m.moments, m.viewer), nil
	}
	look, now, err := h.Look(ctx, by)
	if err != nil {
		return nil, err
	}
	moments, err := h.Read(now, kept.Commit-1).Next(ctx, len(kept.Characters))
	if err != nil {
		return nil, err
	}
	out := h.created(by, moments, look.viewer)
	if len(out) == len(kept.Characters) && slices.EqualFunc(out, kept.Characters, func(c *tablev1.CharacterView, id string) bool { return c.Id == id }) {
		return out, nil
	}
	// The server went down in between: the rest is made now.
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.CharacterView, error) {
		if _, err := create(t, kept.Characters); err != nil {
			return nil, err
		}
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		var out []*tablev1.CharacterView
		for _, id := range kept.Characters {
			out = append(out, t.shown(s, id))
		}
		return out, nil
	})
}

// created are the sheets that moments brought, as the caller sees them.
func (h *Host) created(by Caller, moments []*Moment, v view.Viewer) []*tablev1.CharacterView {
	var out []*tablev1.CharacterView
	for _, m := range moments {
		for _, e := range m.Told {
			for _, c := range e.Event.Changes {
				after := c.GetCharacter().GetAfter()
				if after == nil {
					continue
				}
				if cv := view.Character(after, v, m.Visibility); cv != nil {
					out = append(out, h.keys.tagged(by.Table, by.Seat, cv))
				}
			}
		}
	}
	return out
}

// plan is what a request for characters makes.
type plan struct {
	// seat that is given them; nil for none.
	seat *tablev1.Seat
	// ids of the characters, in order.
	ids []string
	// name is what the i-th is called.
	name func(i int, id string) string
}

// plan is what a request makes, before anything is. planned are the ids of a request
// that was not carried out to its end.
func (t *table) plan(s *sitting, by Caller, n NewCharacters, planned []string) (plan, *rule.Refusal) {
	sheet, refusal := t.sheet(s, n)
	if refusal != nil {
		return plan{}, refusal
	}
	p := plan{ids: planned}
	if p.seat, refusal = t.controller(s, n, sheet); refusal != nil {
		return plan{}, refusal
	}
	if planned == nil {
		count := max(n.Count, 1)
		if p.ids, refusal = t.freeIDs(s, n, sheet, count); refusal != nil {
			return plan{}, refusal
		}
		if len(t.res.State().Characters)+count > MaxCharacters {
			return plan{}, tooLarge("count").Say("most_characters", rule.Number("most", MaxCharacters))
		}
	}
	p.name, refusal = t.displayName(n, sheet, by.Lang)
	return p, refusal
}

// create makes the characters. planned are the ids of a request that was not
// carried out to its end: those that are there already are left out.
func (t *table) create(ctx context.Context, s *sitting, by Caller, n NewCharacters, planned []string) ([]*Moment, error) {
	p, refusal := t.plan(s, by, n, planned)
	if refusal != nil {
		return nil, refusal
	}
	var moments []*Moment
	for i, id := range p.ids {
		if planned != nil && t.character(id) != nil {
			continue
		}
		one, refusal := t.sheet(s, n) // a new one: the log keeps it
		if refusal != nil {
			return nil, refusal
		}
		one.Id, one.Name = id, p.name(i, id)
		c, err := t.res.AddCharacter(t.env(context.WithoutCancel(ctx), s, nil), one)
		if err != nil {
			return nil, err
		}
		with := conclusion{by: by, record: record{Characters: p.ids}}
		if i == 0 {
			// The record says which are to follow, should the server go down.
			with.request = n.Request
		}
		if p.seat != nil {
			with.seats, with.changed = t.give(p.seat.Id, id)
		}
		m, err := t.conclude(context.WithoutCancel(ctx), c, with)
		if err != nil {
			return nil, err
		}
		moments = append(moments, m)
	}
	return moments, nil
}

// foresee is the first of the characters that a request would make, as the caller
// would see it. Nothing is made.
func (t *table) foresee(s *sitting, by Caller, n NewCharacters) (*tablev1.CharacterView, error) {
	p, refusal := t.plan(s, by, n, nil)
	if refusal != nil {
		return nil, refusal
	}
	one, refusal := t.sheet(s, n)
	if refusal != nil {
		return nil, refusal
	}
	one.Id, one.Name = p.ids[0], p.name(0, p.ids[0])
	seats := t.seats
	if p.seat != nil {
		if with, _ := t.give(p.seat.Id, one.Id); with != nil {
			seats = with
		}
	}
	now := t.res.State()
	then := &tablev1.State{Options: now.Options, Characters: append(slices.Clone(now.Characters), one)}
	slices.SortFunc(then.Characters, func(a, b *tablev1.Character) int { return strings.Compare(a.Id, b.Id) })
	return view.Character(one, s.viewer, stamp(t.game.Rules.Options, then, seats)), nil
}

// sheet makes a character as the caller may bring it, still without id and name.
func (t *table) sheet(s *sitting, n NewCharacters) (*tablev1.Character, *rule.Refusal) {
	switch {
	case s.viewer.Observer:
		return nil, notYours("").Say("you_look_on")
	case n.Count < 0 || n.Count > MaxCopies:
		return nil, invalid("count").Say("int32.gte_lte", rule.Number("gte", 0), rule.Number("lte", MaxCopies))
	case (n.Sheet != nil || n.Draft) && n.Count > 1:
		return nil, invalid("count").Say("only_samples_in_numbers")
	}
	var c *tablev1.Character
	var refusal *rule.Refusal
	switch {
	case n.Sheet != nil:
		if n.Sheet.Kind == tablev1.CharacterKind_CHARACTER_KIND_UNSPECIFIED {
			return nil, invalid("sheet.kind").Say("enum", rule.Code("names", "CHARACTER_KIND_PC", "CHARACTER_KIND_NPC"))
		}
		if refusal = checkWords(n.Sheet); refusal != nil {
			return nil, refusal
		}
		if c, refusal = t.game.Rules.FromSheet(n.Sheet); refusal == nil {
			c.Kind, c.Side = n.Sheet.Kind, n.Sheet.Side
			c.Profile, c.Notes = proto.CloneOf(n.Sheet).Profile, n.Sheet.Notes
		}
	case n.Sample != "":
		c, refusal = t.game.Rules.FromSample(n.Sample)
	case n.Draft && t.game.Rules.FromDraft == nil:
		return nil, invalid("draft").Say("no_drafts")
	case n.Draft:
		c = t.game.Rules.FromDraft()
		c.Kind, c.Drafted = tablev1.CharacterKind_CHARACTER_KIND_PC, true
		c.Side, c.Review = sideOf(c.Kind), tablev1.Review_REVIEW_DRAFT
		return c, nil
	default:
		return nil, invalid("source").Say("oneof", rule.Code("names", "sample", "sheet", "draft"))
	}
	if refusal != nil {
		return nil, refusal
	}
	if c.Side == "" {
		c.Side = sideOf(c.Kind)
	}
	c.Review = tablev1.Review_REVIEW_APPROVED
	if !s.gm() {
		if c.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC {
			field := "sample"
			if n.Sheet != nil {
				field = "sheet.kind"
			}
			return nil, notYours(field).Say("gm_brings_npcs")
		}
		c.Review = tablev1.Review_REVIEW_SUBMITTED
	}
	return c, nil
}

// controller is the seat to which the characters are given; nil if to none.
func (t *table) controller(s *sitting, n NewCharacters, c *tablev1.Character) (*tablev1.Seat, *rule.Refusal) {
	if !s.gm() {
		if n.Seat != "" && n.Seat != s.seat.Id {
			return nil, notYours("seat_id").Say("gm_gives_to_others")
		}
		return s.seat, nil
	}
	if n.Seat == "" {
		return nil, nil
	}
	other, refusal := t.seated(n.Seat, "seat_id")
	switch {
	case refusal != nil:
		return nil, refusal
	case other.viewer.Observer:
		return nil, invalid("seat_id").Say("seat_looks_on")
	case other.gm() && c.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC:
		return nil, nil // by role
	}
	return other.seat, nil
}

// give adds a character to a seat.
func (t *table) give(seat, character string) ([]*tablev1.Seat, []store.SeatCharacters) {
	i := seatIndex(t.seats, seat)
	if i < 0 || slices.Contains(t.seats[i].Characters, character) {
		return nil, nil
	}
	after := proto.CloneOf(t.seats[i])
	after.Characters = append(after.Characters, character)
	seats := slices.Clone(t.seats)
	seats[i] = after
	return seats, []store.SeatCharacters{{SeatID: seat, Characters: after.Characters}}
}

// freeIDs are the ids of the new characters.
func (t *table) freeIDs(s *sitting, n NewCharacters, c *tablev1.Character, count int) ([]string, *rule.Refusal) {
	base := n.ID
	switch {
	case base != "" && !goodID.MatchString(base):
		return nil, invalid("character_id").Say("pattern.id")
	case base != "" && t.taken(s, base):
		return nil, exists("character_id")
	case base == "" && n.Sample != "" && (n.Name == "" || c.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC):
		base = n.Sample
	case base == "":
		// An NPC with a name of its own hides behind it: its id shall not tell
		// the sample.
		base = slug(n.Name)
	}
	if base == "" { // a name without any letter of an id
		base = map[bool]string{true: "pc", false: "npc"}[c.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC]
	}
	var ids []string
	for i := 1; len(ids) < count; i++ {
		if id := numbered(base, i); !t.taken(s, id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// taken reports whether an id is not free: for a player, one that the GM has
// given to somebody else is not.
func (t *table) taken(s *sitting, id string) bool {
	if t.character(id) != nil {
		return true
	}
	return !s.gm() && !slices.Contains(s.seat.Characters, id) &&
		slices.ContainsFunc(t.seats, func(o *tablev1.Seat) bool { return slices.Contains(o.Characters, id) })
}

// displayName says how the i-th of the characters is called.
func (t *table) displayName(n NewCharacters, c *tablev1.Character, lang string) (func(i int, id string) string, *rule.Refusal) {
	if n.Name != "" {
		if refusal := checkName("name", n.Name); refusal != nil {
			return nil, refusal
		}
		return func(i int, _ string) string {
			if i == 0 {
				return n.Name
			}
			return n.Name + " " + strconv.Itoa(i+1)
		}, nil
	}
	if n.Sample == "" {
		if n.ID == "" {
			return nil, invalid("name").Say("name_or_id")
		}
		return func(_ int, id string) string { return id }, nil
	}
	name := c.Name
	if key := "name." + n.Sample; t.game.Texts.Has(key) {
		name = t.game.Texts.Text(key, lang, nil)
	}
	// The number is that of the id, so that two requests make no two of a name.
	return func(i int, id string) string {
		for k := 2; k <= MaxCharacters+MaxCopies; k++ {
			if id == numbered(n.Sample, k) {
				return name + " " + strconv.Itoa(k)
			}
		}
		if i > 0 {
			return name + " " + strconv.Itoa(i+1)
		}
		return name
	}, nil
}

// Characters are all sheets as the seat sees them, sorted by id.
func (h *Host) Characters(ctx context.Context, by Caller) ([]*tablev1.CharacterView, error) {
	return ask(ctx, h, by.Table, func(t *table) ([]*tablev1.CharacterView, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		var out []*tablev1.CharacterView
		for _, c := range t.res.State().Characters {
			if cv := t.shown(s, c.Id); cv != nil {
				out = append(out, cv)
			}
		}
		return out, nil
	})
}

// Character is a sheet as the seat sees it.
func (h *Host) Character(ctx context.Context, by Caller, id string) (*tablev1.CharacterView, error) {
	return ask(ctx, h, by.Table, func(t *table) (*tablev1.CharacterView, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		if refusal := t.checkKnown(s, "character_id", id); refusal != nil {
			return nil, refusal
		}
		return t.shown(s, id), nil
	})
}
