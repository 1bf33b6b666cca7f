package resolve_test

import (
	"encoding/hex"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

func seeds(n byte) resolve.Seeds { return resolve.Seeds{Open: [32]byte{n}, Secret: [32]byte{n, 1}} }

// epochs has the dice of a table begin.
func epochs(g *game) *game {
	g.t.Helper()
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.RotateDice(resolve.Env{}, resolve.Rotation{Commitments: []*tablev1.DiceEpoch{
			resolve.Commitment("t", 1, seeds(1)), resolve.Commitment("t", 2, seeds(2)),
		}})
	})
	return g
}

// places are where the dice of the last command stand.
func (g *game) places() []dice.Place {
	g.t.Helper()
	var out []dice.Place
	for _, e := range g.r.Made() {
		for _, d := range e.Dice {
			out = append(out, resolve.PlaceOf(d))
		}
	}
	return out
}

// A die is open if everybody sees it when it falls, and secret if not; each stream
// counts by itself.
func TestStreams(t *testing.T) {
	g := epochs(newGame(t))
	hidden := &tablev1.Option{Key: "npc_dice", Value: "hidden"}
	roll := func(actor, formula string, a typev1.Audience) command {
		return func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.Roll(liveEnv(r), resolve.Roll{Actor: actor, Formula: formula, Audience: a})
		}
	}
	spotted := func(actor string) command { return live(gm, actor, &cocv1.Check{Skill: "spot"}) }
	for _, c := range []struct {
		name string
		do   command
		want dice.Place
	}{
		{"a check", spotted("officer"), dice.Place{Stream: dice.Open, Epoch: 1, Number: 0}},
		{"in secret", roll("officer", "1D20", rule.GM), dice.Place{Stream: dice.Secret, Epoch: 1, Number: 0}},
		{"an NPC's", spotted("thug"), dice.Place{Stream: dice.Open, Epoch: 1, Number: 1}},
		{"for the GM", live(gm, "officer", &cocv1.Check{Skill: "apart"}), dice.Place{Stream: dice.Secret, Epoch: 1, Number: 1}},
		{"a roll", roll("officer", "3D6", 0), dice.Place{Stream: dice.Open, Epoch: 1, Number: 2}},
		{"a roll for oneself", roll("officer", "2D6", rule.Owner), dice.Place{Stream: dice.Secret, Epoch: 1, Number: 3}},
		{"the table's", roll("", "1D6", rule.Public), dice.Place{Stream: dice.Open, Epoch: 1, Number: 5}},
		{"npc_dice", func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.SetOptions(resolve.Env{Seat: gm}, []*tablev1.Option{hidden})
		}, dice.Place{}},
		{"an NPC's, hidden", spotted("thug"), dice.Place{Stream: dice.Secret, Epoch: 1, Number: 5}},
		{"after it", spotted("nurse"), dice.Place{Stream: dice.Open, Epoch: 1, Number: 6}},
	} {
		g.must(c.do)
		got := g.places()
		if c.want.Stream == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Whoever throws by hand may let the server roll: that is decided when the step goes
// on, and the die is as open as any.
func TestServerRolls(t *testing.T) {
	g := epochs(newGame(t, byHand("all")))
	g.must(live(anna, "officer", &cocv1.Check{Skill: "spot"}))
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.Answer(liveEnv(r), r.State().Windows[0], []resolve.SlotAnswer{{Character: "officer", Choice: "server_rolls"}})
	})
	if got := g.places(); len(got) != 1 || got[0] != (dice.Place{Stream: dice.Open, Epoch: 1}) {
		t.Errorf("%v", got)
	}
}

// Shares come into the epoch that begins with them, and all that is revealed is what
// was committed.
func TestRotateDice(t *testing.T) {
	g := newGame(t)
	give := func(seat, text string) command {
		return func(r *resolve.Resolver) (*tablev1.Commit, error) {
			return r.GiveDiceShare(resolve.Env{Seat: rule.Seat{ID: seat}}, text)
		}
	}
	g.refused("NOT_FOUND", give("ann", "x"))
	epochs(g)
	for _, s := range [][2]string{{"ben", "b"}, {"ann", "a"}, {"ben", "c"}} {
		g.must(give(s[0], s[1]))
	}
	g.must(live(gm, "officer", &cocv1.Check{Skill: "spot"}))
	closing := resolve.Rotation{
		OpenSeed: seeds(1).Open, SecretSeeds: map[int32][32]byte{1: seeds(1).Secret},
		Commitments: []*tablev1.DiceEpoch{resolve.Commitment("t", 3, seeds(3))},
	}
	g.must(func(r *resolve.Resolver) (*tablev1.Commit, error) {
		return r.RotateDice(resolve.Env{Seat: gm}, closing)
	})
	all := g.r.DiceEpochs()
	mix := hex.EncodeToString(dice.Mix([]dice.Share{{Seat: "ann", Text: "a"}, {Seat: "ben", Text: "c"}}))
	seed := seeds(1)
	if len(all) != 3 || all[0].OpenDice != 1 || all[0].OpenSeed != hex.EncodeToString(seed.Open[:]) || all[0].SecretSeed != hex.EncodeToString(seed.Secret[:]) ||
		all[1].ClientMix != mix || g.r.DiceEpoch().Epoch != 2 || g.r.DiceClosed() != 1 {
		t.Errorf("%v", all)
	}
	open, secret, err := g.r.Sources(seeds(2))
	if err != nil || open.Number != 0 || secret.Number != 0 || hex.EncodeToString(open.ClientMix) != mix || open.Epoch != 2 {
		t.Errorf("%v, %v", open, err)
	}
}
