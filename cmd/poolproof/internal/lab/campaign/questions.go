package campaign

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// question is a pair of the questions about whole costs.
type question struct {
	draw    draw // "": the first
	kind    string
	bench   string // benchmark, without its prefix
	pair    string
	known   *float64        // what the pair was built to differ by; nil: nothing says it
	long    time.Duration   // of each long run; 0: known is the answer
	budgets []time.Duration // nil: askBudgets
	cell    []string
}

var (
	askBudgets  = []time.Duration{8 * time.Second}
	bothBudgets = []time.Duration{8 * time.Second, 16 * time.Second}
)

const (
	short = 400 * time.Millisecond
	// slow is that of a pair whose rare work comes some times a second.
	slow = 2 * time.Second
)

// about is a share of what was built.
func about(x float64) *float64 { return &x }

// The kinds, in the order of their tables.
var wholeKinds = []struct{ name, title, text string }{
	{"rare", "Rare work", "Work that is not in every burst: sweeps by count and by time, an arena, a table that grows, a buffer that is flushed."},
	{"parallel", "Parallel work", "More than one goroutine, sleep, system calls, and windows of the timer. What counts is wall time."},
	{"layout", "Layout", "Copies of one loop behind ifs that no call takes: equal work, so that no claim is right."},
	{"memory", "Memory against time", "One object of 16 bytes less, in the same loop. What counts is the class of time."},
	{"input", "Bad input", "Benchmarks whose cost changes while they run, or with b.N. Their long runs are those of `go test`."},
	{"clocks", "Opposed clocks", "The candidate takes more processor time, and the user waits for less; or only one of the two moves. What counts is wall time."},
	{"one", "One processor", "Some of these pairs with GOMAXPROCS=1."},
	{"garbage", "Garbage", "One side makes less garbage and works more, beside live heaps of 0 to 48 MB. Memory differs, so that what counts is the class of time."},
	{"garbage-one", "Garbage, one processor", "The same with GOMAXPROCS=1."},
}

var questions = append([]question{
	{kind: "rare", bench: "Rare", pair: "count-1e3", known: about(0.5), long: short},
	{kind: "rare", bench: "Rare", pair: "count-1e4", known: about(0.5), long: short},
	{kind: "rare", bench: "Rare", pair: "count-1e5", known: about(0.5), long: slow, budgets: bothBudgets},
	{kind: "rare", bench: "Rare", pair: "count-1e6", known: about(0.5), long: slow, budgets: bothBudgets},
	{kind: "rare", bench: "Rare", pair: "count-baseline", known: about(-1. / 3), long: short},
	{kind: "rare", bench: "Rare", pair: "both-equal", known: about(0), long: slow},
	{kind: "rare", bench: "Rare", pair: "both-differ", known: about(-0.2), long: short},
	{kind: "rare", bench: "Rare", pair: "time-10ms", long: short},
	{kind: "rare", bench: "Rare", pair: "time-40ms", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "time-400ms", long: 2 * slow, budgets: bothBudgets},
	{kind: "rare", bench: "Rare", pair: "time-baseline", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "time-both", known: about(0), long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "goroutine-free", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "goroutine-lock", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "arena", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "table", long: 2 * short},
	{kind: "rare", bench: "Rare", pair: "flush", long: short},
	{kind: "rare", bench: "Rare", pair: "faster-and-dearer", known: about(0.4), long: short},
	{kind: "rare", bench: "Rare", pair: "faster-and-cheaper", known: about(-0.08), long: short},
	{kind: "rare", bench: "Rare", pair: "cheap", known: about(0.003), long: short},

	{kind: "parallel", bench: "Parallel", pair: "split", long: short},
	{kind: "parallel", bench: "Parallel", pair: "split-and-dearer", long: short},
	{kind: "parallel", bench: "Parallel", pair: "lock-half", long: short},
	{kind: "parallel", bench: "Parallel", pair: "lock-longer", long: short},
	{kind: "parallel", bench: "Parallel", pair: "ping-pong", long: short},
	{kind: "parallel", bench: "Parallel", pair: "ping-pong-work", long: short},
	{kind: "parallel", bench: "Parallel", pair: "sleep", long: short},
	{kind: "parallel", bench: "Parallel", pair: "sleep-or-work", long: short},
	{kind: "parallel", bench: "Parallel", pair: "pipe", long: short},
	{kind: "parallel", bench: "Parallel", pair: "assist", long: short},
	// A stop of the timer takes longer than these windows: a long run of the
	// windows is one of a second or more.
	{kind: "parallel", bench: "Parallel", pair: "window-200ns", long: 2 * time.Millisecond},
	{kind: "parallel", bench: "Parallel", pair: "window-2us", long: 15 * time.Millisecond},
	{kind: "parallel", bench: "Parallel", pair: "window-20us", long: short / 4},
	{kind: "parallel", bench: "Parallel", pair: "pool", long: short},

	{kind: "layout", bench: "Layout", pair: "interpret-0-4", known: about(0)},
	{kind: "layout", bench: "Layout", pair: "interpret-0-11", known: about(0)},
	{kind: "layout", bench: "Layout", pair: "interpret-7-19", known: about(0)},
	{kind: "layout", bench: "Layout", pair: "switch-order", known: about(0)},
	{kind: "layout", bench: "Layout", pair: "stack-0-13", known: about(0)},
	{kind: "layout", bench: "Layout", pair: "scan-0-6", known: about(0)},

	{kind: "memory", bench: "Memory", pair: "interpret", known: about(0)},
	{kind: "memory", bench: "Memory", pair: "interpret-order", known: about(0)},
	{kind: "memory", bench: "Memory", pair: "stack", known: about(0)},
	{kind: "memory", bench: "Memory", pair: "scan", known: about(0)},
	{kind: "memory", bench: "Memory", pair: "spin", known: about(0), long: short},
	{kind: "memory", bench: "Memory", pair: "spin-dearer", known: about(0.1), long: short},

	{kind: "input", bench: "Input", pair: "grows-alike", known: about(0), long: short},
	{kind: "input", bench: "Input", pair: "grows", long: short},
	{kind: "input", bench: "Input", pair: "warms-up", known: about(-0.1), long: slow},
	{kind: "input", bench: "Input", pair: "count-in-call", known: about(0.5), long: short},
	{kind: "input", bench: "Input", pair: "fixed-in-call", known: about(0), long: short},
	{kind: "input", bench: "Input", pair: "search-in-call", long: short},
	{kind: "input", bench: "Input", pair: "sort-in-call", long: short},

	{kind: "one", bench: "Rare", pair: "count-1e4", known: about(0.5), long: short, cell: oneProcessor},
	{kind: "one", bench: "Rare", pair: "goroutine-free", long: 2 * short, cell: oneProcessor},
	{kind: "one", bench: "Parallel", pair: "split", long: short, cell: oneProcessor},

	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "halves", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "halves-dearer", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "lock-and-work", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "two-locks", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "behind-sleep", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "stages", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "burns", long: short},
	{draw: clockDraw, kind: "clocks", bench: "Clocks", pair: "sweep-by-one", long: short},
}, unpaid("tree", "buffer-beside-heap", "buffer-alone", "list", "list-parallel", "tree-two", "map", "lumps", "pool", "finalizer")...)

