// Package persona is the ruleset persona: Call of Cthulhu with Personas, dungeon
// exploration. RULES.md is its specification; each rule's id stands where its code is.
package persona

import (
	"embed"
	"slices"

	_ "embed" // RULES.md

	"github.com/hantei/hantei/engine/pack"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

//go:embed RULES.md
var markdown string

//go:embed locale/*.yaml
var locales embed.FS

//go:embed testdata/*.yaml
var examples embed.FS

//go:embed demo
var demo embed.FS

// game is the ruleset with the pack that it plays with.
type game struct {
	pack *tables
	// dungeons are the tables of the pack that dungeons are made with.
	dungeons *dungeon.Tables
	// layout is that of the sheet.
	layout rule.Sheet
	// rules are what is registered.
	rules *rule.Ruleset
	// triggers are what can go off where somebody arrives, in the order of PER-MOVE-02.
	triggers []trigger
}

// New makes the ruleset with a pack. It returns all that is wrong with the pack as
// pack.Errors.
func New(files []pack.File) (*rule.Ruleset, error) {
	t, errs := load(files)
	if len(errs) > 0 {
		return nil, errs
	}
	g := &game{pack: t, dungeons: dungeonTables(t)}
	g.layout = g.sheet()
	r := &rule.Ruleset{
		Name: "persona", Prefix: "PER-", Markdown: markdown, Coded: coded(),
		Locale: rule.Folder(locales, "locale"), Examples: rule.Folder(examples, "testdata"), Demo: rule.Folder(demo, "demo"),
		Options: rule.NewOptions(options), Pack: t.id,
		Sheet: g.layout, Samples: g.samples(),
		FromSample: g.fromSample, FromSheet: g.fromSheet, Revise: g.revise,
		PublicName: publicName, Arrange: g.arrange,
		Marks:  marks,
		Grades: []rule.Grade{{Word: successWord(true), Rank: rule.Success}, {Word: successWord(false), Rank: rule.Failure}},
	}
	g.rules = r
	g.triggers = []trigger{g.trapTrigger(), g.enemyTrigger(), g.eventTrigger(), g.warpTrigger()}
	g.registerExploration(r)
	g.registerMovement(r)
	g.registerSearch(r)
	g.registerAction(r)
	g.registerSkills(r)
	g.registerItems(r)
	g.registerChange(r)
	g.registerWait(r)
	g.registerBattle(r)
	g.registerReaper(r)
	g.registerGoods(r)
	g.registerDungeon(r)
	g.registerSession(r)
	g.registerGM(r)
	rule.RegisterLevers(r)
	return r, nil
}

// marks are the kinds of what can lie on squares.
var marks = []rule.Mark{
	{Kind: kindStairs, Icon: "stairs"}, {Kind: kindWarp, Icon: "portal"}, {Kind: kindItem, Icon: "chest"},
	{Kind: kindEnemy, Icon: "enemy"}, {Kind: kindTrap, Icon: "trap"}, {Kind: kindEvent, Icon: "event"},
	{Kind: kindReaper, Icon: "hunter"},
}

// coded are the rules that have code: each subject lists its own; a test compares
// them with the code.
func coded() []string {
	out := slices.Concat(codedChecks, codedExploration, codedMovement, codedKnowledge, codedSearch, codedAction, codedSkills, codedItems,
		codedChange, codedWait, codedBattle, codedReaper, codedGoods, codedDungeon, codedSession, codedGM)
	slices.Sort(out)
	return slices.Compact(out)
}

// Groups of actions. They are listed in the order in which their first actions are
// registered.
const (
	groupTurn    = "turn"
	groupGoods   = "goods"
	groupDungeon = "dungeon"
	groupSession = "session"
	groupRulings = "rulings"
)

// publicName reports whether an event is told, to whom its own audience lets know of
// it, whatever of its content is hidden (Who sees what).
func publicName(name string) bool {
	switch name {
	case hpChanged.String(), mpChanged.String(), maccaChanged.String(), itemGained.String(), itemLost.String(),
		itemEquipped.String(), statusGained.String(), statusLost.String(), rewardsPending.String(), rewardsPaid.String(),
		gmOverride.String():
		return false
	}
	return ownNames[name]
}

// ownNames are the names that the ruleset declares.
var ownNames = func() map[string]bool {
	values := personav1.EventName(0).Descriptor().Values()
	own := make(map[string]bool, values.Len())
	for i := range values.Len() {
		own[rule.Name(personav1.EventName(values.Get(i).Number())).String()] = true
	}
	return own
}()

// codedChecks are the rules of checks that have code.
var codedChecks = []string{"PER-CHK-01", "PER-CHK-02", "PER-CHK-03", "PER-CHK-04", "PER-CHK-05"}
