package scenario

import (
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Maker makes a ruleset by its name. pack has rows that replace or add to those
// of the ruleset's tables, by their ids: a YAML mapping of tables, each a list of
// rows; nil for none.
type Maker func(ruleset string, pack []byte) (*rule.Ruleset, error)

// Options of a run.
type Options struct {
	// Reload has every command run on a resolver that was just loaded from the
	// stored bytes of all earlier commits, also in the middle of a step, as after
	// a crash. Without it the log is loaded after each entry, and every other
	// entry goes on with what was loaded.
	Reload bool
	// Tried is called before each action that can be tried, to work out its odds; nil
	// for nobody to.
	Tried func(*Tried)
	// Tell is called after each command, in order; nil for nobody to tell.
	Tell func(*Told)
}

// Run plays a file. Failures are in the report; whatever the rules do, a panic
// included, the other cases are played.
func Run(f *File, maker Maker, o Options) *Report {
	r := &Report{File: f}
	for i, c := range f.Cases {
		s := &session{file: f, c: c, reload: o.Reload, tell: o.Tell, tried: o.Tried, report: &CaseReport{Case: c}}
		r.Cases = append(r.Cases, s.report)
		s.play(maker)
		if i == 0 && s.rules != nil {
			r.Rules = f.strange(s.rules)
		}
	}
	return r
}

// strange lists the rules of a file that the specification does not have. A ruleset
// without a specification has nothing to compare them with.
func (f *File) strange(rules *rule.Ruleset) []*Error {
	known, _ := Spec(rules.Markdown)
	if len(known) == 0 {
		return nil
	}
	ids := make([]string, len(known))
	for i, k := range known {
		ids[i] = k.ID
	}
	p := &problems{file: f.Name}
	for _, r := range f.rules {
		p.declared(r.line, "rule", r.name, ids)
	}
	return p.found
}

// session is the table of a case.
type session struct {
	file   *File
	c      *Case
	reload bool
	tell   func(*Told)
	tried  func(*Tried)
	report *CaseReport

	rules  *rule.Ruleset
	r      *resolve.Resolver
	log    [][]byte         // commits, as they would be stored
	events []*tablev1.Event // of all commits: the index is the sequence number less 1
	entry  *EntryReport     // at hand; nil before the first
}

// play makes the table and plays the entries until one cannot go on.
func (s *session) play(maker Maker) {
	defer func() {
		// The resolver guards what rules run; checks and offers are called bare, and
		// a mistake there must not take the other examples with it.
		if v := recover(); v != nil {
			s.fail(s.line(), "panic: %v\n%s", v, debug.Stack())
		}
	}()
	if !s.set(maker) {
		return
	}
	for i, e := range s.c.Play {
		s.entry = &EntryReport{Entry: e}
		s.report.Entries = append(s.report.Entries, s.entry)
		if !s.resolve(e) || !s.folds(e.Line, i%2 == 1) {
			return
		}
	}
	s.look()
}

// line is where the play stands.
func (s *session) line() int {
	if s.entry != nil {
		return s.entry.Entry.Line
	}
	return s.c.Line
}

// fail adds a failure. It returns false, for callers that stop.
func (s *session) fail(line int, format string, args ...any) bool {
	e := &Error{File: s.file.Name, Line: line, Text: fmt.Sprintf(format, args...)}
	if s.c.Name != "" {
		e.Text = "case " + s.c.Name + ": " + e.Text
	}
	if s.entry != nil {
		s.entry.Failures = append(s.entry.Failures, e)
	} else {
		s.report.Failures = append(s.report.Failures, e)
	}
	return false
}

// set makes the table as it is given, by commands as far as they go.
func (s *session) set(maker Maker) bool {
	rules, err := maker(s.file.Ruleset, s.c.given.pack)
	if err != nil {
		return s.fail(s.c.given.line, "ruleset %s: %v", s.file.Ruleset, err)
	}
	s.rules, s.r = rules, resolve.New(rules, ids)
	commit, err := s.r.Create(s.c.Options)
	if !s.made(s.c.Line, commit, err) {
		return false
	}
	p := &problems{file: s.file.Name}
	for i := range s.c.given.characters {
		c := &s.c.given.characters[i]
		sheet := p.sheetOf(c, rules)
		if len(p.found) > 0 {
			continue // the other sheets may have something wrong too
		}
		commit, err := s.r.AddCharacter(resolve.Env{Seat: gmSeat}, sheet)
		if !s.made(c.line, commit, err) {
			return false
		}
	}
	for _, e := range p.found {
		s.fail(e.Line, "%s", e.Text)
	}
	return len(p.found) == 0 && s.fixture() && s.folds(s.c.Line, true)
}

// fixture puts the table into the middle of an encounter or an exploration. Rounds of
// the table and of the encounter are the same here.
func (s *session) fixture() bool {
	var changes []*tablev1.Change
	if e := s.c.given.encounter; e != nil {
		changes = append(changes,
			rule.SetEncounter(e),
			rule.SetClock(typev1.Clock_CLOCK_ENCOUNTER, 1),
			rule.SetClock(typev1.Clock_CLOCK_ROUND, e.Round),
		)
	}
	changes = append(changes, s.explore()...)
	if !s.fixed(changes) {
		return false
	}
	if s.rules.Arrange == nil {
		return true
	}
	return s.fixed(s.rules.Arrange(&rule.View{State: s.r.State(), Options: s.rules.Options}))
}

// fixed makes changes that no rule made.
func (s *session) fixed(changes []*tablev1.Change) bool {
	if len(changes) == 0 {
		return true
	}
	commit, err := s.r.Fixture(changes...)
	return s.made(s.c.given.line, commit, err)
}

// made stores a commit of what is given.
func (s *session) made(line int, commit *tablev1.Commit, err error) bool {
	if err != nil {
		return s.fail(line, "the table cannot be made: %v", err)
	}
	_, ok := s.store(line, commit)
	return ok
}

// ids makes ids of prompts from where they were opened.
func ids(commit int64, run, n int32) string {
	return "p" + strconv.FormatInt(commit, 10) + "-" + strconv.Itoa(int(run)) + "-" + strconv.Itoa(int(n))
}

var gmSeat = rule.Seat{ID: GM, GM: true}

// seat is the seat that sends something: the one named, or the controller's of
// whoever acts. Each player's character has a seat of its own, named like it.
func (s *session) seat(line int, name, by string) (rule.Seat, bool) {
	if name == GM || name == "" && by == "" {
		return gmSeat, true
	}
	id := name
	if id == "" {
		id = by
	}
	c := table.Character(s.r.State(), id)
	if c.GetKind() == tablev1.CharacterKind_CHARACTER_KIND_PC {
		return rule.Seat{ID: id, Characters: []string{id}}, true
	}
	if name == "" {
		return gmSeat, true
	}
	return rule.Seat{}, s.fail(line, "%s is no player's character, so there is no such seat", id)
}
