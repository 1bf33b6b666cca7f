package resolve_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// The seats of the table: two players and the GM.
var (
	gm    = rule.Seat{ID: "gm", GM: true}
	anna  = rule.Seat{ID: "anna", Characters: []string{"officer"}}
	bert  = rule.Seat{ID: "bert", Characters: []string{"nurse", "student"}}
	lurk  = rule.Seat{ID: "lurk"}
	given = parsed
)

// game is a table with its log as a store has it. Every command is also made on
// engines that are loaded from the bytes of the log, and from the newest snapshot
// and what follows: all must agree.
type game struct {
	t     *testing.T
	build variant
	r     *resolve.Resolver
	log   [][]byte
	last  *tablev1.Commit
	saved []byte // the newest snapshot, nil before the first
	at    int    // how much of the log it holds
}

// newGame is a table of an officer, a nurse, a student and two thugs.
func newGame(t *testing.T, options ...*tablev1.Option) *game {
	t.Helper()
	g := &game{t: t, r: resolve.New(rules(same), ids)}
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) { return r.Create(options) })
	for _, id := range []string{"officer", "nurse", "student", "thug", "thug-2"} {
		g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.AddCharacter(resolve.Env{Seat: gm}, sheet(id))
		})
	}
	return g
}

func ids(commit int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", commit, run, n) }

func sheet(id string) *tablev1.Character {
	hp := int32(12)
	c := &tablev1.Character{
		Id: id, Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Side: "pc", Audience: rule.Public,
		Resources: []*typev1.Resource{{Key: "hp", Value: &hp, Max: &hp, Audience: rule.HP}},
	}
	if id == "thug" || id == "thug-2" {
		c.Kind, c.Side = tablev1.CharacterKind_CHARACTER_KIND_NPC, "enemy"
	}
	return c
}

func action(m proto.Message) *tablev1.Action { return rule.Wrap[*tablev1.Action](m) }

func parsed(texts ...string) []dice.Given {
	var out []dice.Given
	for _, s := range texts {
		g, err := dice.ParseGiven(s)
		if err != nil {
			panic(err)
		}
		out = append(out, g)
	}
	return out
}

// dies are throws that must all be used.
func dies(texts ...string) *dice.Scripted { return dice.NewScripted(parsed(texts...)...) }

// command is something that a seat does to a table.
type command func(r *resolve.Resolver) (*tablev1.Commit, error)

// act declares an action; what it throws comes from the list.
func act(s rule.Seat, actor string, m proto.Message, throws ...string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return r.Act(resolve.Env{Seat: s, Dice: d}, actor, action(m), 0)
		})
	}
}

// answer answers the latest window of a name by a choice.
func answer(s rule.Seat, window, character, choice string, throws ...string) command {
	return reply(s, window, []resolve.SlotAnswer{{Character: character, Choice: choice}}, nil, throws...)
}

// throwBy answers a prompt for dice.
func throwBy(s rule.Seat, character, choice string, give []string, throws ...string) command {
	return reply(s, "dice", []resolve.SlotAnswer{{Character: character, Choice: choice}}, give, throws...)
}

func reply(s rule.Seat, window string, answers []resolve.SlotAnswer, give []string, throws ...string) command {
	return func(r *resolve.Resolver) (*tablev1.Commit, error) {
		w := find(r, window)
		if w == nil {
			return nil, errors.New("no window " + window)
		}
		return used(dies(throws...), func(d dice.Source) (*tablev1.Commit, error) {
			return r.Answer(resolve.Env{Seat: s, Dice: d, Given: given(give...)}, w, answers)
		})
	}
}

func used(d *dice.Scripted, f func(dice.Source) (*tablev1.Commit, error)) (*tablev1.Commit, error) {
	c, err := f(d)
	if err == nil && len(d.Left()) > 0 {
		return nil, fmt.Errorf("dice that nobody threw: %v", d.Left())
	}
	return c, err
}

func find(r *resolve.Resolver, name string) *tablev1.Window {
	for i := len(r.State().Windows) - 1; i >= 0; i-- {
		if w := r.State().Windows[i]; w.Name == name {
			return w
		}
	}
	return nil
}

