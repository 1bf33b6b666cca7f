package app_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestREST(t *testing.T) {
	s := start(t)

	t.Run("json", func(t *testing.T) {
		a := s.do("POST", "/v1/tables/t1:act", `{"requestId": "r", "given_dice": ["1D6=4"], "action": {"core": {"end_scene": {}}}}`)
		if a.StatusCode != 200 || a.Header.Get("Content-Type") != "application/json" || a.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v %s", a.StatusCode, a.Header, a.body)
		}
		for _, want := range []string{`"stepId":"s1"`, `"state":"STEP_STATE_DONE"`, `"events":[]`, `"endScene":{}`} {
			if !strings.Contains(strings.ReplaceAll(a.body, " ", ""), want) {
				t.Errorf("no %s in %s", want, a.body)
			}
		}
		// An empty body is as good as {}.
		if a := s.do("POST", "/v1/rulesets/coc:validatePack", ""); a.field("field") != "files" {
			t.Errorf("empty body: %s", a.body)
		}
	})

	t.Run("principal and language", func(t *testing.T) {
		a := s.get("/v1/tables/t1", "Accept-Language: ja", "Accept: text/event-stream")
		if !strings.Contains(a.body, "seat seat1 [ja]") {
			t.Error(a.body)
		}
		a = s.get("/v1/tables/t1", "Authorization: bearer "+s.admin)
		if !strings.Contains(a.body, "admin  []") {
			t.Error(a.body)
		}
	})

	t.Run("without token", func(t *testing.T) {
		if a := s.get("/v1/rulesets", "Authorization: "); a.StatusCode != 200 || !strings.Contains(a.body, "coc") {
			t.Errorf("rulesets: %d %s", a.StatusCode, a.body)
		}
		a := s.get("/v1/tables/t1", "Authorization: ")
		if a.StatusCode != 401 || a.field("reason") != "TOKEN_MISSING" || !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%d %v %s", a.StatusCode, a.Header, a.body)
		}
		for _, token := range []string{"hts_nonsense", s.token[:len(s.token)-1] + "!"} {
			if a := s.get("/v1/tables/t1", "Authorization: Bearer "+token); a.StatusCode != 401 || a.field("reason") != "TOKEN_UNKNOWN" {
				t.Errorf("%d %s", a.StatusCode, a.body)
			}
		}
		if a := s.get("/v1/tables/t1?access_token="+s.token, "Authorization: "); a.StatusCode != 400 || strings.Contains(a.body, s.token) {
			t.Errorf("token in the query: %d %s", a.StatusCode, a.body)
		}
	})

	t.Run("errors", func(t *testing.T) {
		a := s.do("POST", "/v1/tables/t1:act", `{"actor": "locked", "action": {}}`)
		if a.StatusCode != 400 {
			t.Errorf("status %d", a.StatusCode)
		}
		want := `{"code":9,"status":"FAILED_PRECONDITION","reason":"DEFENCE_LOCKED","domain":"hantei/coc","rule":"COC-DEF-03","field":"action.coc","message":"防御できない","metadata":{"cursor":"c9"}}`
		if strings.TrimSpace(a.body) != want {
			t.Errorf("got  %s\nwant %s", a.body, want)
		}
	})

	t.Run("unknown and wrong fields", func(t *testing.T) {
		for _, c := range []struct {
			method, path, body string
			field, nearest     string
		}{
			{"POST", "/v1/tables/t1:act", `{"actr": "x"}`, "actr", "actor"},
			{"POST", "/v1/tables/t1:act", `{"action": {"core": {"endScen": {}}}}`, "action.core.endScen", "endScene"},
			{"POST", "/v1/tables/t1:act", `{"offer": {"offerId": "x", "values": [{"name": "a"}, {"valeus": []}]}}`, "offer.values[1].valeus", "values"},
			{"POST", "/v1/tables/t1:act", `{"xyzzy": 1}`, "xyzzy", ""},
			{"POST", "/v1/tables/t1:act", `{"actor": 7}`, "actor", ""},
			{"POST", "/v1/tables/t1:act", `[]`, "body", ""},
			{"POST", "/v1/tables/t1/seats", `{"name": "n", "role": "player"}`, "role", "SEAT_ROLE_PLAYER"},
			{"POST", "/v1/tables/t1/seats", `{"name": "n", "role": "SEAT_ROLE_PLAYR"}`, "role", "SEAT_ROLE_PLAYER"},
			{"POST", "/v1/tables/t1/seats", `{"name": "", "role": "SEAT_ROLE_GM"}`, "name", ""},
			{"POST", "/v1/tables/t1/seats", `{"name": "a\u0007b", "role": 1}`, "name", ""},
			{"POST", "/v1/tables/t1/characters", `{"sample": "thug", "count": "many"}`, "count", ""},
			{"POST", "/v1/tables/t1/characters?count=2", `{"sample": "thug"}`, "count", ""},
			{"GET", "/v1/tables?page_sise=2", "", "page_sise", "pageSize"},
			{"GET", "/v1/tables?pageSize=two", "", "pageSize", ""},
			{"GET", "/v1/tables?pageSize=2000", "", "page_size", ""},
			{"GET", "/v1/tables/t1?tableId=t2", "", "tableId", ""},
			{"GET", "/v1/tables/t1?table.id=t2", "", "table.id", ""},
		} {
			a := s.do(c.method, c.path, c.body)
			nearest, _ := a.field("nearest").(string)
			if a.StatusCode != 400 || a.field("status") != "INVALID_ARGUMENT" || a.field("reason") != "INVALID_FIELD" ||
				a.field("domain") != "hantei" || a.field("field") != c.field || nearest != c.nearest {
				t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, a.StatusCode, a.body)
			}
		}
		if a := s.get("/v1/tables?page_size=2&pageToken=x"); a.field("nextPageToken") != "2x" {
			t.Errorf("both spellings: %s", a.body)
		}
		for _, body := range []string{`{"actor": `, `{} {}`, `{"actor":"a","actor":"b"}`, "{\"actor\":\"\xff\"}"} {
			if a := s.do("POST", "/v1/tables/t1:act", body); a.StatusCode != 400 || a.field("reason") != "INVALID_BODY" {
				t.Errorf("%s: %d %s", body, a.StatusCode, a.body)
			}
		}
		a := s.do("POST", "/v1/tables/t1/seats", `{"name": "", "role": 0}`)
		if v, _ := a.field("violations").([]any); len(v) != 2 {
			t.Errorf("violations: %s", a.body)
		}
	})

	t.Run("in the caller's language", func(t *testing.T) {
		for _, c := range []struct{ method, path, body, en, ja string }{
			{"GET", "/v1/nothing", "", "There is no such path.", "そのパスはありません。"},
			{"DELETE", "/v1/tables", "", "DELETE is not possible here, but GET, POST.", "DELETE はこのパスでは使えません。使えるのは GET, POST です。"},
			{"POST", "/v1/tables/t1:act", `{"actr": "x"}`, "actr: there is no such field. Did you mean actor?", "actr の指定が正しくありません（その項目はありません）。「actor」ではありませんか？"},
			{"POST", "/v1/tables/t1:act", `[]`, "body: must be an object.", "body の指定が正しくありません（オブジェクトにしてください）。"},
			{"POST", "/v1/tables/t1:act", `{"actor": `, "The body is no JSON of this request: ", "本文がこのリクエストのJSONになっていません（"},
			{"POST", "/v1/tables/t1:act", `{"actor": "` + strings.Repeat("x", 70<<10) + `"}`, "That is too much: the body has more than 65536 bytes.", "大きすぎるか、多すぎます（本文は65536バイトまでです）。"},
			{"POST", "/v1/tables/t1/seats", `{"name": "n", "role": "player"}`, `role: there is no such value: "player". Did you mean SEAT_ROLE_PLAYER?`, `role の指定が正しくありません（"player" という値はありません）。「SEAT_ROLE_PLAYER」ではありませんか？`},
			{"POST", "/v1/tables/t1/seats", `{"name": "", "role": "SEAT_ROLE_GM"}`, "name: must have 1 to ", "name の指定が正しくありません（1～"},
			{"POST", "/v1/tables/t1/seats", `{"name": "a\u0007b", "role": 1}`, "name: has a control character (U+0007) at byte 1.", "name の指定が正しくありません（1バイト目に制御文字（U+0007）があります）。"},
			{"GET", "/v1/tables?pageSize=two", "", `pageSize: cannot have the value "two".`, `pageSize の指定が正しくありません（"two" という値にはできません）。`},
		} {
			for lang, want := range map[string]string{"en": c.en, "ja": c.ja} {
				a := s.do(c.method, c.path, c.body, "Accept-Language: "+lang)
				if got, _ := a.field("message").(string); !strings.HasPrefix(got, want) {
					t.Errorf("%s %s in %s: %q", c.method, c.path, lang, got)
				}
			}
		}
		a := s.do("POST", "/v1/tables/t1/seats", `{"name": "", "role": 0}`, "Accept-Language: ja")
		if !strings.Contains(a.body, `"message":"SEAT_ROLE_GM, SEAT_ROLE_PLAYER, SEAT_ROLE_OBSERVER のどれかにしてください"`) {
			t.Errorf("violations: %s", a.body)
		}
		if a := s.get("/v1/tables", "Authorization: ", "Accept-Language: ja"); !strings.HasPrefix(a.field("message").(string), "トークンが送られていません。") {
			t.Errorf("no token: %s", a.body)
		}
		if a := s.get("/v1/tables/panic/view", "Accept-Language: ja"); !strings.HasPrefix(a.field("message").(string), "内部でエラーが起きました。") {
			t.Errorf("panic: %s", a.body)
		}
	})

	t.Run("notes may have lines", func(t *testing.T) {
		note := `{"action": {"core": {"note": {"text": "one\n\ttwo"}}}}`
		if a := s.do("POST", "/v1/tables/t1:act", note); a.StatusCode != 200 {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
		bad := `{"action": {"core": {"note": {"text": "one\u0000"}}}}`
		if a := s.do("POST", "/v1/tables/t1:act", bad); a.field("field") != "action.core.note.text" {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	})

	t.Run("large body", func(t *testing.T) {
		large := `{"actor": "` + strings.Repeat("x", 70<<10) + `"}`
		a := s.do("POST", "/v1/tables/t1:act", large)
		if a.StatusCode != 413 || a.field("status") != "RESOURCE_EXHAUSTED" || a.field("reason") != "TOO_LARGE" {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
		req, _ := http.NewRequest("POST", s.url+"/v1/tables/t1:act", struct{ *strings.Reader }{strings.NewReader(large)}) // of unknown length
		req.Header.Set("Authorization", "Bearer "+s.token)
		resp, err := s.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 413 {
			t.Errorf("of unknown length: %d", resp.StatusCode)
		}
	})

	t.Run("paths and methods", func(t *testing.T) {
		for _, c := range []struct {
			method, path string
			status       int
			allow        string
		}{
			{"GET", "/v1/nothing", 404, ""},
			{"GET", "/", 404, ""},
			{"GET", "/v1/tables/", 404, ""},
			{"POST", "/v1/tables/t1:explode", 404, ""},
			{"GET", "/v1/tables/t1:explode", 404, ""},
			{"DELETE", "/v1/tables", 405, "GET, POST"},
			{"GET", "/v1/tables/t1:act", 405, "POST"},
			{"PUT", "/v1/watch", 405, "GET"},
			{"POST", "/healthz", 405, "GET, HEAD"},
			{"OPTIONS", "/v1/tables/t1/view", 405, "GET"},
		} {
			a := s.do(c.method, c.path, "")
			if a.StatusCode != c.status || a.Header.Get("Allow") != c.allow || a.field("reason") == nil {
				t.Errorf("%s %s: %d, Allow %q, %s", c.method, c.path, a.StatusCode, a.Header.Get("Allow"), a.body)
			}
		}
		// Ways around the method.
		a := s.do("POST", "/v1/tables/t1", "", "X-HTTP-Method-Override: GET", "Content-Type: application/x-www-form-urlencoded")
		if a.StatusCode != 405 {
			t.Errorf("override: %d", a.StatusCode)
		}
	})

	t.Run("panic and fault", func(t *testing.T) {
		for _, table := range []string{"panic", "fault"} {
			a := s.get("/v1/tables/" + table + "/view")
			if a.StatusCode != 500 || a.field("reason") != "INTERNAL" || strings.Contains(a.body, "secret") {
				t.Errorf("%s: %d %s", table, a.StatusCode, a.body)
			}
		}
		if a := s.get("/v1/tables/t1/view"); a.StatusCode != 200 {
			t.Errorf("afterwards: %d %s", a.StatusCode, a.body)
		}
		if log := s.log.String(); !strings.Contains(log, "fake_test.go") {
			t.Errorf("no stack in the log:\n%s", log)
		}
	})

	t.Run("openapi", func(t *testing.T) {
		a := s.get("/openapi.json", "Authorization: ")
		if a.StatusCode != 200 || a.field("swagger") != "2.0" || !strings.Contains(a.body, "/v1/watch") {
			t.Errorf("%d %.200s", a.StatusCode, a.body)
		}
	})

	for _, secret := range []string{s.token, s.admin} {
		if strings.Contains(s.log.String(), secret) {
			t.Error("a token is in the log")
		}
	}
}

func TestReadiness(t *testing.T) {
	s := start(t)
	s.store.down.Store(true)
	s.eventually("not ready", func() bool { return s.get("/readyz", "Authorization: ").StatusCode == 503 })
	if a := s.get("/readyz"); a.field("reason") != "SERVER_NOT_READY" || strings.Contains(a.body, "EOF") {
		t.Error(a.body)
	}
	if a := s.get("/healthz", "Authorization: "); a.StatusCode != 200 {
		t.Errorf("liveness depends on the store: %d", a.StatusCode)
	}
	s.store.down.Store(false)
	s.eventually("ready again", func() bool { return s.get("/readyz").StatusCode == 200 })
}
