// Package language decides in which language a caller is spoken to.
package language

import (
	"context"
	"strconv"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Header names the languages that a caller accepts, as metadata are spelt.
const Header = "accept-language"

// English is for who asks for no language, and for what programmers read.
const English = "en"

// Spoken are the languages of the server.
var Spoken = []string{English, "ja"}

// Of is the language of a call's caller.
func Of(ctx context.Context) string {
	b := best{English, 0}
	b.read(metadata.ValueFromIncomingContext(ctx, Header))
	b.read(metadata.ValueFromIncomingContext(ctx, "grpcgateway-"+Header))
	return b.language
}

// Accepted is the best of the languages that a header's values accept.
func Accepted(header []string) string {
	b := best{English, 0}
	b.read(header)
	return b.language
}

// best is the language with the highest quality so far.
type best struct {
	language string
	quality  float64
}

func (b *best) read(header []string) {
	for _, value := range header {
		for part := range strings.SplitSeq(value, ",") {
			if lang, q := accepted(part); q > b.quality {
				b.language, b.quality = lang, q
			}
		}
	}
}

// accepted reads one part of the header: "ja-JP;q=0.8". The quality is 0 for a
// language that the server does not speak.
func accepted(part string) (string, float64) {
	tag, params, _ := strings.Cut(strings.TrimSpace(part), ";")
	base, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	q := 1.0
	if name, value, ok := strings.Cut(strings.TrimSpace(params), "="); ok && strings.TrimSpace(name) == "q" {
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || n < 0 || n > 1 {
			return "", 0
		}
		q = n
	}
	for _, l := range Spoken {
		if l == base {
			return l, q
		}
	}
	return "", 0
}
