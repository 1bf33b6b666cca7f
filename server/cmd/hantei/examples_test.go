package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"golang.org/x/net/websocket"
)

// examples is where the examples of the page for integrators are.
var examples = filepath.Join("..", "..", "docs", "examples")

// code makes a pairing code for the seat that plays the officer.
func (f *fight) code() string {
	f.t.Helper()
	var all hanteiv1.ListSeatsResponse
	f.must(f.gm, route{hanteiv1.SeatService_ListSeats_FullMethodName, "GET", "/v1/tables/" + f.table + "/seats"}, &hanteiv1.ListSeatsRequest{TableId: f.table}, &all)
	for _, seat := range all.Seats {
		if strings.Join(seat.Characters, " ") != "officer" {
			continue
		}
		var made hanteiv1.CreatePairingCodeResponse
		f.must(f.gm, route{hanteiv1.SeatService_CreatePairingCode_FullMethodName, "POST", "/v1/tables/" + f.table + "/seats/" + seat.Id + "/pairingCodes"},
			&hanteiv1.CreatePairingCodeRequest{TableId: f.table, SeatId: seat.Id}, &made)
		return made.PairingCode.Code
	}
	f.t.Fatal("nobody plays the officer")
	return ""
}

// strike has the thug strike the officer, whose player is asked how he defends.
func (f *fight) strike() {
	f.t.Helper()
	start := &cocv1.StartCombat{Combatants: []string{"officer", "thug"}}
	f.act(f.gm, "", &cocv1.Action{Action: &cocv1.Action_StartCombat{StartCombat: start}}, "1D100=30", "1D100=55")
	f.act(f.officer, "officer", endTurn())
	f.act(f.gm, "thug", attackWith("knife", "officer"), "1D100=12")
}

// shows waits until a text is there.
func shows(t *testing.T, what string, text func() string, want string) {
	t.Helper()
	for begin := time.Now(); !strings.Contains(text(), want); time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("%s does not show %q, but\n%s", what, want, text())
		}
	}
}

// TestGoExample plays with the Go example as somebody in a terminal does.
func TestGoExample(t *testing.T) {
	s := fresh(t)
	f := newFight(t, rest{s.http}, s.admin)
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.Command("go", "build", "-o", program, filepath.Join(examples, "go")+"/main.go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, "--server", s.grpc, "--code", f.code())
	out := &output{}
	cmd.Stdout, cmd.Stderr = out, out
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	shows(t, "the example", out.String, "* Officer (officer)")
	fmt.Fprintln(in, "2d6+3")
	shows(t, "the example", out.String, "Officer: 2D6+3 (")
	fmt.Fprintln(in, "nonsense")
	shows(t, "the example", out.String, "! ")
	fmt.Fprintln(in, "?")
	shows(t, "the example", out.String, "Spot Hidden")
	f.strike()
	shows(t, "the example", out.String, "How do you defend?")
	fmt.Fprintln(in, "1")
	shows(t, "the example", out.String, "Officer has decided (defence)")
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPageExample opens the example page in a browser, on another address than
// the server's, and presses a button of it.
func TestPageExample(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI needs chromium")
		}
		t.Skip("no chromium on this machine")
	}
	files := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(examples, "page"))))
	defer files.Close()
	s := fresh(t, "HANTEI_CORS_ORIGIN="+files.URL)
	f := newFight(t, rest{s.http}, s.admin)
	tab := openTab(t, browser, files.URL+"/index.html#http://"+s.http+"/"+f.code())
	text := func() string { return tab.run(`document.body?.innerText`) }
	shows(t, "the page", text, "Officer 14/14")
	f.strike()
	shows(t, "the page", text, "Thug: ")
	buttons := func() string {
		return tab.run(`[...document.querySelectorAll("#asked button")].map(b => b.textContent).join()`)
	}
	shows(t, "the page", buttons, "Dodge")
	tab.run(`[...document.querySelectorAll("#asked button")].find(b => b.textContent == "Dodge").click()`)
	shows(t, "the page", text, "Officer has decided")
	var v hanteiv1.GetViewResponse
	f.must(f.officer, getView(f.table), &hanteiv1.GetViewRequest{TableId: f.table}, &v)
	for _, p := range v.View.Prompts {
		if p.Name == "defend" {
			t.Errorf("still asked: %v", p)
		}
	}
	if problem := tab.run(`document.querySelector("#problem").textContent`); problem != "" {
		t.Errorf("the page has a problem: %s", problem)
	}
}

// tab is a page in a browser.
type tab struct {
	t    *testing.T
	conn *websocket.Conn
	last int
}

// openTab opens a page in a browser without a window, in English.
func openTab(t *testing.T, browser, address string) *tab {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--remote-allow-origins=http://127.0.0.1",
		"--lang=en-US", "--accept-lang=en-US", "--user-data-dir="+home, address)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	// The browser writes down where it can be spoken to.
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		b, err := os.ReadFile(filepath.Join(home, "DevToolsActivePort"))
		if err != nil {
			continue
		}
		port, _, _ := strings.Cut(string(b), "\n")
		r, err := http.Get("http://127.0.0.1:" + port + "/json/list")
		if err != nil {
			continue
		}
		var pages []struct {
			Type, URL string
			Socket    string `json:"webSocketDebuggerUrl"`
		}
		err = json.NewDecoder(r.Body).Decode(&pages)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if p.Type != "page" || !strings.HasPrefix(p.URL, "http") {
				continue
			}
			conn, err := websocket.Dial(p.Socket, "", "http://127.0.0.1")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			return &tab{t: t, conn: conn}
		}
	}
	t.Fatal("the browser does not open the page")
	return nil
}

// run runs a script in the page and returns its value as text.
func (p *tab) run(script string) string {
	p.t.Helper()
	p.last++
	request := map[string]any{"id": p.last, "method": "Runtime.evaluate", "params": map[string]any{"expression": script, "returnByValue": true}}
	if err := websocket.JSON.Send(p.conn, request); err != nil {
		p.t.Fatal(err)
	}
	for {
		var got struct {
			ID     int
			Result struct {
				Result           struct{ Value any }
				ExceptionDetails json.RawMessage
			}
		}
		if err := websocket.JSON.Receive(p.conn, &got); err != nil {
			p.t.Fatal(err)
		}
		if got.ID != p.last {
			continue
		}
		if got.Result.ExceptionDetails != nil {
			p.t.Fatalf("%s: %s", script, got.Result.ExceptionDetails)
		}
		if got.Result.Result.Value == nil {
			return ""
		}
		return fmt.Sprint(got.Result.Result.Value)
	}
}
