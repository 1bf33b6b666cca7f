package persona_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// This is the test of the section on hidden information: two dungeons that differ only
// in what was never disclosed give the players the same events, prompts, refusals, views,
// offers and odds for the same actions and dice. A dungeon is explored at random; then all
// that was never disclosed of it is made another, and the same commands are given again.

// seated are who sits at the table: the GM, two players, and one who looks on.
var seated = []rule.Seat{
	{ID: "gm", GM: true}, {ID: "anna", Characters: []string{"a", "b"}}, {ID: "bert", Characters: []string{"c", "d"}}, {ID: "lurk"},
}

// deed is a command, to as many tables as there are.
type deed struct {
	seat rule.Seat
	what string
	// offered is true for what may not be refused.
	offered bool
	run     func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error)
}

// explored is a table on which a dungeon is explored.
type explored struct {
	t     testing.TB
	rules *rule.Ruleset
	r     *resolve.Resolver
	seed  uint64
	steps int32
}

func explore(t testing.TB, rules *rule.Ruleset, seed uint64, options []*tablev1.Option) *explored {
	ids := func(commit int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", commit, run, n) }
	x := &explored{t: t, rules: rules, r: resolve.New(rules, ids), seed: seed}
	if _, err := x.r.Create(options); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c", "d", "guide"} {
		sheet, refusal := rules.FromSample(id)
		if refusal != nil {
			t.Fatal(refusal)
		}
		sheet.Review = tablev1.Review_REVIEW_APPROVED
		for _, res := range sheet.Resources {
			if res.Key == "hp" {
				res.Value, res.Max = proto.Int32(60), proto.Int32(60)
			}
		}
		if err := x.do(bring(sheet)); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func bring(sheet *tablev1.Character) *deed {
	return &deed{seat: seated[0], what: "bring " + sheet.Id, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.AddCharacter(env, sheet)
	}}
}

func enter(d *personav1.Dungeon, party ...string) *deed {
	a := rule.Wrap[*tablev1.Action](&personav1.StartExploration{
		Dungeon: d, Start: &typev1.Square{Floor: 1}, Party: party,
	})
	return act(seated[0], "", a)
}

func act(s rule.Seat, actor string, a *tablev1.Action) *deed {
	return &deed{seat: s, what: fmt.Sprintf("%s acts with %q: %v", s.ID, actor, a), run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		return r.Act(env, actor, a, typev1.Audience_AUDIENCE_UNSPECIFIED)
	}}
}

// answer answers the question of a name for which the table waits.
func answer(s rule.Seat, name string, a resolve.SlotAnswer) *deed {
	return &deed{seat: s, what: fmt.Sprintf("%s answers %s for %q: %s %v", s.ID, name, a.Character, a.Choice, a.Values), run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
		w := waiting(r.State())
		if w == nil || w.Name != name {
			return nil, fmt.Errorf("no prompt %s is open", name)
		}
		return r.Answer(env, w, []resolve.SlotAnswer{a})
	}}
}

// waiting is the window for which the table waits, or nil.
func waiting(s *tablev1.State) *tablev1.Window {
	for _, w := range s.Windows {
		if w.Open && !w.Standing {
			return w
		}
	}
	return nil
}

// do gives a command, with dice that hang on how many there were before.
func (x *explored) do(d *deed) error {
	x.steps++
	source := &dice.Live{Seed: [32]byte{1, byte(x.seed), byte(x.seed >> 8)}, Number: x.steps * 1000}
	_, err := d.run(x.r, resolve.Env{Seat: d.seat, Dice: source})
	var refusal *rule.Refusal
	if err != nil && (d.offered || !errors.As(err, &refusal)) {
		x.t.Fatalf("%s: %v", d.what, err)
	}
	return err
}

func (x *explored) visibility() *tablev1.Visibility {
	var sitting []*tablev1.Seat
	for _, s := range seated {
		role := tablev1.SeatRole_SEAT_ROLE_PLAYER
		switch {
		case s.GM:
			role = tablev1.SeatRole_SEAT_ROLE_GM
		case len(s.Characters) == 0:
			role = tablev1.SeatRole_SEAT_ROLE_OBSERVER
		}
		sitting = append(sitting, &tablev1.Seat{Id: s.ID, Role: role, Characters: s.Characters})
	}
	return view.Stamp(x.rules.Options.InForce(x.r.State().Options), x.r.State(), sitting)
}

