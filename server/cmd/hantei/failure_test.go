package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/proto"
)

// desk is a table with a GM who writes notes and checks.
type desk struct {
	t         *testing.T
	child     *child
	admin     string
	table, gm string
	n         int
}

func newDesk(t *testing.T, c *child) *desk {
	t.Helper()
	d := &desk{t: t, child: c, admin: c.admin}
	made := &hanteiv1.CreateTableResponse{}
	d.must(d.admin, createTable(), &hanteiv1.CreateTableRequest{Name: "Desk", Ruleset: "coc"}, made)
	d.table, d.gm = made.Table.Id, made.GmToken
	d.must(d.gm, createCharacter(d.table), &hanteiv1.CreateCharacterRequest{
		TableId: d.table, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"},
	}, &hanteiv1.CreateCharacterResponse{})
	return d
}

// on is the same table on another server.
func (d *desk) on(c *child) *desk {
	other := *d
	other.child = c
	return &other
}

func (d *desk) must(token string, r route, request, response proto.Message) {
	d.t.Helper()
	if err := (rest{d.child.http}).call(token, r, request, response); err != nil {
		d.t.Fatal(err)
	}
}

// act asks for a note.
func (d *desk) act(id, text string) (*hanteiv1.Outcome, error) {
	out := &hanteiv1.ActResponse{}
	err := rest{d.child.http}.call(d.gm, act(d.table), &hanteiv1.ActRequest{
		TableId: d.table, RequestId: id, What: &hanteiv1.ActRequest_Action{Action: noteOf(text)},
	}, out)
	return out.Outcome, err
}

// write writes notes of about a size.
func (d *desk) write(n, size int) {
	d.t.Helper()
	for range n {
		d.n++
		if _, err := d.act(fmt.Sprint("note ", d.n), fmt.Sprint(d.n, " ", strings.Repeat("x", size))); err != nil {
			d.t.Fatal(err)
		}
	}
}

// told is all that the GM is told of a table.
type told struct {
	hash   string
	view   *tablev1.TableView
	events []*tablev1.EventView
}

// look reads all that there is, or the first error.
func (d *desk) look() (told, error) {
	c := rest{d.child.http}
	view := &hanteiv1.GetViewResponse{}
	if err := c.call(d.gm, getView(d.table), &hanteiv1.GetViewRequest{TableId: d.table}, view); err != nil {
		return told{}, err
	}
	view.View.Cursor = "" // each time another
	out := told{hash: view.View.StateHash, view: view.View}
	for cursor := ""; ; {
		page := &hanteiv1.ListEventsResponse{}
		path := "/v1/tables/" + d.table + "/events?pageSize=500&cursor=" + cursor
		if err := c.call(d.gm, route{"", "GET", path}, nil, page); err != nil {
			return told{}, err
		}
		out.events = append(out.events, page.Events...)
		if cursor = page.Cursor; !page.More {
			return out, nil
		}
	}
}

