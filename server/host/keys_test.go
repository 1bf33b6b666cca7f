package host

import (
	"encoding/base64"
	"fmt"
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
	at := Position{"aaaaaaaaaaaaaaaa", 1 << 40}
	c := k.cursor("", at)
	if c == k.cursor("", at) {
		t.Error("cursors can be compared")
	}
	if k.cursor("x", at) != k.cursor("x", at) || k.cursor("x", at) == k.cursor("y", at) {
		t.Error("a salted cursor is not the same each time")
	}
	if p, ok := k.position(c); !ok || p != at {
		t.Errorf("%v, %v", p, ok)
	}
	if len(c) != len(k.cursor("", Position{"aaaaaaaaaaaaaaaa", 1})) {
		t.Error("the length of a cursor tells how far the table has come")
	}
	h := &Host{keys: k}
	for name, ok := range map[string]bool{
		"another server":  second(testKeys(t, 2).marks(c)),
		"empty":           second(k.marks("")),
		"cut":             second(k.marks(c[:len(c)-4])),
		"a page":          second(k.marks(k.pageToken(tablesKind, 1))),
		"as a page":       second(k.page(tablesKind, c)),
		"another list":    second(k.page(bridgesKind, k.pageToken(tablesKind, 1))),
		"many as one":     second(k.position(h.Cursor(make([]Mark, 2)))),
		"negative":        second(k.marks(h.Cursor([]Mark{{Commit: -1}}))),
		"negative of one": second(k.marks(k.cursor("", Position{"a", -1}))),
		"another version": second(k.marks(func() string {
			b, _ := base64.RawURLEncoding.DecodeString(c)
			b[0]++
			return base64.RawURLEncoding.EncodeToString(b)
		}())),
	} {
		if ok {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestMarks: the cursor of many views says of each how far it was read, and its
// length says nothing but how many there are.
func TestMarks(t *testing.T) {
	k := testKeys(t, 1)
	h := &Host{keys: k}
	var all []Mark
	for i := range 100 {
		all = append(all, Mark{h.Place(fmt.Sprint("seat", i)), int64(i) << 40})
	}
	c := h.Cursor(all)
	if c == h.Cursor(all) {
		t.Error("cursors can be compared")
	}
	if n := len(c); n > 8192/3 || n != len(h.Cursor(make([]Mark, 100))) {
		t.Errorf("%d characters for a hundred views, %d if nothing was read", n, len(h.Cursor(make([]Mark, 100))))
	}
	m, ok := h.Marks(c)
	if !ok || m.Single() {
		t.Fatalf("%v, %v", m, ok)
	}
	for i := range all {
		if n, ok := m.Of(h.Place(fmt.Sprint("seat", i)), ""); !ok || n != all[i].Commit {
			t.Errorf("%d: %d, %v", i, n, ok)
		}
	}
	if _, ok := m.Of(h.Place("another"), ""); ok {
		t.Error("it speaks of a seat that is not in it")
	}
	// That of one table holds for every view of it, and for no other's.
	m, ok = h.Marks(k.cursor("", Position{"table", 7}))
	if !ok || !m.Single() {
		t.Fatalf("%v, %v", m, ok)
	}
	for table, want := range map[string]bool{"table": true, "tabl": false} {
		if n, ok := m.Of(h.Place("s"), table); ok != want || ok && n != 7 {
			t.Errorf("%s: %d, %v", table, n, ok)
		}
	}
}

func TestTokenOfRequest(t *testing.T) {
	k := testKeys(t, 1)
	token := k.token(auth.KindSeat, "table", Caller{Seat: "gm"}, Request{ID: "r"})
	if kind, ok := auth.KindOf(token); !ok || kind != auth.KindSeat {
		t.Errorf("token %q", token)
	}
	for _, other := range []string{
		k.token(auth.KindSeat, "table", Caller{Seat: "gm"}, Request{ID: "s"}), k.token(auth.KindSeat, "table", Caller{Seat: "g"}, Request{ID: "mr"}),
		k.token(auth.KindSeat, "tabl", Caller{Seat: "egm"}, Request{ID: "r"}), testKeys(t, 2).token(auth.KindSeat, "table", Caller{Seat: "gm"}, Request{ID: "r"}),
		k.token(auth.KindSeat, "table", Caller{Seat: "gm"}, Request{ID: "r", Hash: [32]byte{1}}),
	} {
		if other == token {
			t.Error("two requests have the same token")
		}
	}
	if gm := (Caller{Seat: "gm"}); k.token(auth.KindSeat, "table", gm, Request{}) == k.token(auth.KindSeat, "table", gm, Request{}) {
		t.Error("two requests without an id have the same token")
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
		if p, ok := k.position(cursor); ok && p != (Position{"t", 1}) {
			t.Errorf("a forged cursor: %v", p)
		}
		if m, ok := k.marks(cursor); ok && !m.Single() && len(m.of) > 0 {
			t.Errorf("a forged cursor: %v", m)
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
