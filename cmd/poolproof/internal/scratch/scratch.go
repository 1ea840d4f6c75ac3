// Package scratch makes temporary folders that do not stay: their maker removes
// them, [Clean] removes them where the program ends early, and [Sweep] removes
// those of a program that was killed.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/flock"
)

// prefix begins the name of each folder, among those of other programs.
const prefix = "poolproof-"

// ownerFile is locked by the process that uses the folder, and holds its
// number.
const ownerFile = "owner"

// making is longer than a process takes from making a folder to owning it.
const making = time.Hour

// registry holds what the process has to give back.
var registry = struct {
	sync.Mutex
	held map[string]func()
}{held: map[string]func(){}}

// Make makes a temporary folder. remove removes it, with all that is in it.
func Make() (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", nil, err
	}
	remove, err = Hold(dir, func() { os.RemoveAll(dir) })
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, remove, nil
}

// Hold marks an existing folder as used by this process. The function that it
// returns ends that and calls remove, once; [Clean] does the same.
func Hold(dir string, remove func()) (end func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, ownerFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock.Try(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	// An owner that is written down is locked.
	if _, err := fmt.Fprintln(f, os.Getpid()); err != nil {
		f.Close()
		return nil, err
	}
	end = sync.OnceFunc(func() {
		registry.Lock()
		delete(registry.held, dir)
		registry.Unlock()
		os.Remove(f.Name())
		f.Close()
		remove()
	})
	registry.Lock()
	defer registry.Unlock()
	registry.held[dir] = end
	return end, nil
}

// Clean removes all that the process holds. It is for a program that ends
// without its deferred calls.
func Clean() {
	registry.Lock()
	ends := slices.Collect(maps.Values(registry.held))
	registry.Unlock()
	for _, end := range ends {
		end()
	}
}

// Sweep removes the temporary folders of processes that were killed.
func Sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*")) // the pattern is well-formed
	for _, dir := range dirs {
		if Abandoned(dir) {
			os.RemoveAll(dir)
		}
	}
}

// Abandoned reports whether the process that held a folder is gone.
func Abandoned(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, ownerFile), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		info, err := os.Stat(dir)
		return err == nil && info.IsDir() && time.Since(info.ModTime()) > making
	}
	if err != nil {
		return false // another user's
	}
	defer f.Close()
	if !flock.Holds || flock.Try(f) != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Size() > 0 || time.Since(info.ModTime()) > making)
}
