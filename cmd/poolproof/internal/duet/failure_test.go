//go:build unix

package duet

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// failure is a benchmark that cannot be measured. The pattern text must match
// the whole line, in which TIMEOUT is that of the launch; no status: either fits.
type failure struct {
	leaf, env string
	status    study.Status
	text      string
}

// matches reports whether the record says what it should.
func (f failure) matches(r study.Record, timeout time.Duration) bool {
	text := strings.ReplaceAll(f.text, "TIMEOUT", timeout.String())
	return regexp.MustCompile(`^(?:` + text + `)$`).MatchString(r.Error)
}

// failing has each way in which a benchmark cannot be measured.
var failing = []failure{
	{"BenchmarkFatal", "", study.StatusFailed, `BenchmarkFatal failed: bad_test\.go:\d+: no such luck`},
	{"BenchmarkFatalLater", "", study.StatusFailed, `BenchmarkFatalLater failed: bad_test\.go:\d+: too much`},
	{"BenchmarkErrorLater", "", study.StatusFailed, `BenchmarkErrorLater failed: bad_test\.go:\d+: not equal`},
	{"BenchmarkFailLater", "", study.StatusFailed, `BenchmarkFailLater failed`},
	{"BenchmarkBreakLater", "", study.StatusFailed, `BenchmarkBreakLater failed: .*returned without B\.Loop.*`},
	{"BenchmarkSkip", "", study.StatusFailed, `BenchmarkSkip is not there: no benchmark of that name, or it skipped itself`},
	{"BenchmarkSkipLater", "", study.StatusFailed, `BenchmarkSkipLater skipped itself`},
	{"BenchmarkMissing", "", study.StatusFailed, `BenchmarkMissing is not there: no benchmark of that name, or it skipped itself`},
	{"BenchmarkPanic", "", study.StatusCrashed, `BenchmarkPanic: panic: out of cheese at bad_test\.go:\d+`},
	{"BenchmarkPanicLater", "", study.StatusCrashed, `BenchmarkPanicLater: panic: out of cheese at bad_test\.go:\d+`},
	{"BenchmarkPanicInLibrary", "", study.StatusCrashed, `BenchmarkPanicInLibrary: panic: strings: negative Repeat count at bad_test\.go:\d+`},
	{"BenchmarkPanicElsewhere", "", study.StatusCrashed, `BenchmarkPanicElsewhere: panic: in a goroutine at bad_test\.go:\d+`},
	{"BenchmarkManyStacks", "", study.StatusCrashed, `BenchmarkManyStacks: fatal error: concurrent map .* at bad_test\.go:\d+`},
	{"BenchmarkExit", "", study.StatusCrashed, `BenchmarkExit ended the process \(exit status 7\): it calls os\.Exit, or was killed`},
	{"BenchmarkExitLater", "", study.StatusCrashed, `BenchmarkExitLater ended the process \(exit status 7\): it calls os\.Exit, or was killed`},
	{"BenchmarkExitZeroLater", "", study.StatusCrashed, `BenchmarkExitZeroLater: panic: unexpected call to os\.Exit\(0\) during test at bad_test\.go:\d+`},
	{"BenchmarkGoexitLater", "", "", `BenchmarkGoexitLater(: fatal error: .*| left its goroutine without a message)`},
	{"BenchmarkHang", "", study.StatusTimeout, `BenchmarkHang gave no answer in TIMEOUT: it hangs, or needs a longer -timeout`},
	{"BenchmarkHangLater", "", study.StatusTimeout, `BenchmarkHangLater gave no answer in TIMEOUT: it hangs, or needs a longer -timeout`},
	{"BenchmarkNested", "", "", `BenchmarkNested(: fatal error: .*| gave no answer in TIMEOUT: .*)`},
	{"BenchmarkFatalLater", "GOMAXPROCS=1", study.StatusFailed, `BenchmarkFatalLater failed: bad_test\.go:\d+: too much`},
}

