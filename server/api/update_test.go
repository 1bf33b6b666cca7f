package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// revise is an update of a character.
func (t *table) revise(id string, change func(*hanteiv1.UpdateCharacterRequest), mask ...string) *hanteiv1.UpdateCharacterRequest {
	r := &hanteiv1.UpdateCharacterRequest{TableId: t.id, CharacterId: id, Sheet: &tablev1.SheetInput{}}
	if len(mask) > 0 {
		r.UpdateMask = &fieldmaskpb.FieldMask{Paths: mask}
	}
	change(r)
	return r
}

func (t *table) revised(ctx context.Context, r *hanteiv1.UpdateCharacterRequest) *tablev1.CharacterView {
	t.tb.Helper()
	out, err := t.Character.UpdateCharacter(ctx, r)
	t.ok(err)
	return out.Character
}

func (t *table) character(ctx context.Context, id string) *tablev1.CharacterView {
	t.tb.Helper()
	r, err := t.Character.GetCharacter(ctx, &hanteiv1.GetCharacterRequest{TableId: t.id, CharacterId: id})
	t.ok(err)
	return r.Character
}

func (t *table) characters(ctx context.Context) []*tablev1.CharacterView {
	t.tb.Helper()
	r, err := t.Character.ListCharacters(ctx, &hanteiv1.ListCharactersRequest{TableId: t.id})
	t.ok(err)
	return r.Characters
}

func (t *table) delete(ctx context.Context, id string) error {
	_, err := t.Character.DeleteCharacter(ctx, &hanteiv1.DeleteCharacterRequest{TableId: t.id, CharacterId: id})
	return err
}

// controlled are the characters that each seat controls.
func (t *table) controlled() []string {
	t.tb.Helper()
	r, err := t.Seat.ListSeats(t.gm, &hanteiv1.ListSeatsRequest{TableId: t.id})
	t.ok(err)
	var out []string
	for _, s := range r.Seats {
		out = append(out, strings.Join(s.Characters, " "))
	}
	return out
}

func named(name string) func(*hanteiv1.UpdateCharacterRequest) {
	return func(r *hanteiv1.UpdateCharacterRequest) { r.Name = name }
}

func withStat(key string, value int32) func(*hanteiv1.UpdateCharacterRequest) {
	return func(r *hanteiv1.UpdateCharacterRequest) {
		r.Sheet.Stats = []*tablev1.StatInput{{Key: key, Value: value}}
	}
}

func statOf(c *tablev1.CharacterView, key string) int32 {
	for _, s := range c.Stats {
		if s.Key == key {
			return s.GetValue()
		}
	}
	return -1
}

const (
	approved  = tablev1.Review_REVIEW_APPROVED
	submitted = tablev1.Review_REVIEW_SUBMITTED
	rejected  = tablev1.Review_REVIEW_REJECTED
)

