package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
)

// TestRulesets: anybody may read them, in both languages.
func TestRulesets(t *testing.T) {
	s := start(t)
	ctx := context.Background()
	list, err := s.Ruleset.ListRulesets(ctx, &hanteiv1.ListRulesetsRequest{})
	s.ok(err)
	if len(list.Rulesets) != 1 || list.Rulesets[0].Name != "coc" || list.Rulesets[0].Rules == 0 || list.Rulesets[0].Title == "" {
		t.Errorf("%v", list.Rulesets)
	}
	en, err := s.Ruleset.GetRuleset(ctx, &hanteiv1.GetRulesetRequest{Ruleset: "coc"})
	s.ok(err)
	ja, err := s.Ruleset.GetRuleset(metadata.NewIncomingContext(ctx, metadata.Pairs("accept-language", "ja")), &hanteiv1.GetRulesetRequest{Ruleset: "coc"})
	s.ok(err)
	r := en.Ruleset
	if r.Title == ja.Ruleset.Title || len(r.Languages) != 2 || r.Pack.Hash == "" || r.Limits.Characters != 100 {
		t.Errorf("%v", r)
	}
	found := false
	for _, x := range r.Rules {
		found = found || x.Id == "COC-ATK-01" && x.Title == "Attack procedure"
	}
	if !found || len(r.Rules) < 60 {
		t.Errorf("%d rules: %v", len(r.Rules), r.Rules)
	}
	for _, x := range r.Stats {
		if x.Key == "" || x.Name == "" || x.Group == "" || x.GroupName == "" {
			t.Errorf("stat %v", x)
		}
	}
	words := map[string]*hanteiv1.WordInfo{}
	for i, x := range r.Words {
		words[x.Key] = x
		if x.Text == "" || i > 0 && r.Words[i-1].Key >= x.Key || ja.Ruleset.Words[i].Key != x.Key {
			t.Errorf("word %v", x)
		}
	}
	for word, grade := range map[string]hanteiv1.Grade{
		"critical": hanteiv1.Grade_GRADE_TRIUMPH, "success": hanteiv1.Grade_GRADE_SUCCESS,
		"failure": hanteiv1.Grade_GRADE_FAILURE, "fumble": hanteiv1.Grade_GRADE_DISASTER,
		"weapon_dice": hanteiv1.Grade_GRADE_UNSPECIFIED, "spot": hanteiv1.Grade_GRADE_UNSPECIFIED,
	} {
		if got := words[word]; got == nil || got.Grade != grade {
			t.Errorf("%s is %v, not %v", word, got, grade)
		}
	}
	if !slices.ContainsFunc(r.Gear, func(x *hanteiv1.GearInfo) bool { return x.Id == "handgun" && x.Name == "Handgun" && !x.Natural }) ||
		!slices.ContainsFunc(r.Gear, func(x *hanteiv1.GearInfo) bool { return x.Id == "fist" && x.Natural }) {
		t.Errorf("gear %v", r.Gear)
	}
	details := map[string]*hanteiv1.DetailInfo{}
	for _, x := range r.Details {
		details[x.Path] = x
	}
	if x := details["weapons.id"]; !x.GetGear() || x.GetName() != "Weapon" {
		t.Errorf("what says what is carried: %v", x)
	}
	state := details["weapons.state"].GetValues()
	if len(state) != 4 || state[0].Value != "WEAPON_STATE_OK" || state[0].Text != "fit for use" || details["weapons.state"].Gear {
		t.Errorf("values of the state: %v", state)
	}
	if details["combat"] != nil || details["weapons.audience"] != nil {
		t.Errorf("bookkeeping is told: %v", r.Details)
	}
	levers := false
	for _, x := range r.Actions {
		levers = levers || x.Name == "note" && x.Gm
		if x.Text == "" {
			t.Errorf("action %v", x)
		}
	}
	for i, x := range r.Options {
		if x.Text == x.Key || ja.Ruleset.Options[i].Text == x.Key || x.Text == ja.Ruleset.Options[i].Text {
			t.Errorf("option %v, %v", x, ja.Ruleset.Options[i])
		}
	}
	if !levers || len(r.Options) == 0 || len(r.Statuses) == 0 || len(r.Prompts) == 0 || len(r.Samples) == 0 {
		t.Errorf("%v", r)
	}
}

// TestValidatePack finds all that is wrong with a pack.
func TestValidatePack(t *testing.T) {
	s := start(t)
	r := &hanteiv1.ValidatePackRequest{Ruleset: "coc"}
	for _, f := range coc.DefaultPack() {
		r.Files = append(r.Files, &hanteiv1.PackFile{Name: f.Name, Yaml: string(f.Text)})
	}
	good, err := s.Ruleset.ValidatePack(context.Background(), r)
	s.ok(err)
	if good.Pack.Hash == "" || len(good.Errors) != 0 {
		t.Errorf("%v", good)
	}
	r.Files[0].Yaml = strings.Replace(r.Files[0].Yaml, "group: ", "grupp: ", 1)
	r.Files[1].Name = "weapon.yaml"
	bad, err := s.Ruleset.ValidatePack(context.Background(), r)
	s.ok(err)
	if bad.Pack.Hash != "" || len(bad.Errors) < 2 {
		t.Errorf("%v", bad)
	}
	_, err = s.Ruleset.ValidatePack(context.Background(), &hanteiv1.ValidatePackRequest{Ruleset: "persona"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
}
