//go:build unix

package duet

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TestToolchainsOfTheModuleCache measures with toolchains that the go command
// fetches, whose files it refuses to overlay where they lie.
func TestToolchainsOfTheModuleCache(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads toolchains and compiles their library")
	}
	for _, version := range []string{"go1.24.13", "go1.25.14"} {
		t.Run(version, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", version)
			if out, err := exec.CommandContext(t.Context(), "go", "version").CombinedOutput(); err != nil {
				t.Skipf("cannot be had: %v: %s", err, out)
			}
			m := built(t, "bench", study.EngineDuet, 0)
			if m.chain.Version != version || !strings.HasPrefix(m.chain.Root, scratch) {
				t.Fatalf("%s in %s", m.chain.Version, m.chain.Root)
			}
			for _, leaf := range []string{"BenchmarkLoop", "BenchmarkN", "BenchmarkAllocLoop", "BenchmarkParallel", "BenchmarkSetUpLoop", "BenchmarkSetUpN"} {
				p := serve(t, leaf)
				var window time.Duration
				for _, n := range []int{1, 2, 3, 17, 1} {
					s := burst(t, p, n)
					if s.N != n || s.Extra["done"] != float64(n) {
						t.Errorf("%s: of %d operations b.N tells %d, and %v were done", leaf, n, s.N, s.Extra["done"])
					}
					if leaf == "BenchmarkAllocLoop" && s.Allocs < uint64(n) {
						t.Errorf("%s: %d objects of %d", leaf, s.Allocs, n)
					}
					window += time.Duration(s.CPU)
				}
				p.Close()
				if p.Version != version {
					t.Errorf("%s runs with %s", leaf, p.Version)
				}
				if strings.Contains(leaf, "SetUp") && (window == 0 || 5*window > p.CPU()) {
					t.Errorf("%s: %v of CPU inside of the timer window, %v in all", leaf, window, p.CPU())
				}
			}
			p := serve(t, "BenchmarkAllocLoop")
			if s := paced(t, p, 5, 2*time.Millisecond); s.N != 5 || s.Extra["done"] != 5 || s.Allocs < 5 || time.Duration(s.Wall) < 10*time.Millisecond {
				t.Errorf("paced: %+v", s)
			}
			p.Close()
			r, _, err := launch(m.side, "BenchmarkLoop").Run(t.Context())
			if err != nil || r.Status != study.StatusOK || r.Go != version {
				t.Errorf("launch: %s %q with %s, %v", r.Status, r.Error, r.Go, err)
			}
		})
	}
}

// TestTwoToolchainsPlayOneDuet: arms in modules of their own may name a
// toolchain of their own. The record says both.
func TestTwoToolchainsPlayOneDuet(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads a toolchain and compiles its library")
	}
	const other = "go1.25.14" // built by the test above as well
	here := built(t, "bench", study.EngineDuet, 0)
	t.Setenv("GOTOOLCHAIN", other)
	if out, err := exec.CommandContext(t.Context(), "go", "version").CombinedOutput(); err != nil {
		t.Skipf("cannot be had: %v: %s", err, out)
	}
	l := launch(built(t, "bench", study.EngineDuet, 0).side, "BenchmarkLoop")
	l.Programs[study.Candidate] = here.side
	if r, _, err := l.Run(t.Context()); err != nil || r.Status != study.StatusOK || r.Go != other || r.GoCandidate != here.chain.Version {
		t.Errorf("%s %q with %q and %q, %v; want %s and %s", r.Status, r.Error, r.Go, r.GoCandidate, err, other, here.chain.Version)
	}
	l.Programs[study.Candidate] = l.Programs[study.Baseline]
	if r, _, err := l.Run(t.Context()); err != nil || r.Go != other || r.GoCandidate != "" {
		t.Errorf("of one toolchain: %q and %q, %v", r.Go, r.GoCandidate, err)
	}
}

