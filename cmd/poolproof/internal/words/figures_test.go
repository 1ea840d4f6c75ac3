package words_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// rich is a verdict file with all that a study may ask for: a benchmark at a
// fixed rate, figures of the benchmarks' own, published figures, and prose that
// rests on another verdict.
func rich() study.VerdictFile {
	pace := &study.Pace{Rate: 1000, Window: study.Duration(time.Second)}
	estimate := func(effect, lo, hi float64) study.Estimate {
		return study.Estimate{Effect: effect, Lo: lo, Hi: hi, Launches: 5, Class: study.Better, Decided: 5}
	}
	file := &study.File{
		Title: "Packets", Question: "Do kept buffers pay?", Source: "a note", Key: "arm", Baseline: "make", Path: "studies/packets/study.toml",
		Benchmarks: []study.Benchmark{{Name: "rate-1000", Bench: "BenchmarkRate", Title: "1000 packets a second", Rate: 1000, Window: "1s"}, {Name: "drain", Bench: "BenchmarkDrain"}},
		Arms:       []study.Arm{{Name: "make", Title: "a buffer a packet"}, {Name: "pool", Title: "pooled buffers"}},
		Metrics:    []study.Metric{{Unit: "made/op", Better: "lower", Title: "buffers made", Exact: true, Decides: true}, {Unit: "p99-µs", Better: "lower"}},
		Prose:      study.Prose{Goal: "Find out.", Rests: map[string]study.Verdict{"rate-1000/pool": study.NoChange}},
	}
	return study.VerdictFile{
		Schema: study.Schema, Digest: "d", Started: time.Date(2026, 4, 5, 6, 7, 8, 0, time.UTC), Spent: study.Duration(72 * time.Second),
		Plan: study.Plan{Schema: study.Schema, Kind: study.KindStudy, Title: "Packets", Study: file, Package: "example.com/packets", Engine: study.EngineDuet,
			Toolchain: "go1.26.8 linux/amd64", Machine: study.Machine{CPU: "A processor", Cores: 2, OS: "linux", Arch: "amd64"},
			Command: []string{"poolproof", "try", "./studies/packets"}, Budget: study.Duration(5 * time.Minute),
			Comparisons: []study.Comparison{
				{ID: "r", Benchmark: "rate-1000", Arm: "pool", Baseline: "make", Pace: pace, BaselineBench: study.Bench{Binary: "test", Leaf: "BenchmarkRate/arm=make"}, CandidateBench: study.Bench{Binary: "test", Leaf: "BenchmarkRate/arm=pool"}},
				{ID: "d", Benchmark: "drain", Arm: "pool", Baseline: "make", BaselineBench: study.Bench{Binary: "test", Leaf: "BenchmarkDrain/arm=make"}, CandidateBench: study.Bench{Binary: "test", Leaf: "BenchmarkDrain/arm=pool"}},
			},
			Rule: study.Rule{Looks: []int{4, 12}, LongLooks: []int{4, 8}, Alpha: 0.015, Pairs: 200, WarmUp: 40, Burst: study.Duration(time.Millisecond)}},
		Results: []study.Result{
			{Comparison: "r", Benchmark: "rate-1000", Arm: "pool", Baseline: "make", Verdict: study.Positive, Time: study.Better, Memory: study.Better,
				Estimator: study.Estimator{Kind: study.AtRate, Clock: study.CPU}, Deciding: estimate(-0.123, -0.15, -0.1), BaselineTime: 15300, CandidateTime: 13418, Launches: 5, Foreign: 0.01,
				Bytes: study.Counter{Baseline: 9216, Candidate: 145}, Allocs: study.Counter{Baseline: 2, Candidate: 1}, Cycles: [2]int{110, 2},
				Paced: &study.Paced{Pace: *pace, CPU: [2]float64{15300, 13418}, Bytes: [2]float64{9216000, 145000}, Allocs: [2]float64{2000, 1000},
					Cycles: [2]float64{138.4, 2.2}, Pause: [2]float64{4.21, 0.05}, Owed: [2]float64{0.001, 0.002}, Late: [2]float64{80e3, 2.5e6}},
				Extra: map[string][2]float64{"made/op": {1, 0.002}, "other": {3, 4}},
				Metrics: []study.MetricResult{{Unit: "made/op", Baseline: 1, Candidate: 0.002, Class: study.Better, Exact: true, Decides: true},
					{Unit: "p99-µs", Class: study.Unresolved, Why: &study.Reason{Code: study.ReasonNotReported, Side: "candidate", Unit: "p99-µs", Counts: &[2]int{5, 5}}}}},
			{Comparison: "d", Benchmark: "drain", Arm: "pool", Baseline: "make", Verdict: study.NoChange, Time: study.Same, Memory: study.Same,
				Estimator: mWall, Deciding: estimate(0.001, -0.004, 0.006), BaselineTime: 1000, CandidateTime: 1001, Launches: 5, Foreign: 0.01,
				Bytes: study.Counter{Baseline: 100, Candidate: 100, Equal: true}, Allocs: study.Counter{Baseline: 1, Candidate: 1, Equal: true},
				Metrics: []study.MetricResult{{Unit: "p99-µs", Baseline: 10, Candidate: 10.1, Class: study.Same, Estimate: estimate(0.01, -0.005, 0.015)}}},
		},
		Claims: []study.ClaimResult{
			{Text: "pools save 99 %", Benchmark: "rate-1000", Arm: "pool", Metric: "B/op", Published: "-99.5 %", Size: "99.5 % less", Outcome: study.OtherSize,
				Finding: &study.ClaimFinding{Class: study.Better, Counter: &study.Counter{Baseline: 9216, Candidate: 145}}},
			{Text: "pools are twice as fast", Benchmark: "drain", Arm: "pool", Metric: "time", Size: "2x less", Within: "1.1x", Outcome: study.Reproduced, Isolated: true,
				Finding: &study.ClaimFinding{Class: study.Better, Estimate: &study.Estimate{Effect: -0.52, Lo: -0.53, Hi: -0.51, Launches: 4}}},
			{Text: "pools help", Benchmark: "drain", Arm: "pool", Metric: "allocs/op", Outcome: study.Reproduced,
				Finding: &study.ClaimFinding{Class: study.Better, Counter: &study.Counter{Baseline: 2, Candidate: 1}}},
			{Text: "pools are fast", Benchmark: "drain", Arm: "pool", Metric: "cpu", Outcome: study.NotJudgeable,
				Because: &study.Reason{Code: study.ClaimNoVerdict, Text: "INVALID", Because: []study.Reason{{Code: study.ReasonNothingRemoved, Unit: "B/op", Counter: &study.Counter{Baseline: 8, Candidate: 8, Equal: true}}}}},
			{Text: "pools are small", Benchmark: "drain", Arm: "pool", Metric: "held-B", Outcome: study.NotJudgeable, Because: &study.Reason{Code: study.ClaimNotMeasured, Unit: "held-B"}},
		},
	}
}

