package damage

import (
	"fmt"
	"testing"
)

func TestArmoured(t *testing.T) {
	for _, c := range [][3]int32{{5, 2, 3}, {2, 5, 0}, {1, 0, 1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := Armoured(c[0], c[1]); got != c[2] {
				t.Errorf("Armoured(%d, %d) = %d, not %d", c[0], c[1], got, c[2])
			}
		})
	}
}

func TestShock(t *testing.T) {
	if !Shock(6, 10) || Shock(1, 10) {
		t.Error("half of the hit points is the edge")
	}
}