func TestABenchmarkThatCannotBeMeasuredGivesARecordWithOneClearLine(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	for _, tt := range failing {
		t.Run(tt.leaf+tt.env, func(t *testing.T) {
			t.Parallel()
			pids := t.TempDir()
			l := launch(m.side, tt.leaf)
			l.Programs[study.Baseline].Env = []string{"BENCH_PIDS=" + pids}
			if tt.env != "" {
				l.Programs[study.Baseline].Env = append(l.Programs[study.Baseline].Env, tt.env)
			}
			l.Programs[study.Candidate].Env = l.Programs[study.Baseline].Env
			timeouts := []time.Duration{limit}
			if strings.Contains(tt.text, "TIMEOUT") {
				timeouts = patience
			}
			var r study.Record
			var err error
			for _, l.Timeout = range timeouts {
				if r, _, err = l.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if tt.matches(r, l.Timeout) {
					break
				}
			}
			if r.Status != tt.status && tt.status != "" || r.Status == study.StatusOK {
				t.Errorf("status %s, want %s", r.Status, tt.status)
			}
			if !tt.matches(r, l.Timeout) {
				t.Errorf("error %q does not match %s", r.Error, tt.text)
			}
			if r.FailedSide != "baseline" && r.FailedSide != "candidate" || r.Baseline.Len()+r.Candidate.Len()+len(r.CandidateFirst) != 0 {
				t.Errorf("side %q, %d and %d bursts", r.FailedSide, r.Baseline.Len(), r.Candidate.Len())
			}
			allGone(t, pids)
		})
	}
}

// allGone checks the processes that wrote their files into dir, and that there
// was one.
func allGone(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("no process in %s, %v", dir, err)
	}
	for _, f := range files {
		pid := 0
		if _, err := fmt.Sscanf(f.Name(), "%d", &pid); err != nil {
			t.Fatal(err)
		}
		gone(t, pid)
	}
}

func TestTheFailingSideIsNamed(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	for side, change := range map[string]func(l *Launch){
		"baseline":  func(l *Launch) { l.Leaves[study.Baseline] = "BenchmarkFatalLater" },
		"candidate": func(l *Launch) { l.Leaves[study.Candidate] = "BenchmarkFatalLater" },
	} {
		l := launch(m.side, "BenchmarkN")
		change(&l)
		r, _, err := l.Run(t.Context())
		if err != nil || r.Status != study.StatusFailed || r.FailedSide != side {
			t.Errorf("%s fails: status %s, side %q, %v", side, r.Status, r.FailedSide, err)
		}
	}
}

func TestWordsThatOnlyLookLikeAPanicAreNone(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkPanicWord")
	l.Shape = &Shape{N: [2]int{5, 5}, Pairs: 2}
	if r, _, err := l.Run(t.Context()); err != nil || r.Status != study.StatusOK {
		t.Errorf("%s %s, %v", r.Status, r.Error, err)
	}
}

func TestABadPatternBreaksTheListOff(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	leaves, err := Leaves(t.Context(), m.side, "^Benchmark(Pa", limit)
	var broken *BenchError
	if !errors.As(err, &broken) || broken.Status != study.StatusCrashed || !strings.Contains(broken.Text, "invalid regexp") {
		t.Errorf("%v, %v", leaves, err)
	}
}

// listers are the two ways to list benchmarks, each with its binary.
func listers(t *testing.T) map[string]func(pattern string) ([]Leaf, error) {
	duet, plain := built(t, "bench", study.EngineDuet, 0), built(t, "bench", study.EnginePairs, 0)
	return map[string]func(pattern string) ([]Leaf, error){
		"duet":  func(pattern string) ([]Leaf, error) { return Leaves(t.Context(), duet.side, pattern, limit) },
		"pairs": func(pattern string) ([]Leaf, error) { return LeavesPlain(t.Context(), plain.side, pattern, limit) },
	}
}

func TestLeavesListsWhatFailsBesideWhatDoesNot(t *testing.T) {
	for name, list := range listers(t) {
		leaves, err := list("^Benchmark(Fatal|N|Skip|Loop)$")
		skipped := slices.DeleteFunc(slices.Clone(leaves), func(l Leaf) bool { return !l.Skipped })
		leaves = slices.DeleteFunc(leaves, func(l Leaf) bool { return l.Skipped })
		if err != nil || len(leaves) != 3 {
			t.Fatalf("%s: leaves %v, %v", name, leaves, err)
		}
		if told := len(skipped) == 1 && skipped[0].Name == "BenchmarkSkip"; told != (name == "duet") { // plain binaries do not tell
			t.Errorf("%s: skipped %v", name, skipped)
		}
		if f := leaves[0]; f.Name != "BenchmarkFatal" || !regexp.MustCompile(`^BenchmarkFatal failed: bad_test\.go:\d+: no such luck$`).MatchString(f.Failed) {
			t.Errorf("%s: %+v", name, f)
		}
		for i, want := range []string{"BenchmarkLoop", "BenchmarkN"} {
			if l := leaves[i+1]; l.Name != want || l.Failed != "" || l.Once <= 0 {
				t.Errorf("%s: %+v, want %s", name, l, want)
			}
		}
	}
}

