package transport

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// shareable lets other programs bind the port, too.
func shareable(_, _ string, raw syscall.RawConn) (err error) {
	if e := raw.Control(func(fd uintptr) {
		err = windows.SetsockoptInt(windows.Handle(fd), windows.SOL_SOCKET, windows.SO_REUSEADDR, 1)
	}); e != nil {
		return e
	}
	return named("SO_REUSEADDR", err)
}

func isInUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}

// isTruncation reports whether err says that a packet was longer than its
// buffer.
func isTruncation(err error) bool { return errors.Is(err, windows.WSAEMSGSIZE) }
