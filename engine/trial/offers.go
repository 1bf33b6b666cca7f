package trial

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"buf.build/go/protovalidate"
	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// mostCombinations is how many ways to fill an offer in are tried, all of them, where
// there are no more.
const mostCombinations = 60

// offers are what a seat is offered, as the server does it: from what it sees. Whatever
// is possible is accepted by the whole truth: with any of the listed values, or with
// every combination of them.
func (g *Game) offers(seat rule.Seat, every bool) []*tablev1.Offer {
	if g.quick {
		return g.some(seat)
	}
	offers := resolve.Offers(g.Rules, g.sees(seat))
	g.sound(seat, offers, every)
	return offers
}

// some are the offers of an action or two.
func (g *Game) some(seat rule.Seat) []*tablev1.Offer {
	var out []*tablev1.Offer
	v := g.sees(seat)
	for range 20 {
		a := Pick(g, g.Rules.Actions())
		who := ""
		if !a.Table {
			if who = g.somebody(); who == "" || !v.Controls(who) || v.Character(who) == nil {
				continue
			}
		}
		if a.GM && !seat.GM {
			continue
		}
		for _, o := range a.Offers(v, who) {
			o.Actor, o.Secret = who, a.Secret
			out = append(out, o)
		}
		if len(out) > 0 {
			break
		}
	}
	g.sound(seat, out, false)
	return out
}

// offersOf are those of one character alone, to its seat, of actions that are not
// always there: plain rolls, each of a stat, are most of all otherwise.
func (g *Game) offersOf(who string) []*tablev1.Offer {
	seat := g.Controller(who)
	v := g.sees(seat)
	var offers []*tablev1.Offer
	for _, a := range g.Rules.Actions() {
		if a.Table || a.GM && !seat.GM || g.quick && !g.Chance(4) {
			continue
		}
		for _, o := range a.Offers(v, who) {
			if o.Stat != "" && !g.Chance(16) {
				continue
			}
			o.Actor = who
			offers = append(offers, o)
		}
	}
	g.sound(seat, offers, false)
	return offers
}

func (g *Game) sound(seat rule.Seat, offers []*tablev1.Offer, every bool) {
	if len(offers) > 0 {
		g.old = append(g.old, Pick(g, offers))
	}
	if g.quick {
		return
	}
	truth := g.r.View(seat)
	for i, o := range offers {
		if !o.Possible || o.Form || g.loose(o) {
			continue
		}
		all := [][]*tablev1.Value{}
		for range 1 + len(o.Inputs) {
			all = append(all, g.values(o.Inputs))
		}
		if every || i%16 == int(g.number%16) {
			all = append(all, combinations(o.Inputs, mostCombinations)...)
		}
		for _, values := range all {
			a, refusal := resolve.Take(o, values)
			if refusal == nil {
				info, m := g.Rules.Action(a)
				refusal = info.Valid(truth, o.Actor, m)
			}
			if refusal != nil && !g.unforeseen(seat, refusal) {
				g.fail("%s is offered %v, but %v: %v", seat.ID, o.Label, a, refusal)
			}
		}
	}
}

// loose reports whether an offer may be refused as it is filled in.
func (g *Game) loose(o *tablev1.Offer) bool {
	return g.setup.Loose.has("action " + g.info(o.Action).Name)
}

// unforeseen reports whether something is refused for what a seat does not know.
func (g *Game) unforeseen(seat rule.Seat, why *rule.Refusal) bool {
	return why != nil && !seat.GM && g.setup.Unforeseen.has("refused "+why.Reason)
}

// choices: whatever can be chosen in a prompt is taken, with any of the listed values.
func (g *Game) choices(w *tablev1.Window) {
	info := g.Rules.Prompt(w.Name)
	if info == nil || g.setup.Loose.has("prompt "+w.Name) {
		return // dice, or it may be refused
	}
	for _, s := range w.Slots {
		for _, c := range s.Choices {
			if !c.Possible || s.State != tablev1.SlotState_SLOT_STATE_OPEN {
				continue
			}
			all := combinations(c.Inputs, mostCombinations)
			for range 1 + len(c.Inputs) {
				all = append(all, g.values(c.Inputs))
			}
			for _, values := range all {
				a, refusal := prompt.Fill(c.Answer, c.Inputs, values)
				if refusal == nil {
					m, _ := rule.Unwrap(a)
					refusal = info.Valid(g.GM(), w, s.Character, m)
				}
				if refusal != nil {
					g.fail("%s has the choice %s, but %v: %v", w.Name, c.Id, a, refusal)
				}
			}
		}
	}
}

// wrongAction sends an action that was offered at some time, or none that ever was, by
// anybody, filled in anyhow. It is refused with a typed error, or it was offered.
func (g *Game) wrongAction() bool {
	action, actor := &tablev1.Action{}, g.somebody()
	if len(g.old) > 0 && !g.Chance(3) {
		o := Pick(g, g.old)
		action = proto.CloneOf(o.Action)
		if filled, refusal := resolve.Take(o, g.values(o.Inputs)); refusal == nil {
			action = filled
		}
		if !g.Chance(3) {
			actor = o.Actor
		}
		if m, _ := rule.Unwrap(action); g.Chance(2) {
			g.mess(m.ProtoReflect())
		}
	} else {
		g.anyMessage(action, "")
	}
	if protovalidate.Validate(action) != nil {
		return false // the contract has no such message
	}
	seat := Pick(g, g.seats)
	c := act(seat, actor, action, typev1.Audience_AUDIENCE_UNSPECIFIED)
	if g.Chance(4) {
		c.by(dice.Given{Dice: dice.Dice{Count: 1, Sides: 100}, Total: 44})
	}
	offered := g.quick || g.offered(seat, actor, action)
	if err := g.do(c); err == nil && !offered {
		g.fail("%s does %v as %q, which was not offered", seat.ID, action, actor)
	} else if err != nil && refusal(err) == nil {
		g.fail("no refusal: %v", err)
	}
	return true
}