// TestUpdateMask: what the mask names is changed, without one what is filled in.
func TestUpdateMask(t *testing.T) {
	full := func(r *hanteiv1.UpdateCharacterRequest) {
		r.Name, r.Review = "Nina", rejected
		r.Sheet = &tablev1.SheetInput{
			Kind: tablev1.CharacterKind_CHARACTER_KIND_PC, Side: "spirits", Gear: []string{"knife"},
			Stats: []*tablev1.StatInput{{Key: "con", Value: 15}}, Resources: []*tablev1.ResourceInput{{Key: "mp", Value: proto.Int32(1)}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*hanteiv1.UpdateCharacterRequest)
		mask   []string
		want   string
	}{
		{"all that is filled in", full, nil, "name side con mp weapons review"},
		{"name", full, []string{"name"}, "name"},
		{"twice", full, []string{"name", "name", "sheet.stats"}, "name con"},
		{"side", full, []string{"sheet.side"}, "side"},
		{"gear", full, []string{"sheet.gear"}, "weapons"},
		{"resources", full, []string{"sheet.resources"}, "mp"},
		{"review", full, []string{"review"}, "review"},
		{"details, which are not sent", full, []string{"sheet.details"}, ""},
		{"the kind's own side", func(r *hanteiv1.UpdateCharacterRequest) { r.Sheet = nil }, []string{"sheet.side"}, ""},
		{"no gear, which it has not", func(r *hanteiv1.UpdateCharacterRequest) { r.Sheet = nil }, []string{"sheet.gear"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := start(t).table()
			g.sample("nurse")
			before, head := g.character(g.gm, "nurse"), g.head()
			after := g.revised(g.gm, g.revise("nurse", c.change, c.mask...))
			same(t, g.character(g.gm, "nurse"), after)
			var got []string
			for what, differs := range map[string]bool{
				"name": after.Name != before.Name, "side": after.Side != before.Side, "con": statOf(after, "con") != statOf(before, "con"),
				"mp":      after.Resources[1].GetValue() != before.Resources[1].GetValue(),
				"weapons": !proto.Equal(after.Details, before.Details), "review": after.Review != before.Review,
			} {
				if differs != slices.Contains(strings.Fields(c.want), what) {
					got = append(got, what)
				}
			}
			if len(got) > 0 {
				t.Errorf("not as it should be: %v", got)
			}
			if changed := g.head() != head; changed != (c.want != "") || changed != (after.Etag != before.Etag) {
				t.Errorf("a commit: %v; etags %s, %s", changed, before.Etag, after.Etag)
			}
		})
	}
}

// TestUpdateRefusals: what cannot be is refused with the field, and nothing is done.
func TestUpdateRefusals(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	head := g.head()
	for _, c := range []struct {
		name                   string
		r                      *hanteiv1.UpdateCharacterRequest
		reason, field, nearest string
	}{
		{"nothing", g.revise("nurse", func(*hanteiv1.UpdateCharacterRequest) {}), "INVALID_FIELD", "update_mask", ""},
		{"path", g.revise("nurse", named("x"), "name", "sheet.gears"), "INVALID_FIELD", "update_mask", "sheet.gear"},
		{"whole sheet", g.revise("nurse", named("x"), "sheet"), "INVALID_FIELD", "update_mask", ""},
		{"kind named", g.revise("nurse", named("x"), "sheet.kind"), "INVALID_FIELD", "sheet.kind", ""},
		{"kind", g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) {
			r.Name, r.Sheet.Kind = "x", tablev1.CharacterKind_CHARACTER_KIND_NPC
		}), "INVALID_FIELD", "sheet.kind", ""},
		{"no name", g.revise("nurse", named(""), "name"), "INVALID_FIELD", "name", ""},
		{"unreadable name", g.revise("nurse", named("a\u202eb")), "INVALID_FIELD", "name", ""},
		{"stat", g.revise("nurse", withStat("dodgr", 1)), "INVALID_FIELD", "sheet.stats.key", "dodge"},
		{"gear", g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) { r.Sheet.Gear = []string{"baaton"} }), "INVALID_FIELD", "sheet.gear", "baton"},
		{"review", g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) { r.Review = submitted }), "INVALID_FIELD", "review", ""},
		{"no review", g.revise("nurse", named("x"), "review"), "INVALID_FIELD", "review", ""},
		{"character", g.revise("nurze", named("x")), "NOT_FOUND", "character_id", "nurse"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := codes.InvalidArgument
			if c.reason == "NOT_FOUND" {
				code = codes.NotFound
			}
			_, err := g.Character.UpdateCharacter(g.gm, c.r)
			info := refused(t, err, code, c.reason)
			if info.GetMetadata()["field"] != c.field || info.GetMetadata()["nearest"] != c.nearest {
				t.Errorf("%v", info)
			}
		})
	}
	if g.head() != head {
		t.Error("something was done")
	}
}

