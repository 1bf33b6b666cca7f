package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/hantei/hantei/engine/resolve"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/protobuf/proto"
)

// campaign is a table at which clients play, and what they have seen of it.
type campaign struct {
	w     *world
	name  string
	id    string
	setup int // events before the play
	gm    *player
	seats []*player // the GM's, too

	looking sync.Mutex // one look after another, so that hashes are in order
	mu      sync.Mutex
	watched []*tablev1.EventView
	hashes  []string // as they were seen, each once in a row
	last    string   // the hash at the very end
}

// player is a seat that does one thing after another.
type player struct {
	c      *campaign
	name   string
	seat   string
	token  string
	actor  string
	byREST bool
	rand   *rand.Rand
	done   []*action
}

// action is a request and what was answered.
type action struct {
	request *hanteiv1.ActRequest
	note    string
	answer  *hanteiv1.Outcome
	lostAt  time.Time // when it was first lost; zero if it never was
}

// play makes the table and plays until the context is done and every action has
// been answered. All of it goes on while the server is killed.
func (c *campaign) play(ctx context.Context) {
	if err := c.prepare(); err != nil {
		c.w.t.Errorf("%s: %v", c.name, err)
		return
	}
	var all sync.WaitGroup
	for _, p := range c.seats {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := p.act(); err != nil {
					c.w.t.Errorf("%s, %s: %v", c.name, p.name, err)
					return
				}
				time.Sleep(time.Duration(p.rand.IntN(4000)) * time.Microsecond)
			}
		})
	}
	watching, stop := context.WithCancel(context.Background())
	var watchers sync.WaitGroup
	watchers.Go(func() { c.watch(watching) })
	watchers.Go(func() { c.look(ctx) })
	all.Wait()
	// The stream is behind the answers.
	events := c.history()
	for range 2000 {
		c.mu.Lock()
		n := len(c.watched)
		c.mu.Unlock()
		if n >= len(events) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	watchers.Wait()
}

func (c *campaign) prepare() error {
	insist := func(token string, r route, request, response proto.Message) error {
		c.w.quiet.RLock()
		defer c.w.quiet.RUnlock()
		_, _, err := c.w.insist(rand.IntN(2) == 0, token, r, request, response)
		return err
	}
	made := &hanteiv1.CreateTableResponse{}
	err := insist(c.w.admin, createTable(), &hanteiv1.CreateTableRequest{Name: c.name, Ruleset: "coc", RequestId: c.name}, made)
	if err != nil {
		return err
	}
	id := made.Table.Id
	gm := c.newPlayer("GM", made.GmSeat.GetId(), made.GmToken, "thug")
	seats := []*player{gm}
	for _, own := range []string{"officer", "nurse"} {
		invited := &hanteiv1.InviteSeatResponse{}
		err := insist(gm.token, inviteSeat(id), &hanteiv1.InviteSeatRequest{
			TableId: id, Name: "of " + own, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{own}, RequestId: "invite " + own,
		}, invited)
		if err != nil {
			return err
		}
		seats = append(seats, c.newPlayer(own, invited.Seat.GetId(), invited.Token, own))
	}
	for _, p := range seats {
		err := insist(gm.token, createCharacter(id), &hanteiv1.CreateCharacterRequest{
			TableId: id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: p.actor}, RequestId: "make " + p.actor,
		}, &hanteiv1.CreateCharacterResponse{})
		if err != nil {
			return err
		}
	}
	c.mu.Lock()
	c.id, c.gm, c.seats = id, gm, seats
	c.mu.Unlock()
	c.setup = len(c.history())
	return nil
}

func (c *campaign) newPlayer(name, seat, token, actor string) *player {
	return &player{
		c: c, name: name, seat: seat, token: token, actor: actor,
		byREST: name == "nurse", rand: rand.New(rand.NewPCG(rand.Uint64(), 0)),
	}
}

