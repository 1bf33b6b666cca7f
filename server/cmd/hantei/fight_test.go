package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/proto"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fight is the table of EX-COC-CMB-01-2: the officer's player, a player whose
// nurse stands by, and the keeper with the thug. All dice are thrown by hand.
type fight struct {
	t                  *testing.T
	c                  client
	table              string
	gm, officer, nurse string // tokens
}

func newFight(t *testing.T, c client, admin string) *fight {
	t.Helper()
	f := &fight{t: t, c: c}
	made := &hanteiv1.CreateTableResponse{}
	f.must(admin, createTable(), &hanteiv1.CreateTableRequest{
		Name: "Cellar", Ruleset: "coc", Options: []*tablev1.Option{{Key: "given_dice", Value: "all"}},
	}, made)
	f.table, f.gm = made.Table.Id, made.GmToken
	for _, seat := range []struct {
		token     *string
		name, own string
	}{{&f.officer, "Officer's player", "officer"}, {&f.nurse, "Nurse's player", "nurse"}} {
		invited := &hanteiv1.InviteSeatResponse{}
		f.must(f.gm, inviteSeat(f.table), &hanteiv1.InviteSeatRequest{
			TableId: f.table, Name: seat.name, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{seat.own},
		}, invited)
		*seat.token = invited.Token
	}
	for _, sample := range []string{"nurse", "thug"} {
		f.must(f.gm, createCharacter(f.table), &hanteiv1.CreateCharacterRequest{
			TableId: f.table, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: sample},
		}, &hanteiv1.CreateCharacterResponse{})
	}
	f.must(f.gm, createCharacter(f.table), officerWithoutHandgun(f.table), &hanteiv1.CreateCharacterResponse{})
	return f
}

// officerWithoutHandgun is the sample as a sheet, with the baton alone.
func officerWithoutHandgun(table string) *hanteiv1.CreateCharacterRequest {
	sheet := &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Gear: []string{"baton"}}
	for _, s := range []struct {
		key   string
		value int32
	}{
		{"str", 14}, {"con", 13}, {"pow", 11}, {"dex", 12}, {"app", 10}, {"siz", 14}, {"int", 12}, {"edu", 14},
		{"dodge", 50}, {"fist", 70}, {"club", 60}, {"handgun", 55}, {"spot", 60}, {"persuade", 45},
	} {
		sheet.Stats = append(sheet.Stats, &tablev1.StatInput{Key: s.key, Value: s.value})
	}
	return &hanteiv1.CreateCharacterRequest{
		TableId: table, CharacterId: "officer", Name: "Officer", Source: &hanteiv1.CreateCharacterRequest_Sheet{Sheet: sheet},
	}
}

func (f *fight) must(token string, r route, request, response proto.Message) {
	f.t.Helper()
	if err := f.c.call(token, r, request, response); err != nil {
		f.t.Fatal(err)
	}
}

// act declares an action of coc.
func (f *fight) act(token, actor string, a *cocv1.Action, dice ...string) *hanteiv1.Outcome {
	f.t.Helper()
	out := &hanteiv1.ActResponse{}
	f.must(token, act(f.table), &hanteiv1.ActRequest{
		TableId: f.table, Actor: actor, GivenDice: dice,
		What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: a}}},
	}, out)
	return out.Outcome
}

// answer answers the only prompt of a seat that has this name.
func (f *fight) answer(token, name, choice string, dice ...string) *hanteiv1.Outcome {
	f.t.Helper()
	p := f.prompt(token, name)
	request := &hanteiv1.AnswerRequest{TableId: f.table, PromptId: p.Id, GivenDice: dice}
	if choice != "" {
		request.Answers = []*hanteiv1.SlotAnswer{{Character: p.Character, How: &hanteiv1.SlotAnswer_Choice{Choice: choice}}}
	}
	out := &hanteiv1.AnswerResponse{}
	f.must(token, answer(f.table, p.Id), request, out)
	return out.Outcome
}

func (f *fight) prompt(token, name string) *tablev1.PromptView {
	f.t.Helper()
	v := f.view(token)
	for _, p := range v.Prompts {
		if p.Name == name {
			return p
		}
	}
	f.t.Fatalf("no prompt %s among %v", name, v.Prompts)
	return nil
}

func (f *fight) view(token string) *tablev1.TableView {
	f.t.Helper()
	out := &hanteiv1.GetViewResponse{}
	f.must(token, getView(f.table), &hanteiv1.GetViewRequest{TableId: f.table}, out)
	return out.View
}

func attackWith(weapon, target string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_Attack{Attack: &cocv1.Attack{Weapon: weapon, Target: target}}}
}

func endTurn() *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_EndTurn{EndTurn: &cocv1.EndTurn{}}}
}

