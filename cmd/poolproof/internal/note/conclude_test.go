package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compared is a row of a committed result: three launches and no bytes.
func compared(benchmark, arm string, v study.Verdict, effect float64) study.Result {
	class := map[study.Verdict]study.Class{study.Positive: study.Better, study.Negative: study.Worse, study.NoChange: study.Same}[v]
	return study.Result{
		Comparison: benchmark, Benchmark: benchmark, Arm: arm, Baseline: "make", Verdict: v, Time: class, Launches: 3, Isolated: benchmark == "alone",
		Deciding:  study.Estimate{Effect: effect, Lo: effect - 0.01, Hi: effect + 0.01, Launches: 3},
		Estimator: study.Estimator{Kind: study.Total, Clock: study.Wall},
	}
}

// paying is a row for each of these arms, which all pay alike.
func paying(arms ...string) (rows []study.Result) {
	for _, arm := range arms {
		rows = append(rows, compared("work", arm, study.Positive, -0.2))
	}
	return rows
}

// claimed is a claim that took other times than published.
func claimed(text, arm, size string, effect float64, o study.Outcome) study.ClaimResult {
	return study.ClaimResult{
		Text: text, Benchmark: "work", Arm: arm, Metric: "time", Published: size, Size: size, Outcome: o,
		Finding: &study.ClaimFinding{Class: study.Better, Estimate: &study.Estimate{Effect: effect, Lo: effect - 0.01, Hi: effect + 0.01, Launches: 3}},
	}
}

// of is the claim on another benchmark.
func of(benchmark string, c study.ClaimResult) study.ClaimResult {
	c.Benchmark = benchmark
	return c
}

func TestAnAmountIsSaidInTheWordsOfItsMetric(t *testing.T) {
	for _, tt := range []struct {
		metric string
		ratios []float64
		times  bool
		want   string
	}{
		{"time", []float64{0.8}, false, "20.0 % less time"},
		{"time", []float64{0.8, 0.95}, false, "5.0 to 20.0 % less time"},
		{"time", []float64{1.02, 1.2}, false, "2.0 to 20.0 % more time"},
		{"time", []float64{0.9, 1.2}, true, "between 10.0 % less time and 20.0 % more time"},
		{"time", []float64{1.6, 8.9}, true, "1.60 to 8.90 times as long"},
		{"time", []float64{0.25, 0.5}, true, "2.00 to 4.00 times as fast"},
		{"time", []float64{5}, false, "5.00 times as long"},
		{"time", []float64{1, 1}, false, "as long"},
		{"B/op", []float64{0}, false, "100.0 % less memory"},
		{"B/op", []float64{0.005}, true, "200 times less memory"},
		{"allocs/op", []float64{0.9962}, false, "0.38 % less often"},
		{"allocs/op", []float64{3.5}, true, "3.50 times as often"},
		{"made/op", []float64{1.5}, false, "50.0 % more made/op"},
	} {
		if got := amount(tt.metric, tt.ratios, tt.times); got != tt.want {
			t.Errorf("%s %v: %q, want %q", tt.metric, tt.ratios, got, tt.want)
		}
	}
}

