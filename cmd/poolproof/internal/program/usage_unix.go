//go:build unix

package program

import (
	"os"
	"runtime"
	"syscall"
)

// peakRSS is the largest resident memory of a process that has ended, in bytes; 0 where it is not
// known.
func peakRSS(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(u.Maxrss)
	}
	return float64(u.Maxrss) * 1024
}
