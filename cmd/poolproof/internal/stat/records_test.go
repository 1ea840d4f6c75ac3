package stat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestRecordsThatCannotBeJudgedTogetherAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*study.Record)
		want string
	}{
		{"another schema", func(r *study.Record) { r.Schema++ }, "schema 3"},
		{"another plan", func(r *study.Record) { r.Plan = "feed" }, "recorded for plan feed"},
		{"another Go version", func(r *study.Record) { r.Go = "go1.25.1" }, `recorded with "go1.25.1", the plan is for "go1.26.8"`},
		{"no Go version", func(r *study.Record) { r.Go = "" }, `recorded with ""`},
		{"a comparison that the plan does not have", func(r *study.Record) { r.Comparison = "d" }, "no such comparison"},
		{"an unknown form", func(r *study.Record) { r.Form = "wide" }, `unknown form "wide"`},
		{"another engine's form", func(r *study.Record) { r.Form = study.FormPairs }, `engine is "duet"`},
		{"a negative launch", func(r *study.Record) { r.Launch = -1 }, "count from 0"},
		{"a negative build", func(r *study.Record) { r.Layout = -1 }, "count from 0"},
		{"no bursts", func(r *study.Record) { r.Baseline, r.Candidate = study.Columns{}, study.Columns{} }, "0 bursts"},
		{"no operations", func(r *study.Record) { r.N = 0 }, "of 0 operations"},
		{"a side that is shorter", func(r *study.Record) { r.Candidate.Wall = r.Candidate.Wall[1:] }, "bursts, not 40"},
		{"a counter that is missing", func(r *study.Record) { r.Candidate.Allocs = nil }, "bursts, not 40"},
		{"an optional column that is shorter", func(r *study.Record) { r.Baseline.GCs = r.Baseline.GCs[1:] }, "bursts, not 40"},
		{"CPU times that are shorter", func(r *study.Record) { r.Baseline.CPU = r.Baseline.CPU[1:] }, "bursts, not 40"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := testPlan()
			r := plainWorld().record(p, "c", study.FormBursts, 0, 7)
			tt.edit(&r)
			_, err := Judge(p, []study.Record{r})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "comparison") || !strings.Contains(err.Error(), "launch") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestPlansThatMakeNoSenseAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*study.Plan)
		want string
	}{
		{"another schema", func(p *study.Plan) { p.Schema = 9 }, "schema 9"},
		{"no looks", func(p *study.Plan) { p.Rule.Looks = nil }, "no looks"},
		{"looks that fall", func(p *study.Plan) { p.Rule.Looks = []int{5, 4} }, "must rise"},
		{"a look at one launch", func(p *study.Plan) { p.Rule.Looks = []int{1, 4} }, "must rise"},
		{"long looks that repeat", func(p *study.Plan) { p.Rule.LongLooks = []int{4, 4} }, "long_looks"},
		{"alpha of nothing", func(p *study.Plan) { p.Rule.Alpha = 0 }, "alpha 0"},
		{"alpha of everything", func(p *study.Plan) { p.Rule.Alpha = 1 }, "alpha 1"},
		{"a negative band", func(p *study.Plan) { p.Rule.Band = -1 }, "band -1"},
		{"builds that fall", func(p *study.Plan) { p.Rule.PaddedLooks = []int{8, 4} }, "padded_looks"},
		{"a padded alpha of none", func(p *study.Plan) { p.Rule.PaddedAlpha = 0 }, "alpha 0"},
		{"no bound of layout", func(p *study.Plan) { p.Rule.LayoutBound = -1 }, "layout_bound"},
		{"an unknown clock", func(p *study.Plan) { p.Rule.Clock = "sun" }, `clock "sun"`},
		{"two comparisons of one name", func(p *study.Plan) { p.Comparisons = append(p.Comparisons, p.Comparisons[0]) }, "two comparisons"},
		{"a counter that does not exist", func(p *study.Plan) { p.Comparisons[0].Falls = []string{"MB/s"} }, `"MB/s"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := testPlan()
			tt.edit(&p)
			if _, err := Judge(p, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if _, err := JudgeOne(p, "c", nil); err == nil {
				t.Error("JudgeOne accepts it")
			}
		})
	}
}

func TestAnIdenticalDuplicateCountsOnceAndADifferingOneIsAnError(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.noise = 0.05
	rs := w.launches(p, 3)
	// As if it had been written and read back.
	var copied study.Record
	line, err := json.Marshal(rs[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &copied); err != nil {
		t.Fatal(err)
	}
	copied.Started = copied.Started.In(time.UTC)
	once, twice := judgeC(t, p, rs), judgeC(t, p, append(rs, copied, rs[2]))
	if once.Launches != 3 || twice.Launches != 3 || twice.MWall != once.MWall || twice.Spent != once.Spent {
		t.Errorf("once %+v\ntwice %+v", once, twice)
	}
	copied.Candidate.Wall[0]++
	if _, err := Judge(p, append(rs, copied)); err == nil || !strings.Contains(err.Error(), "launch 1") || !strings.Contains(err.Error(), "differ") {
		t.Errorf("error %v", err)
	}
}

func TestAProcessThatDiedEarlyNeedNotSayItsGoVersion(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.fail = map[int]study.Record{0: {Status: study.StatusCrashed, FailedSide: "baseline", Error: "exit status 2"}}
	w.edit = func(r *study.Record) { r.Go = "" }
	if got := judgeC(t, p, w.launches(p, 1)); got.Verdict != study.NotMeasured {
		t.Errorf("%+v", got)
	}
}

func TestExperimentsBesideTheGoVersionAreNoOtherVersion(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.edit = func(r *study.Record) { r.Go = "go1.26.8-X:nogreenteagc,jsonv2" }
	judgeC(t, p, w.launches(p, 1))
}

func TestWhatWasNotMeasuredSaysWhy(t *testing.T) {
	failed := func(side, why string) study.Record {
		return study.Record{Status: study.StatusFailed, FailedSide: side, Error: why}
	}
	for _, tt := range []struct {
		name string
		edit func(*study.Comparison)
		n    int
		fail map[int]study.Record
		v    study.Verdict
		why  string
		want bool // a launch
	}{
		{"nothing was recorded", nil, 0, nil, study.NotMeasured, "the budget did not reach it", true},
		{"the plan skips it", func(c *study.Comparison) { c.Skipped = "too little time" }, 0, nil, study.NotMeasured, "too little time", false},
		{"the plan skips it, and yet it was recorded", func(c *study.Comparison) { c.Skipped = "too little time" }, 4, nil, study.NoChange, "time stays", false},
		{"the code never runs", func(c *study.Comparison) { c.Invalid = "makeSlice is never called" }, 4, nil, study.Invalid, "makeSlice is never called", false},
		{"the baseline fails", nil, 3, map[int]study.Record{2: failed("baseline", "BenchmarkX: no such file")}, study.NotMeasured, "the baseline fails: BenchmarkX: no such file", false},
		{"the arm fails", nil, 3, map[int]study.Record{1: failed("candidate", "wrong answer")}, study.NotMeasured, "the candidate fails: wrong answer", false},
		{"both fail: the baseline is named", nil, 3, map[int]study.Record{0: failed("candidate", "wrong answer"), 2: failed("baseline", "no such file")}, study.NotMeasured, "the baseline fails: no such file", false},
		{"a failure without words", nil, 1, map[int]study.Record{0: {Status: study.StatusTimeout}}, study.NotMeasured, `the baseline fails: launch 0 ended with status "timeout"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			w.fail = tt.fail
			if tt.edit != nil {
				tt.edit(&p.Comparisons[0])
			}
			got := judgeC(t, p, w.launches(p, tt.n))
			if got.Verdict != tt.v || len(got.Reasons) == 0 || !strings.HasPrefix(said(got)[0], tt.why) || (got.Want != nil) != tt.want || (got.Failed != nil) != (tt.fail != nil) {
				t.Errorf("%s, reasons %q, want %v", got.Verdict, said(got), got.Want)
			}
		})
	}
}

