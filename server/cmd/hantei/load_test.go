package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

var (
	loadTables   = flag.Int("load-tables", 50, "tables of TestLoad")
	loadWatchers = flag.Int("load-watchers", 100, "watchers of TestLoad, each with a connection of its own")
	loadTime     = flag.Duration("load-time", time.Second, "how long each part of TestLoad lasts at least")
	loadRate     = flag.Int("load-rate", 100, "actions a second in the steady parts of TestLoad")
	loadBuffer   = flag.Int("load-buffer", 16, "the server's --watch-buffer in TestLoad")
)

// TestLoad plays at many tables with many watchers and compares what each watcher
// got with the log as its seat may see it: every event once, in order, the same.
// Some watchers come back with their cursor at random moments; some stop reading
// at tables where much happens, and must be cut off and lose nothing. The parts:
//
//	steady          actions at a set rate, half of them at the busy tables
//	with slow       the same, while some watchers at the busy tables read nothing and
//	                the GM writes long notes there
//	slow come back  the same, while these read what they have missed
//	full speed      as many actions as the server takes
//
// It fails for what is wrong, and logs how fast it was and what memory it took.
func TestLoad(t *testing.T) {
	l := startLoad(t)
	l.figures("started")
	l.makeStages(*loadTables)
	l.figures("tables are in memory")
	slow := max(2, *loadWatchers/20)
	for i := range *loadWatchers - slow {
		l.watch(i, i%4 == 3, i%5 == 0, l.stages[i%len(l.stages)])
	}
	l.figures("watchers are connected")
	l.steady("steady")
	l.figures("after steady")

	var slowOnes []*watcher
	for i := range slow {
		slowOnes = append(slowOnes, l.watch(i, false, false, l.busy()[i%len(l.busy())]))
	}
	for _, w := range slowOnes {
		w.hold()
		w.late = true
	}
	l.steady("with slow")
	l.figures("while slow ones wait")
	for _, w := range slowOnes {
		w.release()
	}
	l.steady("slow come back")
	l.fullSpeed()
	l.figures("after full speed")

	l.check()
	cut := 0
	for _, w := range slowOnes {
		if w.wasCut() {
			cut++
		}
	}
	t.Logf("%d of %d watchers that read nothing were cut off; %d came back %d times in all", cut, slow, len(l.watchers), l.returns())
	if cut < slow {
		t.Errorf("%d watchers read nothing and were not cut off", slow-cut)
	}
}

// noteBytes is how long a note is.
const noteBytes = 1900

// load is a server under load.
type load struct {
	t        *testing.T
	child    *child
	metrics  string // their address
	ways     []direct
	stages   []*stage
	watchers []*watcher

	notes bool // at the busy tables the GM writes notes

	frames atomic.Int64
	sent   sync.Map // when the action was sent that made an event, by its id
}

// stage is a table with those who play there.
type stage struct {
	id           string
	gm, player   string // tokens
	mu           sync.Mutex
	actions, num int
	last         string // the id of the last event
}

func startLoad(t *testing.T) *load {
	lis, err := net.Listen("tcp", "127.0.0.1:0") // to find a free port; the server says none for metrics
	if err != nil {
		t.Fatal(err)
	}
	l := &load{t: t, metrics: lis.Addr().String()}
	if err := lis.Close(); err != nil {
		t.Fatal(err)
	}
	l.child = fresh(t,
		"HANTEI_METRICS_ADDR="+l.metrics, "HANTEI_RATE_LIMIT=0", fmt.Sprint("HANTEI_WATCH_BUFFER=", *loadBuffer))
	for range 4 {
		l.ways = append(l.ways, dial(t, l.child.grpc))
	}
	return l
}

