package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/archive"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// proof is a table with three epochs of dice: the first is over, and closed with
// the second one; the third runs. Dice were thrown by the player, by the GM in
// secret, and by hand.
type proof struct {
	t           *testing.T
	c           rest
	http, table string
	gm, player  string // tokens
	early       string // what the player had saved before the campaign was closed
}

func newProof(t *testing.T) *proof {
	s := fresh(t)
	g := &proof{t: t, c: rest{s.http}, http: s.http}
	var made hanteiv1.CreateTableResponse
	g.call(s.admin, "POST", "/v1/tables", &hanteiv1.CreateTableRequest{Name: "Proof", Ruleset: "coc"}, &made)
	g.table, g.gm = made.Table.Id, made.GmToken
	var invited hanteiv1.InviteSeatResponse
	g.call(g.gm, "POST", "/v1/tables/"+g.table+"/seats", &hanteiv1.InviteSeatRequest{
		TableId: g.table, Name: "Anna", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{"officer"},
	}, &invited)
	g.player = invited.Token
	for _, sample := range []string{"officer", "thug"} {
		g.call(g.gm, "POST", "/v1/tables/"+g.table+"/characters", &hanteiv1.CreateCharacterRequest{
			TableId: g.table, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: sample}, CharacterId: sample,
		}, &hanteiv1.CreateCharacterResponse{})
	}
	g.throw()
	g.share("seven")
	g.share("seven and 七")
	g.rotate(false)
	g.throw()
	g.early = g.listed()
	g.rotate(true)
	g.throw()
	return g
}

func (g *proof) call(token, verb, path string, request, response proto.Message) {
	g.t.Helper()
	if err := g.c.call(token, route{"", verb, path}, request, response); err != nil {
		g.t.Fatal(err)
	}
}

// throw throws dice of all kinds.
func (g *proof) throw() {
	roll := func(token string, r *hanteiv1.RollRequest) {
		r.TableId = g.table
		g.call(token, "POST", "/v1/tables/"+g.table+":roll", r, &hanteiv1.RollResponse{})
	}
	roll(g.player, &hanteiv1.RollRequest{Actor: "officer", Formula: "3D6+1D100"})
	roll(g.gm, &hanteiv1.RollRequest{Formula: "2D10", Audience: typev1.Audience_AUDIENCE_GM})
	roll(g.player, &hanteiv1.RollRequest{Actor: "officer", Formula: "1D8", Audience: typev1.Audience_AUDIENCE_OWNER})
	roll(g.gm, &hanteiv1.RollRequest{Formula: "1D6", GivenDice: []string{"1D6=6"}})
	roll(g.player, &hanteiv1.RollRequest{Actor: "officer", Formula: "1D100"})
}

func (g *proof) share(text string) {
	g.call(g.player, "POST", "/v1/tables/"+g.table+"/dice:share", &hanteiv1.GiveDiceShareRequest{TableId: g.table, Share: text}, &hanteiv1.GiveDiceShareResponse{})
}

func (g *proof) rotate(closed bool) {
	g.call(g.gm, "POST", "/v1/tables/"+g.table+":rotateSeed", &hanteiv1.RotateSeedRequest{TableId: g.table, Close: closed}, &hanteiv1.RotateSeedResponse{})
}

// listed is what the player saves of the past.
func (g *proof) listed() string {
	g.t.Helper()
	var page hanteiv1.ListEventsResponse
	g.call(g.player, "GET", "/v1/tables/"+g.table+"/events?page_size=500", &hanteiv1.ListEventsRequest{}, &page)
	b, err := protojson.Marshal(&page)
	if err != nil {
		g.t.Fatal(err)
	}
	return string(b) + "\n"
}

// file is the table's file.
func (g *proof) file() []byte {
	g.t.Helper()
	var out hanteiv1.ExportTableResponse
	g.call(g.gm, "GET", "/v1/tables/"+g.table+":export", &hanteiv1.ExportTableRequest{}, &out)
	return out.Content
}

// watched is what the player saves of the stream, from the beginning, frame by frame,
// until the last throw.
func (g *proof) watched() []string {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), "GET", "http://"+g.http+"/v1/watch?cursor=beginning", nil)
	if err != nil {
		g.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+g.player)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer res.Body.Close()
	var out []string
	in := bufio.NewScanner(res.Body)
	in.Buffer(nil, 1<<20)
	for throws := 0; throws < 12 && in.Scan(); {
		out = append(out, in.Text())
		throws += strings.Count(in.Text(), `"name":"rolled"`)
	}
	return out
}

