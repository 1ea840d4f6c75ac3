//go:build unix

package duet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// scratch is gone after the tests; the binaries of built lie there.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "duet"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// module is a built test binary of a package below testdata.
type module struct {
	side  Program
	sha   string
	chain *overlay.Toolchain
	pkg   Package
	err   error
}

var (
	builtMu sync.Mutex
	builtBy = map[string]*module{}
)

// built returns the binary of a package below testdata, built once for all
// tests by the toolchain named in GOTOOLCHAIN.
func built(t *testing.T, path string, engine study.Engine, layout int) *module {
	t.Helper()
	builtMu.Lock()
	defer builtMu.Unlock()
	key := fmt.Sprint(path, engine, layout, os.Getenv("GOTOOLCHAIN"))
	m := builtBy[key]
	if m == nil {
		m = build(path, engine, layout, filepath.Join(scratch, fmt.Sprintf("%d.test", len(builtBy))))
		builtBy[key] = m
	}
	if m.err != nil {
		t.Fatal(m.err)
	}
	return m
}

func build(path string, engine study.Engine, layout int, output string) *module {
	ctx := context.Background()
	m := &module{}
	dir, err := filepath.Abs(filepath.Join("testdata", path))
	if err != nil {
		return &module{err: err}
	}
	if m.chain, m.err = overlay.Find(ctx, dir, scratch); m.err != nil {
		return m
	}
	if m.pkg, m.err = List(ctx, m.chain, dir, ""); m.err != nil {
		return m
	}
	m.sha, m.err = Build{Toolchain: m.chain, Package: m.pkg, Output: output, Scratch: scratch, Engine: engine, Layout: layout}.Compile(ctx)
	m.side = Program{Binary: output, Dir: dir}
	return m
}

// limit is the timeout of an answer where none is expected to be missed.
const limit = time.Minute

// patience are timeouts for what hangs, to be tried one after the other: on a
// busy machine a process may not have come to the place where it hangs when a
// short one is over.
var patience = []time.Duration{300 * time.Millisecond, 3 * time.Second, 30 * time.Second}

// serve starts the shared module's binary at one benchmark.
func serve(t *testing.T, leaf string) *Proc {
	t.Helper()
	return serveFrom(t, built(t, "bench", study.EngineDuet, 0).side, leaf)
}

func serveFrom(t *testing.T, s Program, leaf string) *Proc {
	t.Helper()
	p, err := Start(t.Context(), s, Pattern(leaf), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	got, err := p.Next(t.Context())
	if err != nil || got != leaf {
		t.Fatalf("Next = %q, %v, want %q", got, err, leaf)
	}
	return p
}

// burst runs n operations without a forced collection.
func burst(t *testing.T, p *Proc, n int) Burst {
	t.Helper()
	s, err := p.Run(t.Context(), n, false)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gone waits for a process to be no more than a zombie.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if os.IsNotExist(err) {
			if _, err := os.Stat("/proc/self"); err != nil {
				t.Skip("there is no /proc here to look for processes")
			}
			return
		}
		if _, state, ok := strings.Cut(string(stat), ") "); ok && state[0] == 'Z' {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

// rule is that of the program, with fewer pairs.
var rule = study.Rule{
	Burst: study.Duration(time.Millisecond), WarmUp: 10, Pairs: 30, PairsQuiet: 20,
	Stretch: study.Duration(20 * time.Millisecond), Head: study.Duration(10 * time.Millisecond),
}

// launch is one of a benchmark against itself.
func launch(s Program, leaf string) Launch {
	return Launch{
		Plan: "plan", Seed: 1, Rule: rule, Comparison: leaf, Form: study.FormBursts,
		Programs: [2]Program{s, s}, Leaves: [2]string{leaf, leaf}, Timeout: limit,
	}
}