// each calls f with 0 to n-1, several at once.
func (l *load) each(n int, f func(i int) error) {
	l.t.Helper()
	const atOnce = 16
	var next atomic.Int64
	var done sync.WaitGroup
	for range atOnce {
		done.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				if err := f(int(i)); err != nil {
					l.t.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	if l.t.Failed() {
		l.t.FailNow()
	}
}

func (l *load) makeStages(n int) {
	l.t.Helper()
	l.stages = make([]*stage, n)
	l.each(n, func(i int) error {
		c, s := l.ways[i%len(l.ways)], &stage{}
		l.stages[i] = s
		var made hanteiv1.CreateTableResponse
		if err := c.call(l.child.admin, createTable(), &hanteiv1.CreateTableRequest{Name: fmt.Sprint("Table ", i), Ruleset: "coc"}, &made); err != nil {
			return err
		}
		s.id, s.gm = made.Table.Id, made.GmToken
		var invited hanteiv1.InviteSeatResponse
		if err := c.call(s.gm, inviteSeat(s.id), &hanteiv1.InviteSeatRequest{
			TableId: s.id, Name: "Rogue", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"rogue"},
		}, &invited); err != nil {
			return err
		}
		s.player = invited.Token
		for _, id := range []string{"rogue", "thug"} { // both thugs, whose criticals open no prompts that stay
			r := &hanteiv1.CreateCharacterRequest{TableId: s.id, CharacterId: id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}}
			if err := c.call(s.gm, createCharacter(s.id), r, &hanteiv1.CreateCharacterResponse{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// busy are the tables at which half of the actions of the steady parts take place.
func (l *load) busy() []*stage { return l.stages[:max(2, len(l.stages)/200)] }

// act has somebody do something at a table: the GM a check that all see or only
// he himself, the player one. One acts at a time, as people do.
func (l *load) act(s *stage) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.notes && slices.Contains(l.busy(), s) {
		return l.send(s, s.gm, "", typev1.Audience_AUDIENCE_UNSPECIFIED, noteOf(strings.Repeat("n", noteBytes)))
	}
	s.actions++
	token, actor, audience := s.gm, "thug", typev1.Audience_AUDIENCE_UNSPECIFIED
	switch s.actions % 3 {
	case 1:
		audience = typev1.Audience_AUDIENCE_GM
	case 2:
		token, actor = s.player, "rogue"
	}
	return l.roll(s, token, actor, audience)
}

// roll rolls a check.
func (l *load) roll(s *stage, token, actor string, audience typev1.Audience) (time.Duration, error) {
	return l.send(s, token, actor, audience, &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{
		Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}},
	}}})
}

// send declares an action, and says how long that took.
func (l *load) send(s *stage, token, actor string, audience typev1.Audience, action *tablev1.Action) (time.Duration, error) {
	s.num++
	r := &hanteiv1.ActRequest{
		TableId: s.id, Actor: actor, RequestId: fmt.Sprint("r", s.num), Audience: audience,
		What: &hanteiv1.ActRequest_Action{Action: action},
	}
	began := time.Now()
	var response hanteiv1.ActResponse
	if err := l.ways[s.num%len(l.ways)].call(token, act(s.id), r, &response); err != nil {
		return 0, fmt.Errorf("table %s: %w", s.id, err)
	}
	took := time.Since(began)
	if events := response.Outcome.Events; len(events) > 0 {
		l.sent.Store(events[0].EventId, began)
		s.last = events[len(events)-1].EventId
	}
	return took, nil
}

// play has actions done by several at once, at tables that pick chooses, until it
// returns nil. It returns how long each took.
func (l *load) play(atOnce int, pick func() *stage) []time.Duration {
	l.t.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var done sync.WaitGroup
	for range atOnce {
		done.Go(func() {
			for s := pick(); s != nil; s = pick() {
				took, err := l.act(s)
				if err != nil {
					l.t.Error(err)
					return
				}
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
			}
		})
	}
	done.Wait()
	if l.t.Failed() {
		l.t.FailNow()
	}
	return all
}

// steady is a steady part: it lasts until its time has passed and, if somebody reads
// nothing, enough has happened at the busy tables for him to be cut off.
func (l *load) steady(name string) {
	l.t.Helper()
	// Before the server's own buffer fills, a connection takes twice 64 KiB of frames.
	// The GM's notes make that few.
	enough, busy := 0, l.busy()
	l.notes = slices.ContainsFunc(l.watchers, (*watcher).held)
	if l.notes {
		enough = *loadBuffer + 2*window/noteBytes + 50
	}
	l.forget()
	frames, began := l.frames.Load(), time.Now()
	turns, over := make(chan *stage), make(chan struct{})
	defer close(over)
	go func() {
		defer close(turns)
		tick := time.NewTicker(time.Second / time.Duration(*loadRate))
		defer tick.Stop()
		for n := 0; time.Since(began) < *loadTime || n < 2*len(busy)*enough; n++ {
			s := l.stages[rand.IntN(len(l.stages))]
			if n%2 == 0 {
				s = busy[n/2%len(busy)]
			}
			select {
			case turns <- s:
			case <-over: // it went wrong
				return
			}
			if time.Since(began) < *loadTime { // then what is missing, as fast as it goes
				<-tick.C
			}
		}
	}()
	took := l.play(32, func() *stage { return <-turns })
	lasted, frames := time.Since(began), l.frames.Load()-frames
	l.settle()
	l.report(name, took, lasted, frames)
}

// fullSpeed has all tables play as fast as the server takes it.
func (l *load) fullSpeed() {
	l.t.Helper()
	l.forget()
	frames, began := l.frames.Load(), time.Now()
	var next atomic.Int64
	took := l.play(32, func() *stage {
		if time.Since(began) > *loadTime {
			return nil
		}
		return l.stages[int(next.Add(1))%len(l.stages)]
	})
	lasted, frames := time.Since(began), l.frames.Load()-frames
	l.settle()
	l.report("full speed", took, lasted, frames)
}
