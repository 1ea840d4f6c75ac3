package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A container's limit counts the memory that was touched. So the address space
// that the tables reserve is no matter, and where a limit is too low, the system
// kills the binary: the run says so and fails, for the tests that were not watched.
func TestInLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with instrumentation")
	}
	const limit = 128 << 20
	group := memoryGroup(t, limit)
	module := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/little\n\ngo 1.24\n", "little_test.go": `package little

import (
	"os"
	"sync"
	"testing"
)

var pool = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}

// A gigabyte goes through the pool, in pieces that never come back.
func TestMuchPasses(t *testing.T) {
	for range 1 << 14 {
		b := pool.Get().(*[]byte)
		for i := range *b {
			(*b)[i] = 1
		}
		pool.Put(b)
	}
}

var held [][]byte

func hold(n int) {
	for range n >> 20 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		held = append(held, b)
	}
}

func TestHoldsTooMuch(t *testing.T) { hold(1 << 30) }

func TestHoldsTooMuchHere(t *testing.T) {
	if os.Getenv("POOLPROOF_TEST") != "" {
		hold(1 << 30)
	}
}
`} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	join := fmt.Sprintf(`sh -c 'echo $$ > "%s/cgroup.procs" || exit 9; exec "$0" "$@"'`, group)
	for _, c := range []struct {
		test, mode, json string
		code             int
		says             string
	}{
		{"TestMuchPasses", "exact", "false", 0, "poolproof: nothing found (1 test binary)"},
		{"TestMuchPasses", "fast", "false", 0, "poolproof: nothing found (1 test binary)"},
		{"TestHoldsTooMuch", "exact", "false", 3, "fails without poolproof too:\n   example.com/little\n"},
		{"TestHoldsTooMuchHere", "exact", "false", 3, "was killed by the system, usually for lack of memory"},
		{"TestHoldsTooMuchHere", "exact", "true", 3, "was killed by the system, usually for lack of memory"},
	} {
		t.Run(c.test+" "+c.mode+" json="+c.json, func(t *testing.T) {
			cmd := exec.Command("poolproof", "test", "-mode", c.mode, "-json="+c.json, "-vet=off", "-run", "^"+c.test+"$", "-exec", join)
			cmd.Dir = module
			cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code || !bytes.Contains(out, []byte(c.says)) {
				t.Errorf("exit code %d, want %d, and %q:\n%s", code, c.code, c.says, out)
			}
		})
	}
}

// memoryGroup makes a control group whose processes have so much memory
// together, and no swap.
func memoryGroup(t *testing.T, limit int) string {
	t.Helper()
	var why error
	for _, kind := range []struct{ folder, own, limit, swap, noSwap string }{
		{"/sys/fs/cgroup", "", "memory.max", "memory.swap.max", "0"},
		{"/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", fmt.Sprint(limit)},
	} {
		parent := kind.folder + ownGroup(kind.own)
		if kind.own == "" {
			parent = kind.folder // a group with processes gives its controllers to none below it, unless it is the root
		}
		if _, err := os.Stat(filepath.Join(parent, "cgroup.procs")); err != nil {
			why = errors.Join(why, err)
			continue
		}
		dir := filepath.Join(parent, fmt.Sprintf("poolproof-%d", os.Getpid()))
		if err := os.Mkdir(dir, 0o755); err != nil {
			why = errors.Join(why, err)
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				t.Error(err)
			}
		})
		if err := os.WriteFile(filepath.Join(dir, kind.limit), []byte(fmt.Sprint(limit)), 0); err != nil {
			why = errors.Join(why, err)
			continue
		}
		_ = os.WriteFile(filepath.Join(dir, kind.swap), []byte(kind.noSwap), 0) // there may be no swap to account for
		return dir
	}
	t.Skipf("a limit of memory needs the right to make a control group: %v", why)
	return ""
}

// ownGroup is the control group of this process, of a hierarchy of version 1.
func ownGroup(controller string) string {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.SplitN(strings.TrimSpace(line), ":", 3); len(f) == 3 && f[1] == controller {
			return f[2]
		}
	}
	return ""
}
