package findcmd

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/collect"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/own"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
)

func TestWhatIsPrintedOfARun(t *testing.T) {
	t.Chdir(t.TempDir())
	r := &found{
		profile: &profile.Profile{Tests: profile.Part{Bytes: 0.5, Objects: 0.01}, Elsewhere: profile.Part{Bytes: 0.029}},
		packages: []own.Package{
			{Path: "m/a", Dir: "/m/a", Took: 90 * time.Second, Answer: collect.Answer{
				Benchmarks: make([]profile.Benchmark, 2),
				Left: []collect.Left{
					{Name: "BenchmarkW", Why: "the budget was used up"}, {Name: "BenchmarkF", Why: "a.go:3: boom", Failed: true},
					{Name: "BenchmarkX", Why: "the budget was used up"}, {Name: "BenchmarkY", Why: "the budget was used up"}, {Name: "BenchmarkZ", Why: "the budget was used up"},
				},
			}},
			{Path: "m/b", Dir: "/m/b", Err: fault.Errorf(fault.Code, "m/b does not compile")},
		},
		candidates: []candidate.Candidate{
			{Site: &profile.Site{
				Package: "m/c", Function: "(*T).F", File: "/m/c/c.go", Line: 7, Kind: profile.KindConstructor, Callee: "compress/gzip.NewWriter", Type: "*gzip.Writer",
				ByteShare: 0.0951, ObjectShare: 0.0004, Bound: profile.Bound{Benchmark: "BenchmarkA", CPU: 0.123, Bytes: 1},
				Benchmarks: []profile.Reach{
					{Package: "m/a", Benchmark: "BenchmarkA", Bytes: 20 << 10, Objects: 1, ByteShare: 1}, {Benchmark: "BenchmarkB", Bytes: 0.25, Objects: 0.01, ByteShare: 0.5},
					{Benchmark: "BenchmarkC"}, {Benchmark: "BenchmarkD"}, {Benchmark: "BenchmarkE"},
				},
			}, Variants: []reuse.Variant{{Name: reuse.Reset, Evidence: reuse.Contract}, {Name: reuse.Pool, Evidence: reuse.Observed}}},
			{Site: &profile.Site{Function: "g", File: "/m/c/c.go", Line: 9, Kind: profile.KindNew, Expr: "new(T)", ByteShare: 0.2}, Why: "it is returned", Word: "it is returned (line 9)"},
		},
		more: 1,
	}
	const want = `2 benchmarks of 2 packages, profiled in 1m30s

 1. /m/c/c.go:7 (*T).F: gzip.NewWriter makes a gzip.Writer in each operation, which has a Reset method
    9.5% of the bytes, 0.0% of the objects; can win at most 12% of the CPU time and 100% of the bytes of BenchmarkA
    BenchmarkA: 20 KiB in 1 object, 100% of its bytes, in each operation
    BenchmarkB: 0.25 B in 0.01 objects, 50% of its bytes, in each operation
    BenchmarkC: 0 B in 0 objects, 0.0% of its bytes, in each operation
    and 2 benchmarks more
    try reset (contract), pool (observed)
    poolproof try /m/a -site /m/c/c.go:7+observed

 2. /m/c/c.go:9 g: new, new(T)
    20% of the bytes, 0.0% of the objects
    compiler: it is returned (line 9)
    nothing to try: it is returned

1 site has 3.0% or more: -top 0 prints them.
Test files allocate 50% of the bytes and 1.0% of the objects themselves.
Not profiled of m/a: BenchmarkW, BenchmarkX, BenchmarkY and 1 more: the budget was used up
Not profiled of m/a: BenchmarkF: a.go:3: boom
m/b does not compile
`
	if got := r.text(true); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := r.text(false); strings.Contains(got, "compiler:") || strings.Contains(got, "BenchmarkB") {
		t.Errorf("without -why:\n%s", got)
	}
}

func TestTheExitCodeSaysWhetherBenchmarksFailed(t *testing.T) {
	with := func(p own.Package) int { return (&found{packages: []own.Package{{}, p}}).code() }
	if got := with(own.Package{Answer: collect.Answer{Left: []collect.Left{{Name: "BenchmarkA", Why: "it skips itself"}}}}); got != exitcode.OK {
		t.Errorf("skipped: %d", got)
	}
	if got := with(own.Package{Answer: collect.Answer{Left: []collect.Left{{Name: "BenchmarkA", Failed: true}}}}); got != exitcode.Build {
		t.Errorf("failed: %d", got)
	}
	if got := with(own.Package{Err: fault.Errorf(fault.Code, "no")}); got != exitcode.Build {
		t.Errorf("does not build: %d", got)
	}
}