func TestTheSuspectIsTheLastThatBeganOrItsParent(t *testing.T) {
	const beginning = "=== RUN   BenchmarkX\nBenchmarkX\n=== RUN   BenchmarkX/a\nBenchmarkX/a\n"
	const result = "BenchmarkX/a-2     \t       1\t     100 ns/op\n"
	const next = "=== RUN   BenchmarkX/b\nBenchmarkX/b\n"
	for output, want := range map[string]string{
		"":                        "[]",
		beginning:                 "[BenchmarkX/a]",
		beginning + result:        "[BenchmarkX]",
		beginning + result + next: "[BenchmarkX/b]",
		// While a panic was printed the next one began.
		beginning + next: "[BenchmarkX/a BenchmarkX/b]",
		beginning + "BenchmarkX/a-2     \t       1\n":        "[BenchmarkX/a]",
		beginning + "BenchmarkX/a-2     \t       1\n" + next: "[BenchmarkX/a BenchmarkX/b]",
		beginning + "--- FAIL: BenchmarkX/a\n" + next:        "[BenchmarkX/b]",
		beginning + "\x16--- SKIP: BenchmarkX/a\n" + next:    "[BenchmarkX/b]",
	} {
		if got := fmt.Sprint(suspects(begun(output), "the test binary", output)); got != want {
			t.Errorf("%q: %s, want %s", output, got, want)
		}
	}
	if got := running([]string{"BenchmarkX", "BenchmarkX/a", "BenchmarkY"}, "BenchmarkX", ""); got != "BenchmarkX/a" {
		t.Errorf("the next function began while a panic was printed: %q", got)
	}
	l := lister{leaves: []Leaf{{Name: "BenchmarkX/a", Once: 1}}}
	l.blame("BenchmarkX/a", "panic")
	if len(l.leaves) != 1 || l.leaves[0].Failed != "panic" {
		t.Errorf("a benchmark that was announced while it panicked: %+v", l.leaves)
	}
}

