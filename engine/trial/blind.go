package trial

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// blind is a table that differs from the game's in what one seat may not know: sheets
// have other values, and what the GM did in secret did not happen. It gets the same
// commands and the same dice, and the seat must be sent the same bytes, and so as many,
// from both: events, views, prompts, offers, and why what it commands is refused.
//
// What is hidden shows by what comes of it: who has a better skill hits. The first
// difference must be of a kind that may reveal (Setup.Reveals); then the pair is parted,
// and made anew.
type blind struct {
	seat   int // index in the game's seats
	sees   *WhoSees
	r      *resolve.Resolver     // nil between two pairs
	past   []*tablev1.Event      // of its own
	stamps []*tablev1.Visibility // who might see what, of each of them
	log    *history              // of its own, since the pair was made
	saved  []byte                // what the next one is made from
	vis    *tablev1.Visibility   // when the pair was made
	parts  map[string]int        // how often what has parted a pair
	secret string                // what the GM did last that did not happen at the other table
	kept   int                   // commands after which the pair was still one
}

// foretellEvery is after how many commands a seat asks for odds.
const foretellEvery = 50

// lookEvery is after how many commands a seat looks at everything.
const lookEvery = 128

// open makes new pairs where there are none, between two steps: on the game's side
// nothing happens meanwhile, in an event that nobody is told of.
func (g *Game) open(all []*blind) {
	saved, idle := g.r.Snapshot()
	if !idle || !slices.ContainsFunc(all, func(b *blind) bool { return b.r == nil }) {
		return
	}
	for _, b := range all {
		if b.r == nil {
			b.saved = saved
		}
	}
	g.must(fixture())
}

// begin makes the table of a new pair, after the game's fixture.
func (b *blind) begin(g *Game) {
	b.log = &history{saved: b.saved, last: g.log[len(g.log)-1]}
	b.r = resolve.New(g.Rules, ids)
	g.check(b.r.Restore(b.saved, b.log.last))
	b.saved, b.secret = nil, ""
	b.vis = g.visibility()
	a := &alteration{g: g, eyes: g.onlooker(g.seats[b.seat]), sees: b.sees, often: Pick(g, []int{5, 20, 60})}
	var changes []*tablev1.Change
	for _, ch := range g.State().Characters {
		changes = append(changes, a.changes(ch)...)
	}
	if g.setup.Unknown != nil {
		changes = append(changes, g.setup.Unknown(g, a.eyes)...)
	}
	c, err := b.r.Fixture(changes...)
	g.check(err)
	b.past, b.stamps = slices.Clip(g.events), slices.Clip(g.stamps)
	b.goesOn(g, c)
	b.looks(g, "at the beginning", nil, g.events)
}

// goesOn keeps what a commit of the other table has made.
func (b *blind) goesOn(g *Game, c *tablev1.Commit) {
	b.log.commits = append(b.log.commits, g.decoded(c))
	b.past = append(b.past, b.r.Made()...)
	for vis := g.visibility(); len(b.stamps) < len(b.past); {
		b.stamps = append(b.stamps, vis)
	}
}

// onlooker is what the table "Who sees what" speaks of, for a seat of this table.
func (g *Game) onlooker(s rule.Seat) *Onlooker {
	vis := g.visibility()
	return &Onlooker{
		GM: s.GM, Party: vis.PartySheets, Values: vis.NpcValues, Dice: vis.NpcDice, HP: vis.NpcHp,
		Plays: func(who string) bool { return slices.Contains(s.Characters, who) },
		PC: func(who string) bool {
			return g.GM().Character(who).GetKind() == tablev1.CharacterKind_CHARACTER_KIND_PC
		},
	}
}

