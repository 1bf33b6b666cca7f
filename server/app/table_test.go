package app_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// rest is a server with everything in it.
type rest struct {
	t          *testing.T
	url, admin string
}

func startREST(t *testing.T) *rest {
	t.Helper()
	cfg := config.Server{
		GRPCAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", DB: filepath.Join(t.TempDir(), "hantei.db"), LogLevel: "error",
		LogFormat: "json", MaxBody: 1 << 20, Heartbeat: time.Second, ShutdownGrace: 5 * time.Second,
	}
	var out bytes.Buffer
	log := slog.New(slog.DiscardHandler)
	deps, _, err := app.Open(t.Context(), cfg, log, &out)
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	_, token, _ := strings.Cut(strings.TrimSpace(out.String()), ": ")
	return &rest{t: t, url: a.URL(), admin: token}
}

// call makes a call and checks its status; the answer is as JSON has it.
func (w *rest) call(token, method, path, body string, status int) map[string]any {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(b, &out); err != nil || resp.StatusCode != status {
		w.t.Fatalf("%s %s: %d, want %d: %s", method, path, resp.StatusCode, status, b)
	}
	return out
}

func (w *rest) refused(token, method, path, body string, status int, reason, field string) {
	w.t.Helper()
	out := w.call(token, method, path, body, status)
	if f, _ := out["field"].(string); out["reason"] != reason || f != field {
		w.t.Errorf("%s %s %s: %v", method, path, body, out)
	}
}

// TestTablesOverREST changes, pauses, copies and removes a table as a client does.
func TestTablesOverREST(t *testing.T) {
	w := startREST(t)
	made := w.call(w.admin, "POST", "/v1/tables", `{"name":"T","ruleset":"coc"}`, 200)
	gm := made["gmToken"].(string)
	path := "/v1/tables/" + made["table"].(map[string]any)["id"].(string)
	player := w.call(gm, "POST", path+"/seats", `{"name":"P","role":"SEAT_ROLE_PLAYER","characters":["nurse"]}`, 200)["token"].(string)
	w.call(gm, "POST", path+"/characters", `{"sample":"nurse"}`, 200)
	check := `{"actor":"nurse","action":{"coc":{"check":{"skill":"spot"}}}}`

	table := func(out map[string]any) map[string]any { return out["table"].(map[string]any) }
	out := table(w.call(gm, "PATCH", path, `{"name":"New","paused":true,"options":[{"key":"npc_hp","value":"exact"}]}`, 200))
	if out["name"] != "New" || out["paused"] != true {
		t.Errorf("%v", out)
	}
	w.refused(player, "POST", path+":act", check, 400, "TABLE_PAUSED", "")
	w.refused(player, "POST", path+"/prompts/-:answer", `{"answers":[{"character":"nurse","choice":"x"}]}`, 400, "PROMPT_CLOSED", "prompt_id")
	w.call(player, "GET", path+"/view", "", 200)
	w.call(gm, "POST", path+":act", `{"action":{"core":{"note":{"text":"x"}}}}`, 200)
	if out := table(w.call(gm, "PATCH", path, `{"paused":false}`, 200)); out["paused"] == true {
		t.Errorf("%v", out)
	}
	w.call(player, "POST", path+":act", check, 200)
	w.call(w.admin, "PATCH", path, `{"name":"Admin's"}`, 200)
	w.refused(w.admin, "PATCH", path, `{"paused":true}`, 403, "NOT_YOUR_SEAT", "options")
	w.refused(player, "PATCH", path, `{"name":"x"}`, 403, "NOT_YOUR_SEAT", "")
	w.refused(gm, "PATCH", path, `{}`, 400, "INVALID_FIELD", "name")
	w.refused(gm, "PATCH", path, `{"name":""}`, 400, "INVALID_FIELD", "name")
	w.refused(gm, "PATCH", path, `{"options":[{"key":"npc_hp","value":"x"}]}`, 400, "INVALID_FIELD", "options.value")
	w.refused(gm, "PATCH", path, `{"nam":"x"}`, 400, "INVALID_FIELD", "nam")
	w.refused(gm, "PATCH", "/v1/tables/aaaaaaaaaaaaaaaa", `{"name":"x"}`, 404, "NOT_FOUND", "table_id")

	w.refused(player, "GET", path+":export", "", 403, "NOT_YOUR_SEAT", "")
	file := w.call(gm, "GET", path+":export", "", 200)
	content := file["content"].(string)
	if b, err := base64.StdEncoding.DecodeString(content); err != nil || len(b) == 0 || file["fileName"] == "" {
		t.Errorf("%v, %v", err, file["fileName"])
	}
	w.refused(gm, "POST", "/v1/tables:import", `{"content":"`+content+`"}`, 403, "NOT_YOUR_SEAT", "")
	w.refused(w.admin, "POST", "/v1/tables:import", `{}`, 400, "INVALID_FIELD", "content")
	w.refused(w.admin, "POST", "/v1/tables:import", `{"content":"aGVsbG8="}`, 400, "INVALID_FIELD", "content")
	w.refused(w.admin, "POST", "/v1/tables:import", `{"content":"`+content[:len(content)-8]+`"}`, 400, "INVALID_FIELD", "content")
	w.refused(w.admin, "POST", "/v1/tables:import", `{"content":"`+strings.Repeat("AAAA", 1<<18)+`"}`, 413, "TOO_LARGE", "")
	copied := w.call(w.admin, "POST", "/v1/tables:import", `{"name":"Copy","content":"`+content+`"}`, 200)
	if table(copied)["name"] != "Copy" || copied["stateHash"] != file["stateHash"] {
		t.Errorf("%v", copied)
	}
	seats := copied["seats"].([]any)
	second := seats[1].(map[string]any)["token"].(string)
	w.call(second, "POST", "/v1/tables/"+table(copied)["id"].(string)+":act", check, 200)

	w.refused(gm, "DELETE", path, "", 403, "NOT_YOUR_SEAT", "")
	w.refused(player, "DELETE", path, "", 403, "NOT_YOUR_SEAT", "")
	w.call(w.admin, "DELETE", path, "", 200)
	w.refused(gm, "GET", path, "", 401, "TOKEN_UNKNOWN", "")
	w.refused(w.admin, "DELETE", path, "", 404, "NOT_FOUND", "table_id")
	if all := w.call(w.admin, "GET", "/v1/tables", "", 200)["tables"].([]any); len(all) != 1 {
		t.Errorf("%v", all)
	}
}