// begin plays until the thug has been hit and the officer's damage dice are asked for.
func (f *fight) begin() {
	f.t.Helper()
	start := &cocv1.StartCombat{Combatants: []string{"officer", "thug"}}
	f.act(f.gm, "", &cocv1.Action{Action: &cocv1.Action_StartCombat{StartCombat: start}}, "1D100=30", "1D100=55")
	f.act(f.officer, "officer", attackWith("baton", "thug"), "1D100=48")
	out := f.answer(f.gm, "defend", "dodge", "1D100=70")
	// The next die is the officer's: the keeper cannot have given it, so its seat is asked.
	if out.State != hanteiv1.StepState_STEP_STATE_WAITING || len(out.WaitingOn) != 1 ||
		out.WaitingOn[0].Name != "dice" || out.WaitingOn[0].Character != "officer" || len(out.Prompts) != 0 {
		f.t.Fatalf("not waiting for the officer's dice: %v", out)
	}
}

// finish plays from there to the end.
func (f *fight) finish() {
	f.t.Helper()
	f.answer(f.officer, "dice", "", "1D6=5", "1D4=3")
	f.answer(f.gm, "dice", "", "1D100=42") // the thug's shock roll
	f.act(f.officer, "officer", endTurn())
	f.act(f.gm, "thug", attackWith("knife", "officer"), "1D100=20")
	f.answer(f.officer, "defend", "dodge", "1D100=61")
	f.answer(f.gm, "dice", "", "1D4=2", "1D4=1")
	f.act(f.gm, "thug", endTurn())
	f.answer(f.gm, "combat_continues", "continue")

	f.act(f.officer, "officer", attackWith("baton", "thug"), "1D100=5")
	f.answer(f.gm, "defend", "none")
	f.answer(f.officer, "dice", "", "1D6=3", "1D4=1")
	f.act(f.officer, "officer", endTurn())
	f.answer(f.gm, "combat_continues", "end")
	out := f.answer(f.gm, "dying", "dies")
	if out.State != hanteiv1.StepState_STEP_STATE_DONE {
		f.t.Fatalf("still waiting: %v", out.WaitingOn)
	}
}

// TestFight plays EX-COC-CMB-01-2 over REST, while one client follows by
// server-sent events and one by gRPC, and again over gRPC.
func TestFight(t *testing.T) {
	s := fresh(t)
	grpcClient := dial(t, s.grpc)
	f := newFight(t, rest{s.http}, s.admin)
	nurse := watchSSE(t, s.http, f.nurse)
	officer := watchGRPC(t, grpcClient, f.officer)
	keeper := watchGRPC(t, grpcClient, f.gm)
	f.begin()
	f.finish()

	for _, w := range []struct {
		who    string
		frames <-chan *hanteiv1.WatchResponse
		token  string
	}{{"nurse", nurse, f.nurse}, {"officer", officer, f.officer}, {"keeper", keeper, f.gm}} {
		events := until(t, w.frames, "died")
		golden(t, filepath.Join("testdata", "fight-"+w.who+".txt"), transcribed(events))
		checkEnd(t, f.view(w.token), w.who)
	}

	again := newFight(t, grpcClient, s.admin)
	again.begin()
	again.finish()
	if rest, direct := f.view(f.gm).StateHash, again.view(again.gm).StateHash; rest != direct || len(rest) != 64 {
		t.Errorf("state_hash %s over REST, %s over gRPC", rest, direct)
	}
	if h := f.view(f.officer).StateHash; h != "" {
		t.Errorf("a player sees the state_hash")
	}
}

// TestKilledWithPromptOpen kills the server while a prompt is open, starts it
// again and plays on: result and hash are as without the kill.
func TestKilledWithPromptOpen(t *testing.T) {
	db := filepath.Join(t.TempDir(), "hantei.db")
	s := running(t, db)
	whole := newFight(t, rest{s.http}, s.admin)
	whole.begin()
	whole.finish()
	want := whole.view(whole.gm)

	f := newFight(t, rest{s.http}, s.admin)
	f.begin()
	before := f.prompt(f.officer, "dice")
	s.kill()

	s = running(t, db)
	if s.admin != "" {
		t.Error("a second admin token was made")
	}
	f.c = rest{s.http}
	if after := f.prompt(f.officer, "dice"); after.Id != before.Id || after.Dice != before.Dice {
		t.Errorf("the prompt after the restart is %v, before it was %v", after, before)
	}
	f.finish()
	if got := f.view(f.gm); got.StateHash != want.StateHash {
		t.Errorf("state_hash %s, without the kill %s", got.StateHash, want.StateHash)
	}
	checkEnd(t, f.view(f.nurse), "nurse")
}

