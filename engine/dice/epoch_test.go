package dice

import (
	"encoding/hex"
	"testing"
)

// These hashes come from a program of its own as well, and stand in
// server/docs/verify.md.
func TestCommitGolden(t *testing.T) {
	for _, c := range []struct {
		stream Stream
		table  string
		epoch  int32
		seed   [32]byte
		want   string
	}{
		{Open, "k7mq3w5zr2ynd4ta", 1, seedA, "de0bc5ea2840e34800da0078aca40c4d28591fab4c1f07bb8bd5d2c7588db02c"},
		{Secret, "k7mq3w5zr2ynd4ta", 1, seedA, "f44b29b12654519d823ec9b759cfc520bb5e6592d448518925608ecf9092660c"},
		{Open, "卓", 2, seedB, "6fad45bc0e809c51db1c963e90b5af7f93a963d2bcf81d1e8e16d3a67df5544b"},
	} {
		if got := Commit(c.stream, c.table, c.epoch, c.seed); hex.EncodeToString(got[:]) != c.want {
			t.Errorf("%s of %s/%d: got %x, want %s", c.stream, c.table, c.epoch, got, c.want)
		}
	}
}

func TestMixGolden(t *testing.T) {
	for _, c := range []struct {
		shares []Share
		want   string
	}{
		{nil, ""},
		{[]Share{{"ann", "seven"}}, "e7251d6a97b31cc0306f809e6501cc343bb2393a0a9ee64650249536e6ab1915"},
		{[]Share{{"ann", "seven"}, {"ben", "卓の乱数"}}, "e39d29676b11865a63c36366539d8174cc6a7c435c87ac4b70dc08de4d9e21a1"},
	} {
		if got := hex.EncodeToString(Mix(c.shares)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.shares, got, c.want)
		}
	}
}