// TestUpdateRights: the GM changes any character, a player the own player
// characters, who only looks on none.
func TestUpdateRights(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "student", "thug")
	r, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "O", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
	g.ok(err)
	observer := g.as(r.Seat.Id)
	// An NPC that a player leads is the GM's all the same.
	_, err = g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: g.nurseSeat, Characters: &hanteiv1.SeatCharacters{Ids: []string{"nurse", "thug"}}})
	g.ok(err)
	for who, c := range map[string]struct {
		ctx context.Context
		may []string
	}{
		"gm": {g.gm, []string{"nurse", "student", "thug"}}, "nurse": {g.nurse, []string{"nurse"}}, "student": {g.student, []string{"student"}}, "observer": {observer, nil},
	} {
		for _, id := range []string{"nurse", "student", "thug"} {
			_, err := g.Character.UpdateCharacter(c.ctx, g.revise(id, named(who+" "+id)))
			if slices.Contains(c.may, id) {
				g.ok(err)
				continue
			}
			refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
			refused(t, g.delete(c.ctx, id), codes.PermissionDenied, "NOT_YOUR_SEAT")
		}
	}
	_, err = g.Character.UpdateCharacter(g.nurse, g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) { r.Review = approved }))
	if info := refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT"); info.GetMetadata()["field"] != "review" {
		t.Errorf("%v", info)
	}
	// A player's sheet goes to the GM again, who has it back with a word.
	if c := g.revised(g.nurse, g.revise("nurse", named("Nina"))); c.Review != approved {
		t.Errorf("%v", c.Review)
	}
	if c := g.revised(g.nurse, g.revise("nurse", withStat("dex", 18))); c.Review != submitted || statOf(c, "dodge") != 36 {
		t.Errorf("%v, dodge %d", c.Review, statOf(c, "dodge"))
	}
	_, err = g.Play.Act(g.gm, g.request("", startCombat("nurse", "thug")))
	refused(t, err, codes.FailedPrecondition, "NOT_APPROVED")
	g.revised(g.gm, g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) { r.Review = approved }))
	g.act(g.gm, "", startCombat("nurse", "thug"))
	_, err = g.Character.UpdateCharacter(g.nurse, g.revise("nurse", withStat("dex", 3)))
	refused(t, err, codes.FailedPrecondition, "IN_ENCOUNTER")
	refused(t, g.delete(g.gm, "thug"), codes.FailedPrecondition, "IN_ENCOUNTER")
}

// as is a seat of the table.
func (t *table) as(seat string) context.Context {
	return as(t.tb, auth.Principal{Seat: seat, Table: t.id})
}

// TestEtag: an update or removal is made from what the caller has seen, or refused
// before anything else of it is looked at.
func TestEtag(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	seen := g.character(g.nurse, "nurse")
	if seen.Etag == "" || seen.Etag == g.character(g.gm, "nurse").Etag || seen.Etag == g.character(g.student, "nurse").Etag {
		t.Errorf("etag %q", seen.Etag)
	}
	for _, list := range [][]*tablev1.CharacterView{g.characters(g.nurse), g.view(g.nurse).Characters} {
		same(t, list[0], seen)
	}
	with := func(etag string) *hanteiv1.UpdateCharacterRequest {
		return g.revise("nurse", func(r *hanteiv1.UpdateCharacterRequest) { r.Name, r.Etag = "Nina", etag })
	}
	next := g.revised(g.nurse, with(seen.Etag))
	if next.Etag == seen.Etag {
		t.Error("the same etag")
	}
	head := g.head()
	gms := g.character(g.gm, "nurse").Etag
	for _, etag := range []string{seen.Etag, "x", gms, g.character(g.nurse, "thug").Etag} {
		_, err := g.Character.UpdateCharacter(g.nurse, with(etag))
		if info := refused(t, err, codes.Aborted, "ETAG_MISMATCH"); info.GetMetadata()["field"] != "etag" {
			t.Errorf("%v", info)
		}
		wrong := with(etag)
		wrong.UpdateMask = &fieldmaskpb.FieldMask{Paths: []string{"nonsense"}}
		_, err = g.Character.UpdateCharacter(g.nurse, wrong)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		if etag != gms {
			_, err = g.Character.DeleteCharacter(g.gm, &hanteiv1.DeleteCharacterRequest{TableId: g.id, CharacterId: "nurse", Etag: etag})
			refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		}
	}
	if g.head() != head {
		t.Error("something was done")
	}
	_, err := g.Character.DeleteCharacter(g.gm, &hanteiv1.DeleteCharacterRequest{TableId: g.id, CharacterId: "nurse", Etag: gms})
	g.ok(err)
	// It lives as long as what it was made of, also over a restart.
	thug := g.character(g.gm, "thug")
	g.restart()
	same(t, g.character(g.gm, "thug"), thug)
}