// small writes a module with a dependency in a vendor folder.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                         "module example.org/small\n\ngo 1.24\n\nrequire example.org/dep v1.0.0\n",
		"vendor/modules.txt":             "# example.org/dep v1.0.0\n## explicit; go 1.24\nexample.org/dep\n",
		"vendor/example.org/dep/go.mod":  "module example.org/dep\n",
		"vendor/example.org/dep/dep.go":  "package dep\n\nconst Size = 8\n",
		"small_test.go":                  "package small\n\nimport (\n\t\"testing\"\n\n\t\"example.org/dep\"\n)\n\nvar sink []byte\n\nfunc BenchmarkMake(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = make([]byte, size+dep.Size)\n\t}\n}\n",
		"size_test.go":                   "//go:build !large && !odd\n\npackage small\n\nvar size = 8\n",
		"large_test.go":                  "//go:build large && !odd\n\npackage small\n\nvar size = 120\n",
		"odd_test.go":                    "//go:build odd\n\npackage small\n\nvar size = 1016\n",
		"other/replacement.go.txt":       "//go:build !large && !odd\n\npackage small\n\nvar size = 248\n",
		"other/overlay with spaces.json": "",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o, err := json.Marshal(map[string]any{"Replace": map[string]string{"size_test.go": "other/replacement.go.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other/overlay with spaces.json"), o, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestGOFLAGSOfTheUserHold(t *testing.T) {
	for _, tt := range []struct {
		name, goflags, tags string
		cgo                 bool
		bytes               uint64 // of an operation
		notes               int
	}{
		{name: "vendor", goflags: "-mod=vendor", bytes: 16},
		{name: "tags", goflags: "-mod=vendor -tags=large", bytes: 128},
		{name: "quoted tags, ours win", goflags: `-mod=vendor "-tags=large other"`, tags: "odd", bytes: 1024},
		{name: "coverage is left out", goflags: "-mod=vendor -cover -covermode=atomic -coverpkg=all", bytes: 16, notes: 3},
		{name: "an overlay is merged", goflags: `-mod=vendor '-overlay=other/overlay with spaces.json'`, bytes: 256, notes: 1},
		{name: "another form of what go list prints", goflags: "-mod=vendor -json", bytes: 16},
		{name: "race detector", goflags: "-mod=vendor -race", cgo: true, bytes: 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.cgo {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("needs a C compiler")
				}
				if testing.Short() {
					t.Skip("compiles the library for the race detector")
				}
			}
			dir := small(t)
			t.Setenv("GOFLAGS", tt.goflags)
			chain, err := overlay.Find(t.Context(), dir, scratch)
			if err != nil {
				t.Fatal(err)
			}
			if len(chain.Notes) != tt.notes {
				t.Errorf("notes %q", chain.Notes)
			}
			pkg, err := List(t.Context(), chain, dir, tt.tags)
			if err != nil {
				t.Fatal(err)
			}
			bin := filepath.Join(t.TempDir(), "small.test")
			if _, err := (Build{Toolchain: chain, Package: pkg, Output: bin, Scratch: scratch, Engine: study.EngineDuet, Tags: tt.tags}).Compile(t.Context()); err != nil {
				t.Fatal(err)
			}
			p := serveFrom(t, Program{Binary: bin, Dir: dir}, "BenchmarkMake")
			least := burst(t, p, 10)
			for range 5 {
				if s := burst(t, p, 10); s.Bytes < least.Bytes {
					least = s
				}
			}
			if least.Bytes != 10*tt.bytes || least.Allocs != 10 {
				t.Errorf("%d bytes in %d objects, want %d in 10", least.Bytes, least.Allocs, 10*tt.bytes)
			}
		})
	}
}

func TestAGoWorkWithoutTheModuleIsLeft(t *testing.T) {
	t.Setenv("GOWORK", "") // whatever this test itself runs under
	dir := small(t)
	work := filepath.Join(filepath.Dir(dir), "go.work")
	if err := os.WriteFile(work, []byte("go 1.24\n\nuse ./nothing-here\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "")
	chain, err := overlay.Find(t.Context(), dir, scratch)
	if err != nil {
		t.Fatal(err)
	}
	if pkg, err := List(t.Context(), chain, dir, ""); err != nil || pkg.Module != "example.org/small" || len(chain.Notes) != 1 {
		t.Errorf("%+v, %q, %v", pkg, chain.Notes, err)
	}
}
