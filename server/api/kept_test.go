package api_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
)

// Files of tables that earlier builds have written are kept in testdata/logs, one for
// each release, named by it: v0.1.0.coc.hantei, with what it says beside it in
// v0.1.0.coc.txt. A file is never written anew: every later build must read it, to the
// same state. To keep the next one:
//
//	go test ./server/api -run TestKeepLog -keep-log v0.2.0.coc
var (
	keepLog     = flag.String("keep-log", "", "play a game and keep its file in testdata/logs by this name")
	updateTexts = flag.Bool("update-logs", false, "write anew what kept files say; read the differences")
)

const keptLogs = "testdata/logs"

// TestKeptLogs reads the files of earlier builds: each becomes a table of the state that
// it was kept with, says the same to the GM in all languages, and can be written and
// read again. Its chain, its fold and its dice are sound.
func TestKeptLogs(t *testing.T) {
	files, err := filepath.Glob(keptLogs + "/*.hantei")
	if err != nil || len(files) == 0 {
		t.Fatal("no file is kept", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := start(t)
			g, made := s.imported(content)
			said := g.says(made.StateHash)
			golden := strings.TrimSuffix(file, ".hantei") + ".txt"
			if *updateTexts {
				if err := os.WriteFile(golden, said, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(said, want) {
				t.Errorf("%s: it says something else:\n%s", golden, firstDifference(want, said))
			}
			// Rules may have changed since: what they would make of a command now is no fault.
			if v := g.verified(); v.Chain.Checked != v.Commits || v.Fold.Checked != v.Commits || v.Dice.Fault != nil {
				t.Errorf("not sound: %v", v)
			}
			again := g.export(g.gm)
			h, copied := s.imported(again.Content)
			if again.StateHash != made.StateHash || copied.StateHash != made.StateHash {
				t.Errorf("written again its state is %s, read again %s, not %s", again.StateHash, copied.StateHash, made.StateHash)
			}
			if !bytes.Equal(h.says(copied.StateHash), said) {
				t.Error("written and read again it says something else")
			}
		})
	}
}

// says is what a table tells its GM: the state_hash, and every event's sentence.
func (t *table) says(hash string) []byte {
	t.tb.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "state_hash %s\n", hash)
	gm, _ := auth.FromContext(t.gm)
	for _, lang := range []string{"ja", "en"} {
		fmt.Fprintf(&b, "\n== %s ==\n", lang)
		var said []string
		cursor := ""
		for {
			r, err := t.Play.ListEvents(as(t.tb, gm, lang), &hanteiv1.ListEventsRequest{TableId: t.id, PageSize: 500, Cursor: cursor})
			t.ok(err)
			for _, e := range r.Events {
				said = append(said, fmt.Sprintf("%s: %s\n", e.Name, e.Text.GetText()))
			}
			if cursor = r.Cursor; !r.More {
				break
			}
		}
		// Who reads a file goes on with dice of an own epoch, which is no part of it.
		for len(said) > 0 && strings.HasPrefix(said[len(said)-1], "dice_epoch_begun: ") {
			said = said[:len(said)-1]
		}
		b.WriteString(strings.Join(said, ""))
	}
	return b.Bytes()
}

func firstDifference(want, got []byte) string {
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d was %q, is %q", i+1, a[i], slices.Concat(b, make([]string, len(a)))[i])
		}
	}
	return "there is more"
}

// TestKeepLog plays a game with all that these rules have, creation, a fight, sanity
// and growth, and what any table has, dice that everybody sees and others, two epochs
// of them, an undo and an override, and keeps its file.
func TestKeepLog(t *testing.T) {
	if *keepLog == "" {
		t.Skip("keeps a file when it is told to: -keep-log")
	}
	g := start(t).table(opt("crit", "40")) // earns marks
	g.makes("newcomer")
	g.sample("officer", "nurse", "student", "thug", "cultist", "star_thing")
	for range 3 {
		g.offer("nurse", "check")
		g.offer("student", "check")
	}
	for _, who := range []string{"nurse", "student"} {
		g.offer(who, "declare_growth")
	}
	g.loses("officer", "nurse", "student")
	g.takesBack()
	g.act(g.gm, "", startCombat("officer", "nurse", "student", "newcomer", "thug", "cultist", "star_thing"))
	g.settle()
	for range 60 {
		v := g.view(g.gm)
		if v.Encounter == nil {
			break
		}
		who := v.Encounter.Turn[0]
		for _, name := range []string{"attack", "shoot", "first_aid"} {
			g.offer(who, name)
		}
		if v = g.view(g.gm); v.Encounter != nil && slices.Contains(v.Encounter.Turn, who) {
			g.offer(who, "end_turn")
		}
	}
	if g.view(g.gm).Encounter != nil {
		g.offer("", "end_combat")
	}
	g.offer("", "san_check")
	for _, who := range []string{"nurse", "student"} {
		g.offer(who, "psychoanalysis")
	}
	g.offer("", "gm_end_scenario")
	for _, who := range []string{"nurse", "student"} {
		g.offer(who, "growth_roll")
	}
	g.rotate(&hanteiv1.RotateSeedRequest{Close: true})
	file := g.export(g.gm)
	name := filepath.Join(keptLogs, *keepLog+".hantei")
	if _, err := os.Stat(name); err == nil {
		t.Fatalf("%s is kept already, and is never written anew", name)
	}
	if err := os.WriteFile(name, file.Content, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d commits; now -run TestKeptLogs -update-logs", name, file.Commits)
}

// makes has a newcomer made by the rules, and approved.
func (t *table) makes(id string) {
	t.tb.Helper()
	_, err := t.Character.CreateCharacter(t.gm, &hanteiv1.CreateCharacterRequest{
		TableId: t.id, CharacterId: id, Name: "Newcomer", Source: &hanteiv1.CreateCharacterRequest_Draft{Draft: &hanteiv1.Draft{}},
	})
	t.ok(err)
	for _, name := range []string{"roll_characteristics", "reroll_one", "set_occupation", "assign_points", "add_trait", "submit"} {
		t.offer(id, name)
	}
	t.offer("", "gm_approve")
}

// loses has characters lose sanity by what they see.
func (t *table) loses(all ...string) {
	t.tb.Helper()
	t.act(t.gm, "", &cocv1.Action{Action: &cocv1.Action_SanCheck{SanCheck: &cocv1.SanCheck{Targets: all, Loss: "7/9"}}})
	t.settle()
}

// takesBack has the GM write on a sheet, take a check back and have it made again, and
// begin the next epoch of the dice with what a player gives for it.
func (t *table) takesBack() {
	t.tb.Helper()
	san := int32(40)
	t.override("nurse", &tablev1.Operation{Operation: &tablev1.Operation_Resource{Resource: &tablev1.ResourceInput{Key: "san", Value: &san}}})
	t.offer("student", "check")
	t.undo(t.gm, "")
	t.offer("student", "check")
	_, err := t.Table.GiveDiceShare(t.student, &hanteiv1.GiveDiceShareRequest{TableId: t.id, Share: "seven"})
	t.ok(err)
	t.rotate(&hanteiv1.RotateSeedRequest{})
	t.roll(t.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_OWNER})
}

