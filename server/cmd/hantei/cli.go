package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/hantei/hantei/server/language"
)

// cli is the command line: a command is a file.
type cli struct {
	Serve      serveCmd      `cmd:"" help:"Run the server."`
	Demo       demoCmd       `cmd:"" help:"Run a server with a table ready to play, as no command at all does; or tell a scene."`
	Play       playCmd       `cmd:"" help:"Play scenario files and compare what comes out."`
	Odds       oddsCmd       `cmd:"" help:"Show how probable dice are, and what can come of the actions of a scenario file."`
	Dungeon    dungeonCmd    `cmd:"" help:"Draw, validate or generate a dungeon."`
	Sheet      sheetCmd      `cmd:"" help:"Try what a table would take of a character sheet of another tool."`
	Rules      rulesCmd      `cmd:"" help:"List rulesets, or the rules of one."`
	Verify     verifyCmd     `cmd:"" help:"Check the file of a table, or the dice of the events that a seat has saved."`
	Backup     backupCmd     `cmd:"" help:"Copy a database, also while the server runs."`
	AdminToken adminTokenCmd `cmd:"" help:"Make a new token for the admin, while the server is stopped."`
	Health     healthCmd     `cmd:"" help:"Ask a running server whether it is ready; exit code 0 if it is, 1 if not."`
	Version    versionCmd    `cmd:"" help:"Show the version."`

	Completion completionCmd `cmd:"" help:"Print a script with which a shell completes these commands."`
	Complete   completeCmd   `cmd:"" name:"complete-words" hidden:""`
}

const description = `Hantei is a rules server for tabletop role-playing games.

Examples:
  hantei                                       a demo table on this machine
  hantei demo coc                              a scene, told in the terminal
  hantei serve --db campaign.db                the server
  hantei serve --cors-origin https://vtt.example --http-addr :8080
  hantei play engine/coc/testdata/*.yaml       check scenarios
  hantei odds 2D6+3 --at-least 10              how probable dice are
  hantei sheet ccfolia.json                    what a table would take of a sheet
  hantei dungeon generate --seed 7             a dungeon to edit and explore
  hantei rules coc --coverage                  which rules have code and examples
  hantei verify watch.ndjson                   whether the dice follow from their seeds
  hantei backup --db campaign.db copy.db       a copy of a live database
  hantei health && echo up                     for scripts and containers
  source <(hantei completion bash)             let the tab key complete all this

Settings may also come from the environment: HANTEI_HTTP_ADDR is --http-addr.`

// streams are where commands write.
type streams struct{ out, err io.Writer }

// exit is how kong ends the program after --help, without ending the tests.
type exit int

// run carries out a command line and returns the exit code: 0 for good, 1 for a
// command that failed, 2 for a command line that makes no sense.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(exit)
			if !ok {
				panic(r)
			}
			code = int(e)
		}
	}()
	parser, err := kong.New(&cli{},
		kong.Name("hantei"),
		kong.Description(description),
		kong.DefaultEnvars("HANTEI"),
		kong.Vars{"languages": strings.Join(language.Spoken, ",")},
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}),
	)
	if err != nil { // the tags above are wrong; the tests would tell
		panic(err)
	}
	if len(args) == 0 {
		args = []string{"demo"} // a double click
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "hantei: %v\nTry: hantei --help\n", err)
		return 2
	}
	if err := command.Run(); err != nil {
		if !errors.Is(err, errSilent) {
			fmt.Fprintf(stderr, "hantei: %v\n", err)
		}
		return 1
	}
	return 0
}

// errSilent fails a command that has already said why.
var errSilent = errors.New("failed")