func viewer(s rule.Seat) view.Viewer {
	return view.Viewer{Seat: s.ID, GM: s.GM, Observer: len(s.Characters) == 0 && !s.GM}
}

// offers are what a seat is offered, made of what it sees.
func (x *explored) offers(s rule.Seat) []*tablev1.Offer {
	known := view.State(x.r.State(), viewer(s), x.visibility())
	return resolve.Offers(x.rules, &rule.View{State: known, Seat: s, Options: x.rules.Options})
}

// message is something that is sent to a seat: a message, or why it is refused.
type message struct {
	to    string
	bytes []byte
	m     proto.Message
}

func (m message) String() string {
	switch {
	case m.to == "":
		return "nothing"
	case m.m == nil:
		return m.to + ": " + string(m.bytes)
	}
	return m.to + ": " + prototext.Format(m.m)
}

// sent is all that a command sends to the players and to who looks on: to each what
// happened, if anything did, the table with its prompts, and the offers; and to whoever
// has given it why it is refused.
func (x *explored) sent(d *deed, err error) []message {
	var out []message
	put := func(s rule.Seat, m proto.Message) {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			x.t.Fatal(err)
		}
		out = append(out, message{s.ID, b, m})
	}
	vis := x.visibility()
	for _, s := range seated[1:] {
		if err != nil {
			if s.ID == d.seat.ID {
				out = append(out, message{to: s.ID, bytes: fmt.Appendf(nil, "%+v", err)})
			}
			continue
		}
		for _, e := range x.r.Made() {
			if v := view.Event(e, viewer(s), vis, view.Handles{Event: "e"}, x.rules.PublicName); v != nil {
				put(s, v)
			}
		}
		put(s, view.Table(x.r.State(), viewer(s), vis, nil))
		offers := x.offers(s)
		for _, o := range offers {
			put(s, o)
		}
		for _, o := range triable(offers) {
			a, refusal := resolve.Take(o, values(rand.New(rand.NewPCG(x.seed, 7)), o.Inputs))
			if refusal != nil {
				x.t.Fatalf("%v: %v", o, refusal)
			}
			put(s, x.foretold(s, o.Actor, a))
		}
	}
	return out
}

// triable are the first possible offers of their kinds of which a seat may ask the odds.
func triable(offers []*tablev1.Offer) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, kind := range []string{"action.move", "action.search", "action.use_persona_skill", "action.change_floor", "action.end_turn"} {
		i := slices.IndexFunc(offers, func(o *tablev1.Offer) bool {
			return o.Possible && !o.Form && o.Actor != "" && fillable(o.Inputs) && len(o.Label) > 0 && o.Label[0] == kind
		})
		if i >= 0 {
			out = append(out, offers[i])
		}
	}
	return out
}

// next draws what is done next: an answer to what is asked, what is offered to somebody
// who can do it, or anything, offered or not.
func (x *explored) next(rng *rand.Rand) *deed {
	if w := waiting(x.r.State()); w != nil {
		if rng.IntN(12) > 0 {
			return x.anAnswer(rng, w)
		}
	}
	s := seated[rng.IntN(3)]
	if rng.IntN(6) == 0 {
		s = seated[1+rng.IntN(2)]
		return act(s, s.Characters[rng.IntN(2)], anything(rng))
	}
	var possible []*tablev1.Offer
	for _, o := range x.offers(s) {
		if o.Possible && !o.Form && o.Actor != "" && fillable(o.Inputs) && (len(o.Label) == 0 || o.Label[0] != "action.escape" || rng.IntN(8) == 0) {
			possible = append(possible, o)
		}
	}
	if len(possible) == 0 {
		return nil
	}
	o := possible[rng.IntN(len(possible))]
	if i := slices.IndexFunc(possible, func(o *tablev1.Offer) bool { return slices.Equal(o.Label, []string{"action.move"}) }); i >= 0 && rng.IntN(2) == 0 {
		o = possible[i]
	}
	a, refusal := resolve.Take(o, values(rng, o.Inputs))
	if refusal != nil {
		x.t.Fatalf("%v: %v", o, refusal)
	}
	out := act(s, o.Actor, a)
	out.offered = true
	return out
}

