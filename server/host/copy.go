package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hantei/hantei/engine/dice"
	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/archive"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// File is the file of a table.
type File struct {
	// Content is the file itself, Name what it may be called.
	Content []byte
	Name    string
	// Commits is how many commits it has, StateHash the state_hash after them.
	Commits   int64
	StateHash string
}

// ExportTable makes a file of a table as it is now. The GM and the admin may: all
// that is hidden is in it, but no token, and nothing that tells future dice.
func (h *Host) ExportTable(ctx context.Context, by Caller) (File, error) {
	type now struct {
		header *tablev1.ArchiveHeader
		last   int64
	}
	n, err := ask(ctx, h, by.Table, func(t *table) (now, error) {
		if refusal := t.leads(by); refusal != nil {
			return now{}, refusal
		}
		row, m, err := t.kept(ctx)
		if err != nil {
			return now{}, err
		}
		var seeds []*tablev1.SecretSeed
		for epoch, seed := range t.secretSeeds(false) {
			seeds = append(seeds, &tablev1.SecretSeed{Epoch: epoch, Seed: seed[:]})
		}
		slices.SortFunc(seeds, func(a, b *tablev1.SecretSeed) int { return cmp.Compare(a.Epoch, b.Epoch) })
		return now{&tablev1.ArchiveHeader{
			Name: row.Name, CreateTimeMs: row.CreateTimeMS, Seats: t.seats, StateHash: t.res.Hash(),
			WindowKey: m.windowKey(h.keys, t.id), SecretSeeds: seeds,
		}, t.res.Number()}, nil
	})
	if err != nil {
		return File{}, err
	}
	var commits [][]byte
	total := 0
	for int64(len(commits)) < n.last && total <= archive.MaxBytes {
		page, err := h.store.Commits(ctx, by.Table, int64(len(commits)), int(min(loadPage, n.last-int64(len(commits)))))
		if err != nil {
			return File{}, err
		}
		if len(page) == 0 {
			return File{}, fmt.Errorf("host: commit %d of table %s is missing", len(commits)+1, by.Table)
		}
		for _, c := range page {
			commits = append(commits, c.Bytes)
			total += len(c.Bytes)
		}
	}
	content, err := archive.Write(n.header, commits)
	if errors.Is(err, archive.ErrTooLarge) {
		return File{}, &Refused{Refusal: tooLarge("").Say("file_does_not_hold_it")}
	}
	if err != nil {
		return File{}, err
	}
	return File{
		Content: content, Name: by.Table + "-" + strconv.FormatInt(n.last, 10) + ".hantei",
		Commits: n.last, StateHash: n.header.StateHash,
	}, nil
}

// Copy is a table that is to be made of a file.
type Copy struct {
	// Content is the file.
	Content []byte
	// Name of the table; empty for the file's.
	Name string
}

// Copied is a table that was made of a file, with its seats and their new tokens.
type Copied struct {
	Table     Table
	Seats     []*tablev1.Seat
	Tokens    []string // one for each seat
	StateHash string
}

// importTime is how long a file may take to be checked. An honest one takes
// seconds at most.
const importTime = time.Minute

// ImportTable makes a new table of a file. The admin may. Nothing is made unless
// the whole file is good.
func (h *Host) ImportTable(ctx context.Context, by Caller, n Copy) (Copied, error) {
	if !by.Admin {
		return Copied{}, &Refused{Refusal: notYours("").Say("admin_makes_tables")}
	}
	within, cancel := context.WithTimeoutCause(ctx, importTime, errTooLong)
	defer cancel()
	in, err := h.check(within, n)
	if err != nil {
		return Copied{}, err
	}
	return h.settle(ctx, in)
}

var errTooLong = errors.New("host: checking the file takes too long")

// incoming is a file that was read and is being checked.
type incoming struct {
	id     string // of the table to be
	name   string
	header *tablev1.ArchiveHeader
	game   *Game
	pack   string
	res    *resolve.Resolver
	trail  trail
	ids    map[string]string // of seats: the file's, and those that stand for them
	seats  []*tablev1.Seat
	seeds  []pastSeed
	log    []store.Commit
	grown  int // bytes since the state's size was looked at
}

