package language

import (
	"sync"

	"github.com/hantei/hantei/engine/locale"
)

// Texts are what the server says by itself, whatever the ruleset.
var Texts = sync.OnceValue(func() *locale.Catalog {
	c, err := locale.Load(locale.Core())
	if err != nil {
		panic(err) // the texts are in the program, and tested
	}
	return c
})
