package odds

import (
	"cmp"
	"slices"
)

func (q *Query) budget() int  { return cmp.Or(q.MaxLeaves, Leaves) }
func (q *Query) samples() int { return cmp.Or(q.MaxSamples, Samples) }

// maxChoices is of how many answers to a question there are odds.
const maxChoices = 12

// Of works the odds of a query out. Errors: ErrCancelled, a *rule.PanicError for a
// bug of the rules, and an error for rules that come to no end.
func Of(q *Query) (*Odds, error) {
	main, out, err := one(q)
	if err != nil {
		return nil, err
	}
	first := main.first()
	if first == nil {
		return out, nil
	}
	out.Question = &Question{
		Prompt: first.prompt, Character: first.character, BecauseOf: first.becauseOf, About: first.about,
		P: first.p.rat(), Default: first.def,
	}
	for _, c := range first.choices[:min(len(first.choices), maxChoices)] {
		if len(q.Answers) > 0 {
			out.Question.Choices = append(out.Question.Choices, Choice{ID: c.Id})
			continue
		}
		if c.Id == first.def {
			plain := *out
			plain.Question = nil
			out.Question.Choices = append(out.Question.Choices, Choice{c.Id, &plain})
			continue
		}
		under := *q
		under.Leaf = nil
		under.Answers = append(slices.Clone(q.Answers), Answer{Prompt: first.prompt, Character: first.character, Choice: c.Id})
		_, o, err := one(&under)
		if err != nil {
			return nil, err
		}
		out.Question.Choices = append(out.Question.Choices, Choice{c.Id, o})
	}
	return out, nil
}

// one works out one tree.
func one(q *Query) (*walk, *Odds, error) {
	w := newWalk(q)
	err := errLeaves
	if !q.Sampled {
		err = w.exact()
	}
	if err == errLeaves {
		w = newWalk(q)
		err = w.sample()
	}
	if err != nil {
		return nil, nil, err
	}
	return w, w.odds(), nil
}

// first is the question that is met most often first, or nil.
func (w *walk) first() *asked {
	var out *asked
	for _, q := range w.questions {
		if out == nil || q.p.rat().Cmp(out.p.rat()) > 0 {
			out = q
		}
	}
	return out
}