func (b *blind) follow(g *Game, c *command, commit *tablev1.Commit, err error) {
	if b.saved != nil {
		b.begin(g)
		return
	}
	if b.r == nil {
		return
	}
	if commit.GetCommand().GetAction().GetCore().GetReveal() != nil || !same(b.vis, g.visibility()) {
		b.end("") // what was hidden is told, or shows from now on
		return
	}
	if commit != nil && b.unknown(g, c, commit) {
		// To the seat it is as if nothing had happened.
		b.secret = commit.Command.String()
		number := c.number
		c = fixture()
		c.number = number
	}
	if c.to > 0 {
		u, ok := b.log.undo(g, b.r, c.to, b.past)
		if !ok || c.to == b.log.last.Number {
			b.end("") // it goes back behind the beginning of the pair
			return
		}
		c = &command{seat: c.seat, number: c.number, policies: c.policies, run: undo(c.seat, u).run}
	}
	commit2, err2 := c.run(b.r, c.env(b.r, g.dice(c, b.r), b.past))
	b.kept++
	own := c.seat.ID == g.seats[b.seat].ID && b.knows(g, c.window)
	switch {
	case err2 != nil && refusal(err2) == nil:
		g.fail("with other hidden values: %v", err2)
	case own && refused(err) != refused(err2):
		b.part(g, []string{"refused " + reason(err), "refused " + reason(err2)}, g.events, b.past, func() string {
			return fmt.Sprintf("%s is refused: %s\nor: %s", c.seat.ID, refused(err), refused(err2))
		})
		return
	case (err == nil) != (err2 == nil):
		// Who commands knows more than the seat.
		b.end("")
		return
	case (commit == nil) != (commit2 == nil):
		b.end("") // to one of them nothing was to be changed
		return
	case commit == nil:
		return
	}
	b.goesOn(g, commit2)
	vis := g.visibility()
	past := append(slices.Clip(g.events), g.r.Made()...)
	x, nx := b.events(g, g.r.Made(), vis, g.events, g.stamps)
	y, ny := b.events(g, b.r.Made(), vis, b.past, b.stamps)
	for i := range max(len(x), len(y)) {
		if what := differ(at(x, i), at(y, i)); len(what) > 0 {
			b.part(g, what, until(past, nx, i), until(b.past, ny, i), func() string {
				return fmt.Sprintf("event %d is\n%v\nor\n%v", i+1, prototext.Format(at(x, i)), prototext.Format(at(y, i)))
			})
			return
		}
	}
	changed := touched(g.r.Made(), b.r.Made())
	if g.number%lookEvery == 0 {
		changed = nil
	}
	b.looks(g, "afterwards", changed, past)
}

// unknown reports whether the GM has done something between steps that the seat knows
// nothing of, and that did not happen at the other table.
func (b *blind) unknown(g *Game, c *command, commit *tablev1.Commit) bool {
	made := g.r.Made()
	return c.seat.GM && len(made) == 1 && !g.r.Waiting() && !b.r.Waiting() && len(commit.Runs) == 1 &&
		(commit.Command.GetAction() != nil || commit.Command.GetRoll() != nil) && g.Chance(2) &&
		b.untold(g, made) && !g.setup.Later.has(g.actionOf(commit)) && b.unseen(g, made)
}

// untold reports whether the seat is told of none of these.
func (b *blind) untold(g *Game, made []*tablev1.Event) bool {
	told, _ := b.events(g, made, g.visibility(), nil, nil)
	return len(told) == 0
}

// unseen reports whether the seat sees nothing on a sheet of what has happened: a roll
// that it is not told of may use up what it sees there.
func (b *blind) unseen(g *Game, made []*tablev1.Event) bool {
	some := touched(made)
	return equalSheets(view.State(part(g.State(), some), b.viewer(g), b.vis), view.State(part(b.r.State(), some), b.viewer(g), b.vis))
}

// knows reports whether the seat knows of a window, and so of its id; "" is none.
func (b *blind) knows(g *Game, id string) bool {
	w := table.Window(b.r.State(), id)
	return id == "" || w != nil && slices.ContainsFunc(view.State(&tablev1.State{Windows: []*tablev1.Window{w}}, b.viewer(g), b.vis).Windows,
		func(w *tablev1.Window) bool { return w.Id != "" })
}