// unpaid asks about pairs of the garbage draw, on all processors and on one.
func unpaid(pairs ...string) (all []question) {
	for _, pair := range pairs {
		q := question{draw: garbageDraw, kind: "garbage", bench: "Unpaid", pair: pair, long: 2 * short}
		one := q
		one.kind, one.cell = "garbage-one", oneProcessor
		all = append(all, q, one)
	}
	return all
}

var oneProcessor = []string{"GOMAXPROCS=1"}

// wholeTasks returns the tasks of the questions of a draw: each with its budgets,
// and its long runs after it.
func wholeTasks(d draw) []Task {
	var all []Task
	for _, q := range questions {
		if cmp.Or(q.draw, firstDraw) != d {
			continue
		}
		name := fmt.Sprintf("Benchmark%s/pair=%s/way=", q.bench, q.pair)
		t := Task{Bench: q.pair, Baseline: name + "old", Candidate: name + "new", Cell: q.cell, Kind: q.kind, Known: q.known}
		long := t
		long.ID, long.Section, long.Long = fmt.Sprintf("%s/%s/%s", SectionLong, q.kind, q.pair), SectionLong, q.long
		budgets := q.budgets
		if budgets == nil {
			budgets = askBudgets
		}
		for _, budget := range budgets {
			ask := t
			ask.ID, ask.Section, ask.Budget = fmt.Sprintf("%s/%s/%s/%s", SectionAsk, q.kind, q.pair, budget), SectionAsk, budget
			if q.long > 0 {
				ask.Pair = long.ID
			}
			all = append(all, ask)
		}
		if q.long > 0 {
			all = append(all, long)
		}
	}
	return all
}

// wholeTask is the task of an ID, with its draw. ok is false for an ID that no
// campaign gives.
func wholeTask(id string) (t Task, d draw, ok bool) {
	for _, d := range allDraws {
		for _, t := range wholeTasks(d) {
			if t.ID == id {
				return t, d, true
			}
		}
	}
	return Task{ID: id}, "", false
}

// pattern selects the two ways of the task's pair.
func (t Task) pattern() string {
	bench, rest, _ := strings.Cut(t.Baseline, "/")
	pair, _, _ := strings.Cut(rest, "/")
	return "^" + bench + "$/^" + pair + "$"
}