// saved writes a file.
func saved(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "saved")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestVerifyStream: what a seat has saved is checked, and every way to alter it is
// found, by the command and by the example in another language.
func TestVerifyStream(t *testing.T) {
	g := newProof(t)
	frames := g.watched()
	whole := strings.Join(frames, "\n") + "\n"
	var events strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&events, "event: message\nid: x\ndata: %s\n\n", f)
	}
	const found = "12 checked, 6 wait for a seed, 3 thrown by hand"
	for name, c := range map[string]struct {
		content string
		says    []string
	}{
		"watched":     {whole, []string{found, "Epoch 2: 1 shares, open seed", "No fault was found."}},
		"listed":      {g.listed(), []string{found}},
		"again":       {g.early + g.listed(), []string{found}},
		"early":       {g.early, []string{"5 checked, 7 wait for a seed, 2 thrown by hand", "No fault"}},
		"cut off":     {whole + `{"result": {"eve`, []string{found, "The end is not whole"}},
		"server-sent": {events.String(), []string{found}},
	} {
		t.Run(name, func(t *testing.T) {
			code, said, failed := call(t, "verify", saved(t, c.content))
			for _, want := range c.says {
				if code != 0 || !strings.Contains(said, want) {
					t.Errorf("exit code %d, %q is not in\n%s%s", code, want, said, failed)
				}
			}
		})
	}
	if _, said, _ := call(t, "verify", "--lang", "ja", saved(t, whole)); !strings.HasSuffix(said, "誤りは見つかりませんでした。\n") || !strings.Contains(said, "確かめた12個") {
		t.Errorf("in Japanese:\n%s", said)
	}
	for name, c := range alterations() {
		t.Run(name, func(t *testing.T) {
			content := altered(t, frames, c.alter)
			code, said, failed := call(t, "verify", saved(t, content))
			if code != 1 || !strings.Contains(said, c.fault) || !strings.HasSuffix(said, "A fault was found.\n") {
				t.Errorf("exit code %d\n%s%s", code, said, failed)
			}
		})
	}
	for _, content := range []string{"", "nonsense", "{}", `{"events": 3}`, "[1]"} {
		if code, said, failed := call(t, "verify", saved(t, content)); code != 1 || !strings.Contains(failed, "neither the file of a table nor a saved stream") {
			t.Errorf("%q: exit code %d, %s%s", content, code, said, failed)
		}
	}
	t.Run("example", func(t *testing.T) { checkExample(t, frames, whole) })
}

// checkExample runs the example of the page on verification.
func checkExample(t *testing.T, frames []string, whole string) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI needs node")
		}
		t.Skip("no node on this machine")
	}
	check := func(content string) (string, error) {
		out, err := exec.Command(node, filepath.Join(examples, "verify", "check.mjs"), saved(t, content)).CombinedOutput()
		return string(out), err
	}
	if said, err := check(whole); err != nil || !strings.Contains(said, "12 dice checked, 6 wait for a seed, 3 thrown by hand: no fault") {
		t.Errorf("%v: %s", err, said)
	}
	for name, c := range alterations() {
		if said, err := check(altered(t, frames, c.alter)); err == nil || !strings.HasPrefix(said, "FAULT: ") {
			t.Errorf("%s is not found: %v, %s", name, err, said)
		}
	}
}

type alteration struct {
	// alter changes the events. It reports whether it found what to change.
	alter func(events []*tablev1.EventView) bool
	fault string
}

