package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAnswers(t *testing.T) {
	loss := Result{Effect: 0.5, Lo: 0.45, Hi: 0.55}
	gain := Result{Effect: -0.3, Lo: -0.32, Hi: -0.28}
	level := Result{Effect: 0.003, Lo: -0.01, Hi: 0.015}
	vague := Result{Effect: 0.01, Lo: -0.05, Hi: 0.09}
	no := Result{Verdict: study.NoChange, Time: study.Same, Effect: 0.001, Lo: -0.005, Hi: 0.007}
	worse := Result{Verdict: study.Negative, Time: study.Worse, Effect: 0.48, Lo: 0.44, Hi: 0.52}
	better := Result{Verdict: study.Positive, Time: study.Better, Memory: study.Same, Effect: -0.3, Lo: -0.33, Hi: -0.27}
	change := func(r Result, f func(*Result)) Result { f(&r); return r }
	saves := func(v study.Verdict, class study.Class) func(*Result) {
		return func(r *Result) { r.Verdict, r.Time, r.Memory = v, class, study.Better }
	}
	for _, c := range []struct {
		name         string
		found, truth Result
		want         answer
	}{
		{"a loss found", worse, loss, right},
		{"a gain found", better, gain, right},
		{"a loss taken for a gain", better, loss, falseWay},
		{"a gain taken for a loss", worse, gain, falseWay},
		{"a gain where there is none", better, level, falseWay},
		{"a loss where there is none", worse, level, falseWay},
		{"a loss called no change", no, loss, missed},
		{"a gain called no change", no, gain, missed},
		{"nothing called no change", no, level, right},
		{"a loss of another size", change(worse, func(r *Result) { r.Effect, r.Lo, r.Hi = 0.03, 0.01, 0.05 }), loss, otherSize},
		{"a gain of another size", change(better, func(r *Result) { r.Effect, r.Lo, r.Hi = -0.6, -0.62, -0.58 }), gain, otherSize},
		{"a loss of about the size", change(worse, func(r *Result) { r.Effect, r.Lo, r.Hi = 0.35, 0.32, 0.38 }), loss, right},
		{"a loss left open", Result{Verdict: study.Inconclusive, Time: study.Worse}, loss, open},
		{"a gain of memory, time the same", change(no, saves(study.Positive, study.Same)), level, right},
		{"a gain of memory, time not decided", change(no, saves(study.Positive, study.NotWorse)), level, open},
		{"a gain of memory, time called the same", change(no, saves(study.Positive, study.Same)), loss, missed},
		{"memory against a time that is none", change(worse, saves(study.TradeOff, study.Worse)), level, falseWay},
		{"memory against a time", change(worse, saves(study.TradeOff, study.Worse)), loss, right},
		{"clock against clock", change(worse, func(r *Result) { r.Verdict, r.Memory = study.TradeOff, study.Same }), gain, open},
		{"a small loss that the long runs do not exclude", change(worse, func(r *Result) { r.Effect, r.Lo, r.Hi = 0.05, 0.03, 0.07 }), vague, uncertain},
		{"a large loss that they do", worse, vague, falseWay},
		{"no change where the long runs say 3 %", no, Result{Effect: 0.03, Lo: 0.025, Hi: 0.035}, right},
		{"a loss where the long runs say 3 %", change(worse, func(r *Result) { r.Effect, r.Lo, r.Hi = 0.04, 0.03, 0.05 }), Result{Effect: 0.03, Lo: 0.025, Hi: 0.035}, right},
		{"no change where the long runs say 5 %, or nothing", no, Result{Effect: 0.05, Lo: -0.01, Hi: 0.1}, uncertain},
		{"not measured", Result{Verdict: study.NotMeasured}, loss, open},
	} {
		if got := answerOf(c.found, c.truth); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTheTablesOfWholeCostsCountTheAnswers(t *testing.T) {
	tasks := wholeTasks(firstDraw)
	spent := study.Duration(2 * time.Second)
	done := map[string]Result{
		"ask/rare/count-1e4/8s":     {Verdict: study.NoChange, Effect: -0.003, Lo: -0.019, Hi: 0.013, Estimator: study.Estimator{Kind: study.Mutator, Clock: study.Wall}, Spent: spent, Whole: 2 * spent},
		"long/rare/count-1e4":       {Effect: 0.5, Lo: 0.49, Hi: 0.52},
		"ask/rare/count-1e5/8s":     {Verdict: study.Inconclusive, Spent: spent, Whole: spent}, // its long runs are not done
		"ask/layout/scan-0-6/8s":    {Verdict: study.Negative, Effect: 1.9, Lo: 1.8, Hi: 2, Spent: spent, Whole: spent},
		"ask/memory/interpret/8s":   {Verdict: study.Positive, Time: study.Same, Memory: study.Better, Spent: spent, Whole: spent},
		"ask/parallel/lock-half/8s": {Verdict: study.Positive, Effect: -0.32, Lo: -0.33, Hi: -0.31, Spent: spent, Whole: spent},
		"long/parallel/lock-half":   {Effect: -0.33, Lo: -0.35, Hi: -0.3},
	}
	var b strings.Builder
	if err := summarise(tasks, done).Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| Rare work | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 2.0 s | 4.0 s |",
		"| Layout | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 2.0 s | 2.0 s |",
		"| **all** | 4 | 2 | 0 | 1 | 1 | 0 | 0 | 2.0 s | 2.5 s |",
		"| count-1e4 | 8s | +50.0 % | +50.0 % (+49.0 to +52.0) | NO CHANGE | -0.3 % (-1.9 to +1.3) | M wall | **missed** |",
		"| interpret | 8s | +0.0 % |  | POSITIVE, time same |  |  | right |",
		"| lock-half | 8s |  | -33.0 % (-35.0 to -30.0) | POSITIVE |",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
	if strings.Contains(b.String(), "benchstat") || strings.Contains(b.String(), "Bad input |") {
		t.Errorf("tables of what was not asked in\n%s", b.String())
	}
}

// The first figures stay: of each question, and of its long runs.
func TestTheFirstFiguresOfRule2ArePrinted(t *testing.T) {
	page, err := os.ReadFile("../records/whole-costs.md")
	if err != nil {
		t.Fatal(err)
	}
	for d, name := range map[draw]string{firstDraw: "whole-rule2.jsonl", clockDraw: "whole-clocks-rule2.jsonl"} {
		text, err := os.ReadFile("../records/" + name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, resultsFile), text, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Print(dir)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := s.Markdown(&b); err != nil {
			t.Fatal(err)
		}
		if s.Done != len(wholeTasks(d)) {
			t.Errorf("%d of %d tasks are in the results", s.Done, len(wholeTasks(d)))
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "|") && !strings.Contains(string(page), line) {
				t.Errorf("records/whole-costs.md does not show %s", line)
			}
		}
	}
}
