// Package exchange reads and writes the files in which other tools keep a character,
// one format a file. It knows no game: what comes out, and goes in, are labels and
// what stands beside them (engine/foreign).
//
// A file may come from anywhere. Whatever it says of itself, reading it takes time
// and memory in proportion to its length, which is limited.
package exchange

import (
	"bytes"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/foreign"
)

// Format is how a file is written; the numbers are those of the contract.
type Format int

const (
	// Ccfolia is the JSON that ccfolia takes from the clipboard, and that sheet
	// services make for it.
	Ccfolia Format = iota + 1
	// Charasheet is the JSON of charasheet.vampire-blood.net, also as the script that
	// it is inside of a call.
	Charasheet
	// CharasheetText is what that site shows as plain text.
	CharasheetText
	// Udonarium is the XML of a character in Udonarium, also in the zip that it saves.
	Udonarium
)

// Limits of a file.
const (
	// MaxBytes is the most bytes, of a zip and of the XML in it.
	MaxBytes = 256 << 10
	// maxDepth is how deep lists, objects and elements may lie in each other.
	maxDepth = 32
	// maxThings is the most rows, weapons, texts and palette lines.
	maxThings = 1000
)

// Wrong is why a file cannot be read.
type Wrong string

// What can be wrong with a file.
const (
	// TooLarge is more than the limits allow.
	TooLarge Wrong = "sheet_too_large"
	// Empty has nothing in it.
	Empty Wrong = "sheet_empty"
	// NotUTF8 is text in another encoding, such as Shift_JIS, or no text.
	NotUTF8 Wrong = "sheet_not_utf8"
	// Unknown is none of the formats, or not the one that was named.
	Unknown Wrong = "sheet_unknown_format"
	// BadJSON and BadXML are not written by the rules of JSON and XML.
	BadJSON Wrong = "sheet_bad_json"
	BadXML  Wrong = "sheet_bad_xml"
	// Doctype is XML that declares things: it could make much of little.
	Doctype Wrong = "sheet_doctype"
	// Twice has a name twice, where it may stand once.
	Twice Wrong = "sheet_twice"
	// TooDeep has too many things in each other.
	TooDeep Wrong = "sheet_too_deep"
	// BadZip is a damaged zip, or one without a character in it.
	BadZip Wrong = "sheet_bad_zip"
	// OtherGame is a sheet of that site for another game.
	OtherGame Wrong = "sheet_other_game"
)

// Error is a file that cannot be read.
type Error struct {
	// Wrong is why.
	Wrong Wrong
	// Name is the name in the file that it is about; may be empty.
	Name string
}

// Error says why.
func (e *Error) Error() string {
	if e.Name == "" {
		return "exchange: " + string(e.Wrong)
	}
	return "exchange: " + string(e.Wrong) + ": " + e.Name
}

func wrong(w Wrong) error { return &Error{Wrong: w} }

// bom may stand before a text.
var bom = []byte("\xef\xbb\xbf")

// Read reads a file in a format; 0 finds out which. It returns the format, too.
// Errors: *Error.
func Read(file []byte, f Format) (*foreign.Sheet, Format, error) {
	if len(file) > MaxBytes {
		return nil, 0, wrong(TooLarge)
	}
	if isZip(file) && (f == 0 || f == Udonarium) {
		inside, err := unzip(file)
		if err != nil {
			return nil, 0, err
		}
		file, f = inside, Udonarium
	}
	if !utf8.Valid(file) {
		return nil, 0, wrong(NotUTF8)
	}
	file = bytes.TrimSpace(bytes.TrimPrefix(file, bom))
	if len(file) == 0 {
		return nil, 0, wrong(Empty)
	}
	s, f, err := read(file, f)
	if err != nil {
		return nil, 0, err
	}
	if len(s.Rows)+len(s.Weapons)+len(s.Texts)+len(s.Palette) > maxThings {
		return nil, 0, wrong(TooLarge)
	}
	return s, f, nil
}

func read(file []byte, f Format) (*foreign.Sheet, Format, error) {
	switch {
	case f == CharasheetText, f == 0 && isCharasheetText(file):
		s, err := readCharasheetText(file)
		return s, CharasheetText, err
	case f == Udonarium, f == 0 && file[0] == '<':
		s, err := readUdonarium(file)
		return s, Udonarium, err
	}
	if f == 0 || f == Charasheet {
		file = uncalled(file)
	}
	if f == 0 && file[0] != '{' {
		return nil, 0, wrong(Unknown)
	}
	o, err := readObject(file)
	switch {
	case err != nil:
		return nil, 0, err
	case f != Charasheet && isCcfolia(o):
		s, err := readCcfolia(o)
		return s, Ccfolia, err
	case f != Ccfolia && isCharasheet(o):
		s, err := readCharasheet(o)
		return s, Charasheet, err
	}
	return nil, 0, wrong(Unknown)
}

// File is what Write makes.
type File struct {
	// Content is UTF-8.
	Content string
	// Media is its media type, and Ending what its name ends with.
	Media, Ending string
}

// Written reports whether a format can be written.
func (f Format) Written() bool { return f == Ccfolia || f == Udonarium }

// Write makes the file of a sheet. It panics on a format that is not written.
func Write(s *foreign.Sheet, f Format) File {
	switch f {
	case Ccfolia:
		return File{writeCcfolia(s), "application/json", ".json"}
	case Udonarium:
		return File{writeUdonarium(s), "application/xml", ".xml"}
	}
	panic("exchange: a format that is only read")
}
