package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// explorer is a player's client. It knows the view of its seat and nothing else: it goes
// to the nearest place that is not explored yet, floor by floor, and outside at the end.
type explorer struct {
	own string
	// hasty goes on to the next floor as soon as it knows the way.
	hasty bool
	// marches waits for the others in every second round, so that they move together.
	marches bool
	rand    *rand.Rand
	// done is what it does once only.
	done map[string]bool
}

// known is what the view tells of the dungeon.
type known struct {
	at      *typev1.Square
	terrain map[string]tablev1.Terrain
	marks   map[string][]*tablev1.DungeonMark
}

func (x *explorer) known(v *tablev1.TableView) *known {
	k := &known{terrain: map[string]tablev1.Terrain{}, marks: map[string][]*tablev1.DungeonMark{}}
	for _, c := range v.Characters {
		if c.Id == x.own {
			k.at = c.Position
		}
	}
	for _, s := range v.Dungeon.GetSquares() {
		k.terrain[square(s.Square)] = s.Terrain
	}
	for _, m := range v.Dungeon.GetMarks() {
		at := square(m.Mark.Square)
		k.marks[at] = append(k.marks[at], m.Mark)
	}
	return k
}

// ways are the directions in the order of the rules.
var ways = []struct {
	word string
	x, y int32
}{{"up", 0, -1}, {"right", 1, 0}, {"down", 0, 1}, {"left", -1, 0}}

var directions = []string{"up", "right", "down", "left"}

// explored reports whether a square and all beside it are known.
func (k *known) explored(s *typev1.Square) bool {
	for _, w := range ways {
		if k.terrain[square(beside(s, w.x, w.y))] == 0 {
			return false
		}
	}
	return k.terrain[square(s)] != 0
}

func beside(s *typev1.Square, x, y int32) *typev1.Square {
	return &typev1.Square{X: s.X + x, Y: s.Y + y, Floor: s.Floor}
}

