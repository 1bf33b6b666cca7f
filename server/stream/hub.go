// Package stream sends the commits of tables to those who watch. A watcher first
// reads what it has missed from the log and then goes on with what is published,
// without a gap and without a repetition. What waits for a watcher is bounded:
// one that is too slow is cut off and told from where to go on.
package stream

import (
	"runtime"
	"sync"

	"github.com/hantei/hantei/server/host"
)

// defaultBuffer is how many commits may wait for a watcher.
const defaultBuffer = 256

// Hub knows who watches which table. It implements host.Publisher.
type Hub struct {
	buffer int
	// reading has room for those who read the log at once. They may take half of the
	// processors: many who come back at the same time shall not keep from their turn
	// those who play and those who follow what is played.
	reading chan struct{}

	mu      sync.Mutex
	tables  map[string]map[*subscriber]struct{}
	closed  bool
	closing chan struct{}
}

var _ host.Publisher = (*Hub)(nil)

// NewHub makes a hub. buffer is how many commits may wait for a watcher; 0 for
// the default.
func NewHub(buffer int) *Hub {
	if buffer <= 0 {
		buffer = defaultBuffer
	}
	return &Hub{buffer: buffer, reading: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), tables: make(map[string]map[*subscriber]struct{}), closing: make(chan struct{})}
}

// Close ends all watches, each with an end frame. Later ones end at once.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.closed = true
		close(h.closing)
	}
}

// subscriber is one watch of one table.
type subscriber struct {
	moments chan *host.Moment
	lost    chan struct{} // closed when a moment found no room
	left    chan struct{} // closed when it may not watch any more
	gone    chan struct{} // closed when the table was removed
	seat    string
	bridge  string // that watches for the seat, or empty
	why     string // it may not watch; holds when left is closed
}

// whyTokenDied is why a seat or a bridge may not watch any more whose token is
// nobody's.
const whyTokenDied = "TOKEN_UNKNOWN"

// barred is why the subscriber may not watch after a moment; empty if it may. A
// bridge has a token of its own: those of the seat are nothing to it.
func (s *subscriber) barred(m *host.Moment) string {
	switch {
	case s.bridge != "":
		return m.Bars(s.bridge, s.seat)
	case m.Left != "" && m.Left == s.seat:
		return whyTokenDied
	}
	return ""
}

// expel cuts the subscriber off.
func (s *subscriber) expel(why string) {
	s.why = why
	close(s.left)
}

// behind reports whether the subscriber has missed something.
func (s *subscriber) behind() bool {
	select {
	case <-s.lost:
		return true
	default:
		return false
	}
}

func (h *Hub) subscribe(table, seat, bridge string) *subscriber {
	s := &subscriber{
		moments: make(chan *host.Moment, h.buffer), lost: make(chan struct{}), left: make(chan struct{}),
		gone: make(chan struct{}), seat: seat, bridge: bridge,
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tables[table] == nil {
		h.tables[table] = make(map[*subscriber]struct{})
	}
	h.tables[table][s] = struct{}{}
	return s
}

func (h *Hub) unsubscribe(table string, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(table, s)
}

func (h *Hub) remove(table string, s *subscriber) {
	delete(h.tables[table], s)
	if len(h.tables[table]) == 0 {
		delete(h.tables, table)
	}
}

// Publish hands a moment to all who watch its table. It never waits: whoever has
// no room left is behind. Who may not watch any more gets nothing more.
func (h *Hub) Publish(m *host.Moment) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if m.Bridge != "" {
		h.expelBridge(m.Bridge)
		return
	}
	for s := range h.tables[m.Table] {
		if m.Gone {
			close(s.gone)
			h.remove(m.Table, s)
			continue
		}
		if why := s.barred(m); why != "" {
			s.expel(why)
			h.remove(m.Table, s)
			continue
		}
		select {
		case s.moments <- m:
		default:
			close(s.lost)
			h.remove(m.Table, s)
			s.drop()
		}
	}
}

// drop lets go of what waits for a subscriber that has missed something and will
// be cut off. It may notice late, while a frame is on its way to a client that
// reads nothing; until then it shall hold no memory.
func (s *subscriber) drop() {
	for {
		select {
		case <-s.moments:
		default:
			return
		}
	}
}

// expelBridge cuts a bridge off that was removed, at all tables. The caller holds
// the lock.
func (h *Hub) expelBridge(bridge string) {
	for table, all := range h.tables {
		for s := range all {
			if s.bridge == bridge {
				s.expel(whyTokenDied)
				h.remove(table, s)
			}
		}
	}
}

// Watching is how many watches there are, for tests and metrics.
func (h *Hub) Watching() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, s := range h.tables {
		n += len(s)
	}
	return n
}