// checkEnd looks at the end of the fight as a seat sees it: the thug's numbers
// are the keeper's, the officer's are for the table, his marks are his own.
func checkEnd(t *testing.T, v *tablev1.TableView, who string) {
	t.Helper()
	for _, c := range v.Characters {
		hp := resource(c, "hp")
		switch c.Id {
		case "thug":
			if hp.GetBand() != typev1.Band_BAND_DOWN || !has(c, "dead") {
				t.Errorf("%s: the thug is not down and dead: %v", who, c)
			}
			if knows := who == "keeper"; (hp.Value != nil) != knows || (len(c.Stats) > 0) != knows || knows && hp.GetValue() != -3 {
				t.Errorf("%s sees of the thug: hp %v, %d stats", who, hp, len(c.Stats))
			}
		case "officer":
			if hp.GetValue() != 11 || len(c.Stats) == 0 {
				t.Errorf("%s: the officer has %v", who, hp)
			}
			if marks := c.Details.GetCoc().GetGrowthMarks(); (len(marks) == 1) != (who != "nurse") {
				t.Errorf("%s sees the officer's marks %v", who, marks)
			}
		}
	}
}

func resource(c *tablev1.CharacterView, key string) *typev1.Resource {
	for _, r := range c.Resources {
		if r.Key == key {
			return r
		}
	}
	return nil
}

func has(c *tablev1.CharacterView, status string) bool {
	for _, s := range c.Statuses {
		if s.Key == status {
			return true
		}
	}
	return false
}

// until collects events up to the first of a name.
func until(t *testing.T, frames <-chan *hanteiv1.WatchResponse, name string) []*tablev1.EventView {
	t.Helper()
	var out []*tablev1.EventView
	timeout := time.After(30 * time.Second)
	for {
		select {
		case f, ok := <-frames:
			if !ok {
				t.Fatalf("the stream ended after %d events", len(out))
			}
			for _, e := range f.Events {
				out = append(out, e)
				if e.Name == name {
					return out
				}
			}
		case <-timeout:
			t.Fatalf("no %s; %d events came", name, len(out))
		}
	}
}

// transcribed is a text of events with all that is told of them, but for handles.
func transcribed(events []*tablev1.EventView) []byte {
	var b bytes.Buffer
	for _, e := range events {
		fmt.Fprintf(&b, "%s", e.Name)
		if e.Rule != "" {
			fmt.Fprintf(&b, " (%s)", e.Rule)
		}
		if e.Actor != "" {
			fmt.Fprintf(&b, " %s", e.Actor)
		}
		if len(e.Targets) > 0 {
			fmt.Fprintf(&b, " > %s", strings.Join(e.Targets, ", "))
		}
		b.WriteString("\n")
		for _, f := range e.Facts {
			fmt.Fprintf(&b, "    %s%s: %s\n", f.Key, of(f.Of), value(f))
		}
		for _, d := range e.Dice {
			fmt.Fprintf(&b, "    %dD%d%s %v for %s\n", len(d.Faces), d.Sides, of(d.Of), d.Faces, d.Label)
		}
		for _, l := range e.Trace {
			fmt.Fprintf(&b, "    working%s: %s %s", of(l.Of), l.Label, l.Rule)
			if l.Value != nil {
				fmt.Fprintf(&b, " %s %d = %d", strings.ToLower(strings.TrimPrefix(l.Op.String(), "MODIFIER_OP_")), l.GetValue(), l.GetResult())
			}
			b.WriteString("\n")
		}
		for _, c := range e.Changes {
			if r := c.GetResource(); r != nil {
				fmt.Fprintf(&b, "    %s.%s is", r.Character, r.After.Key)
				if r.After.Value != nil {
					fmt.Fprintf(&b, " %d", r.After.GetValue())
				}
				if r.After.Max != nil {
					fmt.Fprintf(&b, " of %d", r.After.GetMax())
				}
				fmt.Fprintf(&b, " %s\n", strings.ToLower(strings.TrimPrefix(r.After.Band.String(), "BAND_")))
			}
		}
	}
	return b.Bytes()
}

func of(who string) string {
	if who == "" {
		return ""
	}
	return " of " + who
}

func value(f *typev1.Fact) string {
	switch {
	case f.Number != nil:
		return strconv.Itoa(int(f.GetNumber()))
	case f.Text != nil:
		return strconv.Quote(f.GetText())
	case len(f.Characters) > 0:
		return strings.Join(f.Characters, ", ")
	case len(f.Squares) > 0:
		return squares(f.Squares)
	}
	return strings.Join(f.Words, ", ")
}

func squares(all []*typev1.Square) string {
	var out []string
	for _, s := range all {
		out = append(out, square(s))
	}
	return strings.Join(out, "; ")
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: another transcript\n got:\n%s\nwant:\n%s", file, got, want)
	}
}
