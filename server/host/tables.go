package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// NewTable is a table that is to be made.
type NewTable struct {
	// Request identifies the request.
	Request Request
	// Name of the table.
	Name string
	// Ruleset is its rules' name.
	Ruleset string
	// Options that differ from their defaults.
	Options []*tablev1.Option
	// FixedDice makes a table whose dice are known: the same commands always
	// bring the same faces. It is for demonstrations; the API has no way to it,
	// and the table's name says it.
	FixedDice *FixedDice
}

// FixedDice are dice that are not random.
type FixedDice struct {
	// Label names them.
	Label string
	// Seed is what they are made from. It may not be zero.
	Seed [32]byte
}

// Table describes a table.
type Table struct {
	ID, Name, Ruleset string
	// Options are all with their values, sorted by key.
	Options []*tablev1.Option
	// PackHash is the hash of the pack's content, in hex.
	PackHash string
	// CreateTimeMS is when it was made, in milliseconds since 1970, UTC.
	CreateTimeMS int64
	// Paused is true while nobody may play.
	Paused bool
}

// Made is a new table with its GM's seat, token and pairing code.
type Made struct {
	Table Table
	Seat  *tablev1.Seat
	Token string
	Code  Code
}

// gmName is the name of a table's first seat.
const gmName = "GM"

// CreateTable makes a table and its GM's seat. The admin may.
func (h *Host) CreateTable(ctx context.Context, by Caller, n NewTable) (Made, error) {
	if !by.Admin {
		return Made{}, notYours("").Say("admin_makes_tables")
	}
	out, kept, err := onlyOnce(ctx, h, store.AdminScope, by, n.Request, func() (Made, error) { return h.createTable(ctx, by, n) })
	if err != nil || kept == nil {
		return out, err
	}
	return h.made(ctx, by, n, *kept)
}

// made is what was answered to a request that made a table.
func (h *Host) made(ctx context.Context, by Caller, n NewTable, kept record) (Made, error) {
	t, err := h.describe(ctx, kept.Table)
	if err != nil {
		return Made{}, err
	}
	seat := &tablev1.Seat{Id: kept.Seat, Name: gmName, Role: tablev1.SeatRole_SEAT_ROLE_GM}
	return Made{
		Table: t, Seat: seat, Token: h.keys.token(auth.KindSeat, store.AdminScope, by, n.Request),
		Code: h.keys.firstCode(store.AdminScope, by, n.Request, kept.Time),
	}, nil
}

func (h *Host) createTable(ctx context.Context, by Caller, n NewTable) (Made, error) {
	game, refusal := h.checkTable(n)
	if refusal != nil {
		return Made{}, &Refused{Refusal: refusal, Game: game}
	}
	now := h.now().UnixMilli()
	id, name := newID(), n.Name
	generate, stream := randomSecret, id
	if n.FixedDice != nil {
		name += " (fixed dice: " + n.FixedDice.Label + ")"
		generate, stream = func() []byte { return slices.Clone(n.FixedDice.Seed[:]) }, n.FixedDice.Label
	}
	root, err := h.seed(ctx, id, generate)
	if err != nil {
		return Made{}, err
	}
	row := store.Seat{ID: newID(), TableID: id, Name: gmName, Role: int32(tablev1.SeatRole_SEAT_ROLE_GM), CreateTimeMS: now}
	seat := &tablev1.Seat{Id: row.ID, Name: gmName, Role: tablev1.SeatRole_SEAT_ROLE_GM}
	first, err := h.firstCommit(game, id, now, n, seat, (&diceKeys{root: root}).commit(stream, 0, 2))
	if err != nil {
		return Made{}, err
	}
	m, err := newMeta(n.Options, n.FixedDice).bytes()
	if err != nil {
		return Made{}, err
	}
	token := h.keys.token(auth.KindSeat, store.AdminScope, by, n.Request)
	code := h.keys.firstCode(store.AdminScope, by, n.Request, now)
	request, err := n.Request.entry(by, record{Table: id, Seat: seat.Id, Time: now}, now)
	if err != nil {
		return Made{}, err
	}
	made := store.Table{ID: id, Name: name, Ruleset: game.Rules.Name, Options: m, PackHash: game.Rules.Pack.Hash, CreateTimeMS: now}
	err = h.store.CreateTable(ctx, store.NewTable{
		Table: made, Seat: row, Token: store.Hash(auth.HashToken(token)), Pairing: h.keys.pairing(code, false),
		Commits: []store.Commit{first}, Request: request,
	})
	if err != nil {
		return Made{}, err
	}
	t, err := h.tableOf(made)
	return Made{Table: t, Seat: seat, Token: token, Code: code}, err
}

