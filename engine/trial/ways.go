package trial

import (
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// way is a kind of command that a game gives. give reports whether there was one.
type way struct {
	weight int
	give   func(*Game) bool
}

// leading are the ways to go on when nobody is asked, disturbing those that are taken
// at any time. A new kind of command is added to one of them.
var (
	leading = []way{
		{14, (*Game).takeOffer},
		{3, (*Game).draft},
		{4, (*Game).move},
	}
	disturbing = []way{
		{4, (*Game).wrongAction},
		{4, (*Game).wrongAnswer},
		{3, (*Game).lateAnswer},
		{4, (*Game).lever},
		{5, (*Game).standing},
		{3, (*Game).timeout},
		{2, (*Game).setPolicies},
		{2, (*Game).roll},
		{2, (*Game).change},
		{4, (*Game).edit},
		{1, (*Game).pause},
		{1, (*Game).newcomer},
		{1, (*Game).leave},
		{2, (*Game).takeBack},
		{1, (*Game).giveShare},
		{1, (*Game).rotateDice},
	}
)

// command gives one command, mostly one that leads the play on.
func (g *Game) command() {
	if g.Chance(4) && g.one(disturbing) || g.answer() {
		return
	}
	g.one(leading)
}

// one gives a command of some way; it is false if there was none in a few tries.
func (g *Game) one(ways []way) bool {
	all := 0
	for _, w := range ways {
		all += w.weight
	}
	for range 4 {
		n := g.Rand.IntN(all)
		i := 0
		for ; n >= ways[i].weight; i++ {
			n -= ways[i].weight
		}
		if ways[i].give(g) {
			return true
		}
	}
	return false
}

// takeOffer has a seat take one of its offers. In an encounter it is mostly the turn
// holder who acts.
func (g *Game) takeOffer() bool {
	if e := g.State().Encounter; e != nil && len(e.Turn) > 0 && !g.Chance(5) {
		who := Pick(g, e.Turn)
		return g.take(g.Controller(who), g.offersOf(who), true)
	}
	seat := g.seats[g.Rand.IntN(3)]
	return g.take(seat, g.offers(seat, false), false)
}

// draft goes on with the making of a character, if there is one in the making.
func (g *Game) draft() bool {
	for _, ch := range g.State().Characters {
		if ch.Review == tablev1.Review_REVIEW_DRAFT {
			return g.take(g.Controller(ch.Id), g.offersOf(ch.Id), false)
		}
	}
	return false
}

// take has a seat take one of these offers: first a kind of action, then one of it.
func (g *Game) take(seat rule.Seat, all []*tablev1.Offer, turn bool) bool {
	var kinds []string
	offers := make(map[string][]*tablev1.Offer)
	var led []*tablev1.Offer
	for _, o := range all {
		name := g.info(o.Action).Name
		if !o.Possible || o.Form || slices.Contains(g.setup.Seldom, name) && !g.Chance(4) {
			continue
		}
		if offers[name] == nil {
			kinds = append(kinds, name)
		}
		offers[name] = append(offers[name], o)
		if g.used.leads(name, o) {
			led = append(led, o)
		}
	}
	if len(kinds) == 0 {
		return false
	}
	kind := Pick(g, kinds)
	if g.Chance(3) { // what is rare comes to its right
		kind = slices.MinFunc(kinds, func(a, b string) int { return g.used.times["action "+a] - g.used.times["action "+b] })
	}
	for _, often := range g.setup.Often {
		if turn && offers[often] != nil && !g.Chance(3) {
			kind = often
		}
	}
	o := Pick(g, offers[kind])
	if len(led) > 0 && g.Chance(2) {
		o = Pick(g, led)
	}
	action, why := resolve.Take(o, g.values(o.Inputs))
	if why != nil {
		g.fail("offer %v: %v", o, why)
	}
	if g.Chance(4) && !g.quick && g.tryable(action) {
		g.tries(seat, o.Actor, action)
	}
	audience := typev1.Audience_AUDIENCE_UNSPECIFIED
	if o.Secret && g.Chance(4) {
		audience = Pick(g, []typev1.Audience{rule.GM, rule.Owner})
	}
	if err := g.do(act(seat, o.Actor, action, audience)); err != nil && !g.unforeseen(seat, refusal(err)) && !(g.loose(o) && refusal(err) != nil) {
		g.fail("%s takes %v with %v: %v", seat.ID, o.Label, action, err)
	}
	return true
}

// move makes one of the setup's moves.
func (g *Game) move() bool { return g.moves(false) }

func (g *Game) moves(lever bool) bool {
	var ways []way
	for _, m := range g.setup.Moves {
		if m.Lever || !lever {
			ways = append(ways, way{m.Weight, func(g *Game) bool { return g.made(m) }})
		}
	}
	return len(ways) > 0 && g.one(ways)
}

func (g *Game) made(m Move) bool {
	actor, msg := m.Make(g)
	if msg == nil {
		return false
	}
	c := act(g.gm(), actor, rule.Wrap[*tablev1.Action](msg), typev1.Audience_AUDIENCE_UNSPECIFIED)
	if m.Refusable {
		g.may(c)
		return true
	}
	if err := g.do(c); err != nil {
		g.fail("%T %v: %v", msg, msg, err)
	}
	return true
}

// lever is what the GM may do at any time: the core's and the setup's.
func (g *Game) lever() bool {
	ch := g.Character()
	if ch == nil || g.Chance(2) {
		return g.moves(true)
	}
	var m proto.Message
	switch g.Rand.IntN(11) {
	case 8, 9, 10:
		o := g.override(ch)
		if o == nil {
			return false
		}
		m = o
	case 0:
		m = &tablev1.Note{Text: "a note"}
	case 1, 2:
		appliesTo := ""
		if len(ch.Stats) > 0 && g.Chance(2) {
			appliesTo = Pick(g, ch.Stats).Key
		}
		m = &tablev1.Modify{Character: ch.Id, Value: g.Rand.Int32N(61) - 30, AppliesTo: appliesTo, Reason: "the light"}
	case 3, 4:
		if g.Opens(g.setup.Placed...) {
			return false
		}
		m = &tablev1.Place{Character: ch.Id, Square: &typev1.Square{X: g.Rand.Int32N(4), Y: g.Rand.Int32N(4)}}
		if ch.Position == nil && g.Chance(2) || g.State().Encounter == nil && g.Chance(3) {
			m = &tablev1.Place{Character: ch.Id}
		}
	case 5:
		if g.Waiting() {
			return false
		}
		m = &tablev1.EndScene{}
	default:
		if !g.Waiting() {
			return false
		}
		m, g.cancelled = &tablev1.CancelStep{}, true
	}
	if g.info(rule.Wrap[*tablev1.Action](m)) == nil {
		return false // a ruleset without standing prompts has no scenes to end
	}
	if err := g.do(act(g.gm(), "", rule.Wrap[*tablev1.Action](m), typev1.Audience_AUDIENCE_UNSPECIFIED)); err != nil {
		g.fail("%v: %v", m, err)
	}
	return true
}

// roll throws dice that no rule asks for, and may reveal them.
func (g *Game) roll() bool {
	seat := g.seats[g.Rand.IntN(3)]
	roll := resolve.Roll{Formula: Pick(g, []string{"1D100", "2D6+3", "-1D4+1D6"}), Text: "luck"}
	if len(seat.Characters) > 0 {
		roll.Actor = Pick(g, seat.Characters)
	}
	if table.Character(g.State(), roll.Actor) == nil {
		roll.Actor = "" // it has left the table
	}
	if !g.r.View(seat).Controls(roll.Actor) {
		seat = g.gm()
	}
	if g.Chance(2) {
		roll.Audience = rule.GM
	}
	g.must(throw(seat, roll))
	if roll.Audience == rule.GM && g.Chance(2) {
		reveal := &tablev1.Reveal{EventId: fmt.Sprint(g.r.Events())}
		g.must(act(g.gm(), "", rule.Wrap[*tablev1.Action](reveal), typev1.Audience_AUDIENCE_UNSPECIFIED))
	}
	return true
}

// change has the GM change the table's switches, whatever waits. What needs a replay
// that is not the same freezes the step, and the game fails.
func (g *Game) change() bool {
	set := g.options(false)
	if len(set) > 0 {
		g.must(setOptions(g.gm(), set))
	}
	return len(set) > 0
}

// pause stops play for a while: nothing but the GM's levers is taken.
func (g *Game) pause() bool {
	set := func(value string) { g.must(setOptions(g.gm(), []*tablev1.Option{{Key: rule.Paused, Value: value}})) }
	set("true")
	for _, seat := range g.seats[:3] {
		for _, o := range resolve.Offers(g.Rules, g.sees(seat)) {
			lever := g.info(o.Action).Lever && seat.GM
			if o.Possible && !lever {
				g.fail("%s is offered %v at a paused table", seat.ID, o.Label)
			}
			if lever || !g.Chance(16) {
				continue
			}
			err := g.do(act(seat, o.Actor, o.Action, typev1.Audience_AUDIENCE_UNSPECIFIED))
			if refusal(err) == nil {
				g.fail("at a paused table %s does %v: %v", seat.ID, o.Action, err)
			}
		}
	}
	if g.late != nil {
		if why := refusal(g.do(g.late)); why == nil || why.Reason != "TABLE_PAUSED" {
			g.fail("an answer at a paused table: %v", why)
		}
	}
	set("false")
	return true
}

// edit has somebody change a sheet, whatever waits.
func (g *Game) edit() bool {
	ch := g.Character()
	if ch == nil {
		return false
	}
	seat := g.gm()
	if owner := g.Controller(ch.Id); g.Chance(3) {
		seat = owner
	}
	u := &tablev1.UpdateSheet{Character: ch.Id}
	stat := func(resource bool) string {
		var keys []string
		for _, s := range g.Rules.Sheet.Stats {
			if s.Resource == resource {
				keys = append(keys, s.Key)
			}
		}
		return Pick(g, keys)
	}
	switch g.Rand.IntN(6) {
	case 0:
		u.Name = proto.String(fmt.Sprint("Name ", g.Rand.IntN(100)))
	case 1:
		for range 1 + g.Rand.IntN(4) {
			u.Stats = append(u.Stats, &tablev1.StatInput{Key: stat(false), Value: 3 + g.Rand.Int32N(16)})
		}
	case 2:
		top := 1 + g.Rand.Int32N(20)
		u.Resources = []*tablev1.ResourceInput{{Key: stat(true), Max: &top}}
	case 3:
		u.Gear = &tablev1.GearInput{}
		for range g.Rand.IntN(4) {
			u.Gear.Ids = append(u.Gear.Ids, Pick(g, g.Rules.Sheet.Gear).ID)
		}
	case 4:
		u.Stats = []*tablev1.StatInput{{Key: stat(false), Value: g.Rand.Int32N(100)}}
	default:
		if g.setup.Details != nil {
			u.Details = g.setup.Details(g)
		}
	}
	if g.Chance(5) && seat.GM {
		u.Review = Pick(g, []tablev1.Review{tablev1.Review_REVIEW_APPROVED, tablev1.Review_REVIEW_REJECTED})
	}
	g.may(revise(seat, u))
	return true
}

// newcomer brings one more character.
func (g *Game) newcomer() bool {
	if len(g.State().Characters) > 8 || len(g.Rules.Samples) == 0 {
		return false
	}
	id := Pick(g, g.Rules.Samples).ID
	for _, s := range g.Rules.Samples {
		if led := g.used.ledAmong([]string{s.ID}); led != "" {
			id = led
		}
	}
	ch := g.Sample(id, nil)
	ch.Name = ch.Id
	g.join(ch)
	return true
}

// leave has the GM remove a character.
func (g *Game) leave() bool {
	ch := g.Character()
	if ch == nil || len(g.State().Characters) < 4 {
		return false
	}
	if err := g.going(remove(g.gm(), ch.Id)); err != nil && refusal(err) == nil {
		g.fail("no refusal: %v", err)
	}
	return true
}

// answer answers the prompt that the step waits for.
func (g *Game) answer() bool { return g.answers(false) }

// standing answers a prompt that nothing waits for.
func (g *Game) standing() bool { return g.answers(true) }

func (g *Game) answers(standing bool) bool {
	for _, w := range g.State().Windows {
		if !w.Open || w.Standing != standing {
			continue
		}
		slot := Pick(g, openSlots(w))
		seat := g.Controller(slot.Character)
		var possible []*tablev1.PromptChoice
		for _, c := range slot.Choices {
			if c.Possible {
				possible = append(possible, c)
			}
		}
		if len(possible) == 0 {
			g.fail("nothing can be answered to %v", w)
		}
		c := Pick(g, possible)
		if g.Chance(2) {
			times := func(c *tablev1.PromptChoice) int { return g.used.times["choice "+w.Name+" "+c.Id] }
			c = slices.MinFunc(possible, func(a, b *tablev1.PromptChoice) int { return times(a) - times(b) })
		}
		a := resolve.SlotAnswer{Character: slot.Character, Choice: c.Id, Values: g.values(c.Inputs)}
		cmd := answer(seat, w.Id, a)
		if w.Kind == tablev1.WindowKind_WINDOW_KIND_DICE && g.Chance(2) {
			d, err := dice.Parse(w.Dice)
			g.check(err)
			cmd = answer(seat, w.Id).by(dice.Given{Dice: d, Total: d.Min() + g.Rand.Int32N(d.Max()-d.Min()+1)})
		}
		foreseen := func() {}
		if !standing && !g.quick && g.Chance(4) {
			foreseen = g.foresees(w, a)
		}
		if err := g.do(cmd); err != nil {
			if g.setup.Loose.has("prompt "+w.Name) && refusal(err) != nil {
				return true
			}
			g.fail("%s answers %s with %v: %v", seat.ID, w.Name, a, err)
		}
		foreseen()
		g.late = cmd
		return true
	}
	return false
}

func openSlots(w *tablev1.Window) []*tablev1.Slot {
	var open []*tablev1.Slot
	for _, s := range w.Slots {
		if s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			open = append(open, s)
		}
	}
	return open
}

