package view

import (
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func enumOf(a typev1.Audience) protoreflect.Value { return protoreflect.ValueOfEnum(a.Number()) }

// Where an open die stands everybody is told who sees it; where a secret one does
// shows how many were thrown in secret, until its epoch is closed.
func TestWhereDiceStand(t *testing.T) {
	ev := read(t, &tablev1.Event{}, `name: "rolled" actor: "officer" audience: AUDIENCE_PUBLIC
		dice {of: "officer" sides: 6 faces: 3 audience: AUDIENCE_DICE stream: DICE_STREAM_OPEN epoch: 2 number: 7}
		dice {of: "officer" sides: 6 faces: 4 audience: AUDIENCE_DICE stream: DICE_STREAM_SECRET epoch: 2 number: 9}`)
	const open = `dice {of: "officer" sides: 6 faces: 3 stream: DICE_STREAM_OPEN epoch: 2 number: 7}`
	const told, untold = ` dice {of: "officer" sides: 6 faces: 4 stream: DICE_STREAM_SECRET epoch: 2 number: 9}`, ` dice {of: "officer" sides: 6 faces: 4}`
	for _, c := range []struct {
		viewer Viewer
		closed int32
		want   string
	}{
		{ann, 0, open + untold}, {ann, 1, open + untold}, {ann, 2, open + told}, {olga, 0, open + untold}, {theGM, 0, open + told},
	} {
		want := read(t, &tablev1.EventView{}, `name: "rolled" actor: "officer" `+c.want)
		if got := Event(ev, c.viewer, stamp(), Handles{Closed: c.closed}, nil); !proto.Equal(got, want) {
			t.Errorf("%+v, closed %d: got %v, want %v", c.viewer, c.closed, got, want)
		}
	}
}

func TestEvent(t *testing.T) {
	everything := func(string) bool { return true }
	tests := []struct {
		name   string
		event  string
		viewer Viewer
		vis    *tablev1.Visibility
		public Public
		want   string // "" for nothing
	}{
		{
			name:   "facts by their own audience and subject; the audience itself is nobody's",
			viewer: ann,
			vis:    stamp(),
			event: `name: "damage_rolled" rule: "R" cause: 2 actor: "officer" targets: "thug" audience: AUDIENCE_PUBLIC
				facts {key: "dice" number: 4 audience: AUDIENCE_DICE}
				facts {key: "final" of: "thug" number: 6 audience: AUDIENCE_HP}
				facts {key: "armour" of: "thug" number: 0 audience: AUDIENCE_VALUES}
				facts {key: "weapon" words: "club" audience: AUDIENCE_PUBLIC}
				facts {key: "secret" words: "x" audience: AUDIENCE_GM}
				facts {key: "lost" words: "x"}`,
			want: `name: "damage_rolled" rule: "R" actor: "officer" targets: "thug"
				facts {key: "dice" number: 4}
				facts {key: "weapon" words: "club"}`,
		},
		{
			name:   "the GM sees all but what is nobody's",
			viewer: theGM,
			vis:    stamp(),
			event: `name: "x" actor: "officer" cause: 2 audience: AUDIENCE_GM
				facts {key: "armour" of: "thug" number: 0 audience: AUDIENCE_VALUES}
				facts {key: "never" number: 1 audience: AUDIENCE_NEVER}
				changes {agenda {after {actor: "thug"}}}`,
			want: `name: "x" actor: "officer" facts {key: "armour" of: "thug" number: 0}`,
		},
		{
			name:   "an event that the viewer may not know of",
			viewer: ann,
			vis:    stamp(),
			public: everything,
			event:  `name: "x" actor: "officer" audience: AUDIENCE_GM facts {key: "a" number: 1 audience: AUDIENCE_PUBLIC}`,
		},
		{
			name:   "an event without an audience is nobody's",
			viewer: theGM,
			vis:    stamp(),
			public: everything,
			event:  `name: "x" facts {key: "a" number: 1 audience: AUDIENCE_PUBLIC}`,
		},
		{
			name:   "emptied",
			viewer: ben,
			vis:    stamp(hiddenSheets),
			event: `name: "san_changed" actor: "officer" audience: AUDIENCE_PUBLIC
				facts {key: "delta" number: -3 audience: AUDIENCE_MIND}
				trace {label: "san" audience: AUDIENCE_PUBLIC}
				cues {float {character: "officer" fact: "delta"}}
				changes {resource {character: "officer" after {key: "san" value: 40 max: 60 audience: AUDIENCE_MIND}}}
				changes {part {character: "officer" after {coc {mind {rp_points: 3}}}}}
				changes {window {id: "w" after {id: "w" audience: AUDIENCE_PUBLIC}}}
				changes {agenda {}}`,
		},
		{
			name:   "emptied, with a public name",
			viewer: ben,
			vis:    stamp(hiddenSheets),
			public: func(name string) bool { return name == "fell" },
			event: `name: "fell" actor: "officer" targets: "thug" audience: AUDIENCE_PUBLIC
				facts {key: "delta" number: -3 audience: AUDIENCE_MIND}`,
			want: `name: "fell" actor: "officer" targets: "thug"`,
		},
		{
			name:   "hit points of an NPC: the band stays",
			viewer: ann,
			vis:    stamp(),
			event: `name: "hp_changed" actor: "officer" targets: "thug" audience: AUDIENCE_PUBLIC
				facts {key: "delta" of: "thug" number: -6 audience: AUDIENCE_HP}
				cues {float {character: "thug" fact: "delta"}}
				changes {resource {character: "thug" after {key: "hp" value: 7 max: 13 band: BAND_HURT audience: AUDIENCE_HP}}}
				changes {part {character: "thug" after {coc {wounds {id: 1 amount: 6}}}}}`,
			want: `name: "hp_changed" actor: "officer" targets: "thug"
				changes {resource {character: "thug" after {key: "hp" band: BAND_HURT}}}`,
		},
		{
			name:   "hit points of an NPC: not even the band",
			viewer: ann,
			vis:    stamp(npcHP(unshown)),
			event: `name: "hp_changed" actor: "officer" audience: AUDIENCE_PUBLIC
				changes {resource {character: "thug" after {key: "hp" value: 7 max: 13 band: BAND_HURT audience: AUDIENCE_HP}}}`,
		},
		{
			name:   "hit points that may be seen: number, zero and band",
			viewer: ann,
			vis:    stamp(npcHP(exact)),
			event: `name: "hp_changed" actor: "officer" audience: AUDIENCE_PUBLIC
				facts {key: "delta" of: "thug" number: -6 audience: AUDIENCE_HP}
				cues {float {character: "thug" fact: "delta"}}
				changes {resource {character: "thug" after {key: "hp" value: 0 max: 13 band: BAND_DOWN audience: AUDIENCE_HP}}}`,
			want: `name: "hp_changed" actor: "officer"
				facts {key: "delta" of: "thug" number: -6}
				cues {float {character: "thug" fact: "delta"}}
				changes {resource {character: "thug" after {key: "hp" value: 0 max: 13 band: BAND_DOWN}}}`,
		},
		{
			name:   "a float shows the fact of that character, not of another",
			viewer: ann,
			vis:    stamp(),
			event: `name: "x" actor: "officer" audience: AUDIENCE_PUBLIC
				facts {key: "final" of: "thug" number: 6 audience: AUDIENCE_HP}
				facts {key: "final" of: "nurse" number: 2 audience: AUDIENCE_HP}
				facts {key: "result" words: "success" audience: AUDIENCE_PUBLIC}
				cues {float {character: "thug" fact: "final"}}
				cues {float {character: "nurse" fact: "final"} with_previous: true}
				cues {float {character: "thug" fact: "result"}}
				cues {walk {character: "officer" path {x: 1}}}`,
			want: `name: "x" actor: "officer"
				facts {key: "final" of: "nurse" number: 2}
				facts {key: "result" words: "success"}
				cues {float {character: "nurse" fact: "final"} with_previous: true}
				cues {float {character: "thug" fact: "result"}}
				cues {walk {character: "officer" path {x: 1}}}`,
		},
		{
			name:   "a part that is all zero is told: the round's counts are reset",
			viewer: olga,
			vis:    stamp(),
			event: `name: "round" audience: AUDIENCE_PUBLIC
				changes {part {character: "thug" after {coc {combat {}}}}}
				changes {part {character: "thug" after {coc {body {}}}}}`,
			want: `name: "round" changes {part {character: "thug" after {coc {combat {}}}}}`,
		},
		{
			name:   "rows that go whole, also when they end",
			viewer: ben,
			vis:    stamp(hiddenSheets),
			event: `name: "x" audience: AUDIENCE_PUBLIC
				changes {status {character: "officer" after {key: "prone" audience: AUDIENCE_PUBLIC}}}
				changes {status {character: "officer" removed: true after {key: "mad" audience: AUDIENCE_MIND}}}
				changes {modifier {character: "officer" removed: true after {id: "m" audience: AUDIENCE_VALUES}}}
				changes {stat {character: "officer" after {key: "dex" value: 12 audience: AUDIENCE_VALUES}}}
				changes {position {character: "officer" after {square {x: 1} audience: AUDIENCE_GM}}}
				changes {position {character: "officer"}}
				changes {review {character: "officer" after: REVIEW_APPROVED}}
				changes {part {character: "officer" removed: true after {coc {growth_marks {id: "critical.club" audience: AUDIENCE_OWNER}}}}}`,
			want: `name: "x"
				changes {status {character: "officer" after {key: "prone"}}}
				changes {position {character: "officer"}}`,
		},
		{
			name:   "dice by who rolled; the table's are no actor's",
			viewer: ann,
			vis:    stamp(hiddenDice),
			event: `name: "x" actor: "officer" audience: AUDIENCE_PUBLIC
				dice {label: "a" of: "officer" sides: 100 faces: 44 audience: AUDIENCE_DICE}
				dice {label: "d" of: "thug" sides: 100 faces: 31 audience: AUDIENCE_DICE}
				dice {label: "t" sides: 6 faces: 1 audience: AUDIENCE_DICE}
				dice {label: "p" sides: 6 faces: 2 audience: AUDIENCE_PUBLIC}`,
			want: `name: "x" actor: "officer"
				dice {label: "a" of: "officer" sides: 100 faces: 44}
				dice {label: "p" sides: 6 faces: 2}`,
		},
		{
			name:   "the encounter without its pointer",
			viewer: theGM,
			vis:    stamp(),
			event: `name: "x" audience: AUDIENCE_PUBLIC
				changes {encounter {after {roster: "thug" order: "thug" turn: "thug" round: 1 pointer: 3}}}
				changes {encounter {removed: true}}`,
			want: `name: "x"
				changes {encounter {after {roster: "thug" order: "thug" turn: "thug" round: 1}}}
				changes {encounter {removed: true}}`,
		},
		{
			name:   "whom the stamp does not name is the GM's",
			viewer: ann,
			vis:    stamp(),
			event: `name: "x" actor: "officer" targets: "thug" targets: "ghost" audience: AUDIENCE_PUBLIC
				facts {key: "a" of: "ghost" number: 1 audience: AUDIENCE_PUBLIC}
				facts {key: "order" characters: "thug" characters: "ghost" characters: "nurse" audience: AUDIENCE_PUBLIC}
				facts {key: "only" characters: "ghost" audience: AUDIENCE_PUBLIC}
				cues {walk {character: "ghost"}}
				changes {character {character: "ghost" after {id: "ghost" audience: AUDIENCE_PUBLIC}}}
				changes {encounter {after {roster: "ghost" roster: "thug" round: 1}}}`,
			want: `name: "x" actor: "officer" targets: "thug"
				facts {key: "order" characters: "thug" characters: "nurse"}
				facts {key: "only"}
				changes {encounter {after {roster: "thug" round: 1}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := read(t, &tablev1.Event{}, tt.event)
			before := proto.Clone(ev)
			got := Event(ev, tt.viewer, tt.vis, Handles{}, tt.public)
			if sees := Sees(ev, tt.viewer, tt.vis, Handles{}, tt.public); sees != (got != nil) {
				t.Errorf("Sees says %v", sees)
			}
			if tt.want == "" {
				if got != nil {
					t.Errorf("got:\n%v\nwant nothing", got)
				}
			} else {
				same(t, got, read(t, &tablev1.EventView{}, tt.want))
			}
			same(t, ev, before)
		})
	}
}

// A choice is told to those who are asked, and in a sealed question to the one
// whose choice it is.
func TestEventAsked(t *testing.T) {
	const event = `name: "prompt_answered" actor: "officer" audience: AUDIENCE_PUBLIC
		facts {key: "choice" words: "left" audience: AUDIENCE_ASKED}
		changes {window {id: "w" after {kind: %s slots {character: "officer"} slots {character: "nurse"}}}}`
	tests := []struct {
		kind string
		sees string
	}{
		{"WINDOW_KIND_SEALED", "a"},
		{"WINDOW_KIND_FIRST_TAKER", "a"},
		{"WINDOW_KIND_OPEN", "ab"},
		{"WINDOW_KIND_DECLARATIONS", "ab"},
	}
	for _, tt := range tests {
		ev := read(t, &tablev1.Event{}, replace(event, tt.kind))
		got := ""
		for i, v := range []Viewer{theGM, ann, ben, olga} {
			view := Event(ev, v, stamp(), Handles{}, nil)
			if view == nil {
				t.Fatalf("%s: not sent, but that it was answered is public", tt.kind)
			}
			if len(view.Changes) > 0 {
				t.Errorf("%s: a window was sent", tt.kind)
			}
			if len(view.Facts) > 0 {
				got += "gabo"[i : i+1]
			}
		}
		if got != tt.sees {
			t.Errorf("%s: the choice is seen by %q, want %q", tt.kind, got, tt.sees)
		}
	}
}

func TestEventCause(t *testing.T) {
	ev := read(t, &tablev1.Event{}, `name: "x" audience: AUDIENCE_PUBLIC facts {key: "a" audience: AUDIENCE_PUBLIC}`)
	secret := read(t, &tablev1.Event{}, `name: "s" audience: AUDIENCE_GM facts {key: "a" audience: AUDIENCE_PUBLIC}`)
	h := Handles{Event: "e2", Cause: "e1", CauseEvent: secret, CauseVisibility: stamp()}
	if got := Event(ev, theGM, stamp(), h, nil); got.EventId != "e2" || got.Cause != "e1" {
		t.Errorf("the GM is told %q because of %q", got.EventId, got.Cause)
	}
	if got := Event(ev, ann, stamp(), h, nil); got.EventId != "e2" || got.Cause != "" {
		t.Errorf("a player is told %q because of %q", got.EventId, got.Cause)
	}
	if got := Event(ev, theGM, stamp(), Handles{Event: "e2", Cause: "e1"}, nil); got.Cause != "" {
		t.Errorf("a cause without its event was told: %q", got.Cause)
	}
}

// What this build does not know has no audience.
func TestUnknownFields(t *testing.T) {
	strange := protowire.AppendVarint(protowire.AppendTag(nil, 999, protowire.VarintType), 7)
	square := &typev1.Square{X: 1}
	square.ProtoReflect().SetUnknown(strange)
	fact := &typev1.Fact{Key: "a", Audience: public, Squares: []*typev1.Square{square}}
	fact.ProtoReflect().SetUnknown(strange)
	ev := &tablev1.Event{Name: "x", Audience: public, Facts: []*typev1.Fact{fact}}
	ev.ProtoReflect().SetUnknown(strange)
	same(t, Event(ev, theGM, stamp(), Handles{}, nil), read(t, &tablev1.EventView{}, `name: "x" facts {key: "a" squares {x: 1}}`))
	if len(square.ProtoReflect().GetUnknown()) == 0 {
		t.Error("the event was changed")
	}
}

// Whatever the viewer sees whole is not copied.
func TestEventShares(t *testing.T) {
	square := &typev1.Square{X: 1}
	ev := &tablev1.Event{Name: "x", Audience: public, Facts: []*typev1.Fact{{Key: "a", Audience: public, Squares: []*typev1.Square{square}}}}
	if got := Event(ev, ann, stamp(), Handles{}, nil); got.Facts[0].Squares[0] != square {
		t.Error("a square was copied")
	}
}

// hidden characters are nobody's business, wherever they are named. Skipped until
// the stamp says who may know of a character.
func TestHiddenCharacter(t *testing.T) {
	vis := stamp()
	if !setAudience(vis.Owners[4], gmOnly) {
		t.Skip("Ownership has no audience yet")
	}
	ev := read(t, &tablev1.Event{}, `name: "x" actor: "officer" targets: "thug" audience: AUDIENCE_PUBLIC
		facts {key: "a" number: 1 audience: AUDIENCE_PUBLIC}
		facts {key: "b" of: "thug" number: 1 audience: AUDIENCE_PUBLIC}`)
	same(t, Event(ev, ann, vis, Handles{}, nil), read(t, &tablev1.EventView{}, `name: "x" actor: "officer" facts {key: "a" number: 1}`))
	ev.Actor = "thug"
	if got := Event(ev, ann, vis, Handles{}, nil); got != nil {
		t.Errorf("an act of a hidden character: %v", got)
	}
	if got := Event(ev, theGM, vis, Handles{}, nil); len(got.GetFacts()) != 2 {
		t.Errorf("the GM sees %v", got)
	}
}