// TestEtagOfWhatIsHidden: what a seat does not see neither changes its etag nor
// stands in the way of what it decides on it, and it is told nothing.
func TestEtagOfWhatIsHidden(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	before := g.character(g.student, "thug")
	told, w := len(g.history(g.student)), g.watch(g.student, "")
	w.next()
	for _, change := range []func(*hanteiv1.UpdateCharacterRequest){
		withStat("knife", 88), withStat("pow", 18),
		func(r *hanteiv1.UpdateCharacterRequest) {
			r.Sheet.Resources = []*tablev1.ResourceInput{{Key: "hp", Value: proto.Int32(40), Max: proto.Int32(40)}}
		},
		func(r *hanteiv1.UpdateCharacterRequest) { r.Review = rejected },
	} {
		g.revised(g.gm, g.revise("thug", change))
		same(t, g.character(g.student, "thug"), before)
	}
	w.nothing()
	if now := len(g.history(g.student)); now != told {
		t.Errorf("%d events, not %d", now, told)
	}
	for _, known := range []func(*hanteiv1.UpdateCharacterRequest){
		named("Thomas"),
		func(r *hanteiv1.UpdateCharacterRequest) {
			r.Sheet.Resources = []*tablev1.ResourceInput{{Key: "hp", Value: proto.Int32(20)}}
		},
	} {
		g.revised(g.gm, g.revise("thug", known))
		after := g.character(g.student, "thug")
		if after.Etag == before.Etag {
			t.Error("the same etag")
		}
		before = after
		if e := w.next().GetEvents(); len(e) != 1 || len(e[0].Changes) != 1 {
			t.Errorf("%v", e)
		}
	}
	_ = w.stop()
}

// TestRepeatedUpdate: the same request has the same answer and is done once, also
// after others changed the character, and when it changed nothing itself.
func TestRepeatedUpdate(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	first := g.revise("nurse", withStat("dex", 11))
	first.RequestId, first.Etag = "first", g.character(g.nurse, "nurse").Etag
	nothing := g.revise("nurse", withStat("dex", 11))
	nothing.RequestId = "nothing"
	remove := &hanteiv1.DeleteCharacterRequest{TableId: g.id, CharacterId: "nurse", RequestId: "remove"}
	answers := []*tablev1.CharacterView{g.revised(g.nurse, first), g.revised(g.nurse, nothing)}
	again := func() {
		t.Helper()
		head := g.head()
		same(t, g.revised(g.nurse, first), answers[0])
		same(t, g.revised(g.nurse, nothing), answers[1])
		if g.head() != head {
			t.Error("it was done twice")
		}
	}
	again()
	g.revised(g.gm, g.revise("nurse", withStat("dex", 15)))
	again()
	g.restart()
	again()
	_, err := g.Character.DeleteCharacter(g.gm, remove)
	g.ok(err)
	again()
	g.sample("nurse")
	for range 2 {
		_, err = g.Character.DeleteCharacter(g.gm, remove)
		g.ok(err)
		g.restart()
	}
	if len(g.characters(g.gm)) != 2 {
		t.Error("it was removed twice")
	}
	for _, r := range []*hanteiv1.UpdateCharacterRequest{first, nothing} {
		other := proto.Clone(r).(*hanteiv1.UpdateCharacterRequest)
		other.Name = "x"
		_, err = g.Character.UpdateCharacter(g.nurse, other)
		refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	}
	remove.CharacterId = "thug"
	_, err = g.Character.DeleteCharacter(g.gm, remove)
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
}

