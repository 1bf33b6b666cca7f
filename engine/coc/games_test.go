package coc_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	"github.com/hantei/hantei/engine/view"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// defaultGames are enough for nearly every action and prompt to occur.
const defaultGames = 50

var (
	games    = flag.Int("games", gamesAtOnce, "random games to play")
	gameSeed = flag.Uint64("game-seed", 700, "seed of the first random game")
)

// moreGames is how often as many games are played again while something has not
// occurred that can.
const moreGames = 8

// TestGames plays random games to see that what holds for every table always
// holds, whatever is done: see after. All is drawn from seeds, so a game that
// fails can be played again: go test -run TestGames -game-seed N -games 1.
func TestGames(t *testing.T) {
	rules, err := coc.New(coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for round := range moreGames {
		playGames(t, rules, *gameSeed+uint64(round**games), seen)
		if t.Failed() || *games < defaultGames {
			return // too few for everything to occur
		}
		if len(unseen(rules, seen)) == 0 {
			break
		}
	}
	for _, what := range unseen(rules, seen) {
		t.Errorf("no game had the %s", what)
	}
	if testing.Verbose() {
		for _, k := range sorted(seen) {
			t.Logf("%6d %s", seen[k], k)
		}
	}
}

// playGames plays games from a seed on, and counts what occurs in them.
func playGames(t *testing.T, rules *rule.Ruleset, first uint64, seen map[string]int) {
	all := make([]map[string]int, *games)
	t.Run("play", func(t *testing.T) {
		for n := range all {
			seed := first + uint64(n)
			all[n] = make(map[string]int)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel() // tables share a ruleset, and nothing else
				newRandomGame(t, rules, seed, all[n]).play(70)
			})
		}
	})
	for _, one := range all {
		for what, times := range one {
			seen[what] += times
		}
	}
}

// unseen are the actions and prompts of a ruleset that did not occur.
func unseen(rules *rule.Ruleset, seen map[string]int) []string {
	var out []string
	for _, a := range rules.Actions() {
		if what := "action " + a.Name; seen[what] == 0 {
			out = append(out, what)
		}
	}
	for _, p := range rules.Prompts() {
		if what := "prompt " + p.Name; seen[what] == 0 {
			out = append(out, what)
		}
	}
	return out
}

// TestTurnLostByOneself: whoever falls unconscious in the own turn ends it at once
// (COC-CMB-06), also by a fumble of First Aid on oneself. The games found it.
func TestTurnLostByOneself(t *testing.T) {
	r := fight(t)
	hp := table.Resource(table.Character(r.State(), "officer"), "hp")
	wound := rule.SetPart("officer", rule.Wrap[*tablev1.Part](&cocv1.Wound{Id: 1, Amount: 11}))
	if _, err := r.Fixture(rule.SetResource("officer", hp, 3), wound); err != nil {
		t.Fatal(err)
	}
	aid := rule.Wrap[*tablev1.Action](&cocv1.FirstAid{Target: "officer", Wound: 1})
	env := resolve.Env{Seat: rule.Seat{GM: true}, Dice: given(t, "1D100=98")}
	if _, err := r.Act(env, "officer", aid, 0); err != nil {
		t.Fatal(err)
	}
	if turn := r.State().Encounter.Turn; !slices.Equal(turn, []string{"thug"}) {
		t.Errorf("it is the turn of %v", turn)
	}
}

// TestCoverForTheTable: the GM may answer for the table (""), who is not asked to
// cover; that is refused like anybody else. The games found a nil there.
func TestCoverForTheTable(t *testing.T) {
	r := fight(t)
	thug := table.Character(r.State(), "thug-2")
	side := proto.Clone(thug).(*tablev1.Character)
	side.Side = table.Character(r.State(), "thug").Side
	if _, err := r.Fixture(rule.AddCharacter(side)); err != nil {
		t.Fatal(err)
	}
	env := resolve.Env{Seat: rule.Seat{GM: true}, Dice: given(t, "1D100=44")}
	if _, err := r.Act(env, "officer", rule.Wrap[*tablev1.Action](&cocv1.Attack{Weapon: "baton", Target: "thug"}), 0); err != nil {
		t.Fatal(err)
	}
	w := prompt.Named(r.State().Windows, "cover")
	_, err := r.Answer(env, w, []resolve.SlotAnswer{{Answer: rule.Wrap[*tablev1.Answer](&cocv1.Cover{Cover: true})}})
	if why := (*rule.Refusal)(nil); !errors.As(err, &why) || why.Reason != "BAD_TARGET" {
		t.Errorf("%v", err)
	}
}