func (d *desk) mustLook() told {
	d.t.Helper()
	out, err := d.look()
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// beginning reports whether t is what other was at an earlier moment, or is now.
func (t told) beginning(of told) bool {
	return len(t.events) <= len(of.events) &&
		slices.EqualFunc(t.events, of.events[:len(t.events)], func(a, b *tablev1.EventView) bool { return proto.Equal(a, b) })
}

func (t told) same(as told) bool {
	return t.hash == as.hash && len(t.events) == len(as.events) && t.beginning(as) && proto.Equal(t.view, as.view)
}

// fill writes until there is no room, and checks what is then: the request is
// refused as one that may be tried again, all is as before it, and can be read.
func (d *desk) fill() (id, text string) {
	d.t.Helper()
	var before told
	for i := range 2000 {
		id, text = fmt.Sprint("fill ", i), fmt.Sprint(i, strings.Repeat("y", 1900))
		if i%20 == 0 {
			before = d.mustLook()
		}
		_, err := d.act(id, text)
		if err == nil {
			before.events = nil // written since
			continue
		}
		if !strings.Contains(err.Error(), ": 503 ") || strings.Contains(err.Error(), "full") {
			d.t.Fatalf("got error %v, want one that says to try again and nothing of the server", err)
		}
		for range 3 { // it stays so
			if _, err := d.act(id, text); err == nil || !strings.Contains(err.Error(), ": 503 ") {
				d.t.Errorf("again: got error %v", err)
			}
		}
		after := d.mustLook()
		notes := 0
		for _, e := range after.events {
			if tells([]*tablev1.EventView{e}, text) {
				d.t.Error("a note that was refused is there")
			}
			if e.Name == "rule_noted" {
				notes++
			}
		}
		if want := d.n + i; notes != want {
			d.t.Errorf("%d notes, want %d", notes, want)
		}
		if after.hash != before.hash { // notes do not change the state
			d.t.Errorf("state_hash %s, before %s", after.hash, before.hash)
		}
		return id, text
	}
	d.t.Fatal("it never becomes full")
	return "", ""
}

// roomAgain checks that what was refused for want of room can be had now, once.
func (d *desk) roomAgain(before told, id, text string) {
	d.t.Helper()
	if now := d.mustLook(); !now.same(before) {
		d.t.Error("another state after the restart")
	}
	first, err := d.act(id, text)
	if err != nil {
		d.t.Fatal(err)
	}
	if second, err := d.act(id, text); err != nil || !proto.Equal(first, second) {
		d.t.Errorf("the same request: %v, %v, before %v", second, err, first)
	}
	if now := d.mustLook(); len(now.events) != len(before.events)+1 {
		d.t.Errorf("%d events, want one more than %d", len(now.events), len(before.events))
	}
}

// A database that may not grow: the server says so, forgets nothing, and goes on
// with a bigger one.
func TestNoRoom(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	c := running(t, db, maxPages+"=100")
	d := newDesk(t, c)
	d.write(3, 100)
	id, text := d.fill()
	before := d.mustLook()
	c.kill()
	d.on(running(t, db)).roomAgain(before, id, text)
}

// A disk that is really full, and has room again while the server runs.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "hantei-test", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no small disk can be mounted here (it takes root on Linux); TestNoRoom has tested the rest: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	db, ballast := filepath.Join(dir, "hantei.db"), filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 300<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	c := running(t, db)
	d := newDesk(t, c)
	d.write(3, 100)
	id, text := d.fill()
	before := d.mustLook()
	// It is killed and must start on the full disk, if only to be read, or say why not.
	c.kill()
	c = launch(t, db)
	if err := <-c.ready; err == nil {
		d.child = c
		if now := d.mustLook(); !now.same(before) {
			t.Error("another state after the restart on a full disk")
		}
	} else {
		refused(t, c, db)
		t.Logf("on a full disk: %s", &c.stderr)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if d.child != c {
		d.child = running(t, db)
	}
	d.roomAgain(before, id, text)
}

// The server must not start where it cannot write.
func TestReadOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	dir := t.TempDir()
	db := filepath.Join(dir, "hantei.db")
	c := running(t, db)
	d := newDesk(t, c)
	d.write(3, 100)
	before := d.mustLook()
	c.stop(t)
	for _, mode := range []struct {
		path     string
		bad, mod os.FileMode
	}{{db, 0o400, 0o600}, {db, 0o000, 0o600}, {db + ".lock", 0o400, 0o600}, {dir, 0o500, 0o700}} {
		if err := os.Chmod(mode.path, mode.bad); err != nil {
			t.Fatal(err)
		}
		c := prepare(db)
		startOrdinary(t, c)
		refused(t, c, db)
		t.Logf("%s with mode %o: %s", filepath.Base(mode.path), mode.bad, &c.stderr)
		if err := os.Chmod(mode.path, mode.mod); err != nil {
			t.Fatal(err)
		}
	}
	c = prepare(db)
	startOrdinary(t, c)
	c.wait(t)
	d.child = c
	if !d.mustLook().same(before) {
		t.Error("another state")
	}
	d.write(1, 10)
}

// A second server on the same file is refused, and the first goes on.
func TestSecondServer(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	d := newDesk(t, running(t, db))
	d.write(1, 10)
	refused(t, launch(t, db), "in use by another process", db)
	d.write(1, 10)
	// When the first is gone, however it went, nothing stands in the way.
	before := d.mustLook()
	d.child.kill()
	if now := d.on(running(t, db)).mustLook(); !now.same(before) {
		t.Error("another state")
	}
}