// TestDelete: a character goes with all that holds it; whoever knew it is told.
func TestDelete(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "student", "thug")
	_, err := g.Seat.UpdateSeat(g.gm, &hanteiv1.UpdateSeatRequest{TableId: g.id, SeatId: g.nurseSeat, Characters: &hanteiv1.SeatCharacters{Ids: []string{"officer", "nurse", "student"}}})
	g.ok(err)
	w := g.watch(g.student, "")
	w.next()
	g.act(g.gm, "", startCombat("nurse", "student", "thug"))
	g.struck()
	refused(t, g.delete(g.gm, "thug"), codes.FailedPrecondition, "PROMPT_PENDING")
	_, err = g.Play.Act(g.gm, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{
		Ruleset: &tablev1.Action_Core{Core: &tablev1.CoreAction{Action: &tablev1.CoreAction_CancelStep{CancelStep: &tablev1.CancelStep{}}}},
	}}})
	g.ok(err)
	g.act(g.gm, "", endCombat())
	refused(t, g.delete(g.nurse, "nurse"), codes.PermissionDenied, "NOT_YOUR_SEAT")
	g.ok(g.delete(g.gm, "student"))
	if got := g.controlled(); !slices.Equal(got, []string{"", "officer nurse", ""}) {
		t.Errorf("%q", got)
	}
	var last *tablev1.EventView
	for last.GetName() != "character_removed" {
		if all := w.next().GetEvents(); len(all) > 0 {
			last = all[len(all)-1]
		}
	}
	if last.Actor != "student" || last.Text.Text != "Student leaves the table." || len(last.Changes) == 0 || !last.Changes[len(last.Changes)-1].GetCharacter().GetRemoved() {
		t.Errorf("%v", last)
	}
	_ = w.stop()
	_, err = g.Character.GetCharacter(g.gm, &hanteiv1.GetCharacterRequest{TableId: g.id, CharacterId: "student"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
	refused(t, g.delete(g.gm, "student"), codes.NotFound, "NOT_FOUND")
	// Told again it is told alike; and who takes the id is nobody's.
	history := g.history(g.student)
	if e := history[len(history)-1]; e.Name != "character_removed" || e.Text.Text != last.Text.Text {
		t.Errorf("%v", e)
	}
	g.sample("student")
	if c := g.character(g.nurse, "student"); c.Yours || c.Review == approved {
		t.Errorf("%v", c)
	}
	g.restart()
	if got := g.controlled(); !slices.Equal(got, []string{"", "officer nurse", ""}) {
		t.Errorf("%q", got)
	}
}

// TestPlayerDeletes: a player takes back what was never approved, whatever became
// of the review since.
func TestPlayerDeletes(t *testing.T) {
	g := start(t).table()
	create := func(id string) {
		t.Helper()
		_, err := g.Character.CreateCharacter(g.nurse, &hanteiv1.CreateCharacterRequest{TableId: g.id, CharacterId: id, Source: sampleOf("nurse")})
		g.ok(err)
	}
	review := func(id string, r tablev1.Review) {
		t.Helper()
		g.revised(g.gm, g.revise(id, func(u *hanteiv1.UpdateCharacterRequest) { u.Review = r }))
	}
	create("a")
	refused(t, g.delete(g.student, "a"), codes.PermissionDenied, "NOT_YOUR_SEAT")
	g.ok(g.delete(g.nurse, "a"))
	create("a")
	review("a", rejected)
	g.revised(g.nurse, g.revise("a", withStat("dex", 9)))
	g.ok(g.delete(g.nurse, "a"))
	for id, after := range map[string]func(id string){
		"b": func(string) {},
		"c": func(id string) { review(id, rejected) },
		"d": func(id string) { g.revised(g.nurse, g.revise(id, withStat("dex", 9))) },
		"e": func(id string) { g.act(g.gm, "", gmReject(id)) },
		"f": func(id string) { g.act(g.gm, "", gmReject(id)); g.revised(g.nurse, g.revise(id, withStat("dex", 9))) },
	} {
		create(id)
		review(id, approved)
		after(id)
		refused(t, g.delete(g.nurse, id), codes.PermissionDenied, "NOT_YOUR_SEAT")
		g.restart()
		refused(t, g.delete(g.nurse, id), codes.PermissionDenied, "NOT_YOUR_SEAT")
		g.ok(g.delete(g.gm, id))
	}
}

// TestCopyOfChangedCharacters: updates and removals go with the table's file, and
// a server that starts anew tells and holds the same.
func TestCopyOfChangedCharacters(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	g.sample("officer")
	g.struck()
	g.revised(g.gm, g.revise("thug", named("Thomas")))
	g.revised(g.gm, g.revise("nurse", withStat("con", 15)))
	g.answer(g.student, "student", "decline")
	g.answer(g.gm, "nurse", "none", "1D4=1", "1D4=1")
	g.ok(g.delete(g.gm, "officer"))
	g.sample("officer")
	g.revised(g.gm, g.revise("officer", func(r *hanteiv1.UpdateCharacterRequest) {}, "sheet.gear"))
	c, r := s.imported(g.export(g.gm).Content)
	compare := func() {
		t.Helper()
		if hash := g.view(g.gm).StateHash; hash != r.StateHash || hash != c.view(c.gm).StateHash {
			t.Error("the state is another")
		}
		for _, both := range [][2]context.Context{{g.gm, c.gm}, {g.nurse, c.nurse}, {g.student, c.student}} {
			x, y := played(g.history(both[0])), played(c.history(both[1]))
			if len(x) != len(y) {
				t.Fatalf("told %d events, not %d", len(y), len(x))
			}
			for i := range x {
				sameMessage(t, y[i], x[i])
			}
		}
	}
	compare()
	before := g.view(g.nurse)
	s.restart()
	compare()
	after := g.view(g.nurse)
	after.Cursor, before.Cursor = "", "" // never the same twice
	same(t, after, before)
}

func gmReject(id string) *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_GmReject{GmReject: &cocv1.Reject{Character: id}}}
}

func endCombat() *cocv1.Action {
	return &cocv1.Action{Action: &cocv1.Action_EndCombat{EndCombat: &cocv1.EndCombat{}}}
}