func TestTheFirstWantIsTheFirstLaunch(t *testing.T) {
	if got := *judgeC(t, testPlan(), nil).Want; got.Form != study.FormBursts || got.Layout != 0 || got.Launch != 0 {
		t.Errorf("%+v", got)
	}
	p := testPlan()
	p.Engine = study.EnginePairs
	if got := *judgeC(t, p, nil).Want; got.Form != study.FormPairs {
		t.Errorf("%+v", got)
	}
}

func TestAGapIsFilledFirst(t *testing.T) {
	p, w := testPlan(), plainWorld()
	rs := w.launches(p, 3)
	if got := judgeC(t, p, append(rs[:1:1], rs[2])).Want; got == nil || got.Launch != 1 {
		t.Errorf("%+v", got)
	}
}

func TestARecordThatWasLostIsMissed(t *testing.T) {
	p, w := testPlan(), plainWorld()
	whole := w.launches(p, 3)
	for k := range 3 {
		whole = append(whole, w.record(p, "c", study.FormBursts, k+1, 0))
	}
	if err := Missing(p, whole); err != nil {
		t.Error(err)
	}
	if err := Missing(p, nil); err != nil {
		t.Error(err)
	}
	for i, want := range []string{
		`launch 0 of form "bursts" is`, `launch 1 of form "bursts" is`, "", // the last may not have been measured
		`launch 0 of form "bursts" on padded build 1 is`, `launch 0 of form "bursts" on padded build 2 is`, "",
	} {
		rs := slices.Delete(slices.Clone(whole), i, i+1)
		switch err := Missing(p, rs); {
		case want == "" && err != nil:
			t.Errorf("without record %d: %v", i, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("without record %d: %v, want %q", i, err, want)
		}
	}
}
