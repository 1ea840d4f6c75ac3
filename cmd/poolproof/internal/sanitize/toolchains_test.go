package sanitize

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

const misuser = `package app

import (
	"sync"
	"testing"
)

func TestMisuse(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(int) }}
	x := pool.Get().(*int)
	pool.Put(x)
	*x = 1
}
`

// A toolchain that the go command has downloaded lies in the module cache, whose
// files it refuses to overlay where they are.
func TestToolchainsOfTheModuleCacheAreWatched(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library of two toolchains")
	}
	for _, version := range []string{"go1.24.13", "go1.25.14"} {
		t.Run(version, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", version)
			t.Setenv("GOFLAGS", "")
			if out, err := exec.CommandContext(t.Context(), "go", "version").CombinedOutput(); err != nil {
				t.Skipf("cannot be had: %v: %s", err, out)
			}
			dir := tree(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.24\n", "app_test.go": misuser})
			cache := t.TempDir()
			for range 2 { // the second run finds all that the first has made
				var out bytes.Buffer
				res, err := Run(t.Context(), Options{Dir: dir, Stdout: &out, Stderr: &out, Cache: cache})
				if err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
				if len(res.Findings) != 1 || res.Outcome(Options{}) != Misused {
					t.Errorf("%d findings\n%s", len(res.Findings), out.String())
				}
				root := res.Printer.Sites.Root
				if !strings.HasPrefix(root, filepath.Join(cache, "links")) {
					t.Errorf("GOROOT is %s, not a link outside of the module cache", root)
				}
			}
		})
	}
}

// A toolchain without an anchor is an error that names it; nothing runs.
func TestAToolchainOfAnotherShapeIsRefused(t *testing.T) {
	root := patched(t)
	t.Setenv("GOROOT", root)
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOFLAGS", "")
	dir := tree(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.24\n", "app_test.go": misuser})
	var out bytes.Buffer
	_, err := Run(t.Context(), Options{Dir: dir, Stdout: &out, Stderr: &out, Cache: t.TempDir()})
	if fault.KindOf(err) != fault.Tools || !strings.Contains(err.Error(), filepath.Join("sync", "pool.go")) || !strings.Contains(err.Error(), "go1.") {
		t.Errorf("%v", err)
	}
	if strings.Contains(out.String(), "FAIL") || strings.Contains(out.String(), "ok ") {
		t.Errorf("it ran: %s", out.String())
	}
}
