package scenario

import (
	"github.com/hantei/hantei/engine/dice"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// GM is who acts and who answers where no character does, and the seat of the
// GM: a word that no character has for an id.
const GM = "gm"

// Table is what the details of the table stand beneath, where those of a character
// stand beneath its id: "table.details.scenario.creation_closed".
const Table = "table"

// File is a scenario file: one example, played in one or more cases. It passes
// when all of them do.
type File struct {
	// Name of the file.
	Name string
	// ID of the example in the specification: "EX-COC-ATK-01-1".
	ID string
	// Rules that it is an example of, by id.
	Rules []string
	// Ruleset that it is played with.
	Ruleset string
	// Untold are the names of events that need not be told to people who read the
	// play as a story.
	Untold []string
	// Cases, in the order written.
	Cases []*Case

	rules []named // with their lines
}

// Case is a table that is made for it and played.
type Case struct {
	// Name of the case; empty where the file has only one.
	Name string
	// Line at which it begins.
	Line int
	// Options of the table that are not the default, sorted by key.
	Options []*tablev1.Option
	// Play are the entries in order.
	Play []*Entry

	given given
	views []*look
}

// given is how the table stands before play.
type given struct {
	line       int
	characters []character
	encounter  *tablev1.Encounter
	dungeon    *tablev1.Dungeon // features with nothing but to whom they are known
	table      *node            // details of the table; nil for none
	pack       []byte
}

// character is a sheet to be made.
type character struct {
	id, sample, side string
	draft            bool
	line             int
	review           tablev1.Review
	position         *typev1.Square
	patch            *node // nil for none
}

// Entry is one thing that somebody does, and what has to come of it.
type Entry struct {
	// Line at which it begins.
	Line int
	// Scene that begins with it, by a key of the texts with which the file is told;
	// empty for none.
	Scene string
	// By is the character who acts; empty for the GM, and where nobody acts.
	By string
	// Seat that sends it: "gm" or a character whose player does; empty for
	// whoever controls By.
	Seat string
	// Action is what is declared; nil for an entry that only answers standing
	// prompts or looks at the state.
	Action *tablev1.Action
	// Roll is the formula of dice that no rule asks for; empty for none.
	Roll string
	// Audience is who may know, as the sender asks.
	Audience typev1.Audience
	// Odds that the action has to have; nil where they are not looked at.
	Odds *Chances
	// Dice that are thrown, in the order in which they are consumed.
	Dice []dice.Given
	// Answers are what is decided while it resolves, in order.
	Answers []*Reply

	diceLine   int
	mustAnswer []string
	wantError  *wantError
	events     []*wantEvent
	exact      bool
	exactLine  int
	noEvents   []named
	prompts    *[]string
	promptLine int
	changes    *[]want
	changeLine int
	expect     []want
}

// Reply is what somebody decides, or a lever that the GM pulls, while a prompt is open.
type Reply struct {
	// Line at which it begins.
	Line int
	// Prompt that is answered; empty for a lever.
	Prompt string
	// During is the prompt that is open when it is sent.
	During string
	// By and Seat are as in Entry.
	By, Seat string
	// Choice is the id of a choice, with Values for its inputs; or
	Choice string
	Values []*tablev1.Value
	// Answer is typed; or
	Answer *tablev1.Answer
	// Action is a lever.
	Action *tablev1.Action

	wantError *wantError
}

// wantError is a refusal that is expected.
type wantError struct {
	line   int
	reason string
	rule   string // empty for any
}

// wantEvent is an event that has to occur. What is empty is not looked at.
type wantEvent struct {
	line    int
	name    string
	rule    string
	actor   *string
	targets *Value
	facts   []want
	trace   []string // its lines, all of them; nil where they are not looked at
}

// want is a value that something has to have: a fact by its key, a piece of the
// state by its path.
type want struct {
	line  int
	path  string
	value Value
}

// named is a name with its line.
type named struct {
	line int
	name string
}