// alterations are what somebody may do to a saved stream, and what is found.
func alterations() map[string]alteration {
	die := func(s typev1.DiceStream, f func(*typev1.Die)) func([]*tablev1.EventView) bool {
		return func(events []*tablev1.EventView) bool {
			for _, e := range events {
				for _, d := range e.Dice {
					if d.Stream == s {
						f(d)
						return true
					}
				}
			}
			return false
		}
	}
	flip := func(d *typev1.Die) { d.Faces[0] = d.Faces[0]%d.Sides + 1 }
	epoch := func(state tablev1.DiceEpochState, f func(*tablev1.DiceEpoch)) func([]*tablev1.EventView) bool {
		return func(events []*tablev1.EventView) bool {
			done := false
			for _, e := range events {
				for _, c := range e.Changes {
					if after := c.GetDiceEpoch().GetAfter(); after.GetState() == state && !done {
						f(after)
						done = true
					}
				}
			}
			return done
		}
	}
	turned := func(text string) string { // another hex digit
		if text[0] == '0' {
			return "1" + text[1:]
		}
		return "0" + text[1:]
	}
	const committed, running, ended = tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED, tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING, tablev1.DiceEpochState_DICE_EPOCH_STATE_ENDED
	return map[string]alteration{
		"an open face":   {die(typev1.DiceStream_DICE_STREAM_OPEN, flip), "A die does not follow from its seed: open, epoch 1, number 0."},
		"a secret face":  {die(typev1.DiceStream_DICE_STREAM_SECRET, flip), "A die does not follow from its seed: secret, epoch 1"},
		"a number":       {die(typev1.DiceStream_DICE_STREAM_OPEN, func(d *typev1.Die) { *d.Number += 3 }), "Dice are missing of epoch 1: number 0 to 2."},
		"a seed":         {epoch(ended, func(e *tablev1.DiceEpoch) { e.OpenSeed = turned(e.OpenSeed) }), "The seed of epoch 1 is not the one that was committed."},
		"a commitment":   {epoch(running, func(e *tablev1.DiceEpoch) { e.OpenCommitment = turned(e.OpenCommitment) }), "The commitment of epoch 1 was changed."},
		"a share":        {epoch(running, func(e *tablev1.DiceEpoch) { e.ClientMix = strings.Repeat("0", 64) }), "The client mix of epoch 1 does not follow from the shares."},
		"a late share":   {epoch(ended, func(e *tablev1.DiceEpoch) { e.Shares = append(e.Shares, &tablev1.DiceShare{SeatId: "x", Share: "y"}) }), "The shares of epoch 1 were changed when it had begun."},
		"how many":       {epoch(ended, func(e *tablev1.DiceEpoch) { e.OpenDice++ }), "Dice are missing at the end of epoch 1: 6 were thrown, 5 are here."},
		"the last shown": {epoch(committed, func(e *tablev1.DiceEpoch) { e.Table = "another" }), "The commitment of epoch 2 was changed."},
		"a dropped event": {func(events []*tablev1.EventView) bool {
			for _, e := range events {
				if e.Name == "rolled" {
					e.Dice = nil
					return true
				}
			}
			return false
		}, "Dice are missing of epoch 1: number 0 to 3."},
	}
}

// altered are frames after somebody has changed something.
func altered(t *testing.T, frames []string, alter func([]*tablev1.EventView) bool) string {
	t.Helper()
	var out strings.Builder
	pages := make([]*hanteiv1.WatchResponse, len(frames))
	var events []*tablev1.EventView
	for i, f := range frames {
		var frame struct{ Result json.RawMessage }
		pages[i] = &hanteiv1.WatchResponse{}
		if err := json.Unmarshal([]byte(f), &frame); err != nil {
			t.Fatal(err)
		}
		if err := protojson.Unmarshal(frame.Result, pages[i]); err != nil {
			t.Fatal(err)
		}
		events = append(events, pages[i].Events...)
	}
	if !alter(events) {
		t.Fatal("there is nothing to alter")
	}
	for _, p := range pages {
		b, err := protojson.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "{\"result\": %s}\n", b)
	}
	return out.String()
}

