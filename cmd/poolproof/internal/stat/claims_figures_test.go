package stat

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestClaimsSetWhatWasPublishedBesideWhatWasFound(t *testing.T) {
	r := study.Result{Arm: "pool", Benchmark: "work", Verdict: study.Positive, Time: study.Better, Estimator: study.Estimator{Kind: "T", Clock: "wall"},
		Deciding: study.Estimate{Effect: -0.1, Lo: -0.12, Hi: -0.08, Launches: 4},
		TCPU:     study.Estimate{Effect: 0.05, Lo: 0.03, Hi: 0.07, Launches: 4, Class: study.Worse},
		MCPU:     study.Estimate{Effect: 0.01, Lo: 0, Hi: 0.02, Launches: 4, Class: study.Same},
		Bytes:    study.Counter{Old: 100, New: 20}, Allocs: study.Counter{Old: 2, New: 2, Equal: true},
		Metrics: []study.MetricResult{
			{Unit: "made/op", Old: 1, New: 0.25, Class: study.Better, Exact: true},
			{Unit: "p99-ns", Old: 10, New: 20, Class: study.Worse, Estimate: study.Estimate{Effect: 1, Lo: 0.9, Hi: 1.1, Launches: 5}},
			{Unit: "lost", Class: study.Unresolved, Why: &study.Reason{Code: study.ReasonNotReported, Side: "candidate", Unit: "lost", Counts: &[2]int{4, 4}}},
		}}
	with := func(edit func(*study.Result)) study.Result {
		c := r
		edit(&c)
		return c
	}
	for _, tt := range []struct {
		name   string
		metric string
		class  study.Class
		r      study.Result
		want   string
		found  string
		why    string
	}{
		{"time", "time", study.Better, r, reproduced, "-10.0 % (-12.0 % to -8.0 %)", "time is better"},
		{"time of one launch", "time", study.Better, with(func(r *study.Result) { r.Deciding.Launches = 1 }), reproduced, "-10.0 %", "time is better"},
		{"CPU time beside a total", "cpu", study.Worse, r, reproduced, "+5.0 % (+3.0 % to +7.0 %)", "CPU time is worse: +5.0 % (+3.0 % to +7.0 %; T cpu, 4 launches)"},
		{"CPU time between collections", "cpu", study.Worse, with(func(r *study.Result) { r.Estimator = study.Estimator{Kind: "M", Clock: "wall"} }), notReproduced, "+1.0 % (0.0 % to +2.0 %)", "CPU time is same"},
		{"CPU time that decided", "cpu", study.Better, with(func(r *study.Result) { r.Estimator = study.Estimator{Kind: "rate", Clock: "cpu"} }), reproduced, "-10.0 % (-12.0 % to -8.0 %)", "rate cpu"},
		{"CPU time that was taken back", "cpu", study.Better, with(func(r *study.Result) {
			r.Estimator, r.Time = study.Estimator{Kind: "T", Clock: "cpu"}, study.Unresolved
		}), notJudgeable, "-10.0 % (-12.0 % to -8.0 %)", "CPU time is unresolved"},
		{"CPU time of the long form, which did not run", "cpu", study.Better, with(func(r *study.Result) { r.Estimator = study.Estimator{Kind: "long", Clock: "wall"} }), notJudgeable, "", "CPU time was not measured"},
		{"bytes", "B/op", study.Better, r, reproduced, "100 -> 20 (-80.0 %)", "B/op falls"},
		{"allocations", "allocs/op", study.Better, r, notReproduced, "2 -> 2", "allocs/op is 2"},
		{"a count of the benchmark's own", "made/op", study.Better, r, reproduced, "1 -> 0.2500 (-75.0 %)", "made/op falls from 1 to 0.2500 (-75.0 %)"},
		{"a figure of the benchmark's own", "p99-ns", study.Better, r, notReproduced, "10 -> 20, +100.0 % (+90.0 % to +110.0 %)", "p99-ns is worse: +100.0 % (+90.0 % to +110.0 %), 5 launches"},
		{"a figure that is not reported", "lost", study.Better, r, notJudgeable, "", "not-reported"},
		{"a figure that is not there", "gone", study.Better, r, notJudgeable, "", `no metric is named "gone"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := study.Claim{Text: "it helps", Arm: "pool", Benchmark: "work", Metric: tt.metric, Class: tt.class, Published: "-50 %"}
			got := claim(c, []study.Result{tt.r})
			if got.Outcome != tt.want || got.Found != tt.found || !strings.Contains(got.Why, tt.why) || got.Published != "-50 %" || got.Arm != "pool" || got.Benchmark != "work" || got.Metric != tt.metric {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAClaimIsAnsweredByItsCell(t *testing.T) {
	in := func(cell string, class study.Class) study.Result {
		return study.Result{Arm: "pool", Benchmark: "work", Cell: strings.Fields(cell), Verdict: study.Positive, Time: class, Estimator: study.Estimator{Kind: "M", Clock: "wall"},
			Deciding: study.Estimate{Launches: 4}}
	}
	results := []study.Result{in("GOGC=25 GOMAXPROCS=1", study.Worse), in("GOGC=25 GOMAXPROCS=2", study.Better), in("GOGC=100 GOMAXPROCS=2", study.Same)}
	for _, tt := range []struct {
		cell, want, answered string
		class                study.Class
	}{
		{"", reproduced, "GOGC=25 GOMAXPROCS=1", study.Worse},
		{"GOMAXPROCS=2", reproduced, "GOGC=25 GOMAXPROCS=2", study.Better},
		{"GOMAXPROCS=2 GOGC=100", reproduced, "GOGC=100 GOMAXPROCS=2", study.Same},
		{"GOGC=50", notJudgeable, "GOGC=50", study.Same},
	} {
		got := claim(study.Claim{Arm: "pool", Benchmark: "work", Cell: tt.cell, Metric: "time", Class: tt.class}, results)
		if got.Outcome != tt.want || strings.Join(got.Cell, " ") != tt.answered {
			t.Errorf("%q: %+v", tt.cell, got)
		}
		if tt.cell == "GOGC=50" && got.Why != "the plan has no cell GOGC=50" {
			t.Errorf("%q", got.Why)
		}
	}
}
