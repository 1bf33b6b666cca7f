package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/persona"
	"github.com/hantei/hantei/engine/persona/dungeon"
	"github.com/hantei/hantei/engine/view"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
	"github.com/hantei/hantei/server/picture"
	"google.golang.org/protobuf/encoding/protojson"
)

// dungeonCmd makes and shows dungeons of the ruleset persona, without a server.
type dungeonCmd struct {
	Show     dungeonShowCmd     `cmd:"" help:"Draw a dungeon from a file, and say what is wrong with it."`
	Generate dungeonGenerateCmd `cmd:"" help:"Make a dungeon."`
}

// Help is shown by hantei dungeon --help.
func (*dungeonCmd) Help() string {
	return `Dungeons are of the ruleset persona, as text to edit by hand or as JSON.

Examples:
  hantei dungeon generate --seed 7 > dungeon.txt
  hantei dungeon show dungeon.txt`
}

// dungeonShowCmd draws a dungeon and validates it.
type dungeonShowCmd struct {
	File  string `arg:"" type:"existingfile" help:"A dungeon as text or as JSON."`
	Floor int32  `help:"Only this floor."`
	SVG   string `help:"Write the picture of the floor to this file, as SVG; needs --floor."`
	JSON  bool   `help:"Print the dungeon as JSON, for start_exploration, instead of drawing it."`
	Lang  string `default:"en" enum:"${languages}" help:"The language: ${enum}."`
}

// Help is shown by hantei dungeon show --help.
func (*dungeonShowCmd) Help() string {
	return `Draws each floor, tells what lies where, and lists every fault with its place.
Exit code 1 if the file cannot be read, or the dungeon cannot be explored.

Examples:
  hantei dungeon show chapel.txt
  hantei dungeon show chapel.txt --floor 1 --svg floor1.svg
  hantei dungeon show chapel.txt --json > chapel.json`
}

// Run implements the command.
func (c *dungeonShowCmd) Run(s streams) error {
	look, err := newSurveyor(c.Lang)
	if err != nil {
		return err
	}
	file, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	d, err := look.read(s, c.File, file)
	if err != nil {
		return err
	}
	if c.JSON {
		return look.json(s, d)
	}
	if c.SVG != "" {
		plan := look.plan(d, c.Floor)
		if plan == nil {
			return errors.New(look.say("no_floor", nil))
		}
		return os.WriteFile(c.SVG, []byte(plan.SVG(look.words())), 0o644)
	}
	look.show(s, d, c.Floor)
	if dungeon.Refused(look.findings(s, d)) {
		return errSilent
	}
	return nil
}

// dungeonGenerateCmd makes a dungeon.
type dungeonGenerateCmd struct {
	Seed    uint64 `default:"1" help:"The seed; the same one makes the same dungeon for ever."`
	Level   int32  `default:"20" help:"Its level, 1 to 99."`
	Moon    string `default:"half" enum:"new,1/8,2/8,3/8,half,5/8,6/8,7/8,full" help:"The moon: ${enum}."`
	Weather string `default:"cloudy" enum:"clear,sunny,cloudy,rain,thunderstorm" help:"The weather: ${enum}."`
	Floors  int32  `default:"2" help:"How many floors, 1 to 20."`
	Width   int32  `default:"5" help:"Columns of each, 3 to 20."`
	Height  int32  `default:"5" help:"Rows of each, 3 to 20."`
	JSON    bool   `help:"Print it as JSON, for start_exploration, instead of text to edit."`
	Lang    string `default:"en" enum:"${languages}" help:"The language: ${enum}."`
}

// Help is shown by hantei dungeon generate --help.
func (*dungeonGenerateCmd) Help() string {
	return `Prints a dungeon as text, to be edited and shown again, or as JSON.

Examples:
  hantei dungeon generate --seed 7 --level 30 --floors 3 > dungeon.txt
  hantei dungeon generate --json`
}

