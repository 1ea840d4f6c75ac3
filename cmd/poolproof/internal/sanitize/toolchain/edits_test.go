package toolchain

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// mapPaths are the files of package internal/runtime/maps that are edited, in one version
// or another.
func mapPaths() []string {
	var all []string
	for _, file := range mapFiles {
		all = append(all, "internal/runtime/maps/"+file)
	}
	return all
}

// fakeRoot is a copy of the files of this toolchain that are edited.
func fakeRoot(t *testing.T) string {
	t.Helper()
	root, from := t.TempDir(), goroot(t)
	for _, file := range append(mapPaths(), []string{
		"runtime/msan0.go", "internal/msan/nomsan.go", "runtime/runtime2.go", "runtime/proc.go", "sync/pool.go",
		"internal/race/norace.go", "testing/testing.go", "testing/benchmark.go", "runtime/string.go", "runtime/mem_linux.go", "runtime/os_windows.go",
		"runtime/time.go", "testing/run_example.go", "testing/example.go",
	}...) {
		text, err := os.ReadFile(filepath.Join(from, "src", file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(root, "src", file), text)
	}
	return root
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestEachMissingAnchorIsNamed(t *testing.T) {
	root := fakeRoot(t)
	c := Config{GOROOT: root, Version: "go1.99", GOOS: "linux", GOARCH: "amd64", Mode: Exact, CacheDir: t.TempDir()}
	if _, err := Prepare(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, from, to, anchor string }{
		{"runtime/msan0.go", "const msanenabled = false", "const msanenabled = 1 > 2", "constant msanenabled that is false"},
		{"runtime/msan0.go", "func msanread(", "func msangone(", "function msanread"},
		{"runtime/msan0.go", "func msanwrite(", "func msangone(", "function msanwrite"},
		{"runtime/msan0.go", "func msanmalloc(", "func msangone(", "function msanmalloc"},
		{"runtime/msan0.go", "func msanfree(", "func msangone(", "function msanfree"},
		{"runtime/msan0.go", "func msanmove(", "func msangone(", "function msanmove"},
		{"internal/msan/nomsan.go", "const Enabled = false", "const Disabled = true", "constant Enabled that is false"},
		{"internal/msan/nomsan.go", "func Read(", "func Peek(", "function Read"},
		{"internal/msan/nomsan.go", "func Write(", "func Wrote(", "function Write"},
		{"runtime/runtime2.go", "type g struct", "type gg struct", "struct g"},
		{"runtime/proc.go", "newg.startpc = fn.fn", "newg.startpc = 0", `function newproc1 with one "newg.startpc = fn.fn"`},
		{"runtime/proc.go", "func newproc1(", "func newproc2(", "function newproc1"},
		{"runtime/proc.go", "\tgcenable()\n", "\tgcenable()\n\tgcenable()\n", `function main with one "gcenable()"`},
		{"runtime/proc.go", "func runExitHooks(", "func runHooks(", "function runExitHooks"},
		{"sync/pool.go", "func (p *Pool) Put(x any)", "func (q *Pool) Put(x any)", "method (p *Pool) Put with one parameter"},
		{"sync/pool.go", "func (p *Pool) Put(x any)", "func (p *Pool) Put(x, y any)", "method (p *Pool) Put with one parameter"},
		{"sync/pool.go", "func (p *Pool) Get() any", "func (p *Pool) Take() any", "method (p *Pool) Get"},
		{"internal/race/norace.go", "func Errors() int { return 0 }", "func Errors() int { return 1 }", "function Errors that returns 0"},
		{"testing/testing.go", "func tRunner(t *T,", "func tRunner(tt *T,", "function tRunner of t"},
		{"testing/testing.go", "race detected during execution of test", "race", `text "race detected during execution of test"`},
		{"testing/benchmark.go", "func (b *B) runN(", "func (b *B) runM(", "method (b *B) runN"},
		{"runtime/mem_linux.go", "func sysReserveOS(", "func sysReserved(", "function sysReserveOS of a known kind"},
		{"runtime/os_windows.go", "func stdcall(", "func syscall(", "function stdcall of a known kind"},
		{"sync/pool.go", "package sync", "pack age sync", ""},
	} {
		c := c
		if strings.Contains(tt.file, "windows") {
			c.GOOS = "windows"
		}
		name := filepath.Join(root, "src", tt.file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(tt.from)) {
			t.Fatalf("this toolchain's %s has no %q", tt.file, tt.from)
		}
		write(t, name, bytes.ReplaceAll(text, []byte(tt.from), []byte(tt.to)))
		o, err := Prepare(t.Context(), c)
		var a *AnchorError
		switch {
		case !errors.As(err, &a) || a.File != name || a.Anchor != tt.anchor || a.Version != "go1.99":
			t.Errorf("%s without %q: %+v", tt.file, tt.from, err)
		case fault.KindOf(err) != fault.Tools || o.Replace != nil || !strings.Contains(err.Error(), "go1.99") || !strings.Contains(err.Error(), tt.file) || !strings.Contains(err.Error(), tt.anchor):
			t.Errorf("%s without %q: kind %v, %v", tt.file, tt.from, fault.KindOf(err), err)
		}
		write(t, name, text)
	}
}

// Where a timer or an example cannot be followed, what they do counts outside of
// tests; everything else is watched as ever.
func TestOptionalAnchorsMayBeMissing(t *testing.T) {
	root := fakeRoot(t)
	c := Config{GOROOT: root, Version: "go1.99", GOOS: "linux", GOARCH: "amd64", Mode: Exact, CacheDir: t.TempDir()}
	for _, tt := range []struct{ file, from, to string }{
		{"runtime/time.go", "type timer struct", "type alarm struct"},
		{"runtime/time.go", "func (t *timer) modify(", "func (t *timer) change("},
		{"runtime/time.go", "func (t *timer) unlockAndRun(", "func (tt *timer) unlockAndRun("},
		{"runtime/time.go", "\tf(arg, seq, delay)\n", "\tf(arg, seq)\n"},
		{"testing/run_example.go", "func runExample(eg InternalExample)", "func runExample(eg *InternalExample)"},
		{"testing/example.go", "\tvar fail string\n", "\tfail := \"\"\n"},
		{"testing/example.go", ") processRunResult(", ") result("},
	} {
		name := filepath.Join(root, "src", tt.file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(tt.from)) {
			t.Fatalf("this toolchain's %s has no %q", tt.file, tt.from)
		}
		whole, err := Prepare(t.Context(), c)
		if err != nil || whole.Replace[name] == "" {
			t.Errorf("%s is not replaced: %v", tt.file, err)
		}
		write(t, name, bytes.ReplaceAll(text, []byte(tt.from), []byte(tt.to)))
		if o, err := Prepare(t.Context(), c); err != nil || o.Replace[name] != "" || len(o.Replace) != len(whole.Replace)-1 {
			t.Errorf("%s without %q: %d of %d files, %v", tt.file, tt.from, len(o.Replace), len(whole.Replace), err)
		}
		write(t, name, text)
	}
}

// Without a file that has anchors nothing is prepared; with files that have
// only optional ones missing, less is watched.
func TestAMissingFileIsNamed(t *testing.T) {
	root := fakeRoot(t)
	c := Config{GOROOT: root, Version: "go1.99", GOOS: "linux", GOARCH: "amd64", Mode: Exact, CacheDir: t.TempDir()}
	for _, file := range []string{
		"runtime/msan0.go", "internal/msan/nomsan.go", "runtime/runtime2.go", "runtime/proc.go", "sync/pool.go",
		"internal/race/norace.go", "testing/testing.go", "testing/benchmark.go", "runtime/mem_linux.go",
	} {
		name := filepath.Join(root, "src", file)
		if err := os.Rename(name, name+".away"); err != nil {
			t.Fatal(err)
		}
		o, err := Prepare(t.Context(), c)
		var a *AnchorError
		if !errors.As(err, &a) || a.File != name || a.Version != "go1.99" || !errors.Is(err, fs.ErrNotExist) || fault.KindOf(err) != fault.Tools || o.Replace != nil {
			t.Errorf("without %s: kind %v, %v", file, fault.KindOf(err), err)
		}
		if err := os.Rename(name+".away", name); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range append([]string{"runtime/string.go", "runtime/time.go", "testing/run_example.go", "testing/example.go"}, mapPaths()...) {
		if err := os.Remove(filepath.Join(root, "src", file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	o, err := Prepare(t.Context(), c)
	if err != nil {
		t.Errorf("without the optional anchors: %v", err)
	}
	for name := range o.Replace {
		if base := filepath.Base(name); strings.Contains(name, "runtime/maps") || base == "string.go" || base == "time.go" || strings.HasSuffix(base, "example.go") {
			t.Errorf("%s is replaced, and is not there", name)
		}
	}
	if _, err := Prepare(t.Context(), Config{GOROOT: t.TempDir(), GOOS: "linux", GOARCH: "amd64", Mode: Exact}); fault.KindOf(err) != fault.Tools {
		t.Errorf("an empty GOROOT: %v", err)
	}
}

// The toolchain may belong to somebody else: nothing is written there.
func TestTheToolchainIsOnlyRead(t *testing.T) {
	root := fakeRoot(t)
	state := func() (all []string) {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			all = append(all, name+" "+info.Mode().String()+" "+info.ModTime().String())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	chmod := func(dir, file fs.FileMode) {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return errors.Join(err, os.Chmod(name, file))
			}
			return os.Chmod(name, dir)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	chmod(0o555, 0o444)
	t.Cleanup(func() { chmod(0o755, 0o644) })
	was := state()
	c := Config{GOROOT: root, Version: "go1.99", GOOS: "linux", GOARCH: "amd64", Mode: Exact, CacheDir: t.TempDir()}
	o, err := Prepare(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(state(), was) {
		t.Error("something in it has changed")
	}
	for _, to := range o.Replace {
		if !strings.HasPrefix(to, c.CacheDir) {
			t.Errorf("%s is not in the cache folder", to)
		}
	}
}

func TestEditsAddNoLine(t *testing.T) {
	c := Config{GOROOT: goroot(t), Version: runtime.Version(), GOOS: "linux", GOARCH: "amd64"}
	files, err := edited(c, FormMSan)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		old, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) || filepath.Base(name) == "msan0.go" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(old, text) {
			t.Errorf("%s has no edit", name)
		}
		before, after := bytes.Split(old, []byte("\n")), bytes.Split(text, []byte("\n"))
		if len(before) != len(after) {
			t.Errorf("%s has %d lines, had %d", name, len(after), len(before))
			continue
		}
		changed := 0
		for i := range before {
			if !bytes.Equal(before[i], after[i]) {
				changed++
			}
		}
		if changed > 5 {
			t.Errorf("%s: %d lines are changed", name, changed)
		}
	}
}

// TestAddedNamesHaveThePrefix: what is added to a package of the toolchain
// never meets a name of the package.
func TestAddedNamesHaveThePrefix(t *testing.T) {
	root := goroot(t)
	for _, p := range Platforms {
		for _, form := range []string{p.Form, FormFast} {
			c := Config{GOROOT: root, Version: runtime.Version(), GOOS: p.GOOS, GOARCH: p.GOARCH}
			files, err := edited(c, form)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]string{}
			for name, text := range files {
				if !strings.HasPrefix(filepath.Base(name), prefix) || filepath.Ext(name) != ".go" {
					continue
				}
				f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
				if err != nil {
					t.Error(err)
					continue
				}
				for _, d := range declared(f) {
					key := filepath.Dir(name) + " " + d
					if other := seen[key]; other != "" {
						t.Errorf("%s is declared in %s and %s", d, other, name)
					}
					seen[key] = name
					if !strings.HasPrefix(strings.ToLower(strings.TrimPrefix(d, "_")), prefix) && !strings.HasPrefix(d, "msan") && !strings.HasPrefix(d, "race") {
						t.Errorf("%s: %s has no prefix", name, d)
					}
				}
			}
		}
	}
}

// declared returns the names that a file declares at package level, those of
// methods without receivers of our own included.
func declared(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.Name != "_" {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
	}
	return names
}

func TestPlatformsAreLookedUp(t *testing.T) {
	for _, p := range Platforms {
		if got, err := Lookup(p.GOOS, p.GOARCH); err != nil || got != p || p.State == "" {
			t.Errorf("%+v: %+v, %v", p, got, err)
		}
	}
	_, err := Prepare(t.Context(), Config{GOOS: "plan9", GOARCH: "386"})
	if fault.KindOf(err) != fault.Tools || !strings.Contains(err.Error(), "plan9/386") {
		t.Errorf("plan9: %v", err)
	}
	o, err := Prepare(t.Context(), Config{GOROOT: goroot(t), Version: runtime.Version(), GOOS: "windows", GOARCH: "arm64", Mode: Exact, CacheDir: t.TempDir()})
	if err != nil || o.Form != FormFast || len(o.GCFlags) != 0 || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "windows/arm64") {
		t.Errorf("exact where the compiler cannot: %+v, %v", o, err)
	}
}