func sorted(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// randomGame is a table with a twin that is loaded from the log as it grows.
type randomGame struct {
	t    *testing.T
	rand *rand.Rand
	seed uint64
	seen map[string]int

	r, twin   *resolve.Resolver
	log       [][]byte
	state     string // the bytes of the state
	seats     []rule.Seat
	old       []*tablev1.Offer // offered at some time
	rolls     []int64          // sequence numbers of attack rolls
	cancelled bool             // the GM has cancelled a step
	policies  []*tablev1.Policy
	made      []*tablev1.Event      // as they were handed over beside the commits
	stored    [][]byte              // the same, as they stand in the log
	stamps    []*tablev1.Visibility // before each commit
	now       *tablev1.Visibility
}

func gameIDs(commit int64, run, n int32) string { return fmt.Sprintf("w%d.%d.%d", commit, run, n) }

// gameSamples are who plays. They are not all of the pack, so that one sample more
// there does not make other games of the same seeds.
var gameSamples = []string{"officer", "nurse", "student", "thug", "cultist", "star_thing"}

func newRandomGame(t *testing.T, rules *rule.Ruleset, seed uint64, seen map[string]int) *randomGame {
	g := &randomGame{
		t: t, rand: rand.New(rand.NewPCG(seed, 0)), seed: seed, seen: seen,
		r: resolve.New(rules, gameIDs), twin: resolve.New(rules, gameIDs),
	}
	g.must(g.r.Create(g.options(), resolve.Commitment("game", 1, g.gameSeeds()), resolve.Commitment("game", 2, g.gameSeeds())))
	count := map[string]int{}
	for i := range 3 + g.rand.IntN(4) {
		id := gameSamples[g.rand.IntN(len(gameSamples))]
		if i < 2 { // somebody on each side
			id = []string{"officer", "thug"}[i]
		}
		ch, refusal := rules.FromSample(id)
		if refusal != nil {
			t.Fatal(refusal)
		}
		if count[id]++; count[id] > 1 {
			ch.Id = fmt.Sprintf("%s-%d", id, count[id])
		}
		g.vary(ch)
		g.must(g.r.AddCharacter(resolve.Env{Seat: rule.Seat{ID: "gm", GM: true}}, ch))
	}
	novice := rules.FromDraft()
	novice.Id, novice.Name, novice.Side, novice.Audience = "novice", "Novice", "pc", rule.Public
	novice.Kind, novice.Review, novice.Drafted = tablev1.CharacterKind_CHARACTER_KIND_PC, tablev1.Review_REVIEW_DRAFT, true
	g.must(g.r.AddCharacter(resolve.Env{Seat: rule.Seat{ID: "gm", GM: true}}, novice))
	anna, bert := rule.Seat{ID: "anna"}, rule.Seat{ID: "bert"}
	for i, c := range g.r.State().Characters {
		switch {
		case c.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC:
		case i%2 == 0:
			anna.Characters = append(anna.Characters, c.Id)
		default:
			bert.Characters = append(bert.Characters, c.Id)
		}
	}
	g.seats = []rule.Seat{{ID: "gm", GM: true}, anna, bert, {ID: "lurk"}}
	g.now = g.visibility()
	return g
}

// options are random switches, with what is rare made common in half of the games.
func (g *randomGame) options() []*tablev1.Option {
	var out []*tablev1.Option
	for _, o := range g.r.Rules().Options.All() {
		set := &tablev1.Option{Key: o.Key, Value: o.Default}
		switch {
		case o.Key == "crit" && g.chance(2):
			set.Value = pick(g, []string{"40", "60"})
		case o.Key == "fumble" && g.chance(2):
			set.Value = pick(g, []string{"50", "70"})
		case o.Key == rule.Paused, o.Key == rule.DeadlineGM, o.Key == rule.DeadlinePlayer:
		case o.Key == "given_dice" && !g.chance(4), o.Key == "growth_cap" && !g.chance(4):
		case len(o.Values) > 0 && g.chance(2):
			set.Value = o.Values[g.rand.IntN(len(o.Values))]
		case len(o.Values) == 0 && o.Max < 1000 && o.Key != "crit" && o.Key != "fumble" && g.chance(3):
			set.Value = fmt.Sprint(min(o.Min+int32(g.rand.IntN(3)), o.Max))
		}
		if set.Value != o.Default {
			out = append(out, set)
		}
	}
	return out
}

// vary makes a sheet one of its own.
func (g *randomGame) vary(ch *tablev1.Character) {
	if g.chance(4) {
		ch.Review = tablev1.Review_REVIEW_SUBMITTED
	}
	if g.chance(8) {
		ch.Side = "pc"
	}
	if g.chance(5) {
		hp := table.Resource(ch, "hp")
		*hp.Value = 1 + int32(g.rand.IntN(int(hp.GetMax())))
		hp.Band = rule.BandOf(hp.GetValue(), hp.GetMax())
	}
	if g.chance(2) {
		for _, key := range []string{"dodge", "fist", "knife", "club", "handgun", "claw"} {
			if skill := table.Stat(ch, key); skill != nil {
				*skill.Value = 90
			}
		}
	}
	if g.chance(2) {
		ch.Details.GetCoc().Belongings = &cocv1.Belongings{Artifacts: []string{"a mirror"}, Spells: []string{"a song"}, Settings: []string{"heir", "a scar"}}
	}
	body := ch.Details.GetCoc().Body
	if g.chance(8) {
		body.InstantDeath = proto.Bool(true)
	}
	if g.chance(8) {
		body.AttacksPerRound = proto.Int32(2)
	}
	for _, w := range ch.Details.GetCoc().Weapons {
		if w.Durability != nil && g.chance(3) {
			w.InHand, w.Ready = false, false
		}
	}
}

func (g *randomGame) chance(in int) bool { return g.rand.IntN(in) == 0 }

func pick[V any](g *randomGame, all []V) V { return all[g.rand.IntN(len(all))] }

// play makes so many commands, each at random.
func (g *randomGame) play(commands int) {
	for range commands {
		g.canGoOn()
		switch n := g.rand.IntN(20); {
		case n == 0:
			g.mischief()
		case n == 1:
			g.badAnswer()
		case n == 2:
			g.lever()
		case n == 3 && g.answerOne(true):
		case g.answerOne(false):
		case n < 7 && g.create():
		case n >= 17 && n < 19:
			g.mind()
		case n < 6 && g.r.State().Encounter == nil, n == 19 && g.chance(4):
			g.typed()
		default:
			g.takeOffer()
		}
	}
	g.canGoOn()
	for _, seat := range g.seats {
		g.offers(seat)
	}
	again, redone := resolve.New(g.r.Rules(), gameIDs), resolve.New(g.r.Rules(), gameIDs)
	for i, b := range g.log {
		g.load(again, b)
		c := &tablev1.Commit{}
		g.check(proto.Unmarshal(b, c))
		c.Visibility = g.stamps[i]
		g.check(redone.Redo(c, false, g.past))
	}
	if stateBytes(redone) != g.state {
		g.fail("carried out again, the commands make another table")
	}
	if stateBytes(again) != g.state || again.Hash() != g.r.Hash() {
		g.fail("loaded from the beginning, the table is another")
	}
}

// takeOffer has a seat take one of its offers: first a kind of action, then one of
// it. In a fight it is mostly the turn holder who acts, and mostly he fights.
func (g *randomGame) takeOffer() {
	seat := g.seats[g.rand.IntN(3)]
	var all []*tablev1.Offer
	if e := g.r.State().Encounter; e != nil && len(e.Turn) > 0 && !g.chance(5) {
		seat = g.controller(e.Turn[0])
		all = g.turnOffers(seat, e.Turn[0])
	} else {
		all = g.offers(seat)
	}
	var kinds []string
	offers := make(map[string][]*tablev1.Offer)
	for _, o := range all {
		if !o.Possible || o.Form {
			continue
		}
		name := g.info(o.Action).Name
		if offers[name] == nil {
			kinds = append(kinds, name)
		}
		offers[name] = append(offers[name], o)
	}
	if len(kinds) == 0 {
		return
	}
	kind := pick(g, kinds)
	if g.chance(3) { // what is rare comes to its right
		kind = slices.MinFunc(kinds, func(a, b string) int { return g.seen["action "+a] - g.seen["action "+b] })
	}
	for _, fight := range []string{"end_turn", "attack", "shoot"} {
		if offers[fight] != nil && !g.chance(3) {
			kind = fight
		}
	}
	if kind == "end_combat" && !g.chance(4) {
		return
	}
	o := pick(g, offers[kind])
	action, refusal := resolve.Take(o, g.values(o.Inputs))
	if refusal != nil {
		g.fail("offer %v: %v", o, refusal)
	}
	audience := typev1.Audience_AUDIENCE_UNSPECIFIED
	if g.info(o.Action).Name == "check" && g.chance(4) {
		audience = rule.GM
	}
	if err := g.act(seat, o.Actor, action, audience, nil); err != nil {
		g.fail("%s takes %v with %v: %v", seat.ID, o.Label, action, err)
	}
}

// create goes on with the making of a draft: with any of what its player is offered
// for it, a kind first. It reports whether there is a draft.
func (g *randomGame) create() bool {
	for _, ch := range g.r.State().Characters {
		if ch.Review != tablev1.Review_REVIEW_DRAFT {
			continue
		}
		seat := g.controller(ch.Id)
		byKind := make(map[string][]*tablev1.Offer)
		var kinds []string
		for _, o := range g.turnOffers(seat, ch.Id) {
			name := g.info(o.Action).Name
			if !o.Possible || name == "submit" && !g.chance(6) {
				continue
			}
			if byKind[name] == nil {
				kinds = append(kinds, name)
			}
			byKind[name] = append(byKind[name], o)
		}
		if len(kinds) == 0 {
			return true // nothing is left but to submit it, some other time
		}
		o := pick(g, byKind[pick(g, kinds)])
		action, refusal := resolve.Take(o, g.values(o.Inputs))
		if refusal != nil {
			g.fail("offer %v: %v", o, refusal)
		}
		if err := g.act(seat, ch.Id, action, 0, nil); err != nil {
			g.fail("%s makes %s by %v with %v: %v", seat.ID, ch.Id, o.Label, action, err)
		}
		return true
	}
	return false
}

// typed sends what no offer fits: it is made here so that it is legal.
func (g *randomGame) typed() {
	gm := g.seats[0]
	var m proto.Message
	switch s := g.r.State(); {
	case s.Encounter == nil && !g.chance(8):
		start := &cocv1.StartCombat{Notes: "in the dark"}
		for _, c := range s.Characters {
			if c.Review == tablev1.Review_REVIEW_APPROVED && table.Status(c, "dead") == nil {
				start.Combatants = append(start.Combatants, c.Id)
			}
		}
		if len(start.Combatants) == 0 {
			return
		}
		if g.chance(2) {
			for i, id := range start.Combatants {
				start.Positions = append(start.Positions, &cocv1.Placement{Character: id, Square: &typev1.Square{X: int32(i % 2), Y: int32(i / 2)}})
			}
		}
		m = start
	case s.Encounter != nil && g.chance(3):
		m = &cocv1.EndCombat{}
	case g.chance(2):
		m = &tablev1.EndScene{}
	default:
		c := pick(g, s.Characters)
		if table.Status(c, "dead") != nil {
			return
		}
		m = &cocv1.Week{Character: c.Id}
	}
	if err := g.act(gm, "", rule.Wrap[*tablev1.Action](m), 0, nil); err != nil {
		g.fail("%v: %v", m, err)
	}
}

// mind drives somebody mad, or has madness treated, or ends a scenario and rolls for
// growth: what chance alone would seldom lead to.
func (g *randomGame) mind() {
	s := g.r.State()
	var offers [3][]*tablev1.Offer
	for i := range offers {
		offers[i] = g.offers(g.seats[i])
	}
	for _, kind := range []string{"physical_psychoanalysis", "growth_roll", "psychoanalysis", "declare_growth"} {
		for i, seat := range g.seats[:3] {
			for _, o := range offers[i] {
				if !o.Possible || g.info(o.Action).Name != kind || o.Action.GetCoc().GetPsychoanalysis().GetTherapy() || g.chance(3) {
					continue
				}
				a, _ := resolve.Take(o, g.values(o.Inputs))
				if err := g.act(seat, o.Actor, a, 0, nil); err != nil {
					g.fail("%v: %v", a, err)
				}
				return
			}
		}
	}
	var m proto.Message = &cocv1.EndScenario{}
	if c := pick(g, s.Characters); !g.chance(3) {
		if c.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC && !g.chance(4) {
			c = table.Character(s, "officer")
		}
		if c == nil || c.Review != tablev1.Review_REVIEW_APPROVED || table.Status(c, "dead") != nil || table.Status(c, "perm_insane") != nil {
			return
		}
		m = &cocv1.SanCheck{Targets: []string{c.Id}, Loss: pick(g, []string{"1/1D8", "6/8", "9/11"})}
	}
	if err := g.act(g.seats[0], "", rule.Wrap[*tablev1.Action](m), 0, nil); err != nil {
		g.fail("%v: %v", m, err)
	}
}

// lever is what the GM may do at any time.
func (g *randomGame) lever() {
	if g.opens("cover", "defend") && g.chance(2) {
		g.treatAsCritical()
		return
	}
	if g.r.Waiting() && g.chance(3) {
		if err := g.act(g.seats[0], "", rule.Wrap[*tablev1.Action](&tablev1.CancelStep{}), 0, nil); err != nil {
			g.fail("cancel_step: %v", err)
		}
		g.cancelled = true
		return
	}
	if g.chance(5) {
		g.setOptions()
		return
	}
	if g.chance(4) {
		g.roll()
		return
	}
	if g.chance(4) {
		g.setPolicies()
		return
	}
	if g.chance(3) {
		g.revise()
		return
	}
	who := pick(g, g.r.State().Characters).Id
	var m proto.Message
	switch g.rand.IntN(9) {
	case 6:
		m = &tablev1.Override{Character: who, Reason: "it was dark", Operation: &tablev1.Operation{
			Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "mp", Value: proto.Int32(1)}},
		}}
	case 7:
		m = &cocv1.OverrideCheck{
			Character: who, Action: pick(g, []string{"attack", "check", "combined", "san_check", "physical_psychoanalysis"}),
			Result: cocv1.CheckGrade(1 + g.rand.IntN(4)),
		}
	case 8:
		m = &cocv1.San{Character: who, Delta: int32(g.rand.IntN(41) - 25)}
		if table.Status(table.Character(g.r.State(), who), "dead") != nil {
			return
		}
	case 0:
		m = &tablev1.Note{Text: "a note"}
	case 1:
		m = &tablev1.Modify{Character: who, Value: int32(g.rand.IntN(61) - 30), AppliesTo: pick(g, []string{"", "dodge", "dex"})}
	case 2:
		m = &cocv1.RpPoints{Character: who, N: 3}
	case 3:
		if g.opens("cover", "fumble_mild") {
			return // who was in reach when he was asked may be out of it now: that is refused
		}
		m = &tablev1.Place{Character: who}
		if table.Character(g.r.State(), who).Position != nil {
			m = &tablev1.Place{Character: who, Square: &typev1.Square{X: int32(g.rand.IntN(4)), Y: int32(g.rand.IntN(4))}}
		}
	case 4:
		m = &cocv1.RpBonus{Character: who, Skill: "persuade", N: 10}
		if table.Stat(table.Character(g.r.State(), who), "persuade") == nil {
			return
		}
	default:
		g.treatAsCritical()
		return
	}
	if err := g.act(g.seats[0], "", rule.Wrap[*tablev1.Action](m), 0, nil); err != nil {
		g.fail("%v: %v", m, err)
	}
}