func (x *explored) anAnswer(rng *rand.Rand, w *tablev1.Window) *deed {
	var open []*tablev1.Slot
	for _, s := range w.Slots {
		if s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			open = append(open, s)
		}
	}
	slot := open[rng.IntN(len(open))]
	seat := seated[0]
	for _, s := range seated {
		if slices.Contains(s.Characters, slot.Character) {
			seat = s
		}
	}
	a := resolve.SlotAnswer{Character: slot.Character, Choice: slot.DefaultChoice}
	var choices []*tablev1.PromptChoice
	for _, c := range slot.Choices {
		if c.Possible && fillable(c.Inputs) {
			choices = append(choices, c)
		}
	}
	// Who agrees with all others sees more of a dungeon.
	if i := slices.IndexFunc(choices, func(c *tablev1.PromptChoice) bool { return c.Id == "yes" }); i >= 0 && rng.IntN(3) > 0 {
		a.Choice = "yes"
	} else if len(choices) > 0 {
		c := choices[rng.IntN(len(choices))]
		a.Choice, a.Values = c.Id, values(rng, c.Inputs)
	}
	out := answer(seat, w.Name, a)
	out.offered = true
	return out
}

// anything is an action that is not offered, maybe.
func anything(rng *rand.Rand) *tablev1.Action {
	all := []proto.Message{
		&personav1.Move{ViaWarp: true}, &personav1.ChangeFloor{}, &personav1.Escape{}, &personav1.EndTurn{}, &personav1.Wait{},
		&personav1.Move{Direction: personav1.Direction(1 + rng.IntN(4)), Hand: personav1.Hand(rng.IntN(3))},
		&personav1.Move{To: &typev1.Square{X: rng.Int32N(6), Y: rng.Int32N(6), Floor: 1 + rng.Int32N(2)}},
	}
	return rule.Wrap[*tablev1.Action](all[rng.IntN(len(all))])
}

// fillable reports whether inputs list what can be filled in, or can be left out.
func fillable(inputs []*tablev1.Input) bool {
	return !slices.ContainsFunc(inputs, func(in *tablev1.Input) bool {
		return in.MinCount > 0 && len(in.Choices) < int(in.MinCount) && in.Kind != tablev1.InputKind_INPUT_KIND_NUMBER
	})
}

func values(rng *rand.Rand, inputs []*tablev1.Input) []*tablev1.Value {
	var out []*tablev1.Value
	for _, in := range inputs {
		v := &tablev1.Value{Name: in.Name}
		switch {
		case in.MinCount == 0 && rng.IntN(2) == 0:
		case len(in.Choices) > 0:
			for _, i := range rng.Perm(len(in.Choices))[:max(1, in.MinCount)] {
				v.Values = append(v.Values, in.Choices[i])
			}
		case in.Kind == tablev1.InputKind_INPUT_KIND_NUMBER:
			v.Values = []string{fmt.Sprint(in.Min)}
		}
		out = append(out, v)
	}
	return out
}