func fact(facts []*typev1.Fact, key string) *typev1.Fact {
	for _, f := range facts {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// warp is where a warp leads of which that is known, or nil.
func (k *known) warp(s *typev1.Square) *typev1.Square {
	for _, m := range k.marks[square(s)] {
		if to := fact(m.Facts, "to"); m.Kind == "warp" && to != nil {
			return to.Squares[0]
		}
	}
	return nil
}

// path is the first step of a shortest way to a square that is wanted: a direction, or
// "warp"; "here" if one stands on it, and nothing if there is no way.
func (k *known) path(wanted func(*typev1.Square) bool) string {
	type place struct {
		at    *typev1.Square
		first string
	}
	seen := map[string]bool{square(k.at): true}
	queue := []place{{k.at, ""}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if wanted(p.at) {
			return cmp.Or(p.first, "here")
		}
		next := func(to *typev1.Square, word string) {
			if !seen[square(to)] {
				seen[square(to)] = true
				queue = append(queue, place{to, cmp.Or(p.first, word)})
			}
		}
		for _, w := range ways {
			if to := beside(p.at, w.x, w.y); k.terrain[square(to)] == tablev1.Terrain_TERRAIN_PASSAGE {
				next(to, w.word)
			}
		}
		if to := k.warp(p.at); to != nil {
			next(to, "warp")
		}
	}
	return ""
}

// leads reports whether known stairs lead from a square to another floor further on, or
// outside.
func (k *known) leads(s *typev1.Square, outside bool) bool {
	return slices.ContainsFunc(k.marks[square(s)], func(m *tablev1.DungeonMark) bool {
		out := slices.Equal(fact(m.Facts, "leads").GetWords(), []string{"outside"})
		return m.Kind == "stairs" && out == outside && (out || fact(m.Facts, "to_floor").GetNumber() > s.Floor)
	})
}

// aim is where to go next: a direction, "warp", "on" to take the stairs, "out" to leave,
// or nothing.
func (x *explorer) aim(k *known) string {
	on := k.path(func(s *typev1.Square) bool { return k.leads(s, false) })
	if !x.hasty || on == "" {
		if way := k.path(func(s *typev1.Square) bool { return !k.explored(s) }); way != "" {
			return way
		}
	}
	if on == "here" {
		return "on"
	}
	if on != "" {
		return on
	}
	if out := k.path(func(s *typev1.Square) bool { return k.leads(s, true) }); out != "here" {
		return out
	}
	return "out"
}

// turn is what is done in the own turn, from what is offered, or nil if it is another's.
func (x *explorer) turn(v *tablev1.TableView) *hanteiv1.ActRequest {
	if !slices.Contains(v.Encounter.GetTurn(), x.own) {
		return nil
	}
	k := x.known(v)
	if k.at == nil {
		return nil
	}
	aim, round := x.aim(k), v.Encounter.Round
	offered := func(which func(*personav1.Action) bool, values ...*tablev1.Value) *hanteiv1.ActRequest {
		for _, o := range v.Offers {
			if o.Possible && o.Actor == x.own && which(o.Action.GetPersona()) {
				if len(values) == 0 {
					values = first(o.Inputs)
				}
				return take(o, values)
			}
		}
		return nil
	}
	once := func(what string, may bool, act func() *hanteiv1.ActRequest) *hanteiv1.ActRequest {
		if !may || x.done[what] {
			return nil
		}
		out := act()
		x.done[what] = out != nil
		return out
	}
	here := square(k.at)
	for _, try := range []func() *hanteiv1.ActRequest{
		func() *hanteiv1.ActRequest {
			return offered(func(a *personav1.Action) bool {
				return aim == "on" && a.GetChangeFloor() != nil || aim == "out" && a.GetEscape() != nil || a.GetResummon() != nil
			})
		},
		func() *hanteiv1.ActRequest {
			return once(fmt.Sprint("wait in ", round), x.marches && round%2 == 0, func() *hanteiv1.ActRequest {
				return offered(func(a *personav1.Action) bool { return a.GetWait() != nil })
			})
		},
		// Each square that has something to take, and others now and then.
		func() *hanteiv1.ActRequest {
			takes := slices.ContainsFunc(k.marks[here], func(m *tablev1.DungeonMark) bool { return m.Kind == "item" || m.Kind == "trap" })
			return once("search "+here, takes || (k.at.X+2*k.at.Y)%3 == 1, func() *hanteiv1.ActRequest {
				return offered(func(a *personav1.Action) bool { return a.GetSearch() != nil })
			})
		},
		func() *hanteiv1.ActRequest {
			for _, o := range v.Offers {
				skill := o.Action.GetPersona().GetUsePersonaSkill()
				if skill == nil || !o.Possible || o.Actor != x.own {
					continue
				}
				if out := once("use "+skill.Skill, true, func() *hanteiv1.ActRequest {
					return take(o, first(o.Inputs))
				}); out != nil {
					return out
				}
			}
			return nil
		},
		func() *hanteiv1.ActRequest {
			return once("eat", round > 1, func() *hanteiv1.ActRequest {
				return offered(func(a *personav1.Action) bool { return a.GetUseItem().GetItem() == "herb" })
			})
		},
		func() *hanteiv1.ActRequest {
			return offered(func(a *personav1.Action) bool { return aim == "warp" && a.GetMove().GetViaWarp() })
		},
		func() *hanteiv1.ActRequest {
			return offered(func(a *personav1.Action) bool {
				return slices.Contains(directions, aim) && a.GetMove() != nil && !a.GetMove().ViaWarp
			},
				&tablev1.Value{Name: "direction", Values: []string{aim}})
		},
	} {
		if out := try(); out != nil {
			return out
		}
	}
	return offered(func(a *personav1.Action) bool { return a.GetEndTurn() != nil })
}

func take(o *tablev1.OfferView, values []*tablev1.Value) *hanteiv1.ActRequest {
	return &hanteiv1.ActRequest{What: &hanteiv1.ActRequest_Offer{Offer: &hanteiv1.OfferChoice{OfferId: o.Id, Values: values}}}
}

// first are the first values of what must be filled in.
func first(inputs []*tablev1.InputView) []*tablev1.Value {
	var out []*tablev1.Value
	for _, in := range inputs {
		v := &tablev1.Value{Name: in.Name}
		for _, c := range in.Choices[:min(len(in.Choices), int(in.MinCount))] {
			v.Values = append(v.Values, c.Value)
		}
		if len(v.Values) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// answer chooses among what a prompt lists.
func (x *explorer) answer(v *tablev1.TableView, p *tablev1.PromptView) *hanteiv1.SlotAnswer {
	k := x.known(v)
	choice, values := p.DefaultChoice, []*tablev1.Value(nil)
	pick := func(id string) {
		for _, c := range p.Choices {
			if c.Possible && c.Id == id {
				choice, values = id, first(c.Inputs)
			}
		}
	}
	switch p.Name {
	case "simultaneous_move":
		pick(x.aim(k))
	case "warp_choice":
		if x.aim(k) == "warp" {
			pick("warp")
		}
	case "floor_change_consent":
		pick("no")
		if aim := x.aim(k); aim == "on" || aim == "out" {
			pick("yes")
		}
	case "pickup_choice", "disarm_choice":
		pick("all")
	case "reaction", "support", "cover_consent", "momotaro_use", "skip_search_trigger", "flee_destination", "reaper_flee_destination":
		// Whatever is possible, since nothing hangs on it.
		var possible []*tablev1.ChoiceView
		for _, c := range p.Choices {
			if c.Possible && !slices.ContainsFunc(c.Inputs, func(in *tablev1.InputView) bool { return len(in.Choices) < int(in.MinCount) }) {
				possible = append(possible, c)
			}
		}
		if len(possible) > 0 {
			c := possible[x.rand.IntN(len(possible))]
			choice, values = c.Id, first(c.Inputs)
		}
	}
	return &hanteiv1.SlotAnswer{Character: p.Character, How: &hanteiv1.SlotAnswer_Choice{Choice: choice}, Values: values}
}
