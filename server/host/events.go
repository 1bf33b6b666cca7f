package host

import (
	"context"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Page is a page of past events.
type Page struct {
	// Events are what the seat sees, oldest first.
	Events []*tablev1.EventView
	// Cursor is where to read on.
	Cursor string
	// More is true if there are more now.
	More bool
}

// commitsAtOnce is how many commits are read at once to fill a page.
const commitsAtOnce = 64

// Events lists past events as the seat sees them, or as another does, if it is a
// GM's that looks, about as many as size. A commit
// is never split. Commits that the seat sees nothing of count for nothing: how
// long pages are does not tell of them, and neither does More.
func (h *Host) Events(ctx context.Context, by Caller, asSeat, cursor string, size int) (*Page, error) {
	look, now, err := h.lookAs(ctx, by, asSeat)
	if err != nil {
		return nil, err
	}
	after := int64(0)
	if cursor != "" {
		if after, err = look.Position(cursor); err != nil {
			return nil, err
		}
		if after > now.Commit {
			return nil, &Refused{Refusal: badCursor(), Game: look.Game}
		}
	}
	out := &Page{}
	reader := h.Read(now, after)
	for {
		page, err := reader.Next(ctx, commitsAtOnce)
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if len(out.Events) >= size && look.sees(m) {
				out.Cursor, out.More = look.Cursor(after), true
				return out, nil
			}
			if len(out.Events) < size {
				out.Events = append(out.Events, look.Events(m)...)
			}
			after = m.Commit
		}
		if len(page) < commitsAtOnce {
			out.Cursor = look.Cursor(after)
			return out, nil
		}
	}
}