// random draws a dungeon of two floors with whatever can lie there.
func random(rng *rand.Rand) *personav1.Dungeon {
	d := &personav1.Dungeon{
		Level: 1 + rng.Int32N(30), Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLOUDY,
	}
	var free []*typev1.Square
	for n := int32(1); n <= 2; n++ {
		f := &personav1.Floor{Number: n, RoundLimitOverride: proto.Int32(99)}
		w, h := 3+rng.IntN(4), 3+rng.IntN(4)
		for y := range h {
			row := bytes.Repeat([]byte{'.'}, w)
			for x := range row {
				if x+y > 0 && rng.IntN(5) == 0 {
					row[x] = '#'
					continue
				}
				if x+y > 0 {
					free = append(free, &typev1.Square{X: int32(x), Y: int32(y), Floor: n})
				}
			}
			f.Rows = append(f.Rows, string(row))
		}
		d.Floors = append(d.Floors, f)
	}
	rng.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	add := func(at *typev1.Square, f *personav1.Feature) {
		f.Id, f.Square = int32(len(d.Features)+1), at
		d.Features = append(d.Features, f)
	}
	add(&typev1.Square{Floor: 1}, &personav1.Feature{Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Floor{Floor: 2}}}})
	add(&typev1.Square{Floor: 2}, &personav1.Feature{Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 1}}}})
	add(free[0], &personav1.Feature{Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}})
	for _, at := range free[1:] {
		for range 1 + rng.IntN(2) {
			if rng.IntN(2) == 0 {
				break
			}
			f := thing(rng, free)
			add(at, f)
			if f.GetWarp() != nil || slices.ContainsFunc(d.Features[:len(d.Features)-1], func(o *personav1.Feature) bool {
				return o.GetWarp() != nil && proto.Equal(o.Square, at)
			}) {
				break // warps lie alone
			}
		}
	}
	d.Features = slices.DeleteFunc(d.Features, func(f *personav1.Feature) bool {
		return f.GetWarp() != nil && proto.Equal(f.GetWarp().To, f.Square) || f.GetWarp() != nil && slices.ContainsFunc(d.Features, func(o *personav1.Feature) bool { return o != f && proto.Equal(o.Square, f.Square) })
	})
	return d
}

// thing draws something that can lie anywhere.
func thing(rng *rand.Rand, free []*typev1.Square) *personav1.Feature {
	f := &personav1.Feature{Visibility: personav1.Visibility([]int{0, 0, 2, 3, 3, 1}[rng.IntN(6)])}
	switch rng.IntN(6) {
	case 0:
		f.Kind = &personav1.Feature_Warp{Warp: &personav1.Warp{To: free[rng.IntN(len(free))], Mode: personav1.WarpMode(1 + rng.IntN(2))}}
	case 1:
		f.Kind = &personav1.Feature_Item{Item: &personav1.Treasure{Macca: 10 + rng.Int32N(50), Items: []*personav1.ItemCount{{Item: "herb", Count: 1 + rng.Int32N(3)}}}}
	case 2:
		f.Kind = &personav1.Feature_Enemy{Enemy: &personav1.Enemy{Name: "frost_imp", Level: 1 + rng.Int32N(3), Count: 1 + rng.Int32N(2), Specialties: []string{"ice"}}}
	case 3:
		f.Kind = &personav1.Feature_Event{Event: &personav1.EventFeature{Key: fmt.Sprint("k", rng.IntN(99)), Again: rng.IntN(3) == 0, Trigger: personav1.Trigger(rng.IntN(3))}}
	default:
		kinds := []string{"dart", "static_plate", "mana_leech", "gas_vent", "pitfall", "snare_box"}
		f.Kind = &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: kinds[rng.IntN(len(kinds))]}}
	}
	return f
}

// disclosed is all of a dungeon that was ever disclosed to anybody.
type disclosed struct {
	squares map[[3]int32]bool
	marks   map[int32]tablev1.MarkDetail
	visited map[[3]int32]bool
}

func place(s *typev1.Square) [3]int32 { return [3]int32{s.GetX(), s.GetY(), s.GetFloor()} }

func (k *disclosed) look(s *tablev1.State) {
	for _, sq := range s.GetDungeon().GetSquares() {
		k.squares[place(sq.Square)] = true
	}
	for _, f := range s.GetDungeon().GetFeatures() {
		for _, as := range f.Known {
			k.marks[f.Id] = max(k.marks[f.Id], as.Detail)
		}
		if f.Gone { // an NPC has set it off, and nobody knew of it before
			k.marks[f.Id] = tablev1.MarkDetail_MARK_DETAIL_DATA
		}
	}
	for _, c := range s.Characters {
		if at := c.GetPosition().GetSquare(); at != nil {
			k.visited[place(at)] = true
		}
	}
}

