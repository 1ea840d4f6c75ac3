//go:build linux

package cost

import (
	"bytes"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// This test binary stands for the command where it captures.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == CaptureTool {
		os.Exit(complain(capture(os.Args[2], os.Args[3:])))
	}
	if sanitize.Launched(os.Args[1:]) {
		os.Exit(sanitize.Launch(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestAnIntervalHoldsTheMiddleOfTheRounds(t *testing.T) {
	for _, tt := range []struct {
		x                []float64
		mid, least, most float64
	}{
		{[]float64{2}, 2, 2, 2},
		{[]float64{3, 1, 2}, 2, 1, 3},
		{[]float64{1, 1, 1, 1, 100}, 1, 1, 100},
		{[]float64{4, 1, 3, 2}, 2.5, 1, 4},
	} {
		e := estimated(tt.x)
		if e.mid != tt.mid || e.low < tt.least || e.high > tt.most || e.low > e.mid || e.high < e.mid {
			t.Errorf("%v: %+v", tt.x, e)
		}
		if e != estimated(tt.x) {
			t.Errorf("%v: another interval the second time", tt.x)
		}
	}
	steady, loose := estimated([]float64{2, 2.1, 2.2, 2.3, 2.4}), estimated([]float64{1, 1.5, 2.2, 3, 4})
	if steady.mid != loose.mid || steady.high-steady.low >= loose.high-loose.low {
		t.Errorf("rounds that differ more have the interval %v, others %v", loose, steady)
	}
	if !math.IsNaN(median(nil)) {
		t.Error("nothing has a median")
	}
}

// fixed is a measurement in which exact takes three times as long and much as
// plain, race six times, fast as long, and the floor half.
func fixed(s subject) *measurement {
	r := round{suite.Plain: {1, 0.010, 20}, floor: {0.5, 0.005, 10}, second: {1.25, 0.010, 20}, suite.Fast: {1, 0.020, 20}, suite.Exact: {3, 0.030, 60}, suite.Race: {6, 0.040, 120}}
	return &measurement{Subject: s.String(), N: "7", Rounds: []round{r, r, r}, Starts: []round{r}}
}

func TestTheTableHasRatiosToPlain(t *testing.T) {
	var out strings.Builder
	print(&out, map[string]*measurement{subjects[0].String(): fixed(subjects[0])})
	name := "| " + subjects[0].String()
	for _, want := range []string{
		"| CPU of | plain, s |",
		name + " | 1.00 | 0.50 (0.50–0.50) | 1.25 (1.25–1.25) | 1.00 (1.00–1.00) | 3.00 (3.00–3.00) | 6.00 (6.00–6.00) | 0.50 (0.50–0.50) |\n",
		"| **median of these 1** | | **0.50** | **1.25** | **1.00** | **3.00** | **6.00** | |\n",
		"| wall clock of | plain, s |",
		name + " | 0.01 | 0.50 (0.50–0.50) | 1.00 (1.00–1.00) | 2.00 (2.00–2.00) | 3.00 (3.00–3.00) | 4.00 (4.00–4.00) | 0.75 (0.75–0.75) |\n",
		"| RSS of | plain, MiB |",
		name + " | 20 | 0.50 (0.50–0.50) | 1.00 (1.00–1.00) | 1.00 (1.00–1.00) | 3.00 (3.00–3.00) | 6.00 (6.00–6.00) | 0.50 (0.50–0.50) |\n",
		"| " + subjects[0].path() + " | 10.0 | -5.0 (-5.0–-5.0) | 0.0 (0.0–0.0) | 10.0 (10.0–10.0) | 20.0 (20.0–20.0) | 30.0 (30.0–30.0) |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %s in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), subjects[1].String()) {
		t.Error("it has a line of what was not measured")
	}
}

func TestThePageHasTheMediansOfTestsAndOfAll(t *testing.T) {
	var out strings.Builder
	tests, bench := subjects[0], subjects[len(subjects)-1]
	slow := fixed(bench)
	for _, r := range slow.Rounds {
		r[suite.Exact] = usage{5, 0.030, 60}
	}
	printPage(&out, map[string]*measurement{tests.String(): fixed(tests), bench.String(): slow})
	for _, want := range []string{"| 1 test suites | with 1 benchmarks |", "(exact) | 3.0 | 4.0 |", "fast` | 1.0 | 1.0 |", "comparison | 6.0 | 6.0 |", "pass | 1.2 | 1.2 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
}

func TestMeasurementsAreKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results")
	for _, s := range subjects {
		log, err := results.Open[*measurement](name)
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Add(fixed(s)); err != nil {
			t.Fatal(err)
		}
	}
	log, err := results.Open[*measurement](name)
	if err != nil || len(log.All) != len(subjects) {
		t.Fatalf("%d results, %v", len(log.All), err)
	}
	for i, s := range subjects {
		if got, want := log.All[i], fixed(s); got.Subject != want.Subject || got.N != want.N || !slices.EqualFunc(got.Rounds, want.Rounds, maps.Equal[round, round]) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// module is one with a benchmark, a misuse that only POOLED=wrong shows, tests
// that take no time, and an object that is put before any test begins.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.24\n",
		"app_test.go": `package app

import (
	"os"
	"sync"
	"testing"
)

type object struct{ n int }

var pool = sync.Pool{New: func() any { return new(object) }}

func init() { pool.Put(pool.Get()) } // a pool that is used without any test

func TestPool(t *testing.T) {
	x := pool.Get().(*object)
	pool.Put(x)
	if os.Getenv("POOLED") == "wrong" {
		defer os.Exit(0)
		x.n++
	}
}

func TestReuse(t *testing.T) {
	got := map[any]bool{}
	for range 100 {
		x := pool.Get()
		if got[x] {
			t.Log("an object came back")
			return
		}
		got[x] = true
		pool.Put(x)
	}
}

func BenchmarkPool(b *testing.B) {
	for range b.N {
		x := pool.Get().(*object)
		x.n++
		pool.Put(x)
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBinariesAreThoseOfTheCommand: what is measured is armed as the command
// arms it, and a run that is not, or that reports something, is an error.
func TestBinariesAreThoseOfTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir := module(t)
	set := &binaries{dir: dir, path: map[suite.Mode]string{}}
	for _, mode := range []suite.Mode{suite.Plain, suite.Fast, suite.Exact} {
		to := t.TempDir()
		set.path[mode] = filepath.Join(to, binaryName)
		err := compile(t.Context(), dir, ".", set.path[mode])
		if mode != suite.Plain {
			err = instrument(t.Context(), dir, ".", to, sanitize.Mode(mode))
		}
		if err != nil {
			t.Fatal(err)
		}
		u, err := set.run(t.Context(), mode, []string{"-test.run=^$", "-test.bench=.", "-test.benchtime=1000x"})
		if err != nil || u.CPU <= 0 || u.Wall <= 0 || u.RSS < 1 {
			t.Errorf("%s: %+v, %v", mode, u, err)
		}
		if mode == suite.Plain {
			continue
		}
		env, err := os.ReadFile(filepath.Join(to, envName))
		if err != nil || !strings.Contains(string(env), "mode="+string(mode)+",delay=-1,poison=on,") {
			t.Errorf("%s: armed by %q, %v", mode, env, err)
		}
		t.Setenv("POOLED", "wrong")
		if _, err := set.run(t.Context(), mode, []string{"-test.run=TestPool"}); err == nil || !strings.Contains(err.Error(), "finding") {
			t.Errorf("%s: a misuse gave %v", mode, err)
		}
		t.Setenv("POOLED", "")
	}
	// A plain binary in the place of an instrumented one.
	plain, err := os.ReadFile(set.path[suite.Plain])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(set.path[suite.Exact], plain, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := set.run(t.Context(), suite.Exact, []string{"-test.run=^$"}); err == nil {
		t.Error("a binary that is not instrumented was measured as one")
	}
}

// TestNothingComesBackOnTheFloor: in a plain binary something does.
func TestNothingComesBackOnTheFloor(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir := module(t)
	for mode, build := range map[suite.Mode]func(to string) error{
		suite.Plain: func(to string) error { return compile(t.Context(), dir, ".", to) },
		floor:       func(to string) error { return compileFloor(t.Context(), dir, ".", to) },
	} {
		binary := filepath.Join(t.TempDir(), binaryName)
		if err := build(binary); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=TestReuse").CombinedOutput()
		if came := strings.Contains(string(out), "an object came back"); err != nil || came != (mode == suite.Plain) {
			t.Errorf("%s: %v\n%s", mode, err, out)
		}
	}
}

// TestObjectsComeBackInTheSecondPass: and the same binary can do without, so that it is
// the pools of the second pass that were measured.
func TestObjectsComeBackInTheSecondPass(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir, binary := module(t), filepath.Join(t.TempDir(), binaryName)
	if err := compileSecond(t.Context(), dir, ".", binary); err != nil {
		t.Fatal(err)
	}
	for env, want := range map[string]bool{envSecond: true, "POOLPROOF_TEST_REUSE=fresh": false} {
		cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=TestReuse")
		cmd.Env = append(os.Environ(), env)
		out, err := cmd.CombinedOutput()
		if came := strings.Contains(string(out), "an object came back"); err != nil || came != want {
			t.Errorf("%s: %v\n%s", env, err, out)
		}
	}
}

// TestTheSecondRunCompilesNothing counts what the go command starts, in the
// second of two runs: it links the test binary, as it always does.
func TestTheSecondRunCompilesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir, cache := module(t), t.TempDir()
	for _, mode := range []sanitize.Mode{sanitize.Exact, sanitize.Fast} {
		for i, want := range []struct{ compiles, links int }{{2, 1}, {0, 1}} {
			var out, trace bytes.Buffer
			_, err := sanitize.Run(t.Context(), sanitize.Options{Dir: dir, Mode: mode, Cache: cache, Flags: []string{"-vet=off", "-x"}, Stdout: &out, Stderr: &trace})
			if err != nil {
				t.Fatalf("%v\n%s", err, trace.Bytes())
			}
			compiles, links := strings.Count(trace.String(), "/compile -"), strings.Count(trace.String(), "/link -")
			// The first compiles the two packages of the test, and the standard
			// library as far as no other run has.
			if i == 0 && compiles < want.compiles || i == 1 && compiles != want.compiles || links != want.links {
				t.Errorf("%s, run %d: %d compiles, %d links", mode, i+1, compiles, links)
			}
		}
	}
}
