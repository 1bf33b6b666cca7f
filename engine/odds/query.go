package odds

import (
	"math/big"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Defaults of a query.
const (
	// Leaves is how many leaves a tree may have.
	Leaves = 20_000
	// Samples is how often a larger one is sampled. Nineteen times out of twenty a
	// probability is then at most Margin away from what it is said to be.
	Samples = 20_000
)

// Margin is half the width of the 95 % interval around a probability of one half,
// by Samples samples: 1.96 * sqrt(1/4 / 20,000), where it is widest.
var Margin = big.NewRat(7, 1000)

// Query is what the odds are asked of. All that can be refused must have been
// refused before.
type Query struct {
	// Rules by which it is tried.
	Rules *rule.Ruleset
	// State of the table as the asker knows it, between two steps. It is written to,
	// and is what it was when the odds are there.
	State *tablev1.State
	// Seat that asks.
	Seat rule.Seat
	// Refs finds events that the action refers to; nil where nobody refers to one.
	Refs func(sequence string) rule.EventRef
	// Actor of the action; empty for the table.
	Actor string
	// Action that is tried.
	Action *tablev1.Action
	// Waiting is a step that waits, whose odds are asked in place of an action's; nil for
	// none. State is then the one before it.
	Waiting *Waiting
	// Answers to questions; what none is for takes its default.
	Answers []Answer
	// Sees reports whether the asker may see a value of somebody; nil for everything.
	// Where a rule would go on with what he may not see, the odds end.
	Sees func(of string, a typev1.Audience) bool
	// When are questions about how it ends, whose probability is wanted.
	When []func(End) bool

	// MaxLeaves is another budget than Leaves, and MaxSamples another number than
	// Samples; 0 for those.
	MaxLeaves, MaxSamples int
	// Faces has every die looked at face by face, and Apart keeps states apart that came
	// out the same: as odds would be without what makes them fast.
	Faces, Apart bool
	// Sampled has it sampled at once.
	Sampled bool
	// Leaf is called for each leaf that is no sample; nil for nobody to call. Of states
	// that came out the same only one goes on, so that it is used with Apart.
	Leaf func(*Leaf)
	// Cancelled reports whether nobody waits for the odds any more; nil for never.
	Cancelled func() bool
}

// Answer is how a question is answered whenever it is asked.
type Answer struct {
	// Prompt is its name.
	Prompt string
	// Character who decides; empty for whoever is asked.
	Character string
	// Choice is the id of a choice. Where it is not possible the default is taken.
	Choice string
	// Values for the choice's inputs. What is needed and not there is the first that is
	// listed.
	Values []*tablev1.Value
}

// Odds are what can come of an action.
type Odds struct {
	// Exact is true if all probabilities are; false if they were sampled.
	Exact bool
	// Leaves of the trees that were gone through, Samples that were taken.
	Leaves, Samples int
	// Truncated is the probability of what was cut off because it went on and on.
	Truncated *big.Rat
	// Stops are where it ended because of what the asker may not see.
	Stops []Stop
	// Events that can happen, in the order in which they were met. Where there are
	// stops, those that happen before them.
	Events []Event
	// Resources that can be changed, and Statuses that can be gained or lost; none
	// where there are stops: what becomes of them is not known.
	Resources []Resource
	Statuses  []Status
	// When are the probabilities of the query's, in its order; none where there are stops.
	When []*big.Rat
	// Question is the one that is met most often before any other, of those that the
	// query does not answer; nil for none.
	Question *Question
	// Unused are the indexes of the query's answers that were never given.
	Unused []int
}

// Stop is where the odds end.
type Stop struct {
	// Character of whom something is not known; empty for the table, and where that is not
	// known either.
	Character string
	// Label of the throw, name of the question, or word for what follows, before which
	// they end.
	Label string
	// P is the probability of getting there.
	P *big.Rat
}

// Event is something that can happen.
type Event struct {
	// Event has name, actor, targets, audience, and the words that everybody may read;
	// those that have the same are one. It has the rule, too, if it is always the same.
	Event *tablev1.Event
	// P is the probability that it happens once or more often.
	P *big.Rat
}

// Resource is what a resource can come to.
type Resource struct {
	Character, Key string
	// Audience is who may see it.
	Audience typev1.Audience
	// Before is its value now.
	Before int32
	// Points are the values, the lowest first.
	Points []Point
	// Mean is the expected value.
	Mean *big.Rat
}

// Point is a value with its probability.
type Point struct {
	Value int32
	P     *big.Rat
}

// Status is a status that can be gained or lost.
type Status struct {
	Character, Key string
	// P is the probability that somebody has it who had it not; or, where Lost is
	// true, that he has it no more.
	P    *big.Rat
	Lost bool
}

// Question is a question with the odds of each answer.
type Question struct {
	// Prompt is its name, Character who decides; "" for the GM.
	Prompt, Character string
	// BecauseOf is whose step it is in, About whom it is about, as it was met first.
	BecauseOf, About string
	// P is the probability that it is the first to be asked.
	P *big.Rat
	// Default is the choice that the odds around it are of.
	Default string
	Choices []Choice
}

// Choice is an answer with the odds if it is given whenever the question is asked; none
// where the query has answers, and says itself what is to be compared.
type Choice struct {
	ID   string
	Odds *Odds
}

// End is how a run ends.
type End struct {
	// State at the end; it holds during the call.
	State *tablev1.State
	// Events that happened, each once, as they are in Odds.
	Events []*tablev1.Event
}

// Leaf is one way in which it can come out.
type Leaf struct {
	// P is its probability.
	P *big.Rat
	// Dice are throws that lead to it, in order: of each kind one of those that do.
	Dice []dice.Given
	// Answers that were given, in order.
	Answers []Answer
	// End of it.
	End
}