// far reports whether nobody was ever near enough to a square for a skill to search it.
func (k *disclosed) far(at *typev1.Square) bool {
	for v := range k.visited {
		if v[2] == at.Floor && max(v[0]-at.X, at.X-v[0]) <= 3 && max(v[1]-at.Y, at.Y-v[1]) <= 3 {
			return false
		}
	}
	return !k.squares[place(at)]
}

// another is a dungeon that differs in what was never disclosed, and how many things of
// it do.
func (k *disclosed) another(rng *rand.Rand, was *personav1.Dungeon) (*personav1.Dungeon, int) {
	d, changed := proto.CloneOf(was), 0
	needed := map[[3]int32]bool{} // where what stays lies, or leads to
	id := map[int32]int32{}
	var kept []*personav1.Feature
	last := int32(0)
	for _, f := range d.Features {
		last += 1 + rng.Int32N(3)
		id[f.Id] = last
		detail := k.marks[f.Id]
		if detail == 0 && f.Id > 2 && (f.GetStairs() == nil || k.far(f.Square)) && rng.IntN(4) > 0 {
			changed++
			continue // it is not there
		}
		if e := f.GetEnemy(); e != nil && detail != tablev1.MarkDetail_MARK_DETAIL_DATA {
			e.Level, e.Count, e.Name = e.Level+1+rng.Int32N(9), 1+rng.Int32N(5), "gale_moth"
			changed++
		}
		if e := f.GetEvent(); e != nil && detail == 0 {
			e.Key += "x"
			changed++
		}
		needed[place(f.Square)] = true
		kept = append(kept, f)
	}
	for _, f := range kept {
		if w := f.GetWarp(); w != nil {
			if k.marks[f.Id] != tablev1.MarkDetail_MARK_DETAIL_DATA {
				if to := (&typev1.Square{Floor: 1 + rng.Int32N(2)}); !proto.Equal(to, f.Square) {
					w.To = to
					changed++
				}
			}
			needed[place(w.To)] = true
		}
		if to, ok := f.GetStairs().GetTo().(*personav1.Stairs_Stairs); ok {
			to.Stairs = id[to.Stairs]
		}
	}
	for _, f := range kept {
		f.Id = id[f.Id]
	}
	d.Features = kept
	for _, floor := range d.Floors {
		wide, high := len(floor.Rows[0])+rng.IntN(3), len(floor.Rows)+rng.IntN(3)
		rows := make([]string, high)
		for y := range rows {
			row := bytes.Repeat([]byte{'#'}, wide)
			for x := range row {
				at := &typev1.Square{X: int32(x), Y: int32(y), Floor: floor.Number}
				inside := y < len(floor.Rows) && x < len(floor.Rows[y])
				switch {
				case inside && (k.squares[place(at)] || needed[place(at)]):
					row[x] = floor.Rows[y][x]
				case !k.squares[place(at)] && rng.IntN(2) == 0:
					row[x] = '.'
					if k.far(at) && rng.IntN(3) == 0 {
						last++
						f := thing(rng, []*typev1.Square{{Floor: 1}})
						f.Id, f.Square, f.Visibility = last, at, personav1.Visibility_VISIBILITY_HIDDEN
						d.Features = append(d.Features, f)
						changed++
					}
				}
			}
			rows[y] = string(row)
		}
		floor.Rows = rows
	}
	d.Floors = append(d.Floors, &personav1.Floor{Number: 3, Rows: []string{"..", ".."}, RoundLimitOverride: proto.Int32(99)})
	return d, changed
}

