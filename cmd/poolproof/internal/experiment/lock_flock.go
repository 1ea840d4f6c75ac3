//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package experiment

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file until it is closed, which the system does when
// the process ends. errLocked: another process has it. A file system without
// locks keeps nobody out.
func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}
