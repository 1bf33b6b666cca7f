package stream

import (
	"testing"

	"github.com/hantei/hantei/server/host"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestHubLeft: a seat that has left is told at once, whatever waits for it.
func TestHubLeft(t *testing.T) {
	h := NewHub(1)
	gone, other, elsewhere := h.subscribe("a", "s", ""), h.subscribe("a", "o", ""), h.subscribe("b", "s", "")
	h.Publish(&host.Moment{Table: "a", Commit: 1})
	<-other.moments
	h.Publish(&host.Moment{Table: "a", Commit: 1, Left: "s"})
	select {
	case <-gone.left:
	default:
		t.Error("it was not told")
	}
	if len(gone.moments) != 1 || gone.behind() || len(other.moments) != 1 || len(elsewhere.moments) != 0 || h.Watching() != 2 {
		t.Error("others were disturbed")
	}
}

// TestHub: who has no room left is behind, and costs the others nothing.
func TestHub(t *testing.T) {
	h := NewHub(2)
	slow, other := h.subscribe("a", "", ""), h.subscribe("a", "", "")
	elsewhere := h.subscribe("b", "", "")
	for n := int64(1); n <= 5; n++ {
		h.Publish(&host.Moment{Table: "a", Commit: n})
		if m := <-other.moments; m.Commit != n {
			t.Errorf("commit %d, want %d", m.Commit, n)
		}
	}
	if !slow.behind() || other.behind() || elsewhere.behind() || len(elsewhere.moments) != 0 {
		t.Error("the wrong one is behind")
	}
	// It will be cut off, and nothing is kept for it until it notices.
	if len(slow.moments) != 0 || h.Watching() != 2 {
		t.Errorf("%d moments wait, %d watch", len(slow.moments), h.Watching())
	}
	h.unsubscribe("a", slow) // again
	h.unsubscribe("a", other)
	h.unsubscribe("b", elsewhere)
	if h.Watching() != 0 || len(h.tables) != 0 {
		t.Error("somebody still watches")
	}
	h.Close()
	h.Close()
}

// TestHubBridges: what happens to a seat's tokens is nothing to a bridge that
// watches for it, and a bridge that is removed loses all its watches.
func TestHubBridges(t *testing.T) {
	h := NewHub(4)
	own, x, y := h.subscribe("a", "s", ""), h.subscribe("a", "s", "x"), h.subscribe("b", "o", "y")
	elsewhere := h.subscribe("b", "o", "x")
	out := func(s *subscriber) string {
		select {
		case <-s.left:
			return s.why
		default:
			return ""
		}
	}
	h.Publish(&host.Moment{Table: "a", Commit: 1, Left: "s"})
	if out(own) != whyTokenDied || out(x) != "" || h.Watching() != 3 {
		t.Errorf("the seat's %q, the bridge's %q", out(own), out(x))
	}
	h.Publish(&host.Moment{Bridge: "x"})
	if out(x) != whyTokenDied || out(elsewhere) != whyTokenDied || out(y) != "" || h.Watching() != 1 {
		t.Errorf("%q, %q, another's %q", out(x), out(elsewhere), out(y))
	}
	// Of a seat that is not among those of the table it is told why.
	h.Publish(&host.Moment{Table: "b", Commit: 1})
	h.Publish(&host.Moment{Table: "b", Commit: 1, Reseated: true})
	if out(y) != host.EndRevoked || len(y.moments) != 1 || h.Watching() != 0 {
		t.Errorf("%q, %d moments", out(y), len(y.moments))
	}
}