// roll throws dice that no rule asks for, and may reveal them.
func (g *randomGame) roll() {
	seat := g.seats[g.rand.IntN(3)]
	roll := resolve.Roll{Formula: pick(g, []string{"1D100", "2D6+3", "-1D4+1D6"}), Text: "luck"}
	if len(seat.Characters) > 0 {
		roll.Actor = pick(g, seat.Characters)
	}
	if table.Character(g.r.State(), roll.Actor) == nil {
		roll.Actor = "" // it has left the table
	}
	if !g.r.View(seat).Controls(roll.Actor) {
		seat = g.seats[0] // a symptom has the keeper decide
	}
	if g.chance(2) {
		roll.Audience = rule.GM
	}
	env, _ := g.env(seat, nil)
	c, err := g.r.Roll(env, roll)
	g.must(c, err)
	if roll.Audience != rule.GM || g.chance(2) {
		return
	}
	reveal := &tablev1.Reveal{EventId: fmt.Sprint(c.FirstEvent)}
	if err := g.act(g.seats[0], "", rule.Wrap[*tablev1.Action](reveal), 0, nil); err != nil {
		g.fail("reveal: %v", err)
	}
}

// setOptions has the GM change the table's switches, whatever waits. What needs a
// replay that is not the same freezes the step, and the game fails.
func (g *randomGame) setOptions() {
	set := g.options()
	if len(set) == 0 {
		return
	}
	g.must(g.r.SetOptions(resolve.Env{Seat: g.seats[0]}, set))
}

