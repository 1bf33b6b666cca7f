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
	admin := host.Caller{Admin: true, Lang: "en"}
	made, err := h.CreateTable(ctx, admin, host.NewTable{Name: "Demo", Ruleset: "coc", FixedDice: demoDice()})
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	d := &Demo{Table: made.Table.ID, GM: made.Token, Code: made.Code.Text}
	gm := host.Caller{Table: d.Table, Seat: made.Seat.Id, Lang: "en"}
	for _, seat := range []struct {
		token           *string
		name, character string
	}{{&d.Officer, "Officer's player", "officer"}, {&d.Nurse, "Nurse's player", "nurse"}} {
		invited, err := h.Invite(ctx, gm, host.Invitation{
			Name: seat.name, Role: tablev1.SeatRole_SEAT_ROLE_PLAYER, Characters: []string{seat.character},
		})
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		*seat.token = invited.Token
	}
	for _, sample := range []string{"officer", "nurse", "thug"} {
		if _, err := h.CreateCharacters(ctx, gm, host.NewCharacters{Sample: sample, ID: sample}); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	return d, nil
}

// demoLine is one request of the round that Lines plays.
type demoLine struct {
	about string
	token string // the shell variable that has it
	path  string // below /v1/tables/${TABLE}
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
	for i, l := range demoRound {
		fmt.Fprintf(w, "# %d. %s\n%s\n\n", i+1, l.about, l.curl())
	}
	fmt.Fprintf(w, "# The table as the officer's player sees it now, with all that he can do:\n"+
		"curl -s \"$URL/v1/tables/${TABLE}/view\" -H \"Authorization: Bearer $OFFICER\" -H \"Accept-Language: en\"\n\n")
}

func (l demoLine) curl() string {
	return fmt.Sprintf(`curl -s "$URL/v1/tables/${TABLE}%s" -H "Authorization: Bearer $%s" -H "Accept-Language: en" -d '%s' | say`, l.path, l.token, l.body)
}
