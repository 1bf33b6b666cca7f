package language

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/grpc/metadata"
)

func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		header []string
		want   string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"ja"}, "ja"},
		{[]string{"JA-jp"}, "ja"},
		{[]string{"fr, de;q=0.9"}, "en"},
		{[]string{"fr, ja;q=0.1"}, "ja"},
		{[]string{"en;q=0.5, ja;q=0.8"}, "ja"},
		{[]string{"en, ja"}, "en"},
		{[]string{"en;q=0.5", "ja"}, "ja"},
		{[]string{"ja ; q = 0"}, "en"},
		{[]string{"ja;q=x"}, "en"},
		{[]string{"ja;q=2"}, "en"},
	} {
		if got := Accepted(c.header); got != c.want {
			t.Errorf("%q: %s, want %s", c.header, got, c.want)
		}
		md := metadata.MD{Header: c.header}
		if got := Of(metadata.NewIncomingContext(t.Context(), md)); got != c.want {
			t.Errorf("a call with %q: %s, want %s", c.header, got, c.want)
		}
	}
	if got := Of(context.Background()); got != "en" {
		t.Errorf("a call without headers: %s", got)
	}
}

// TestSpokenIsWritten: what is promised there are texts in, and the other way.
func TestSpokenIsWritten(t *testing.T) {
	if got := Texts().Languages(); !slices.Equal(got, Spoken) {
		t.Errorf("texts in %v, spoken are %v", got, Spoken)
	}
}