// richRecords has a launch of each comparison.
func richRecords() []study.Record {
	c := study.Columns{Wall: []int64{2e9, 2e9}, CPU: []int64{3e7, 3e7}, Drain: []int64{0, 0}, Allocs: []uint64{2000, 2000}, Bytes: []uint64{9216000, 9216000},
		GCs: []uint32{2, 2}, Extra: map[string]float64{"made/op": 1}}
	rec := func(id string, form study.Form) study.Record {
		return study.Record{Schema: study.Schema, Plan: "d", Comparison: id, Form: form, Status: study.StatusOK, N: 1000, Baseline: c, Candidate: c, CandidateFirst: []bool{true, false}}
	}
	return []study.Record{rec("r", study.FormRate), rec("d", study.FormBursts)}
}

func TestRichReportsLookAsTheyDid(t *testing.T) {
	v := rich()
	v.Results[0].Times = []study.LaunchTimes{{Form: study.FormRate, Wall: [2]float64{2e6, 2e6}, CPU: [2]float64{30000, 30000}}}
	v.Results[1].Times = []study.LaunchTimes{{Form: study.FormBursts, Wall: [2]float64{2e6, 2e6}, CPU: [2]float64{30000, 30000}}}
	looks(t, "rich.wide.txt", func(w io.Writer) error { return term.Table(w, v, 160) })
	looks(t, "rich.narrow.txt", func(w io.Writer) error { return term.Table(w, v, 80) })
	looks(t, "rich.md", func(w io.Writer) error { return note.Write(w, v, note.Versions{}) })
	looks(t, "rich.plan.txt", func(w io.Writer) error { return term.Plan(w, v.Plan) })
	bench := looks(t, "rich.bench.txt", func(w io.Writer) error { return gobench.Write(w, v, richRecords()) })
	for line := range strings.Lines(bench) {
		if paced, plain := strings.HasPrefix(line, "BenchmarkRate"), strings.HasPrefix(line, "BenchmarkDrain"); (paced || plain) && strings.Contains(line, " ns/op") != plain {
			t.Errorf("wall time belongs to benchmarks without a rate: %s", line)
		}
	}
}

func TestTheIndexLooksAsItDid(t *testing.T) {
	s := rich()
	bare := rich()
	bare.Claims, bare.Plan.Study = nil, nil
	entries := []note.Entry{
		{Dir: "packets", Path: "studies/packets", Title: "Packets", Verdict: &s},
		{Dir: "bare", Path: "studies/bare", Title: "Without | claims", Verdict: &bare},
		{Dir: "later", Path: "studies/later", Title: "Later", Claims: []study.Claim{{Text: "it helps", Published: "-3 %"}, {Text: "it hurts"}}},
		{Dir: "last", Path: "studies/last", Title: "Last"},
	}
	text := looks(t, "index.md", func(w io.Writer) error { return note.Index(w, entries, note.Versions{Rule: 2, Engine: 1}) })
	if again := looks(t, "index.md", func(w io.Writer) error { return note.Index(w, entries, note.Versions{Rule: 2, Engine: 1}) }); again != text {
		t.Error("the index differs from one time to the next")
	}
	looks(t, "index.empty.md", func(w io.Writer) error { return note.Index(w, nil, note.Versions{Rule: 2, Engine: 1}) })
}

func TestOperationsThatStartLateAreTold(t *testing.T) {
	r := rich().Results[0]
	r.Paced.Rate = 100
	for late, want := range map[float64]string{
		0.9e6: "",
		2.5e6: "operations of pool start 2.5ms late on average.",
		25e6:  "operations of pool start 25ms late on average, more than the 10ms between two: the rate was not kept.",
	} {
		r.Paced.Late[1] = late
		got := ""
		for _, remark := range words.Delayed([]words.Row{{Result: r}}) {
			got += remark.Text
		}
		if got != want {
			t.Errorf("%v ns: %q, want %q", late, got, want)
		}
	}
}