// The end of the write-ahead log is damaged, as by a disk that has written half:
// the server comes up with an earlier state, whole, and goes on from there.
func TestDamagedWAL(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	c := running(t, db)
	d := newDesk(t, c)
	d.write(20, 1500)
	before := d.mustLook()
	c.kill()
	wal, err := os.ReadFile(db + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	const header, frame = 32, 24 + 4096
	if len(wal) < header+10*frame || (len(wal)-header)%frame != 0 {
		t.Fatalf("a log of %d bytes", len(wal))
	}
	last := len(wal) - frame
	half := slices.Clone(wal)
	clear(half[last+frame/2:])
	flipped := slices.Clone(wal)
	flipped[last+500] ^= 1
	middle := slices.Clone(wal)
	middle[header+(len(wal)-header)/frame/2*frame+500] ^= 1
	for _, damage := range []struct {
		name string
		wal  []byte
		lost int // events; -1 for some
	}{
		{"whole", wal, 0},
		{"last page half written", half, 1},
		{"last page with another bit", flipped, 1},
		{"cut within the last page", wal[:last+frame/3], 1},
		{"rubbish behind it", append(slices.Clone(wal), bytes.Repeat([]byte{7}, frame)...), 0},
		{"another bit in the middle", middle, -1},
	} {
		t.Run(damage.name, func(t *testing.T) {
			copied := copyDB(t, db)
			if err := os.WriteFile(copied+"-wal", damage.wal, 0o600); err != nil {
				t.Fatal(err)
			}
			d := d.on(running(t, copied))
			d.t = t
			now := d.mustLook()
			lost := len(before.events) - len(now.events)
			if !now.beginning(before) || damage.lost >= 0 && lost != damage.lost || damage.lost < 0 && lost < 2 {
				t.Fatalf("%d events are lost, want %d; the rest is the same: %v", lost, damage.lost, now.beginning(before))
			}
			// What was lost can be had again under the same request id, and only that.
			text := fmt.Sprint(d.n, " ", strings.Repeat("x", 1500))
			if _, err := d.act(fmt.Sprint("note ", d.n), text); err != nil {
				t.Fatal(err)
			}
			want := len(now.events) + 1
			if lost == 0 {
				want--
			}
			if after := d.mustLook(); len(after.events) != want {
				t.Errorf("%d events after the request was sent again, want %d", len(after.events), want)
			}
		})
	}
}

// Damage within the database: whatever a page is overwritten with, the server
// refuses to start, refuses what it cannot read, or has the state right.
func TestDamagedDatabase(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	c := running(t, db)
	d := newDesk(t, c)
	d.write(60, 1500)
	before := d.mustLook()
	c.stop(t)
	whole, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	last := len(whole) - page
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	damages := map[string]func(b []byte){
		"last page of zeros":        func(b []byte) { clear(b[last:]) },
		"last page of rubbish":      func(b []byte) { copy(b[last:], bytes.Repeat([]byte{0xa5}, page)) },
		"last page with other text": func(b []byte) { replaceIn(b[last:], 'x', 'z') },
		"other text everywhere":     func(b []byte) { replaceIn(b[len(b)/2:], 'x', 'z') },
		"last page is another":      func(b []byte) { copy(b[last:], b[last-page:last]) },
		"first page of zeros":       func(b []byte) { clear(b[:page]) },
	}
	for i := range 4 {
		damages[fmt.Sprint("some bits ", i)] = func(b []byte) {
			for range 20 {
				b[page+r.IntN(len(b)-page)] ^= byte(1 << r.IntN(8))
			}
		}
	}
	outcomes := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(damages)) { // in order, so that the seed says all
		b := slices.Clone(whole)
		damages[name](b)
		copied := filepath.Join(t.TempDir(), "hantei.db")
		if err := os.WriteFile(copied, b, 0o600); err != nil {
			t.Fatal(err)
		}
		c := launch(t, copied)
		if err := <-c.ready; err != nil {
			refused(t, c, copied)
			outcomes["does not start"]++
			t.Logf("%s: %s", name, &c.stderr)
			continue
		}
		now, err := d.on(c).look()
		switch {
		case err != nil:
			outcomes["answers with an error"]++
			if strings.Contains(err.Error(), "malformed") || strings.Contains(err.Error(), copied) {
				t.Errorf("%s: the error tells of the server: %v", name, err)
			}
			t.Logf("%s: %v", name, err)
		case now.same(before):
			outcomes["has it right"]++
		default:
			outcomes["has it wrong"]++
			t.Errorf("%s: another state, without a word:\n%v\nwant:\n%v", name, now.view, before.view)
		}
		c.kill()
	}
	t.Log(outcomes)
}

func replaceIn(b []byte, from, to byte) {
	for i := range b {
		if b[i] == from {
			b[i] = to
		}
	}
}

