package words_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// renderings are all functions that render a verdict file.
func renderings(v study.VerdictFile) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"table":    func(w io.Writer) error { return term.Table(w, v, 100) },
		"markdown": func(w io.Writer) error { return note.Write(w, v, note.Versions{}) },
		"floor":    func(w io.Writer) error { return term.NoiseFloor(w, v) },
		"bench":    func(w io.Writer) error { return gobench.Write(w, v, launches(v)) },
		"plan":     func(w io.Writer) error { return term.Plan(w, v.Plan) },
	}
}

// The file holds numbers of times and counts that must not appear, because the
// verdict or the number of launches says that they mean nothing.
func TestWhatWasNotMeasuredIsNotPrinted(t *testing.T) {
	e := study.Estimate{Effect: 0.777, Lo: 0.7771, Hi: 0.7772, Launches: 4, LaunchSD: 0.777}
	time := []string{"777", "77.7", "77.71", "77.72"}
	counts := []string{"5551", "5,551"}
	full := study.Result{Comparison: "c", Benchmark: "b", Arm: "x", Baseline: "y", Estimator: study.Estimator{Kind: study.Total, Clock: study.Wall}, Deciding: e, MWall: e, MCPU: e, TWall: e,
		BaselineTime: 777, CandidateTime: 777, Allocs: study.Counter{Baseline: 5551, Candidate: 5551}, Bytes: study.Counter{Baseline: 5551, Candidate: 5551}, Launches: 4,
		Detectable: 0.777, NeedTime: 777e9, Foreign: 0.777, Extra: map[string][2]float64{"u": {5551, 5551}}}
	for _, tt := range []struct {
		name   string
		change func(*study.Result)
		hidden []string
		shown  []string
	}{
		{"all is shown where all was measured", func(r *study.Result) { r.Verdict = study.TradeOff }, nil, []string{time[1], counts[1]}},
		{"an invalid experiment has counts and no times", func(r *study.Result) { r.Verdict = study.Invalid }, time, counts[1:]},
		{"an experiment rejected before its first launch has nothing", func(r *study.Result) { r.Verdict = study.Invalid; r.Launches = 0 }, append(time, counts...), nil},
		{"an incorrect arm has nothing", func(r *study.Result) { r.Verdict = study.Unsafe }, append(time, counts...), nil},
		{"what was not measured has nothing", func(r *study.Result) { r.Verdict = study.NotMeasured }, append(time, counts...), nil},
		{"an estimate without launches is none", func(r *study.Result) { r.Verdict = study.Inconclusive; r.Deciding.Launches = 0 }, time, counts[1:]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := full
			tt.change(&r)
			v := study.VerdictFile{Plan: study.Plan{Comparisons: []study.Comparison{{ID: "c", BaselineBench: study.Bench{Leaf: "BenchmarkB/k=y"}, CandidateBench: study.Bench{Leaf: "BenchmarkB/k=x"}}}}, Results: []study.Result{r}}
			for name, render := range renderings(v) {
				var b strings.Builder
				if err := render(&b); err != nil {
					t.Fatal(err)
				}
				for _, h := range tt.hidden {
					if strings.Contains(b.String(), h) {
						t.Errorf("%s prints %s:\n%s", name, h, b.String())
					}
				}
				for _, s := range tt.shown {
					if (name == "table" || name == "markdown") && !strings.Contains(b.String(), s) {
						t.Errorf("%s does not print %s:\n%s", name, s, b.String())
					}
				}
			}
		})
	}
}

func TestAnEmptyVerdictFileCanBeRendered(t *testing.T) {
	for name, render := range renderings(study.VerdictFile{}) {
		var b strings.Builder
		if err := render(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "%!") {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestAWritersErrorComesBack(t *testing.T) {
	v := load(t, "flatmap")
	for name, render := range renderings(v) {
		if err := render(fullDisk{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v, want the writer's error", name, err)
		}
	}
	if err := study.Encode(fullDisk{}, v); !errors.Is(err, errFull) {
		t.Errorf("JSON: %v, want the writer's error", err)
	}
}

func TestTheNarrowTableKeepsItsTextInside(t *testing.T) {
	for _, name := range []string{"flatmap", "cells", "aa"} {
		var b strings.Builder
		if err := term.Table(&b, load(t, name), 60); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "\n\n")
		for l := range strings.Lines(text) {
			if l = strings.TrimRight(l, "\n"); words.Width(l) > 60 && !strings.HasPrefix(l, "      ") {
				t.Errorf("%s: %q is longer than 60", name, l)
			}
		}
	}
}

func TestJSONIsWhatTheVerdictFileHolds(t *testing.T) {
	v := load(t, "flatmap")
	path := t.TempDir() + "/verdict.json"
	if err := study.WriteVerdict(path, v); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := study.Encode(&b, v); err != nil {
		t.Fatal(err)
	}
	back, err := study.ReadVerdict(path)
	if err != nil {
		t.Fatal(err)
	}
	var again strings.Builder
	if err := study.Encode(&again, back); err != nil {
		t.Fatal(err)
	}
	if b.String() != again.String() || !strings.Contains(b.String(), `"schema": 2`) {
		t.Error("JSON differs from what is written and read back")
	}
}
