package api_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/archive"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

const (
	openDie   = typev1.DiceStream_DICE_STREAM_OPEN
	secretDie = typev1.DiceStream_DICE_STREAM_SECRET
)

func (t *table) epochs(ctx context.Context) []*tablev1.DiceEpoch {
	t.tb.Helper()
	r, err := t.Table.ListDiceEpochs(ctx, &hanteiv1.ListDiceEpochsRequest{TableId: t.id})
	t.ok(err)
	return r.Epochs
}

func (t *table) rotate(r *hanteiv1.RotateSeedRequest) []*tablev1.DiceEpoch {
	t.tb.Helper()
	r.TableId = t.id
	out, err := t.Table.RotateSeed(t.gm, r)
	t.ok(err)
	return out.Epochs
}

func (t *table) verified() *hanteiv1.VerifyTableResponse {
	t.tb.Helper()
	r, err := t.Table.VerifyTable(t.gm, &hanteiv1.VerifyTableRequest{TableId: t.id})
	t.ok(err)
	return r
}

// sound checks that a table has no fault, and returns what was found of its dice.
func (t *table) sound() *hanteiv1.VerifiedCheck {
	t.tb.Helper()
	r := t.verified()
	if !r.Sound || r.Chain.Checked != r.Commits || r.Fold.Checked != r.Commits || r.Rules.Checked != r.Commits {
		t.tb.Errorf("not sound: %v", r)
	}
	return r.Dice
}

// thrown are the dice that a seat is told of, those that people gave left out.
func (t *table) thrown(ctx context.Context) []*typev1.Die {
	t.tb.Helper()
	var out []*typev1.Die
	for _, e := range t.history(ctx) {
		for _, d := range e.Dice {
			if !d.Given {
				out = append(out, d)
			}
		}
	}
	return out
}

// numbers are those of the open dice of an epoch; they have no gaps.
func numbers(tb testing.TB, all []*typev1.Die, epoch int32) int32 {
	tb.Helper()
	next := int32(0)
	for _, d := range all {
		if d.Stream != openDie || d.GetEpoch() != epoch {
			continue
		}
		if d.GetNumber() != next {
			tb.Errorf("an open die has the number %d, not %d", d.GetNumber(), next)
		}
		next = d.GetNumber() + int32(len(d.Faces))
	}
	return next
}

// TestDiceStreams: what everybody sees is numbered without gaps, whatever is thrown in
// secret meanwhile; of secret dice a player is told no number.
func TestDiceStreams(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "student", "thug")
	secret := func(actor string) {
		r := g.request(actor, check("spot"))
		r.Audience = typev1.Audience_AUDIENCE_GM
		_, err := g.Play.Act(g.gm, r)
		g.ok(err)
	}
	for range 3 {
		g.act(g.nurse, "nurse", check("spot"))
		secret("thug")
		g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "3D6-1D4"})
		g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_OWNER})
		secret("nurse")
		g.roll(g.gm, &hanteiv1.RollRequest{Formula: "1D6"})
	}
	// An NPC's dice are open as long as players see them.
	g.act(g.gm, "thug", check("spot"))
	_, err := g.Table.UpdateTable(g.gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Options: []*tablev1.Option{{Key: "npc_dice", Value: "hidden"}}})
	g.ok(err)
	g.act(g.gm, "thug", check("spot"))
	g.act(g.nurse, "nurse", check("spot"))
	// What is refused uses no number up.
	_, err = g.Play.Roll(g.gm, &hanteiv1.RollRequest{TableId: g.id, Formula: "1D6", GivenDice: []string{"1D6=1", "1D8=1"}})
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	_, err = g.Play.Act(g.gm, g.request("nurse", check("spot"), "1D8=1"))
	refused(t, err, codes.InvalidArgument, "BAD_DICE")
	g.restart()
	g.act(g.nurse, "nurse", check("spot"))

	own := 0
	for name, ctx := range map[string]context.Context{"gm": g.gm, "nurse": g.nurse, "student": g.student} {
		all := g.thrown(ctx)
		if n := numbers(t, all, 1); n != 3*(1+4+1)+1+2 {
			t.Errorf("the %s saw %d open dice", name, n)
		}
		for _, d := range all {
			switch {
			case d.Stream == openDie:
			case name == "gm":
				if d.Stream != secretDie || d.GetEpoch() != 1 || d.Number == nil {
					t.Errorf("the GM is not told where %v stands", d)
				}
			case d.Stream != 0 || d.Epoch != nil || d.Number != nil:
				t.Errorf("the %s is told where %v stands", name, d)
			case name == "nurse":
				own++
			}
		}
	}
	if own != 3 {
		t.Errorf("the nurse saw %d own dice", own)
	}
	if d := g.sound(); d.Checked != 21+3+6+1 || d.Unchecked != 0 {
		t.Errorf("dice: %v", d)
	}
}

