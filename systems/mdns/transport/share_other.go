//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package transport

import (
	"errors"
	"syscall"
)

// shareable fails: this system has no way to share a port that we know.
func shareable(_, _ string, _ syscall.RawConn) error {
	return named("a shared port", errors.ErrUnsupported)
}

func isInUse(error) bool { return false }

// isTruncation reports whether err says that a packet was longer than its
// buffer.
func isTruncation(error) bool { return false }
