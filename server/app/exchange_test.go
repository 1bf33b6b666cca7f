package app_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestSheetsOverREST brings a sheet of another tool and takes it out again, as a
// client does that sends what it knows.
func TestSheetsOverREST(t *testing.T) {
	w := startREST(t)
	made := w.call(w.admin, "POST", "/v1/tables", `{"name":"T","ruleset":"coc"}`, 200)
	gm := made["gmToken"].(string)
	path := "/v1/tables/" + made["table"].(map[string]any)["id"].(string)
	player := w.call(gm, "POST", path+"/seats", `{"name":"P","role":"SEAT_ROLE_PLAYER"}`, 200)["token"].(string)
	file, err := os.ReadFile("../exchange/testdata/ccfolia.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(string(file))
	if err != nil {
		t.Fatal(err)
	}
	body := func(more string) string { return `{"content":` + string(text) + more + `}` }
	imported := path + "/characters:import"

	would := w.call(player, "POST", imported, body(`,"dryRun":true,"characterId":"shizuku"`), 200)
	if all := w.call(gm, "GET", path+"/characters", "", 200)["characters"].([]any); len(all) > 0 {
		t.Errorf("the dry run has made %v", all)
	}
	is := w.call(player, "POST", imported, body(`,"characterId":"shizuku","requestId":"r"`), 200)
	again := w.call(player, "POST", imported, body(`,"characterId":"shizuku","requestId":"r"`), 200)
	for _, out := range []map[string]any{would, is, again} {
		c := out["character"].(map[string]any)
		if c["id"] != "shizuku" || c["name"] != "高遠 しずく" || c["review"] != "REVIEW_SUBMITTED" || c["yours"] != true || out["format"] != "SHEET_FORMAT_CCFOLIA" {
			t.Errorf("%v", out)
		}
		if lines := out["report"].([]any); len(lines) < 20 || lines[1].(map[string]any)["outcome"] != "IMPORT_OUTCOME_TAKEN" {
			t.Errorf("%v", lines)
		}
	}
	byGM := w.call(gm, "POST", imported, `{"file":"`+base64.StdEncoding.EncodeToString(file)+`","format":"SHEET_FORMAT_CCFOLIA"}`, 200)
	if c := byGM["character"].(map[string]any); c["id"] != "pc" || c["review"] != "REVIEW_APPROVED" {
		t.Errorf("%v", c)
	}

	for _, c := range []struct{ body, field string }{
		{`{}`, "content"},
		{`{"content":""}`, "content"},
		{`{"content":"x","file":"eA=="}`, ""},
		{`{"content":"x"}`, "content"},
		{`{"file":"gqA="}`, "file"},
		{`{"content":"<!DOCTYPE x><x/>"}`, "content"},
		{body(`,"format":"SHEET_FORMAT_UDONARIUM"`), "content"},
		{body(`,"format":"SHEET_FORMAT_FOUNDRY"`), "format"},
		{body(`,"characterId":"No Id"`), "character_id"},
	} {
		if c.field == "" {
			w.call(gm, "POST", imported, c.body, 400)
			continue
		}
		w.refused(gm, "POST", imported, c.body, 400, "INVALID_FIELD", c.field)
	}
	w.refused(gm, "POST", imported, body(`,"characterId":"shizuku"`), 409, "ALREADY_EXISTS", "character_id")
	w.refused(gm, "POST", imported, `{"content":"`+strings.Repeat(" ", 1<<18+1)+`"}`, 400, "INVALID_FIELD", "content")

	export := path + "/characters/shizuku:export"
	out := w.call(player, "GET", export+"?format=SHEET_FORMAT_CCFOLIA", "", 200)
	var pasted struct {
		Kind string
		Data struct {
			Name, Commands string
			Status         []struct {
				Label      string
				Value, Max int
			}
		}
	}
	if err := json.Unmarshal([]byte(out["content"].(string)), &pasted); err != nil {
		t.Fatal(err)
	}
	if pasted.Kind != "character" || pasted.Data.Name != "高遠 しずく" || out["mediaType"] != "application/json" || out["fileName"] != "shizuku.json" ||
		len(pasted.Data.Status) != 3 || pasted.Data.Status[0].Value != 9 || pasted.Data.Status[0].Max != 11 || !strings.Contains(pasted.Data.Commands, "CCB<=75 【First Aid】\n") {
		t.Errorf("%v", out)
	}
	if out := w.call(gm, "GET", export+"?format=SHEET_FORMAT_UDONARIUM", "", 200); !strings.HasPrefix(out["content"].(string), "<?xml") || out["fileName"] != "shizuku.xml" {
		t.Errorf("%v", out)
	}
	for _, query := range []string{"", "?format=SHEET_FORMAT_CHARASHEET"} {
		w.refused(gm, "GET", export+query, "", 400, "INVALID_FIELD", "format")
	}
	w.refused(gm, "GET", path+"/characters/nobody:export?format=1", "", 404, "NOT_FOUND", "character_id")
}
