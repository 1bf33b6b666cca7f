package dungeon

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/grid"
	"github.com/hantei/hantei/engine/rule"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Problem is one thing in a text that cannot be read.
type Problem struct {
	// Line and column, from 1.
	Line, Column int
	// Key says what is wrong: "unknown_word", "number", "unknown_sign" and so on.
	Key string
	// Word is what stands there, and Nearest a word that may have been meant.
	Word, Nearest string
}

// Error gives line, column and what is wrong.
func (p Problem) Error() string {
	s := fmt.Sprintf("%d:%d: %s: %q", p.Line, p.Column, p.Key, p.Word)
	if p.Nearest != "" {
		s += fmt.Sprintf(" (%s?)", p.Nearest)
	}
	return s
}

// What can be wrong with a text.
const (
	// UnknownWord is a word that has no meaning where it stands.
	UnknownWord = "unknown_word"
	// NotANumber is something else where a whole number belongs.
	NotANumber = "number"
	// Missing is the end of a line where something belongs, named in Word.
	Missing = "missing"
	// Outside is a line of a floor before the first floor.
	Outside = "outside_of_a_floor"
	// NoLegend is a sign on a floor that no line below it explains.
	NoLegend = "sign_without_line"
	// NoSquare is a line for a sign that is not on the floor.
	NoSquare = "line_without_sign"
	// TwoSquares is a sign that stands on a floor more than once.
	TwoSquares = "sign_twice"
	// TooLong is a text beyond the limits.
	TooLong = "too_long"
)

// Limits of a text.
const (
	maxText     = 256 << 10
	maxProblems = 100
)

// Parse reads a dungeon that was written by hand, in the form of Text: a feature
// without "#" and its id gets the next number. What a line leaves out is as usual:
// one enemy, of the dungeon's level of enemies and the specialty of its kind. All
// problems are returned at once, in the order of the text; the dungeon is nil then.
// Whether the dungeon can be explored is Validate's to say.
func Parse(t *Tables, text string) (*personav1.Dungeon, []Problem) {
	if len(text) > maxText {
		return nil, []Problem{{Line: 1, Column: 1, Key: TooLong, Word: strconv.Itoa(len(text))}}
	}
	p := &parser{tables: t, out: &personav1.Dungeon{}}
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		p.line = i + 1
		p.read(line)
		if len(p.problems) >= maxProblems {
			break
		}
	}
	p.endFloor()
	p.number()
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, p.problems
	}
	return p.out, nil
}

// parser is a text that is being read, line by line.
type parser struct {
	tables   *Tables
	out      *personav1.Dungeon
	problems []Problem

	line   int
	tokens []token
	end    int // column after the last token

	floor *personav1.Floor
	signs []sign // on this floor
	named []named
	// levels are enemies without a level of their own.
	levels []*personav1.Enemy
}

// sign is a sign on a floor that stands for features.
type sign struct {
	sign         rune
	square       *typev1.Square
	line, column int
	used         bool
}

// named is a feature whose square is not known before its floor ends.
type named struct {
	sign         rune
	feature      *personav1.Feature
	line, column int
}

type token struct {
	text   string
	quoted bool
	column int
}

func (p *parser) problem(column int, key, word string, valid ...string) {
	p.problems = append(p.problems, Problem{Line: p.line, Column: column, Key: key, Word: word, Nearest: rule.Nearest(word, valid)})
}

// read takes a line: empty, a note behind "//", a heading, a row of squares, or what
// a sign stands for.
func (p *parser) read(line string) {
	if strings.HasPrefix(strings.TrimSpace(line), "//") {
		return
	}
	p.tokens, p.end = split(line)
	switch {
	case len(p.tokens) == 0:
	case len(p.tokens) > 1 && p.tokens[1].text == "=" && utf8.RuneCountInString(p.tokens[0].text) == 1:
		p.feature()
	case len(p.tokens) == 1 && p.floor != nil:
		p.row(p.tokens[0])
	default:
		p.heading()
	}
}

// split makes words of a line: what is in quotes is one, and so are ",", "(" and ")".
func split(line string) (out []token, end int) {
	letters := []rune(line)
	for i := 0; i < len(letters); {
		start := i
		switch {
		case unicode.IsSpace(letters[i]):
			i++
			continue
		case letters[i] == '"':
			i++
			for i < len(letters) && (letters[i] != '"' || letters[i-1] == '\\') {
				i++
			}
			i = min(i+1, len(letters))
			text, err := strconv.Unquote(string(letters[start:i]))
			if err != nil {
				text = strings.Trim(string(letters[start:i]), `"`)
			}
			out = append(out, token{text, true, start + 1})
			continue
		case strings.ContainsRune(",()", letters[i]):
			i++
		default:
			for i < len(letters) && !unicode.IsSpace(letters[i]) && !strings.ContainsRune(`,()"`, letters[i]) {
				i++
			}
		}
		out = append(out, token{string(letters[start:i]), false, start + 1})
	}
	return out, len(letters) + 1
}

