package study

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRewordTakesWhatNoMeasurementDependsOn(t *testing.T) {
	was := File{
		Path: "a/study.toml", Title: "old", Key: "way", Baseline: "make",
		Benchmarks: []Benchmark{{Name: "b", Bench: "BenchmarkB", Title: "old", Skip: []string{}}},
		Arms:       []Arm{{Name: "make"}, {Name: "pool", Falls: []string{"B/op"}, Expect: map[string][]Verdict{"b": {Positive}}}},
		Metrics:    []Metric{{Unit: "made/op", Better: "lower"}},
	}
	plan := func() Plan {
		p := Plan{Study: &was, Title: was.Title, Comparisons: []Comparison{{Benchmark: "b", Arm: "pool", Cell: []string{"GOGC=25"}, Expect: []Verdict{Positive}}}}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var read Plan // as a resumed run has it
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		return read
	}

	now := was
	now.Path, now.Title, now.Prose.Why = "b/study.toml", "new", "because"
	now.Claims = []Claim{{Text: "it is faster"}}
	now.Benchmarks = []Benchmark{{Name: "b", Bench: "BenchmarkB", Title: "new", Arms: []string{"pool"}}} // with its arms named, which are in Skip
	now.Arms = []Arm{{Name: "make", Title: "new"}, {Name: "pool", Falls: []string{"B/op"}, Expect: map[string][]Verdict{"b": {Positive}, "b GOGC=25": {Negative}}}}
	now.Metrics = []Metric{{Unit: "made/op", Better: "lower", Title: "new"}}
	p := plan()
	if !p.Reword(now) {
		t.Fatal("words were taken for another question")
	}
	if p.Title != "new" || p.Study.Prose.Why != "because" || len(p.Study.Claims) != 1 || p.Study.Path != "a/study.toml" {
		t.Errorf("the plan has not taken the words: %+v", p.Study)
	}
	if diff := cmp.Diff([]Verdict{Negative}, p.Comparisons[0].Expect); diff != "" {
		t.Errorf("expected verdicts (-want +got):\n%s", diff)
	}

	for name, change := range map[string]func(*File){
		"an arm must lower another counter": func(f *File) { f.Arms[1].Falls = nil },
		"a benchmark has another name":      func(f *File) { f.Benchmarks[0].Bench = "BenchmarkC" },
		"there is one more arm":             func(f *File) { f.Arms = append(f.Arms, Arm{Name: "third"}) },
		"a metric decides":                  func(f *File) { f.Metrics[0].Decides = true },
		"the threshold differs":             func(f *File) { f.Threshold = "5%" },
	} {
		t.Run(name, func(t *testing.T) {
			other := now
			other.Arms = append([]Arm{}, now.Arms...)
			other.Benchmarks = append([]Benchmark{}, now.Benchmarks...)
			other.Metrics = append([]Metric{}, now.Metrics...)
			change(&other)
			p := plan()
			if p.Reword(other) {
				t.Error("that was taken for words")
			}
			if diff := cmp.Diff(plan(), p); diff != "" {
				t.Errorf("the plan has changed (-was +now):\n%s", diff)
			}
		})
	}
}