func TestWhatWasNeverDisclosed(t *testing.T) {
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	tables, commands := 12, 90
	if testing.Short() {
		tables = 6
	}
	for seed := range uint64(tables) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 5))
			options := []*tablev1.Option{{Key: "allow_unlinked", Value: "true"}}
			for key, all := range map[string][]string{
				"open_enemies_seen_from": {"adjacent", "contact", "floor"}, "knowledge_scope": {"party", "individual"},
				"show_round_limit": {"true", "false"}, "split_party": {"true", "false"}, "floor_clock": {"cumulative", "reset"},
				"rescue_on_stairs": {"true", "false"}, "window_policy": {"honest", "always_ask"},
			} {
				// By the key, since a map has no order.
				options = append(options, &tablev1.Option{Key: key, Value: all[(int(seed)*7+len(key))%len(all)]})
			}
			first := explore(t, rules, seed, options)
			d, party := random(rng), []string{"a", "b", "c", "d"}
			if first.rules.Options.Value(options, "knowledge_scope") == "party" {
				party = append(party, "guide") // whom the GM leads where no PC knows what is there
			}
			if err := first.do(enter(d, party...)); err != nil {
				t.Fatal(err)
			}
			k := &disclosed{map[[3]int32]bool{}, map[int32]tablev1.MarkDetail{}, map[[3]int32]bool{}}
			k.look(first.r.State())
			was := [][]message{first.sent(enter(nil), nil)}
			var deeds []*deed
			for tries := 0; len(deeds) < commands && tries < 4*commands && first.r.State().Encounter != nil; tries++ {
				next := first.next(rng)
				if next == nil {
					continue
				}
				err := first.do(next)
				k.look(first.r.State())
				deeds, was = append(deeds, next), append(was, first.sent(next, err))
			}
			other, changed := k.another(rng, d)
			second := explore(t, rules, seed, options)
			if err := second.do(enter(other, party...)); err != nil {
				t.Fatal(err)
			}
			same(t, enter(nil), was[0], second.sent(enter(nil), nil))
			for i, next := range deeds {
				same(t, next, was[i+1], second.sent(next, second.do(next)))
			}
			if changed == 0 || len(deeds) < 20 {
				t.Logf("%d commands, and %d things are others", len(deeds), changed)
			}
		})
	}
}

// same compares what players are sent for a command.
func same(t *testing.T, d *deed, was, now []message) {
	t.Helper()
	for i := range max(len(was), len(now)) {
		var a, b message
		if i < len(was) {
			a = was[i]
		}
		if i < len(now) {
			b = now[i]
		}
		if a.to != b.to || !bytes.Equal(a.bytes, b.bytes) {
			t.Fatalf("after %s, what is sent differs:\n%v\nor\n%v", d.what, a, b)
		}
	}
}

// Undo writes a dungeon back to whoever saw it written, in the same place whether or not
// something hidden in it has changed as well: the order of what is written back would tell.
// The games found that it did.
func TestUndoTellsNothingOfTheDungeon(t *testing.T) {
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_HALF, Weather: personav1.Weather_WEATHER_CLOUDY,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"....."}}},
		Features: []*personav1.Feature{{
			Id: 1, Square: &typev1.Square{Floor: 1}, Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}},
		}},
	}
	move := act(seated[0], "b", rule.Wrap[*tablev1.Action](&personav1.Move{Direction: personav1.Direction_DIRECTION_RIGHT}))
	level := act(seated[0], "", rule.Wrap[*tablev1.Action](&personav1.Set{What: &personav1.Set_DungeonLevel{DungeonLevel: 30}}))
	lay := act(seated[0], "", rule.Wrap[*tablev1.Action](&personav1.PlaceItem{
		Square: &typev1.Square{X: 4, Floor: 1}, Treasure: &personav1.Treasure{Macca: 5}, Visibility: personav1.Visibility_VISIBILITY_HIDDEN,
	}))
	var sent [][]message
	var undo *deed
	for _, secret := range [][]*deed{nil, {lay}} {
		x := explore(t, rules, 1, nil)
		if err := x.do(enter(d, "b")); err != nil {
			t.Fatal(err)
		}
		u := resolve.Undo{To: x.r.Number(), Events: x.r.Events(), Then: proto.CloneOf(x.r.State())}
		undo = &deed{seat: seated[0], what: "undo", offered: true, run: func(r *resolve.Resolver, env resolve.Env) (*tablev1.Commit, error) {
			return r.Undo(env, u)
		}}
		for _, d := range slices.Concat([]*deed{move, undo, level}, secret) {
			if err := x.do(d); err != nil {
				t.Fatalf("%s: %v", d.what, err)
			}
			u.Since = append(u.Since, x.r.Made()...)
		}
		if err := x.do(undo); err != nil {
			t.Fatal(err)
		}
		sent = append(sent, x.sent(undo, nil))
	}
	same(t, undo, sent[0], sent[1])
}
