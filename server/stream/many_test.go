package stream

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hantei/hantei/server/host"
)

// panicking are tables at which looking is a bug.
type panicking struct{ Tables }

func (panicking) Look(context.Context, host.Caller) (*host.Look, *host.Moment, error) {
	panic("a bug")
}

func (panicking) Place(string) host.Place { return host.Place{} }

// TestPanicOfPart: a bug at one table, which shows in a goroutine of the stream's
// own, does not end the program.
func TestPanicOfPart(t *testing.T) {
	hub := NewHub(0)
	w := &Watcher{Hub: hub, Tables: panicking{}, Heartbeat: time.Hour}
	err := w.WatchMany(t.Context(), []host.Caller{{Table: "t", Seat: "s", Via: "b"}}, nil, "", func(*Frame) error { return nil })
	if err == nil || errors.As(err, new(*host.Refused)) || hub.Watching() != 0 {
		t.Errorf("%v, and %d watch", err, hub.Watching())
	}
}
