package host

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/hantei/hantei/server/auth"
)

func testKeys(tb testing.TB, first byte) *keys {
	tb.Helper()
	secret := make([]byte, secretBytes)
	secret[0] = first
	k, err := newKeys(secret)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func TestEventIDs(t *testing.T) {
	k := testKeys(t, 1)
	a, b := k.tag("table a"), k.tag("table b")
	seen := make(map[string]bool)
	for n := int64(1); n < 100; n++ {
		id := opaque(k.events, a, n)
		if len(id) != 22 || seen[id] {
			t.Fatalf("id %q of %d", id, n)
		}
		seen[id] = true
		if got, ok := plain(k.events, a, id); !ok || got != n {
			t.Errorf("%d came back as %d, %v", n, got, ok)
		}
		for name, ok := range map[string]bool{
			"another table":  second(plain(k.events, b, id)),
			"another use":    second(plain(k.steps, a, id)),
			"another server": second(plain(testKeys(t, 2).events, a, id)),
			"cut":            second(plain(k.events, a, id[:21])),
			"longer":         second(plain(k.events, a, id+"A")),
			"a newline":      second(plain(k.events, a, id[:21]+"\n")),
			"stray bits":     second(plain(k.events, a, id[:21]+other(id[21]))),
		} {
			if ok {
				t.Errorf("%s: %q is taken", name, id)
			}
		}
	}
	if second(plain(k.events, a, opaque(k.events, a, 0))) {
		t.Error("there is no event 0")
	}
}

func second[A, B any](_ A, b B) B { return b }

// other is another letter for the same six bits but the last.
func other(c byte) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(letters[strings.IndexByte(letters, c)^1])
}

func TestCursors(t *testing.T) {
	k := testKeys(t, 1)
	at := []Position{{"aaaaaaaaaaaaaaaa", 7}, {"bbbbbbbbbbbbbbbb", 1 << 40}, {"cccccccccccccccc", 0}}
	c := k.cursor("", at...)
	if c == k.cursor("", at...) {
		t.Error("cursors can be compared")
	}
	if k.cursor("x", at...) != k.cursor("x", at...) || k.cursor("x", at...) == k.cursor("y", at...) {
		t.Error("a salted cursor is not the same each time")
	}
	for _, p := range at {
		if n, ok := k.position(c, p.Table); !ok || n != p.Commit {
			t.Errorf("%s: %d, %v", p.Table, n, ok)
		}
	}
	if len(k.cursor("", Position{"aaaaaaaaaaaaaaaa", 1})) != len(k.cursor("", Position{"aaaaaaaaaaaaaaaa", 1 << 50})) {
		t.Error("the length of a cursor tells how far the table has come")
	}
	for name, ok := range map[string]bool{
		"unknown table":  second(k.position(c, "dddddddddddddddd")),
		"another server": second(testKeys(t, 2).positions(c)),
		"empty":          second(k.positions("")),
		"cut":            second(k.positions(c[:len(c)-4])),
		"a page":         second(k.positions(k.pageToken(1))),
		"as a page":      second(k.page(c)),
		"another version": second(k.positions(func() string {
			b, _ := base64.RawURLEncoding.DecodeString(c)
			b[0]++
			return base64.RawURLEncoding.EncodeToString(b)
		}())),
	} {
		if ok {
			t.Errorf("%s is taken", name)
		}
	}
	if all := k.cursor("", make([]Position, 100)...); len(all) > 8192 {
		t.Errorf("%d bytes for a hundred tables", len(all))
	}
}

func TestTokenOfRequest(t *testing.T) {
	k := testKeys(t, 1)
	token := k.token("table", "gm", Request{ID: "r"})
	if kind, ok := auth.KindOf(token); !ok || kind != auth.KindSeat {
		t.Errorf("token %q", token)
	}
	for _, other := range []string{
		k.token("table", "gm", Request{ID: "s"}), k.token("table", "g", Request{ID: "mr"}),
		k.token("tabl", "egm", Request{ID: "r"}), testKeys(t, 2).token("table", "gm", Request{ID: "r"}),
		k.token("table", "gm", Request{ID: "r", Hash: [32]byte{1}}),
	} {
		if other == token {
			t.Error("two requests have the same token")
		}
	}
}

func TestWindowIDs(t *testing.T) {
	k := testKeys(t, 1)
	ids := windowIDs(k.windowKey("t"))
	seen := map[string]bool{}
	for c := range int64(5) {
		for run := range int32(5) {
			for n := range int32(5) {
				id := ids(c, run, n)
				if len(id) != 16 || seen[id] || id != ids(c, run, n) || id == windowIDs(k.windowKey("u"))(c, run, n) {
					t.Errorf("id %q", id)
				}
				seen[id] = true
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	k := testKeys(f, 1)
	tag := k.tag("t")
	f.Add(k.cursor("", Position{"t", 1}), opaque(k.events, tag, 1))
	f.Add("", "AAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, cursor, id string) {
		if all, ok := k.positions(cursor); ok && (len(all) != 1 || all[0] != Position{"t", 1}) {
			t.Errorf("a forged cursor: %v", all)
		}
		if n, ok := plain(k.events, tag, id); ok && n != 1 {
			t.Errorf("a forged id: %d", n)
		}
	})
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"Old Bob!": "old-bob", "太郎": "", "---": "", "A  B": "a-b", strings.Repeat("x", 100): strings.Repeat("x", 20), "É1": "1",
	} {
		if got := slug(name); got != want || got != "" && !goodID.MatchString(got) {
			t.Errorf("slug(%q) = %q, want %q", name, got, want)
		}
	}
	for _, good := range []string{"x", "太郎", strings.Repeat("判", MaxName), "O'Brien & Söhne 🎲"} {
		if r := checkName("name", good); r != nil {
			t.Errorf("%q: %v", good, r)
		}
	}
	for _, bad := range []string{"", " ", "\u3000", "a\tb", "a\u2028b", "a\u2066b", "\xff", strings.Repeat("判", MaxName+1), "\x7f"} {
		if checkName("name", bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
