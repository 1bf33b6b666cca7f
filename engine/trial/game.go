package trial

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Game is one random game. What a Setup calls with it reads the table and draws from
// Rand; commands are the game's own to give.
type Game struct {
	// Rand is where all of the game is drawn from.
	Rand *rand.Rand
	// Rules of the table.
	Rules *rule.Ruleset

	t     testing.TB
	setup *Setup
	seed  uint64
	used  *used

	r      *resolve.Resolver
	others []follower
	number int64 // of the last command, refused or not
	log    []*tablev1.Commit
	events []*tablev1.Event      // of the log, as they were handed over beside the commits
	stored [][]byte              // the same, as they stand in the log
	stamps []*tablev1.Visibility // who might see what, of each of them
	ready  int64                 // number of the commit with which the table was set up
	state  []byte                // the bytes of the state

	seats     []rule.Seat // the GM, two players, and one who looks on
	policies  []*tablev1.Policy
	old       []*tablev1.Offer // offered at some time
	late      *command         // an answer that was taken
	cancelled bool             // the GM has cancelled a step
	before    *tablev1.Visibility
	quick     bool // offers are taken, and not tried
}

// follower is whatever is played beside a game: it is told of each command with what
// came of it, an error or a commit. It is told before the game looks at the commit.
type follower interface {
	follow(g *Game, c *command, commit *tablev1.Commit, err error)
}

