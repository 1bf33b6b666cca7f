package api_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/grpc/codes"
)

// text is a log that a test reads.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *text) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *text) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// logging has a server write to the log.
func (l *text) logging(o *host.Options, _ *api.Options, _ *sqlite.Options) {
	o.Log = slog.New(slog.NewTextHandler(l, nil))
}

const unused = "a snapshot is not used"

// rolls makes so many checks of the thug.
func (t *table) rolls(n int) {
	t.tb.Helper()
	roll := t.checks()
	for range n {
		t.ok(roll())
	}
}

// snapshot waits for a snapshot of a commit above a number.
func (t *table) snapshot(above int64) store.Snapshot {
	t.tb.Helper()
	for range 1000 {
		s, err := t.store.Snapshot(context.Background(), t.id)
		if err == nil && s.Number > above {
			return s
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.tb.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.tb.Fatal("no snapshot")
	return store.Snapshot{}
}

// asked has a table that somebody is asked at, with a snapshot behind it.
func asked(s *server) *table {
	s.tb.Helper()
	t := s.fixed()
	t.sample("nurse", "student", "thug")
	t.rolls(220)
	t.snapshot(0)
	t.act(t.gm, "", startCombat("nurse", "student", "thug"))
	t.struck()
	return t
}

// finish plays on from asked: what comes, and the state at last.
func (t *table) finish() ([]string, string) {
	t.tb.Helper()
	var names []string
	for _, choice := range []string{"cover", "dodge"} {
		for _, e := range t.answer(t.student, "student", choice).Outcome.Events {
			names = append(names, e.Name+" "+e.Text.GetText())
		}
	}
	t.rolls(3)
	return names, t.view(t.gm).StateHash
}

// keep puts bytes in place of the snapshot of a table; nil takes it away. The
// server is down.
func (t *table) keep(b []byte) {
	t.tb.Helper()
	db, err := sql.Open("sqlite", t.path)
	t.ok(err)
	defer db.Close()
	if b == nil {
		_, err = db.Exec(`DELETE FROM snapshots WHERE table_id = ?`, t.id)
	} else {
		_, err = db.Exec(`UPDATE snapshots SET bytes = ? WHERE table_id = ?`, b, t.id)
	}
	t.ok(err)
}

// TestSnapshots: a table that is loaded from a snapshot, from none, or in spite of
// one that is of no use, is the same: state, prompts and what comes next.
func TestSnapshots(t *testing.T) {
	want, wantHash := asked(start(t)).finish()
	for _, c := range []struct {
		name string
		kept func(own, other []byte) []byte
		used bool
	}{
		{"its own", func(own, _ []byte) []byte { return own }, true},
		{"none", func(_, _ []byte) []byte { return nil }, true},
		{"damaged", func(own, _ []byte) []byte { own[len(own)/2] ^= 1; return own }, false},
		{"cut off", func(own, _ []byte) []byte { return own[:len(own)/2] }, false},
		{"empty", func(_, _ []byte) []byte { return []byte{} }, false},
		{"another table's", func(_, other []byte) []byte { return other }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t)
			g, other := asked(s), s.table()
			other.sample("thug")
			other.rolls(220)
			own, foreign := g.snapshot(0).Bytes, other.snapshot(0).Bytes
			before := g.view(g.gm)
			s.stop()
			g.keep(c.kept(own, foreign))
			log := &text{}
			s.open(log.logging)
			after := g.view(g.gm)
			if after.StateHash != before.StateHash {
				t.Error("the state is another one")
			}
			same(t, &tablev1.TableView{Prompts: after.Prompts, WaitingOn: after.WaitingOn}, &tablev1.TableView{Prompts: before.Prompts, WaitingOn: before.WaitingOn})
			if used := !strings.Contains(log.String(), unused); used != c.used {
				t.Errorf("used: %v, log: %s", used, log)
			}
			got, hash := g.finish()
			if strings.Join(got, "\n") != strings.Join(want, "\n") || hash != wantHash {
				t.Errorf("it goes on otherwise:\n%v\n%v", got, want)
			}
		})
	}
}

// TestColdIsSaved: a table that goes cold is saved, if it was played.
func TestColdIsSaved(t *testing.T) {
	s := start(t)
	played, looked := s.table(), s.table()
	played.sample("thug")
	looked.sample("thug")
	played.rolls(30)
	s.restart()
	if got, want := played.snapshot(0).Number, played.head().Number; got != want {
		t.Errorf("saved at %d, want %d", got, want)
	}
	if _, err := s.store.Snapshot(t.Context(), looked.id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestKilled: whenever the process is killed, what it leaves loads to the table
// that the log says, whether the snapshot came or not.
func TestKilled(t *testing.T) {
	s := start(t)
	g := s.table()
	g.sample("thug")
	roll := g.checks()
	killed := 0
	for i := range 420 {
		s.ok(roll())
		// Around each snapshot, and now and then.
		if n := g.head().Number % 200; n > 2 && i%97 != 0 {
			continue
		}
		killed++
		left := &server{tb: t, path: filepath.Join(t.TempDir(), "hantei.db")}
		for _, suffix := range []string{"", "-wal"} {
			b, err := os.ReadFile(s.path + suffix)
			s.ok(err)
			s.ok(os.WriteFile(left.path+suffix, b, 0o600))
		}
		log := &text{}
		left.open(log.logging)
		again := *g
		again.server = left
		if again.head().Number > g.head().Number || again.head().Number < g.head().Number-1 {
			t.Fatalf("commit %d was left, of %d", again.head().Number, g.head().Number)
		}
		if got, want := again.view(g.gm).StateHash, g.view(g.gm).StateHash; got != want || strings.Contains(log.String(), unused) {
			t.Errorf("after commit %d the state is another one; log: %s", g.head().Number, log)
		}
		left.stop()
	}
	if killed < 6 {
		t.Errorf("killed %d times", killed)
	}
}

// TestRepeatedLate repeats requests that the hot table does not remember: one that
// could be carried out again, and one that could not.
func TestRepeatedLate(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	roll, end := g.request("thug", check("spot")), g.request("nurse", endTurn())
	roll.RequestId, end.RequestId = "early roll", "early end"
	rolled, err := g.Play.Act(g.gm, roll)
	s.ok(err)
	ended, err := g.Play.Act(g.nurse, end)
	s.ok(err)
	s.restart()
	for range 2 {
		g.rolls(40) // so many that the store is not asked beforehand any more
		head := g.head()
		again, err := g.Play.Act(g.gm, roll)
		s.ok(err)
		same(t, again, rolled)
		g.rolls(40)
		again, err = g.Play.Act(g.nurse, end)
		s.ok(err)
		same(t, again, ended)
		if got := g.head().Number; got != head.Number+40 {
			t.Errorf("%d commits, want 40: it was carried out twice", got-head.Number)
		}
		g.rolls(40)
		for _, r := range []*hanteiv1.ActRequest{
			g.request("thug", check("listen")), g.request("thug", endTurn()), // taken, and refused
		} {
			r.RequestId = "early roll"
			_, err = g.Play.Act(g.gm, r)
			refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
			g.rolls(40)
		}
	}
	hash := g.view(g.gm).StateHash
	s.restart()
	if g.view(g.gm).StateHash != hash {
		t.Error("the state is not that of the log")
	}
}
