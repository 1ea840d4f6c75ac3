package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/flock"
)

// lockFile keeps a second run out of a folder while one writes there. It holds
// the process number of the run, for people; what counts is the lock that the
// system has on it, which ends with the process. So a file that a killed run
// left there does not lock the folder.
const lockFile = "lock"

// Lock takes a folder for one process, which is to call unlock in the end. The
// folder is made if there is none. option is how the user named it, for the
// error where another process has it.
func Lock(dir, option string) (unlock func(), err error) {
	bad := func(err error) error {
		return fault.Option(option, dir, "cannot write to it: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, bad(err)
	}
	name := filepath.Join(dir, lockFile)
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, bad(err)
		}
		taken, err := take(f, name)
		if errors.Is(err, flock.ErrLocked) {
			holder := holderOf(f)
			f.Close()
			return nil, fault.Option(option, dir, "another poolproof%s is using this folder; wait until it ends, or choose another folder", holder)
		}
		if err != nil {
			f.Close()
			return nil, bad(err)
		}
		if !taken {
			f.Close()
			continue
		}
		text := fmt.Sprintln(os.Getpid())
		_, err = f.WriteAt([]byte(text), 0)
		if err := errors.Join(err, f.Truncate(int64(len(text)))); err != nil {
			f.Close()
			return nil, bad(err)
		}
		return func() {
			os.Remove(name) // before the lock ends, so that no other run's file is removed
			f.Close()
		}, nil
	}
}

// take locks an open file, and reports whether that is the lock of its name.
// Between our opening and our locking its last holder may have removed the
// file: then the lock is on a file that no other process will find.
func take(f *os.File, name string) (bool, error) {
	if err := flock.Try(f); err != nil {
		return false, err
	}
	a, errA := f.Stat()
	b, errB := os.Stat(name)
	return errA == nil && errB == nil && os.SameFile(a, b), nil
}

// holderOf reads which process holds the lock, as " (process 123)"; "" if that is not
// written yet.
func holderOf(f *os.File) string {
	b, err := io.ReadAll(io.LimitReader(f, 32))
	pid := strings.TrimSpace(string(b))
	if err != nil || pid == "" {
		return ""
	}
	return " (process " + pid + ")"
}
