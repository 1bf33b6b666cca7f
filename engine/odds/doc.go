// Package odds says what can come of an action and how probable it is, by running
// the very steps that play runs, with an oracle in the place of dice.
//
// The oracle goes through a tree. Where a rule compares a die it branches in two,
// where it reads a face into the faces that are left, where it adds dice up into
// their sums; what no rule asks stays undecided, so that an attack has hundreds of
// leaves and not millions. Weights are whole numbers and probabilities fractions:
// they add up to exactly 1. Between two steps of the agenda, states that came out
// the same go on as one.
//
// A tree with more leaves than the budget is not finished: the same steps are
// sampled then, with a generator of their own that is seeded by the state.
//
// Questions are answered as the query says, or by their defaults; of the one that
// is met most often first there are the odds of each answer. For somebody who may not
// see all, the state is what he sees of it, and the tree ends where a rule would go
// on with what he does not.
package odds
