package view

import (
	"math/big"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/odds"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Odds returns what the viewer may see of the odds of a query. They must have been worked
// out on the state as the viewer sees it. They have no texts; see RenderOdds.
func Odds(o *odds.Odds, q *odds.Query, v Viewer, vis *tablev1.Visibility) *tablev1.OddsView {
	out := &tablev1.OddsView{Method: tablev1.OddsMethod_ODDS_METHOD_EXACT, Leaves: int32(o.Leaves)}
	if !o.Exact {
		out.Method, out.Samples = tablev1.OddsMethod_ODDS_METHOD_SAMPLED, int32(o.Samples)
		out.Margin = fraction(odds.Margin)
	}
	if o.Truncated.Sign() > 0 {
		out.Truncated = fraction(o.Truncated)
	}
	for _, s := range o.Stops {
		out.Stops = append(out.Stops, &tablev1.StopOdds{Character: s.Character, Label: s.Label, Probability: fraction(s.P)})
	}
	for _, e := range o.Events {
		if told := Event(e.Event, v, vis, Handles{}, q.Rules.PublicName); told != nil {
			out.Events = append(out.Events, &tablev1.EventOdds{Event: told, Probability: fraction(e.P)})
		}
	}
	for _, r := range o.Resources {
		if SeesValue(v, vis, r.Audience, r.Character) {
			out.Resources = append(out.Resources, resourceOdds(r))
		}
	}
	for _, s := range o.Statuses {
		if SeesValue(v, vis, q.Rules.Sheet.StatusAudience(s.Key), s.Character) {
			out.Statuses = append(out.Statuses, &tablev1.StatusOdds{
				Character: s.Character, Key: s.Key, Lost: s.Lost, Probability: fraction(s.P),
			})
		}
	}
	if o.Question != nil {
		out.Question = questionOdds(o.Question, q, v, vis)
	}
	for _, i := range o.Unused {
		if i < len(q.Answers) { // not those that were added to compare
			out.UnusedAnswers = append(out.UnusedAnswers, q.Answers[i].Prompt)
		}
	}
	return out
}

func resourceOdds(r odds.Resource) *tablev1.ResourceOdds {
	out := &tablev1.ResourceOdds{Character: r.Character, Key: r.Key, Before: r.Before, Mean: fraction(r.Mean)}
	for _, p := range r.Points {
		out.Values = append(out.Values, &tablev1.ValueOdds{Value: p.Value, Probability: fraction(p.P)})
	}
	return out
}

func questionOdds(asked *odds.Question, q *odds.Query, v Viewer, vis *tablev1.Visibility) *tablev1.QuestionOdds {
	out := &tablev1.QuestionOdds{
		Prompt: asked.Prompt, Character: asked.Character, BecauseOf: asked.BecauseOf, About: asked.About,
		Probability: fraction(asked.P), DefaultChoice: asked.Default,
	}
	for _, c := range asked.Choices {
		row := &tablev1.ChoiceOdds{Choice: c.ID}
		if c.Odds != nil {
			row.Odds = Odds(c.Odds, q, v, vis)
		}
		out.Choices = append(out.Choices, row)
	}
	return out
}

func fraction(r *big.Rat) *tablev1.Fraction {
	return &tablev1.Fraction{Fraction: r.RatString(), Decimal: r.FloatString(6)}
}

// RenderOdds writes the sentences of events and the words of the question in the
// language, as Render and RenderPrompt do.
func RenderOdds(o *tablev1.OddsView, lang string, catalog *locale.Catalog, name func(id string) string) {
	for _, e := range o.Events {
		Render(e.Event, lang, catalog, name)
	}
	q := o.Question
	if q == nil {
		return
	}
	asked := &tablev1.PromptView{Name: q.Prompt, Character: q.Character, BecauseOf: q.BecauseOf, About: q.About}
	RenderPrompt(asked, lang, catalog, name)
	q.Text = asked.Text
	for _, c := range q.Choices {
		c.Text = catalog.Choice(c.Choice, lang, name)
		if c.Odds != nil {
			RenderOdds(c.Odds, lang, catalog, name)
		}
	}
}
