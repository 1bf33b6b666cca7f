package rule

import (
	"embed"
	"fmt"
	"io/fs"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Ruleset is what a ruleset registers: all that the engine, the server and the
// command line need to know of it.
type Ruleset struct {
	// Name, for example "coc". Its reasons have the domain "hantei/coc".
	Name string
	// Prefix of its rule ids, for example "COC-".
	Prefix string
	// Markdown is RULES.md, the specification that is kept with the code.
	Markdown string
	// Coded are the ids of the rules that have code, sorted.
	Coded []string
	// Locale holds ja.yaml and en.yaml.
	Locale fs.FS
	// Examples holds the scenario files of the specification's worked examples.
	Examples fs.FS
	// Demo holds scene.yaml, a scenario file that shows the rules at play, and in
	// locale the texts with which it is told; nil for none.
	Demo fs.FS
	// Options are its switches and the core's.
	Options *Options
	// Pack that it was made with.
	Pack Pack
	// Sheet describes stats, resources and statuses, in the order of the sheet.
	Sheet Sheet
	// Samples are the pack's characters.
	Samples []Sample
	// FromSample makes the sheet of a sample; the id and name are the caller's to change.
	FromSample func(sample string) (*tablev1.Character, *Refusal)
	// FromSheet completes and checks a sheet that a client sends.
	FromSheet func(sheet *tablev1.SheetInput) (*tablev1.Character, *Refusal)
	// FromDraft makes the sheet that the making of a character begins with; nil where
	// the ruleset has no actions for it.
	FromDraft func() *tablev1.Character
	// Revise writes into a sheet what a client sends of stats, resources, gear and
	// details, and what follows from it by the rules; the caller sees to the rest.
	// The sheet is a copy of one that is at the table: what has happened to it stays.
	// On a refusal it is dropped.
	Revise func(sheet *tablev1.Character, u *tablev1.UpdateSheet) *Refusal
	// Foreign reads and writes the sheets of other tools; nil where the ruleset does not.
	Foreign *Foreign
	// Marks are the kinds of what can lie on the squares of a dungeon; none where the
	// ruleset explores none.
	Marks []Mark
	// Arrange are the writes that a dungeon and details of the table bring with them
	// that a scenario gives: what follows from them by the rules. Nil for none.
	Arrange func(v *View) []*tablev1.Change
	// Grades are the words for how well a roll went, the best first.
	Grades []Grade
	// History reports whether a piece of the details is history: no step of the agenda
	// reads it, so that odds need not tell states apart by it. Nil for none.
	History func(p *tablev1.Part) bool
	// Override is what it has to say on the core lever of that name.
	Override Override
	// PublicName reports whether an event is told even when all in it is hidden.
	PublicName func(name string) bool

	actions []*ActionInfo
	byType  map[protoreflect.FullName]*ActionInfo
	prompts []*PromptInfo
	steps   map[protoreflect.FullName]func(*Ctx, string, proto.Message)
}

// Folder is a folder of embedded files.
func Folder(files embed.FS, dir string) fs.FS {
	out, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // The folder is embedded.
	}
	return out
}

// Pack is the identity of a ruleset's tables.
type Pack struct {
	// Name of the pack.
	Name string
	// Hash is the SHA-256 of its content, in hex.
	Hash string
	// Tables are the names of its tables.
	Tables []string
}

// Sheet describes what a sheet shows.
type Sheet struct {
	Stats    []Stat
	Statuses []Status
	// Gear is what can be carried, and GearPath the field of the ruleset's details
	// that has the ids of what is, for example "weapons.id".
	Gear     []Gear
	GearPath string
	// Rows are the ids that fields of the details can have, by the field's path: they
	// are words of the locale.
	Rows map[string][]string
}

// Gear is a row of the pack that can be carried.
type Gear struct {
	ID string
	// Natural is true if whoever has it has it by nature.
	Natural bool
}

// Stat describes a stat or a resource.
type Stat struct {
	// Key of it, and the group that it stands in.
	Key, Group string
	// Resource is true for a number that is spent, shown with a bar.
	Resource bool
	// Tags are words that modifiers refer to.
	Tags []string
	// Speciality is true for a skill that is learned by speciality.
	Speciality bool
}

