package app_test

import "testing"

// TestCharactersOverREST changes and removes characters as a client does.
func TestCharactersOverREST(t *testing.T) {
	w := startREST(t)
	made := w.call(w.admin, "POST", "/v1/tables", `{"name":"T","ruleset":"coc"}`, 200)
	gm := made["gmToken"].(string)
	path := "/v1/tables/" + made["table"].(map[string]any)["id"].(string)
	player := w.call(gm, "POST", path+"/seats", `{"name":"P","role":"SEAT_ROLE_PLAYER","characters":["nurse"]}`, 200)["token"].(string)
	w.call(gm, "POST", path+"/characters", `{"sample":"nurse"}`, 200)
	nurse := path + "/characters/nurse"

	character := func(out map[string]any) map[string]any { return out["character"].(map[string]any) }
	first := character(w.call(player, "GET", nurse, "", 200))
	etag := first["etag"].(string)
	out := character(w.call(player, "PATCH", nurse, `{"name":"Nina","sheet":{"side":"x"},"updateMask":"name","etag":"`+etag+`"}`, 200))
	if out["name"] != "Nina" || out["side"] != "pc" || out["review"] != "REVIEW_APPROVED" || out["etag"] == etag {
		t.Errorf("%v", out)
	}
	w.refused(player, "PATCH", nurse, `{"name":"x","etag":"`+etag+`"}`, 409, "ETAG_MISMATCH", "etag")
	out = character(w.call(player, "PATCH", nurse, `{"sheet":{"stats":[{"key":"dex","value":9}]},"update_mask":"sheet.stats,name","name":"Nora"}`, 200))
	if out["name"] != "Nora" || out["review"] != "REVIEW_SUBMITTED" {
		t.Errorf("%v", out)
	}
	out = character(w.call(gm, "PATCH", nurse, `{"review":"REVIEW_APPROVED"}`, 200))
	if out["review"] != "REVIEW_APPROVED" {
		t.Errorf("%v", out)
	}
	for _, c := range []struct{ body, field string }{
		{`{}`, "update_mask"},
		{`{"name":"x","updateMask":"nam"}`, "update_mask"},
		{`{"name":"x","updateMask":"sheet.kind"}`, "sheet.kind"},
		{`{"sheet":{"stat":[]}}`, "sheet.stat"},
		{`{"sheet":{"stats":[{"key":"dexx","value":1}]}}`, "sheet.stats.key"},
		{`{"sheet":{"stats":[{"key":"","value":1}]}}`, "sheet.stats[0].key"},
		{`{"sheet":{"side":"No Word"}}`, "sheet.side"},
		{`{"review":"REVIEW_DRAFT"}`, "review"},
		{`{"name":"x","etag":"no etag"}`, "etag"},
	} {
		w.refused(gm, "PATCH", nurse, c.body, 400, "INVALID_FIELD", c.field)
	}
	w.refused(player, "PATCH", nurse, `{"review":"REVIEW_APPROVED"}`, 403, "NOT_YOUR_SEAT", "review")
	w.refused(gm, "PATCH", path+"/characters/nurze", `{"name":"x"}`, 404, "NOT_FOUND", "character_id")
	// Who makes a sheet says whose it is; the kind is no more than that.
	w.refused(gm, "POST", path+"/characters", `{"name":"x","sheet":{}}`, 400, "INVALID_FIELD", "sheet.kind")

	w.refused(player, "DELETE", nurse, "", 403, "NOT_YOUR_SEAT", "character_id")
	w.refused(gm, "DELETE", nurse+"?etag="+etag, "", 409, "ETAG_MISMATCH", "etag")
	w.refused(gm, "DELETE", nurse+"?etga=x", "", 400, "INVALID_FIELD", "etga")
	last := character(w.call(gm, "GET", nurse, "", 200))["etag"].(string)
	for range 2 {
		w.call(gm, "DELETE", nurse+"?requestId=r&etag="+last, "", 200)
	}
	w.refused(gm, "DELETE", nurse, "", 404, "NOT_FOUND", "character_id")
	w.call(player, "POST", path+"/characters", `{"sample":"nurse"}`, 200)
	w.call(player, "DELETE", nurse, "", 200)
}

// TestDraftOverREST makes an investigator as a client does that sends what it knows.
func TestDraftOverREST(t *testing.T) {
	w := startREST(t)
	made := w.call(w.admin, "POST", "/v1/tables", `{"name":"T","ruleset":"coc"}`, 200)
	gm := made["gmToken"].(string)
	path := "/v1/tables/" + made["table"].(map[string]any)["id"].(string)
	player := w.call(gm, "POST", path+"/seats", `{"name":"P","role":"SEAT_ROLE_PLAYER"}`, 200)["token"].(string)
	w.refused(player, "POST", path+"/characters", `{"draft":{}}`, 400, "INVALID_FIELD", "name")
	w.refused(player, "POST", path+"/characters", `{"name":"Anna","draft":{},"count":2}`, 400, "INVALID_FIELD", "count")
	out := w.call(player, "POST", path+"/characters", `{"name":"Anna","draft":{}}`, 200)
	if c := out["characters"].([]any)[0].(map[string]any); c["id"] != "anna" || c["review"] != "REVIEW_DRAFT" {
		t.Errorf("%v", c)
	}
	act := func(action string) {
		w.call(player, "POST", path+":act", `{"actor":"anna","action":{"coc":`+action+`}}`, 200)
	}
	act(`{"rollCharacteristics":{}}`)
	act(`{"setOccupation":{"original":{"name":"Diver","skills":["swim","spot"]}}}`)
	act(`{"assignPoints":{"skill":"swim","pool":"POOL_OCCUPATION","points":20}}`)
	w.refused(player, "PATCH", path+"/characters/anna", `{"sheet":{"stats":[{"key":"str","value":18}]}}`, 400, "MADE_BY_THE_RULES", "sheet")
	act(`{"submit":{}}`)
	if c := w.call(player, "GET", path+"/characters/anna", "", 200)["character"].(map[string]any); c["review"] != "REVIEW_SUBMITTED" {
		t.Errorf("%v", c)
	}
}
