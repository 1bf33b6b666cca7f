package app_test

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestPersonaOverREST explores a dungeon as clients do: sheets of samples and of their
// own, the GM's dungeon, and what each sees of it.
func TestPersonaOverREST(t *testing.T) {
	w := startREST(t)
	list := func(of map[string]any, key string) []any {
		all, _ := of[key].([]any)
		return all
	}
	ruleset := w.call(w.admin, "GET", "/v1/rulesets/persona", "", 200)["ruleset"].(map[string]any)
	if marks := list(ruleset, "marks"); len(marks) != 7 || marks[0].(map[string]any)["icon"] != "stairs" {
		t.Errorf("marks: %v", marks)
	}
	made := w.call(w.admin, "POST", "/v1/tables", `{"name":"T","ruleset":"persona"}`, 200)
	gm := made["gmToken"].(string)
	path := "/v1/tables/" + made["table"].(map[string]any)["id"].(string)
	player := w.call(gm, "POST", path+"/seats", `{"name":"P","role":"SEAT_ROLE_PLAYER","characters":["b","mio"]}`, 200)["token"].(string)
	w.call(gm, "POST", path+"/characters", `{"sample":"b"}`, 200)
	out := w.call(gm, "POST", path+"/characters", `{"name":"Mio","sheet":{"kind":"CHARACTER_KIND_PC",
		"stats":[{"key":"dex","value":13},{"key":"hp_max","value":11}],"gear":["herb","herb"],
		"details":{"persona":{"personas":[{"id":"luna","level":5,"strength":4,"magic":6,"endurance":7,"speed":9,"luck":3,
			"specialties":["ice"],"affinities":[{"attribute":"fire","affinity":"AFFINITY_WEAK"}],"skills":["heal_one"]}]}}}}`, 200)
	mio := list(out, "characters")[0].(map[string]any)
	if d := mio["details"].(map[string]any)["persona"].(map[string]any); d["active"].(map[string]any)["name"] != "luna" ||
		list(d, "inventory")[0].(map[string]any)["count"] != 2.0 {
		t.Errorf("%v", d)
	}
	for _, r := range list(mio, "resources") {
		if r := r.(map[string]any); r["key"] == "hp" && r["max"] != 18.0 {
			t.Errorf("hit points %v", r)
		}
	}
	w.refused(gm, "POST", path+"/characters", `{"name":"X","sheet":{"kind":"CHARACTER_KIND_PC","details":{"persona":{"personas":[{"id":"x"}]}}}}`,
		400, "INVALID_FIELD", "sheet.details.persona.personas")
	w.refused(gm, "POST", path+"/characters", `{"name":"X","sheet":{"kind":"CHARACTER_KIND_PC","gear":["hreb"]}}`, 400, "INVALID_FIELD", "sheet.gear")

	w.refused(gm, "POST", path+":preview", `{"action":{"persona":{"generateDungeon":{"dungeonLevel":20,"moon":"MOON_NEW","weather":"WEATHER_CLEAR","floors":2,"width":5,"height":5}}}}`,
		400, "INVALID_FIELD", "action") // a rolled seed has no odds

	w.refused(player, "POST", path+":act", `{"action":{"persona":{"startSession":{"level":20}}}}`, 403, "NOT_YOUR_SEAT", "action")
	w.call(gm, "POST", path+":act", `{"action":{"persona":{"startExploration":{"party":["mio","b"],"dungeon":{"level":20,"moon":"MOON_FULL","weather":"WEATHER_RAIN",
		"floors":[{"number":1,"rows":["..",".#"]}],
		"features":[{"id":5,"square":{"x":0,"y":0,"floor":1},"stairs":{"outside":true}},{"id":9,"square":{"x":1,"y":0,"floor":1},"trap":{"kind":"dart"}}]}}}}}`, 200)
	view := w.call(player, "GET", path+"/view", "", 200)["view"].(map[string]any)
	dungeon := view["dungeon"].(map[string]any)
	if len(list(dungeon, "floors")) != 0 || len(list(dungeon, "features")) != 0 || len(list(dungeon, "squares")) != 5 {
		t.Errorf("a player sees %v", dungeon)
	}
	marks := list(dungeon, "marks")
	if len(marks) != 1 {
		t.Fatalf("marks %v", marks)
	}
	m := marks[0].(map[string]any)
	if m["mark"].(map[string]any)["number"] != 1.0 || !strings.Contains(m["text"].(map[string]any)["text"].(string), "outside") {
		t.Errorf("%v", m)
	}
	all := w.call(gm, "GET", path+"/view", "", 200)["view"].(map[string]any)["dungeon"].(map[string]any)
	if len(list(all, "floors")) != 1 || len(list(all, "features")) != 2 {
		t.Errorf("the GM sees %v", all)
	}
	offer := ""
	for _, o := range list(view, "offers") {
		if o := o.(map[string]any); o["actor"] == "mio" && o["possible"] == true && o["text"] == "Move" {
			offer = o["id"].(string)
		}
	}
	moved := w.call(player, "POST", path+":act", `{"actor":"mio","offer":{"offerId":"`+offer+`","values":[{"name":"direction","values":["down"]}]}}`, 200)
	events := list(moved["outcome"].(map[string]any), "events")
	if e := events[1].(map[string]any); e["name"] != "token_moved" || e["text"].(map[string]any)["text"] != "Mio: moves to 0,1,1." {
		t.Errorf("%v", e)
	}

	// A picture for each seat: the GM's has all, a player's what is known.
	w.refused(gm, "GET", path+"/dungeon.svg?floor=2", "", 404, "NOT_FOUND", "floor")
	whole, known := w.picture(gm, path+"/dungeon.svg?floor=1"), w.picture(player, path+"/dungeon.svg")
	if !strings.Contains(whole, "Dart") || strings.Contains(known, "Dart") || !strings.Contains(known, "Mio") || len(known) >= len(whole) {
		t.Errorf("the GM's picture:\n%s\na player's:\n%s", whole, known)
	}
}

// picture gets a picture, which is XML.
func (w *rest) picture(token, path string) string {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+path, nil)
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
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/svg+xml" {
		w.t.Fatalf("%s: %d %s: %s", path, resp.StatusCode, resp.Header.Get("Content-Type"), b)
	}
	if err := xml.Unmarshal(b, new(struct{})); err != nil {
		w.t.Fatalf("%v: %s", err, b)
	}
	return string(b)
}