// offered reports whether an action is among what is offered on the whole truth, or
// needs not to be.
func (g *Game) offered(seat rule.Seat, actor string, action *tablev1.Action) bool {
	info := g.info(action)
	if info == nil || g.setup.Unoffered.has(info.Name) {
		return true
	}
	if info.Table != (actor == "") || actor != "" && g.r.View(seat).Character(actor) == nil {
		return false
	}
	if actor != "" && seat.GM { // who may act for everybody, and is not offered it
		seat.Characters = append(slices.Clip(seat.Characters), actor)
	}
	return slices.ContainsFunc(info.Offers(g.r.View(seat), actor), func(o *tablev1.Offer) bool {
		return o.Form || o.Possible && covers(o, action)
	})
}

// covers reports whether an offer can be filled in to be the action.
func covers(o *tablev1.Offer, action *tablev1.Action) bool {
	bare, offered := proto.CloneOf(action), proto.CloneOf(o.Action)
	for _, in := range o.Inputs {
		m, n := bare.ProtoReflect(), offered.ProtoReflect()
		names := strings.Split(in.Path, ".")
		for _, name := range names[:len(names)-1] {
			f := m.Descriptor().Fields().ByName(protoreflect.Name(name))
			m, n = m.Mutable(f).Message(), n.Mutable(f).Message()
		}
		f := m.Descriptor().Fields().ByName(protoreflect.Name(names[len(names)-1]))
		if !listed(in, f, m) {
			return false
		}
		m.Clear(f)
		n.Clear(f)
	}
	return proto.Equal(bare, offered)
}

// listed reports whether the value of a field is one that an input lists.
func listed(in *tablev1.Input, f protoreflect.FieldDescriptor, m protoreflect.Message) bool {
	has := func(v protoreflect.Value) bool {
		switch f.Kind() {
		case protoreflect.StringKind:
			switch n := utf8.RuneCountInString(v.String()); in.Kind {
			case tablev1.InputKind_INPUT_KIND_TEXT:
				return int32(n) >= in.Min && (in.Max == 0 || int32(n) <= in.Max)
			case tablev1.InputKind_INPUT_KIND_UINT64:
				_, err := strconv.ParseUint(v.String(), 10, 64)
				return err == nil
			}
			return slices.Contains(in.Choices, v.String())
		case protoreflect.Int32Kind:
			if len(in.Choices) > 0 {
				return slices.Contains(in.Choices, strconv.FormatInt(v.Int(), 10))
			}
			return v.Int() >= int64(in.Min) && v.Int() <= int64(in.Max)
		case protoreflect.EnumKind:
			name := strings.ToLower(string(f.Enum().Values().ByNumber(v.Enum()).Name()))
			return slices.ContainsFunc(in.Choices, func(c string) bool { return strings.HasSuffix(name, "_"+c) })
		}
		return true // squares: the rules know which
	}
	switch {
	case f.IsList():
		l := m.Get(f).List()
		for i := range l.Len() {
			if !has(l.Get(i)) {
				return false
			}
		}
		return in.Kind == tablev1.InputKind_INPUT_KIND_PATH || int32(l.Len()) >= in.MinCount && int32(l.Len()) <= in.MaxCount
	case !m.Has(f) && (f.HasPresence() || in.MinCount == 0 || f.Kind() == protoreflect.StringKind && !slices.Contains(in.Choices, "")):
		return in.MinCount == 0
	}
	return has(m.Get(f))
}

// wrongAnswer answers any window, by anybody, with anything.
func (g *Game) wrongAnswer() bool {
	if len(g.State().Windows) == 0 {
		return false
	}
	w := Pick(g, g.State().Windows)
	a := resolve.SlotAnswer{Character: g.somebody()}
	switch g.Rand.IntN(3) {
	case 0:
		a.Choice = Pick(g, []string{"none", "yes", resolve.DicePrompt, g.word()})
		for _, s := range w.Slots {
			if len(s.Choices) > 0 && g.Chance(2) {
				a.Choice = Pick(g, s.Choices).Id
			}
		}
		if g.Chance(2) {
			a.Values = []*tablev1.Value{{Name: Pick(g, []string{"to", "target"}), Values: []string{Pick(g, []string{"", "true", "9,9", g.word()})}}}
		}
	case 1:
		a.Answer = &tablev1.Answer{}
		g.anyMessage(a.Answer, "")
	default: // of the right kind
		a.Answer = &tablev1.Answer{}
		g.anyMessage(a.Answer, w.Name)
	}
	if protovalidate.Validate(a.Answer) != nil {
		return false
	}
	g.may(answer(Pick(g, g.seats), w.Id, a))
	return true
}
