package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// before is a measurement on a processor, of the benchmark "work" of one arm.
func before(cpu string, v study.Verdict, effect, lo, hi float64) study.Earlier {
	e := study.Earlier{Measured: "2026-01-02", Revision: aCommit, Machine: study.Machine{CPU: cpu, Cores: 2}, Spent: "1s"}
	e.Add(study.EarlierResult{Benchmark: "work", Arm: "pool", Verdict: v, By: "T wall", Effect: effect, Lo: lo, Hi: hi})
	return e
}

func TestAChangeSinceAnEarlierMeasurementIsCounted(t *testing.T) {
	now := study.VerdictFile{Results: []study.Result{compared("work", "pool", study.Positive, -0.2), compared("more", "pool", study.Positive, -0.2)}} // [-21, -19]
	for _, tt := range []struct {
		name string
		was  study.Earlier
		want string
	}{
		{"the same", before("A", study.Positive, -0.2, -0.25, -0.15), "of 1 comparison the intervals of 0 do not meet, and 0 verdicts turned"},
		{"ends that touch meet", before("A", study.Positive, -0.3, -0.4, -0.21), "of 1 comparison the intervals of 0 do not meet, and 0 verdicts turned"},
		{"apart below", before("A", study.Positive, -0.3, -0.4, -0.22), "of 1 comparison the intervals of 1 do not meet, and 0 verdicts turned"},
		{"apart above", before("A", study.Negative, 0.3, 0.2, 0.4), "of 1 comparison the intervals of 1 do not meet, and 1 verdict turned"},
		{"what was open did not turn", before("A", study.Inconclusive, -0.2, -0.3, 0.1), "of 1 comparison the intervals of 0 do not meet, and 0 verdicts turned"},
		{"nothing in common", study.Earlier{}, "of 0 comparisons the intervals of 0 do not meet, and 0 verdicts turned"},
	} {
		if got := changeOf(now, tt.was).String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestANoteHasWhatMoved(t *testing.T) {
	v := study.VerdictFile{Plan: study.Plan{Title: "Slices", Machine: study.Machine{CPU: "A"}}, Results: []study.Result{compared("work", "pool", study.Positive, -0.2)},
		Claims: []study.ClaimResult{claimed("A pool is slower", "pool", "12 % more", -0.2, study.Opposite)}}
	var b strings.Builder
	if err := Write(&b, v, Versions{}, before("A", study.Positive, -0.2, -0.25, -0.15), before("B", study.Negative, 0.3, 0.2, 0.4)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Published: \"A pool is slower\" (12 % more). Here `pool` takes 20.0 % less time than `make`. On another processor (B, 2026-01-02): 30.0 % more time.\n",
		"- 2026-01-02, A, 2 cores, revision 0123456789ab: of 1 comparison the intervals of 0 do not meet, and 0 verdicts turned.\n",
		"- 2026-01-02, B, 2 cores, revision 0123456789ab: of 1 comparison the intervals of 1 do not meet, and 1 verdict turned.\n  - work pool: +30.0 % [+20.0, +40.0] then, -20.0 % [-21.0, -19.0] now\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the note has no %q:\n%s", want, b.String())
		}
	}
}

func TestTheIndexSumsUpOneMeasurementBeforeOnEachProcessor(t *testing.T) {
	v := study.VerdictFile{Plan: study.Plan{Machine: study.Machine{CPU: "A"}}, Results: []study.Result{compared("work", "pool", study.Positive, -0.2)}}
	apart := before("A", study.Negative, 0.3, 0.2, 0.4) // not the last on A
	got := measuredAgain([]Entry{
		{Dir: "a", Title: "Slices", Verdict: &v, Earlier: []study.Earlier{apart, before("A", study.Positive, -0.2, -0.25, -0.15), before("B", study.Negative, 0.3, 0.2, 0.4)}},
		{Dir: "b", Title: "Not measured again", Verdict: &v},
		{Dir: "c", Title: "Not measured", Earlier: []study.Earlier{apart}},
	})
	for _, want := range []string{
		"- On the same kind of processor, of 1 comparison the intervals of 0 do not meet, and 0 verdicts turned.\n",
		"- On another kind, of 1 comparison the intervals of 1 do not meet, and 1 verdict turned.\n",
		"| [Slices](a/VERDICT.md) | 2026-01-02, A, 2 cores, revision 0123456789ab | -, A | 1 | 1 | 1 |\n|  | ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the section has no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Not measured") {
		t.Errorf("a study without two measurements is listed:\n%s", got)
	}
	if got := measuredAgain([]Entry{{Title: "Slices", Verdict: &v}}); got != "" {
		t.Errorf("nothing was measured again, and yet %q", got)
	}
}

func TestAHypothesisIsPublishedWhereASourceSaysSo(t *testing.T) {
	for source, want := range map[string]string{"": "\nHypothesis: it pays.\n", "a document": "\nHypothesis as published: it pays.\n"} {
		v := study.VerdictFile{Plan: study.Plan{Title: "Slices", Study: &study.File{Hypothesis: "it pays", Source: source}}, Results: paying("stack")}
		var b strings.Builder
		if err := Write(&b, v, Versions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("source %q: the note has no %q", source, want)
		}
	}
}