// revise has somebody change a sheet, or the GM remove a character, whatever waits.
// What asks for the present body or stats again when it is answered is left alone
// meanwhile: an answer that was offered may be refused then.
func (g *randomGame) revise() {
	seat, ch := g.seats[0], pick(g, g.r.State().Characters)
	if owner := g.controller(ch.Id); g.chance(3) && ch.Kind == tablev1.CharacterKind_CHARACTER_KIND_PC {
		seat = owner
	}
	if g.chance(6) && len(g.r.State().Characters) > 3 {
		c, err := g.r.RemoveCharacter(resolve.Env{Seat: g.seats[0]}, ch.Id)
		if err == nil {
			g.after(c)
		}
		g.refusalOrNil(err)
		return
	}
	u := &tablev1.UpdateSheet{Character: ch.Id}
	switch g.rand.IntN(6) {
	case 0:
		u.Name = proto.String(fmt.Sprint("Name ", g.rand.IntN(100)))
	case 1:
		for _, key := range []string{"str", "con", "pow", "siz"} {
			u.Stats = append(u.Stats, &tablev1.StatInput{Key: key, Value: 3 + int32(g.rand.IntN(16))})
		}
	case 2:
		top := 1 + int32(g.rand.IntN(20))
		u.Resources = []*tablev1.ResourceInput{{Key: "hp", Max: &top}}
	case 3:
		u.Gear = &tablev1.GearInput{Ids: pick(g, [][]string{nil, {"knife"}, {"baton", "claw"}, {"fist", "handgun", "knife"}})}
	case 4:
		u.Stats = []*tablev1.StatInput{{Key: pick(g, []string{"dodge", "dex", "knife", "first_aid"}), Value: int32(g.rand.IntN(100))}}
	default:
		if g.r.Waiting() {
			return
		}
		u.Details = &tablev1.Details{Ruleset: &tablev1.Details_Coc{Coc: &cocv1.Details{Body: &cocv1.Body{Extraterrestrial: proto.Bool(g.chance(2))}}}}
	}
	if g.chance(5) && seat.GM {
		u.Review = pick(g, []tablev1.Review{tablev1.Review_REVIEW_APPROVED, tablev1.Review_REVIEW_REJECTED})
	}
	c, err := g.r.UpdateCharacter(resolve.Env{Seat: seat}, u)
	if c != nil {
		g.after(c)
	}
	if why := (*rule.Refusal)(nil); errors.As(err, &why) && why.Reason != "PROMPT_PENDING" && why.Reason != "IN_ENCOUNTER" && why.Reason != "MADE_BY_THE_RULES" {
		g.fail("%v: %v", u, err)
	}
	g.refusalOrNil(err)
}