// do makes a command on the table and on its loaded twin, and says how it went.
func (g *game) do(f command) error {
	g.t.Helper()
	twins := []*resolve.Resolver{g.load(g.build), g.restore(g.build)}
	before := snapshot(g.r)
	for _, twin := range twins {
		if loaded := snapshot(twin); loaded != before {
			g.t.Fatalf("loaded, the table is another:\n%v\n%v", loaded, before)
		}
	}
	c, err := f(g.r)
	for _, twin := range twins {
		c2, err2 := f(twin)
		if !sameError(err, err2) || !proto.Equal(c, c2) {
			g.t.Fatalf("on the loaded table it goes otherwise: %v, %v\n%v\n%v", err, err2, c, c2)
		}
		if live, loaded := snapshot(g.r), snapshot(twin); live != loaded {
			g.t.Fatalf("afterwards the tables are different:\n%v\n%v", live, loaded)
		}
	}
	if err != nil {
		if after := snapshot(g.r); after != before {
			g.t.Fatalf("refused (%v), but something changed:\n%v\n%v", err, before, after)
		}
		return err
	}
	stored, err := resolve.Events(c)
	if err != nil {
		g.t.Fatal(err)
	}
	if made := g.r.Made(); !slices.EqualFunc(made, stored, func(a, b *tablev1.Event) bool { return proto.Equal(a, b) }) {
		g.t.Fatalf("handed over beside the commit:\n%v\nin it:\n%v", made, stored)
	}
	b, err := proto.Marshal(c)
	if err != nil {
		g.t.Fatal(err)
	}
	g.log, g.last = append(g.log, b), c
	if saved, ok := g.r.Snapshot(); ok {
		g.saved, g.at = saved, len(g.log)
	}
	return nil
}

func (g *game) must(f command) *tablev1.Commit {
	g.t.Helper()
	if err := g.do(f); err != nil {
		g.t.Fatal(err)
	}
	return g.last
}

// refused makes a command that must be turned down for a reason.
func (g *game) refused(reason string, f command) {
	g.t.Helper()
	var why *rule.Refusal
	if err := g.do(f); !errors.As(err, &why) || why.Reason != reason {
		g.t.Fatalf("%v, want %s", err, reason)
	}
}

// load makes a table anew from the log.
func (g *game) load(v variant) *resolve.Resolver {
	g.t.Helper()
	r := resolve.New(rules(v), ids)
	for _, c := range commits(g.t, g.log) {
		if err := r.Load(c); err != nil {
			g.t.Fatal(err)
		}
	}
	return r
}

// restore makes a table anew from the newest snapshot and the rest of the log.
func (g *game) restore(v variant) *resolve.Resolver {
	g.t.Helper()
	r := resolve.New(rules(v), ids)
	all := commits(g.t, g.log)
	if g.saved != nil {
		if err := r.Restore(g.saved, all[g.at-1]); err != nil {
			g.t.Fatal(err)
		}
	}
	for _, c := range all[g.at:] {
		if err := r.Load(c); err != nil {
			g.t.Fatal(err)
		}
	}
	return r
}

func commits(t *testing.T, log [][]byte) []*tablev1.Commit {
	t.Helper()
	out := make([]*tablev1.Commit, len(log))
	for i, b := range log {
		out[i] = &tablev1.Commit{}
		if err := proto.Unmarshal(b, out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// event is a stored event by its sequence number.
func (g *game) event(sequence int64) *tablev1.Event {
	for _, c := range commits(g.t, g.log) {
		events, err := resolve.Events(c)
		if err != nil {
			g.t.Fatal(err)
		}
		if i := sequence - c.FirstEvent; i >= 0 && i < int64(len(events)) {
			return events[i]
		}
	}
	return nil
}

// names are the names of a commit's events.
func names(t *testing.T, c *tablev1.Commit) []string {
	t.Helper()
	events, err := resolve.Events(c)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range events {
		out = append(out, e.Name)
	}
	return out
}

// journal are the entries of a commit in short: dice, answer or injected, and the label.
func journal(c *tablev1.Commit) []string {
	out := []string{}
	for _, run := range c.Runs {
		for _, e := range run.Journal {
			switch {
			case e.GetDice() != nil && e.Asked:
				out = append(out, "asked "+e.Label)
			case e.GetDice() != nil:
				out = append(out, "dice "+e.Label)
			case e.GetAnswer() != nil:
				out = append(out, "answer "+e.Label)
			default:
				out = append(out, "injected")
			}
		}
	}
	return out
}

func (g *game) hp(who string) int32 {
	return table.Resource(table.Character(g.r.State(), who), "hp").GetValue()
}

func (g *game) wantNames(want ...string) {
	g.t.Helper()
	if got := names(g.t, g.last); !reflect.DeepEqual(got, want) {
		g.t.Errorf("events %v, want %v", got, want)
	}
}

func (g *game) wantJournal(want ...string) {
	g.t.Helper()
	if got := journal(g.last); !reflect.DeepEqual(got, want) {
		g.t.Errorf("journal %v, want %v", got, want)
	}
}

// shot is all of a table that can be seen from outside.
type shot struct {
	state, hash    string
	number, events int64
	waiting        bool
}

func snapshot(r *resolve.Resolver) shot {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(r.State())
	if err != nil {
		panic(err)
	}
	return shot{string(b), r.Hash(), r.Number(), r.Events(), r.Waiting()}
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b) && a.Error() == b.Error()
}