// The clock is set back by a year. That is, all that lies in the database was
// written by a clock that was a year ahead.
func TestClockSetBack(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	c := running(t, db)
	d := newDesk(t, c)
	d.write(3, 10)
	before := d.mustLook()
	c.stop(t)
	ahead(t, db, 365*24*time.Hour)

	d.child = running(t, db)
	if now := d.mustLook(); !now.same(before) {
		t.Error("another state")
	}
	first := *d
	d.n = 2 // the last note under the same id is the same request
	d.write(1, 10)
	if now := d.mustLook(); len(now.events) != len(before.events) {
		t.Error("a request was carried out twice")
	}
	d.write(3, 10)
	now := d.mustLook()
	if !before.beginning(now) || len(now.events) != len(before.events)+3 {
		t.Errorf("%d events after 3 more than %d", len(now.events), len(before.events))
	}
	second := newDesk(t, &child{http: d.child.http, admin: d.admin})
	tables := &hanteiv1.ListTablesResponse{}
	d.must(d.admin, route{"", "GET", "/v1/tables"}, nil, tables)
	if len(tables.Tables) != 2 || tables.Tables[0].Id != second.table || tables.Tables[1].Id != first.table {
		t.Errorf("tables are not listed newest first: %v", tables.Tables)
	}
	d.child.kill()
	if again := d.on(running(t, db)).mustLook(); !again.same(now) {
		t.Error("another state after a kill")
	}
}

// ahead adds a time to every time in a database.
func ahead(t *testing.T, db string, by time.Duration) {
	t.Helper()
	conn, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rows, err := conn.Query(`SELECT rowid, bytes FROM commits`)
	if err != nil {
		t.Fatal(err)
	}
	changed := map[int64][]byte{}
	for rows.Next() {
		var id int64
		var b []byte
		commit := &tablev1.Commit{}
		if err := rows.Scan(&id, &b); err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(b, commit); err != nil {
			t.Fatal(err)
		}
		commit.TimeMs += by.Milliseconds()
		if changed[id], err = proto.Marshal(commit); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for id, b := range changed {
		if _, err := conn.Exec(`UPDATE commits SET bytes = ?, sum = NULL WHERE rowid = ?`, b, id); err != nil {
			t.Fatal(err)
		}
	}
	for table, columns := range map[string]string{
		"tables": `id, name, ruleset, options, pack_hash, create_time`,
		"seats":  `id, table_id, name, role, characters, policies, create_time, revoke_time`,
	} {
		if _, err := conn.Exec(`UPDATE `+table+` SET create_time = create_time + ?`, by.Milliseconds()); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(`UPDATE ` + table + ` SET sum = row_sum(` + columns + `)`); err != nil {
			t.Fatal(err)
		}
	}
}

// A backup by the command, while the server runs and many write: it has what was
// answered before, and a server goes on from it.
func TestBackupCommand(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "hantei.db")
	d := newDesk(t, running(t, db))
	ctx, end := context.WithCancel(t.Context())
	written, other := make(chan struct{}), d.on(d.child)
	go func() {
		defer close(written)
		for ctx.Err() == nil {
			other.n++
			if _, err := other.act(fmt.Sprint("other ", other.n), "meanwhile"); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	d.write(10, 500)
	before := d.mustLook()
	out := filepath.Join(dir, "backup.db")
	if code, said, failed := call(t, "backup", "--db", db, out); code != 0 || !strings.Contains(said, out) {
		t.Fatalf("code %d, %q, %q", code, said, failed)
	}
	d.write(1, 500)
	end()
	<-written
	after := d.mustLook()
	if info, err := os.Stat(out); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info, err)
	}
	if code, _, failed := call(t, "backup", "--db", db, out); code != 1 || !strings.Contains(failed, "already exists") {
		t.Errorf("onto a file that is there: code %d, %q", code, failed)
	}

	// Same tokens, same requests, same dice: both servers are the table.
	copied := d.on(running(t, out))
	if copied.child.admin != "" {
		t.Error("the copy has another admin")
	}
	now := copied.mustLook()
	if !before.beginning(now) || !now.beginning(after) {
		t.Errorf("the copy has %d events, %d were there before and %d after", len(now.events), len(before.events), len(after.events))
	}
	again := copied.on(copied.child)
	again.n = 0
	again.write(10, 500) // nothing new
	if len(copied.mustLook().events) != len(now.events) {
		t.Error("the copy does not know a request that was carried out before")
	}
	copied.n += 100
	copied.write(1, 10)
}