// opens reports whether a prompt of one of these names is open.
func (g *randomGame) opens(names ...string) bool {
	return slices.ContainsFunc(g.r.State().Windows, func(w *tablev1.Window) bool { return w.Open && slices.Contains(names, w.Name) })
}

// treatAsCritical is taken only while the attack's prompt is open, of a success.
func (g *randomGame) treatAsCritical() {
	if len(g.rolls) == 0 {
		return
	}
	id := fmt.Sprint(g.rolls[len(g.rolls)-1])
	err := g.act(g.seats[0], "", rule.Wrap[*tablev1.Action](&cocv1.TreatAsCritical{RollId: id}), 0, nil)
	g.refusalOrNil(err)
}

// answerOne answers an open slot with a possible choice. It reports whether there was one.
func (g *randomGame) answerOne(standing bool) bool {
	for _, w := range g.r.State().Windows {
		if !w.Open || w.Standing != standing {
			continue
		}
		var open []*tablev1.Slot
		for _, s := range w.Slots {
			if s.State == tablev1.SlotState_SLOT_STATE_OPEN {
				open = append(open, s)
			}
		}
		slot := pick(g, open)
		seat := g.controller(slot.Character)
		var possible []*tablev1.PromptChoice
		for _, c := range slot.Choices {
			if c.Possible {
				possible = append(possible, c)
			}
		}
		if len(possible) == 0 {
			g.fail("nothing can be answered to %v", w)
		}
		c := pick(g, possible)
		if last := possible[len(possible)-1]; w.Name == "defend" && !g.chance(4) {
			c = last // a parry, with a knife if there is one
		}
		a := resolve.SlotAnswer{Character: slot.Character, Choice: c.Id, Values: g.values(c.Inputs)}
		var given []dice.Given
		if w.Kind == tablev1.WindowKind_WINDOW_KIND_DICE && g.chance(2) {
			a.Choice, a.Values = "", nil
			d, _ := dice.Parse(w.Dice)
			given = []dice.Given{{Dice: d, Total: d.Min() + int32(g.rand.IntN(int(d.Max()-d.Min())+1))}}
		}
		if err := g.answer(seat, w, []resolve.SlotAnswer{a}, given); err != nil {
			g.fail("%s answers %s with %v: %v", seat.ID, w.Name, a, err)
		}
		return true
	}
	return false
}

// mischief sends any action that was ever offered, by anybody, filled in anyhow.
func (g *randomGame) mischief() {
	if len(g.old) == 0 {
		return
	}
	o := pick(g, g.old)
	action := proto.Clone(o.Action).(*tablev1.Action)
	if filled, refusal := resolve.Take(o, g.values(o.Inputs)); refusal == nil {
		action = filled
	}
	if o := action.GetCore().GetOverride(); o != nil {
		o.Operation = &tablev1.Operation{Operation: &tablev1.Operation_Stat{Stat: &tablev1.StatInput{Key: pick(g, []string{"spot", "hp", ""}), Value: 40}}}
	}
	switch a := action.GetCoc().GetAction().(type) {
	case *cocv1.Action_Attack:
		a.Attack.Target = g.anybody()
		a.Attack.UsePlus10 = g.chance(2)
	case *cocv1.Action_Shoot:
		a.Shoot.Target = g.anybody()
	case *cocv1.Action_FirstAid:
		a.FirstAid.Wound = int32(g.rand.IntN(4))
	case *cocv1.Action_Check:
		a.Check.UsePlus10 = g.chance(2)
	case *cocv1.Action_Psychoanalysis:
		a.Psychoanalysis.Target = g.anybody()
	case *cocv1.Action_PhysicalPsychoanalysis:
		a.PhysicalPsychoanalysis.Target, a.PhysicalPsychoanalysis.Skill = g.anybody(), pick(g, []string{"fist", "spot", ""})
	case *cocv1.Action_Opposed:
		a.Opposed.Target, a.Opposed.TargetSkill = g.anybody(), pick(g, []string{"spot", "luck", "none"})
	case *cocv1.Action_Resistance:
		a.Resistance.Target, a.Resistance.TargetCharacteristic = g.anybody(), pick(g, []string{"str", "spot"})
	case *cocv1.Action_SanCheck:
		a.SanCheck.Targets, a.SanCheck.Loss = []string{g.anybody(), g.anybody()}, pick(g, []string{"1/1D6", "1D6", "1/-1D6", "x/y"})
	case *cocv1.Action_GrowthRoll:
		a.GrowthRoll.Mark = pick(g, []string{a.GrowthRoll.Mark, "critical.spot", ""})
	case *cocv1.Action_Draw:
		a.Draw.Weapon = pick(g, []string{"fist", "knife", "nothing", ""})
	}
	actor := o.Actor
	if g.chance(3) {
		actor = g.anybody()
	}
	var given []dice.Given
	if g.chance(4) {
		given = []dice.Given{{Dice: dice.Dice{Count: 1, Sides: 100}, Total: 44}}
	}
	g.refusalOrNil(g.act(pick(g, g.seats), actor, action, 0, given))
}

func (g *randomGame) anybody() string {
	if g.chance(4) {
		return pick(g, []string{"", "nobody"})
	}
	return pick(g, g.r.State().Characters).Id
}

