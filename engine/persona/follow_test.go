package persona_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// march is a table at which a and b, and c elsewhere, have their turn together, on a
// floor that leads to another. Who follows whom stands in follow.
type march struct {
	t      *testing.T
	r      *resolve.Resolver
	follow map[string]string // who follows whom, "" for the default
}

func newMarch(t *testing.T, features ...*personav1.Feature) *march {
	t.Helper()
	rules, err := maker("persona", nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &march{t: t, r: resolve.New(rules, func(c int64, run, n int32) string { return fmt.Sprint(c, ".", run, ".", n) })}
	if _, err := m.r.Create([]*tablev1.Option{{Key: "allow_unlinked", Value: "true"}}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		sheet, _ := rules.FromSample("b") // all as quick
		sheet.Id, sheet.Review = id, tablev1.Review_REVIEW_APPROVED
		if _, err := m.r.AddCharacter(m.env(), sheet); err != nil {
			t.Fatal(err)
		}
	}
	d := &personav1.Dungeon{
		Level: 20, Moon: personav1.Moon_MOON_FULL, Weather: personav1.Weather_WEATHER_RAIN, Features: features,
		Floors: []*personav1.Floor{{Number: 1, Rows: []string{"...", "...", "..."}}, {Number: 2, Rows: []string{"...", "...", "..."}}},
	}
	m.act("", &personav1.StartExploration{Dungeon: d, Start: at(1, 1)})
	return m
}

func at(x, y int32) *typev1.Square { return &typev1.Square{X: x, Y: y, Floor: 1} }

func (m *march) env() resolve.Env {
	return resolve.Env{Seat: rule.Seat{GM: true}, Dice: &dice.Live{Seed: [32]byte{1}}, Policy: func(character, name string) *tablev1.Policy {
		whom, ok := m.follow[character]
		p := &tablev1.Policy{What: &tablev1.Policy_Follow{Follow: whom}}
		switch {
		case !ok:
			return nil
		case whom == "":
			p.What = &tablev1.Policy_TakeDefault{TakeDefault: true}
		}
		return prompt.PolicyFor([]*tablev1.Policy{p}, m.r.State(), character, name)
	}}
}

func (m *march) act(who string, a proto.Message) {
	m.t.Helper()
	if _, err := m.r.Act(m.env(), who, rule.Wrap[*tablev1.Action](a), 0); err != nil {
		m.t.Fatal(err)
	}
}

func (m *march) answer(name, who, choice string) {
	m.t.Helper()
	w := waiting(m.r.State())
	if w == nil || w.Name != name {
		m.t.Fatalf("no prompt %s is open", name)
	}
	if _, err := m.r.Answer(m.env(), w, []resolve.SlotAnswer{{Character: who, Choice: choice}}); err != nil {
		m.t.Fatal(err)
	}
}

// stand checks where everybody stands.
func (m *march) stand(want string) {
	m.t.Helper()
	var got []string
	for _, c := range m.r.State().Characters {
		got = append(got, c.Id+"="+prompt.SquareText(c.Position.GetSquare()))
	}
	if s := strings.Join(got, " "); s != want {
		m.t.Errorf("they stand %s, not %s", s, want)
	}
	if m.r.Waiting() {
		m.t.Errorf("%s is asked", waiting(m.r.State()).Name)
	}
}

var up, right = &personav1.Move{Direction: personav1.Direction_DIRECTION_UP}, &personav1.Move{Direction: personav1.Direction_DIRECTION_RIGHT}

// Whoever follows somebody in a tied group moves as he does (PER-EXP-06).
func TestFollowTogether(t *testing.T) {
	t.Run("whoever declares", func(t *testing.T) {
		m := newMarch(t)
		m.follow = map[string]string{"a": "b", "c": "b"}
		m.act("b", right)
		m.stand("a=2,1,1 b=2,1,1 c=2,1,1")
	})
	t.Run("whoever answers, through another", func(t *testing.T) {
		m := newMarch(t)
		m.follow = map[string]string{"c": "b"}
		m.act("a", right)
		m.answer("simultaneous_move", "b", "up")
		m.stand("a=2,1,1 b=1,0,1 c=1,0,1")
	})
	t.Run("a circle holds", func(t *testing.T) {
		m := newMarch(t)
		m.follow = map[string]string{"c": "b", "b": "c"}
		m.act("a", right)
		m.stand("a=2,1,1 b=1,1,1 c=1,1,1")
	})
	t.Run("not from another square", func(t *testing.T) {
		m := newMarch(t)
		m.follow = map[string]string{"b": "", "c": ""}
		m.act("a", right) // its movement hand
		m.follow = map[string]string{"c": "a", "b": "c"}
		m.act("b", up)
		m.stand("a=2,1,1 b=1,0,1 c=1,1,1") // a has no movement hand left, and stands elsewhere
	})
	t.Run("whoever has no movement hand left", func(t *testing.T) {
		m := newMarch(t, &personav1.Feature{Id: 1, Square: at(0, 0), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}}})
		m.follow = map[string]string{"b": "", "c": ""}
		m.act("a", right)
		m.act("a", &personav1.Move{Direction: personav1.Direction_DIRECTION_LEFT}) // with the main hand, back to the others
		m.follow = map[string]string{"c": "a"}
		m.act("b", up)
		m.stand("a=1,1,1 b=1,0,1 c=1,1,1")
	})
}

// Follows hold for warps and stairs too (section 5.2).
func TestFollowAway(t *testing.T) {
	t.Run("through a warp", func(t *testing.T) {
		m := newMarch(t, &personav1.Feature{Id: 1, Square: at(2, 1), Kind: &personav1.Feature_Warp{Warp: &personav1.Warp{To: at(0, 2)}}})
		m.follow = map[string]string{"b": "a", "c": "b"}
		m.act("a", right)
		m.answer("warp_choice", "a", "warp")
		m.stand("a=0,2,1 b=0,2,1 c=0,2,1")
	})
	t.Run("up the stairs", func(t *testing.T) {
		m := newMarch(t,
			&personav1.Feature{Id: 1, Square: at(1, 1), Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Floor{Floor: 2}}}},
			&personav1.Feature{Id: 2, Square: &typev1.Square{Floor: 2}, Kind: &personav1.Feature_Stairs{Stairs: &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: 1}}}})
		m.follow = map[string]string{"b": "a", "c": "b"}
		m.act("a", &personav1.ChangeFloor{})
		m.stand("a=0,0,2 b=0,0,2 c=0,0,2")
	})
}
