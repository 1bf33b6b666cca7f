package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// MaxPolicies is the most policies of a seat.
const MaxPolicies = 100

// SetPolicies replaces the policies of a seat. The seat itself may, and the GM.
func (h *Host) SetPolicies(ctx context.Context, by Caller, id string, policies []*tablev1.Policy) (*tablev1.Seat, error) {
	return ask(ctx, h, by.Table, func(t *table) (*tablev1.Seat, error) {
		i, refusal := t.mayAutomate(by, id)
		if refusal != nil {
			return nil, refusal
		}
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		after := proto.CloneOf(t.seats[i])
		after.Policies = nil
		for _, p := range policies {
			after.Policies = append(after.Policies, prompt.Begun(p, t.res.State()))
		}
		if refusal := checkPolicies(t.game.Rules, after.Policies); refusal != nil {
			return nil, refusal
		}
		for n, p := range after.Policies {
			field := fmt.Sprintf("policies[%d].", n)
			if refusal := t.checkKnown(s, field+"character", p.Character); refusal != nil {
				return nil, refusal
			}
			if refusal := t.checkKnown(s, field+"follow", p.GetFollow()); refusal != nil {
				return nil, refusal
			}
		}
		shown := proto.CloneOf(after)
		view.RenderSeat(shown, by.Lang, t.game.Texts, t.names.of)
		if proto.Equal(after, t.seats[i]) {
			return shown, nil
		}
		return shown, t.changeSeat(context.WithoutCancel(ctx), i, after)
	})
}

// mayAutomate is the index of the seat, or refuses whoever may not decide for it.
func (t *table) mayAutomate(by Caller, id string) (int, *rule.Refusal) {
	s, refusal := t.sit(by)
	if refusal != nil {
		return 0, refusal
	}
	if s.seat.Id != id && !s.gm() {
		return 0, notYours("seat_id").Say("policies_of_others")
	}
	other, refusal := t.seated(id, "seat_id")
	switch {
	case refusal != nil:
		return 0, refusal
	case other.viewer.Observer:
		return 0, notYours("seat_id").Say("observer_is_not_asked")
	}
	return slices.Index(t.seats, other.seat), nil
}

// checkPolicies refuses policies that cannot be, whatever the table.
func checkPolicies(rules *rule.Ruleset, all []*tablev1.Policy) *rule.Refusal {
	if len(all) > MaxPolicies {
		return tooLarge("policies").Say("repeated.max_items", rule.Number("max_items", MaxPolicies))
	}
	names := []string{resolve.DicePrompt}
	for _, p := range rules.Prompts() {
		names = append(names, p.Name)
	}
	for n, p := range all {
		field := fmt.Sprintf("policies[%d].", n)
		same := func(o *tablev1.Policy) bool { return o.Character == p.Character && o.Prompt == p.Prompt }
		switch {
		case p.Character != "" && !goodID.MatchString(p.Character):
			return invalid(field + "character").Say("pattern.id")
		case p.Prompt != "" && !slices.Contains(names, p.Prompt):
			return invalid(field+"prompt").Say("no_prompt", rule.Sent("sent", p.Prompt)).Suggest(p.Prompt, names)
		case slices.ContainsFunc(all[:n], same):
			return invalid(field + "prompt").Say("policy_twice")
		case p.What == nil:
			return invalid(field+"what").Say("oneof", rule.Code("names", "ask", "take_default", "choice", "follow"))
		case p.GetFollow() != "" && p.GetFollow() == p.Character:
			return invalid(field + "follow").Say("follows_himself")
		case tablev1.PolicyEnd_name[int32(p.Until)] == "":
			return invalid(field+"until").Say("enum", rule.Code("names", "POLICY_END_ROUND", "POLICY_END_SCENE"))
		}
	}
	return nil
}

// policy is how a character's prompt is answered without asking, or nil: by the
// first seat that says so, of those who would be asked.
func (t *table) policy(character, name string) *tablev1.Policy {
	state := t.res.State()
	for _, s := range t.answering(character) {
		if p := prompt.PolicyFor(s.Policies, state, character, name); p != nil {
			return p
		}
	}
	return nil
}

// answering are the seats that decide for a character: those that control it, or
// else the GM's; of an NPC both.
func (t *table) answering(character string) []*tablev1.Seat {
	var owner *tablev1.Ownership
	for _, o := range t.vis.GetOwners() {
		if o.Character == character {
			owner = o
		}
	}
	var out []*tablev1.Seat
	for _, s := range t.seats {
		if slices.Contains(owner.GetSeats(), s.Id) {
			out = append(out, s)
		}
	}
	if len(out) > 0 && owner.GetKind() == tablev1.CharacterKind_CHARACTER_KIND_PC {
		return out
	}
	for _, s := range t.seats {
		if s.Role == tablev1.SeatRole_SEAT_ROLE_GM && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// seatsNow are the seats with the policies that still hold.
func (t *table) seatsNow() []*tablev1.Seat {
	out := slices.Clone(t.seats)
	over := func(p *tablev1.Policy) bool { return prompt.Ended(p, t.res.State()) }
	for i, s := range out {
		if slices.ContainsFunc(s.Policies, over) {
			out[i] = proto.CloneOf(s)
			out[i].Policies = slices.DeleteFunc(out[i].Policies, over)
		}
	}
	return out
}
