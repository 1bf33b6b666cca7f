package coc

import (
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// scenario is the scenario that the table plays; empty before the first.
func scenario(v *rule.View) *cocv1.Scenario { return v.State.GetDetails().GetCoc().GetScenario() }

// noOverrides are those of an ordinary scenario.
var noOverrides = &cocv1.CreationOverrides{}

// overrides are the limits of creation that the scenario sets (COC-CRE-10).
func overrides(v *rule.View) *cocv1.CreationOverrides {
	if o := scenario(v).GetCreationOverrides(); o != nil {
		return o
	}
	return noOverrides
}

// startScenario begins a scenario, which may suspend rules of creation (COC-CRE-10).
// Those of the last one are over, and its deadline for sheets too; growth marks
// whose skill was not chosen until now lapse (COC-GRW-05).
func (g *game) startScenario(c *rule.Ctx, _ string, a *cocv1.StartScenario) {
	e := c.Event(scenarioStarted, "COC-CRE-10", "")
	if keys, limits := overridden(a.CreationOverrides); len(keys) > 0 {
		e.Words(fOverrides, "", rule.Public, keys...).Words(fLimits, "", rule.Public, limits...)
	}
	after := &cocv1.Scenario{}
	if a.CreationOverrides != nil {
		after.CreationOverrides = proto.Clone(a.CreationOverrides).(*cocv1.CreationOverrides)
	}
	c.Emit(e.Change(piece("", &cocv1.Part{Part: &cocv1.Part_Scenario{Scenario: after}})))
	g.lapseSkillless(c)
}

// overridden are the overrides that are set, and what to.
func overridden(o *cocv1.CreationOverrides) (keys, limits []string) {
	add := func(key, limit string) { keys, limits = append(keys, key), append(limits, limit) }
	number := func(key string, n *int32) {
		if n != nil {
			add(key, strconv.Itoa(int(*n)))
		}
	}
	flag := func(key string, b *bool) {
		if b != nil {
			add(key, strconv.FormatBool(*b))
		}
	}
	if o == nil {
		return nil, nil
	}
	number("rerolls_all", o.RerollsAll)
	number("rerolls_one", o.RerollsOne)
	flag("swap", o.Swap)
	number("occupation_skills_max", o.OccupationSkillsMax)
	number("skill_cap_initial", o.SkillCapInitial)
	number("traits_max", o.TraitsMax)
	flag("supplements", o.Supplements)
	return keys, limits
}

// closeCreation says that the deadline for sheets has passed (COC-CRE-08).
func (g *game) closeCreation(c *rule.Ctx, _ string, _ *cocv1.CloseCreation) {
	after := &cocv1.Scenario{CreationClosed: true}
	if o := scenario(&c.View).GetCreationOverrides(); o != nil {
		after.CreationOverrides = o
	}
	c.Emit(c.Event(creationClosed, "COC-CRE-08", "").
		Change(piece("", &cocv1.Part{Part: &cocv1.Part_Scenario{Scenario: after}})))
}

func (g *game) offerStartScenario(*rule.View, string) []*tablev1.Offer {
	const path = "coc.gm_start_scenario.creation_overrides."
	o := rule.NewOffer(&cocv1.StartScenario{}, nil, "gm_start_scenario")
	o.Inputs = []*tablev1.Input{
		rule.NumberInput("rerolls_all", path+"rerolls_all", 0, 99),
		rule.NumberInput("rerolls_one", path+"rerolls_one", 0, 99),
		yesOrNo("swap", path+"swap"),
		rule.NumberInput("occupation_skills_max", path+"occupation_skills_max", 0, 99),
		rule.NumberInput("skill_cap_initial", path+"skill_cap_initial", 0, 99),
		rule.NumberInput("traits_max", path+"traits_max", 0, 10),
		yesOrNo("supplements", path+"supplements"),
	}
	return []*tablev1.Offer{o}
}

func (g *game) offerCloseCreation(v *rule.View, _ string) []*tablev1.Offer {
	if scenario(v).GetCreationClosed() {
		return nil
	}
	return []*tablev1.Offer{rule.NewOffer(&cocv1.CloseCreation{}, nil, "gm_close_creation")}
}
