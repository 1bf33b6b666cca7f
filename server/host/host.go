package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hantei/hantei/server/store"
	"golang.org/x/time/rate"
)

// Limits of a table. A request that would exceed them is refused.
const (
	// MaxCharacters is the most characters.
	MaxCharacters = 100
	// MaxSeats is the most seats.
	MaxSeats = 50
	// MaxName is the longest name, in characters.
	MaxName = 80
	// MaxDice is the most dice in one command.
	MaxDice = 1000
	// MaxCopies is the most characters that one request makes of a sample.
	MaxCopies = 20
)

// defaultIdle is how long a table stays hot without use.
const defaultIdle = 10 * time.Minute

// ErrBusy says that too many commands wait for a table. Nothing was changed.
var ErrBusy = errors.New("host: too many commands wait for this table")

// ErrClosed says that Close was called.
var ErrClosed = errors.New("host: closed")

// Publisher is told of every commit of a table, in order, after it is stored. It
// must not block.
type Publisher interface {
	Publish(m *Moment)
}

// Options are what a host is made of.
type Options struct {
	// Store keeps the tables.
	Store store.Store
	// Games are the rulesets that tables may have.
	Games []*Game
	// Publisher is told of commits; nil tells nobody.
	Publisher Publisher
	// Log gets what nobody is told otherwise; nil drops it.
	Log *slog.Logger
	// Idle is how long a table stays in memory without use; 0 for ten minutes.
	Idle time.Duration
	// Now is the time at which commits are made; nil for time.Now.
	Now func() time.Time
}

// Host runs the tables of a store. It must be the only one on it.
type Host struct {
	store store.Store
	games map[string]*Game
	tell  Publisher
	log   *slog.Logger
	idle  time.Duration
	now   func() time.Time
	keys  *keys
	tries *rate.Limiter // of pairing
	// upSince is when the host was made, in milliseconds since 1970, UTC.
	upSince int64
	alarms  alarms
	// removed has bridges by id that were removed since the start: hot tables still
	// list them. It says true of one that is gone, and false of one whose removal has
	// failed and may have happened all the same.
	removed sync.Map
	// tokens are those that have called lately.
	tokens known

	// previewing has an entry for each preview that is being worked out.
	previewing chan struct{}

	mu      sync.Mutex
	hot     map[string]*actor
	closed  bool
	closing chan struct{}
	running sync.WaitGroup
}

// New makes a host. At the first start it makes the server's keys in the store.
// Close ends it.
func New(ctx context.Context, o Options) (*Host, error) {
	h := &Host{
		store: o.Store, games: make(map[string]*Game, len(o.Games)), tell: o.Publisher, log: o.Log,
		idle: o.Idle, now: o.Now, hot: make(map[string]*actor), closing: make(chan struct{}),
		tries: rate.NewLimiter(triesPerSecond, triesAtOnce), previewing: make(chan struct{}, previews()),
	}
	if h.tell == nil {
		h.tell = nobody{}
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.idle <= 0 {
		h.idle = defaultIdle
	}
	if h.now == nil {
		h.now = time.Now
	}
	for _, g := range o.Games {
		if h.games[g.Rules.Name] != nil {
			return nil, fmt.Errorf("host: two rulesets are called %q", g.Rules.Name)
		}
		h.games[g.Rules.Name] = g
	}
	h.upSince = h.now().UnixMilli()
	secret, err := o.Store.Secret(ctx, "server_key", randomSecret)
	if err != nil {
		return nil, fmt.Errorf("host: server key: %w", err)
	}
	if h.keys, err = newKeys(secret); err != nil {
		return nil, fmt.Errorf("host: server key: %w", err)
	}
	wakes, err := o.Store.Wakes(ctx)
	if err != nil {
		return nil, fmt.Errorf("host: prompts that are due: %w", err)
	}
	for _, w := range wakes {
		h.wakeAt(w.TableID, w.TimeMS)
	}
	h.running.Go(h.prune)
	return h, nil
}

// Games lists the rulesets, sorted by name.
func (h *Host) Games() []*Game {
	out := make([]*Game, 0, len(h.games))
	for _, name := range slices.Sorted(maps.Keys(h.games)) {
		out = append(out, h.games[name])
	}
	return out
}

// Close takes no more commands, finishes those that wait, and returns when no
// table is hot any more. The store is the caller's to close.
func (h *Host) Close() error {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.closing)
	}
	h.mu.Unlock()
	h.alarms.silence()
	h.running.Wait()
	return nil
}

// nobody is told of nothing.
type nobody struct{}

func (nobody) Publish(*Moment) {}