// Bounds of what an honest log stays far below.
const (
	maxChanges   = 20_000  // in one commit
	maxState     = 4 << 20 // bytes
	maxPastSeats = 10_000
	lookEvery    = 1 << 20 // bytes of commits
	maxTimeMS    = 253402300799999
)

// badFile refuses a file.
func badFile(key string, params ...rule.Param) *Refused {
	return &Refused{Refusal: invalid("content").Say(key, params...)}
}

// unreadableFile refuses what cannot be read as a file of a table.
func unreadableFile(err error) *Refused {
	switch {
	case errors.Is(err, archive.ErrNotOurs):
		return badFile("file_not_ours")
	case errors.Is(err, archive.ErrFormat):
		return badFile("file_format")
	case errors.Is(err, archive.ErrTooLarge):
		return badFile("file_too_large")
	}
	return badFile("file_damaged")
}

// check reads a file to its end and plays it through. Whoever wrote it may mean
// harm: what he wrote folds into messages that the rules would never make, so a
// panic here is an answer.
func (h *Host) check(ctx context.Context, n Copy) (in *incoming, err error) {
	header, commits, err := archive.Read(n.Content)
	if err != nil {
		h.log.Info("a table's file was refused", "cause", err)
		return nil, unreadableFile(err)
	}
	in = &incoming{id: newID(), name: n.Name, header: header, ids: make(map[string]string)}
	if refusal := in.checkHeader(); refusal != nil {
		return nil, refusal
	}
	at := 0
	defer func() {
		if p := recover(); p != nil {
			h.log.Warn("a table's file was refused", "commit", at, "panic", p)
			in, err = nil, badFile("file_cannot_have_happened", rule.Number("commit", at))
		}
	}()
	for i, b := range commits {
		at = i + 1
		if ctx.Err() != nil {
			if errors.Is(context.Cause(ctx), errTooLong) {
				return nil, &Refused{Refusal: tooLarge("content").Say("file_takes_too_long")}
			}
			return nil, ctx.Err()
		}
		if err := in.commit(h, b); err != nil {
			return nil, err
		}
	}
	if hash := in.res.Hash(); hash != header.StateHash {
		return nil, badFile("file_hash")
	}
	if refused := in.rehearse(h); refused != nil {
		return nil, refused
	}
	return in, in.checkSeeds()
}

// checkHeader takes the name and the seats.
func (in *incoming) checkHeader() error {
	field := "name"
	if in.name == "" {
		in.name, field = in.header.Name, "content"
	}
	if refusal := checkName(field, in.name); refusal != nil {
		return &Refused{Refusal: refusal}
	}
	switch n := len(in.header.Seats); {
	case n > MaxSeats:
		return badFile("most_seats", rule.Number("most", MaxSeats))
	case len(in.header.WindowKey) != secretBytes:
		return badFile("file_window_key", rule.Number("bytes", len(in.header.WindowKey)))
	case in.header.CreateTimeMs < 0 || in.header.CreateTimeMs > maxTimeMS:
		return badFile("file_time", rule.Number("time", in.header.CreateTimeMs))
	}
	gm := false
	for _, s := range in.header.Seats {
		if s.Id == "" || in.ids[s.Id] != "" {
			return badFile("file_seat_id")
		}
		if refusal := checkName("content", s.Name); refusal != nil {
			return &Refused{Refusal: refusal}
		}
		gm = gm || s.Role == tablev1.SeatRole_SEAT_ROLE_GM
		switch s.Role {
		case tablev1.SeatRole_SEAT_ROLE_GM, tablev1.SeatRole_SEAT_ROLE_PLAYER, tablev1.SeatRole_SEAT_ROLE_OBSERVER:
		default:
			return badFile("file_seat_role")
		}
		for i, id := range s.Characters {
			if !goodID.MatchString(id) || slices.Contains(s.Characters[:i], id) || i >= MaxCharacters {
				return badFile("file_seat_characters")
			}
		}
		seat := proto.CloneOf(s)
		seat.Id = in.seat(s.Id)
		in.seats = append(in.seats, seat)
	}
	if !gm {
		return badFile("file_no_gm")
	}
	return nil
}

// seat is the id that stands for a seat or bridge of the file, also for one that is gone:
// ids of seats are unique over all tables, and the table may still be here.
func (in *incoming) seat(id string) string {
	if in.ids[id] == "" {
		in.ids[id] = newID()
	}
	return in.ids[id]
}