// badAnswer answers any window, by anybody, with anything.
func (g *randomGame) badAnswer() {
	if len(g.r.State().Windows) == 0 {
		return
	}
	w := pick(g, g.r.State().Windows)
	a := resolve.SlotAnswer{Character: g.anybody()}
	if g.chance(2) {
		a.Choice = pick(g, []string{"none", "dodge", "cover", "treat", "roll", "server_rolls", "move", "check", "yes"})
		if g.chance(2) {
			a.Values = []*tablev1.Value{{Name: pick(g, []string{"to", "healer", "dedicate"}), Values: []string{pick(g, []string{"", "true", "9,9", "officer"})}}}
		}
	} else {
		a.Answer = rule.Wrap[*tablev1.Answer](pick(g, []proto.Message{
			&cocv1.Cover{Cover: true}, &cocv1.Cover{}, &cocv1.Defend{}, &cocv1.Defend{Kind: &cocv1.Defend_Parry{Parry: &cocv1.Parry{Weapon: "knife"}}},
			&cocv1.Defend{Kind: &cocv1.Defend_Dodge{Dodge: &cocv1.Dodge{}}, UsePlus10: true, Dedicate: true},
			&cocv1.FumbleMild{Choice: cocv1.FumbleMild_CHOICE_MOVE, To: &typev1.Square{X: 99}}, &cocv1.FumbleSevere{},
			&cocv1.FumbleVictim{Character: g.anybody()}, &cocv1.ParryFumble{}, &cocv1.Counter{Counter: true}, &cocv1.CombatContinues{},
			&cocv1.Dying{Choice: &cocv1.Dying_Treat{Treat: &cocv1.Treat{Healer: g.anybody(), Skill: "first_aid", Wound: 1}}},
			&cocv1.AllowSpecial{Choice: &cocv1.AllowSpecial_Check{Check: &cocv1.SpecialCheck{Skill: "mov"}}},
			&cocv1.CriticalBenefit{}, &cocv1.FumbleEffect{Text: "it rains"},
			&cocv1.InsanityTerm{Long: true}, &cocv1.IndefiniteSymptom{Text: "hums"}, &cocv1.GrowthReroll{Reroll: true}, &cocv1.NinetySan{},
			&cocv1.ApproveGrowthSkill{Approve: true, Mark: "critical.spot", Skill: "nothing"},
		}))
	}
	g.refusalOrNil(g.answer(pick(g, g.seats), w, []resolve.SlotAnswer{a}, nil))
}

func (g *randomGame) refusalOrNil(err error) {
	var why *rule.Refusal
	if err != nil && !errors.As(err, &why) {
		g.fail("no refusal: %v", err)
	}
}

// gameSeeds are what a game's dice are made from.
func (g *randomGame) gameSeeds() resolve.Seeds {
	seed := [32]byte{byte(g.seed), byte(g.seed >> 8), 1}
	return resolve.Seeds{Open: seed, Secret: sha256.Sum256(seed[:])}
}

// counted are dice that say how many were thrown.
type counted struct {
	open, secret *dice.Live
	before       int32
}

func (c *counted) thrown() int32 { return c.open.Number + c.secret.Number - c.before }

func (g *randomGame) env(seat rule.Seat, given []dice.Given) (resolve.Env, *counted) {
	open, secret, err := g.r.Sources(g.gameSeeds())
	g.check(err)
	d := &counted{open, secret, open.Number + secret.Number}
	return resolve.Env{Seat: seat, Dice: open, SecretDice: secret, Given: given, Past: g.past, Policy: g.policy}, d
}

// policy is how a character answers without being asked.
func (g *randomGame) policy(character, name string) *tablev1.Policy {
	return prompt.PolicyFor(g.policies, g.r.State(), character, name)
}

// setPolicies has characters answer by themselves from now on, or be asked again.
func (g *randomGame) setPolicies() {
	g.policies = nil
	for range g.rand.IntN(4) {
		p := &tablev1.Policy{
			Prompt: pick(g, []string{"", "defend", "cover", "dice"}),
			Until:  tablev1.PolicyEnd(g.rand.IntN(3)),
		}
		who := pick(g, g.r.State().Characters).Id
		if g.chance(2) {
			p.Character = who
		}
		switch g.rand.IntN(5) {
		case 0:
			p.What = &tablev1.Policy_Ask{Ask: true}
		case 1:
			p.What = &tablev1.Policy_TakeDefault{TakeDefault: true}
		case 2:
			p.What = &tablev1.Policy_Follow{Follow: who}
		default:
			p.What = &tablev1.Policy_Choice{Choice: pick(g, []string{"dodge", "cover", "none", "server_rolls"})}
		}
		g.policies = append(g.policies, prompt.Begun(p, g.r.State()))
	}
}

// past is a stored event.
func (g *randomGame) past(sequence int64) *tablev1.Event {
	for _, b := range g.log {
		c := &tablev1.Commit{}
		g.check(proto.Unmarshal(b, c))
		events, err := resolve.Events(c)
		g.check(err)
		if i := sequence - c.FirstEvent; i >= 0 && i < int64(len(events)) {
			return events[i]
		}
	}
	return nil
}

func (g *randomGame) act(seat rule.Seat, actor string, a *tablev1.Action, audience typev1.Audience, given []dice.Given) error {
	env, thrown := g.env(seat, given)
	c, err := g.r.Act(env, actor, a, audience)
	if err != nil {
		g.unchanged(thrown, err)
		return err
	}
	g.seen["action "+g.info(a).Name]++
	g.after(c)
	return nil
}

func (g *randomGame) answer(seat rule.Seat, w *tablev1.Window, answers []resolve.SlotAnswer, given []dice.Given) error {
	env, thrown := g.env(seat, given)
	c, err := g.r.Answer(env, w, answers)
	if err != nil {
		g.unchanged(thrown, err)
		return err
	}
	g.seen["prompt "+w.Name]++
	for _, a := range c.Command.GetAnswer().Answers {
		choice, _, _ := strings.Cut(a.Choice, ".")
		if w.Name != "fumble_victim" { // its choices are characters
			g.seen["choice "+w.Name+" "+choice]++
		}
	}
	g.after(c)
	return nil
}

// unchanged: what is refused draws no die and leaves nothing behind. Dice that
// were given wrongly are noticed when others may have been thrown.
func (g *randomGame) unchanged(thrown *counted, err error) {
	if stateBytes(g.r) != g.state {
		g.fail("refused (%v), but the state changed", err)
	}
	if why := (*rule.Refusal)(nil); errors.As(err, &why) && why.Reason != "BAD_DICE" && thrown.thrown() > 0 {
		g.fail("refused (%v), but %d dice were thrown", err, thrown.thrown())
	}
}

func (g *randomGame) must(c *tablev1.Commit, err error) {
	g.check(err)
	g.after(c)
}

func (g *randomGame) check(err error) {
	g.t.Helper()
	if err != nil {
		g.fail("%v", err)
	}
}

