package rule

import (
	"github.com/hantei/hantei/engine/foreign"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Foreign is how a ruleset maps between its sheets and those of other tools.
type Foreign struct {
	// Read makes a sheet of another tool's, that FromSheet takes, and reports what
	// became of each thing on it. It refuses nothing: what it cannot use is left to the
	// rules, and reported. texts are the texts of a key of the catalogue in all
	// languages.
	Read func(s *foreign.Sheet, texts func(key string) []string) (*tablev1.SheetInput, []foreign.Line)
	// Write makes another tool's sheet of what a seat sees of a character: what is
	// hidden from it is left out. text is the text of a key in the language to write
	// in, or empty.
	Write func(c *tablev1.CharacterView, text func(key string) string) *foreign.Sheet
}