// commit takes the next commit. Its events stay the bytes that they are; only
// the seats that it names become the new ones.
func (in *incoming) commit(h *Host, b []byte) error {
	number := len(in.log) + 1
	c := &tablev1.Commit{}
	if err := proto.Unmarshal(b, c); err != nil {
		return badFile("file_commit_unreadable", rule.Number("commit", number))
	}
	create := c.Command.GetCreate()
	switch {
	case c.Command == nil || c.Visibility == nil || (create != nil) != (number == 1):
		return badFile("file_commit_misplaced", rule.Number("commit", number))
	case create != nil:
		if in.game = h.games[create.Ruleset]; in.game == nil {
			return badFile("file_ruleset", rule.Sent("ruleset", create.Ruleset))
		}
		if len(create.Pack) > 128 {
			return badFile("file_pack")
		}
		in.pack = create.Pack
		in.res = resolve.New(in.game.Rules, windowIDs(in.header.WindowKey))
	}
	events, err := resolve.Events(c)
	if err != nil {
		return badFile("file_commit_unreadable", rule.Number("commit", number))
	}
	changes := 0
	for _, e := range events {
		changes += 1 + len(e.Changes)
	}
	if changes > maxChanges {
		return badFile("file_commit_changes", rule.Number("commit", number))
	}
	if err := in.res.Load(c); err != nil {
		h.log.Info("a table's file was refused", "cause", err)
		return badFile("file_commit_broken", rule.Number("commit", number))
	}
	state := in.res.State()
	if len(state.Characters) > MaxCharacters {
		return badFile("file_commit_characters", rule.Number("commit", number), rule.Number("most", MaxCharacters))
	}
	if in.grown += len(b); in.grown > lookEvery || number == 1 {
		in.grown = 0
		if proto.Size(state) > maxState {
			return badFile("file_commit_state", rule.Number("commit", number))
		}
	}
	// Shown once to the GM, who is shown everything.
	m := &Moment{Table: in.id, Commit: c.Number, Told: in.trail.follow(c, events), Visibility: c.Visibility, names: namesOf(state)}
	look := &Look{Game: in.game, Table: in.id, keys: h.keys, tag: h.keys.tag(in.id), viewer: view.Viewer{Seat: "gm", GM: true}, lang: "en"}
	look.Events(m)

	if c.Command.Seat != "" {
		c.Command.Seat = in.seat(c.Command.Seat)
	}
	if c.Command.Via != "" {
		c.Command.Via = in.seat(c.Command.Via) // a bridge that is unknown here, or another one
	}
	for _, o := range c.Visibility.Owners {
		for i, s := range o.Seats {
			o.Seats[i] = in.seat(s)
		}
		slices.Sort(o.Seats)
	}
	if len(in.ids) > maxPastSeats {
		return badFile("file_commit_seats", rule.Number("commit", number))
	}
	bytes, err := proto.Marshal(c)
	if err != nil {
		return badFile("file_commit_unreadable", rule.Number("commit", number))
	}
	in.log = append(in.log, store.Commit{Number: c.Number, FirstEvent: c.FirstEvent, Events: len(events), Bytes: bytes})
	return nil
}

// rehearse looks at the table that the file makes as everybody at it will.
func (in *incoming) rehearse(h *Host) error {
	state := in.res.State()
	if !whole(state.ProtoReflect()) || proto.Size(state) > maxState {
		return badFile("file_state")
	}
	for _, o := range in.game.Rules.Options.InForce(state.Options) {
		if refusal := in.game.Rules.Options.Check(o.Key, o.Value); refusal != nil {
			return badFile("file_options", rule.Because("why", refusal.Detail))
		}
	}
	for _, c := range state.Characters {
		if !goodID.MatchString(c.Id) || len(c.Name) > 4*MaxName || strings.ContainsFunc(c.Name, profile.Unprintable) {
			return badFile("file_character", rule.Sent("character", c.Id))
		}
		if profile.Check(c.Profile, c.Notes) != nil {
			return badFile("file_character", rule.Sent("character", c.Id))
		}
	}
	t := &table{host: h, id: in.id, game: in.game, tag: h.keys.tag(in.id), stream: in.id, res: in.res, seats: in.seats}
	t.vis, t.names = stamp(in.game.Rules.Options, state, t.seats), namesOf(state)
	for _, seat := range in.seats {
		if refusal := checkPolicies(in.game.Rules, seat.Policies); refusal != nil {
			return badFile("file_policies", rule.Because("why", refusal.Detail))
		}
		s, refusal := t.seated(seat.Id, "content")
		if refusal != nil {
			return &Refused{Refusal: refusal}
		}
		view.Table(state, s.viewer, t.vis, t.seats)
		look, now := t.look(s, "en"), t.present()
		look.Prompts(now)
		look.offers(t.projected(s), now, "")
	}
	return nil
}

