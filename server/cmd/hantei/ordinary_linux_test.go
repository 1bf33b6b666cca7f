package main

import (
	"runtime"
	"syscall"
	"testing"
)

// startOrdinary starts a child for which the modes of files count, also when the
// tests run as root.
func startOrdinary(t *testing.T, c *child) {
	t.Helper()
	const dropFromBoundingSet, overrideModes = 24, 1
	started := make(chan struct{})
	go func() {
		defer close(started)
		// What is dropped is dropped for this thread and its children; the thread
		// ends with the goroutine.
		runtime.LockOSThread()
		if syscall.Getuid() == 0 {
			if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, dropFromBoundingSet, overrideModes, 0); errno != 0 {
				t.Errorf("prctl: %v", errno)
			}
		}
		c.start(t)
	}()
	<-started
}
