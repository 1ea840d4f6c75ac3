//go:build !linux

package program

import "time"

// cpuOf is not known here while a process runs.
func cpuOf(int) (time.Duration, bool) { return 0, false }
