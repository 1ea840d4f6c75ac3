//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

func TestASecondRunInAFolderIsRefusedWithTheFirstOnesNumber(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	unlock, err := Lock(dir, "-out")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lock(dir, "-resume")
	want := fmt.Sprintf("-resume %s: another poolproof (process %d) is at work there", dir, os.Getpid())
	if exitcode.Of(err) != exitcode.Usage || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want exit code 2 and %q", err, want)
	}
	unlock()
	if exists(filepath.Join(dir, lockFile)) {
		t.Error("the file of the lock is left behind")
	}
	again, err := Lock(dir, "-out")
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	again()
}

func TestTheFileOfAKilledRunKeepsNobodyOut(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, lockFile), "1234567890\n")
	unlock, err := Lock(dir, "-out")
	if err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, lockFile)); got != fmt.Sprintln(os.Getpid()) {
		t.Errorf("the file holds %q", got)
	}
	unlock()
}

func TestAFolderThatCannotBeMadeIsNotLocked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	if _, err := Lock(filepath.Join(file, "folder"), "-out"); exitcode.Of(err) != exitcode.Usage || err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("error %v", err)
	}
}

// A lock is taken on a file that its last holder removes at the same time:
// never do two hold it.
func TestOneAtATimeHoldsTheLock(t *testing.T) {
	dir := t.TempDir()
	var inside, taken atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for taken.Load() < 400 {
				unlock, err := Lock(dir, "-out")
				if err != nil {
					continue // somebody has it
				}
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				taken.Add(1)
				inside.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
}
