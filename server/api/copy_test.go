package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/archive"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func (t *table) export(ctx context.Context) *hanteiv1.ExportTableResponse {
	t.tb.Helper()
	r, err := t.Table.ExportTable(ctx, &hanteiv1.ExportTableRequest{TableId: t.id})
	t.ok(err)
	return r
}

// imported is a table that a file makes, sat at like the one that it came from.
func (s *server) imported(content []byte) (*table, *hanteiv1.ImportTableResponse) {
	s.tb.Helper()
	t := &table{server: s, admin: as(s.tb, auth.Admin)}
	r, err := s.Table.ImportTable(t.admin, &hanteiv1.ImportTableRequest{Content: content})
	s.ok(err)
	t.id = r.Table.Id
	for i, at := range []*context.Context{&t.gm, &t.nurse, &t.student} {
		p, err := s.host.PrincipalByToken(context.Background(), auth.HashToken(r.Seats[i].Token))
		s.ok(err)
		if p.Table != t.id || p.Seat != r.Seats[i].Seat.Id {
			s.tb.Errorf("the token is another's: %v", p)
		}
		*at = as(s.tb, p)
	}
	return t, r
}

// history is all that a seat was told, without the ids.
func (t *table) history(ctx context.Context) []*tablev1.EventView {
	t.tb.Helper()
	r, err := t.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: t.id, PageSize: 500})
	t.ok(err)
	for _, e := range r.Events {
		e.EventId, e.Cause, e.StepId, e.ToldTo = "", "", "", nil
	}
	return r.Events
}

// A table goes on in its copy, on the same server or another one: the same state,
// what each seat was told, and the step that waits.
func TestCopy(t *testing.T) {
	s := start(t)
	g := s.table(opt("npc_hp", "exact")).fight()
	g.set(opt("crit", "7"))
	g.struck()
	file := g.export(g.gm)
	if admins := g.export(g.admin); !bytes.Equal(admins.Content, file.Content) {
		t.Error("the admin's file is another")
	}
	if file.Commits != g.head().Number || file.StateHash != g.view(g.gm).StateHash || file.FileName == "" {
		t.Errorf("%d commits, %s", file.Commits, file.FileName)
	}
	for _, token := range []string{g.gmToken, g.nurseToken} {
		if bytes.Contains(file.Content, []byte(token)) {
			t.Error("a token is in the file")
		}
	}
	for where, at := range map[string]*server{"here": s, "elsewhere": start(t)} {
		t.Run(where, func(t *testing.T) {
			c, r := at.imported(file.Content)
			if c.id == g.id || r.StateHash != file.StateHash || r.Table.Name != "Test" || len(r.Seats) != 3 {
				t.Errorf("%v", r)
			}
			if optionOf(r.Table.Options, "npc_hp") != "exact" || optionOf(r.Table.Options, "crit") != "7" {
				t.Errorf("%v", r.Table.Options)
			}
			for i, old := range []string{g.gmSeat, g.nurseSeat} {
				if r.Seats[i].Seat.Id == old || len(r.Seats[i].Seat.Characters) != i {
					t.Errorf("%v", r.Seats[i].Seat)
				}
			}
			same := func(a, b *table) {
				t.Helper()
				for i, ctx := range [][2]context.Context{{a.gm, b.gm}, {a.nurse, b.nurse}, {a.student, b.student}} {
					x, y := played(a.history(ctx[0])), played(b.history(ctx[1]))
					if len(x) != len(y) || len(x) == 0 {
						t.Fatalf("seat %d was told %d events, not %d", i, len(y), len(x))
					}
					for j := range x {
						sameMessage(t, y[j], x[j])
					}
				}
				if x, y := a.view(a.gm).StateHash, b.view(b.gm).StateHash; x != y {
					t.Error("the state is another")
				}
			}
			same(g, c)
			// A copy of the copy has the same log but for the seats' ids.
			again := c.export(c.gm)
			d, _ := at.imported(again.Content)
			same(g, d)
			at.restart()
			for _, one := range []*table{c, d} {
				one.answer(one.student, "student", "cover")
				one.answer(one.student, "student", "dodge")
			}
		})
	}
}

func sameMessage(t *testing.T, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		same(t, got, want)
	}
}

// The step that waits in a copy goes on like that of the original.
func TestCopyGoesOn(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	g.struck()
	c, _ := s.imported(g.export(g.gm).Content)
	for _, one := range []*table{g, c} {
		one.answer(one.student, "student", "decline")
		_, err := one.Play.Answer(one.gm, &hanteiv1.AnswerRequest{
			TableId: one.id, PromptId: "-", GivenDice: []string{"1D100=3"},
			Answers: []*hanteiv1.SlotAnswer{{Character: "nurse", How: &hanteiv1.SlotAnswer_Choice{Choice: "dodge"}}},
		})
		s.ok(err)
	}
	if g.view(g.gm).StateHash != c.view(c.gm).StateHash {
		t.Error("the state is another")
	}
}

