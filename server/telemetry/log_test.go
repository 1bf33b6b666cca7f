package telemetry_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hantei/hantei/server/telemetry"
)

func TestNewLogger(t *testing.T) {
	for _, c := range []struct{ level, format, want string }{
		{"info", "json", `"msg":"hello"`},
		{"INFO", "text", `msg=hello`},
		{"warn", "json", ""},
	} {
		var b bytes.Buffer
		log, err := telemetry.NewLogger(&b, c.level, c.format)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("hello")
		if got := b.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %s: %q", c.level, c.format, got)
		}
	}
	for _, c := range [][2]string{{"loud", "json"}, {"info", "xml"}} {
		if _, err := telemetry.NewLogger(&bytes.Buffer{}, c[0], c[1]); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}
