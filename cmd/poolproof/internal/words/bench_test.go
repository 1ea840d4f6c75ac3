package words_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"golang.org/x/perf/benchfmt"
)

// launches makes records that agree with the verdict file: three launches a
// comparison, with a collection in every fourth slice of what allocates.
func launches(v study.VerdictFile) []study.Record {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []study.Record
	for i, r := range v.Results {
		if r.Launches == 0 {
			continue
		}
		form := study.FormBursts
		if r.Estimator.Kind == study.Long {
			form = study.FormStretch
		}
		for l := range 3 {
			const pairs, n = 40, 50
			rec := study.Record{Schema: study.Schema, Plan: v.Digest, Comparison: r.Comparison, Form: form, Launch: l,
				Status: study.StatusOK, N: n, CandidateFirst: make([]bool, pairs)}
			rec.Baseline = columns(rng, pairs, n, r.BaselineTime, r.Allocs.Baseline, r.Bytes.Baseline)
			rec.Candidate = columns(rng, pairs, n, r.CandidateTime, r.Allocs.Candidate, r.Bytes.Candidate)
			out = append(out, rec)
			if r.Deciding.Launches > 0 {
				v.Results[i].Times = append(v.Results[i].Times, study.LaunchTimes{Form: form, Launch: l,
					Wall: [2]float64{r.BaselineTime, r.CandidateTime}, CPU: [2]float64{1.2 * r.BaselineTime, 1.2 * r.CandidateTime}})
			}
		}
	}
	return out
}

func columns(rng *rand.Rand, pairs, n int, ns, allocs, bytes float64) study.Columns {
	var c study.Columns
	for i := range pairs {
		wall := ns * float64(n) * (1 + 0.01*rng.Float64())
		var gcs uint32
		if allocs > 0 && i%4 == 3 {
			gcs, wall = 1, 1.5*wall
		}
		c.Wall = append(c.Wall, int64(wall))
		c.CPU = append(c.CPU, int64(1.2*wall))
		c.Drain = append(c.Drain, int64(gcs)*1000)
		c.Allocs = append(c.Allocs, uint64(allocs*float64(n)))
		c.Bytes = append(c.Bytes, uint64(bytes*float64(n)))
		c.GCs = append(c.GCs, gcs)
	}
	return c
}

var mWall = study.Estimator{Kind: study.Mutator, Clock: study.Wall}

// one is a verdict file with one comparison, and a launch of it.
func one(by study.Estimator) (study.VerdictFile, study.Record) {
	v := study.VerdictFile{
		Digest: "d",
		Plan: study.Plan{
			Package: "p", Machine: study.Machine{OS: "linux", Arch: "amd64", CPU: "c", Cores: 2},
			Comparisons: []study.Comparison{{ID: "1",
				BaselineBench: study.Bench{Leaf: "BenchmarkB/way=old/n=5"}, CandidateBench: study.Bench{Leaf: "BenchmarkB/way=new/n=5"}}},
		},
		Results: []study.Result{{Comparison: "1", Benchmark: "b", Arm: "new", Baseline: "old", Verdict: study.Positive,
			Estimator: by, Deciding: study.Estimate{Launches: 4}, Launches: 4}},
	}
	form := study.FormBursts
	if by.Kind == study.Long {
		form = study.FormStretch
	}
	for i := range 2 {
		v.Results[0].Times = append(v.Results[0].Times, study.LaunchTimes{Form: form, Launch: i, Wall: [2]float64{13, 12}, CPU: [2]float64{26, 25}})
	}
	side := study.Columns{
		Wall: []int64{100, 110, 900, 150}, CPU: []int64{200, 220, 950, 300}, Drain: []int64{0, 0, 40, 0},
		Allocs: []uint64{20, 20, 20, 20}, Bytes: []uint64{640, 640, 640, 640}, GCs: []uint32{0, 0, 1, 0},
		Extra: map[string]float64{"hits/op": 0.5, "B/op": 7},
	}
	return v, study.Record{Plan: "d", Comparison: "1", Form: form, Status: study.StatusOK, N: 10, Baseline: side, Candidate: side, CandidateFirst: make([]bool, 4)}
}

