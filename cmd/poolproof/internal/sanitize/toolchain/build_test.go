package toolchain

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// cacheDir is one folder for all tests: each toolchain's library is built once
// for each form.
func cacheDir(t testing.TB) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	return filepath.Join(dir, "poolproof", "test")
}

// goroot returns where the toolchain lies that the go command uses.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// build is an instrumented build of one of the modules in testdata.
type build struct {
	config  Config
	form    string // "": that of the platform
	module  string
	tags    string
	command string // the go command; "" is the one in PATH
	env     []string
}

func here(t testing.TB, module string, mode Mode) build {
	return build{
		config: Config{GOROOT: goroot(t), Version: runtime.Version(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Mode: mode},
		module: module,
	}
}

// toolchainOf is here with the toolchain of another version, which the go
// command fetches if need be.
func toolchainOf(t *testing.T, version, module string, mode Mode) build {
	t.Helper()
	b := here(t, module, mode)
	t.Setenv("GOTOOLCHAIN", version)
	links := filepath.Join(cacheDir(t), "toolchains")
	if err := os.MkdirAll(links, 0o777); err != nil {
		t.Fatal(err)
	}
	c, err := overlay.Find(t.Context(), filepath.Join("testdata", module), links, "GOWORK=off")
	if err != nil && *mustHave {
		t.Fatalf("%s cannot be had: %v", version, err)
	}
	if err != nil {
		t.Skipf("%s cannot be had: %v", version, err)
	}
	if c.Version != version {
		t.Fatalf("asked for %s, got %s", version, c.Version)
	}
	b.config.GOROOT, b.config.Version = c.Root, c.Version
	b.command = filepath.Join(c.Root, "bin", "go")
	b.env = []string{"GOROOT=" + c.Root, "GOTOOLCHAIN=local"}
	return b
}

// compile makes a test binary and returns its name.
func (b build) compile(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), b.module+".test")
	b.compileTo(t, bin)
	return bin
}

// compileTo is compile with further arguments of go test; it returns what the go
// command printed.
func (b build) compileTo(t *testing.T, bin string, further ...string) string {
	t.Helper()
	b.config.CacheDir = cacheDir(t)
	form := b.form
	if form == "" {
		p, err := Lookup(b.config.GOOS, b.config.GOARCH)
		if err != nil {
			t.Fatal(err)
		}
		if form = p.Form; b.config.Mode == Fast {
			form = FormFast
		}
	}
	o, err := prepare(b.config, form)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": o.Replace})
	if err != nil {
		t.Fatal(err)
	}
	name := bin + ".json"
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"test", "-c", "-o", bin, "-overlay", name}, further...)
	if len(o.GCFlags) > 0 {
		args = append(args, "-gcflags=all="+strings.Join(o.GCFlags, " "))
	}
	if b.tags != "" {
		args = append(args, "-tags="+b.tags)
	}
	if b.command == "" {
		b.command = "go"
	}
	cmd := exec.CommandContext(t.Context(), b.command, args...)
	cmd.Dir = filepath.Join("testdata", b.module)
	cmd.Env = append(os.Environ(), append(b.env, "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+b.config.GOOS, "GOARCH="+b.config.GOARCH)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", b.config.Version, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// formReuse is the second pass: what is put comes back, and nothing is watched.
const formReuse = "reuse"

// prepare is Prepare with a form of our choice.
func prepare(c Config, form string) (Overlay, error) {
	if form == formReuse {
		return PrepareReuse(context.Background(), c)
	}
	files, err := edited(c, form)
	if err != nil {
		return Overlay{}, err
	}
	o := Overlay{Form: form, GCFlags: flags(form)}
	o.Replace, err = store(cacheFolder(c, form), files)
	return o, err
}

// frame and event are what a log holds, as far as these tests look at it.
type frame struct {
	Func, File string
	Line       int
}

type event struct {
	Ev, Kind, Severity, Why, Test, Type, What, Field, Mode, Form, Go, Text string
	ID, Offset, Size, Total, Count, Version                                int
	Puts, Gets, Hits, Leaked, Bytes                                        int
	Access, Put, Get                                                       []frame
	Tests                                                                  []string
	Ignored                                                                bool
}

// outcome is a run of a test binary.
type outcome struct {
	events []event
	output string
	err    error
}

// run runs a test binary with the settings of POOLPROOF_TEST.
func run(t *testing.T, bin, settings string, env []string, args ...string) outcome {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = filepath.Join("testdata", strings.TrimSuffix(filepath.Base(bin), ".test"))
	cmd.Env = append(os.Environ(), append(env, "POOLPROOF_TEST="+settings, "POOLPROOF_TEST_LOG="+log)...)
	out, err := cmd.CombinedOutput()
	o := outcome{output: string(out), err: err}
	text, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		o.events = append(o.events, e)
	}
	return o
}

func (o outcome) of(ev string) (found []event) {
	for _, e := range o.events {
		if e.Ev == ev {
			found = append(found, e)
		}
	}
	return found
}

// failed tells which tests a verbose run of a test binary has failed.
func (o outcome) failed() map[string]bool {
	failed := map[string]bool{}
	for line := range strings.Lines(o.output) {
		if _, rest, ok := strings.Cut(line, "--- FAIL: "); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			failed[name] = true
		}
	}
	return failed
}

// places finds the lines of a source file by the comments at their ends.
func places(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := map[string]string{}
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		if _, comment, ok := strings.Cut(in.Text(), " // "); ok {
			found[comment] = fmt.Sprintf("%s:%d", filepath.Base(name), n)
		}
	}
	return found
}

// first returns the first place of a stack that is not in the Go installation.
func first(stack []frame) string {
	for _, f := range stack {
		if strings.Contains(f.File, "testdata") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}
