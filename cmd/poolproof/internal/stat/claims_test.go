package stat

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestPublishedClaims(t *testing.T) {
	better := study.Result{Arm: "pool", Benchmark: "work", Verdict: study.Positive, Time: study.Better, Estimator: study.Estimator{Kind: "T", Clock: "wall"},
		Deciding: study.Estimate{Effect: -0.1, Lo: -0.12, Hi: -0.08, Launches: 4},
		Bytes:    study.Counter{Old: 100, New: 20}, Allocs: study.Counter{Old: 2, New: 2, Equal: true}}
	with := func(edit func(*study.Result)) study.Result {
		r := better
		edit(&r)
		return r
	}
	for _, tt := range []struct {
		name   string
		metric string
		class  study.Class
		r      study.Result
		want   string
		why    string
	}{
		{"time falls as claimed", "time", study.Better, better, reproduced, "time is better: -10.0 % (-12.0 % to -8.0 %; T wall, 4 launches)"},
		{"time falls against the claim", "time", study.Worse, better, notReproduced, "time is better"},
		{"time falls where nothing was claimed to change", "time", study.Same, better, notReproduced, "time is better"},
		{"nothing changes as claimed", "time", study.Same, with(func(r *study.Result) { r.Time = study.Same }), reproduced, "time is same"},
		{"time is unresolved", "time", study.Better, with(func(r *study.Result) { r.Time = study.Unresolved }), notJudgeable, "time is unresolved"},
		{"time is not worse", "time", study.Same, with(func(r *study.Result) { r.Time = study.NotWorse }), notJudgeable, "time is not worse"},
		{"bytes fall as claimed", "B/op", study.Better, better, reproduced, "B/op falls from 100 to 20 (-80.0 %)"},
		{"bytes fall although time is open", "B/op", study.Better, with(func(r *study.Result) { r.Time = study.Unresolved }), reproduced, "B/op falls"},
		{"bytes rise against the claim", "B/op", study.Better, with(func(r *study.Result) { r.Bytes.New = 200 }), notReproduced, "B/op rises from 100 to 200"},
		{"allocations stay as claimed", "allocs/op", study.Same, better, reproduced, "allocs/op is 2"},
		{"allocations stay against the claim", "allocs/op", study.Better, better, notReproduced, "allocs/op is 2"},
		{"the experiment was invalid", "B/op", study.Better, with(func(r *study.Result) { r.Verdict, r.Reasons = study.Invalid, study.Said("nothing was removed") }), notJudgeable, "the comparison is INVALID: nothing was removed"},
		{"it was not measured", "B/op", study.Same, with(func(r *study.Result) { r.Verdict = study.NotMeasured }), notJudgeable, "the comparison is not measured"},
		{"another arm", "time", study.Better, with(func(r *study.Result) { r.Arm = "stack" }), notJudgeable, `does not compare arm "pool" on benchmark "work"`},
		{"another benchmark", "time", study.Better, with(func(r *study.Result) { r.Benchmark = "play" }), notJudgeable, "does not compare"},
		{"another metric", "MB/s", study.Better, better, notJudgeable, `no metric is named "MB/s"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := with(func(r *study.Result) { r.Time, r.Cell = study.Worse, []string{"GOGC=25"} })
			got := claims([]study.Claim{{Text: "it helps", Arm: "pool", Benchmark: "work", Metric: tt.metric, Class: tt.class}}, []study.Result{tt.r, other}[:1+btoi(tt.r.Arm == "pool" && tt.r.Benchmark == "work")])
			if len(got) != 1 || got[0].Text != "it helps" || got[0].Outcome != tt.want || !strings.Contains(got[0].Why, tt.why) {
				t.Errorf("%+v, want %s because %s", got, tt.want, tt.why)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestClaimsAreJudgedWithTheStudy(t *testing.T) {
	p, w := withoutLayout(testPlan()), plainWorld()
	p.Study = &study.File{Claims: []study.Claim{{Text: "as fast", Arm: "pool", Benchmark: "work", Metric: "time", Class: study.Same}}}
	v, err := Judge(p, w.launches(p, 4))
	if err != nil || len(v.Claims) != 1 || v.Claims[0].Outcome != reproduced {
		t.Errorf("%+v, %v", v.Claims, err)
	}
}
