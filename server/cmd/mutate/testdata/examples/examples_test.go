// Package examples tests what the tests of damage leave out.
package examples

import (
	"testing"

	"github.com/hantei/hantei/server/cmd/mutate/testdata/damage"
)

func TestShock(t *testing.T) {
	for _, c := range []struct {
		wound, hp int32
		want      bool
	}{{5, 10, false}, {1, 3, false}, {5, 9, true}, {1, 0, false}, {1, 1, true}, {0, -1, false}} {
		if got := damage.Shock(c.wound, c.hp); got != c.want {
			t.Errorf("Shock(%d, %d) = %v", c.wound, c.hp, got)
		}
	}
}
