// Package campaign proves the rule again, on the machine at hand: hundreds of
// comparisons whose answer is known. It is resumable, task by task, and keeps
// every launch, so that its figures can be judged anew.
package campaign

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Section is a kind of task.
type Section string

const (
	SectionAA         Section = "aa"         // a benchmark against itself
	SectionNeighbours Section = "neighbours" // the same beside two bursty processes
	SectionBenchstat  Section = "benchstat"  // the same by go test and benchstat, at equal measuring time
	SectionEffect     Section = "effect"     // a known effect
	SectionGarbage    Section = "garbage"    // less garbage for more work, the truth from long runs
	SectionTruth      Section = "truth"      // those long runs
)

// Task is one comparison of the campaign.
type Task struct {
	ID      string
	Section Section
	Bench   string // label
	Old     string // leaf
	New     string
	Cell    []string
	Extra   int // percent, SectionEffect
	Budget  time.Duration
	Repeat  int
	Pair    string // task that this one goes with: the A/A task whose time it spends, or the truth of a cell
}

const (
	// aaBudget is the budget of an A/A comparison and of one of known garbage.
	aaBudget = 8 * time.Second
	// repeats of each A/A comparison and of each known effect.
	aaRepeats     = 40
	effectRepeats = 10
)

var (
	aaBenches     = []string{"Loop", "JSON", "Long", "Channel", "Parallel"}
	effectKinds   = []string{"loop", "alloc"}
	effectExtras  = []int{1, 2, 3, 5, 10}
	effectBudgets = []time.Duration{5 * time.Second, 20 * time.Second, 60 * time.Second}
	garbageCells  = [][]string{
		{"GOGC=100", "GOMAXPROCS=1"}, {"GOGC=100", "GOMAXPROCS=2"}, {"GOGC=25", "GOMAXPROCS=1"}, {"GOGC=25", "GOMAXPROCS=2"},
	}
)

// Tasks returns all tasks in the order in which they are done: repetition by
// repetition, so that a campaign that stops has treated all sections alike.
func Tasks(pairs []string) []Task {
	var all []Task
	for i := range aaRepeats {
		for _, b := range aaBenches {
			leaf := "Benchmark" + b
			aa := fmt.Sprintf("aa/%s/%d", b, i)
			all = append(all,
				Task{ID: aa, Section: SectionAA, Bench: b, Old: leaf, New: leaf, Budget: aaBudget, Repeat: i},
				Task{ID: fmt.Sprintf("benchstat/%s/%d", b, i), Section: SectionBenchstat, Bench: b, Old: leaf, New: leaf, Repeat: i, Pair: aa},
				Task{ID: fmt.Sprintf("neighbours/%s/%d", b, i), Section: SectionNeighbours, Bench: b, Old: leaf, New: leaf, Budget: aaBudget, Repeat: i})
		}
		if i%4 == 0 && i/4 < effectRepeats {
			all = append(all, effects(i/4)...)
		}
		if i == 0 {
			all = append(all, garbage(pairs)...)
		}
	}
	return all
}

func effects(repeat int) []Task {
	var all []Task
	for _, kind := range effectKinds {
		for _, extra := range effectExtras {
			for _, budget := range effectBudgets {
				name := "BenchmarkEffect/kind=" + kind + "/extra="
				all = append(all, Task{
					ID:      fmt.Sprintf("effect/%s/%d/%s/%d", kind, extra, budget, repeat),
					Section: SectionEffect, Bench: kind, Old: name + "0", New: fmt.Sprint(name, extra),
					Extra: extra, Budget: budget, Repeat: repeat,
				})
			}
		}
	}
	return all
}

func garbage(pairs []string) []Task {
	var all []Task
	for _, pair := range pairs {
		for _, cell := range garbageCells {
			name := "BenchmarkGarbage/pair=" + pair + "/way="
			key := fmt.Sprintf("%s/%s,%s", pair, cell[0], cell[1])
			t := Task{Bench: pair, Old: name + "old", New: name + "new", Cell: cell, Budget: 2 * aaBudget, Pair: "truth/" + key}
			t.ID, t.Section = "garbage/"+key, SectionGarbage
			truth := t
			truth.ID, truth.Section, truth.Pair = "truth/"+key, SectionTruth, t.ID
			all = append(all, t, truth)
		}
	}
	return all
}

// comparison is the task as the engine takes it.
func (t Task) comparison() study.Comparison {
	return study.Comparison{
		ID: t.ID, Benchmark: t.Bench, Arm: t.New, Baseline: t.Old, Cell: t.Cell,
		Old: study.Side{Binary: "test", Leaf: t.Old}, New: study.Side{Binary: "test", Leaf: t.New},
	}
}
