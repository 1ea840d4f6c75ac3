package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compared is a row of a committed result: three launches and no bytes.
func compared(benchmark, arm string, v study.Verdict, effect float64) study.SummaryRow {
	class := map[study.Verdict]study.Class{study.Positive: study.Better, study.Negative: study.Worse, study.NoChange: study.Same}[v]
	return study.SummaryRow{
		Benchmark: benchmark, Arm: arm, Baseline: "make", Verdict: v, Time: class, Effect: effect, Lo: effect - 0.01, Hi: effect + 0.01, Launches: 3,
		Estimator: study.Estimator{Kind: study.Total, Clock: study.Wall},
	}
}

// paying is a row for each of these arms, which all pay alike.
func paying(arms ...string) (rows []study.SummaryRow) {
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
		s    study.Summary
		want string
	}{
		{"nothing was compared", study.Summary{}, ""},
		{"an arm pays", study.Summary{Comparisons: []study.SummaryRow{
			compared("work", "pool", study.Positive, -0.2), compared("work", "pool", study.Positive, -0.4),
			compared("work", "stack", study.NoChange, 0.001), compared("alone", "stack", study.Positive, -0.9),
		}}, "Against `make`, `pool` (time -40.0 % to -20.0 % in 2 comparisons) pays. `stack` (time +0.1 %) changes nothing."},
		{"isolated benchmarks speak only where no other does", study.Summary{Comparisons: []study.SummaryRow{
			compared("work", "pool", study.Inconclusive, -0.2), compared("alone", "pool", study.Positive, -0.9), compared("work", "stack", study.Negative, 0.3),
		}}, "Against `make`, `pool` (time -90.0 %, in isolation) pays. `stack` (time +30.0 %) costs more than it saves. Of 3 comparisons 1 is open."},
		{"better here and worse there", study.Summary{Comparisons: []study.SummaryRow{
			compared("work", "pool", study.Positive, -0.2), compared("work", "pool", study.Negative, 0.2), compared("work", "pool", study.NotMeasured, 0),
			compared("work", "stack", study.Positive, -0.2), compared("work", "stack", study.NoChange, 0), compared("alone", "pool", study.Unsafe, 0),
		}}, "Against `make`, `stack` (time -20.0 % to 0.0 %, 1 POSITIVE, 1 NO CHANGE) pays in part. `pool` (time -20.0 % to +20.0 %, 1 POSITIVE, 1 NEGATIVE) pays in some and costs in others. " +
			"Of 6 comparisons 1 is not measured and 1 is UNSAFE."},
		{"memory is told where time does not decide", study.Summary{Comparisons: []study.SummaryRow{
			memory, compared("alone", "pool", study.NoChange, 0), compared("alone", "stack", study.NoChange, 0),
		}}, "Against `make`, `lease` (time +0.1 %, B/op -99.0 %) pays. `pool` (time 0.0 %, in isolation) and `stack` (time 0.0 %, in isolation) change nothing."},
		{"a benchmark is younger than the result", study.Summary{Comparisons: []study.SummaryRow{compared("alone", "pool", study.NoChange, 0), compared("alone", "stack", study.NoChange, 0)}},
			"Against `make`, `pool` (time 0.0 %, in isolation) and `stack` (time 0.0 %, in isolation) change nothing. This measurement is older than the benchmark `work` of the study file."},
		{"a large loss is a multiple", study.Summary{Comparisons: []study.SummaryRow{huge, compared("alone", "pool", study.NoChange, 0), compared("work", "stack", study.NoChange, 0)}},
			"Against `make`, `lease` (time -50.0 %, B/op 100x more) is a trade-off. `pool` (time 0.0 %, in isolation) and `stack` (time 0.0 %) change nothing."},
		{"of more than five arms that pay four are named", study.Summary{Comparisons: paying("lease", "scratch", "pool", "stack", "frame")},
			"Against `make`, `lease` (time -20.0 %), `scratch` (time -20.0 %), `pool` (time -20.0 %), `stack` (time -20.0 %) and `frame` (time -20.0 %) pay. This measurement is older than the benchmark `alone` of the study file."},
		{"and the others are counted", study.Summary{Comparisons: paying("lease", "scratch", "pool", "stack", "frame", "direct")},
			"Against `make`, `lease` (time -20.0 %), `scratch` (time -20.0 %), `pool` (time -20.0 %), `stack` (time -20.0 %) and 2 more pay. This measurement is older than the benchmark `alone` of the study file."},
		{"an arm is younger than the result", study.Summary{Comparisons: []study.SummaryRow{compared("work", "pool", study.Positive, -0.2), compared("alone", "pool", study.Positive, -0.2)}},
			"Against `make`, `pool` (time -20.0 %) pays. This measurement is older than the arm `stack` of the study file."},
		{"nothing could be tested", study.Summary{Comparisons: []study.SummaryRow{
			compared("work", "pool", study.Invalid, 0), compared("alone", "stack", study.Invalid, 0),
		}}, "All 2 comparisons are INVALID."},
		{"a claim with its words, and what is left", study.Summary{
			Comparisons: []study.SummaryRow{compared("work", "pool", study.Positive, -0.2), compared("alone", "stack", study.Positive, -0.2)},
			Claims: []study.ClaimResult{
				claimed("A pool is slower", "pool", "12 % more", -0.2, study.Opposite), claimed("b", "stack", "12 % less", -0.2, study.OtherSize),
				claimed("c", "stack", "20 % less", -0.2, study.Reproduced), claimed("d", "stack", "20 % less", -0.2, study.Reproduced),
			},
		}, `Published: "A pool is slower" (12 % more), which is the opposite here: time -20.0 % [-21.0, -19.0]. Of 3 further published claims 2 are reproduced and 1 is true in direction but not in size. ` +
			"Against `make`, `pool` (time -20.0 %) and `stack` (time -20.0 %, in isolation) pay."},
		{"many claims that end alike", study.Summary{
			Comparisons: []study.SummaryRow{compared("work", "pool", study.Negative, 0.2), compared("alone", "stack", study.NoChange, 0)},
			Claims: []study.ClaimResult{
				claimed("a", "pool", "8.9x more", 0.27, study.OtherSize), claimed("b", "pool", "2.1x more", 0.35, study.OtherSize), claimed("c", "pool", "5.2x more", 0.22, study.OtherSize),
			},
		}, "3 published claims on `pool` and its time are true in direction but not in size: published 2.10x to 8.90x more, found 1.22x to 1.35x more. " +
			"Against `make`, `stack` (time 0.0 %, in isolation) changes nothing. `pool` (time +20.0 %) costs more than it saves."},
	} {
		if got := Conclude(file, tt.s); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestANoteBeginsWithItsConclusion(t *testing.T) {
	v := load(t, "flatmap")
	var b strings.Builder
	if err := Markdown(&b, v); err != nil {
		t.Fatal(err)
	}
	var file study.File
	if v.Plan.Study != nil {
		file = *v.Plan.Study
	}
	s := study.Summarise(v)
	_, after, _ := strings.Cut(b.String(), "\n\n")
	if want := conclusionSection(Conclude(file, s)); !strings.HasPrefix(after, want) {
		t.Errorf("below the title stands\n%.300s\nwant\n%s", after, want)
	}
	if got := UpdateConclusion(b.String(), Conclude(file, s)); got != b.String() {
		t.Error("a note that is up to date is changed")
	}
	got := UpdateConclusion(b.String(), "Otherwise.")
	if !strings.Contains(got, conclusionBegin+"\n\nOtherwise.\n\n"+conclusionEnd) || strings.Count(got, conclusionBegin) != 1 || strings.Contains(got, Conclude(file, s)) {
		t.Errorf("the conclusion was not replaced:\n%.300s", got)
	}
	if got := UpdateConclusion("# a\n\nStatus: b\n", "C."); got != "# a\n\n<!-- conclusion -->\n\nC.\n\n<!-- end of conclusion -->\n\nStatus: b\n" || UpdateConclusion(got, "C.") != got {
		t.Errorf("a note of an earlier version becomes\n%s", got)
	}
}
