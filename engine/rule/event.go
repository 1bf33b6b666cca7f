package rule

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Audiences, in the short words of the specifications.
const (
	Public = typev1.Audience_AUDIENCE_PUBLIC
	Owner  = typev1.Audience_AUDIENCE_OWNER
	Asked  = typev1.Audience_AUDIENCE_ASKED
	GM     = typev1.Audience_AUDIENCE_GM
	HP     = typev1.Audience_AUDIENCE_HP
	Values = typev1.Audience_AUDIENCE_VALUES
	Dice   = typev1.Audience_AUDIENCE_DICE
	Mind   = typev1.Audience_AUDIENCE_MIND
)

// Event is an event in the making. Emit sends it off.
type Event struct {
	m *tablev1.Event
	// bare is the room of an event under an oracle: who, whom, public words and changes
	// are all that is kept. Else nil.
	bare *bareRoom
}

// An event and its usual rows are made with one allocation each: events are most
// of what an exchange costs.
type (
	eventRoom struct {
		e       Event
		m       tablev1.Event
		facts   [6]*typev1.Fact
		changes [3]*tablev1.Change
		targets [1]string
	}
	numberRoom struct {
		f typev1.Fact
		n int32
	}
	wordRoom struct {
		f typev1.Fact
		w [1]string
	}
)

// NewEvent begins an event that follows from a rule. It is public until narrowed.
func NewEvent(name EventName, id, actor string) *Event {
	x := &eventRoom{}
	x.e.m = &x.m
	x.m.Name, x.m.Rule, x.m.Actor, x.m.Audience = name.name, id, actor, Public
	x.m.Facts, x.m.Changes, x.m.Targets = x.facts[:0], x.changes[:0], x.targets[:0]
	return &x.e
}

// Bare is room for the bare events of one run, to be used again by the next one. An
// oracle keeps nothing of an event once it was emitted but the changes.
type Bare struct {
	rooms []*bareRoom
	used  int
}

// bareRoom is an event with what a bare one mostly has.
type bareRoom struct {
	e       Event
	m       tablev1.Event
	changes [3]*tablev1.Change
	targets [2]string
	facts   [4]*typev1.Fact
	words   [4]wordRoom
}

// Reuse has the rooms used from the first one on again.
func (b *Bare) Reuse() { b.used = 0 }

func (b *Bare) event(name EventName, id, actor string) *Event {
	if b.used == len(b.rooms) {
		b.rooms = append(b.rooms, &bareRoom{})
	}
	x := b.rooms[b.used]
	b.used++
	x.e.m, x.e.bare = &x.m, x
	x.m.Name, x.m.Rule, x.m.Actor, x.m.Audience, x.m.Cause = name.name, id, actor, Public, 0
	x.m.Changes, x.m.Targets, x.m.Facts = x.changes[:0], x.targets[:0], x.facts[:0]
	return &x.e
}

// fact is room for the next fact of words.
func (x *bareRoom) fact() *wordRoom {
	if n := len(x.m.Facts); n < len(x.words) {
		x.words[n].f.Of = ""
		return &x.words[n]
	}
	return &wordRoom{}
}

// Message is the event as it will be stored.
func (e *Event) Message() *tablev1.Event { return e.m }

// WordFact makes a fact of one word, for the windows that questions are asked in.
func WordFact(key FactKey, of string, a typev1.Audience, word string) *typev1.Fact {
	x := &wordRoom{w: [1]string{word}}
	x.f.Key, x.f.Of, x.f.Audience, x.f.Words = key.name, of, a, x.w[:]
	return &x.f
}

// Told reports whether it will be told. Of odds it is not: what is worked out for the
// telling alone need not be then.
func (e *Event) Told() bool { return e.bare == nil }

// On names whom it befalls.
func (e *Event) On(targets ...string) *Event {
	e.m.Targets = append(e.m.Targets, targets...)
	return e
}

// For narrows who may know that it happened at all.
func (e *Event) For(a typev1.Audience) *Event {
	if a != typev1.Audience_AUDIENCE_UNSPECIFIED {
		e.m.Audience = a
	}
	return e
}