func TestTheConclusionIsWhatTheVerdictsAndClaimsSay(t *testing.T) {
	memory := compared("work", "lease", study.Positive, 0.001)
	memory.Time, memory.Bytes = study.Same, study.Counter{Baseline: 1000, Candidate: 10}
	huge := compared("work", "lease", study.TradeOff, -0.5)
	huge.Time, huge.Bytes = study.Better, study.Counter{Baseline: 10, Candidate: 1000}
	file := study.File{
		Baseline:   "make",
		Arms:       []study.Arm{{Name: "make"}, {Name: "pool"}, {Name: "stack"}},
		Benchmarks: []study.Benchmark{{Name: "work"}, {Name: "alone", Isolated: true}},
	}
	for _, tt := range []struct {
		name string
		s    study.VerdictFile
		want string // with ~ for a backquote
	}{
		{"nothing was compared", study.VerdictFile{}, ""},
		{"an arm pays, in isolation too", study.VerdictFile{Results: []study.Result{
			compared("work", "pool", study.Positive, -0.2), compared("work", "pool", study.Positive, -0.4),
			compared("work", "stack", study.NoChange, 0.001), compared("alone", "stack", study.Positive, -0.9),
		}}, `
Against ~make~, ~pool~ pays; ~stack~ changes nothing.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~pool~ | POSITIVE | -40.0 % to -20.0 % | 2 of 2 |
| ~stack~ | NO CHANGE | +0.1 % | 1 of 1 |
| ~stack~ (isolated) | POSITIVE | -90.0 % | 1 of 1 |`},
		{"an arm whose whole benchmark is open pays nowhere, whatever an isolated one says", study.VerdictFile{Results: []study.Result{
			compared("work", "pool", study.Inconclusive, -0.2), compared("alone", "pool", study.Positive, -0.9), compared("work", "stack", study.Negative, 0.3),
		}}, `
Against ~make~, ~stack~ costs more than it saves; ~pool~ is open.
Of 3 comparisons 1 is open.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~pool~ | INCONCLUSIVE | - | 0 of 1 |
| ~pool~ (isolated) | POSITIVE | -90.0 % | 1 of 1 |
| ~stack~ | NEGATIVE | +30.0 % | 1 of 1 |`},
		{"an arm is open if most of its comparisons are, though it pays once", study.VerdictFile{Results: []study.Result{
			compared("work", "pool", study.Positive, -0.2), compared("work", "pool", study.Inconclusive, -0.2), compared("work", "pool", study.NotMeasured, 0),
			compared("work", "stack", study.Positive, -0.2), compared("alone", "stack", study.Positive, -0.2),
		}}, `
Against ~make~, ~stack~ pays; ~pool~ is open.
Of 5 comparisons 1 is open and 1 is not measured.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~stack~ | POSITIVE | -20.0 % | 1 of 1 |
| ~stack~ (isolated) | POSITIVE | -20.0 % | 1 of 1 |
| ~pool~ | 1 POSITIVE, 1 INCONCLUSIVE, 1 not measured | -20.0 % | 1 of 3 |`},
		{"better here and worse there", study.VerdictFile{Results: []study.Result{
			compared("work", "pool", study.Positive, -0.2), compared("more", "pool", study.Negative, 0.2), compared("work", "pool", study.NotMeasured, 0),
			compared("work", "stack", study.Positive, -0.2), compared("work", "stack", study.NoChange, 0), compared("alone", "pool", study.Unsafe, 0),
		}}, `
Against ~make~, ~stack~ pays in some comparisons and changes nothing in others; ~pool~ (in isolation) is not correct.
Of 6 comparisons 1 is not measured and 1 is UNSAFE.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~stack~ | 1 POSITIVE, 1 NO CHANGE | -20.0 % to 0.0 % | 2 of 2 |
| ~pool~ | 1 POSITIVE, 1 NEGATIVE, 1 not measured | -20.0 % to +20.0 % | 2 of 3 |
| ~pool~ (isolated) | UNSAFE | - | 1 of 1 |

- ~pool~: POSITIVE in work; NEGATIVE in more.`},
		{"isolated benchmarks alone, and memory", study.VerdictFile{Results: []study.Result{
			memory, compared("alone", "pool", study.NoChange, 0), compared("alone", "stack", study.NoChange, 0),
		}}, `
Against ~make~, ~lease~ pays; ~pool~ (in isolation) and ~stack~ (in isolation) change nothing.

| arm against ~make~ | verdict | time, smallest to largest | B/op | decided |
|---|---|---|---|---|
| ~lease~ | POSITIVE | +0.1 % | -99.0 % | 1 of 1 |
| ~pool~ (isolated) | NO CHANGE | 0.0 % | - | 1 of 1 |
| ~stack~ (isolated) | NO CHANGE | 0.0 % | - | 1 of 1 |`},
		{"a benchmark is younger than the result", study.VerdictFile{Results: []study.Result{compared("alone", "pool", study.NoChange, 0), compared("alone", "stack", study.Positive, -0.1)}}, `
In isolation and against ~make~, ~stack~ pays; ~pool~ changes nothing.
This measurement is older than the benchmark ~work~ of the study file.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~pool~ (isolated) | NO CHANGE | 0.0 % | 1 of 1 |
| ~stack~ (isolated) | POSITIVE | -10.0 % | 1 of 1 |`},
		{"a large loss is a multiple", study.VerdictFile{Results: []study.Result{huge, compared("alone", "pool", study.NoChange, 0), compared("work", "stack", study.NoChange, 0)}}, `
Against ~make~, ~lease~ is a trade-off; ~pool~ (in isolation) and ~stack~ change nothing.

| arm against ~make~ | verdict | time, smallest to largest | B/op | decided |
|---|---|---|---|---|
| ~lease~ | TRADE-OFF | -50.0 % | 100x more | 1 of 1 |
| ~pool~ (isolated) | NO CHANGE | 0.0 % | - | 1 of 1 |
| ~stack~ | NO CHANGE | 0.0 % | - | 1 of 1 |`},
		{"three arms of a kind are named", study.VerdictFile{Results: paying("lease", "scratch", "pool")}, `
Against ~make~, ~lease~, ~scratch~ and ~pool~ pay.
This measurement is older than the arm ~stack~ and the benchmark ~alone~ of the study file.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~lease~ | POSITIVE | -20.0 % | 1 of 1 |
| ~scratch~ | POSITIVE | -20.0 % | 1 of 1 |
| ~pool~ | POSITIVE | -20.0 % | 1 of 1 |`},
		{"and more are counted", study.VerdictFile{Results: paying("lease", "scratch", "pool", "stack")}, `
Against ~make~, 4 arms pay.
This measurement is older than the benchmark ~alone~ of the study file.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~lease~ | POSITIVE | -20.0 % | 1 of 1 |
| ~scratch~ | POSITIVE | -20.0 % | 1 of 1 |
| ~pool~ | POSITIVE | -20.0 % | 1 of 1 |
| ~stack~ | POSITIVE | -20.0 % | 1 of 1 |`},
		{"nothing could be tested", study.VerdictFile{Results: []study.Result{
			compared("work", "pool", study.Invalid, 0), compared("alone", "stack", study.Invalid, 0),
		}}, `
All 2 comparisons are INVALID.

| arm against ~make~ | verdict | decided |
|---|---|---|
| ~pool~ | INVALID | 0 of 1 |
| ~stack~ (isolated) | INVALID | 0 of 1 |`},
		{"a claim in its own words", study.VerdictFile{
			Results: []study.Result{compared("work", "pool", study.Positive, -0.2), compared("alone", "stack", study.Positive, -0.2)},
			Claims:  []study.ClaimResult{claimed("A pool is slower", "pool", "12 % more", -0.2, study.Opposite)},
		}, `
Published: "A pool is slower" (12 % more). Here ~pool~ takes 20.0 % less time than ~make~.
Against ~make~, ~pool~ and ~stack~ (in isolation) pay.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~pool~ | POSITIVE | -20.0 % | 1 of 1 |
| ~stack~ (isolated) | POSITIVE | -20.0 % | 1 of 1 |`},
		{"one claim in its own words, several by their sizes", study.VerdictFile{
			Results: []study.Result{compared("work", "pool", study.Positive, -0.2), compared("alone", "stack", study.Positive, -0.2)},
			Claims: []study.ClaimResult{
				claimed("A pool is slower", "pool", "12 % more", -0.2, study.Opposite), of("alone", claimed("b", "stack", "12 % less", -0.2, study.OtherSize)),
				claimed("c", "stack", "20 % less", -0.2, study.Reproduced), claimed("d", "stack", "20 % less", -0.2, study.Reproduced),
			},
		}, `
Published: "A pool is slower" (12 % more). Here ~pool~ takes 20.0 % less time than ~make~.
Published: ~stack~ takes 12.0 to 20.0 % less time than ~make~. Here: 20.0 % less time.
Against ~make~, ~pool~ and ~stack~ (in isolation) pay.

| published on | claims | published | found here | outcome |
|---|---|---|---|---|
| the time of ~pool~ | 1 | +12.0 % | -20.0 % | 1 opposite |
| the time of ~stack~ | 3 | -20.0 % to -12.0 % | -20.0 % | 2 reproduced; 1 same direction, other size |

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~pool~ | POSITIVE | -20.0 % | 1 of 1 |
| ~stack~ (isolated) | POSITIVE | -20.0 % | 1 of 1 |`},
		{"many claims that end alike", study.VerdictFile{
			Results: []study.Result{compared("work", "pool", study.Negative, 0.2), compared("alone", "stack", study.NoChange, 0)},
			Claims: []study.ClaimResult{
				claimed("a", "pool", "8.9x more", 0.27, study.OtherSize), claimed("b", "pool", "2.1x more", 0.35, study.OtherSize), claimed("c", "pool", "5.2x more", 0.22, study.OtherSize),
			},
		}, `
Published: ~pool~ takes 2.10 to 8.90 times as long as ~make~. Here: 1.22 to 1.35 times as long.
Against ~make~, ~stack~ (in isolation) changes nothing; ~pool~ costs more than it saves.

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~stack~ (isolated) | NO CHANGE | 0.0 % | 1 of 1 |
| ~pool~ | NEGATIVE | +20.0 % | 1 of 1 |`},
		{"no size that could be compared, and one that took all away", study.VerdictFile{
			Results: []study.Result{compared("work", "pool", study.Negative, 0.2), compared("alone", "stack", study.NoChange, 0)},
			Claims: []study.ClaimResult{
				claimed("a", "pool", "", 0.27, study.Reproduced), claimed("b", "pool", "", -1, study.Reproduced), of("alone", claimed("c", "stack", "", 0, study.NotJudgeable)), claimed("d", "stack", "", 0, study.NotJudgeable),
			},
		}, `
Published: "a" and 1 more claim. Here ~pool~ takes between 100.0 % less time and 27.0 % more time than ~make~.
Published: "c" and 1 more claim. Here ~stack~ takes as long as ~make~.
Against ~make~, ~stack~ (in isolation) changes nothing; ~pool~ costs more than it saves.

| published on | claims | published | found here | outcome |
|---|---|---|---|---|
| the time of ~pool~ | 2 | - | -100.0 % to +27.0 % | 2 reproduced |
| the time of ~stack~ | 2 | - | 0.0 % | 2 not judgeable |

| arm against ~make~ | verdict | time, smallest to largest | decided |
|---|---|---|---|
| ~stack~ (isolated) | NO CHANGE | 0.0 % | 1 of 1 |
| ~pool~ | NEGATIVE | +20.0 % | 1 of 1 |`},
	} {
		tt.s.Plan.Study = &file
		if got := conclude(tt.s); got != strings.ReplaceAll(strings.TrimPrefix(tt.want, "\n"), "~", "`") {
			t.Errorf("%s:\n%s\nwant%s", tt.name, got, tt.want)
		}
	}
}

