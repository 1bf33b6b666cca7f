package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
)

// check looks at what players were sent since the last command: the GM's view says what
// each of them knows now.
func (p *party) check() {
	p.t.Helper()
	whole := p.look(p.gm)
	for _, s := range p.players {
		p.learn(s, whole)
	}
	for i, s := range p.players {
		// One after the other, and whoever has looked anyway.
		turn := p.commands%len(p.players) == i
		if turn || s.seenAt == p.commands {
			p.sameKnowledge(s, p.look(s), whole)
		}
		if turn {
			p.picture(s, p.look(s))
		}
	}
	for _, s := range p.players {
		for _, m := range s.sent {
			p.unread(s, m, p.commands)
		}
		s.sent = nil
	}
}

// of is whose knowledge a seat has.
func (p *party) of(s *sitter) string {
	if p.each {
		return s.own
	}
	return ""
}

// learn notes what a seat may know from now on.
func (p *party) learn(s *sitter, whole *tablev1.TableView) {
	know := func(what any) {
		if _, ok := s.knows[what]; !ok {
			s.knows[what] = p.commands
		}
	}
	for _, sq := range whole.Dungeon.GetSquares() {
		if sq.Of == p.of(s) {
			know(square(sq.Square))
		}
	}
	for _, c := range whole.Characters {
		know(square(c.Position)) // where comrades stand is seen by all
	}
	for _, f := range whole.Dungeon.GetFeatures() {
		if f.Feature.Gone && f.Feature.Kind == "item" {
			know(f.Feature.Id) // what somebody has taken stands on his sheet
		}
		for _, k := range f.Feature.Known {
			if k.Of == p.of(s) && k.Detail == tablev1.MarkDetail_MARK_DETAIL_DATA {
				know(f.Feature.Id)
				if to := fact(f.Feature.Facts, "to"); to != nil {
					know(square(to.Squares[0]))
				}
			}
		}
	}
}

// may reports whether a seat may be told of something by a command.
func (s *sitter) may(what any, command int) bool {
	since, ok := s.knows[what]
	return ok && since <= command
}

// sameKnowledge compares the dungeon that a player's view shows with what the GM's says
// that he knows: neither more nor less.
func (p *party) sameKnowledge(s *sitter, v, whole *tablev1.TableView) {
	p.t.Helper()
	if len(v.Dungeon.GetFloors()) > 0 || len(v.Dungeon.GetFeatures()) > 0 || v.StateHash != "" {
		p.t.Errorf("%s sees the GM's rows: %v", s.name, v.Dungeon)
	}
	if d := v.Details.GetPersona(); d.GetBlueprint() != nil || len(d.GetFeatures()) > 0 || len(d.GetReapers()) > 0 {
		p.t.Errorf("%s sees the GM's details: %v", s.name, d)
	}
	var squares []*tablev1.DungeonSquare
	for _, sq := range whole.Dungeon.GetSquares() {
		if sq.Of == p.of(s) {
			squares = append(squares, sq)
		}
	}
	if !slices.EqualFunc(squares, v.Dungeon.GetSquares(), func(a, b *tablev1.DungeonSquare) bool { return proto.Equal(a, b) }) {
		p.t.Errorf("%s sees the squares\n%v\nand knows\n%v", s.name, v.Dungeon.GetSquares(), squares)
	}
	marks := map[int32]*tablev1.DungeonMark{}
	for _, m := range whole.Dungeon.GetMarks() {
		if m.Mark.Of == p.of(s) {
			marks[m.Mark.Number] = m.Mark
		}
	}
	for _, m := range v.Dungeon.GetMarks() {
		if !proto.Equal(m.Mark, marks[m.Mark.Number]) || m.Text.GetText() == "" {
			p.t.Errorf("%s sees %v, and knows %v", s.name, m, marks[m.Mark.Number])
		}
	}
	if len(v.Dungeon.GetMarks()) != len(marks) {
		p.t.Errorf("%s sees %d marks of %d", s.name, len(v.Dungeon.GetMarks()), len(marks))
	}
	for _, f := range whole.Dungeon.GetFeatures() {
		for _, k := range f.Feature.Known {
			if k.Of == p.of(s) && !f.Feature.Gone {
				p.asKnown(s, f.Feature, k, marks[k.Number])
				delete(marks, k.Number)
			}
		}
	}
	for _, m := range marks {
		if m.Kind != "reaper" {
			p.t.Errorf("%s knows of something that is not there: %v", s.name, m)
		}
	}
	for i, c := range v.Characters {
		if !proto.Equal(c.Position, whole.Characters[i].Position) {
			p.t.Errorf("%s sees %s at %v", s.name, c.Id, c.Position)
		}
	}
}

