package stat

import (
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// foundResult is the result of a comparison: time, bytes and allocations.
func foundResult(edit func(*study.Result)) study.Result {
	r := study.Result{Arm: "pool", Benchmark: "work", Verdict: study.Positive, Time: study.Better, Estimator: study.Estimator{Kind: study.Total, Clock: study.Wall},
		Deciding: study.Estimate{Effect: -0.1, Lo: -0.12, Hi: -0.08, Launches: 4},
		TCPU:     study.Estimate{Effect: 0.05, Lo: 0.03, Hi: 0.07, Launches: 4, Class: study.Worse},
		Bytes:    study.Counter{Baseline: 100, Candidate: 20, Moved: true}, Allocs: study.Counter{Baseline: 2, Candidate: 2, Equal: true},
		Metrics: []study.MetricResult{
			{Unit: "made/op", Baseline: 1, Candidate: 0.25, Class: study.Better, Exact: true},
			{Unit: "hits/op", Baseline: 1, Candidate: 4, Class: study.Better, Exact: true},
			{Unit: "p99-ns", Baseline: 10, Candidate: 20, Class: study.Worse, Estimate: study.Estimate{Effect: 1, Lo: 0.9, Hi: 1.1, Launches: 5}},
			{Unit: "lost", Class: study.Unresolved, Why: &study.Reason{Code: study.ReasonNotReported, Side: "candidate", Unit: "lost", Counts: &[2]int{4, 4}}},
		}}
	if edit != nil {
		edit(&r)
	}
	return r
}

// timeIs is a result whose time has that class and interval.
func timeIs(class study.Class, effect, lo, hi float64) func(*study.Result) {
	return func(r *study.Result) {
		r.Time, r.Deciding = class, study.Estimate{Effect: effect, Lo: lo, Hi: hi, Launches: 4}
	}
}

// countedAllocs is a result whose allocations are those.
func countedAllocs(old, new float64, edit func(*study.Counter)) func(*study.Result) {
	return func(r *study.Result) {
		r.Allocs = study.Counter{Baseline: old, Candidate: new, Moved: old != new}
		if edit != nil {
			edit(&r.Allocs)
		}
	}
}

func TestTheOutcomeOfAClaim(t *testing.T) {
	equal := func(c *study.Counter) { c.Equal = true }
	invalid := func(r *study.Result) { r.Verdict = study.Invalid }
	for _, tt := range []struct {
		name   string
		metric string
		class  study.Class
		size   string
		within string
		r      func(*study.Result)
		want   study.Outcome
	}{
		// Without a size the direction decides.
		{"time falls as claimed", "time", study.Better, "", "", nil, study.Reproduced},
		{"time falls against the claim", "time", study.Worse, "", "", nil, study.Opposite},
		{"time falls where nothing was claimed to change", "time", study.Same, "", "", nil, study.NotReproduced},
		{"nothing changes as claimed", "time", study.Same, "", "", timeIs(study.Same, 0, -0.01, 0.01), study.Reproduced},
		{"nothing changes against the claim", "time", study.Worse, "", "", timeIs(study.Same, 0, -0.01, 0.01), study.NotReproduced},
		{"time is unresolved", "time", study.Better, "", "", timeIs(study.Unresolved, 0, -0.1, 0.1), study.NotJudgeable},
		{"the experiment was invalid", "B/op", study.Better, "", "", invalid, study.NotJudgeable},
		{"CPU time beside a total", "cpu", study.Worse, "", "", nil, study.Reproduced},

		// With a size the interval does.
		{"the size lies in the interval", "time", study.Better, "9.5 % less", "", nil, study.Reproduced},
		{"the size lies beside it", "time", study.Better, "30 % less", "", nil, study.OtherSize},
		{"beside it, but what rounds to it is inside", "time", study.Better, "12.04 % less", "", timeIs(study.Better, -0.1, -0.12035, -0.08), study.Reproduced},
		{"beside it, within the factor of the claim", "time", study.Better, "20 % less", "2x", nil, study.Reproduced},
		{"the other direction", "time", study.Worse, "9.5 % more", "", nil, study.Opposite},
		{"8.9 times as long, and 1.27 was found", "time", study.Worse, "8.9x more", "", timeIs(study.Worse, 0.27, 0.03, 0.60), study.OtherSize},
		{"78 times as fast, and 33 was found", "time", study.Better, "78x less", "", timeIs(study.Better, -0.97, -0.976, -0.963), study.OtherSize},
		{"78 times as fast, and that was found", "time", study.Better, "78x less", "", timeIs(study.Better, -0.987, -0.9873, -0.9869), study.Reproduced},
		{"no effect", "time", study.Worse, "12.9 % more", "", timeIs(study.Same, 0.001, -0.005, 0.008), study.NotReproduced},
		{"no worse, which excludes the size", "time", study.Worse, "12.9 % more", "", timeIs(study.NotWorse, -0.03, -0.08, 0.01), study.NotReproduced},
		{"open, and the size is possible", "time", study.Worse, "12.9 % more", "", timeIs(study.Unresolved, 0.1, -0.1, 0.3), study.NotJudgeable},
		{"open, and the size is excluded", "time", study.Worse, "27x more", "", timeIs(study.Unresolved, 0.1, -0.1, 0.3), study.NotReproduced},
		{"open, excluded, and clearly in the same direction", "time", study.Worse, "27x more", "", timeIs(study.Unresolved, 0.4, 0.2, 0.6), study.OtherSize},
		{"open, and clearly in the other direction", "time", study.Worse, "27x more", "", timeIs(study.Unresolved, -0.8, -0.9, -0.6), study.Opposite},
		{"open, and excluded by less than practical equality", "time", study.Worse, "32 % more", "", timeIs(study.Unresolved, 0.1, -0.1, 0.3), study.NotJudgeable},
		{"smaller than practical equality, and possible", "time", study.Better, "1.0 % less", "", timeIs(study.Same, -0.005, -0.015, 0.004), study.NotJudgeable},
		{"smaller than practical equality, and told from none", "time", study.Better, "1.0 % less", "", timeIs(study.Same, -0.011, -0.015, -0.006), study.Reproduced},
		{"one launch has no interval", "time", study.Better, "50 % less", "", func(r *study.Result) { r.Deciding.Launches = 1 }, study.Reproduced},

		// A count is exact.
		{"bytes as published", "B/op", study.Better, "80.0 % less", "", nil, study.Reproduced},
		{"bytes fall by another size", "B/op", study.Better, "99.5 % less", "", nil, study.OtherSize},
		{"bytes fall to another number", "B/op", study.Better, "to 48", "", nil, study.OtherSize},
		{"bytes fall to that number", "B/op", study.Better, "to 20", "", nil, study.Reproduced},
		{"allocations stay", "allocs/op", study.Better, "4 less", "", nil, study.NotReproduced},
		{"8 of 5731 allocations are gone", "allocs/op", study.Better, "0.14 % less", "", countedAllocs(5731, 5723, equal), study.Reproduced},
		{"the same, with another size", "allocs/op", study.Better, "0.38 % less", "", countedAllocs(5731, 5723, equal), study.OtherSize},
		{"8 allocations less", "allocs/op", study.Better, "8 less", "", countedAllocs(5731, 5723, equal), study.Reproduced},
		{"a hundredth of an allocation is no change", "allocs/op", study.Better, "0.14 % less", "", countedAllocs(5731, 5730.99, equal), study.NotReproduced},
		{"launches do not agree", "allocs/op", study.Better, "", "", countedAllocs(10, 9, func(c *study.Counter) { c.Unsteady = true }), study.NotJudgeable},
		{"launches do not agree, and the size is not met", "allocs/op", study.Better, "50 % less", "", countedAllocs(10, 9, func(c *study.Counter) { c.Unsteady = true }), study.NotJudgeable},
		{"more allocations against the claim", "allocs/op", study.Better, "4 less", "", countedAllocs(10, 14, nil), study.Opposite},
		{"more against the claim, within the tolerance", "allocs/op", study.Better, "99.5 % less", "", countedAllocs(5731, 5739, equal), study.NotReproduced},
		{"the same without a size", "allocs/op", study.Better, "", "", countedAllocs(5731, 5739, equal), study.NotReproduced},
		{"all allocations are gone", "allocs/op", study.Better, "100 % less", "", countedAllocs(2, 0, nil), study.Reproduced},

		// What a benchmark reports itself.
		{"a count", "made/op", study.Better, "75 % less", "", nil, study.Reproduced},
		{"a count of which more is better", "hits/op", study.Better, "4x more", "", nil, study.Reproduced},
		{"the same with another size", "hits/op", study.Better, "8x more", "", nil, study.OtherSize},
		{"an estimate", "p99-ns", study.Worse, "2x more", "", nil, study.Reproduced},
		{"an estimate against the claim", "p99-ns", study.Better, "2x less", "", nil, study.Opposite},
		{"a figure that is not reported", "lost", study.Better, "", "", nil, study.NotJudgeable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := study.Claim{Text: "it helps", Arm: "pool", Benchmark: "work", Metric: tt.metric, Class: tt.class, Size: tt.size, Within: tt.within}
			got := claim(c, []study.Result{foundResult(tt.r)}, math.Log(1.02))
			if got.Outcome != tt.want || got.Text != "it helps" || got.Size != tt.size || (got.Finding == nil) != (tt.want == study.NotJudgeable && got.Because != nil) {
				t.Errorf("%+v (%+v), want %s", got, got.Finding, tt.want)
			}
		})
	}
}

func TestAClaimWithoutAFindingSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		metric string
		r      func(*study.Result)
		want   study.ReasonCode
	}{
		{"invalid", "time", func(r *study.Result) { r.Verdict, r.Reasons = study.Invalid, study.Said("nothing was removed") }, study.ClaimNoVerdict},
		{"not measured", "time", func(r *study.Result) { r.Verdict = study.NotMeasured }, study.ClaimNoVerdict},
		{"another arm", "time", func(r *study.Result) { r.Arm = "stack" }, study.ClaimNotCompared},
		{"another benchmark", "time", func(r *study.Result) { r.Benchmark = "play" }, study.ClaimNotCompared},
		{"no such metric", "MB/s", nil, study.ClaimNotMeasured},
		{"no CPU time", "cpu", func(r *study.Result) { r.Estimator.Kind = study.Long }, study.ClaimNotMeasured},
		{"a metric that is not reported", "lost", nil, study.ReasonNotReported},
	} {
		got := claim(study.Claim{Arm: "pool", Benchmark: "work", Metric: tt.metric, Class: study.Better}, []study.Result{foundResult(tt.r)}, 0.02)
		if got.Finding != nil || got.Because == nil || got.Because.Code != tt.want || got.Outcome != study.NotJudgeable {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A claim about a dose divides the ratio in one cell by the ratio in another.
func TestAClaimBesideAnotherCell(t *testing.T) {
	cell := func(name string, edit func(*study.Result)) study.Result {
		r := foundResult(edit)
		r.Cell = []string{name}
		return r
	}
	loose := cell("GOMEMLIMIT=512MiB", timeIs(study.Worse, 1.0, 0.98, 1.02))
	for _, tt := range []struct {
		name  string
		tight study.Result
		want  study.Outcome
		class study.Class
	}{
		{"the published growth", cell("GOMEMLIMIT=50MiB", timeIs(study.Worse, 4.0, 3.9, 4.1)), study.Reproduced, study.Worse},
		{"some growth", cell("GOMEMLIMIT=50MiB", timeIs(study.Worse, 2.0, 1.9, 2.1)), study.OtherSize, study.Worse},
		{"none", cell("GOMEMLIMIT=50MiB", timeIs(study.Worse, 1.0, 0.99, 1.01)), study.NotReproduced, study.Same},
		{"it shrinks", cell("GOMEMLIMIT=50MiB", timeIs(study.Worse, 0.5, 0.45, 0.55)), study.Opposite, study.Better},
		{"both intervals are wide", cell("GOMEMLIMIT=50MiB", timeIs(study.Unresolved, 2.0, 0.0, 8.0)), study.NotJudgeable, study.Unresolved},
	} {
		c := study.Claim{Arm: "pool", Benchmark: "work", Cell: "GOMEMLIMIT=50MiB", Beside: "GOMEMLIMIT=512MiB", Metric: "time", Class: study.Worse, Size: "2.5x more"}
		got := claim(c, []study.Result{loose, tt.tight}, math.Log(1.02))
		if got.Outcome != tt.want || got.Finding == nil || got.Finding.Class != tt.class || got.Cell[0] != "GOMEMLIMIT=50MiB" || got.Beside[0] != "GOMEMLIMIT=512MiB" {
			t.Errorf("%s: %+v (%+v), want %s", tt.name, got, got.Finding, tt.want)
		}
	}
	c := study.Claim{Arm: "pool", Benchmark: "work", Cell: "GOMEMLIMIT=50MiB", Beside: "GOMEMLIMIT=512MiB", Metric: "time", Class: study.Worse, Size: "2.5x more"}
	tight := cell("GOMEMLIMIT=50MiB", timeIs(study.Worse, 4.0, 3.9, 4.1))
	e := claim(c, []study.Result{loose, tight}, 0.02).Finding.Estimate
	if want := 1.5; math.Abs(e.Effect-want) > 1e-9 || !(e.Lo < 4.9/2-1 && e.Lo > 4.9/2.02-1 && e.Hi > 5.1/2-1 && e.Hi < 5.1/1.98-1) {
		t.Errorf("%+v", e)
	}
	for name, other := range map[string]study.Result{
		"not measured": cell("GOMEMLIMIT=512MiB", func(r *study.Result) { r.Verdict = study.NotMeasured }),
		"one launch":   cell("GOMEMLIMIT=512MiB", func(r *study.Result) { r.Deciding.Launches = 1 }),
		"no such cell": cell("GOMEMLIMIT=256MiB", nil),
	} {
		if got := claim(c, []study.Result{other, tight}, 0.02); got.Finding != nil || got.Because == nil || got.Outcome != study.NotJudgeable || got.Cell[0] != "GOMEMLIMIT=512MiB" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAClaimThatOnlyAnIsolatedBenchmarkAnswersSaysSo(t *testing.T) {
	f := study.File{Benchmarks: []study.Benchmark{{Name: "work", Isolated: true}}, Claims: []study.Claim{{Arm: "pool", Benchmark: "work", Metric: "time", Class: study.Better}}}
	if got := Claims(f, []study.Result{foundResult(nil)}, 0.02); !got[0].Isolated {
		t.Errorf("%+v", got)
	}
}

func TestClaimsAreJudgedWithTheStudy(t *testing.T) {
	p, w := withoutLayout(testPlan()), plainWorld()
	p.Study = &study.File{Claims: []study.Claim{{Text: "as fast", Arm: "pool", Benchmark: "work", Metric: "time", Class: study.Same}}}
	v, err := Judge(p, w.launches(p, 4))
	if err != nil || len(v.Claims) != 1 || v.Claims[0].Outcome != study.Reproduced {
		t.Errorf("%+v, %v", v.Claims, err)
	}
}