// handedOver: the events that come beside a commit are those in it, and stay so
// whatever is played later, since others read them meanwhile.
func (g *randomGame) handedOver(c *tablev1.Commit) {
	g.made = append(g.made, g.r.Made()...)
	for _, run := range c.Runs {
		g.stored = append(g.stored, run.Events...)
	}
	if len(g.made) != len(g.stored) {
		g.fail("%d events were handed over, %d stored", len(g.made), len(g.stored))
	}
	first := len(g.made) - len(g.r.Made())
	if len(g.log)%8 == 0 {
		first = 0
	}
	for i, e := range g.made[first:] {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
		g.check(err)
		if !bytes.Equal(b, g.stored[first+i]) {
			g.fail("event %d was handed over as %v, which is not what was stored", first+i+1, e)
		}
	}
}

// after is what holds after every command that was taken.
func (g *randomGame) after(c *tablev1.Commit) {
	g.handedOver(c)
	b, err := proto.Marshal(c)
	g.check(err)
	g.log, g.stamps = append(g.log, b), append(g.stamps, g.now)
	g.now = g.visibility()
	g.load(g.twin, b)
	g.state = stateBytes(g.r)
	if stateBytes(g.twin) != g.state || len(g.log)%8 == 0 && g.twin.Hash() != g.r.Hash() {
		g.fail("the fold of the log is another state")
	}
	if saved, ok := g.r.Snapshot(); ok && len(g.log)%3 == 0 {
		g.twin = resolve.New(g.r.Rules(), gameIDs)
		g.check(g.twin.Restore(saved, c))
		if stateBytes(g.twin) != g.state || g.twin.Hash() != g.r.Hash() {
			g.fail("restored from a snapshot, the table is another")
		}
	}
	if g.chance(4) {
		g.r, g.twin = g.twin, g.r // what was loaded goes on like what was not
	}
	s := g.r.State()
	events, err := resolve.Events(c)
	g.check(err)
	for i, e := range events {
		g.seen["event "+e.Name]++
		if e.Name == "check_resolved" && len(e.Dice) == 1 && e.Dice[0].Label == "attack" {
			g.rolls = append(g.rolls, c.FirstEvent+int64(i))
		}
		if e.Name == "round_declared" {
			for _, id := range s.Encounter.GetOrder() {
				g.nothingPast(table.Character(s, id))
			}
		}
	}
	for _, ch := range s.Characters {
		for _, r := range ch.Resources {
			if r.GetValue() > r.GetMax() {
				g.fail("%s has %d of %d %s", ch.Id, r.GetValue(), r.GetMax(), r.Key)
			}
			if r.Band != rule.BandOf(r.GetValue(), r.GetMax()) {
				g.fail("%s: the band of %d of %d %s is %v", ch.Id, r.GetValue(), r.GetMax(), r.Key, r.Band)
			}
		}
		hp := table.Resource(ch, "hp").GetValue()
		if down := table.Status(ch, "dying") != nil || table.Status(ch, "dead") != nil; hp <= 0 && !down && !g.r.Waiting() && hurtHere(events, ch.Id) {
			g.fail("%s has %d hp and is neither dying nor dead", ch.Id, hp)
		}
	}
	blocking := 0
	for _, w := range s.Windows {
		if w.Open && !w.Standing {
			blocking++
		}
	}
	if g.r.Waiting() != (blocking > 0) || blocking > 1 {
		g.fail("waiting %v with %d prompts", g.r.Waiting(), blocking)
	}
	if !g.r.Waiting() && len(s.Agenda) > 0 {
		g.fail("idle with an agenda: %v", s.Agenda)
	}
}

func hurtHere(events []*tablev1.Event, who string) bool {
	return slices.ContainsFunc(events, func(e *tablev1.Event) bool { return e.Name == "hp_changed" && e.Actor == who })
}

// nothingPast: with a new round ends what ended before it.
func (g *randomGame) nothingPast(ch *tablev1.Character) {
	for _, s := range ch.Statuses {
		if effect.Past(g.r.State(), s.Duration) {
			g.fail("%s still has %v", ch.Id, s)
		}
	}
	for _, m := range ch.Modifiers {
		if effect.Past(g.r.State(), m.Duration) {
			g.fail("%s still has %v", ch.Id, m)
		}
	}
}

func (g *randomGame) load(r *resolve.Resolver, b []byte) {
	c := &tablev1.Commit{}
	g.check(proto.Unmarshal(b, c))
	g.check(r.Load(c))
}

func stateBytes(r *resolve.Resolver) string {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(r.State())
	if err != nil {
		panic(err)
	}
	return string(b)
}

// canGoOn is what holds between commands: the table waits for somebody, or
// somebody can act.
func (g *randomGame) canGoOn() {
	s := g.r.State()
	for _, w := range s.Windows {
		g.sound(w)
	}
	if s.Encounter == nil || g.r.Waiting() {
		return
	}
	if len(s.Encounter.Turn) == 0 && g.cancelled {
		return // the GM cancelled the step that gives the turn on, and ends the fight
	}
	if len(s.Encounter.Turn) == 0 {
		g.fail("it is nobody's turn: %v", s.Encounter)
	}
	who := s.Encounter.Turn[0]
	if table.Status(table.Character(s, who), "unconscious") != nil || table.Status(table.Character(s, who), "dead") != nil {
		g.fail("%s has the turn, and cannot act", who)
	}
	info, m := g.r.Rules().Action(rule.Wrap[*tablev1.Action](&cocv1.EndTurn{}))
	if refusal := info.Valid(g.r.View(g.seats[0]), who, m); refusal != nil {
		g.fail("%s cannot end the turn: %v", who, refusal)
	}
}

// sound: whatever can be chosen is taken, with whatever of the listed values.
func (g *randomGame) sound(w *tablev1.Window) {
	info := g.r.Rules().Prompt(w.Name)
	for _, s := range w.Slots {
		for _, c := range s.Choices {
			if !c.Possible || info == nil || s.State != tablev1.SlotState_SLOT_STATE_OPEN {
				continue
			}
			for range 1 + len(c.Inputs) {
				a, refusal := prompt.Fill(c.Answer, c.Inputs, g.values(c.Inputs))
				if refusal == nil {
					m, _ := rule.Unwrap(a)
					refusal = info.Valid(g.r.View(g.seats[0]), w, s.Character, m)
				}
				if refusal != nil {
					g.fail("%s has the choice %s, but %v: %v", w.Name, c.Id, a, refusal)
				}
			}
		}
	}
}

