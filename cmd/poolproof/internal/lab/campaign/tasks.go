// Package campaign proves the rule again, on the machine at hand: hundreds of
// comparisons whose answer is known. It is resumable, task by task, and keeps
// every launch, so that its figures can be judged again.
package campaign

import (
	"fmt"
	"strconv"
	"strings"
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
	SectionAsk        Section = "ask"        // a question about a whole cost, as a user asks it
	SectionLong       Section = "long"       // the long runs that answer it
)

// Task is one comparison of the campaign.
type Task struct {
	ID        string
	Section   Section
	Bench     string // label
	Baseline  string // leaf
	Candidate string
	Cell      []string
	Extra     int // percent, SectionEffect
	Budget    time.Duration
	Repeat    int
	Kind      string        // of a question about a whole cost
	Known     *float64      // SectionAsk: what the pair was built to differ by; nil: nothing says it
	Long      time.Duration // SectionLong: of each run
	Pair      string        // task that this one goes with: the A/A task whose time it spends, or the truth of a cell
}

// aaBudget is the budget of an A/A comparison; one of known garbage has twice as
// much.
const aaBudget = 8 * time.Second

// Size is how much of the campaign is done. The tasks of a smaller one are tasks
// of a larger one too.
type Size struct {
	AA         int  // repetitions of each A/A comparison, and of the same by benchstat
	Effects    int  // repetitions of each known effect
	Neighbours bool // A/A beside busy processes too
}

var (
	// Full takes about an hour and a half of measuring on two processors.
	Full = Size{AA: 40, Effects: 10, Neighbours: true}
	// Short takes about half an hour.
	Short = Size{AA: 16, Effects: 10}
)

// effect is a known effect in a budget.
type effect struct {
	kind   string
	extra  int // percent
	budget time.Duration
}

var (
	aaBenches = []string{"Loop", "JSON", "Long", "Channel", "Parallel"}
	effects   = []effect{
		{"loop", 1, 8 * time.Second}, {"loop", 2, 8 * time.Second}, {"loop", 3, 2 * time.Second}, {"loop", 3, 8 * time.Second},
		{"loop", 10, 2 * time.Second}, {"loop", 100, 3 * time.Second}, {"loop", 900, 3 * time.Second},
		{"alloc", 1, 10 * time.Second}, {"alloc", 2, 10 * time.Second}, {"alloc", 3, 10 * time.Second}, {"alloc", 5, 10 * time.Second},
		{"alloc", 10, 3 * time.Second}, {"alloc", 100, 3 * time.Second}, {"alloc", 900, 3 * time.Second},
	}
	garbageCells = [][]string{
		{"GOGC=100", "GOMAXPROCS=1"}, {"GOGC=100", "GOMAXPROCS=2"}, {"GOGC=25", "GOMAXPROCS=1"}, {"GOGC=25", "GOMAXPROCS=2"},
	}
)

// Tasks returns all tasks in the order in which they are done: repetition by
// repetition, with a share of the known effects and of the cells of garbage in
// each, so that a campaign that stops has treated all sections alike.
func Tasks(pairs []string, size Size) []Task {
	var all []Task
	cells, known := garbage(pairs), knownEffects(size.Effects)
	for i := range size.AA {
		for _, b := range aaBenches {
			all = append(all, same(b, i, size.Neighbours)...)
		}
		all = append(all, share(known, i, size.AA)...)
		all = append(all, share(cells, i, size.AA)...)
	}
	return all
}

// share is part i of n of the tasks, in their order.
func share(tasks []Task, i, n int) []Task {
	return tasks[len(tasks)*i/n : len(tasks)*(i+1)/n]
}

// same is one repetition of a benchmark against itself.
func same(bench string, repeat int, neighbours bool) []Task {
	leaf := "Benchmark" + bench
	task := func(section Section, budget time.Duration) Task {
		return Task{ID: fmt.Sprintf("%s/%s/%d", section, bench, repeat), Section: section, Bench: bench, Baseline: leaf, Candidate: leaf, Budget: budget, Repeat: repeat}
	}
	aa, plain := task(SectionAA, aaBudget), task(SectionBenchstat, 0)
	plain.Pair = aa.ID
	all := []Task{aa, plain}
	if neighbours {
		all = append(all, task(SectionNeighbours, aaBudget))
	}
	return all
}

func knownEffects(repeats int) []Task {
	var all []Task
	for repeat := range repeats {
		for _, e := range effects {
			name := "BenchmarkEffect/kind=" + e.kind + "/extra="
			all = append(all, Task{
				ID:      fmt.Sprintf("effect/%s/%d/%s/%d", e.kind, e.extra, e.budget, repeat),
				Section: SectionEffect, Bench: e.kind, Baseline: name + "0", Candidate: fmt.Sprint(name, e.extra),
				Extra: e.extra, Budget: e.budget, Repeat: repeat,
			})
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
			t := Task{Bench: pair, Baseline: name + "old", Candidate: name + "new", Cell: cell, Budget: 2 * aaBudget, Pair: "truth/" + key}
			t.ID, t.Section = "garbage/"+key, SectionGarbage
			truth := t
			truth.ID, truth.Section, truth.Pair = "truth/"+key, SectionTruth, t.ID
			all = append(all, t, truth)
		}
	}
	return all
}

// taskOf reads back from the ID of a task what the tables need of it. ok is false
// for an ID that no campaign gives.
func taskOf(id string) (t Task, ok bool) {
	f := strings.Split(id, "/")
	t = Task{ID: id, Section: Section(f[0])}
	if t.Section == SectionAsk || t.Section == SectionLong {
		t, _, ok = wholeTask(id)
		return t, ok
	}
	if len(f) < 3 {
		return t, false
	}
	t.Bench = f[1]
	switch t.Section {
	case SectionAA, SectionNeighbours, SectionBenchstat:
		return t, len(f) == 3
	case SectionGarbage, SectionTruth:
		other := map[Section]Section{SectionGarbage: SectionTruth, SectionTruth: SectionGarbage}[t.Section]
		t.Cell, t.Pair = strings.Split(f[2], ","), string(other)+"/"+f[1]+"/"+f[2]
		return t, len(f) == 3
	case SectionEffect:
		if len(f) != 5 {
			return t, false
		}
		var errExtra, errBudget error
		t.Extra, errExtra = strconv.Atoi(f[2])
		t.Budget, errBudget = time.ParseDuration(f[3])
		return t, errExtra == nil && errBudget == nil
	}
	return t, false
}

// comparison is the task as the engine takes it.
func (t Task) comparison() study.Comparison {
	return study.Comparison{
		ID: t.ID, Benchmark: t.Bench, Arm: t.Candidate, Baseline: t.Baseline, Cell: t.Cell,
		BaselineBench: study.Bench{Binary: "test", Leaf: t.Baseline}, CandidateBench: study.Bench{Binary: "test", Leaf: t.Candidate},
	}
}
