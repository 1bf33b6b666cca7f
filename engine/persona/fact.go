package persona

import (
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// numberFact makes a fact of a number, for marks and windows.
func numberFact(key rule.FactKey, a typev1.Audience, n int32) *typev1.Fact {
	return &typev1.Fact{Key: key.String(), Number: &n, Audience: a}
}

// textFact makes a fact of somebody's own words.
func textFact(key rule.FactKey, a typev1.Audience, words string) *typev1.Fact {
	return &typev1.Fact{Key: key.String(), Text: &words, Audience: a}
}

// text is a number as words have it.
func text(n int32) string { return strconv.Itoa(int(n)) }
