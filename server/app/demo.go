package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/host"
)

// Demo is a table that is ready to play: an officer, a nurse and the thug whom
// they surprised. Its dice are fixed, so the same lines always meet the same
// prompts.
type Demo struct {
	// Table is its id.
	Table string
	// GM, Officer and Nurse are the tokens of its seats.
	GM, Officer, Nurse string
	// Code pairs another device with the GM's seat, once and for ten minutes.
	Code string
}

// demoDice are dice with which the round that Lines plays has something to show:
// a blow, a dodge that fails, a shock roll, a nurse who is covered. They are the
// first that the table throws.
func demoDice() *host.FixedDice {
	return &host.FixedDice{Label: "demo", Seed: sha256.Sum256([]byte("hantei demo 70124"))}
}

// NewDemo makes a demo table.
func NewDemo(ctx context.Context, h *host.Host) (*Demo, error) {
	d := &Demo{}
	made, err := seatDemo(ctx, h, host.NewTable{Name: "Demo", Ruleset: "coc", FixedDice: demoDice()}, []demoPlayer{
		{&d.Officer, "Officer's player", []string{"officer"}}, {&d.Nurse, "Nurse's player", []string{"nurse"}},
	}, "officer", "nurse", "thug")
	if err != nil {
		return nil, err
	}
	d.Table, d.GM, d.Code = made.Table.ID, made.Token, made.Code.Text
	return d, nil
}

// demoPlayer is a player of a demo, whose token is written where it is wanted.
type demoPlayer struct {
	token      *string
	name       string
	characters []string
}

// seatDemo makes a table with its players and these samples.
func seatDemo(ctx context.Context, h *host.Host, n host.NewTable, players []demoPlayer, samples ...string) (*host.Made, error) {
	made, err := h.CreateTable(ctx, host.Caller{Admin: true, Lang: "en"}, n)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	gm := demoGM(&made)
	for _, p := range players {
		invited, err := h.Invite(ctx, gm, host.Invitation{Name: p.name, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: p.characters})
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		*p.token = invited.Token
	}
	for _, sample := range samples {
		if _, err := h.CreateCharacters(ctx, gm, host.NewCharacters{Sample: sample, ID: sample}); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	return &made, nil
}

// demoGM is who leads a table that was made.
func demoGM(made *host.Made) host.Caller {
	return host.Caller{Table: made.Table.ID, Seat: made.Seat.Id, Lang: "en"}
}

// demoLine is one request of the round that Lines plays.
type demoLine struct {
	about string
	token string // the shell variable that has it
	path  string // below that of the table
	body  string
}

var demoRound = []demoLine{
	{"The keeper declares the fight. The officer and the thug are equally quick: dice decide.", "GM", ":act",
		`{"action": {"coc": {"startCombat": {"combatants": ["officer", "nurse", "thug"], "notes": "A cellar door bursts open."}}}}`},
	{"Shooting step: only the officer has a gun in hand. He waits.", "OFFICER", ":act",
		`{"actor": "officer", "action": {"coc": {"endTurn": {}}}}`},
	{"Action step, in the order of DEX: the nurse lets it pass.", "NURSE", ":act",
		`{"actor": "nurse", "action": {"coc": {"endTurn": {}}}}`},
	{"The officer strikes. The server rolls, and asks the keeper how the thug defends.", "OFFICER", ":act",
		`{"actor": "officer", "action": {"coc": {"attack": {"weapon": "baton", "target": "thug"}}}}`},
	{"The thug tries to dodge.", "GM", "/prompts/-:answer",
		`{"answers": [{"character": "thug", "choice": "dodge"}]}`},
	{"The officer's turn ends.", "OFFICER", ":act",
		`{"actor": "officer", "action": {"coc": {"endTurn": {}}}}`},
	{"The thug goes for the nurse. Her ally may take the blow: the officer is asked.", "GM", ":act",
		`{"actor": "thug", "action": {"coc": {"attack": {"weapon": "knife", "target": "nurse"}}}}`},
	{"He covers her.", "OFFICER", "/prompts/-:answer",
		`{"answers": [{"character": "officer", "choice": "cover"}]}`},
	{"Now it is he who is struck. He dodges.", "OFFICER", "/prompts/-:answer",
		`{"answers": [{"character": "officer", "choice": "dodge"}]}`},
	{"The thug's turn ends, and with it the round. Does the fight go on?", "GM", ":act",
		`{"actor": "thug", "action": {"coc": {"endTurn": {}}}}`},
	{"It does.", "GM", "/prompts/-:answer",
		`{"answers": [{"choice": "continue"}]}`},
}

// Print writes what to paste into a shell: the tokens, a line that watches, the
// lines of a round, and a look at the table. base is the server's address, for
// example http://127.0.0.1:8080.
func (d *Demo) Print(w io.Writer, base string) {
	fmt.Fprintf(w, `
A table is ready: an officer, a nurse, and the thug whom they surprised.
Its dice are fixed: the same lines always bring the same faces.
Pairing code of the GM's seat, for a client that asks for one: %s (once, within 10 minutes).

Paste these first, in every terminal that you use (any shell that has curl and grep):

URL=%s
TABLE=%s
GM=%s
OFFICER=%s
NURSE=%s
say() { grep --line-buffered -oE '"(text|message)":"[^"]*"'; } # leave "| say" out to see all of an answer

# Watch, as the nurse's player sees it; in a terminal of its own:
curl -sN "$URL/v1/watch?cursor=beginning" -H "Authorization: Bearer $NURSE" -H "Accept: text/event-stream" -H "Accept-Language: en" | say

`, d.Code, base, d.Table, d.GM, d.Officer, d.Nurse)
	printLines(w, "TABLE", demoRound)
	fmt.Fprintf(w, "# The table as the officer's player sees it now, with all that he can do:\n"+
		"curl -s \"$URL/v1/tables/${TABLE}/view\" -H \"Authorization: Bearer $OFFICER\" -H \"Accept-Language: en\"\n\n")
}

// printLines writes numbered requests to a table, whose id is in a shell variable.
func printLines(w io.Writer, table string, lines []demoLine) {
	for i, l := range lines {
		fmt.Fprintf(w, "# %d. %s\n"+`curl -s "$URL/v1/tables/${%s}%s" -H "Authorization: Bearer $%s" -H "Accept-Language: en" -d '%s' | say`+"\n\n",
			i+1, l.about, table, l.path, l.token, l.body)
	}
}