// Status describes a status: its key and the word of its icon.
type Status struct {
	Key, Icon string
	// Audience is who may see that somebody has it; unspecified for everybody.
	Audience typev1.Audience
}

// StatusAudience is who may see a status: everybody unless the sheet says otherwise.
func (s *Sheet) StatusAudience(key string) typev1.Audience {
	for _, st := range s.Statuses {
		if st.Key == key && st.Audience != 0 {
			return st.Audience
		}
	}
	return Public
}

// Mark is a kind of what can lie on a square of a dungeon: its word, and the word of
// its icon.
type Mark struct{ Kind, Icon string }

// Grade is a word for how well a roll went. Nothing in the engine decides by it: it
// is told to clients, which know no ruleset.
type Grade struct {
	Word string
	Rank Rank
}

// Rank is how good a grade is.
type Rank int

const (
	// Triumph is as well as can be.
	Triumph Rank = iota + 1
	// Success is well.
	Success
	// Failure is not well.
	Failure
	// Disaster is as badly as can be.
	Disaster
)

// Sample is a character of the pack.
type Sample struct {
	ID  string
	NPC bool
}

// ActionInfo is a registered action.
type ActionInfo struct {
	// Name is the member of the action's oneof, for example "attack".
	Name string
	// Rule is the chief rule.
	Rule string
	// Group is the part of a list of actions that it stands in, for example "combat".
	Group string
	// GM is true if only the GM may send it.
	GM bool
	// Lever is true if it is taken while a step waits.
	Lever bool
	// Table is true if no character acts.
	Table bool
	// Secret is true if what it brings can be kept to the owner or the GM.
	Secret bool
	// Cancels is true if it ends the step that waits.
	Cancels bool
	// NoOdds is true if its odds would tell nothing: each way it can come out is as
	// good as any other, and there are too many.
	NoOdds bool

	offers func(v *View, by string) []*tablev1.Offer
	valid  func(v *View, by string, m proto.Message) *Refusal
	run    func(c *Ctx, by string, m proto.Message)
}

// PromptInfo is a registered prompt.
type PromptInfo struct {
	// Name is the member of the answer's oneof, for example "defend".
	Name string

	valid  func(v *View, w *tablev1.Window, character string, m proto.Message) *Refusal
	settle func(c *Ctx, w *tablev1.Window, m proto.Message)
}

// Action is one kind of action, M its message.
type Action[M proto.Message] struct {
	// Rule, Group, GM, Lever, Table, Secret, Cancels and NoOdds are as in ActionInfo.
	Rule, Group                               string
	GM, Lever, Table, Secret, Cancels, NoOdds bool
	// Offers lists what a character could declare now, possible or not; nil for
	// an action that is only sent typed.
	Offers func(v *View, by string) []*tablev1.Offer
	// Valid refuses what is refused before the first die, in the order of the
	// specification; nil refuses nothing.
	Valid func(v *View, by string, m M) *Refusal
	// Run resolves it. What Valid refuses never comes here.
	Run func(c *Ctx, by string, m M)
}

// Register adds an action to a ruleset.
func Register[M proto.Message](r *Ruleset, a Action[M]) {
	var zero M
	d := zero.ProtoReflect().Descriptor()
	info := &ActionInfo{
		Name: memberName(wrap[*tablev1.Action](zero.ProtoReflect().New().Interface())),
		Rule: a.Rule, Group: a.Group, GM: a.GM, Lever: a.Lever, Table: a.Table, Secret: a.Secret, Cancels: a.Cancels, NoOdds: a.NoOdds,
		offers: a.Offers,
		valid: func(v *View, by string, m proto.Message) *Refusal {
			if a.Valid == nil {
				return nil
			}
			return a.Valid(v, by, m.(M))
		},
		run: func(c *Ctx, by string, m proto.Message) { a.Run(c, by, m.(M)) },
	}
	if r.byType == nil {
		r.byType = make(map[protoreflect.FullName]*ActionInfo)
	}
	if r.byType[d.FullName()] != nil {
		panic(fmt.Sprintf("rule: action %s is registered twice", d.FullName()))
	}
	r.byType[d.FullName()] = info
	r.actions = append(r.actions, info)
}