// act does one thing, and now and then one that was done before.
func (p *player) act() error {
	w := p.c.w
	w.quiet.RLock()
	defer w.quiet.RUnlock()
	a := p.next()
	out := &hanteiv1.ActResponse{}
	if p.rand.IntN(20) == 0 { // somebody has clicked twice
		w.twice.Add(1)
		second := &hanteiv1.ActResponse{}
		var err error
		var sent sync.WaitGroup
		sent.Go(func() { _, _, err = w.insist(!p.byREST, p.token, act(p.c.id), a.request, second) })
		defer func() {
			sent.Wait()
			if err != nil {
				w.t.Errorf("%s: sent twice: %v", a.request.RequestId, err)
			} else if a.answer != nil && !proto.Equal(second.Outcome, a.answer) {
				w.t.Errorf("%s: sent twice, two answers:\n%v\n%v", a.request.RequestId, a.answer, second.Outcome)
			}
		}()
	}
	tries, lostAt, err := w.insist(p.byREST, p.token, act(p.c.id), a.request, out)
	if err != nil {
		return err
	}
	a.answer, a.lostAt = out.Outcome, lostAt
	p.done = append(p.done, a)
	w.answered.Add(1)
	if tries > 1 {
		w.again.Add(1)
	}
	if p.rand.IntN(15) == 0 {
		w.repeats.Add(1)
		return p.repeat(p.done[max(0, len(p.done)-1-p.rand.IntN(30))])
	}
	return nil
}

// next is a check of the own character, or a note of the GM's.
func (p *player) next() *action {
	id := fmt.Sprintf("%s %d", p.name, len(p.done)+1)
	a := &action{request: &hanteiv1.ActRequest{TableId: p.c.id, RequestId: id, Actor: p.actor}}
	what := &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "dodge"}}}}}
	if p == p.c.gm && p.rand.IntN(3) > 0 {
		a.note = id
		what = noteOf(id)
		a.request.Actor = ""
	}
	a.request.What = &hanteiv1.ActRequest_Action{Action: what}
	return a
}

func noteOf(text string) *tablev1.Action {
	return &tablev1.Action{Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{
		Action: &tablev1.CoreAction_Note{Note: &tablev1.Note{Text: text}},
	}}}
}

// repeat sends what was answered long ago: the answer must be the same.
func (p *player) repeat(a *action) error {
	out := &hanteiv1.ActResponse{}
	if _, _, err := p.c.w.insist(p.rand.IntN(2) == 0, p.token, act(p.c.id), a.request, out); err != nil {
		return err
	}
	if !proto.Equal(out.Outcome, a.answer) {
		return fmt.Errorf("%s: repeated, another answer:\n%v\n%v", a.request.RequestId, a.answer, out.Outcome)
	}
	return nil
}