func (h *Host) checkTable(n NewTable) (*Game, *rule.Refusal) {
	if refusal := checkName("name", n.Name); refusal != nil {
		return nil, refusal
	}
	game := h.games[n.Ruleset]
	if game == nil {
		var names []string
		for _, g := range h.Games() {
			names = append(names, g.Rules.Name)
		}
		return nil, notFound("ruleset").Suggest(n.Ruleset, names)
	}
	return game, checkOptions(game.Rules.Options, n.Options)
}

// firstCommit begins a table's log.
func (h *Host) firstCommit(game *Game, id string, now int64, n NewTable, gm *tablev1.Seat, epochs []*tablev1.DiceEpoch) (store.Commit, error) {
	res := resolve.New(game.Rules, windowIDs(h.keys.windowKey(id)))
	c, err := res.Create(n.Options, epochs...)
	if err != nil {
		return store.Commit{}, err
	}
	c.Visibility, c.TimeMs = stamp(game.Rules.Options, res.State(), []*tablev1.Seat{gm}), now
	bytes, err := proto.Marshal(c)
	return store.Commit{Number: c.Number, FirstEvent: c.FirstEvent, Events: int(res.Events()), Bytes: bytes}, err
}

// Table describes a table. store.ErrNotFound if there is none; that a seat is one
// of it is for the caller of this method to know.
func (h *Host) Table(ctx context.Context, by Caller) (Table, error) {
	if by.Via != "" {
		_, err := ask(ctx, h, by.Table, func(t *table) (struct{}, error) {
			if refusal := t.attend(by); refusal != nil {
				return struct{}{}, refusal
			}
			return struct{}{}, nil
		})
		if err != nil {
			return Table{}, err
		}
	}
	return h.describe(ctx, by.Table)
}

func (h *Host) describe(ctx context.Context, id string) (Table, error) {
	row, err := h.store.Table(ctx, id)
	if err != nil {
		return Table{}, err
	}
	return h.tableOf(row)
}

// Tables lists a page of the tables that the caller may know, newest first, and
// the token of the next page.
func (h *Host) Tables(ctx context.Context, by Caller, size int, token string) ([]Table, string, error) {
	after, ok := h.keys.page(tablesKind, token)
	if !ok {
		return nil, "", badPage()
	}
	page := store.Page{After: after, Limit: size}
	rows, next, err := []store.Table(nil), store.Position(0), error(nil)
	if by.Admin {
		rows, next, err = h.store.Tables(ctx, page)
	} else {
		var ids []string
		if ids, err = h.known(ctx, by); err != nil {
			return nil, "", err
		}
		rows, next, err = h.store.TablesByID(ctx, ids, page)
	}
	if err != nil {
		return nil, "", err
	}
	out := make([]Table, len(rows))
	for i, row := range rows {
		if out[i], err = h.tableOf(row); err != nil {
			return nil, "", err
		}
	}
	return out, h.keys.pageToken(tablesKind, next), nil
}

// known are the tables that a seat or a bridge may know: a seat's own, for a
// bridge that names no seat those that admit it.
func (h *Host) known(ctx context.Context, by Caller) ([]string, error) {
	if by.Via == "" {
		return []string{by.Table}, nil
	}
	if by.Seat == "" {
		return h.store.AdmittedTables(ctx, by.Via)
	}
	all, _, err := h.Represented(ctx, by, []string{by.Seat})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, notRepresented()
	}
	return []string{all[0].Table}, nil
}

func (h *Host) tableOf(row store.Table) (Table, error) {
	m, err := readMeta(row.Options)
	if err != nil {
		return Table{}, err
	}
	t := Table{
		ID: row.ID, Name: row.Name, Ruleset: row.Ruleset, Options: m.set(), PackHash: row.PackHash, CreateTimeMS: row.CreateTimeMS,
	}
	if game := h.games[row.Ruleset]; game != nil {
		t.Paused = game.Rules.Options.Value(t.Options, rule.Paused) == "true"
		t.Options = game.Rules.Options.InForce(t.Options)
	}
	return t, nil
}
