//go:build unix

package duet

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAToolchainOfUnknownShapeIsAnAnchorErrorAndPairsStillMeasure(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	strange := *m.chain
	strange.Root = t.TempDir()
	dir := filepath.Join(strange.Root, "src", "testing")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "benchmark.go"), []byte("package testing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := Build{Toolchain: &strange, Package: m.pkg, Output: filepath.Join(scratch, "strange.test"), Scratch: scratch, Engine: study.EngineDuet}
	if _, err := b.Compile(t.Context()); !errors.Is(err, overlay.ErrAnchor) {
		t.Fatalf("Compile = %v, want ErrAnchor", err)
	}
	b.Engine = study.EnginePairs
	if _, err := b.Compile(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := launch(Program{Binary: b.Output, Dir: m.pkg.Dir}, "BenchmarkAlloc")
	l.Form = study.FormPairs
	l.Shape = &Shape{N: [2]int{1000, 1000}, Pairs: 3}
	r, shape, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK || r.Form != study.FormPairs || r.Go != m.chain.Version || r.N != 1000 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := ShapeOf(r, rule); got != shape {
		t.Errorf("ShapeOf = %+v, used %+v", got, shape)
	}
	for _, c := range []study.Columns{r.Baseline, r.Candidate} {
		// testing prints whole bytes and objects an operation, the runtime's own shared out.
		if c.Len() != 3 || slices.Min(c.Wall) <= 0 || slices.Min(c.Allocs) != 1000 || slices.Max(c.Allocs) > 1999 || slices.Min(c.Bytes) < 1024_000 || slices.Max(c.Bytes) > 1200_000 ||
			c.Extra["done"] != 1000 || len(c.Extra) != 1 || c.CPU != nil {
			t.Errorf("columns %+v", c)
		}
	}
}

func TestBrokenInstrumentsAreAnAnchorError(t *testing.T) {
	if !brokenTesting.MatchString("# testing\n/go/src/testing/benchmark.go:9:1: undefined: poolproofServing") || brokenTesting.MatchString("# example.org/testing\n./x.go") {
		t.Error("the testing package is not told from the user's")
	}
}

func TestPairsCalibrateThemselves(t *testing.T) {
	m := built(t, "bench", study.EnginePairs, 0)
	l := launch(m.side, "BenchmarkSub/size-4")
	l.Form = study.FormPairs
	for try := 1; ; try++ {
		r, shape, err := l.Run(t.Context())
		if err != nil || r.Status != study.StatusOK || shape.Pairs != pairsPerLaunch || r.Candidate.Len() != pairsPerLaunch || r.Candidate.Extra["done"] != float64(r.N) {
			t.Errorf("%+v, %+v, %v", shape, r, err)
		}
		switch {
		case shape.N[0] >= 1000:
			return
		case try == 3: // a stall of the machine makes one of them small, not all
			t.Fatalf("%+v: 50 ms have more operations", shape)
		}
	}
}

func TestPairsOfABenchmarkThatFailsGiveARecord(t *testing.T) {
	m := built(t, "bench", study.EnginePairs, 0)
	for _, tt := range []struct {
		leaf   string
		status study.Status
		text   string
	}{
		{"BenchmarkFatalLater", study.StatusFailed, "BenchmarkFatalLater failed: bad_test.go:"},
		{"BenchmarkPanicLater", study.StatusCrashed, "BenchmarkPanicLater: panic: out of cheese at bad_test.go:"},
		{"BenchmarkExitLater", study.StatusCrashed, "BenchmarkExitLater ended the process (exit status 7): it calls os.Exit, or was killed"},
		{"BenchmarkHangLater", study.StatusTimeout, "BenchmarkHangLater did not end in TIMEOUT: it hangs, or needs a longer -timeout"},
		{"BenchmarkSkipLater", study.StatusFailed, "BenchmarkSkipLater"},
		{"BenchmarkSkip", study.StatusFailed, "BenchmarkSkip is not there: no benchmark of that name, or it skipped itself"},
		{"BenchmarkNoTime", study.StatusFailed, "BenchmarkNoTime"},
	} {
		pids := t.TempDir()
		l := launch(Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"BENCH_PIDS=" + pids}}, tt.leaf)
		l.Form, l.Shape = study.FormPairs, &Shape{N: [2]int{100, 100}, Pairs: 2}
		timeouts := []time.Duration{limit}
		if tt.status == study.StatusTimeout {
			timeouts = patience
		}
		var r study.Record
		var err error
		for _, l.Timeout = range timeouts {
			r, _, err = l.Run(t.Context())
			if files, _ := os.ReadDir(pids); len(files) > 0 {
				break // else it had not even begun
			}
		}
		tt.text = strings.ReplaceAll(tt.text, "TIMEOUT", l.Timeout.String())
		if tt.leaf == "BenchmarkPanicLater" && r.Status == study.StatusFailed && strings.Contains(r.Error, "skipped itself or panicked") {
			continue // testing's own race: the process may end well before the panic ends it
		}
		if err != nil || r.Status != tt.status || !strings.HasPrefix(r.Error, tt.text) || strings.Contains(r.Error, "\n") || r.FailedSide == "" || r.Baseline.Len() != 0 {
			t.Errorf("%s: %s %q of side %q, %v", tt.leaf, r.Status, r.Error, r.FailedSide, err)
		}
		allGone(t, pids)
	}
}