// Run implements the command.
func (c *dungeonGenerateCmd) Run(s streams) error {
	look, err := newSurveyor(c.Lang)
	if err != nil {
		return err
	}
	r := dungeon.Request{
		Seed: c.Seed, Level: c.Level, Moon: dungeon.MoonOf(c.Moon), Weather: dungeon.WeatherOf(c.Weather),
		Floors: c.Floors, Width: c.Width, Height: c.Height,
	}
	if f := r.Check(); f != dungeon.NoFault {
		return errors.New(look.texts.Error(strings.ToUpper(f.String()), c.Lang, nil))
	}
	d := dungeon.Generate(look.survey.Tables(), r)
	if c.JSON {
		return look.json(s, d)
	}
	_, err = fmt.Fprint(s.out, dungeon.Text(d))
	return err
}

// surveyor looks at dungeons in a language.
type surveyor struct {
	survey *persona.Survey
	texts  *locale.Catalog
	lang   string
}

func newSurveyor(lang string) (*surveyor, error) {
	r, err := app.FindRuleset("persona")
	if err != nil {
		return nil, err
	}
	game, err := host.NewGame(r.New, r.DefaultPack())
	if err != nil {
		return nil, err
	}
	survey, err := persona.NewSurvey(r.DefaultPack())
	if err != nil {
		return nil, err
	}
	return &surveyor{survey, game.Texts, lang}, nil
}

// say is a text of the command line.
func (l *surveyor) say(key string, params map[string]string) string {
	return language.Texts().Text("dungeon."+key, l.lang, func(name string) (string, bool) {
		value := params[name]
		return value, value != ""
	})
}

// read takes a dungeon as text, or as JSON if it begins as such.
func (l *surveyor) read(s streams, name string, file []byte) (*personav1.Dungeon, error) {
	if strings.HasPrefix(strings.TrimSpace(string(file)), "{") {
		d := &personav1.Dungeon{}
		if err := protojson.Unmarshal(file, d); err != nil {
			return nil, err
		}
		return d, nil
	}
	d, problems := dungeon.Parse(l.survey.Tables(), string(file))
	for _, p := range problems {
		text := l.say(p.Key, map[string]string{"word": p.Word, "nearest": p.Nearest})
		fmt.Fprintf(s.err, "%s:%d:%d: %s\n", name, p.Line, p.Column, text)
	}
	if d == nil {
		return nil, errSilent
	}
	return d, nil
}

func (l *surveyor) json(s streams, d *personav1.Dungeon) error {
	b, err := protojson.MarshalOptions{Multiline: true, Indent: "  "}.Marshal(d)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n", b)
	return err
}

// plan draws a floor as the GM sees it; nil if there is none of that number.
func (l *surveyor) plan(d *personav1.Dungeon, floor int32) *picture.Plan {
	seen := view.Dungeon(l.survey.Dungeon(d), view.Viewer{GM: true}, nil)
	view.RenderDungeon(seen, l.lang, l.texts, nil)
	return picture.Draw(seen, nil, floor, l.survey.Icon)
}

func (l *surveyor) words() picture.Words {
	texts := language.Texts()
	return picture.Words{Floor: func(n int32) string {
		return texts.Text("picture.floor", l.lang, func(string) (string, bool) { return strconv.Itoa(int(n)), true })
	}}
}

func (l *surveyor) show(s streams, d *personav1.Dungeon, floor int32) {
	for _, f := range d.Floors {
		if floor != 0 && f.Number != floor {
			continue
		}
		if plan := l.plan(d, f.Number); plan != nil {
			fmt.Fprintln(s.out, plan.Text(l.words()))
		}
	}
}

// findings tells what the validator says, a line each.
func (l *surveyor) findings(s streams, d *personav1.Dungeon) []*personav1.Finding {
	found := dungeon.Validate(l.survey.Tables(), dungeon.Case{Dungeon: d})
	for _, f := range found {
		severity := "warning"
		if f.Severity == personav1.Severity_SEVERITY_ERROR {
			severity = "error"
		}
		fmt.Fprintf(s.out, "%s %s: %s%s\n", f.Code, l.texts.Word(severity, l.lang), l.texts.Word(f.Name, l.lang), dungeon.Place(f))
	}
	return found
}