// actionOf is the name of the action of a commit; "" if it has none.
func (g *Game) actionOf(c *tablev1.Commit) string {
	if a := c.Command.GetAction(); a != nil {
		return g.info(a).Name
	}
	return ""
}

func (b *blind) viewer(g *Game) view.Viewer { return g.viewer(g.seats[b.seat]) }

// events are what the seat is told, of a table with that past, and by how many events
// each of it stands before the end. Ids are opaque: how many there are is compared.
func (b *blind) events(g *Game, made []*tablev1.Event, vis *tablev1.Visibility, past []*tablev1.Event, stamps []*tablev1.Visibility) ([]*tablev1.EventView, []int) {
	others := func(sequences []int64) []view.Other {
		var out []view.Other
		for _, n := range sequences {
			out = append(out, view.Other{ID: "e", Event: past[n-1], Visibility: stamps[n-1]})
		}
		return out
	}
	var out []*tablev1.EventView
	var left []int
	for i, e := range made {
		h := view.Handles{Event: "e", Undoes: others(e.Undoes), Redoes: others(e.Redoes)}
		if v := view.Event(e, b.viewer(g), vis, h, g.Rules.PublicName); v != nil {
			out, left = append(out, v), append(left, len(made)-1-i)
		}
	}
	return out, left
}

// until are the events up to the one that the seat was told of as the i-th of the last
// command; all, if there was none.
func until(past []*tablev1.Event, left []int, i int) []*tablev1.Event {
	if i >= len(left) {
		return past
	}
	return past[:len(past)-left[i]]
}

// looks compares what the seat can look at: its view of the table with the prompts,
// and what its offers are made of. Of sheets that no event has touched since they were
// compared, on either side, nothing can have changed; now and then all is looked at. past
// is that of the game.
func (b *blind) looks(g *Game, when string, touched map[string]bool, past []*tablev1.Event) {
	vis, viewer := g.visibility(), b.viewer(g)
	x, y := part(g.State(), touched), part(b.r.State(), touched)
	v, w := x, y
	if touched != nil {
		v, w = part(x, map[string]bool{}), part(y, map[string]bool{}) // sheets are seen below
	}
	seen, other := view.Table(v, viewer, vis, nil), view.Table(w, viewer, vis, nil)
	if !bytes.Equal(marshal(seen), marshal(other)) {
		var what []string
		for _, p := range asked(seen, other) {
			what = append(what, "prompt "+p)
		}
		b.part(g, what, past, b.past, func() string {
			return fmt.Sprintf("%s the table is\n%s\nor\n%s", when, prototext.Format(seen), prototext.Format(other))
		})
		return
	}
	known, otherwise := view.State(x, viewer, vis), view.State(y, viewer, vis)
	alike := bytes.Equal(marshal(known), marshal(otherwise))
	if alike && g.number%foretellEvery == 0 {
		b.foretold(g, view.State(g.State(), viewer, vis), view.State(b.r.State(), viewer, vis))
	}
	if alike && (touched != nil || !g.Chance(4)) {
		return // offers are made of these same bytes
	}
	seat := g.seats[b.seat]
	offers := func(s *tablev1.State) []byte {
		var out []byte
		for _, o := range resolve.Offers(g.Rules, &rule.View{State: s, Seat: seat, Options: g.Rules.Options}) {
			out = append(out, marshal(o)...)
		}
		return out
	}
	if touched != nil && !equalSheets(known, otherwise) || !bytes.Equal(offers(known), offers(otherwise)) {
		b.part(g, nil, past, b.past, func() string {
			return fmt.Sprintf("%s sheets or offers are others, made of\n%s\nor\n%s", when, prototext.Format(known), prototext.Format(otherwise))
		})
	}
}