// Prompt is one kind of prompt, A its answer.
type Prompt[A proto.Message] struct {
	// Valid refuses an answer, in the order of the specification. It is called
	// for characters without a slot and for closed windows too.
	Valid func(v *View, w *tablev1.Window, character string, a A) *Refusal
	// Settle resolves the answer of a standing prompt; nil for the others.
	Settle func(c *Ctx, w *tablev1.Window, a A)
}

// RegisterPrompt adds a prompt to a ruleset.
func RegisterPrompt[A proto.Message](r *Ruleset, p Prompt[A]) {
	var zero A
	name := memberName(wrap[*tablev1.Answer](zero.ProtoReflect().New().Interface()))
	info := &PromptInfo{
		Name: name,
		valid: func(v *View, w *tablev1.Window, character string, m proto.Message) *Refusal {
			if p.Valid == nil {
				return nil
			}
			return p.Valid(v, w, character, m.(A))
		},
	}
	if p.Settle != nil {
		info.settle = func(c *Ctx, w *tablev1.Window, m proto.Message) { p.Settle(c, w, m.(A)) }
	}
	r.prompts = append(r.prompts, info)
}

// RegisterStep adds a step of the agenda to a ruleset.
func RegisterStep[S proto.Message](r *Ruleset, run func(c *Ctx, actor string, s S)) {
	var zero S
	if r.steps == nil {
		r.steps = make(map[protoreflect.FullName]func(*Ctx, string, proto.Message))
	}
	r.steps[zero.ProtoReflect().Descriptor().FullName()] = func(c *Ctx, actor string, m proto.Message) { run(c, actor, m.(S)) }
}

// Actions lists the registered actions in the order of registration.
func (r *Ruleset) Actions() []*ActionInfo { return r.actions }

// Action finds the registered action of a message, and the message itself; nil
// if the ruleset does not take it.
func (r *Ruleset) Action(a *tablev1.Action) (*ActionInfo, proto.Message) {
	m, _ := Unwrap(a)
	if m == nil {
		return nil, nil
	}
	return r.byType[m.ProtoReflect().Descriptor().FullName()], m
}

// Prompts lists the registered prompts in the order of registration.
func (r *Ruleset) Prompts() []*PromptInfo { return r.prompts }

// Prompt finds a registered prompt by its name, or nil.
func (r *Ruleset) Prompt(name string) *PromptInfo {
	for _, p := range r.prompts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Valid refuses an action that cannot be declared now.
func (a *ActionInfo) Valid(v *View, by string, m proto.Message) *Refusal { return a.valid(v, by, m) }

// Run resolves an action.
func (a *ActionInfo) Run(c *Ctx, by string, m proto.Message) { a.run(c, by, m) }

// Offers lists what a character could declare now.
func (a *ActionInfo) Offers(v *View, by string) []*tablev1.Offer {
	if a.offers == nil {
		return nil
	}
	return a.offers(v, by)
}

// Valid refuses an answer; m is the ruleset's own message.
func (p *PromptInfo) Valid(v *View, w *tablev1.Window, character string, m proto.Message) *Refusal {
	return p.valid(v, w, character, m)
}

// Settle resolves the answer of a standing prompt.
func (p *PromptInfo) Settle(c *Ctx, w *tablev1.Window, m proto.Message) {
	if p.settle == nil {
		panic("rule: prompt " + p.Name + " is not standing")
	}
	p.settle(c, w, m)
}

// memberName is the name of the innermost oneof member of a shell.
func memberName(shell proto.Message) string {
	_, path := Unwrap(shell)
	return path[len(path)-1]
}

// Unpack takes an answer's own message out of its shells. It panics if the
// answer is another prompt's: Answer has checked it.
func Unpack[A proto.Message](a *tablev1.Answered) A {
	m, _ := Unwrap(a.GetAnswer())
	return m.(A)
}