func TestHowTheConclusionSpeaksOfAnArm(t *testing.T) {
	for want, verdicts := range map[string][]study.Verdict{
		"pays": {study.Positive, study.Positive, study.Inconclusive},
		"pays in some comparisons and changes nothing in others": {study.Positive, study.NoChange},
		"pays in some comparisons and is a trade-off in others":  {study.Positive, study.NoChange, study.TradeOff},
		"pays in some comparisons and costs in others":           {study.Positive, study.TradeOff, study.Negative, study.NoChange},
		"is a trade-off":                             {study.TradeOff, study.TradeOff},
		"is a trade-off at best":                     {study.TradeOff, study.Negative, study.NoChange},
		"changes nothing":                            {study.NoChange},
		"costs in some comparisons and pays in none": {study.Negative, study.NoChange},
		"costs more than it saves":                   {study.Negative},
		"is not correct":                             {study.Positive, study.Unsafe},
		"is open":                                    {study.Positive, study.Inconclusive, study.Invalid},
	} {
		s := study.VerdictFile{Results: paying("stack")}
		for _, v := range verdicts {
			s.Results = append(s.Results, compared("work", "pool", v, 0.1))
		}
		got, _, _ := strings.Cut(conclude(s), "\n")
		if want == "pays" {
			if want = "`stack` and `pool` pay."; !strings.Contains(got, want) {
				t.Errorf("%v: %q, want %q", verdicts, got, want)
			}
		} else if !strings.Contains(got, "`pool` "+want) || strings.Contains(got, "`pool` "+want+" at best") {
			t.Errorf("%v: %q, want that `pool` %s", verdicts, got, want)
		}
	}
}

func TestANoteBeginsWithItsConclusion(t *testing.T) {
	v := study.VerdictFile{Plan: study.Plan{Title: "Slices"}, Results: paying("stack")}
	var b strings.Builder
	if err := Write(&b, v, Versions{}); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(b.String(), "\n\n")
	if want := conclude(v) + "\n\nStatus: "; !strings.HasPrefix(after, want) {
		t.Errorf("below the title stands\n%.300s\nwant\n%s", after, want)
	}
}