func TestOfTheSuspectsTheOneThatEndsTheProcessAloneIsToBlame(t *testing.T) {
	got := listing{broken: &BenchError{study.StatusCrashed, "the test binary ended the process (exit status 7)"}, about: "the test binary"}
	panics := listing{broken: &BenchError{study.StatusCrashed, "BenchmarkX: panic: no"}, about: "BenchmarkX"}
	for _, tt := range []struct {
		alone      map[string]listing // by pattern
		name, text string
	}{
		{map[string]listing{"^BenchmarkX$/^a$": panics}, "BenchmarkX/a", "BenchmarkX/a: panic: no"},
		{map[string]listing{"^BenchmarkX$/^b$": panics}, "BenchmarkX/b", "BenchmarkX/b: panic: no"},
		{nil, "BenchmarkX/b", "BenchmarkX/b ended the process (exit status 7)"},
	} {
		l := lister{run: func(args ...string) (listing, error) {
			return tt.alone[strings.TrimPrefix(args[0], "-test.bench=")], nil
		}}
		name, text, err := l.culprit(got, []string{"BenchmarkX/a", "BenchmarkX/b"})
		if name != tt.name || text != tt.text || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestAPanicThatIsSlowToPrintIsNotBlamedOnTheNextBenchmark widens the moment in
// which testing goes on although a benchmark panicked.
func TestAPanicThatIsSlowToPrintIsNotBlamedOnTheNextBenchmark(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	leaves, err := Leaves(t.Context(), m.side, "^BenchmarkSlowPanic$", limit)
	if err != nil || len(leaves) != 3 {
		t.Fatalf("%+v, %v", leaves, err)
	}
	for i, want := range []string{
		`^BenchmarkSlowPanic/way=panic: panic: out of cheese, slowly at bad_test\.go:\d+$`,
		`^BenchmarkSlowPanic/way=exit ended the process \(exit status 7\)`,
		`^$`,
	} {
		if got := leaves[i]; !regexp.MustCompile(want).MatchString(got.Failed) {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

func TestABenchmarkThatEndsTheProcessDoesNotHideTheOthers(t *testing.T) {
	want := []struct{ name, failed string }{
		{"BenchmarkPanic", `^BenchmarkPanic: panic: out of cheese at bad_test\.go:\d+$`},
		{"BenchmarkExit", `^BenchmarkExit ended the process \(exit status 7\)`},
		{"BenchmarkWays/way=first", ""},
		{"BenchmarkWays/way=fatal", `^BenchmarkWays/way=fatal failed: bad_test\.go:\d+: no such luck$`},
		{"BenchmarkWays/way=panic", `^BenchmarkWays/way=panic: panic: out of cheese at bad_test\.go:\d+$`},
		{"BenchmarkWays/way=exit", `^BenchmarkWays/way=exit ended the process \(exit status 7\)`},
		{"BenchmarkWays/way=last", ""},
		{"BenchmarkAfterwards", `^BenchmarkAfterwards: panic: after its parts at bad_test\.go:\d+$`},
		{"BenchmarkAfterwards/part=1", ""},
		{"BenchmarkN", ""},
	}
	for name, list := range listers(t) {
		leaves, err := list("^Benchmark(Panic|Exit|Ways|Afterwards|N)$")
		if err != nil || len(leaves) != len(want) {
			t.Errorf("%s: %v, %v", name, leaves, err)
			continue
		}
		for i, w := range want {
			if l := leaves[i]; l.Name != w.name || (l.Failed == "") != (w.failed == "") || !regexp.MustCompile(w.failed).MatchString(l.Failed) {
				t.Errorf("%s: leaf %d is %+v, want %+v", name, i, l, w)
			}
		}
	}
}

func TestATestMainThatRunsNothingIsToldApart(t *testing.T) {
	m := built(t, "quits", study.EngineDuet, 0)
	const want = "TestMain call os.Exit without m.Run"
	if leaves, err := Leaves(t.Context(), m.side, ".", limit); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Leaves = %v, %v", leaves, err)
	}
	r, _, err := launch(m.side, "BenchmarkNever").Run(t.Context())
	if err != nil || r.Status != study.StatusFailed || !strings.Contains(r.Error, want) {
		t.Errorf("launch: %s %q, %v", r.Status, r.Error, err)
	}
}

func TestPositionsAreTheUsersAndRelative(t *testing.T) {
	const stack = `
goroutine 22 [running]:
strings.Repeat({0x1, 0x2}, 0x3)
	ROOT/src/strings/strings.go:624 +0x5c5
example.org/m/internal/x.f(0x1)
	/home/me/src/internal/x/a b.go:9 +0x1
example.org/m.BenchmarkX(0xc000)
	/home/me/m/x_test.go:40 +0x65
testing.(*B).runN(0xc000, 0x2)
	ROOT/src/testing/benchmark.go:219 +0x190
created by testing.(*B).doBench in goroutine 1
	ROOT/src/testing/benchmark.go:304 +0x6c
`
	for _, tt := range []struct{ root, dir, want string }{
		{"/usr/local/go", "/home/me/src", "internal/x/a b.go:9"},
		{"/usr/local/go", "/home/me/m", "/home/me/src/internal/x/a b.go:9"},
		{"/home/me/sdk/go", "/home/me/src/internal/x", "a b.go:9"},
	} {
		if got := position(strings.ReplaceAll(stack, "ROOT", tt.root), tt.dir); got != tt.want {
			t.Errorf("toolchain in %s, package in %s: %q, want %q", tt.root, tt.dir, got, tt.want)
		}
	}
	const trimmed = "testing.(*B).runN(0x2)\n\ttesting/benchmark.go:219 +0x190\nexample.org/m.BenchmarkX(0xc)\n\texample.org/m/x_test.go:40 +0x6\n"
	if got := position(trimmed, "/home/me/m"); got != "example.org/m/x_test.go:40" {
		t.Errorf("built with -trimpath: %q", got)
	}
	if got := position("goroutine 1 [running]:\nruntime.main()\n\t/go/src/runtime/proc.go:1\n", "/"); got != "" {
		t.Errorf("a stack of the runtime alone: %q", got)
	}
}

func TestTheTailKeepsTheReasonOfACrash(t *testing.T) {
	line := strings.Repeat("x", 1023) + "\n"
	var plain, crashed tail
	for range 1000 {
		plain.Write([]byte(line))
	}
	plain.Write([]byte("the end\n"))
	if got := plain.String(); len(got) > 3*tailSize || len(got) < tailSize || !strings.HasSuffix(got, "the end\n") {
		t.Errorf("%d bytes kept, the end there: %v", len(got), strings.HasSuffix(got, "the end\n"))
	}
	for i := range 2000 {
		if i == 300 {
			crashed.Write([]byte("fatal error: all is lost\n"))
		}
		crashed.Write([]byte(line))
	}
	if got := crashed.String(); len(got) > 3*tailSize || !strings.Contains(got, "fatal error: all is lost\n") {
		t.Errorf("%d bytes kept, without the reason", len(got))
	}
}

func TestALongLineIsClipped(t *testing.T) {
	if got := clip(strings.Repeat("ä", 500)); len(got) > 404 || !strings.HasSuffix(got, "ä...") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-5:])
	}
}