// TestVerifyFile: of a table's file all four checks are made, and what was altered is
// found, also by somebody who makes the chain anew.
func TestVerifyFile(t *testing.T) {
	g := newProof(t)
	var online hanteiv1.VerifyTableResponse
	g.call(g.gm, "GET", "/v1/tables/"+g.table+":verify", &hanteiv1.VerifyTableRequest{}, &online)
	if !online.Sound || online.Rules.Checked != online.Commits || online.Chain.Checked != online.Commits || online.Fold.Checked != online.Commits ||
		online.Dice.Checked != 24 || online.Dice.Unchecked != 0 || online.Dice.Given != 3 || online.TablePackHash != online.ServerPackHash {
		t.Errorf("%v", &online)
	}
	file := g.file()
	code, said, failed := call(t, "verify", saved(t, string(file)))
	for _, want := range []string{"same events: " + fmt.Sprint(online.Commits) + " commits", "16 checked, 8 wait for a seed, 3 thrown by hand", "No fault was found."} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, %q is not in\n%s%s", code, want, said, failed)
		}
	}
	flip := func(d *typev1.Die) bool {
		d.Faces[0] = d.Faces[0]%d.Sides + 1
		return true
	}
	drop := func(d *typev1.Die) bool { return false }
	for name, c := range map[string]struct {
		alter func(h *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit
		fault string
	}{
		"a byte of an event": {func(_ *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			editDice(t, log, flip)
			return log
		}, "The events are not the bytes that were stored."},
		"a face": {func(_ *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			editDice(t, log, flip)
			return chained(log)
		}, "A die does not follow from its seed: open, epoch 1, number 0."},
		"a dropped die": {func(_ *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			editDice(t, log, drop)
			return chained(log)
		}, "The rules of this program make something else of the command"},
		"a dropped commit": {func(_ *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			return chained(append(log[:5:5], log[6:]...))
		}, "A commit is missing, or out of place."},
		"the state": {func(h *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			h.StateHash = strings.Repeat("0", 64)
			return log
		}, "The events lead to another state than the table has."},
		"a command": {func(_ *tablev1.ArchiveHeader, log []*tablev1.Commit) []*tablev1.Commit {
			for _, c := range log {
				if r := c.Command.GetRoll(); r != nil {
					r.Formula = "3D6+1D100+1"
					break
				}
			}
			return log
		}, "facts[0].words[0]: "},
	} {
		t.Run(name, func(t *testing.T) {
			header, stored, err := archive.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			var log []*tablev1.Commit
			for _, b := range stored {
				c := &tablev1.Commit{}
				if err := proto.Unmarshal(b, c); err != nil {
					t.Fatal(err)
				}
				log = append(log, c)
			}
			var commits [][]byte
			for _, c := range c.alter(header, log) {
				b, err := proto.Marshal(c)
				if err != nil {
					t.Fatal(err)
				}
				commits = append(commits, b)
			}
			content, err := archive.Write(header, commits)
			if err != nil {
				t.Fatal(err)
			}
			code, said, failed := call(t, "verify", saved(t, string(content)))
			if code != 1 || !strings.Contains(said, c.fault) {
				t.Errorf("exit code %d\n%s%s", code, said, failed)
			}
		})
	}
	// A seed that was never committed.
	header, stored, err := archive.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	header.SecretSeeds = append(header.SecretSeeds, &tablev1.SecretSeed{Epoch: 3, Seed: bytes.Repeat([]byte{1}, 32)})
	content, err := archive.Write(header, stored)
	if err != nil {
		t.Fatal(err)
	}
	if code, said, _ := call(t, "verify", saved(t, string(content))); code != 1 || !strings.Contains(said, "The seed of epoch 3 is not the one that was committed.") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	if code, _, failed := call(t, "verify", saved(t, string(file[:len(file)-9]))); code != 1 || !strings.Contains(failed, "damaged or not whole") {
		t.Errorf("cut off: exit code %d, %s", code, failed)
	}
}

// editDice changes the first open die of a log, or drops it.
func editDice(t *testing.T, log []*tablev1.Commit, keep func(*typev1.Die) bool) {
	t.Helper()
	for _, c := range log {
		for _, run := range c.Runs {
			for i, b := range run.Events {
				e := &tablev1.Event{}
				if err := proto.Unmarshal(b, e); err != nil {
					t.Fatal(err)
				}
				if len(e.Dice) == 0 || e.Dice[0].Stream != typev1.DiceStream_DICE_STREAM_OPEN {
					continue
				}
				if !keep(e.Dice[0]) {
					e.Dice = e.Dice[1:]
				}
				changed, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
				if err != nil {
					t.Fatal(err)
				}
				run.Events[i] = changed
				return
			}
		}
	}
	t.Fatal("there is no open die")
}

// chained is a log with the chain made anew, as somebody would who alters it.
func chained(log []*tablev1.Commit) []*tablev1.Commit {
	var before [32]byte
	for _, c := range log {
		h := sha256.New()
		h.Write(before[:])
		for _, run := range c.Runs {
			for _, b := range run.Events {
				sum := sha256.Sum256(b)
				h.Write(sum[:])
			}
		}
		h.Sum(before[:0])
		c.Chain = bytes.Clone(before[:])
	}
	return log
}