// equalSheets reports whether the sheets of two states are the same.
func equalSheets(x, y *tablev1.State) bool {
	return bytes.Equal(marshal(&tablev1.State{Characters: x.Characters}), marshal(&tablev1.State{Characters: y.Characters}))
}

// part is a state with some of its sheets; all for nil.
func part(s *tablev1.State, some map[string]bool) *tablev1.State {
	if some == nil {
		return s
	}
	out := &tablev1.State{
		Ruleset: s.Ruleset, Pack: s.Pack, Options: s.Options, Encounter: s.Encounter, Clocks: s.Clocks,
		Agenda: s.Agenda, Windows: s.Windows, Details: s.Details, Dungeon: s.Dungeon,
	}
	for _, c := range s.Characters {
		if some[c.Id] {
			out.Characters = append(out.Characters, c)
		}
	}
	return out
}

// touched are the characters that events of either side have changed.
func touched(sides ...[]*tablev1.Event) map[string]bool {
	out := make(map[string]bool)
	for _, made := range sides {
		for _, e := range made {
			for _, c := range e.Changes {
				m := c.ProtoReflect()
				of := m.Get(m.WhichOneof(m.Descriptor().Oneofs().Get(0))).Message()
				if f := of.Descriptor().Fields().ByName("character"); f != nil {
					out[of.Get(f).String()] = true
				}
			}
		}
	}
	return out
}

// same reports whether those who were there at one time may see the same at another.
func same(before, now *tablev1.Visibility) bool {
	for _, o := range before.Owners {
		for _, p := range now.Owners {
			if o.Character == p.Character && !proto.Equal(o, p) {
				return false
			}
		}
	}
	return before.PartySheets == now.PartySheets && before.NpcHp == now.NpcHp &&
		before.NpcValues == now.NpcValues && before.NpcDice == now.NpcDice
}

// asked are the prompts of which two views of a table have different ones.
func asked(x, y *tablev1.TableView) []string {
	var out []string
	for _, pair := range [][2]*tablev1.TableView{{x, y}, {y, x}} {
		for _, p := range pair[0].Prompts {
			if !slices.ContainsFunc(pair[1].Prompts, func(q *tablev1.PromptView) bool { return proto.Equal(p, q) }) {
				out = append(out, p.Name)
			}
		}
		for _, w := range pair[0].WaitingOn {
			if !slices.ContainsFunc(pair[1].WaitingOn, func(q *tablev1.WaitingView) bool { return proto.Equal(w, q) }) {
				out = append(out, cmp.Or(w.Name, "unknown"))
			}
		}
	}
	return out
}

// part parts the pair by a difference, which is a leak unless it is of a kind that may
// reveal.
func (b *blind) part(g *Game, what []string, past, other []*tablev1.Event, say func() string) {
	for _, w := range what {
		if g.setup.Reveals.excuses(g, w, past, other) {
			b.end(w)
			return
		}
	}
	g.fail("%s can tell: what differs is %s\nin secret the GM last did: %s\n%s", g.seats[b.seat].ID, strings.Join(what, ", "), b.secret, say())
}

func (b *blind) end(why string) {
	b.r = nil
	b.parts[why]++
}

func refused(err error) string {
	if why := refusal(err); why != nil {
		return fmt.Sprintf("%+v", *why)
	}
	return ""
}

func reason(err error) string {
	if why := refusal(err); why != nil {
		return why.Reason
	}
	return ""
}

func at(all []*tablev1.EventView, i int) *tablev1.EventView {
	if i < len(all) {
		return all[i]
	}
	return nil
}