// TestRotateSeed: shares, the end of an epoch while somebody is asked, and the end of
// the campaign.
func TestRotateSeed(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	first := g.epochs(g.student)
	if len(first) != 2 || first[0].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING || first[0].ClientMix != "" ||
		first[1].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED || first[0].Table != g.id ||
		len(first[0].OpenCommitment) != 64 || first[0].OpenCommitment == first[0].SecretCommitment || first[0].OpenSeed+first[1].OpenSeed+first[0].SecretSeed != "" {
		t.Fatalf("at the beginning: %v", first)
	}
	share := func(ctx context.Context, text string) (*tablev1.DiceEpoch, error) {
		r, err := g.Table.GiveDiceShare(ctx, &hanteiv1.GiveDiceShareRequest{TableId: g.id, Share: text})
		return r.GetEpoch(), err
	}
	for _, bad := range []string{"", strings.Repeat("x", 65), "a\x00b"} {
		_, err := share(g.nurse, bad)
		if info := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); info.GetMetadata()["field"] != "share" {
			t.Errorf("%q: %v", bad, info)
		}
	}
	g.struck() // and the student is asked
	for _, text := range []string{"seven", "seven", "さいころ"} {
		_, err := share(g.nurse, text)
		g.ok(err)
	}
	e, err := share(g.student, "x")
	g.ok(err)
	if e.Epoch != 2 || len(e.Shares) != 2 || !slices.IsSortedFunc(e.Shares, func(a, b *tablev1.DiceShare) int { return strings.Compare(a.SeatId, b.SeatId) }) {
		t.Errorf("shares: %v", e)
	}
	for _, one := range e.Shares {
		if want := map[bool]string{true: "さいころ", false: "x"}[one.SeatId == g.nurseSeat]; one.Share != want {
			t.Errorf("share: %v", one)
		}
	}
	w := g.watch(g.student, "")
	w.next()
	all := g.rotate(&hanteiv1.RotateSeedRequest{Epoch: 1})
	f := w.next()
	if got := names(f.Events); !slices.Equal(got, []string{"dice_seeds_revealed", "dice_epoch_begun"}) || f.Events[1].Text.GetText() == "" {
		t.Errorf("told: %v", f.Events)
	}
	w.stop()
	if len(all) != 3 || all[0].OpenSeed == "" || all[0].SecretSeed != "" || all[1].OpenSeed != "" || all[1].ClientMix == "" ||
		all[1].OpenCommitment != first[1].OpenCommitment || all[2].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_COMMITTED {
		t.Errorf("rotated: %v", all)
	}
	if again := g.rotate(&hanteiv1.RotateSeedRequest{Epoch: 1}); len(again) != 3 {
		t.Errorf("a call that is repeated ends another epoch: %v", again)
	}
	_, err = g.Table.RotateSeed(g.gm, &hanteiv1.RotateSeedRequest{TableId: g.id, Epoch: 3})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
	s.restart()
	g.answer(g.student, "student", "decline")
	g.answer(g.nurse, "nurse", "dodge")
	if n := numbers(t, g.thrown(g.student), 2); n < 1 || numbers(t, g.thrown(g.student), 1) != all[0].OpenDice {
		t.Errorf("%d dice of the second epoch", n)
	}
	g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100", Audience: typev1.Audience_AUDIENCE_OWNER})
	ownDie := func() *typev1.Die {
		d := g.thrown(g.nurse)
		return d[len(d)-1]
	}
	if d := ownDie(); d.Stream != 0 || d.Number != nil {
		t.Errorf("before it is closed: %v", d)
	}
	all = g.rotate(&hanteiv1.RotateSeedRequest{Close: true})
	if len(all) != 4 || all[0].SecretSeed == "" || all[1].SecretSeed == "" || all[2].SecretSeed != "" {
		t.Errorf("closed: %v", all)
	}
	if d := ownDie(); d.Stream != secretDie || d.GetEpoch() != 2 || d.GetNumber() != 0 {
		t.Errorf("after it was closed: %v", d)
	}
	if d := g.sound(); d.Unchecked != 0 || d.Checked == 0 {
		t.Errorf("dice: %v", d)
	}

	// A copy goes on with seeds of its own, and knows those of what is over.
	c, _ := s.imported(g.export(g.gm).Content)
	copied := c.epochs(c.gm)
	if len(copied) != 6 || copied[2].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_LEFT_BEHIND || copied[3].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_LEFT_BEHIND ||
		copied[4].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING || copied[4].Table != c.id || copied[1].Table != g.id {
		t.Errorf("the copy's: %v", copied)
	}
	c.roll(c.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "1D100"})
	c.rotate(&hanteiv1.RotateSeedRequest{Close: true})
	c.sound()
	g.sound()
}

