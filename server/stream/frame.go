package stream

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/protobuf/proto"
)

// EndShutdown is the end reason when the server shuts down.
const EndShutdown = "SHUTTING_DOWN"

// EndDeleted is the end reason when the table was removed.
const EndDeleted = "TABLE_DELETED"

// Frame is one thing that is sent to a watcher: a commit, a heartbeat, or the end.
type Frame struct {
	// Table is the table's id, Seat whose view it is. Both are empty where a
	// bridge's frame is about all that it watches.
	Table, Seat string
	// Cursor is where to go on after this frame.
	Cursor string
	// Events are what the seat sees of the commit.
	Events []*tablev1.EventView
	// OffersChanged is true if prompts or offers of the seat may have changed.
	OffersChanged bool
	// Asked is true if Prompts and WaitingOn are told: the seat's whole lists as
	// of this frame.
	Asked     bool
	Prompts   []*tablev1.PromptView
	WaitingOn []*tablev1.WaitingView
	// End is why the stream ends; empty on all frames but the last. With GoesOn it
	// is why the seat's part of a bridge's stream ends, and others go on.
	End    string
	GoesOn bool

	at int64 // the commit of the cursor
}

// asked are the lists that were told last.
type asked struct {
	told      bool
	prompts   []*tablev1.PromptView
	waitingOn []*tablev1.WaitingView
	// of and look are what they were made of.
	of   host.Asking
	look *host.Look
}

func (a asked) same(b asked) bool {
	return a.told == b.told && equal(a.prompts, b.prompts) && equal(a.waitingOn, b.waitingOn)
}

func equal[M proto.Message](a, b []M) bool {
	return slices.EqualFunc(a, b, func(x, y M) bool { return proto.Equal(x, y) })
}

// concerns reports whether any of the events changed what the seat sees of the
// table, on which its offers are made, or asked or settled something.
func concerns(events []*tablev1.EventView) bool {
	return slices.ContainsFunc(events, func(e *tablev1.EventView) bool {
		return len(e.Changes) > 0 || aboutPrompts[e.Name]
	})
}

// aboutPrompts are the core's events of questions. Of their changes nobody is
// told: the windows are the server's.
var aboutPrompts = map[string]bool{
	rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_OPENED).String():    true,
	rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_ANSWERED).String():  true,
	rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_WITHDRAWN).String(): true,
}
