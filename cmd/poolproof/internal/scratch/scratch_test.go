package scratch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/flock"
)

// TestMain is also the process that makes a folder and is killed.
func TestMain(m *testing.M) {
	if os.Getenv("SCRATCH_CHILD") != "" {
		dir, _, err := Make()
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(dir + "\n")
		time.Sleep(time.Minute)
	}
	os.Exit(m.Run())
}

func gone(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, fs.ErrNotExist)
}

func TestCleanRemovesWhatWasNotRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, remove, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	if remove(); !gone(one) || gone(two) {
		t.Error("remove does not remove its folder alone")
	}
	if Clean(); !gone(two) {
		t.Error("Clean left a folder")
	}
	remove() // again does nothing
}

func TestSweepRemovesWhatAKilledProcessLeft(t *testing.T) {
	if !flock.Holds {
		t.Skip("there are no locks here")
	}
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("SCRATCH_CHILD", "1")
	cmd := exec.Command(os.Args[0])
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4096)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	left := string(line[:n-1])
	own, remove, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	other := filepath.Join(os.TempDir(), prefix+"of-another-program")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if Sweep(); gone(left) || gone(own) || gone(other) {
		t.Error("Sweep removes folders that are in use, or in the making")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if Sweep(); !gone(left) || gone(own) || gone(other) {
		t.Errorf("after the process was killed: its folder is gone %v, ours %v, the other %v", gone(left), gone(own), gone(other))
	}
}