// asKnown compares a mark with what lies there: its data if that is known, else nothing
// but that it is there.
func (p *party) asKnown(s *sitter, f *tablev1.DungeonFeature, k *tablev1.KnownAs, m *tablev1.DungeonMark) {
	p.t.Helper()
	var facts []*typev1.Fact
	if k.Detail == tablev1.MarkDetail_MARK_DETAIL_DATA {
		for _, f := range f.Facts {
			if f.Key != "event_key" {
				facts = append(facts, f)
			}
		}
	}
	if m.GetKind() != f.Kind || m.Detail != k.Detail || square(m.Square) != square(f.Square) ||
		!slices.EqualFunc(facts, m.Facts, func(a, b *typev1.Fact) bool { return proto.Equal(a, b) }) {
		p.t.Errorf("%s knows %v as %v; there is %v", s.name, k, m, f)
	}
}

// written are squares as values and texts have them.
var written = regexp.MustCompile(`-?\d+,-?\d+,\d+`)

// unread checks that a message tells of nothing that was not known when it was sent, by a
// command: in its bytes, and in what they say.
func (p *party) unread(s *sitter, m sent, command int) {
	p.t.Helper()
	for _, d := range p.dark {
		known := slices.ContainsFunc(d.of, func(id int32) bool { return s.may(id, command) })
		if !known && bytes.Contains(m.bytes, []byte(d.text)) {
			p.t.Errorf("%s is told %q, by command %d: %s", s.name, d.text, command, around(m.bytes, bytes.Index(m.bytes, []byte(d.text))))
		}
	}
	p.squaresIn(s, m.m.ProtoReflect(), command)
}

// around is what stands at a place of a message.
func around(b []byte, at int) []byte { return b[max(at-200, 0):min(at+100, len(b))] }

// squaresIn checks all squares in a message, and that no fact has a feature's id.
func (p *party) squaresIn(s *sitter, m protoreflect.Message, command int) {
	switch v := m.Interface().(type) {
	case *typev1.Square:
		if !s.may(square(v), command) {
			p.t.Errorf("%s is sent the square %s, by command %d", s.name, square(v), command)
		}
	case *typev1.Fact:
		if v.Key == "id" || v.Key == "event_key" {
			p.t.Errorf("%s is sent %v", s.name, v)
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil && fd.Kind() != protoreflect.StringKind:
		case fd.IsList():
			for i := range v.List().Len() {
				p.valueIn(s, v.List().Get(i), command)
			}
		default:
			p.valueIn(s, v, command)
		}
		return true
	})
}

// valueIn is squaresIn for a text, or for a message.
func (p *party) valueIn(s *sitter, v protoreflect.Value, command int) {
	switch v := v.Interface().(type) {
	case protoreflect.Message:
		p.squaresIn(s, v, command)
	case string:
		if strings.Count(v, ",") < 2 {
			return
		}
		for _, at := range written.FindAllString(v, -1) {
			if !s.may(at, command) {
				p.t.Errorf("%s is told of %s, by command %d: %s", s.name, at, command, v)
			}
		}
	}
}

