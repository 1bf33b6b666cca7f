package host

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/exchange"
)

// Import is a sheet of another tool that is to come to a table.
type Import struct {
	// Request identifies the request; a dry run has none.
	Request Request
	// File is the sheet, and Field the field of the request that has it.
	File  []byte
	Field string
	// Format of the file; 0 finds it out.
	Format exchange.Format
	// DryRun changes nothing.
	DryRun bool
	// Kind of the character; unspecified for a player's.
	Kind tablev1.CharacterKind
	// ID, Name and Seat are as in NewCharacters; an empty name is the sheet's.
	ID, Name, Seat string
}

// Imported is what was made of a sheet of another tool.
type Imported struct {
	// Character as the caller's seat sees it, or would.
	Character *tablev1.CharacterView
	// Report is what became of each thing on the sheet.
	Report []ImportedField
	// Format of the file.
	Format exchange.Format
}

// ImportedField is what became of one thing on a sheet.
type ImportedField struct {
	foreign.Line
	// Text says it in the caller's language.
	Text string
}

// ImportCharacter brings a sheet of another tool to a table, as CreateCharacters does.
func (h *Host) ImportCharacter(ctx context.Context, by Caller, n Import) (Imported, error) {
	game, err := ask(ctx, h, by.Table, func(t *table) (*Game, error) {
		s, refusal := t.sit(by)
		switch {
		case refusal != nil:
			return nil, refusal
		case s.viewer.Observer:
			return nil, notYours("").Say("you_look_on")
		case !s.gm() && n.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC:
			return nil, notYours("kind").Say("gm_brings_npcs")
		}
		return t.game, nil
	})
	if err != nil {
		return Imported{}, err
	}
	refuse := func(r *rule.Refusal) (Imported, error) { return Imported{}, &Refused{Refusal: r, Game: game} }
	if game.Rules.Foreign == nil {
		return refuse(invalid("").Say("no_foreign_sheets"))
	}
	// The table goes on meanwhile.
	read, err := game.ReadSheet(n.File, n.Format, by.Lang)
	var wrong *exchange.Error
	if errors.As(err, &wrong) {
		return refuse(unreadable(n.Field, wrong))
	}
	if read.Sheet.Kind = n.Kind; n.Kind == tablev1.CharacterKind_CHARACTER_KIND_UNSPECIFIED {
		read.Sheet.Kind = tablev1.CharacterKind_CHARACTER_KIND_PC
	}
	made := NewCharacters{Request: n.Request, ID: n.ID, Name: n.Name, Sheet: read.Sheet, Seat: n.Seat}
	if made.Name == "" {
		made.Name = read.Name
	}
	out := Imported{Report: read.Report, Format: read.Format}
	if n.DryRun {
		out.Character, err = ask(ctx, h, by.Table, func(t *table) (*tablev1.CharacterView, error) {
			s, refusal := t.sit(by)
			if refusal != nil {
				return nil, refusal
			}
			return t.foresee(s, by, made)
		})
		return out, err
	}
	characters, err := h.CreateCharacters(ctx, by, made)
	if err != nil {
		return Imported{}, err
	}
	if len(characters) > 0 {
		out.Character = characters[0]
	}
	return out, nil
}

// ReadSheet is what a game makes of another tool's sheet.
type ReadSheet struct {
	// Name of the character; may be empty.
	Name string
	// Sheet without a kind, which no tool tells.
	Sheet *tablev1.SheetInput
	// Report is what became of each thing on it.
	Report []ImportedField
	// Format that it is written in.
	Format exchange.Format
}

// ReadSheet reads another tool's sheet in a format, 0 to find it out, and reports in
// the language. It panics for rules that read none. Errors: *exchange.Error.
func (g *Game) ReadSheet(file []byte, f exchange.Format, lang string) (ReadSheet, error) {
	s, f, err := exchange.Read(file, f)
	if err != nil {
		return ReadSheet{}, err
	}
	sheet, lines := g.Rules.Foreign.Read(s, g.Texts.Texts)
	return ReadSheet{Name: s.Name, Sheet: sheet, Report: g.report(lines, lang), Format: f}, nil
}

// unreadable refuses a file.
func unreadable(field string, e *exchange.Error) *rule.Refusal {
	if e.Wrong == exchange.TooLarge {
		return tooLarge(field).Say(string(e.Wrong))
	}
	return invalid(field).Say(string(e.Wrong)).Name(e.Name)
}

// report says in the language what became of each thing on a sheet.
func (g *Game) report(lines []foreign.Line, lang string) []ImportedField {
	out := make([]ImportedField, len(lines))
	for i, l := range lines {
		l.Label, l.Written = excerpt(l.Label), excerpt(l.Written)
		what := g.Texts.Word(l.Key, lang)
		if key := "stat." + l.Key; g.Texts.Has(key) {
			what = g.Texts.Text(key, lang, nil)
		}
		out[i] = ImportedField{l, g.Texts.Imported(l.Outcome.String(), lang, map[string]string{
			"label": l.Label, "written": l.Written, "what": what, "value": l.Value, "speciality": l.Speciality,
		})}
	}
	return out
}

// longestExcerpt is how many characters are repeated of what stands on a sheet.
const longestExcerpt = 80

// excerpt is the beginning of a text in one line.
func excerpt(text string) string {
	text = strings.Map(func(r rune) rune {
		if profile.Unprintable(r) {
			return ' '
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) > longestExcerpt {
		text = string([]rune(text)[:longestExcerpt]) + "…"
	}
	return text
}

// ExportCharacter writes a character for another tool, as the caller's seat sees it.
func (h *Host) ExportCharacter(ctx context.Context, by Caller, id string, f exchange.Format) (exchange.File, error) {
	type both struct {
		game *Game
		seen *tablev1.CharacterView
	}
	b, err := ask(ctx, h, by.Table, func(t *table) (both, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return both{}, refusal
		}
		if refusal := t.checkKnown(s, "character_id", id); refusal != nil {
			return both{}, refusal
		}
		return both{t.game, t.shown(s, id)}, nil
	})
	game := b.game
	switch {
	case err != nil:
		return exchange.File{}, err
	case game.Rules.Foreign == nil:
		return exchange.File{}, &Refused{Refusal: invalid("").Say("no_foreign_sheets"), Game: game}
	case !f.Written():
		return exchange.File{}, &Refused{Refusal: invalid("format").Say("sheet_only_read"), Game: game}
	}
	return game.WriteSheet(b.seen, f, by.Lang), nil
}

// WriteSheet writes what a seat sees of a character, with names in the language. It
// panics for rules that write none, and on a format that is only read.
func (g *Game) WriteSheet(c *tablev1.CharacterView, f exchange.Format, lang string) exchange.File {
	return exchange.Write(g.Rules.Foreign.Write(c, func(key string) string {
		if !g.Texts.Has(key) {
			return ""
		}
		return g.Texts.Text(key, lang, nil)
	}), f)
}
