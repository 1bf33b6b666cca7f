package docs_test

import (
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/dice"
)

// TestVerifyExamples: the numbers on the page on verification are those that come out.
// Package dice has them, and more, from a program of its own.
func TestVerifyExamples(t *testing.T) {
	page, err := os.ReadFile("verify.md")
	if err != nil {
		t.Fatal(err)
	}
	var a, b [32]byte
	for i := range a {
		a[i], b[i] = byte(i), 255
	}
	seeds := map[string][32]byte{"A": a, "B": b}
	mixes := map[string][]byte{
		"none": nil, "1": dice.Mix([]dice.Share{{Seat: "ann", Text: "seven"}}),
		"2": dice.Mix([]dice.Share{{Seat: "ann", Text: "seven"}, {Seat: "ben", Text: "卓の乱数"}}),
	}
	number := func(text string) int32 {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return int32(n)
	}
	hashes := regexp.MustCompile("(?m)^\\| commitment of ([AB]), `(.*)`, `(.*)`, epoch (\\d+) \\| `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(page), -1)
	for _, m := range hashes {
		if got := dice.Commit(dice.Stream(m[2]), m[3], number(m[4]), seeds[m[1]]); hex.EncodeToString(got[:]) != m[5] {
			t.Errorf("%s: got %x", m[0], got)
		}
	}
	for name, mix := range mixes {
		if name != "none" && !strings.Contains(string(page), "| mix "+name+" | `"+hex.EncodeToString(mix)+"` |") {
			t.Errorf("mix %s is %x", name, mix)
		}
	}
	faces := regexp.MustCompile("(?m)^\\| ([AB]) \\| `(.*)` \\| `(.*)` \\| (\\d+) \\| (\\w+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$").FindAllStringSubmatch(string(page), -1)
	for _, m := range faces {
		live := &dice.Live{
			Seed: seeds[m[1]], Stream: dice.Stream(m[2]), Table: m[3], Epoch: number(m[4]), ClientMix: mixes[m[5]], Number: number(m[6]),
		}
		got, err := live.Throw("", "", dice.Dice{Count: 1, Sides: number(m[7])})
		if err != nil || got.Total != number(m[8]) {
			t.Errorf("%s: got %d, %v", m[0], got.Total, err)
		}
	}
	if len(hashes) != 3 || len(faces) != 10 {
		t.Errorf("%d commitments and %d faces are on the page", len(hashes), len(faces))
	}
}
