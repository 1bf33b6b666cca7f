package persona

import (
	"embed"
	"slices"

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/rule"
)

//go:embed packs/*.yaml
var defaultPack embed.FS

// tableNames are the tables of a pack, in the order of its hash.
var tableNames = []string{
	"moon.yaml", "weather.yaml", "items.yaml", "base_db.yaml", "db_by_stat.yaml", "traps.yaml", "enemies.yaml", "skills.yaml", "samples.yaml",
}

// tables are a pack, ready for use (section 6 of the specification).
type tables struct {
	id       rule.Pack
	moons    []*moonRow
	weathers []*weatherRow
	items    []*itemRow
	// baseDB are the dice of enemies by level, dbByStat those of Personas by strength
	// or magic, each from a value on.
	baseDB, dbByStat []*diceRow
	traps            []*trapRow
	enemies          []*enemyRow
	skills           []*skillRow
	samples          []*sampleRow
}

func (t *tables) moon(id string) *moonRow       { return rowOf(t.moons, id) }
func (t *tables) weather(id string) *weatherRow { return rowOf(t.weathers, id) }
func (t *tables) item(id string) *itemRow       { return rowOf(t.items, id) }
func (t *tables) trap(id string) *trapRow       { return rowOf(t.traps, id) }
func (t *tables) enemy(id string) *enemyRow     { return rowOf(t.enemies, id) }
func (t *tables) skill(id string) *skillRow     { return rowOf(t.skills, id) }
func (t *tables) sample(id string) *sampleRow   { return rowOf(t.samples, id) }

// named is a row of a table.
type named interface{ key() string }

// rowOf finds a row, or returns nil.
func rowOf[R named](rows []R, id string) R {
	var none R
	for _, r := range rows {
		if r.key() == id {
			return r
		}
	}
	return none
}

// idsOf lists the ids of a table.
func idsOf[R named](rows []R) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.key()
	}
	return out
}

// DefaultPack returns the files of the pack that comes with the ruleset.
func DefaultPack() []pack.File { return pack.Embedded(rule.Folder(defaultPack, "packs"), tableNames) }

// load reads a pack and checks that its tables fit each other. It returns all
// errors at once.
func load(files []pack.File) (*tables, pack.Errors) {
	l := &loader{}
	l.byName, l.errs = pack.ByName(files, tableNames)
	t := &tables{}
	t.moons = read(l, "moon.yaml", (*moonRow).check)
	t.weathers = read(l, "weather.yaml", (*weatherRow).check)
	t.items = read(l, "items.yaml", (*itemRow).check)
	t.baseDB = read(l, "base_db.yaml", (*diceRow).check)
	t.dbByStat = read(l, "db_by_stat.yaml", (*diceRow).check)
	t.traps = read(l, "traps.yaml", (*trapRow).check)
	t.enemies = read(l, "enemies.yaml", (*enemyRow).check)
	t.skills = read(l, "skills.yaml", (*skillRow).check)
	t.samples = read(l, "samples.yaml", func(r *sampleRow) []string { return r.check(t) })
	l.needed(t)
	if len(l.errs) > 0 {
		return nil, l.errs
	}
	t.id = rule.Pack{Name: "default", Hash: pack.Hash(files), Tables: tableNames}
	return t, nil
}

// loader gathers all that is wrong with a pack.
type loader struct {
	byName map[string]pack.File
	errs   pack.Errors
}

// row is a row of a table by pointer.
type row[T any] interface {
	*T
	named
}

// read reads a table; check says what is wrong with a row.
func read[T any, R row[T]](l *loader, file string, check func(R) []string) []R {
	rows, errs := pack.Rows[T](l.byName[file])
	l.errs = append(l.errs, errs...)
	l.errs = append(l.errs, pack.Unique(rows, func(r T) string { return R(&r).key() })...)
	var out []R
	for i := range rows {
		r := R(&rows[i].Value)
		if n := len(r.key()); n < 1 || n > 24 {
			l.errs = append(l.errs, rows[i].Error("an id has 1 to 24 characters"))
		}
		for _, wrong := range check(r) {
			l.errs = append(l.errs, rows[i].Error(wrong))
		}
		out = append(out, r)
	}
	return out
}

// needed are the rows that the rules themselves name: every phase of the moon and
// weather, and what a generated dungeon cannot do without (PER-GEN-04).
func (l *loader) needed(t *tables) {
	lacks := func(file, what string, ok bool) {
		if !ok {
			l.errs = append(l.errs, &pack.Error{File: file, Message: "the rules need " + what})
		}
	}
	for _, id := range moonWords {
		lacks("moon.yaml", "the phase "+id, t.moon(id) != nil)
	}
	for _, id := range weatherWords {
		lacks("weather.yaml", "the weather "+id, t.weather(id) != nil)
	}
	lacks("base_db.yaml", "a row from 1 on, and the others in rising order", rising(t.baseDB))
	lacks("db_by_stat.yaml", "a row from 1 on, and the others in rising order", rising(t.dbByStat))
	lacks("enemies.yaml", "an enemy of min_level 1", slices.ContainsFunc(t.enemies, func(r *enemyRow) bool { return r.MinLevel <= 1 }))
	lacks("items.yaml", "an item without a rank, or of rank 0", slices.ContainsFunc(t.items, func(r *itemRow) bool { return r.rank() == 0 }))
	lacks("traps.yaml", "a trap", len(t.traps) > 0)
}

// rising reports whether rows begin at 1 and rise.
func rising(rows []*diceRow) bool {
	for i, r := range rows {
		if i == 0 && r.From != 1 || i > 0 && r.From <= rows[i-1].From {
			return false
		}
	}
	return len(rows) > 0
}