// lateAnswer sends an answer once more that was taken.
func (g *Game) lateAnswer() bool {
	if g.late == nil {
		return false
	}
	if why := refusal(g.do(g.late)); why == nil {
		g.fail("an answer was taken twice")
	}
	return true
}

// timeout has every open slot of the prompt that waits take its default, as the
// server does when its time is over.
func (g *Game) timeout() bool {
	for _, w := range g.State().Windows {
		if !w.Open || w.Standing && !g.Chance(4) {
			continue
		}
		var answers []resolve.SlotAnswer
		if openSlots(w)[0].DefaultChoice == "" {
			return false // it is waited for, however long
		}
		for _, s := range openSlots(w) {
			answers = append(answers, resolve.SlotAnswer{
				Character: s.Character, Choice: s.DefaultChoice, By: tablev1.AnsweredBy_ANSWERED_BY_DEFAULT,
			})
		}
		c := answer(g.gm(), w.Id, answers...)
		if err := g.do(c); err != nil {
			g.fail("the default of %v: %v", w, err)
		}
		g.late = c
		return true
	}
	return false
}

// setPolicies has characters answer by themselves from now on, or be asked again.
func (g *Game) setPolicies() bool {
	g.policies = nil
	ch := g.Character()
	if ch == nil {
		return false
	}
	for range g.Rand.IntN(4) {
		p := &tablev1.Policy{Until: tablev1.PolicyEnd(g.Rand.IntN(3))}
		var choices []string
		if prompts := g.Rules.Prompts(); len(prompts) > 0 && !g.Chance(4) {
			p.Prompt = Pick(g, prompts).Name
		}
		for _, w := range g.State().Windows {
			for _, s := range w.Slots {
				for _, c := range s.Choices {
					choices = append(choices, c.Id)
				}
			}
		}
		if g.Chance(2) {
			p.Character = ch.Id
		}
		switch n := g.Rand.IntN(5); {
		case n == 0:
			p.What = &tablev1.Policy_Ask{Ask: true}
		case n == 1 || n > 2 && len(choices) == 0:
			p.What = &tablev1.Policy_TakeDefault{TakeDefault: true}
		case n == 2:
			p.What = &tablev1.Policy_Follow{Follow: g.Character().Id}
		default:
			p.What = &tablev1.Policy_Choice{Choice: Pick(g, choices)}
		}
		g.policies = append(g.policies, prompt.Begun(p, g.State()))
	}
	return true
}