func TestCopyRefusals(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	other := s.table()
	export := func(ctx context.Context) error {
		_, err := g.Table.ExportTable(ctx, &hanteiv1.ExportTableRequest{TableId: g.id})
		return err
	}
	refused(t, export(g.nurse), codes.PermissionDenied, "NOT_YOUR_SEAT")
	refused(t, export(other.gm), codes.NotFound, "NOT_FOUND")
	refused(t, export(context.Background()), codes.Unauthenticated, "TOKEN_MISSING")
	good := g.export(g.gm).Content
	bring := func(ctx context.Context, content []byte, name string) error {
		_, err := g.Table.ImportTable(ctx, &hanteiv1.ImportTableRequest{Content: content, Name: name})
		return err
	}
	refused(t, bring(g.gm, good, ""), codes.PermissionDenied, "NOT_YOUR_SEAT")
	refused(t, bring(context.Background(), good, ""), codes.Unauthenticated, "TOKEN_MISSING")
	if info := refused(t, bring(g.admin, good, "a\u202eb"), codes.InvalidArgument, "INVALID_FIELD"); info.GetMetadata()["field"] != "name" {
		t.Errorf("%v", info)
	}
	for what, content := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "cut": good[:len(good)-9], "longer": append(bytes.Clone(good), 0, 1),
	} {
		// What follows a good file is not read.
		if what == "longer" {
			continue
		}
		if info := refused(t, bring(g.admin, content, ""), codes.InvalidArgument, "INVALID_FIELD"); info.GetMetadata()["field"] != "content" {
			t.Errorf("%s: %v", what, info)
		}
	}
	header := func(change func(*tablev1.ArchiveHeader)) func(*tablev1.ArchiveHeader, []*tablev1.Commit) []*tablev1.Commit {
		return func(h *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit { change(h); return all }
	}
	event := func(c *tablev1.Commit, changes ...*tablev1.Change) {
		b, err := proto.Marshal(&tablev1.Event{Name: "x", Changes: changes})
		s.ok(err)
		c.Runs[0].Events[0] = b
	}
	for what, forge := range map[string]func(*tablev1.ArchiveHeader, []*tablev1.Commit) []*tablev1.Commit{
		"no seat":     header(func(h *tablev1.ArchiveHeader) { h.Seats = nil }),
		"no GM":       header(func(h *tablev1.ArchiveHeader) { h.Seats = h.Seats[1:] }),
		"seat twice":  header(func(h *tablev1.ArchiveHeader) { h.Seats[1].Id = h.Seats[0].Id }),
		"seat no id":  header(func(h *tablev1.ArchiveHeader) { h.Seats[1].Id = "" }),
		"role":        header(func(h *tablev1.ArchiveHeader) { h.Seats[1].Role = 9 }),
		"seat's name": header(func(h *tablev1.ArchiveHeader) { h.Seats[1].Name = "a\nb" }),
		"characters":  header(func(h *tablev1.ArchiveHeader) { h.Seats[1].Characters = []string{"A b"} }),
		"window key":  header(func(h *tablev1.ArchiveHeader) { h.WindowKey = nil }),
		"name":        header(func(h *tablev1.ArchiveHeader) { h.Name = "" }),
		"time":        header(func(h *tablev1.ArchiveHeader) { h.CreateTimeMs = -1 }),
		"state_hash":  header(func(h *tablev1.ArchiveHeader) { h.StateHash = "00" }),
		"many seats":  header(func(h *tablev1.ArchiveHeader) { h.Seats = append(h.Seats, make([]*tablev1.Seat, host.MaxSeats)...) }),
		"first gone":  func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit { return all[1:] },
		"one gone": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			return append(all[:2:2], all[3:]...)
		},
		"last gone": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit { return all[:len(all)-1] },
		"made twice": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			all[1].Command = all[0].Command
			return all
		},
		"no command": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			all[1].Command = nil
			return all
		},
		"no stamp": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			all[1].Visibility = nil
			return all
		},
		"ruleset": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			all[0].Command.GetCreate().Ruleset = "chess"
			return all
		},
		"bad event": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			all[1].Runs[0].Events[0] = []byte{0xff}
			return all
		},
		"empty change": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			event(all[1], &tablev1.Change{})
			return all
		},
		"nobody's": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			event(all[1], &tablev1.Change{Change: &tablev1.Change_Stat{Stat: &tablev1.StatChange{Character: "nobody"}}})
			return all
		},
		"no row": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			event(all[0], &tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{}}})
			return all
		},
		"option's value": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			event(all[0], &tablev1.Change{Change: &tablev1.Change_Option{Option: &tablev1.OptionChange{After: opt("crit", "x")}}})
			return all
		},
		"character's id": func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			event(all[0], &tablev1.Change{Change: &tablev1.Change_Character{Character: &tablev1.CharacterChange{Character: "A b", After: &tablev1.Character{Id: "A b"}}}})
			return all
		},
	} {
		info := refused(t, bring(g.admin, forged(t, good, true, forge), ""), codes.InvalidArgument, "INVALID_FIELD")
		if f := info.GetMetadata()["field"]; f != "content" || t.Failed() {
			t.Fatalf("%s: %v", what, info)
		}
	}
	// A byte of an event, as it was: the chain tells.
	altered := forged(t, good, false, func(_ *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
		b := all[2].Runs[0].Events[0]
		b[len(b)-1]++
		return all
	})
	refused(t, bring(g.admin, altered, ""), codes.InvalidArgument, "INVALID_FIELD")

	all, err := g.Table.ListTables(g.admin, &hanteiv1.ListTablesRequest{})
	s.ok(err)
	if len(all.Tables) != 2 {
		t.Errorf("%d tables: something was made of a bad file", len(all.Tables))
	}
}