// whole reports whether no list of a message has an entry that is not there.
// Such entries cannot be sent, and no rule expects them.
func whole(m protoreflect.Message) bool {
	good := true
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil || fd.IsMap():
		case fd.IsList():
			for i := range v.List().Len() {
				one := v.List().Get(i).Message()
				good = good && one.IsValid() && whole(one)
			}
		default:
			good = v.Message().IsValid() && whole(v.Message())
		}
		return good
	})
	return good
}

// checkSeeds takes the seeds of secret dice, which must be those that the log is
// committed to.
func (in *incoming) checkSeeds() error {
	for _, s := range in.header.SecretSeeds {
		epochs := in.res.DiceEpochs()
		i := slices.IndexFunc(epochs, func(e *tablev1.DiceEpoch) bool { return e.Epoch == s.Epoch })
		if i < 0 || len(s.Seed) != secretBytes || !committed(epochs[i].SecretCommitment, dice.Secret, epochs[i], [32]byte(s.Seed)) {
			return badFile("file_seed", rule.Number("epoch", s.Epoch))
		}
		in.seeds = append(in.seeds, pastSeed{s.Epoch, s.Seed})
	}
	return nil
}

// beginDice has the table's dice begin anew. The seeds of the running epoch and of the
// next stay with the server that made the file: the table may go on there.
func (in *incoming) beginDice(k *diceKeys, now int64) error {
	c, err := in.res.RotateDice(resolve.Env{}, resolve.Rotation{
		LeftBehind: true, Commitments: k.commit(in.id, lastEpoch(in.res), 2),
	})
	if refusal := (*rule.Refusal)(nil); errors.As(err, &refusal) {
		return &Refused{Refusal: refusal, Game: in.game}
	}
	if err != nil {
		return err
	}
	c.Visibility, c.TimeMs = stamp(in.game.Rules.Options, in.res.State(), in.seats), now
	bytes, err := proto.Marshal(c)
	in.log = append(in.log, store.Commit{Number: c.Number, FirstEvent: c.FirstEvent, Events: int(in.res.Events() - c.FirstEvent + 1), Bytes: bytes})
	return err
}

// settle makes the table.
func (h *Host) settle(ctx context.Context, in *incoming) (Copied, error) {
	root, err := h.seed(ctx, in.id, randomSecret)
	if err != nil {
		return Copied{}, err
	}
	if err := in.beginDice(&diceKeys{root: root}, h.now().UnixMilli()); err != nil {
		return Copied{}, err
	}
	m := meta{WindowKey: in.header.WindowKey, Seeds: in.seeds}
	m.setOptions(in.res.State().Options)
	options, err := m.bytes()
	if err != nil {
		return Copied{}, err
	}
	row := store.Table{
		ID: in.id, Name: in.name, Ruleset: in.game.Rules.Name, Options: options, PackHash: in.pack,
		CreateTimeMS: in.header.CreateTimeMs,
	}
	out := Copied{Seats: in.seats, StateHash: in.res.Hash()}
	var seats []store.NewSeat
	for _, s := range in.seats {
		token := auth.NewToken(auth.KindSeat)
		out.Tokens = append(out.Tokens, token)
		row, err := rowOf(s)
		if err != nil {
			return Copied{}, err
		}
		row.TableID, row.CreateTimeMS = in.id, h.now().UnixMilli()
		seats = append(seats, store.NewSeat{Seat: row, Token: store.Hash(auth.HashToken(token))})
	}
	err = h.store.CreateTable(ctx, store.NewTable{
		Table: row, Seat: seats[0].Seat, Token: seats[0].Token, Seats: seats[1:], Commits: in.log,
	})
	if err != nil {
		return Copied{}, err
	}
	out.Table, err = h.tableOf(row)
	return out, err
}