// picture compares the picture of a player's floor with his view: its squares, and the
// list of what lies there and of who stands there.
func (p *party) picture(s *sitter, v *tablev1.TableView) {
	p.t.Helper()
	at := s.known(v).at
	if at == nil {
		return
	}
	floor := at.Floor
	status, b := p.get(s, fmt.Sprintf("/dungeon.svg?floor=%d", floor))
	if status != http.StatusOK {
		p.t.Fatalf("%s: no picture: %d: %s", s.name, status, b)
	}
	want := map[string]string{}
	for _, sq := range v.Dungeon.Squares {
		if sq.Square.Floor == floor {
			want[square(sq.Square)] = map[tablev1.Terrain]string{1: "wall", 2: "pass"}[sq.Terrain]
		}
	}
	got, texts := drawn(p, b, floor)
	if !maps.Equal(got, want) {
		p.t.Errorf("%s: the picture has %v, the view %v", s.name, got, want)
	}
	lists := func(x, y int32, text string) bool {
		i := slices.IndexFunc(texts, func(t string) bool { return strings.HasSuffix(t, fmt.Sprintf("(%d,%d)  %s", x, y, text)) })
		if i >= 0 {
			texts = slices.Delete(texts, i, i+1)
		}
		return i >= 0
	}
	for _, m := range v.Dungeon.Marks {
		if at := m.Mark.Square; at.Floor == floor && !lists(at.X, at.Y, m.Text.Text) {
			p.t.Errorf("%s: the picture does not tell of %v: %q", s.name, m, texts)
		}
	}
	for _, c := range v.Characters {
		// Comrades on squares that one does not know may lie outside of the picture.
		if at := c.Position; at.GetFloor() == floor && !lists(at.GetX(), at.GetY(), c.Name) && want[square(at)] != "" {
			p.t.Errorf("%s: %s is not in the picture: %q", s.name, c.Name, texts)
		}
	}
	if len(texts) > 0 {
		p.t.Errorf("%s: the picture lists %q, which the view does not", s.name, texts)
	}
}

