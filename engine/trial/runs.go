package trial

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// hashEvery is after how many commits hashes are compared. The bytes of the states
// are after each: states of the same bytes have the same hash.
const hashEvery = 8

// agrees compares the table of a follower with the game's.
func (g *Game) agrees(what string, r *resolve.Resolver, always bool) {
	g.t.Helper()
	if !bytes.Equal(marshal(r.State()), marshal(g.State())) {
		g.fail("%s, the table is another:\n%v\n%v", what, r.State(), g.State())
	}
	if !slices.EqualFunc(r.DiceEpochs(), g.r.DiceEpochs(), func(x, y *tablev1.DiceEpoch) bool { return proto.Equal(x, y) }) {
		g.fail("%s, the epochs of dice are others:\n%v\n%v", what, r.DiceEpochs(), g.r.DiceEpochs())
	}
	if r.Number() != g.r.Number() || r.Waiting() != g.r.Waiting() || r.Events() != g.r.Events() {
		g.fail("%s, the table stands elsewhere", what)
	}
	if (always || g.r.Number()%hashEvery == 0) && r.Hash() != g.r.Hash() {
		g.fail("%s, the state_hash is another", what)
	}
}

// decoded is a commit as it comes from a store.
func (g *Game) decoded(c *tablev1.Commit) *tablev1.Commit {
	b, err := proto.Marshal(c)
	g.check(err)
	out := &tablev1.Commit{}
	g.check(proto.Unmarshal(b, out))
	return out
}

// reloaded plays every command on a table that was dropped and loaded anew before it:
// from the newest snapshot and the commits after it.
type reloaded struct {
	r     *resolve.Resolver
	saved []byte
	at    *tablev1.Commit   // the commit of the snapshot
	since []*tablev1.Commit // after it
}

func (b *reloaded) follow(g *Game, c *command, commit *tablev1.Commit, err error) {
	if b.r == nil {
		b.r = resolve.New(g.Rules, ids)
	}
	commit2, err2 := c.run(b.r, c.env(b.r, g.dice(c, b.r), g.events))
	if !sameError(err, err2) {
		g.fail("loaded anew, it goes otherwise: %v, not %v", err2, err)
	}
	if !proto.Equal(commit, commit2) {
		g.fail("loaded anew, it goes otherwise:\n%v\n%v", commit2, commit)
	}
	g.agrees("loaded anew before the command", b.r, false)
	if commit2 == nil {
		return
	}
	b.since = append(b.since, g.decoded(commit2))
	if saved, ok := b.r.Snapshot(); ok {
		b.saved, b.at, b.since = saved, b.since[len(b.since)-1], nil
	}
	b.r = resolve.New(g.Rules, ids)
	if b.saved != nil {
		g.check(b.r.Restore(b.saved, b.at))
	}
	for _, c := range b.since {
		g.check(b.r.Load(c))
	}
	g.agrees("loaded anew", b.r, false)
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b) && a.Error() == b.Error()
}

// folded is a table that is loaded from the log as it grows.
type folded struct{ r *resolve.Resolver }

func (f *folded) follow(g *Game, _ *command, commit *tablev1.Commit, _ error) {
	if commit == nil {
		return
	}
	if f.r == nil {
		f.r = resolve.New(g.Rules, ids)
	}
	g.check(f.r.Load(g.decoded(commit)))
	g.agrees("folded from the log", f.r, false)
}

// repeated plays each commit again, from its command and its journal. It knows of
// nothing else but the stamp that a log has, of whose each character is.
type repeated struct{ r *resolve.Resolver }

func (p *repeated) follow(g *Game, c *command, commit *tablev1.Commit, _ error) {
	if commit == nil {
		return
	}
	if p.r == nil {
		p.r = resolve.New(g.Rules, ids)
	}
	stored := g.decoded(commit)
	stored.Visibility = g.visibility()
	if err := p.r.Redo(stored, false, numbered(g.events)); err != nil {
		g.fail("played again, %v: %v", stored.Command, err)
	}
	g.agrees("played again", p.r, false)
}

// end folds the whole log once more, and has all tables agree.
func (g *Game) end() {
	whole := resolve.New(g.Rules, ids)
	for _, c := range g.log {
		g.check(whole.Load(c))
	}
	g.agrees("folded from the beginning", whole, true)
	for _, f := range g.others {
		switch f := f.(type) {
		case *reloaded:
			g.agrees("loaded anew", f.r, true)
		case *folded:
			g.agrees("folded from the log", f.r, true)
		case *repeated:
			g.agrees("played again", f.r, true)
		}
	}
}
