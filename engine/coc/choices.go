package coc

import (
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Kinds of windows that this ruleset has.
const (
	oneSeat    = tablev1.WindowKind_WINDOW_KIND_ONE
	firstTaker = tablev1.WindowKind_WINDOW_KIND_FIRST_TAKER
)

// defendRoom is an answer to the most frequent of all prompts with its shells,
// made with one allocation.
type defendRoom struct {
	a     tablev1.Answer
	c     tablev1.Answer_Coc
	k     cocv1.Answer
	m     cocv1.Answer_Defend
	d     cocv1.Defend
	none  cocv1.Defend_None
	dodge cocv1.Defend_Dodge
	parry cocv1.Defend_Parry
	no    cocv1.NoDefence
	evade cocv1.Dodge
	with  cocv1.Parry
}

func newDefend() *defendRoom {
	x := &defendRoom{}
	x.m.Defend = &x.d
	x.k.Answer = &x.m
	x.c.Coc = &x.k
	x.a.Ruleset = &x.c
	return x
}

// noDefence, dodgeDefence and parryDefence are the answers to defend.
func noDefence() *defendRoom {
	x := newDefend()
	x.none.None = &x.no
	x.d.Kind = &x.none
	return x
}

func dodgeDefence() *defendRoom {
	x := newDefend()
	x.dodge.Dodge = &x.evade
	x.d.Kind = &x.dodge
	return x
}

func parryDefence(weapon string) *defendRoom {
	x := newDefend()
	x.with.Weapon = weapon
	x.parry.Parry = &x.with
	x.d.Kind = &x.parry
	return x
}

// plus10Input asks whether to spend the +10 right (COC-CHK-05).
func plus10Input(path string) *tablev1.Input {
	return boolInput("use_plus10", path+".use_plus10")
}

func boolInput(name, path string) *tablev1.Input {
	return &tablev1.Input{Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_BOOL, MaxCount: 1}
}

// yesOrNo asks for yes or no, where to leave it out says neither.
func yesOrNo(name, path string) *tablev1.Input {
	in := boolInput(name, path)
	in.Choices = []string{"true", "false"}
	return in
}

// textInput asks for words of somebody's own, of so many characters at most.
func textInput(name, path string, most int32) *tablev1.Input {
	return &tablev1.Input{
		Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_TEXT, MinCount: 1, MaxCount: 1, Min: 1, Max: most,
	}
}

// squareInput asks for a square within so many steps; without a place of one's
// own there is nothing to ask.
func squareInput(name, path string, from *tablev1.Character, steps int32) []*tablev1.Input {
	if from.GetPosition() == nil {
		return nil
	}
	return []*tablev1.Input{{
		Name: name, Path: path, Kind: tablev1.InputKind_INPUT_KIND_SQUARE, MaxCount: 1,
		Reach: &tablev1.Reach{From: from.Position.Square, Steps: steps},
	}}
}

// cocAnswer is the ruleset's answer that a window's slot got.
func cocAnswer(a *tablev1.Answered) *cocv1.Answer { return a.GetAnswer().GetCoc() }
