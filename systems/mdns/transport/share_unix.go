//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package transport

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// shareable lets other programs bind the port, too.
func shareable(_, _ string, raw syscall.RawConn) (err error) {
	if e := raw.Control(func(fd uintptr) {
		err = errors.Join(
			named("SO_REUSEADDR", unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)),
			named("SO_REUSEPORT", unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)),
		)
	}); e != nil {
		return e
	}
	return err
}

func isInUse(err error) bool { return errors.Is(err, unix.EADDRINUSE) }

// isTruncation reports whether err says that a packet was longer than its
// buffer.
func isTruncation(error) bool { return false }