// seatOf is who decides for a character.
func (t *table) seatOf(character string) context.Context {
	switch character {
	case "nurse":
		return t.nurse
	case "student":
		return t.student
	}
	return t.gm
}

// offer has a character take the first offer of an action that is possible, filled in
// with what comes first, and answers what is asked. Without one nothing happens.
func (t *table) offer(actor, name string) {
	t.tb.Helper()
	by := t.seatOf(actor)
	r, err := t.Play.ListOffers(by, &hanteiv1.ListOffersRequest{TableId: t.id, Actor: actor})
	t.ok(err)
	for _, o := range r.Offers {
		if !o.Possible || o.Form || o.Actor != actor || actionName(o.Action) != name {
			continue
		}
		choice := &hanteiv1.OfferChoice{OfferId: o.Id}
		for _, in := range o.Inputs {
			if in.MinCount > 0 {
				choice.Values = append(choice.Values, &tablev1.Value{Name: in.Name, Values: firstValue(in)})
			}
		}
		_, err := t.Play.Act(by, &hanteiv1.ActRequest{
			TableId: t.id, Actor: actor, What: &hanteiv1.ActRequest_Offer{Offer: choice},
		})
		t.ok(err)
		t.settle()
		return
	}
}

func actionName(a *tablev1.Action) string {
	m := a.GetCoc().ProtoReflect()
	if f := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); f != nil {
		return string(f.Name())
	}
	return ""
}

func firstValue(in *tablev1.InputView) []string {
	switch {
	case len(in.Choices) > 0:
		return []string{in.Choices[0].Value}
	case in.Kind == tablev1.InputKind_INPUT_KIND_TEXT:
		return []string{"言葉"}
	case in.Kind == tablev1.InputKind_INPUT_KIND_BOOL:
		return []string{"true"}
	}
	return []string{fmt.Sprint(in.Min)}
}

// settle answers what is asked, now this way and now that, and has a fight go on for
// some rounds.
func (t *table) settle() {
	t.tb.Helper()
	for n := range 20 {
		by, p := t.asked()
		if p == nil {
			return
		}
		var possible []*tablev1.ChoiceView
		for _, c := range p.Choices {
			if c.Possible {
				possible = append(possible, c)
			}
		}
		c := possible[(n+len(p.Id+p.Name)+int(t.head().Number))%len(possible)]
		if e := t.view(t.gm).Encounter; p.Name == "combat_continues" && e.Round < 4 {
			c = possible[slices.IndexFunc(possible, func(c *tablev1.ChoiceView) bool { return c.Id == "continue" })]
		}
		a := &hanteiv1.SlotAnswer{Character: p.Character, How: &hanteiv1.SlotAnswer_Choice{Choice: c.Id}}
		for _, in := range c.Inputs {
			if in.MinCount > 0 {
				a.Values = append(a.Values, &tablev1.Value{Name: in.Name, Values: firstValue(in)})
			}
		}
		_, err := t.Play.Answer(by, &hanteiv1.AnswerRequest{TableId: t.id, PromptId: p.Id, Answers: []*hanteiv1.SlotAnswer{a}})
		t.ok(err)
	}
}

// asked is a prompt that a step waits for, and who answers it; nil for none.
func (t *table) asked() (context.Context, *tablev1.PromptView) {
	t.tb.Helper()
	for _, by := range []context.Context{t.gm, t.nurse, t.student} {
		for _, p := range t.view(by).Prompts {
			if !p.Standing {
				return by, p
			}
		}
	}
	return nil, nil
}
