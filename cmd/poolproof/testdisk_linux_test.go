package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where the records of a run do not fit on the disk, what fitted is told, and
// that something is missing. Where none can be written, nothing runs.
func TestRecordsOnAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with instrumentation")
	}
	module := t.TempDir()
	text := `package full

import (
	"sync"
	"testing"
)

type T struct{ n int }

func TestMisuse(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(T) }}
	x := pool.Get().(*T)
	pool.Put(x)
` + strings.Repeat("\tx.n++\n", 100) + "}\n"
	for name, text := range map[string]string{"go.mod": "module example.com/full\n\ngo 1.24\n", "full_test.go": text} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		free   int // kilobytes
		flags  uintptr
		code   int
		output []string
	}{
		{"from the start", 0, 0, 2, []string{"no space left on device"}},
		{"in the middle", 48, 0, 1, []string{"\n1. ", "write-after-put", "lines of the records were damaged: a process was killed while it wrote, or the disk is full"}},
		{"that is read-only", 48, syscall.MS_RDONLY, 2, []string{"read-only file system"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("poolproof", "test")
			cmd.Dir = module
			cmd.Env = append(os.Environ(), "TMPDIR="+smallDisk(t, c.free, c.flags), "GOTMPDIR="+t.TempDir(), "GOFLAGS=", "GOWORK=off")
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.output {
				if !bytes.Contains(out, []byte(want)) {
					t.Errorf("it does not say %q", want)
				}
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}

// smallDisk returns a folder with room for so many kilobytes, mounted with
// those flags.
func smallDisk(t *testing.T, free int, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("poolproof", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", free+64)); err != nil {
		t.Skipf("a small disk needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 64<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	if flags != 0 {
		if err := syscall.Mount("poolproof", dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
