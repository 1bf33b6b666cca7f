package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

var (
	kills    = flag.Int("kills", 15, "how often TestKills kills the server")
	killSeed = flag.Uint64("kill-seed", 0, "what TestKills makes its choices from; 0 for any")
)

const (
	tablesAtOnce = 3
	// killsPerAge is after how many kills the tables are checked and new ones
	// begun: otherwise their logs would become so long that most of the time
	// goes into loading them.
	killsPerAge = 25
)

// TestKills lets clients play at several tables and kills the server at random
// moments: under load, while it starts, while all wait. Clients send again what
// was not answered, under the same request id. Then the histories must be what a
// server that never dies would have: see campaign.check and campaign.checkLog.
//
// It cannot see whether what was committed is on the disk: that takes a loss of
// power. The operating system keeps what a killed process has written.
func TestKills(t *testing.T) {
	seed := *killSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-kill-seed %d", seed)
	w := &world{t: t, db: filepath.Join(t.TempDir(), "hantei.db"), rand: rand.New(rand.NewPCG(seed, 0))}
	w.start()
	w.admin = w.child.admin
	for done := 0; done < *kills && !t.Failed(); {
		n := min(killsPerAge, *kills-done)
		w.age(n)
		done += n
	}
	w.finish()
}

// world is the server and all who play on it.
type world struct {
	t     *testing.T
	db    string
	admin string
	rand  *rand.Rand // the main goroutine's

	child *child
	up    atomic.Pointer[lines] // nil while the server is down
	// quiet is held for reading by each action, for writing while nobody may act.
	quiet sync.RWMutex

	all []*campaign

	idleKills, startKills, loadKills int
	answered, again, twice, repeats  atomic.Int64
}

// lines are the ways to a running server.
type lines struct {
	rest rest
	grpc direct
}

// start starts the server and waits for it.
func (w *world) start() {
	w.t.Helper()
	w.child = running(w.t, w.db)
	conn, err := grpc.NewClient(w.child.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		w.t.Fatal(err)
	}
	w.up.Store(&lines{rest{w.child.http}, direct{conn}})
}

// kill kills the server.
func (w *world) kill() {
	l := w.up.Load()
	w.child.kill()
	w.up.Store(nil)
	_ = l.grpc.conn.Close()
}

// age is a set of tables from their making to their check.
func (w *world) age(kills int) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var playing sync.WaitGroup
	var tables []*campaign
	for range tablesAtOnce {
		c := &campaign{w: w, name: fmt.Sprint("Table ", len(w.all)+1)}
		w.all, tables = append(w.all, c), append(tables, c)
		playing.Go(func() { c.play(ctx) })
	}
	for range kills {
		w.disturb(tables)
		if w.t.Failed() {
			break
		}
	}
	time.Sleep(50 * time.Millisecond)
	end()
	playing.Wait()
	for _, c := range tables {
		c.check()
	}
	w.checkTables()
}

// disturb kills the server once and starts it again.
func (w *world) disturb(tables []*campaign) {
	switch w.rand.IntN(8) {
	case 0: // while nobody waits for an answer
		time.Sleep(w.between(20, 200))
		w.quiet.Lock()
		defer w.quiet.Unlock()
		w.idleKills++
		before := make([]string, len(tables))
		for i, c := range tables {
			before[i] = c.hash()
		}
		w.kill()
		w.start()
		for i, c := range tables {
			if after := c.hash(); after != before[i] {
				w.t.Errorf("%s: state_hash %s, before the kill %s", c.name, after, before[i])
			}
		}
	case 1: // while it starts
		w.kill()
		for range 1 + w.rand.IntN(2) {
			c := launch(w.t, w.db)
			time.Sleep(w.between(0, 250))
			c.kill()
		}
		w.startKills++
		w.start()
	default:
		// After some answers, however slow the machine is, or before the first.
		enough := w.answered.Load() + int64(w.rand.IntN(60))
		for range 100 {
			if w.answered.Load() >= enough {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(w.between(0, 20))
		w.loadKills++
		w.kill()
		time.Sleep(w.between(0, 20))
		w.start()
	}
}

// between is a random time between two numbers of milliseconds.
func (w *world) between(low, high int) time.Duration {
	return time.Duration(1000*low+w.rand.IntN(1000*(high-low))) * time.Microsecond
}

// insist sends a request until it is answered, and says how often it did and when
// the first was lost.
func (w *world) insist(byREST bool, token string, r route, request, response proto.Message) (tries int, lostAt time.Time, err error) {
	deadline := time.Now().Add(2 * time.Minute)
	for {
		l := w.up.Load()
		if l == nil {
			time.Sleep(time.Millisecond)
		} else {
			var c client = l.grpc
			if byREST {
				c = l.rest
			}
			tries++
			proto.Reset(response)
			err = c.call(token, r, request, response)
			if err == nil || !lost(err) {
				return tries, lostAt, err
			}
			if lostAt.IsZero() {
				lostAt = time.Now()
			}
			time.Sleep(time.Millisecond)
		}
		if time.Now().After(deadline) {
			return tries, lostAt, fmt.Errorf("no answer for too long: %w", err)
		}
	}
}

// finish kills the server a last time and reads what it has left.
func (w *world) finish() {
	for _, c := range w.all {
		c.last = c.hash()
	}
	w.kill()
	found := 0
	s := openStore(w.t, w.db)
	for _, c := range w.all {
		found += c.checkLog(s)
	}
	if err := s.Close(); err != nil {
		w.t.Error(err)
	}
	w.t.Logf("%d kills under load, %d while starting, %d while idle", w.loadKills, w.startKills, w.idleKills)
	w.t.Logf("%d tables, %d actions acknowledged; %d sent again for want of an answer, of which %d had been carried out; "+
		"%d sent twice at once, %d repeated later", len(w.all), w.answered.Load(), w.again.Load(), found, w.twice.Load(), w.repeats.Load())
}