// watch follows the table from the beginning, and after each kill from the
// cursor of the last commit that it was told.
func (c *campaign) watch(ctx context.Context) {
	cursor := "beginning"
	for ctx.Err() == nil {
		l := c.w.up.Load()
		if l == nil {
			time.Sleep(time.Millisecond)
			continue
		}
		authorized, cancel := context.WithCancel(withToken(c.gm.token))
		context.AfterFunc(ctx, cancel)
		stream, err := hanteiv1.NewPlayServiceClient(l.grpc.conn).Watch(authorized, &hanteiv1.WatchRequest{Cursor: cursor})
		for err == nil {
			var f *hanteiv1.WatchResponse
			if f, err = stream.Recv(); err != nil {
				break
			}
			if f.Cursor != "" {
				cursor = f.Cursor
			}
			c.mu.Lock()
			c.watched = append(c.watched, f.Events...)
			c.mu.Unlock()
		}
		cancel()
		if ctx.Err() == nil && !lost(err) {
			c.w.t.Errorf("%s: watch from %s: %v", c.name, cursor, err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// look notes the hashes that the table has.
func (c *campaign) look(ctx context.Context) {
	for ctx.Err() == nil {
		c.hash()
		time.Sleep(20 * time.Millisecond)
	}
}

// hash is the table's hash at the moment; empty before the table is there.
func (c *campaign) hash() string {
	c.looking.Lock()
	defer c.looking.Unlock()
	c.mu.Lock()
	gm, id := c.gm, c.id
	c.mu.Unlock()
	if gm == nil {
		return ""
	}
	out := &hanteiv1.GetViewResponse{}
	if _, _, err := c.w.insist(false, gm.token, getView(id), &hanteiv1.GetViewRequest{TableId: id}, out); err != nil {
		c.w.t.Errorf("%s: %v", c.name, err)
		return ""
	}
	h := out.View.StateHash
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.hashes); n == 0 || c.hashes[n-1] != h {
		c.hashes = append(c.hashes, h)
	}
	return h
}

// history is the whole history as the GM sees it.
func (c *campaign) history() []*tablev1.EventView {
	var all []*tablev1.EventView
	for cursor := ""; ; {
		out := &hanteiv1.ListEventsResponse{}
		r := route{method: hanteiv1.PlayService_ListEvents_FullMethodName}
		_, _, err := c.w.insist(false, c.gm.token, r, &hanteiv1.ListEventsRequest{TableId: c.id, Cursor: cursor, PageSize: 500}, out)
		if err != nil {
			c.w.t.Errorf("%s: history: %v", c.name, err)
			return all
		}
		if all = append(all, out.Events...); !out.More {
			return all
		}
		cursor = out.Cursor
	}
}

// check compares the history that the server tells with the answers that it gave:
// after the making of the table, it is made up of what was answered, each answer
// once, unbroken and with the same dice, those of a client in its order. So
// nothing that was acknowledged is lost, and nothing was done twice.
func (c *campaign) check() {
	t := c.w.t
	if c.gm == nil {
		return // prepare has failed
	}
	events := c.history()
	place := map[string]int{}
	for i, e := range events {
		if at, ok := place[e.EventId]; ok {
			t.Errorf("%s: event %s stands at %d and %d", c.name, e.EventId, at, i)
		}
		place[e.EventId] = i
	}
	owner := map[int]string{}
	for _, p := range c.seats {
		after := c.setup - 1
		for _, a := range p.done {
			id := a.request.RequestId
			if len(a.answer.Events) == 0 {
				t.Errorf("%s: %s was answered without an event", c.name, id)
			}
			for i, e := range a.answer.Events {
				at, ok := place[e.EventId]
				switch {
				case !ok:
					t.Errorf("%s: %s was acknowledged and is lost", c.name, id)
				case i == 0 && at <= after || i > 0 && at != after+1:
					t.Errorf("%s: %s stands at %d, what was before it at %d", c.name, id, at, after)
				case owner[at] != "":
					t.Errorf("%s: %s and %s have the same event", c.name, id, owner[at])
				case !sameEvent(e, events[at]):
					t.Errorf("%s: %s was answered as %v, and is %v", c.name, id, e, events[at])
				}
				if ok {
					after, owner[at] = at, id
				}
			}
			if a.note != "" && !tells(a.answer.Events, a.note) {
				t.Errorf("%s: %s has another note: %v", c.name, id, a.answer.Events)
			}
		}
	}
	for i, e := range events[c.setup:] {
		if owner[c.setup+i] == "" {
			t.Errorf("%s: nobody asked for %v", c.name, e)
		}
	}
	if len(c.watched) != len(events) {
		t.Errorf("%s: the stream told %d events of %d", c.name, len(c.watched), len(events))
		return
	}
	for i, e := range events {
		if !proto.Equal(e, c.watched[i]) {
			t.Errorf("%s: event %d is %v, the stream told %v", c.name, i, e, c.watched[i])
		}
	}
}

// sameEvent compares an event as two seats see it.
func sameEvent(a, b *tablev1.EventView) bool {
	return a.Name == b.Name && a.Actor == b.Actor &&
		proto.Equal(&tablev1.EventView{Dice: a.Dice}, &tablev1.EventView{Dice: b.Dice})
}

func tells(events []*tablev1.EventView, text string) bool {
	for _, e := range events {
		for _, f := range e.Facts {
			if f.GetText() == text {
				return true
			}
		}
	}
	return false
}

// checkTables compares the tables and seats that there are with those that were
// asked for.
func (w *world) checkTables() {
	s := map[string]int{}
	for page := ""; ; {
		out := &hanteiv1.ListTablesResponse{}
		r := route{method: hanteiv1.TableService_ListTables_FullMethodName}
		if _, _, err := w.insist(false, w.admin, r, &hanteiv1.ListTablesRequest{PageToken: page}, out); err != nil {
			w.t.Error(err)
			return
		}
		for _, table := range out.Tables {
			s[table.Name]++
		}
		if page = out.NextPageToken; page == "" {
			break
		}
	}
	for _, c := range w.all {
		if s[c.name] != 1 {
			w.t.Errorf("%s is there %d times", c.name, s[c.name])
		}
	}
	if len(s) != len(w.all) {
		w.t.Errorf("tables %v, want %d", s, len(w.all))
	}
}

// checkLog reads the log as it lies in the store: numbers without gaps, one
// commit for each request and one request for each commit, the chain whole, and
// every hash that was seen in the order in which the log brings them. It returns
// how many requests had been carried out when their answer was lost.
func (c *campaign) checkLog(s store.Store) (found int) {
	t, ctx := c.w.t, context.Background()
	if c.gm == nil {
		return 0
	}
	commits, err := s.Commits(ctx, c.id, 0, math.MaxInt32)
	if err != nil {
		t.Error(err)
		return 0
	}
	asked := map[int64]string{}
	times := map[int64]int64{}
	for _, p := range c.seats {
		for _, a := range p.done {
			id := a.request.RequestId
			r, err := s.Request(ctx, c.id, p.seat, id)
			if err != nil {
				t.Errorf("%s: no record of %s: %v", c.name, id, err)
				continue
			}
			n := commitOf(t, r)
			if asked[n] != "" {
				t.Errorf("%s: commit %d is of %s and %s", c.name, n, id, asked[n])
			}
			asked[n] = id
			if !a.lostAt.IsZero() {
				times[n] = a.lostAt.UnixMilli()
			}
		}
	}
	prefixes := fold(t, commits, func(commit *tablev1.Commit) {
		n := commit.Number
		// A GM's note and a check are the play; what came before made the table.
		if commit.Command.GetAction() != nil && asked[n] == "" {
			t.Errorf("%s: commit %d without a request", c.name, n)
		}
		if at := times[n]; at != 0 && commit.TimeMs <= at {
			found++
		}
	})
	at := 0
	for _, h := range append(c.hashes, c.last) {
		for at < len(prefixes) && prefixes[at] != h {
			at++
		}
		if at == len(prefixes) {
			t.Errorf("%s: state_hash %s was seen and is not in the log, or not in this order", c.name, h)
			return found
		}
	}
	if n := len(prefixes); n > 0 && prefixes[n-1] != c.last {
		t.Errorf("%s: the last state_hash was %s, the log ends with %s", c.name, c.last, prefixes[n-1])
	}
	return found
}

// fold plays a log, checks that it has no gaps, and returns the hash after each
// commit.
func fold(t *testing.T, commits []store.Commit, each func(*tablev1.Commit)) []string {
	t.Helper()
	rules, err := app.MakeRuleset("coc", nil)
	if err != nil {
		t.Fatal(err)
	}
	res := resolve.New(rules, nil)
	head := store.Head{NextEvent: 1}
	var hashes []string
	for _, stored := range commits {
		if !head.Next(stored) {
			t.Errorf("commit %d (event %d) follows %d (event %d)", stored.Number, stored.FirstEvent, head.Number, head.NextEvent-1)
			return hashes
		}
		head = store.Head{Number: stored.Number, NextEvent: stored.FirstEvent + int64(stored.Events)}
		commit := &tablev1.Commit{}
		if err := errors.Join(proto.Unmarshal(stored.Bytes, commit), res.Load(commit)); err != nil {
			t.Errorf("commit %d: %v", stored.Number, err)
			return hashes
		}
		if res.Number() != head.Number || res.Events() != head.NextEvent-1 {
			t.Errorf("commit %d is stored with other numbers than it has", stored.Number)
		}
		each(commit)
		hashes = append(hashes, res.Hash())
	}
	return hashes
}

func openStore(t *testing.T, db string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// commitOf is the commit that a request made, as the host keeps it.
func commitOf(t *testing.T, r store.Request) int64 {
	t.Helper()
	var kept struct {
		Commit int64 `json:"commit"`
	}
	if err := json.Unmarshal(r.Response, &kept); err != nil || kept.Commit == 0 {
		t.Fatalf("record of %s: %v: %s", r.ID, err, r.Response)
	}
	return kept.Commit
}