// offers are what a seat is offered, as the server does it: from what it sees.
func (g *randomGame) offers(seat rule.Seat) []*tablev1.Offer {
	offers := resolve.Offers(g.r.Rules(), g.sees(seat))
	g.offered(seat, offers)
	return offers
}

// turnOffers are those of the turn holder alone, without the checks that he could
// make at any time, which are most of all.
func (g *randomGame) turnOffers(seat rule.Seat, who string) []*tablev1.Offer {
	var offers []*tablev1.Offer
	v := g.sees(seat)
	for _, a := range g.r.Rules().Actions() {
		if a.Table || a.Name == "check" {
			continue
		}
		for _, o := range a.Offers(v, who) {
			o.Actor = who
			offers = append(offers, o)
		}
	}
	g.offered(seat, offers)
	return offers
}

func (g *randomGame) sees(seat rule.Seat) *rule.View {
	state := view.State(g.r.State(), view.Viewer{Seat: seat.ID, GM: seat.GM, Observer: seat.ID == "lurk"}, g.visibility())
	return &rule.View{State: state, Seat: seat, Options: g.r.Rules().Options}
}

// controller is the seat that decides for a character.
func (g *randomGame) controller(who string) rule.Seat {
	for _, s := range g.seats {
		if g.r.View(s).Controls(who) {
			return s
		}
	}
	g.fail("nobody controls %q", who)
	return rule.Seat{}
}

// offered: whatever is possible is accepted by the whole truth, with whatever of
// the listed values, and nothing of it is for the dead.
func (g *randomGame) offered(seat rule.Seat, offers []*tablev1.Offer) {
	if len(offers) > 0 {
		g.old = append(g.old, pick(g, offers))
	}
	for _, o := range offers {
		if !o.Possible {
			continue
		}
		if o.Actor != "" && table.Status(table.Character(g.r.State(), o.Actor), "dead") != nil {
			g.fail("the dead %s is offered %v", o.Actor, o.Label)
		}
		if o.Form || len(o.Inputs) == 0 && !g.chance(4) {
			continue // there are dozens of checks
		}
		for range 1 + len(o.Inputs) {
			a, refusal := resolve.Take(o, g.values(o.Inputs))
			if refusal == nil {
				info, m := g.r.Rules().Action(a)
				refusal = info.Valid(g.r.View(seat), o.Actor, m)
			}
			if refusal != nil {
				g.fail("%s is offered %v, but %v: %v", seat.ID, o.Label, a, refusal)
			}
		}
	}
}

func (g *randomGame) visibility() *tablev1.Visibility {
	v := g.r.View(rule.Seat{})
	vis := &tablev1.Visibility{
		PartySheets: v.Option("party_sheets") == "shown",
		NpcValues:   v.Option("npc_values") == "shown",
		NpcDice:     v.Option("npc_dice") == "shown",
		NpcHp: map[string]tablev1.NpcHp{
			"exact": tablev1.NpcHp_NPC_HP_EXACT, "band": tablev1.NpcHp_NPC_HP_BAND, "none": tablev1.NpcHp_NPC_HP_NONE,
		}[v.Option("npc_hp")],
	}
	for _, c := range g.r.State().Characters {
		o := &tablev1.Ownership{Character: c.Id, Kind: c.Kind, Audience: c.Audience}
		for _, s := range g.seats {
			if slices.Contains(s.Characters, c.Id) {
				o.Seats = append(o.Seats, s.ID)
			}
		}
		vis.Owners = append(vis.Owners, o)
	}
	return vis
}

func (g *randomGame) info(a *tablev1.Action) *rule.ActionInfo {
	info, _ := g.r.Rules().Action(a)
	return info
}

// values fills inputs in with values that they list.
func (g *randomGame) values(inputs []*tablev1.Input) []*tablev1.Value {
	var out []*tablev1.Value
	for _, in := range inputs {
		v := &tablev1.Value{Name: in.Name}
		for range in.MinCount + int32(g.rand.IntN(int(in.MaxCount-in.MinCount)+1)) {
			v.Values = append(v.Values, g.value(in))
		}
		out = append(out, v)
	}
	return out
}

func (g *randomGame) value(in *tablev1.Input) string {
	switch {
	case len(in.Choices) > 0:
		return pick(g, in.Choices)
	case in.Kind == tablev1.InputKind_INPUT_KIND_NUMBER:
		return fmt.Sprint(int64(in.Min) + g.rand.Int64N(int64(in.Max)-int64(in.Min)+1))
	case in.Kind == tablev1.InputKind_INPUT_KIND_BOOL:
		return pick(g, []string{"true", "false"})
	case in.Kind == tablev1.InputKind_INPUT_KIND_TEXT:
		return strings.Repeat("字", int(in.Min)+g.rand.IntN(int(in.Max-in.Min)+1))
	case in.Kind == tablev1.InputKind_INPUT_KIND_SQUARE:
		if in.Reach == nil {
			return fmt.Sprintf("%d,%d", g.rand.IntN(4), g.rand.IntN(4))
		}
		return g.square(in.Reach.From, in.Reach.Steps)
	case in.Kind == tablev1.InputKind_INPUT_KIND_PATH:
		var path []string
		at := in.Reach.From
		for range 1 + g.rand.IntN(int(in.Reach.Steps)) {
			next := g.square(at, 1)
			s, _ := prompt.Square(next)
			for proto.Equal(s, at) {
				next = g.square(at, 1)
				s, _ = prompt.Square(next)
			}
			path, at = append(path, next), s
		}
		return strings.Join(path, " ")
	}
	return "nobody" // nobody can be chosen: the offer is not possible
}

func (g *randomGame) square(from *typev1.Square, steps int32) string {
	off := func() int32 { return int32(g.rand.IntN(int(2*steps+1))) - steps }
	return fmt.Sprintf("%d,%d,%d", from.X+off(), from.Y+off(), from.Floor)
}

func (g *randomGame) fail(format string, args ...any) {
	g.t.Helper()
	g.t.Fatalf("game %d, after commit %d: %s", g.seed, g.r.Number(), fmt.Sprintf(format, args...))
}
