package trial

import (
	"flag"
	"slices"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// Setup is how the tables of a ruleset are set up, and what is special of it. Rules
// and Cast are needed.
type Setup struct {
	// Rules of the tables.
	Rules *rule.Ruleset
	// Pack are the tables that Rules was made with: each row with an id must be used.
	Pack []pack.File
	// Cast is who plays at a new table, with ids of their own. Kinds, sides and
	// reviews are as they shall be.
	Cast func(g *Game) []*tablev1.Character
	// Commands are how many a game has; 0 for a few dozen.
	Commands int
	// Option gives a switch its value at a table, so that what is rare comes often;
	// "" leaves it to chance. It may be nil.
	Option func(g *Game, o rule.Option) string
	// Moves are what leads play on and no offer has filled in.
	Moves []Move
	// Often are actions that are taken when they are offered, two times in three;
	// Seldom those that are not, three times in four, since they end what is to be tried.
	Often, Seldom []string
	// Details are what a sheet's own part may be changed to now; nil for nothing. It
	// may be nil.
	Details func(g *Game) *tablev1.Details
	// Placed are prompts with choices that depend on where characters stand: nobody is
	// placed elsewhere while one is open, since what was offered may be refused then.
	Placed []string
	// Above are resources that may exceed their maximum: "resource x", with the reason.
	Above Exceptions
	// Spared are statuses and resources that the GM's override leaves alone, since no
	// rule follows from it: "status x", "resource x", each with the reason.
	Spared Exceptions
	// After says what is wrong after a command, by the rules alone; nil for nothing.
	After func(g *Game, events []*tablev1.Event) error
	// Between says what is wrong between two commands; nil for nothing.
	Between func(g *Game) error
	// Unused is what no game uses, each with the reason: "command x", "action x", "prompt x",
	// "status x", "option x=y", "row table.yaml x".
	Unused Exceptions
	// Unoffered are actions that are accepted in ways that no offer has, each with the
	// reason. Forms need not stand here.
	Unoffered Exceptions

	// Unforeseen are "refused X": reasons for which what a player is offered may be refused,
	// since they lie in what the player does not know.
	Unforeseen Exceptions
	// Loose are "prompt x" and "action x" of which what is listed may be refused, each with
	// the reason: several together, or after something else was done.
	Loose Exceptions

	// Row is the row of "Who sees what" that holds for a piece of the details in place
	// of those of its public fields, or nil. It may be nil.
	Row func(w *WhoSees, piece proto.Message) *Row
	// Unknown are changes by which what belongs to no sheet is another, as far as the
	// onlooker may not know of it: what lies hidden somewhere. It may be nil.
	Unknown func(g *Game, o *Onlooker) []*tablev1.Change
	// Kept are values that are no secret of their own, though they are hidden: they
	// follow from others, or the rules count on them. Each is a key of "Who sees what",
	// with the reason.
	Kept Exceptions
	// Later are actions of the GM that show by themselves, though nobody is told of
	// them when they are taken.
	Later Exceptions
	// Reveals is what may tell of a hidden value when it happens, each with the reason:
	// "event x" where x happens or not, a fact as "x.key", "die x", "prompt x",
	// "status x", "resource x", "refused X" for a refusal.
	Reveals Exceptions
}

// Move is something that no offer has filled in.
type Move struct {
	// Weight is how often it is tried, against the other moves.
	Weight int
	// Lever is true if it may be tried while a step waits.
	Lever bool
	// Refusable is true if it may be refused. Otherwise it is legal whenever Make
	// makes it.
	Refusable bool
	// Make makes it: who acts, "" for the table, and the message of an action. The
	// message is nil where it cannot be taken now.
	Make func(g *Game) (actor string, m proto.Message)
}

// Exception is something that is otherwise than the rest, and why.
type Exception struct {
	What, Why string
	// If is what has to have happened for it, among all events of a table up to the one
	// that tells; nil for nothing. Of Reveals alone.
	If func(g *Game, past []*tablev1.Event) bool
}

// Exceptions are all of a kind.
type Exceptions []Exception

func (e Exceptions) has(what string) bool {
	return slices.ContainsFunc(e, func(one Exception) bool { return one.What == what })
}

// excuses reports whether something may be, after what happened at one of two tables.
func (e Exceptions) excuses(g *Game, what string, pasts ...[]*tablev1.Event) bool {
	return slices.ContainsFunc(e, func(one Exception) bool {
		return one.What == what && (one.If == nil || slices.ContainsFunc(pasts, func(past []*tablev1.Event) bool { return one.If(g, past) }))
	})
}

// Flags of a test that has a trial.
var (
	games   = flag.Int("trial.games", 0, "random games to play; 0 for as many as the test wants")
	first   = flag.Uint64("trial.seed", 700, "seed of the first random game")
	wanted  = flag.String("trial.wanted", "", "what the games are led by, with commas between")
	leaking = flag.Int("trial.steps", 0, "steps of the test for leaks; 0 for as many as the test wants")
)