func TestPlainGivesANumberForEachRun(t *testing.T) {
	m := built(t, "bench", study.EnginePairs, 0)
	ns, err := Plain(t.Context(), m.side, "BenchmarkN", 2*time.Millisecond, 3, limit)
	if err != nil || len(ns) != 3 || slices.Min(ns) <= 0 {
		t.Errorf("%v, %v", ns, err)
	}
	if _, err := Plain(t.Context(), m.side, "BenchmarkSkip", time.Millisecond, 3, limit); err == nil {
		t.Error("no results are no error")
	}
}

func TestBuildingTwiceGivesTheSameBinary(t *testing.T) {
	for _, layout := range []int{0, 1} {
		m := built(t, "shift/plain", study.EngineDuet, layout)
		again := build("shift/plain", study.EngineDuet, layout, filepath.Join(scratch, "again.test"))
		if again.err != nil || again.sha != m.sha {
			t.Errorf("layout %d: %s and %s, %v", layout, m.sha, again.sha, again.err)
		}
		if err := Verify(m.side.Binary, m.sha); err != nil {
			t.Error(err)
		}
	}
	m := built(t, "shift/plain", study.EngineDuet, 0)
	if err := Verify(built(t, "shift/plain", study.EngineDuet, 1).side.Binary, m.sha); fault.KindOf(err) != fault.Input {
		t.Errorf("Verify of another binary = %v", err)
	}
}

func TestPackagesThatCannotBeMeasuredHaveTheirExitCode(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("m/go.mod", "module example.org/m\n\ngo 1.24\n")
	write("m/empty/readme", "")
	write("m/untested/u.go", "package untested\n")
	write("m/mixed/a.go", "package a\n")
	write("m/mixed/b_test.go", "package b\n")
	write("m/broken/b.go", "package broken\n\nvar x int = \"\"\n")
	write("m/broken/b_test.go", "package broken\n")
	write("m/tagged/t_test.go", "//go:build special\n\npackage tagged\n")
	write("nomod/x_test.go", "package x\n")
	for _, tt := range []struct {
		path, tags string
		kind       fault.Kind
		text       string
	}{
		{"m/empty", "", fault.Input, "no Go files"},
		{"m/untested", "", fault.Input, "no test files, so no benchmarks"},
		{"m/mixed", "", fault.Code, "found packages"},
		{"m/broken", "", fault.Code, "does not compile"},
		{"m/tagged", "", fault.Input, "build constraints exclude all Go files"},
		{"m/tagged", "special", fault.Other, ""},
		{"nomod", "", fault.Input, "go.mod file not found"},
	} {
		path := filepath.Join(dir, tt.path)
		chain, err := overlay.Find(t.Context(), path, scratch)
		if err != nil {
			t.Fatal(err)
		}
		p, err := List(t.Context(), chain, path, tt.tags)
		if err == nil {
			err = p.Tested()
		}
		if err == nil {
			_, err = Build{Toolchain: chain, Package: p, Output: filepath.Join(scratch, "some.test"), Scratch: scratch, Engine: study.EnginePairs, Tags: tt.tags}.Compile(t.Context())
		}
		if fault.KindOf(err) != tt.kind || err != nil && !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s with tags %q: kind %v, %v; want %v, %s", tt.path, tt.tags, fault.KindOf(err), err, tt.kind, tt.text)
		}
	}
}
