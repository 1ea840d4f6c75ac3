package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTasksAreDistinctAndComplete(t *testing.T) {
	tasks := Tasks([]string{"a", "b", "c", "d", "e"}, Full)
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
		SectionEffect: len(effects) * 10, SectionGarbage: 20, SectionTruth: 20,
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
	tasks := Tasks([]string{"a"}, Full)
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

func TestResultsOfAnotherSetupAreRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	log, _, err := read(name, "old")
	if err == nil {
		err = log.Add(Result{ID: "one", Setup: "old"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := read(name, "new"); err == nil || !strings.Contains(err.Error(), "result 1 ") {
		t.Errorf("got %v, want an error that names the result", err)
	}
}

func TestTheIntervalOfLongRunsIsOfTheirOrder(t *testing.T) {
	if mid, lo, hi := overPairs([]float64{6, 1, 5, 2, 4, 3}); mid != 3.5 || lo != 1 || hi != 6 {
		t.Errorf("of six pairs: %v (%v to %v)", mid, lo, hi)
	}
	if mid, lo, hi := overPairs([]float64{10, 6, 1, 5, 2, 4, 3, 7, 9, 8}); mid != 5.5 || lo != 2 || hi != 9 {
		t.Errorf("of ten pairs: %v (%v to %v)", mid, lo, hi)
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
	tasks := Tasks(nil, Full)
	for _, pair := range []string{"p", "q"} {
		tasks = append(tasks, Task{ID: "garbage/" + pair + "/c", Section: SectionGarbage, Bench: pair, Pair: "truth/" + pair + "/c"})
	}
	done := map[string]Result{
		"aa/Loop/0":          {Verdict: study.NoChange, Spent: study.Duration(2 * time.Second), Collects: new(0.5)},
		"aa/JSON/0":          {Verdict: study.NoChange, Spent: study.Duration(2 * time.Second), Collects: new(1.5)},
		"garbage/p/c":        {Effect: -0.08, Time: study.Better},
		"truth/p/c":          {Effect: -0.10, Lo: -0.12, Hi: -0.08},
		"garbage/q/c":        {Effect: 0.08, Time: study.Worse},
		"truth/q/c":          {Effect: -0.10, Lo: -0.12, Hi: -0.08},
		"aa/Loop/1":          {Verdict: study.Negative, Effect: 0.04, Spent: study.Duration(4 * time.Second)},
		"benchstat/Loop/0":   {P: 0.01, Effect: 0.2},
		"benchstat/Loop/1":   {P: 0.5},
		"effect/loop/3/2s/0": {Time: study.Worse, Verdict: study.Negative, Effect: 0.03, Rule: 2},
		"effect/loop/3/2s/1": {Time: study.Same, Verdict: study.NoChange, Effect: 0.01},
	}
	var b strings.Builder
	if err := summarise(tasks, done).Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| Loop | alone | 2 | 1 | 50 % | 0 | 2.77 % | 3.0 s |",
		"| Loop | alone, by benchstat | 2 | 1 | 50 % | 0 |",
		"| **all** | alone | 3 | 1 | 67 % | 0 |",
		"| **less than a collection in a burst** | alone | 1 | 0 | 100 % | 0 | 0.00 % | 2.0 s |",
		"Of 2 cells 1 are right, 1 wrong, 0 missed and 0 open.",
		"| loop | +3 % | 2s | 2 | 50 % | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 0 | +2.0 % |",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
}

func TestCollectionsAreCountedInShortBursts(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.jsonl")
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := collects(log); got != nil || err != nil {
		t.Errorf("no launch: %v, %v", got, err)
	}
	for _, r := range []study.Record{
		{Form: study.FormBursts, CandidateFirst: make([]bool, 2), Baseline: columns(0, 1), Candidate: columns(1, 1)},
		{Form: study.FormStretch, CandidateFirst: make([]bool, 1), Baseline: columns(50), Candidate: columns(50)},
		{Form: study.FormBursts, CandidateFirst: make([]bool, 1), Baseline: columns(2), Candidate: columns(4)},
	} {
		r.Schema, r.Status, r.N = study.Schema, study.StatusOK, 1
		if err := study.Append(f, r); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := collects(log); err != nil || *got != 1.5 {
		t.Errorf("%v collections in a burst, %v; want 1.5", *got, err)
	}
	if _, err := collects(log + "x"); err == nil {
		t.Error("no file is no error")
	}
}

func columns(gcs ...uint32) study.Columns {
	n := len(gcs)
	return study.Columns{Wall: make([]int64, n), Allocs: make([]uint64, n), Bytes: make([]uint64, n), GCs: gcs}
}

func TestTheTasksOfTheShortCampaignAreTasksOfTheFullOne(t *testing.T) {
	all := map[string]Task{}
	for _, task := range Tasks([]string{"a", "b"}, Full) {
		all[task.ID] = task
	}
	short := Tasks([]string{"a", "b"}, Short)
	if len(short) >= len(all) {
		t.Errorf("%d tasks of %d", len(short), len(all))
	}
	for _, task := range short {
		if got := all[task.ID]; !reflect.DeepEqual(got, task) {
			t.Errorf("%+v in the full campaign is %+v", task, got)
		}
		got, ok := taskOf(task.ID)
		if !ok || got.Section != task.Section || got.Bench != task.Bench || got.Extra != task.Extra ||
			!slices.Equal(got.Cell, task.Cell) || task.Section == SectionEffect && got.Budget != task.Budget || task.Cell != nil && got.Pair != task.Pair {
			t.Errorf("%s is read back as %+v", task.ID, got)
		}
	}
	for _, id := range []string{"", "aa", "aa/Loop", "other/Loop/1", "effect/loop/x/2s/0", "effect/loop/3/2/0", "effect/loop/3"} {
		if _, ok := taskOf(id); ok {
			t.Errorf("%q was read as a task", id)
		}
	}
}

// The committed results are of rule 2, and of a machine that is not this one.
func TestTablesArePrintedFromTheResultsAlone(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../records/campaign-rule2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
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
	results := strings.Count(string(text), "\n")
	if s.Done != results || !strings.Contains(b.String(), fmt.Sprintf("%d of %d tasks done", results, results)) || strings.Count(b.String(), "\n| **all** |") == 0 {
		t.Errorf("%d of %d results in\n%s", s.Done, results, b.String())
	}
	page := filepath.Join(dir, "page.md")
	for _, tables := range []string{"none yet", "others"} {
		if err := os.WriteFile(page, []byte("before\n"+pageBegin+tables+"\n"+pageEnd+"after\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.into(page); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); !strings.HasPrefix(got, "before\n"+pageBegin) || !strings.HasSuffix(got, pageEnd+"after\n") ||
			strings.Contains(got, tables) || !strings.Contains(got, "#### A benchmark against itself") || !strings.Contains(got, "| **all** |") {
			t.Errorf("the page is\n%s", got)
		}
	}
	if err := os.WriteFile(page, []byte("no place\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.into(page); err == nil {
		t.Error("a page without a place for the tables was written")
	}
	if _, err := Print(t.TempDir()); err == nil {
		t.Error("an empty folder was printed")
	}
}
