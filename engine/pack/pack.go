// Package pack loads a ruleset's replaceable tables: strictly, with all errors
// at once, each with its file and line.
package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/hantei/hantei/engine/rule"
)

// Error is one thing that is wrong with a pack.
type Error struct {
	// File that it is in.
	File string
	// Line of it, from 1; 0 if the error is not of one line.
	Line int
	// Message says what is wrong.
	Message string
}

// Error gives file, line and message.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message) }

// Errors are all that is wrong with a pack.
type Errors []*Error

// Error gives all of them, a line each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// File is one table of a pack as it was written.
type File struct {
	// Name, for example "weapons.yaml".
	Name string
	// Text is its YAML.
	Text []byte
}

// Embedded returns the tables of these names that a program carries in a folder, in
// their order. It panics if one is not there: it is embedded.
func Embedded(folder fs.FS, names []string) []File {
	files := make([]File, len(names))
	for i, n := range names {
		text, err := fs.ReadFile(folder, n)
		if err != nil {
			panic(err)
		}
		files[i] = File{Name: n, Text: text}
	}
	return files
}

// ByName finds the tables of a ruleset among files. Errors are files that are no table
// of it, and tables that are missing.
func ByName(files []File, names []string) (map[string]File, Errors) {
	var errs Errors
	byName := make(map[string]File, len(files))
	for _, f := range files {
		if !slices.Contains(names, f.Name) {
			e := &Error{File: f.Name, Message: "no table of this ruleset"}
			if near := rule.Nearest(f.Name, names); near != "" {
				e.Message += fmt.Sprintf(" (did you mean %q?)", near)
			}
			errs = append(errs, e)
			continue
		}
		byName[f.Name] = f
	}
	for _, n := range names {
		if _, ok := byName[n]; !ok {
			errs = append(errs, &Error{File: n, Message: "the table is missing"})
		}
	}
	return byName, errs
}

// Row is a row of a table with the place that it was read from.
type Row[T any] struct {
	Value T
	File  string
	Line  int
}

// Rows reads a table: a YAML list of rows. A row with an unknown key, a doubled
// key or a value of the wrong type is an error; the others are read all the same.
func Rows[T any](f File) ([]Row[T], Errors) {
	doc, err := parser.ParseBytes(f.Text, 0)
	if err != nil {
		return nil, Errors{syntax(f.Name, 0, err)}
	}
	if len(doc.Docs) == 0 || doc.Docs[0].Body == nil {
		return nil, nil
	}
	list, ok := doc.Docs[0].Body.(*ast.SequenceNode)
	if !ok || len(doc.Docs) > 1 {
		return nil, Errors{{File: f.Name, Line: 1, Message: "a table is one list of rows"}}
	}
	var rows []Row[T]
	var errs Errors
	for _, node := range list.Values {
		line := node.GetToken().Position.Line
		if points := ast.Filter(ast.FloatType, node); len(points) > 0 {
			// The YAML package would cut the fraction off without a word.
			t := points[0].GetToken()
			errs = append(errs, &Error{File: f.Name, Line: t.Position.Line, Message: fmt.Sprintf("%s is no whole number; quote a text", t.Value)})
			continue
		}
		row := Row[T]{File: f.Name, Line: line}
		if err := yaml.NodeToValue(node, &row.Value, yaml.Strict()); err != nil {
			errs = append(errs, syntax(f.Name, line, err, keysOf[T]()...))
			continue
		}
		rows = append(rows, row)
	}
	return rows, errs
}

// syntax turns an error of the YAML package into ours.
func syntax(file string, line int, err error, keys ...string) *Error {
	message := err.Error()
	var y yaml.Error
	if errors.As(err, &y) {
		message = y.GetMessage()
		if t := y.GetToken(); t != nil {
			line = t.Position.Line
			if near := rule.Nearest(t.Value, keys); near != "" && strings.Contains(message, "unknown field") {
				message += fmt.Sprintf(" (did you mean %q?)", near)
			}
		}
	}
	return &Error{File: file, Line: line, Message: message}
}

// keysOf lists the keys that a row may have.
func keysOf[T any]() []string {
	t := reflect.TypeFor[T]()
	var keys []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		keys = append(keys, name)
	}
	return keys
}

// Hash is the SHA-256 of a pack's content, in hex: of its tables in the order
// given, each with its name. The same text is the same pack.
func Hash(files []File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%d %s %d ", len(f.Name), f.Name, len(f.Text))
		h.Write(f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Unique adds an error for each row whose id occurred before.
func Unique[T any](rows []Row[T], id func(T) string) Errors {
	var errs Errors
	seen := make(map[string]int, len(rows))
	for _, r := range rows {
		if first, ok := seen[id(r.Value)]; ok {
			errs = append(errs, r.Error(fmt.Sprintf("%q is already on line %d", id(r.Value), first)))
			continue
		}
		seen[id(r.Value)] = r.Line
	}
	return errs
}

// Error makes an error at the row.
func (r Row[T]) Error(message string) *Error {
	return &Error{File: r.File, Line: r.Line, Message: message}
}