func ids(commit int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", commit, run, n) }

// newGame sets a table up.
func newGame(t testing.TB, s *Setup, seed uint64, led []string, others ...follower) *Game {
	g := &Game{
		Rand: rand.New(rand.NewPCG(seed, 0)), Rules: s.Rules, t: t, setup: s, seed: seed,
		used: newUsed(s, led), r: resolve.New(s.Rules, ids), others: others,
	}
	g.seats = []rule.Seat{{ID: "gm", GM: true}, {ID: "anna"}, {ID: "bert"}, {ID: "lurk"}}
	g.must(create(g.options(true), g.epoch(1), g.epoch(2)))
	for _, ch := range s.Cast(g) {
		g.join(ch)
	}
	g.ready = g.r.Number()
	return g
}

// join brings a character to the table; players' go by turns to the two players.
func (g *Game) join(ch *tablev1.Character) {
	g.must(bring(g.gm(), ch))
	owned := func(s rule.Seat) bool { return slices.Contains(s.Characters, ch.Id) } // one that has left, and may come back
	if ch.Kind != tablev1.CharacterKind_CHARACTER_KIND_PC || slices.ContainsFunc(g.seats, owned) {
		return
	}
	s := &g.seats[1+len(g.State().Characters)%2]
	s.Characters = append(slices.Clip(s.Characters), ch.Id)
}

func (g *Game) gm() rule.Seat { return g.seats[0] }

// State is that of the table.
func (g *Game) State() *tablev1.State { return g.r.State() }

// Waiting reports whether a step waits for an answer.
func (g *Game) Waiting() bool { return g.r.Waiting() }

// Cancelled reports whether the GM has cancelled a step, which may leave a table
// where no rule would.
func (g *Game) Cancelled() bool { return g.cancelled }

// GM is what the GM's seat sees, which is the whole truth.
func (g *Game) GM() *rule.View { return g.r.View(g.gm()) }

// Event is a stored event by its sequence number, from 1; nil if there is none.
func (g *Game) Event(sequence int64) *tablev1.Event { return numbered(g.events)(sequence) }

// Events is how many events there have been.
func (g *Game) Events() int64 { return int64(len(g.events)) }

// Opens reports whether a prompt of one of these names is open.
func (g *Game) Opens(names ...string) bool {
	return slices.ContainsFunc(g.State().Windows, func(w *tablev1.Window) bool { return w.Open && slices.Contains(names, w.Name) })
}

// Led reports whether the game is led to something that begins so: "row weapons.yaml".
func (g *Game) Led(to string) bool {
	return slices.ContainsFunc(g.used.led, func(what string) bool { return strings.HasPrefix(what, to) })
}

// Chance is true once in so many times.
func (g *Game) Chance(in int) bool { return g.Rand.IntN(in) == 0 }

// Pick is one of several.
func Pick[V any](g *Game, all []V) V { return all[g.Rand.IntN(len(all))] }

// Character is any at the table; nil at an empty one.
func (g *Game) Character() *tablev1.Character {
	if len(g.State().Characters) == 0 {
		return nil
	}
	return Pick(g, g.State().Characters)
}

// Controller is the seat that decides for a character; "" is the table.
func (g *Game) Controller(who string) rule.Seat {
	for _, s := range g.seats {
		if g.r.View(s).Controls(who) {
			return s
		}
	}
	g.fail("nobody controls %q", who)
	return rule.Seat{}
}

// Sample makes a character of a row of the pack, with an id of its own.
func (g *Game) Sample(id string, taken []*tablev1.Character) *tablev1.Character {
	ch, refusal := g.Rules.FromSample(id)
	if refusal != nil {
		g.fail("sample %s: %v", id, refusal)
	}
	free := func(id string) bool {
		same := func(c *tablev1.Character) bool { return c.Id == id }
		return !slices.ContainsFunc(taken, same) && table.Character(g.State(), id) == nil
	}
	for n := 2; !free(ch.Id); n++ {
		ch.Id = fmt.Sprintf("%s-%d", id, n)
	}
	return ch
}

// options are random values of the switches: all that differ from their defaults, for
// a new table, else some.
func (g *Game) options(fresh bool) []*tablev1.Option {
	var out []*tablev1.Option
	for _, o := range g.Rules.Options.All() {
		value := ""
		if g.setup.Option != nil {
			value = g.setup.Option(g, o)
		}
		switch led := g.used.ledValue(o); {
		case o.Key == rule.Paused: // see pause
			value = o.Default
		case led != "" && g.Chance(2):
			value = led
		case value != "":
		case len(o.Values) > 0 && g.Chance(2):
			value = Pick(g, o.Values)
		case len(o.Values) == 0 && g.Chance(3):
			value = fmt.Sprint(min(o.Min+g.Rand.Int32N(3), o.Max))
		default:
			value = o.Default
		}
		if value != o.Default || !fresh && g.Chance(4) {
			out = append(out, &tablev1.Option{Key: o.Key, Value: value})
		}
	}
	return out
}

// play gives so many commands, each at random, as long as steady, and looks at what
// holds between them.
func (g *Game) play(commands int) {
	for range commands {
		g.between()
		g.command()
	}
	g.between()
	for _, seat := range g.seats {
		g.offers(seat, true)
	}
}

// do gives a command to the table and to all that follow it. On an error it is a
// refusal, and nothing has changed.
func (g *Game) do(c *command) error {
	g.number++
	c.number, c.policies = g.number, g.policies
	thrown := g.dice(c, g.r)
	commit, err := c.run(g.r, c.env(g.r, thrown, g.events))
	for _, f := range g.others {
		f.follow(g, c, commit, err)
	}
	switch {
	case err != nil:
		g.unchanged(thrown, err)
	case commit != nil: // nothing was to be changed
		g.after(commit)
	}
	return err
}

// dice are the same for whoever runs the command. Beside tables that differ in what
// somebody may not know, the secret ones begin anew with each command: how many were
// thrown before is no secret that a face could tell, but faces would be others by it.
func (g *Game) dice(c *command, r *resolve.Resolver) *counted {
	open, secret, err := r.Sources(g.seeds(r.DiceEpoch().GetEpoch()))
	g.check(err)
	if g.quick {
		secret.Number = int32(c.number) * secretDice
	}
	return &counted{open, secret, open.Number + secret.Number}
}

// secretDice are more than a command throws.
const secretDice = 10_000

// seeds are those of an epoch.
func (g *Game) seeds(epoch int32) resolve.Seeds {
	seed := func(stream byte) [32]byte {
		return [32]byte{byte(g.seed), byte(g.seed >> 8), byte(g.seed >> 16), byte(epoch), stream}
	}
	return resolve.Seeds{Open: seed(1), Secret: seed(2)}
}

// epoch is the commitment of one.
func (g *Game) epoch(n int32) *tablev1.DiceEpoch { return resolve.Commitment("trial", n, g.seeds(n)) }

func (g *Game) must(c *command) {
	g.t.Helper()
	if err := g.do(c); err != nil {
		g.fail("%v", err)
	}
}

// may gives a command that may be refused.
func (g *Game) may(c *command) {
	if err := g.do(c); err != nil && refusal(err) == nil {
		g.fail("no refusal: %v", err)
	}
}

// unchanged: what is refused draws no die and leaves nothing behind. Dice that were
// given wrongly are noticed when others may have been thrown.
func (g *Game) unchanged(thrown *counted, err error) {
	if !g.quick && !bytes.Equal(marshal(g.State()), g.state) {
		g.fail("refused (%v), but the state changed", err)
	}
	if why := refusal(err); why != nil && why.Reason != "BAD_DICE" && thrown.thrown() > 0 {
		g.fail("refused (%v), but %d dice were thrown", err, thrown.thrown())
	}
}

// after is what holds after every command that was taken.
func (g *Game) after(c *tablev1.Commit) {
	g.handedOver(c)
	if !g.quick {
		g.state = marshal(g.State())
	}
	g.log = append(g.log, g.decoded(c))
	made := g.r.Made()
	g.used.commit(g, c, made)
	g.sheets()
	blocking := 0
	for _, w := range g.State().Windows {
		if w.Open && !w.Standing {
			blocking++
		}
	}
	if g.r.Waiting() != (blocking > 0) || blocking > 1 {
		g.fail("waiting %v with %d prompts", g.r.Waiting(), blocking)
	}
	if !g.r.Waiting() && len(g.State().Agenda) > 0 {
		g.fail("idle with an agenda: %v", g.State().Agenda)
	}
	if g.setup.After != nil {
		g.check(g.setup.After(g, made))
	}
}

// handedOver: the events that come beside a commit are those in it, and stay so
// whatever is played later, since others read them meanwhile.
func (g *Game) handedOver(c *tablev1.Commit) {
	first := len(g.events)
	g.events = append(g.events, g.r.Made()...)
	for vis := g.visibility(); len(g.stamps) < len(g.events); {
		g.stamps = append(g.stamps, vis)
	}
	for _, run := range c.Runs {
		g.stored = append(g.stored, run.Events...)
	}
	if len(g.events) != len(g.stored) {
		g.fail("%d events were handed over, %d stored", len(g.events), len(g.stored))
	}
	if len(g.log)%32 == 0 && !g.quick {
		first = 0
	}
	for i, e := range g.events[first:] {
		if !bytes.Equal(marshal(e), g.stored[first+i]) {
			g.fail("event %d was handed over as %v, which is not what was stored", first+i+1, e)
		}
	}
}

// sheets: no resource is above its maximum, and each that has one has its band. Those
// that the setup says may be above.
func (g *Game) sheets() {
	for _, ch := range g.State().Characters {
		for _, r := range ch.Resources {
			if r.Max == nil {
				continue
			}
			if r.GetValue() > r.GetMax() && !g.setup.Above.has("resource "+r.Key) {
				g.fail("%s has %d of %d %s", ch.Id, r.GetValue(), r.GetMax(), r.Key)
			}
			if r.Band != rule.BandOf(r.GetValue(), r.GetMax()) {
				g.fail("%s: the band of %d of %d %s is %v", ch.Id, r.GetValue(), r.GetMax(), r.Key, r.Band)
			}
		}
	}
}

// between is what holds between commands: whatever can be chosen is taken.
func (g *Game) between() {
	for _, w := range g.State().Windows {
		g.choices(w)
	}
	if g.setup.Between != nil {
		g.check(g.setup.Between(g))
	}
}

// visibility is who may see what now; and while somebody goes, who might see what of
// those who are gone.
func (g *Game) visibility() *tablev1.Visibility {
	now := view.Stamp(g.Rules.Options.InForce(g.State().Options), g.State(), g.sitting())
	for _, o := range g.before.GetOwners() {
		if table.Character(g.State(), o.Character) == nil {
			now.Owners = append(now.Owners, o)
		}
	}
	return now
}

// going gives a command by which characters may leave the table.
func (g *Game) going(c *command) error {
	g.before = g.visibility()
	defer func() { g.before = nil }()
	return g.do(c)
}

// sitting are the seats as views know them.
func (g *Game) sitting() []*tablev1.Seat {
	out := make([]*tablev1.Seat, len(g.seats))
	for i, s := range g.seats {
		out[i] = &tablev1.Seat{Id: s.ID, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: s.Characters}
	}
	out[0].Role = tablev1.SeatRole_SEAT_ROLE_GM
	out[len(out)-1].Role = tablev1.SeatRole_SEAT_ROLE_OBSERVER
	return out
}

// viewer is who sits on a seat.
func (g *Game) viewer(s rule.Seat) view.Viewer {
	return view.Viewer{Seat: s.ID, GM: s.GM, Observer: s.ID == g.seats[len(g.seats)-1].ID}
}

// sees is the state as offers are made on it for a seat.
func (g *Game) sees(s rule.Seat) *rule.View {
	return &rule.View{State: view.State(g.State(), g.viewer(s), g.visibility()), Seat: s, Options: g.Rules.Options}
}

// info is a registered action.
func (g *Game) info(a *tablev1.Action) *rule.ActionInfo {
	info, _ := g.Rules.Action(a)
	return info
}

func marshal(m proto.Message) []byte {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // a text that is no UTF-8 is never committed
	}
	return b
}

func (g *Game) check(err error) {
	g.t.Helper()
	if err != nil {
		g.fail("%v", err)
	}
}

// fail says what is wrong, and how to play the game again.
func (g *Game) fail(format string, args ...any) {
	g.t.Helper()
	led := ""
	if len(g.used.led) > 0 {
		led = fmt.Sprintf(" -trial.wanted '%s'", strings.Join(g.used.led, ","))
	}
	top, _, _ := strings.Cut(g.t.Name(), "/")
	g.t.Fatalf("after command %d, commit %d: %s\nplay it again: -run '^%s$' -trial.seed %d -trial.games 1%s",
		g.number, g.r.Number(), fmt.Sprintf(format, args...), top, g.seed, led)
}