// next takes a word; an empty one at the end of the line.
func (p *parser) next() token {
	if len(p.tokens) == 0 {
		return token{column: p.end}
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// is takes a word if it is the next.
func (p *parser) is(word string) bool {
	if len(p.tokens) > 0 && !p.tokens[0].quoted && p.tokens[0].text == word {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

// integer takes a whole number with a sign before it, "" for none.
func (p *parser) integer(prefix string) int32 {
	t := p.next()
	n, err := strconv.ParseInt(strings.TrimPrefix(t.text, prefix), 10, 32)
	if err != nil || !strings.HasPrefix(t.text, prefix) {
		p.problem(t.column, NotANumber, t.text)
	}
	return int32(n)
}

// name takes a name: a word, or a text in quotes.
func (p *parser) name(what string) string {
	t := p.next()
	if t.text == "" && !t.quoted {
		p.problem(t.column, Missing, what)
	}
	return t.text
}

// oneOf takes one of some words and returns its index; 0 if it is none of them.
func (p *parser) oneOf(words []string) int {
	t := p.next()
	i := slices.Index(words, t.text)
	if i < 0 || t.text == "" {
		p.problem(t.column, UnknownWord, t.text, words...)
		return 0
	}
	return i
}

// rest complains of what is left of a line.
func (p *parser) rest() {
	if t := p.next(); t.text != "" {
		p.problem(t.column, UnknownWord, t.text)
	}
	p.tokens = nil
}

func (p *parser) heading() {
	switch t := p.next(); t.text {
	case "level":
		p.out.Level = p.integer("")
	case "moon":
		p.out.Moon = personav1.Moon(p.oneOf(moonWords))
	case "weather":
		p.out.Weather = personav1.Weather(p.oneOf(weatherWords))
	case "floor":
		p.endFloor()
		p.floor = &personav1.Floor{Number: p.integer("")}
		p.out.Floors = append(p.out.Floors, p.floor)
	case "limit":
		limit := p.integer("")
		if p.floor == nil {
			p.problem(t.column, Outside, t.text)
			return
		}
		p.floor.RoundLimitOverride = &limit
	default:
		p.problem(t.column, UnknownWord, t.text, append(headWords, "limit")...)
		p.tokens = nil
	}
	p.rest()
}

// row takes a row of squares.
func (p *parser) row(t token) {
	var row strings.Builder
	y := int32(len(p.floor.Rows))
	x := int32(0)
	for _, r := range t.text {
		if r != grid.Wall && r != grid.Passage {
			p.signs = append(p.signs, sign{
				sign: r, square: &typev1.Square{X: x, Y: y, Floor: p.floor.Number}, line: p.line, column: t.column + int(x),
			})
			r = grid.Passage
		}
		row.WriteRune(r)
		x++
	}
	p.floor.Rows = append(p.floor.Rows, row.String())
}

// feature takes what a sign stands for.
func (p *parser) feature() {
	at := p.next()
	p.next() // "="
	if p.floor == nil {
		p.problem(at.column, Outside, at.text)
		p.tokens = nil
		return
	}
	f := &personav1.Feature{}
	if len(p.tokens) > 0 && strings.HasPrefix(p.tokens[0].text, "#") {
		f.Id = p.integer("#")
	}
	switch t := p.next(); t.text {
	case "stairs":
		f.Kind = &personav1.Feature_Stairs{Stairs: p.stairs()}
	case "warp":
		f.Kind = &personav1.Feature_Warp{Warp: p.warp()}
	case "item":
		f.Kind = &personav1.Feature_Item{Item: p.treasure()}
	case "enemy":
		f.Kind = &personav1.Feature_Enemy{Enemy: p.enemy()}
	case "trap":
		f.Kind = &personav1.Feature_Trap{Trap: &personav1.Trap{Kind: p.name("trap")}}
	case "event":
		f.Kind = &personav1.Feature_Event{Event: p.event()}
	default:
		p.problem(t.column, UnknownWord, t.text, kindWords...)
		p.tokens = nil
	}
	if len(p.tokens) > 0 {
		f.Visibility = personav1.Visibility(p.oneOf(visibilityWords))
	}
	p.rest()
	letter, _ := utf8.DecodeRuneInString(at.text)
	p.named = append(p.named, named{letter, f, p.line, at.column})
	p.out.Features = append(p.out.Features, f)
}

func (p *parser) stairs() *personav1.Stairs {
	switch t := p.next(); t.text {
	case "outside":
		return &personav1.Stairs{To: &personav1.Stairs_Outside{Outside: true}}
	case "to":
		return &personav1.Stairs{To: &personav1.Stairs_Stairs{Stairs: p.integer("#")}}
	case "floor":
		return &personav1.Stairs{To: &personav1.Stairs_Floor{Floor: p.integer("")}}
	default:
		p.problem(t.column, UnknownWord, t.text, "outside", "to", "floor")
		return &personav1.Stairs{}
	}
}

func (p *parser) warp() *personav1.Warp {
	to := &typev1.Square{X: p.integer(""), Floor: p.floor.Number}
	if !p.is(",") {
		p.problem(p.column(), Missing, ",")
	}
	to.Y = p.integer("")
	if p.is("floor") {
		to.Floor = p.integer("")
	}
	w := &personav1.Warp{To: to, Mode: personav1.WarpMode_WARP_MODE_OPTIONAL}
	if p.is("forced") {
		w.Mode = personav1.WarpMode_WARP_MODE_FORCED
	} else {
		p.is("optional")
	}
	return w
}

// column is where the next word stands.
func (p *parser) column() int {
	if len(p.tokens) == 0 {
		return p.end
	}
	return p.tokens[0].column
}

func (p *parser) treasure() *personav1.Treasure {
	out := &personav1.Treasure{}
	for {
		if len(p.tokens) > 1 && !p.tokens[0].quoted && p.tokens[1].text == "macca" {
			out.Macca += p.integer("")
			p.next()
		} else {
			item := &personav1.ItemCount{Item: p.name("item"), Count: 1}
			if p.times() {
				item.Count = p.integer("x")
			}
			out.Items = append(out.Items, item)
		}
		if !p.is(",") {
			break
		}
	}
	if p.is("in") {
		out.Container = p.name("container")
	}
	return out
}

// times reports whether the next word is a count, like "x3".
func (p *parser) times() bool {
	return len(p.tokens) > 0 && !p.tokens[0].quoted && len(p.tokens[0].text) > 1 && p.tokens[0].text[0] == 'x' &&
		p.tokens[0].text[1] >= '0' && p.tokens[0].text[1] <= '9'
}

func (p *parser) enemy() *personav1.Enemy {
	e := &personav1.Enemy{Name: p.name("enemy"), Count: 1}
	if p.times() {
		e.Count = p.integer("x")
	}
	if p.is("level") {
		e.Level = p.integer("")
	} else {
		p.levels = append(p.levels, e)
	}
	if p.is("(") {
		for !p.is(")") {
			e.Specialties = append(e.Specialties, p.name("specialty"))
			if !p.is(",") && (len(p.tokens) == 0 || p.tokens[0].text != ")") {
				p.problem(p.column(), Missing, ")")
				break
			}
		}
		return e
	}
	for _, row := range p.tables.Enemies {
		if row.ID == e.Name {
			e.Specialties = row.Specialties
		}
	}
	return e
}

func (p *parser) event() *personav1.EventFeature {
	e := &personav1.EventFeature{Key: p.name("event"), Trigger: personav1.Trigger_TRIGGER_MOVE}
	if p.is("search") {
		e.Trigger = personav1.Trigger_TRIGGER_SEARCH
	}
	e.Again = p.is("again")
	return e
}

// endFloor gives the features of a floor their squares.
func (p *parser) endFloor() {
	was := p.line
	for i, s := range p.signs {
		for _, earlier := range p.signs[:i] {
			if earlier.sign == s.sign {
				p.line = s.line
				p.problem(s.column, TwoSquares, string(s.sign))
				break
			}
		}
	}
	for _, n := range p.named {
		i := slices.IndexFunc(p.signs, func(s sign) bool { return s.sign == n.sign })
		if i < 0 {
			p.line = n.line
			p.problem(n.column, NoSquare, string(n.sign))
			continue
		}
		n.feature.Square, p.signs[i].used = p.signs[i].square, true
	}
	for i, s := range p.signs {
		twice := slices.ContainsFunc(p.signs[:i], func(e sign) bool { return e.sign == s.sign })
		if !s.used && !twice {
			p.line = s.line
			p.problem(s.column, NoLegend, string(s.sign))
		}
	}
	p.signs, p.named, p.line = nil, nil, was
}

// number gives ids to features without one, and their level to enemies.
func (p *parser) number() {
	last := int32(0)
	for _, f := range p.out.Features {
		last = max(last, f.Id)
	}
	for _, f := range p.out.Features {
		if f.Id == 0 {
			last++
			f.Id = last
		}
	}
	for _, e := range p.levels {
		e.Level = p.tables.EnemyLevel(p.out.Level, p.out.Moon)
	}
}