// old is the log of a table that was made before there were epochs.
func old(t *testing.T, windowKey func(int64, int32, int32) string) *tablev1.Commit {
	t.Helper()
	c, err := resolve.New(game().Rules, windowKey).Create(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Visibility, c.TimeMs = &tablev1.Visibility{}, 1
	return c
}

// TestOldTable: a table without epochs goes on with its old dice until somebody
// rotates them.
func TestOldTable(t *testing.T) {
	s := start(t)
	g := &table{server: s, admin: as(t, auth.Admin)}
	commit, err := proto.Marshal(old(t, nil))
	g.ok(err)
	g.ok(s.store.CreateTable(context.Background(), store.NewTable{
		Table:   store.Table{ID: "oldoldoldoldoldo", Name: "Old", Ruleset: "coc", PackHash: game().Rules.Pack.Hash},
		Seat:    store.Seat{ID: "gmgmgmgmgmgmgmgm", TableID: "oldoldoldoldoldo", Name: "GM", Role: int32(tablev1.SeatRole_SEAT_ROLE_GM)},
		Commits: []store.Commit{{Number: 1, FirstEvent: 1, Events: 1, Bytes: commit}},
	}))
	g.seat("oldoldoldoldoldo", "gmgmgmgmgmgmgmgm")
	g.sample("nurse")
	if e := g.epochs(g.gm); len(e) != 0 {
		t.Errorf("epochs: %v", e)
	}
	_, err = g.Table.GiveDiceShare(g.nurse, &hanteiv1.GiveDiceShareRequest{TableId: g.id, Share: "x"})
	refused(t, err, codes.NotFound, "NOT_FOUND")
	g.roll(g.nurse, &hanteiv1.RollRequest{Actor: "nurse", Formula: "3D6"})
	g.act(g.nurse, "nurse", check("spot"))
	if d := g.thrown(g.nurse); len(d) != 2 || d[0].Stream != 0 || d[0].Number != nil {
		t.Errorf("dice: %v", d)
	}
	if d := g.sound(); d.Checked != 4 {
		t.Errorf("dice: %v", d)
	}
	if e := g.rotate(&hanteiv1.RotateSeedRequest{}); len(e) != 2 || e[0].Epoch != 1 || e[0].State != tablev1.DiceEpochState_DICE_EPOCH_STATE_RUNNING {
		t.Errorf("epochs: %v", e)
	}
	g.act(g.nurse, "nurse", check("spot"))
	if d := g.sound(); d.Checked != 5 || numbers(t, g.thrown(g.nurse), 1) != 1 {
		t.Errorf("dice: %v", d)
	}
}

// TestOldFile: so does its file, but that its old dice cannot be checked any more.
func TestOldFile(t *testing.T) {
	s := start(t)
	commit, err := proto.Marshal(old(t, nil))
	s.ok(err)
	seats := make([]*tablev1.Seat, 3)
	for i := range seats {
		role := tablev1.SeatRole_SEAT_ROLE_PLAYER
		if i == 0 {
			role = tablev1.SeatRole_SEAT_ROLE_GM
		}
		seats[i] = &tablev1.Seat{Id: string(rune('a' + i)), Name: "x", Role: role}
	}
	empty := resolve.New(game().Rules, nil)
	_, err = empty.Create(nil)
	s.ok(err)
	content, err := archive.Write(&tablev1.ArchiveHeader{Name: "Old", Seats: seats, StateHash: empty.Hash(), WindowKey: make([]byte, 32)}, [][]byte{commit})
	s.ok(err)
	c, _ := s.imported(content)
	if e := c.epochs(c.gm); len(e) != 2 || e[0].Epoch != 1 || e[0].Table != c.id {
		t.Errorf("epochs: %v", e)
	}
	c.roll(c.gm, &hanteiv1.RollRequest{Formula: "2D6"})
	if d := c.sound(); d.Checked != 2 {
		t.Errorf("dice: %v", d)
	}
}

// TestVerifyDamage: what a disk has altered is found, also where the table is played
// on from a snapshot and nobody reads it.
func TestVerifyDamage(t *testing.T) {
	s := start(t)
	g := s.table()
	g.sample("thug")
	g.rolls(220)
	g.snapshot(0)
	g.sound()
	s.stop()
	db, err := sql.Open("sqlite", s.path)
	s.ok(err)
	_, err = db.Exec(`UPDATE commits SET bytes = CAST(REPLACE(CAST(bytes AS TEXT), 'spot', 'spat') AS BLOB) WHERE table_id = ? AND number = 100`, g.id)
	s.ok(err)
	s.ok(db.Close())
	s.open()
	r := g.verified()
	if r.Sound || r.Chain.Fault.GetCommit() != 100 || r.Chain.Checked != 99 || r.Chain.Fault.Text == "" {
		t.Errorf("%v", r)
	}
}
