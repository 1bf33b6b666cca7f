//go:build !linux

package main

import (
	"os"
	"testing"
)

func startOrdinary(t *testing.T, c *child) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("modes of files do not count for root")
	}
	c.start(t)
}