// read renders and reads back with the reader that benchstat uses.
func read(t *testing.T, v study.VerdictFile, rs ...study.Record) []*benchfmt.Result {
	t.Helper()
	var b bytes.Buffer
	if err := gobench.Write(&b, v, rs); err != nil {
		t.Fatal(err)
	}
	r := benchfmt.NewReader(&b, "x")
	var out []*benchfmt.Result
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			out = append(out, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Fatal(rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"B/op", "allocs/op"} {
		if m := r.Units().Get(unit, "assume"); m == nil || m.Value != "exact" {
			t.Errorf("unit %s is not assumed to be exact", unit)
		}
	}
	return out
}

func TestEachLaunchIsALineASideThatBenchfmtReads(t *testing.T) {
	v, rec := one(mWall)
	v.Results[0].Cell = []string{"GOGC=25", "GOMAXPROCS=4"}
	later := rec
	later.Launch = 1
	got := read(t, v, later, rec, rec) // out of order, one of them twice
	if len(got) != 4 {
		t.Fatalf("%d lines, want two launches of two sides", len(got))
	}
	var names []string
	for _, r := range got {
		names = append(names, r.Name.String())
		if r.Iters != 40 {
			t.Errorf("%d operations, want those of all slices", r.Iters)
		}
		config := map[string]string{}
		for _, c := range r.Config {
			config[c.Key] = string(c.Value)
		}
		want := map[string]string{"goos": "linux", "goarch": "amd64", "pkg": "p", "cpu": "c", "compare": "new against old", "cell": "GOGC=25 GOMAXPROCS=4"}
		if diff := cmp.Diff(want, config); diff != "" {
			t.Errorf("configuration (-want +got):\n%s", diff)
		}
	}
	if want := []string{"B/n=5/way=old-4", "B/n=5/way=new-4", "B/n=5/way=old-4", "B/n=5/way=new-4"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}

func TestALaunchesTimesAreThoseOfTheVerdict(t *testing.T) {
	v, rec := one(mWall)
	for side, want := range []map[string]float64{
		{"ns/op": 13, "cpu-ns/op": 26, "B/op": 64, "allocs/op": 2, "gc/op": 0.025, "hits/op": 0.5},
		{"ns/op": 12, "cpu-ns/op": 25, "B/op": 64, "allocs/op": 2, "gc/op": 0.025, "hits/op": 0.5},
	} {
		got := map[string]float64{}
		for _, x := range read(t, v, rec)[side].Values {
			if x.OrigUnit != "" {
				x.Value, x.Unit = x.OrigValue, x.OrigUnit
			}
			got[x.Unit] = x.Value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestBenchTextLeavesOutWhatTheVerdictDoesNotRestOn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*study.Result, *study.Record)
		lines  int
		timed  bool
	}{
		{"a launch that counts", func(*study.Result, *study.Record) {}, 2, true},
		{"a failed launch", func(_ *study.Result, r *study.Record) { r.Status = study.StatusCrashed }, 0, false},
		{"a launch on a padded build that the rule did not use", func(_ *study.Result, r *study.Record) { r.Layout = 1 }, 0, false},
		{"a launch on a padded build that counts", func(v *study.Result, r *study.Record) { r.Layout, v.Times[0].Layout = 1, 1 }, 2, true},
		{"a launch for the layout floor", func(_ *study.Result, r *study.Record) { r.Form = study.FormFloor }, 0, false},
		{"the long form where slices decided", func(_ *study.Result, r *study.Record) { r.Form = study.FormStretch }, 0, false},
		{"slices where the long form decided", func(v *study.Result, r *study.Record) {
			v.Times[0].Form, v.Times[1].Form = study.FormStretch, study.FormStretch
		}, 0, false},
		{"a pair of processes", func(v *study.Result, r *study.Record) { r.Form, v.Times[0].Form = study.FormPairs, study.FormPairs }, 2, true},
		{"another comparison's launch", func(_ *study.Result, r *study.Record) { r.Comparison = "2" }, 0, false},
		{"an invalid experiment's times", func(v *study.Result, _ *study.Record) { v.Verdict = study.Invalid }, 2, false},
		{"an incorrect arm", func(v *study.Result, _ *study.Record) { v.Verdict = study.Unsafe }, 0, false},
		{"what has no verdict", func(v *study.Result, _ *study.Record) { v.Verdict = study.NotMeasured }, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, rec := one(mWall)
			tt.change(&v.Results[0], &rec)
			got := read(t, v, rec)
			timed := len(got) > 0
			for _, r := range got {
				_, ok := r.Value("sec/op")
				timed = timed && ok
			}
			if len(got) != tt.lines || timed != tt.timed {
				t.Errorf("%d lines, times %v; want %d, %v", len(got), timed, tt.lines, tt.timed)
			}
		})
	}
	v, rec := one(mWall)
	rec.Plan = "other"
	if err := gobench.Write(&bytes.Buffer{}, v, []study.Record{rec}); err == nil || !strings.Contains(err.Error(), "plan other") {
		t.Errorf("error %v, want one about the other plan", err)
	}
}