// differ says in what two views of an event differ.
func differ(x, y *tablev1.EventView) []string {
	switch {
	case proto.Equal(x, y):
		return nil
	case x == nil || y == nil || x.Name != y.Name:
		var out []string
		for _, e := range []*tablev1.EventView{x, y} {
			if e != nil {
				out = append(out, happening(e))
			}
		}
		return out
	case x.Actor != y.Actor || x.Rule != y.Rule || !slices.Equal(x.Targets, y.Targets):
		return []string{happening(x), happening(y)}
	}
	out := rowsOf(x.Facts, y.Facts, func(f *typev1.Fact) string { return x.Name + "." + f.Key })
	out = append(out, rowsOf(x.Dice, y.Dice, dieOf)...)
	out = append(out, rowsOf(x.Changes, y.Changes, changedFrom(x.Changes, y.Changes))...)
	out = append(out, rowsOf(x.Trace, y.Trace, func(l *typev1.TraceLine) string { return x.Name + " trace " + l.Label })...)
	out = append(out, rowsOf(x.Cues, y.Cues, func(*tablev1.Cue) string { return x.Name + " cue" })...)
	if len(out) == 0 || slices.EqualFunc(x.Dice, y.Dice, samePlaceApart) && !slices.EqualFunc(x.Dice, y.Dice, equal) {
		return []string{x.Name + " otherwise"} // nothing excuses that dice are counted otherwise
	}
	return out
}

func equal(d, e *typev1.Die) bool { return proto.Equal(d, e) }

// samePlaceApart reports whether two dice are the same but for their places.
func samePlaceApart(d, e *typev1.Die) bool {
	d, e = proto.CloneOf(d), proto.CloneOf(e)
	d.Stream, d.Epoch, d.Number = e.Stream, e.Epoch, e.Number
	return proto.Equal(d, e)
}

// happening is that an event happens: of a prompt, which one; of dice, what for.
func happening(e *tablev1.EventView) string {
	for _, f := range e.Facts {
		if f.Key == "prompt" {
			return "prompt " + f.Words[0]
		}
	}
	if e.Name == "dice_rolled" && len(e.Dice) > 0 {
		return dieOf(e.Dice[0])
	}
	return "event " + e.Name
}

func dieOf(d *typev1.Die) string {
	label, _, _ := strings.Cut(d.Label, "/")
	return "die " + label
}

// rowsOf names the rows that stand on one side alone.
func rowsOf[M proto.Message](x, y []M, name func(M) string) []string {
	var out []string
	for _, pair := range [][2][]M{{x, y}, {y, x}} {
		for _, m := range pair[0] {
			if !slices.ContainsFunc(pair[1], func(n M) bool { return proto.Equal(m, n) }) {
				out = append(out, name(m))
			}
		}
	}
	if len(out) == 0 && len(x) != len(y) {
		out = append(out, "how many rows")
	}
	return out
}

// changedFrom names changes; one of an encounter by the first of its fields that differs.
func changedFrom(x, y []*tablev1.Change) func(*tablev1.Change) string {
	encounter := func(all []*tablev1.Change) protoreflect.Message {
		for _, c := range all {
			if e := c.GetEncounter(); e != nil {
				return e.After.ProtoReflect()
			}
		}
		return (*tablev1.Encounter)(nil).ProtoReflect()
	}
	return func(c *tablev1.Change) string {
		if c.GetEncounter() == nil {
			return changed(c)
		}
		e, f := encounter(x), encounter(y)
		if !e.IsValid() || !f.IsValid() {
			return "encounter" // it is written on one side alone
		}
		for i := range e.Descriptor().Fields().Len() {
			if field := e.Descriptor().Fields().Get(i); !e.Get(field).Equal(f.Get(field)) {
				return "encounter." + string(field.Name())
			}
		}
		return "encounter"
	}
}

func changed(c *tablev1.Change) string {
	switch c := c.Change.(type) {
	case *tablev1.Change_Stat:
		return "stat " + c.Stat.After.GetKey()
	case *tablev1.Change_Resource:
		return "resource " + c.Resource.After.GetKey()
	case *tablev1.Change_Status:
		return "status " + c.Status.After.GetKey()
	case *tablev1.Change_Part:
		m, _ := rule.Unwrap(c.Part.After)
		return "piece " + string(m.ProtoReflect().Descriptor().Name())
	}
	return fmt.Sprintf("%T", c.Change)
}
