package persona

import (
	"github.com/hantei/hantei/engine/effect"
	"github.com/hantei/hantei/engine/encounter"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// codedSearch are the rules of searching that have code.
var codedSearch = []string{"PER-HID-01", "PER-MAC-09", "PER-SQ-04", "PER-SRCH-01", "PER-SRCH-02", "PER-SRCH-03", "PER-SRCH-04", "PER-SRCH-05"}

func (g *game) registerSearch(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.Search]{Rule: "PER-SRCH-01", Group: groupTurn, Offers: g.offerSearch, Valid: g.validSearch, Run: g.search})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.PickupChoice]{Valid: validPickup})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.DisarmChoice]{Valid: validDisarm})
	rule.RegisterPrompt(r, rule.Prompt[*personav1.SkipSearchTrigger]{})
	rule.RegisterStep(r, g.searchPickUp)
	rule.RegisterStep(r, g.searchDisarm)
	rule.RegisterStep(r, g.searchTriggers)
	rule.RegisterStep(r, g.searchTrigger)
}

// search searches a square in four steps (PER-SRCH-01): here the first, a check that
// confirms all that is hidden there; it is rolled whatever lies there (PER-SRCH-02).
func (g *game) search(c *rule.Ctx, by string, a *personav1.Search) {
	me := c.Character(by)
	at := searched(me, a)
	g.spend(c, by, personav1.Hand_HAND_MAIN_HAND, "search")
	persona := g.searchUse(&c.View, me, a.Use) == personav1.SearchUse_SEARCH_USE_PERSONA
	var ok bool
	if persona {
		ok = g.personaCheck(c, "check", by, "PER-SRCH-02")
	} else {
		ok = g.roll(c, check{label: "check", by: by, name: kSpotHidden, target: skillTarget(me, kSpotHidden, "PER-SRCH-02"), id: "PER-SRCH-02"})
	}
	var found []finding
	if ok {
		hiddenDecides(c, "search")
		found = concealed(c.State, at)
	}
	g.tellFound(c, by, "PER-SRCH-02", at, found)
	c.Then("", handOver(by, personav1.Hand_HAND_MAIN_HAND, "search"))
	c.Then(by,
		&personav1.SearchPickUp{Square: at, ByPersona: ok && persona},
		&personav1.SearchDisarm{Square: at, ByPersona: ok && persona},
		&personav1.SearchTriggers{Square: at, ByPersona: ok && persona})
}

// searched is the square that is searched: the own unless another is named.
func searched(me *tablev1.Character, a *personav1.Search) *typev1.Square {
	if a.Square == nil {
		return place(me)
	}
	return a.Square
}

// searchUse is what somebody searches with: unless he says it, the one with the higher
// target, of equals the Persona skill (PER-SRCH-02).
func (g *game) searchUse(v *rule.View, me *tablev1.Character, said personav1.SearchUse) personav1.SearchUse {
	if said != personav1.SearchUse_SEARCH_USE_UNSPECIFIED {
		return said
	}
	target := func(skill string) int32 {
		value := effect.Begin(me.Id, rule.Values, skill, "PER-SRCH-02", stat(me, skill))
		g.eased(v.State, me, skill, value)
		return value.Total()
	}
	if analyzes(me) && target(kPersonaSkill) >= target(kSpotHidden) {
		return personav1.SearchUse_SEARCH_USE_PERSONA
	}
	return personav1.SearchUse_SEARCH_USE_SPOT_HIDDEN
}

// finding is a feature that was found, and how much of it.
type finding struct {
	feature *personav1.Feature
	detail  tablev1.MarkDetail
}

// concealed is what a successful search of a square finds: what does not show by itself
// (PER-SRCH-02, PER-HID-03).
func concealed(s *tablev1.State, at *typev1.Square) []finding {
	var out []finding
	for _, f := range featuresOn(s, at) {
		switch {
		case dungeon.Shows(f) != personav1.Visibility_VISIBILITY_HIDDEN:
		case kindOf(f) == kindEvent:
			out = append(out, finding{f, presence})
		default:
			out = append(out, finding{f, data})
		}
	}
	return out
}

// tellFound discloses what somebody has found. Where that is nothing new it says so,
// with the same words after a failure (PER-HID-01). at is the searched square, nil for
// an area.
func (g *game) tellFound(c *rule.Ctx, by, id string, at *typev1.Square, found []finding) {
	for _, k := range knowers(&c.View, []string{by}) {
		nothing := true
		for _, f := range found {
			if knownAs(c.State, k, f.feature.Id).GetDetail() < f.detail {
				nothing = false
				g.reveal(c, k, f.feature, f.detail, id)
			}
		}
		if !nothing {
			continue
		}
		e := c.Event(nothingFound, "PER-HID-01", by).For(k.audience)
		if at != nil {
			e.Squares(fSquare, "", k.audience, at)
		}
		c.Emit(e)
	}
}

func (g *game) validSearch(v *rule.View, by string, a *personav1.Search) *rule.Refusal {
	const field = "action.persona.search."
	if _, refusal := g.onTurn(v, by, a.Hand, false); refusal != nil {
		return refusal
	}
	me := v.Character(by)
	from, at := place(me), searched(me, a)
	own := from != nil && sameSquare(from, at)
	if _, beside := cell(from).Beside(cell(at)); from == nil || !own && (!beside || from.Floor != at.Floor) {
		return rule.Refuse(whyNotAdjacent, "PER-SRCH-01", field+"square")
	}
	if !own && knownTerrain(v, by, at) != tablev1.Terrain_TERRAIN_PASSAGE {
		return rule.Refuse(whyWallTarget, "PER-SRCH-01", field+"square")
	}
	if a.Use == personav1.SearchUse_SEARCH_USE_PERSONA && !analyzes(me) {
		return rule.Refuse(whyAnalyzeRequired, "PER-SRCH-02", field+"use")
	}
	return nil
}

func (g *game) offerSearch(v *rule.View, by string) []*tablev1.Offer {
	me := v.Character(by)
	if !encounter.In(v.Encounter(), by) || place(me) == nil {
		return nil
	}
	a := &personav1.Search{}
	o := rule.NewOffer(a, g.validSearch(v, by, a), "search")
	squares := &tablev1.Input{
		Name: "square", Path: "persona.search.square", Kind: tablev1.InputKind_INPUT_KIND_SQUARE, MaxCount: 1,
		Choices: []string{prompt.SquareText(place(me))},
	}
	for _, n := range cell(place(me)).Neighbours() {
		at := square(n, floorNow(me))
		if knownTerrain(v, by, at) == tablev1.Terrain_TERRAIN_PASSAGE {
			squares.Choices = append(squares.Choices, prompt.SquareText(at))
		}
	}
	o.Inputs = append(o.Inputs, squares)
	if analyzes(me) {
		use := rule.ChoiceInput("use", "persona.search.use", []string{"persona", kSpotHidden})
		use.MinCount = 0
		o.Inputs = append(o.Inputs, use)
	}
	return []*tablev1.Offer{o}
}