// forged is a file that was changed by somebody who knows how; with chain, its
// chain is right again.
func forged(t testing.TB, file []byte, chain bool, forge func(*tablev1.ArchiveHeader, []*tablev1.Commit) []*tablev1.Commit) []byte {
	t.Helper()
	h, stored, err := archive.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	commits := make([]*tablev1.Commit, len(stored))
	for i, b := range stored {
		commits[i] = &tablev1.Commit{}
		if err := proto.Unmarshal(b, commits[i]); err != nil {
			t.Fatal(err)
		}
	}
	commits = forge(h, commits)
	for i := range h.Seats {
		if h.Seats[i] == nil {
			h.Seats[i] = &tablev1.Seat{}
		}
	}
	var before [32]byte
	var out [][]byte
	for _, c := range commits {
		sum := sha256.New()
		sum.Write(before[:])
		for _, run := range c.Runs {
			for _, e := range run.Events {
				one := sha256.Sum256(e)
				sum.Write(one[:])
			}
		}
		sum.Sum(before[:0])
		if chain {
			c.Chain = bytes.Clone(before[:])
		}
		b, err := proto.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	b, err := archive.Write(h, out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Whatever bytes somebody changes, with a chain that is right again: the file is
// taken or refused, and the server goes on.
func TestCopyOfNonsense(t *testing.T) {
	s := start(t, func(_ *host.Options, _ *api.Options, q *sqlite.Options) { q.Relaxed = true })
	g := s.table().fight()
	g.struck()
	good := g.export(g.gm).Content
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 300 {
		file := forged(t, good, true, func(h *tablev1.ArchiveHeader, all []*tablev1.Commit) []*tablev1.Commit {
			for range 1 + r.IntN(3) {
				c := all[r.IntN(len(all))]
				for _, run := range c.Runs {
					if len(run.Events) == 0 {
						continue
					}
					i := r.IntN(len(run.Events))
					b := bytes.Clone(run.Events[i])
					switch at := r.IntN(len(b)); r.IntN(4) {
					case 0:
						b[at] ^= 1 << r.IntN(8)
					case 1:
						b = append(b[:at], b[at+1:]...)
					case 2:
						b = append(b[:at:at], b[r.IntN(len(b)):]...)
					default:
						b = run.Events[r.IntN(len(run.Events))]
					}
					run.Events[i] = b
				}
			}
			return all
		})
		made, err := g.Table.ImportTable(g.admin, &hanteiv1.ImportTableRequest{Content: file})
		if err == nil {
			taken++
			_, err = g.Table.DeleteTable(g.admin, &hanteiv1.DeleteTableRequest{TableId: made.Table.Id})
			s.ok(err)
			continue
		}
		refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
		if t.Failed() {
			t.FailNow()
		}
	}
	if taken == 0 || taken == 300 {
		t.Errorf("%d taken", taken)
	}
	g.answer(g.student, "student", "decline")
}

// played is a history without what a copy adds to it: its dice begin anew.
func played(all []*tablev1.EventView) []*tablev1.EventView {
	return slices.DeleteFunc(all, func(e *tablev1.EventView) bool { return e.Name == "dice_epoch_begun" })
}
