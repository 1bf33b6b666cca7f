package app_test

import (
	"testing"

	"github.com/hantei/hantei/server/config"
)

// TestVersion asks as a client does before it has a token, from the page of an
// origin that nobody has listed.
func TestVersion(t *testing.T) {
	for _, origins := range [][]string{nil, {"https://vtt.example"}} {
		s := start(t, func(c *config.Server) { c.CORSOrigins = origins })
		for _, origin := range []string{"https://vtt.example", "https://other.example"} {
			a := s.get("/version", "Authorization: ", "Origin: "+origin)
			if a.StatusCode != 200 || a.body != `{"program":"hantei","version":"v1.2.3","apis":["v1"]}`+"\n" {
				t.Errorf("%d %s", a.StatusCode, a.body)
			}
			if got := a.Header.Values("Access-Control-Allow-Origin"); len(got) != 1 || got[0] != "*" {
				t.Errorf("list %v, page of %s: %v may read it", origins, origin, got)
			}
		}
		if a := s.do("POST", "/version", "", "Authorization: "); a.StatusCode != 405 || a.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%d %v", a.StatusCode, a.Header)
		}
		s.stop()
	}
}
