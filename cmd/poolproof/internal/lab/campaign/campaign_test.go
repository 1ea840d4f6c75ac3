package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTasksAreDistinctAndComplete(t *testing.T) {
	tasks := Tasks([]string{"a", "b", "c", "d", "e"})
	counts := map[Section]int{}
	seen := map[string]bool{}
	for _, task := range tasks {
		if seen[task.ID] {
			t.Errorf("two tasks are called %s", task.ID)
		}
		seen[task.ID] = true
		counts[task.Section]++
	}
	want := map[Section]int{
		SectionAA: 200, SectionNeighbours: 200, SectionBenchstat: 200,
		SectionEffect: 2 * 5 * 3 * 10, SectionGarbage: 20, SectionTruth: 20,
	}
	for section, n := range want {
		if counts[section] != n {
			t.Errorf("%d tasks of section %s, want %d", counts[section], section, n)
		}
	}
	for _, task := range tasks {
		if task.Pair != "" && !seen[task.Pair] {
			t.Errorf("%s goes with %s, which is no task", task.ID, task.Pair)
		}
	}
}

func TestAPrefixOfTheTasksTreatsAllBenchmarksAlike(t *testing.T) {
	tasks := Tasks([]string{"a"})
	runs := map[string]int{}
	for _, task := range tasks[:len(tasks)/2] {
		if task.Section == SectionAA {
			runs[task.Bench]++
		}
	}
	for _, b := range aaBenches {
		if d := runs[b] - runs[aaBenches[0]]; d < -1 || d > 1 {
			t.Errorf("half of the campaign has %v", runs)
		}
	}
}

func TestPairsComeInTheOrderOfTheBenchmarks(t *testing.T) {
	got := pairsOf([]string{"BenchmarkGarbage/pair=x/way=old", "BenchmarkGarbage/pair=x/way=new", "BenchmarkGarbage/pair=a/way=old"})
	if fmt.Sprint(got) != "[x a]" {
		t.Errorf("got %v", got)
	}
}

func TestResultsSurviveATornLine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	if err := add(name, Result{ID: "one", Setup: "s", Verdict: study.NoChange, Spent: study.Duration(time.Second)}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"id":"tor`)
	f.Close()
	if err := add(name, Result{ID: "two", Setup: "s"}); err != nil {
		t.Fatal(err)
	}
	got, err := read(name, "s")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["one"].Verdict != study.NoChange || got["two"].ID != "two" {
		t.Errorf("read %v", got)
	}
}

func TestResultsOfAnotherSetupAreRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	if err := add(name, Result{ID: "one", Setup: "old"}); err != nil {
		t.Fatal(err)
	}
	if _, err := read(name, "new"); err == nil || !strings.Contains(err.Error(), ":1:") {
		t.Errorf("got %v, want an error that names the line", err)
	}
}

func TestDirections(t *testing.T) {
	gain := Result{Effect: -0.10, Lo: -0.12, Hi: -0.08}
	loss := Result{Effect: 0.10, Lo: 0.08, Hi: 0.12}
	level := Result{Effect: 0.001, Lo: -0.01, Hi: 0.01}
	for _, c := range []struct {
		name         string
		found, truth Result
		want         string
	}{
		{"a gain found", Result{Effect: -0.08, Time: study.Better}, gain, "right"},
		{"a loss taken for a gain", Result{Effect: -0.08, Time: study.Better}, loss, "**wrong**"},
		{"a gain taken for a loss", Result{Effect: 0.08, Time: study.Worse}, gain, "**wrong**"},
		{"a gain called the same", Result{Effect: -0.01, Time: study.Same}, gain, "**missed**"},
		{"an open loss on the right side", Result{Effect: 0.05, Time: study.Unresolved}, loss, "open"},
		{"an open loss on the wrong side", Result{Effect: -0.05, Time: study.Unresolved}, loss, "**wrong**"},
		{"nothing called the same", Result{Effect: 0.003, Time: study.Same}, level, "right"},
	} {
		if got := direction(c.found, c.truth); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTheSummaryCountsFalseVerdicts(t *testing.T) {
	tasks := Tasks(nil)
	done := map[string]Result{
		"aa/Loop/0":          {Verdict: study.NoChange, Spent: study.Duration(2 * time.Second)},
		"aa/Loop/1":          {Verdict: study.Negative, Effect: 0.04, Spent: study.Duration(4 * time.Second)},
		"benchstat/Loop/0":   {P: 0.01, Effect: 0.2},
		"benchstat/Loop/1":   {P: 0.5},
		"effect/loop/3/5s/0": {Time: study.Worse, Effect: 0.03},
		"effect/loop/3/5s/1": {Time: study.Same, Effect: 0.01},
	}
	var b strings.Builder
	if err := summarise(tasks, done, study.Plan{}).Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| Loop | alone | 2 | 1 | 50 % | 0 | 2.77 % | 3.0 s |",
		"| Loop | alone, by benchstat | 2 | 1 | 50 % | 0 |",
		"| loop | +3 % | 5s | 2 | 50 % | 1 | 1 | 0 | 0 | +2.0 % |",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
}
