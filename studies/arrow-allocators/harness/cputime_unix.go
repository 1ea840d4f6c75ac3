//go:build unix

package harness

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time that the process has used so far, of all its
// threads, and whether the system tells it.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
