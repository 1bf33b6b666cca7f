package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/hantei/hantei/engine/audit"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/archive"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/language"
	"google.golang.org/protobuf/encoding/protojson"
)

// verifyCmd checks what was saved of a table, without a server.
type verifyCmd struct {
	File string `arg:"" type:"existingfile" name:"file" help:"The file of a table, or the events that a seat has saved."`
	Lang string `default:"en" enum:"en,ja" help:"The language of the report: en or ja."`
}

// Help is shown by hantei verify --help.
func (*verifyCmd) Help() string {
	return `Of a table's file (ExportTable) it checks that nothing was altered, that the events
lead to the state, that the rules of this program make the same events again, and that
the dice follow from their seeds. Of the events that a seat has saved (Watch or
ListEvents, as JSON or server-sent events, from the table's beginning) it checks every
die that the seat saw and whose seed is revealed. Exit code 1 if there is a fault.
What that proves stands in server/docs/verify.md.

Examples:
  hantei verify ktqx7w2n5d3fhjma-210.hantei
  hantei verify --lang ja watch.ndjson`
}

// Run implements the command.
func (c *verifyCmd) Run(ctx context.Context, s streams) error {
	content, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	p := printer{out: s.out, lang: c.Lang}
	var exported hanteiv1.ExportTableResponse
	if err := lenient.Unmarshal(content, &exported); err == nil && len(exported.Content) > 0 {
		content = exported.Content // as it comes over REST
	}
	report, err := host.VerifyFile(ctx, content, findGame)
	if err == nil {
		return p.log(report)
	}
	if !errors.Is(err, archive.ErrNotOurs) {
		return err
	}
	events, cut, err := savedEvents(content)
	if err != nil {
		return errors.New(p.text("unreadable", "detail", err.Error()))
	}
	return p.stream(audit.Stream(events), cut)
}

func findGame(ruleset string) (*host.Game, error) {
	r, err := app.FindRuleset(ruleset)
	if err != nil {
		return nil, err
	}
	return host.NewGame(r.New, r.DefaultPack())
}

var lenient = protojson.UnmarshalOptions{DiscardUnknown: true}

// savedEvents reads the events of frames or pages. cut is true if the last one is not
// whole: whoever saves a stream stops somewhere.
func savedEvents(content []byte) (events []*tablev1.EventView, cut bool, err error) {
	in := json.NewDecoder(bytes.NewReader(frames(content)))
	for n := 1; ; n++ {
		var frame struct {
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		var raw json.RawMessage
		switch err := in.Decode(&raw); {
		case errors.Is(err, io.EOF) && len(events) == 0:
			return nil, false, errors.New("no event in it")
		case errors.Is(err, io.EOF):
			return events, false, nil
		case errors.Is(err, io.ErrUnexpectedEOF) && len(events) > 0:
			return events, true, nil
		case err != nil:
			return nil, false, fmt.Errorf("%d: %w", n, err)
		}
		if err := json.Unmarshal(raw, &frame); err != nil {
			return nil, false, fmt.Errorf("%d: %w", n, err)
		}
		if len(frame.Result) > 0 {
			raw = frame.Result
		}
		var page hanteiv1.WatchResponse // a page of ListEvents has its events under the same name
		if err := lenient.Unmarshal(raw, &page); err != nil {
			return nil, false, fmt.Errorf("%d: %w", n, err)
		}
		events = append(events, page.Events...)
	}
}

// frames are the data of server-sent events; anything else is left as it is.
func frames(content []byte) []byte {
	var out []byte
	for line := range bytes.Lines(content) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			out = append(out, data...)
		}
	}
	if out == nil {
		return content
	}
	return out
}

// printer writes reports in a language.
type printer struct {
	out  io.Writer
	lang string
}

// text is a text of the checks with its values: name, text, name, text.
func (p printer) text(key string, values ...string) string {
	return language.Texts().Text("verify."+key, p.lang, func(name string) (string, bool) {
		for i := 0; i+1 < len(values); i += 2 {
			if values[i] == name && values[i+1] != "" {
				return values[i+1], true
			}
		}
		return "", false
	})
}

func (p printer) log(r audit.Report) error {
	if r.TablePack != r.ServerPack {
		fmt.Fprintln(p.out, p.text("pack_differs"))
	}
	p.check("file_chain", r.Chain)
	p.check("file_fold", r.Fold)
	p.check("file_rules", r.Rules)
	p.check("file_dice", r.Dice)
	return p.verdict(r.Sound())
}

func (p printer) stream(s audit.Saved, cut bool) error {
	if cut {
		fmt.Fprintln(p.out, p.text("cut_off"))
	}
	for _, e := range s.Epochs {
		fmt.Fprintln(p.out, p.text("epoch_is", "epoch", strconv.Itoa(int(e.Epoch)), "open", e.OpenSeed, "secret", e.SecretSeed,
			"shares", strconv.Itoa(len(e.Shares))))
	}
	p.check("file_dice", s.Dice)
	return p.verdict(s.Dice.Fault == nil)
}

func (p printer) check(key string, c audit.Check) {
	fmt.Fprintln(p.out, p.text(key, "checked", count(c.Checked), "unchecked", count(c.Unchecked), "given", count(c.Given)))
	if f := c.Fault; f != nil {
		text := language.Texts().Text("verify."+f.Key, p.lang, f.Named)
		commit, event := count(f.Commit), count(f.Event)
		if f.Commit == 0 {
			commit = ""
		}
		if f.Event == 0 {
			event = ""
		}
		fmt.Fprintln(p.out, "  ! "+p.text("fault_at", "commit", commit, "event", event, "path", f.Path, "text", text))
	}
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func (p printer) verdict(sound bool) error {
	if sound {
		fmt.Fprintln(p.out, p.text("sound"))
		return nil
	}
	fmt.Fprintln(p.out, p.text("faults"))
	return errSilent
}