// Number tells a number: whose it is ("" for the actor's), and who may see it.
func (e *Event) Number(key FactKey, of string, a typev1.Audience, n int32) *Event {
	key.must(typev1.FactType_FACT_TYPE_NUMBER)
	if e.bare != nil {
		return e
	}
	x := &numberRoom{n: n}
	x.f.Key, x.f.Of, x.f.Audience, x.f.Number = key.name, of, a, &x.n
	e.m.Facts = append(e.m.Facts, &x.f)
	return e
}

// Die tells what a die shows: whose it is ("" for the actor's), and who may see it.
func (e *Event) Die(key FactKey, of string, a typev1.Audience, d Die) *Event {
	if e.bare != nil {
		return e // it stays open
	}
	return e.Number(key, of, a, d.Face())
}

// Words tells words: whose they are, and who may see them.
func (e *Event) Words(key FactKey, of string, a typev1.Audience, words ...string) *Event {
	key.must(typev1.FactType_FACT_TYPE_WORDS)
	var x *wordRoom
	switch {
	case e.bare == nil:
		x = &wordRoom{}
	case a != Public:
		return e
	default:
		x = e.bare.fact()
	}
	x.f.Key, x.f.Of, x.f.Audience, x.f.Words = key.name, of, a, append(x.w[:0], words...)
	e.m.Facts = append(e.m.Facts, &x.f)
	return e
}

// Squares tells squares: whose they are, and who may see them.
func (e *Event) Squares(key FactKey, of string, a typev1.Audience, squares ...*typev1.Square) *Event {
	key.must(typev1.FactType_FACT_TYPE_SQUARES)
	if e.bare != nil {
		return e
	}
	e.m.Facts = append(e.m.Facts, &typev1.Fact{Key: key.name, Of: of, Audience: a, Squares: squares})
	return e
}

// Characters tells characters: whose fact it is, and who may see it.
func (e *Event) Characters(key FactKey, of string, a typev1.Audience, ids ...string) *Event {
	key.must(typev1.FactType_FACT_TYPE_CHARACTERS)
	if e.bare != nil {
		return e
	}
	e.m.Facts = append(e.m.Facts, &typev1.Fact{Key: key.name, Of: of, Audience: a, Characters: ids})
	return e
}

// Text tells a person's own words: whose they are, and who may see them.
func (e *Event) Text(key FactKey, of string, a typev1.Audience, text string) *Event {
	key.must(typev1.FactType_FACT_TYPE_TEXT)
	if e.bare != nil {
		return e
	}
	e.m.Facts = append(e.m.Facts, &typev1.Fact{Key: key.name, Of: of, Audience: a, Text: &text})
	return e
}

// Trace adds the working of a value.
func (e *Event) Trace(lines ...*typev1.TraceLine) *Event {
	if e.bare != nil {
		return e
	}
	e.m.Trace = append(e.m.Trace, lines...)
	return e
}

// Change adds writes to the state, made when the event is emitted.
func (e *Event) Change(changes ...*tablev1.Change) *Event {
	e.m.Changes = append(e.m.Changes, changes...)
	return e
}

// Float has a fact rise over a token.
func (e *Event) Float(character string, key FactKey) *Event {
	if e.bare != nil {
		return e
	}
	e.m.Cues = append(e.m.Cues, &tablev1.Cue{Cue: &tablev1.Cue_Float{Float: &tablev1.Float{Character: character, Fact: key.name}}})
	return e
}

// Walk has a token walk.
func (e *Event) Walk(character string, path []*typev1.Square) *Event {
	if e.bare != nil {
		return e
	}
	e.m.Cues = append(e.m.Cues, &tablev1.Cue{Cue: &tablev1.Cue_Walk{Walk: &tablev1.Walk{Character: character, Path: path}}})
	return e
}

func (k FactKey) must(kind typev1.FactType) {
	if k.kind != kind {
		panic("rule: fact " + k.name + " is not of this type")
	}
}
