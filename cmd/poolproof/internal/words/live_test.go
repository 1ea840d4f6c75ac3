package words_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func liveRun() (study.Plan, []study.Result) {
	var p study.Plan
	var results []study.Result
	side := study.Bench{Binary: "test", Leaf: "x"}
	for i, name := range []string{"a", "b", "c", "d"} {
		p.Comparisons = append(p.Comparisons, study.Comparison{ID: name, Benchmark: "Benchmark" + name, Arm: "pool", Baseline: "make", BaselineBench: side, CandidateBench: side})
		r := study.Result{Comparison: name, Benchmark: "Benchmark" + name, Arm: "pool", Baseline: "make", Verdict: study.Inconclusive, Want: &study.Want{}}
		if i < 2 {
			r.Want, r.Verdict, r.Launches, r.BaselineTime, r.CandidateTime = nil, study.Positive, 4, 200, 100
			r.Deciding = study.Estimate{Effect: -0.5, Lo: -0.52, Hi: -0.48, Launches: 4}
			r.Estimator = study.Estimator{Kind: study.Mutator, Clock: study.Wall}
			r.Bytes, r.Allocs = study.Counter{Baseline: 64, Candidate: 0}, study.Counter{Baseline: 1, Candidate: 0}
		} else if i == 2 {
			r.Launches = 2
		}
		results = append(results, r)
	}
	return p, results
}

func TestTheLiveTableShowsVerdictsAsTheyFall(t *testing.T) {
	p, results := liveRun()
	all := strings.Join(term.Live(p, results, 120, 20), "\n")
	for _, want := range []string{"Benchmarka  pool  POSITIVE", "200.0 ns -> 100.0 ns", "-50.0 % [-52.0, -48.0]", "Benchmarkc  pool  measuring 2 launches", "Benchmarkd  pool  waiting"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	low := term.Live(p, results, 120, 4)
	if text := strings.Join(low, "\n"); len(low) > 4 || !strings.Contains(text, "Benchmarkc") || !strings.Contains(text, "Benchmarkd") || !strings.HasSuffix(text, "and 2 more comparisons") {
		t.Errorf("on a low screen:\n%s", text)
	}
	for _, line := range term.Live(p, results, 70, 20) {
		if words.Width(line) > 70 {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	if lines := term.Live(study.Plan{}, nil, 80, 20); lines != nil {
		t.Errorf("%q", lines)
	}
}

func TestAVerdictIsSaidInOneLine(t *testing.T) {
	p, results := liveRun()
	if got, want := term.Verdict(p, p.Comparisons[0], results[0], false), "Benchmarka pool: POSITIVE, 200.0 ns -> 100.0 ns, -50.0 % [-52.0, -48.0], B/op 64 -> 0, allocs/op 1 -> 0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	failed := study.Result{Benchmark: "BenchmarkX", Arm: "pool", Baseline: "make", Verdict: study.NotMeasured, Failed: &study.Failure{Side: "candidate", Text: "no luck"}}
	if got, want := term.Verdict(p, study.Comparison{}, failed, true), "BenchmarkX pool: not measured: the candidate fails: no luck"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
