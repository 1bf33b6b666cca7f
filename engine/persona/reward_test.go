package persona_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// treasured is a table at which the scout has found treasure with this throw of 1D10,
// and the question how it is taken. He carries nine herbs of ten.
func treasured(t *testing.T, rules *rule.Ruleset, throw int) (*resolve.Resolver, *tablev1.Window) {
	t.Helper()
	x := explore(t, rules, 1, nil)
	sheet, refusal := rules.FromSample("scout")
	if refusal != nil {
		t.Fatal(refusal)
	}
	herbs := &personav1.Set{Character: "scout", What: &personav1.Set_Item{Item: &personav1.ItemCount{Item: "herb", Count: 9}}}
	search := act(seated[0], "scout", rule.Wrap[*tablev1.Action](&personav1.TreasureSearchScene{}))
	for _, d := range []*deed{bring(sheet), gmActs(&personav1.StartSession{Level: 20}), gmActs(herbs), search} {
		if err := x.do(d); err != nil {
			t.Fatalf("%s: %v", d.what, err)
		}
	}
	var given []dice.Given
	for _, text := range []string{"1D100=30", fmt.Sprintf("1D10=%d", throw)} {
		g, err := dice.ParseGiven(text)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, g)
	}
	yes := answer(seated[0], "permit_treasure_search", resolve.SlotAnswer{Choice: "yes"})
	if _, err := yes.run(x.r, resolve.Env{Seat: seated[0], Dice: dice.NewScripted(given...)}); err != nil {
		t.Fatal(err)
	}
	for _, w := range x.r.State().Windows {
		if w.Name == "treasure_reward" {
			return x.r, w
		}
	}
	t.Fatal("there is no reward")
	return nil, nil
}

// take answers with so many pieces of items, and returns why that is refused.
func take(t *testing.T, r *resolve.Resolver, w *tablev1.Window, items []string) string {
	t.Helper()
	a := resolve.SlotAnswer{Character: "scout", Choice: "items", Values: []*tablev1.Value{{Name: "items", Values: items}}}
	_, err := r.Answer(resolve.Env{Seat: seated[0], Dice: dice.NewScripted()}, w, []resolve.SlotAnswer{a})
	var refusal *rule.Refusal
	if err != nil && !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	if refusal == nil {
		return ""
	}
	return refusal.Reason
}

// What a reward offers can be had: the question says what each item costs of which
// budget, how many of it fit, and how many pieces there can be at most; one more than it
// says is refused (PER-MAC-04).
func TestRewardSaysItsBounds(t *testing.T) {
	rules := newRules(t)
	for throw := 1; throw <= 10; throw++ {
		_, w := treasured(t, rules, throw)
		at := slices.IndexFunc(w.Slots[0].Choices, func(c *tablev1.PromptChoice) bool { return c.Id == "items" })
		in := w.Slots[0].Choices[at].Inputs[0]
		if want := int32(15 * throw); in.Budget != want || len(in.Takes) != len(in.Choices) {
			t.Errorf("the budget is %d, not %d, of %d choices %d say what they cost", in.Budget, want, len(in.Choices), len(in.Takes))
		}
		var fill []string // as many pieces as there can be, the cheapest first
		left := in.Budget
		for _, i := range byCost(in) {
			item, bound := in.Choices[i], in.Takes[i]
			for n := int32(0); n < bound.Most && bound.Cost <= left; n++ {
				fill, left = append(fill, item), left-bound.Cost
			}
			r, w := treasured(t, rules, throw)
			why := take(t, r, w, slices.Repeat([]string{item}, int(bound.Most)+1))
			if over := bound.Cost*(bound.Most+1) > in.Budget; over && why != "OVER_BUDGET" && why != "INVALID_FIELD" || !over && why != "CARRY_LIMIT" {
				t.Errorf("of %d macca one %s more than %d is %q", in.Budget, item, bound.Most, why)
			}
			if why := take(t, r, w, slices.Repeat([]string{item}, int(bound.Most))); why != "" {
				t.Errorf("of %d macca %d %s are refused: %s", in.Budget, bound.Most, item, why)
			}
		}
		if len(fill) != int(in.MaxCount) {
			t.Errorf("of %d macca %d pieces can be taken, not %d", in.Budget, len(fill), in.MaxCount)
		}
		if r, w := treasured(t, rules, throw); take(t, r, w, fill) != "" {
			t.Errorf("of %d macca %q are refused", in.Budget, fill)
		}
	}
}

// byCost are the places of an input's choices, the cheapest first.
func byCost(in *tablev1.Input) []int {
	out := make([]int, len(in.Takes))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return int(in.Takes[a].Cost - in.Takes[b].Cost) })
	return out
}
