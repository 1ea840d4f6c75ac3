//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func TestASecondRunInAFolderIsRefusedWithTheFirstOnesNumber(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	unlock, err := Lock(dir, "out")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lock(dir, "resume")
	want := fmt.Sprintf("resume %s: another poolproof (process %d) is using this folder", dir, os.Getpid())
	if fault.KindOf(err) != fault.Input || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want the user's mistake and %q", err, want)
	}
	unlock()
	if build.Exists(filepath.Join(dir, lockFile)) {
		t.Error("the file of the lock is left behind")
	}
	again, err := Lock(dir, "out")
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	again()
}

func TestTheFileOfAKilledRunKeepsNobodyOut(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, lockFile), "1234567890\n")
	unlock, err := Lock(dir, "out")
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
	if _, err := Lock(filepath.Join(file, "folder"), "out"); fault.KindOf(err) != fault.Input || err == nil || !strings.Contains(err.Error(), "cannot write to it") {
		t.Errorf("error %v", err)
	}
}

func TestALockOnAFileThatWasRemovedIsNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), lockFile)
	open := func() *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	late := open()
	if err := os.Remove(name); err != nil { // as its holder does in the end
		t.Fatal(err)
	}
	if taken, err := take(late, name); taken || err != nil {
		t.Errorf("the file is gone: %t, %v", taken, err)
	}
	next := open()
	if taken, err := take(late, name); taken || err != nil {
		t.Errorf("there is another file: %t, %v", taken, err)
	}
	if taken, err := take(next, name); !taken || err != nil {
		t.Errorf("the other file itself: %t, %v", taken, err)
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
				unlock, err := Lock(dir, "out")
				if err != nil {
					continue // somebody has it
				}
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				for range 20 { // let the others try
					runtime.Gosched()
				}
				taken.Add(1)
				inside.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
}