// drawn are the squares of a picture, and the lines of its list.
func drawn(p *party, b []byte, floor int32) (squares map[string]string, list []string) {
	p.t.Helper()
	type text struct {
		Class string `xml:"class,attr"`
		Y     int    `xml:"y,attr"`
		Text  string `xml:",chardata"`
	}
	var svg struct {
		Texts []text `xml:"text"`
		G     struct {
			Rects []struct {
				Class string `xml:"class,attr"`
				X     int32  `xml:"x,attr"`
				Y     int32  `xml:"y,attr"`
				Width int32  `xml:"width,attr"`
			} `xml:"rect"`
			Texts []text `xml:"text"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(b, &svg); err != nil {
		p.t.Fatalf("%v: %s", err, b)
	}
	// The first number over the columns, and the first beside the rows.
	first := func(above bool) int32 {
		for _, t := range svg.G.Texts {
			if t.Class == "axis" && (t.Y < 0) == above {
				n, err := strconv.Atoi(t.Text)
				if err != nil {
					p.t.Fatal(err)
				}
				return int32(n)
			}
		}
		return 0
	}
	left, top := first(true), first(false)
	squares = map[string]string{}
	for _, r := range svg.G.Rects {
		squares[square(&typev1.Square{X: left + r.X/r.Width, Y: top + r.Y/r.Width, Floor: floor})] = r.Class
	}
	for _, t := range svg.Texts {
		if t.Class == "" {
			list = append(list, t.Text)
		}
	}
	return squares, list
}

// get asks for something that is no message, and checks the bytes.
func (p *party) get(s *sitter, path string) (int, []byte) {
	p.t.Helper()
	status, b, err := p.c.exchange(s.token, route{verb: "GET", path: "/v1/tables/" + p.table + path}, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.unread(s, sent{b, &typev1.Fact{}}, p.commands)
	return status, b
}

// alike asks for what a player does not know of: he is answered as if it were not there.
// It is his turn.
func (p *party) alike(s *sitter) {
	p.t.Helper()
	var there, beyond, below *typev1.Square
	for _, f := range p.dungeon.Features {
		switch at := f.Square; {
		case at.Floor == 2:
			below = at
		case !s.may(square(at), p.commands):
			there = at
		}
	}
	beyond = &typev1.Square{X: 17, Y: 17, Floor: 1}
	nowhere := &typev1.Square{X: 1, Y: 1, Floor: 19}
	if there == nil || below == nil {
		p.t.Fatalf("%s knows everything", s.name)
	}
	act := func(a *personav1.Action) string {
		request := &hanteiv1.ActRequest{TableId: p.table, Actor: s.own, What: declared(a)}
		preview := &hanteiv1.PreviewRequest{TableId: p.table, Actor: s.own, What: &hanteiv1.PreviewRequest_Action{Action: request.GetAction()}}
		return p.refused(s, act(p.table), request) + p.refused(s, route{verb: "POST", path: "/v1/tables/" + p.table + ":preview"}, preview)
	}
	var moves, searches []string
	for _, at := range []*typev1.Square{there, beyond, below, nowhere} {
		moves = append(moves, act(&personav1.Action{Action: &personav1.Action_Move{Move: &personav1.Move{To: at}}}))
		searches = append(searches, act(&personav1.Action{Action: &personav1.Action_Search{Search: &personav1.Search{Square: at}}}))
	}
	for what, answers := range map[string][]string{
		"a picture": {
			p.refused(s, route{verb: "GET", path: "/v1/tables/" + p.table + "/dungeon.svg?floor=2"}, nil),
			p.refused(s, route{verb: "GET", path: "/v1/tables/" + p.table + "/dungeon.svg?floor=19"}, nil),
		},
		"a move":   moves,
		"a search": searches,
		"a disclosure": {
			act(&personav1.Action{Action: &personav1.Action_GmReveal{GmReveal: &personav1.RevealFeature{Feature: p.dungeon.Features[3].Id}}}),
			act(&personav1.Action{Action: &personav1.Action_GmReveal{GmReveal: &personav1.RevealFeature{Feature: 999}}}),
		},
	} {
		for _, a := range answers[1:] {
			if a != answers[0] {
				p.t.Errorf("%s of what is unknown is answered\n%s\nand of what is not there\n%s", what, answers[0], a)
			}
		}
	}
	for _, path := range []string{"/view?as_seat=" + p.gm.seat, "/events?as_seat=" + p.gm.seat, "/dungeon.svg?as_seat=" + p.gm.seat, ":export", ":verify"} {
		p.refused(s, route{verb: "GET", path: "/v1/tables/" + p.table + path}, nil)
	}
}

// refused is what a player is answered who may not or cannot do something.
func (p *party) refused(s *sitter, r route, request proto.Message) string {
	p.t.Helper()
	status, b, err := p.c.exchange(s.token, r, request)
	if err != nil {
		p.t.Fatal(err)
	}
	if status == http.StatusOK {
		p.t.Errorf("%s may %s %s %v: %s", s.name, r.verb, r.path, request, b)
	}
	p.unread(s, sent{b, &typev1.Fact{}}, p.commands)
	return fmt.Sprint(status, " ", string(b))
}

// verify has the server check the log, and the command what is exported of it.
func (p *party) verify() {
	p.t.Helper()
	out := &hanteiv1.VerifyTableResponse{}
	p.send(p.gm, route{verb: "GET", path: "/v1/tables/" + p.table + ":verify"}, &hanteiv1.VerifyTableRequest{}, out)
	if !out.Sound || out.Rules.GetChecked() != out.Commits || out.Dice.GetChecked()+out.Dice.GetGiven() == 0 {
		p.t.Errorf("the log is not sound: %v", out)
	}
	file := &hanteiv1.ExportTableResponse{}
	p.send(p.gm, route{verb: "GET", path: "/v1/tables/" + p.table + ":export"}, &hanteiv1.ExportTableRequest{}, file)
	if code, said, failed := call(p.t, "verify", saved(p.t, string(file.Content))); code != 0 || !strings.Contains(said, "No fault was found.") {
		p.t.Errorf("hantei verify: exit code %d: %s%s", code, said, failed)
	}
}

// undo has the GM take the last command back: each seat then sees what it saw before.
func (p *party) undo(before []*tablev1.TableView) {
	p.t.Helper()
	after := p.looks()
	out := p.takeBack()
	told := 0
	for i, s := range p.players {
		now := p.look(s)
		told += len(after[i].Dungeon.GetSquares()) - len(now.Dungeon.GetSquares())
		if diff := difference(before[i], now); diff != "" {
			p.t.Errorf("%s sees after the undo another table than before (-before +after):\n%s", s.name, diff)
		}
	}
	if told <= 0 || !slices.Contains(names(out.Events), "undone") {
		p.t.Errorf("nothing was taken back: %v", out)
	}
}

// difference is what is not the same in two views. A cursor is another one each time.
func difference(before, after *tablev1.TableView) string {
	return cmp.Diff(before, after, protocmp.Transform(), protocmp.IgnoreFields(after, "cursor"))
}
