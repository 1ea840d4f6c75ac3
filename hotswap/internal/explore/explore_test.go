package explore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// increments is two threads that each add 1 to a number in two steps.
func increments() explore.Scenario {
	n := 0
	add := func() {
		explore.Point()
		seen := n
		explore.Point()
		n = seen + 1
	}
	return explore.Scenario{
		Threads: []func(){add, add},
		End: func() error {
			if n != 2 {
				return errors.New("an increment was lost")
			}
			return nil
		},
	}
}

func TestALostUpdateNeedsOnePreemption(t *testing.T) {
	if r := explore.Run(0, 0, increments); r.Failure != nil || !r.Complete || r.Executions != 2 {
		t.Errorf("without preemptions: %+v, want 2 executions, who goes first, and no failure", r)
	}
	r := explore.Run(1, 0, increments)
	if r.Failure == nil || r.Complete {
		t.Fatalf("with one preemption: %+v, want a lost increment", r)
	}
	steps, err := explore.Replay(1, r.Schedule, increments)
	if err == nil || err.Error() != r.Failure.Error() {
		t.Errorf("the replay of %v ended with %v, want %v", r.Schedule, err, r.Failure)
	}
	var threads []int
	for _, s := range steps {
		threads = append(threads, s.Thread)
		if s.Op != "Point" || !strings.Contains(s.At, "explore_test.increments") || !strings.Contains(s.At, "(explore_test.go:") {
			t.Errorf("a step of the replay is %q", s)
		}
	}
	if got := fmt.Sprint(threads); got != "[0 0 1 1]" && got != "[0 1 1 0]" {
		t.Errorf("the replay has points of the threads %s, want one that is interrupted by the other", got)
	}
}

// Two threads of k points each have C(2k, k) interleavings: the points of a
// thread divide it into k+1 parts, the first of which begins with a decision
// too.
func TestEachScheduleIsExecutedOnce(t *testing.T) {
	seen := make(map[string]bool)
	var trace []string
	create := func() explore.Scenario {
		trace = nil
		thread := func(name string) func() {
			return func() {
				for range 3 {
					explore.Point()
					trace = append(trace, name)
				}
			}
		}
		return explore.Scenario{
			Threads: []func(){thread("a"), thread("b")},
			End: func() error {
				seen[strings.Join(trace, "")] = true
				return nil
			},
		}
	}
	r := explore.Run(100, 0, create)
	if len(seen) != 20 || !r.Complete {
		t.Errorf("%d different traces in %d executions, want C(6, 3) = 20", len(seen), r.Executions)
	}
}

// Of threads that are alike, half of the executions are the others with names
// exchanged, and no outcome is lost.
func TestThreadsThatAreAlikeAreTriedInOneOrder(t *testing.T) {
	run := func(alike int) (traces map[string]bool, executions int) {
		traces = make(map[string]bool)
		r := explore.Run(2, 0, func() explore.Scenario {
			trace := ""
			thread := func(name string) func() {
				return func() {
					for range 3 {
						explore.Point()
						trace += name
					}
				}
			}
			return explore.Scenario{
				Threads: []func(){thread("a"), thread("b"), thread("c")},
				Alike:   alike,
				End: func() error {
					traces[trace] = true
					return nil
				},
			}
		})
		return traces, r.Executions
	}
	all, executions := run(0)
	some, fewer := run(2)
	if fewer*2 != executions {
		t.Errorf("%d executions, want half of %d", fewer, executions)
	}
	exchange := strings.NewReplacer("a", "b", "b", "a")
	for trace := range all {
		if !some[trace] && !some[exchange.Replace(trace)] {
			t.Errorf("neither %s nor its twin was executed", trace)
		}
	}
}

func TestThreadsThatBlockForEverAreAFailure(t *testing.T) {
	r := explore.Run(2, 0, func() explore.Scenario {
		a, b := false, false
		lock := func(held *bool) {
			explore.Point()
			for *held {
				explore.Block(func() bool { return !*held })
			}
			*held = true
		}
		both := func(first, second *bool) func() {
			return func() {
				lock(first)
				lock(second)
				explore.Point()
				*first, *second = false, false
			}
		}
		return explore.Scenario{Threads: []func(){both(&a, &b), both(&b, &a)}}
	})
	if r.Failure == nil || !strings.Contains(r.Failure.Error(), "blocked for ever: thread 0, thread 1") {
		t.Errorf("%+v, want both blocked", r)
	}
}

func TestAPanicIsAFailureAndDeferredCallsRun(t *testing.T) {
	deferred := 0
	r := explore.Run(0, 0, func() explore.Scenario {
		return explore.Scenario{Threads: []func(){
			func() { explore.Point(); panic("boom") },
			func() { defer func() { deferred++ }(); explore.Point(); explore.Point() },
		}}
	})
	if r.Failure == nil || !strings.Contains(r.Failure.Error(), "thread 0 panicked: boom") {
		t.Errorf("%+v, want the panic", r)
	}
}

func TestAPanicOfTheEndIsAFailure(t *testing.T) {
	r := explore.Run(0, 0, func() explore.Scenario {
		return explore.Scenario{Threads: []func(){explore.Point}, End: func() error { panic("boom") }}
	})
	if r.Failure == nil || !strings.Contains(r.Failure.Error(), "the end panicked: boom") {
		t.Errorf("%+v, want the panic", r)
	}
}

func TestEachChoiceIsTried(t *testing.T) {
	seen := make(map[[2]int]bool)
	r := explore.Run(0, 0, func() explore.Scenario {
		return explore.Scenario{Threads: []func(){func() {
			first := explore.Choose(2)
			seen[[2]int{first, explore.Choose(3)}] = true
		}}}
	})
	if len(seen) != 6 || r.Executions != 6 {
		t.Errorf("%d pairs in %d executions, want 6", len(seen), r.Executions)
	}
}

func TestTheLimitEndsTheSearch(t *testing.T) {
	if r := explore.Run(0, 1, increments); r.Executions != 1 || r.Complete {
		t.Errorf("%+v, want 1 execution and an incomplete search", r)
	}
}

func TestASpinningThreadIsAFailure(t *testing.T) {
	r := explore.Run(0, 0, func() explore.Scenario {
		return explore.Scenario{Threads: []func(){func() {
			for {
				explore.Point()
			}
		}}}
	})
	if r.Failure == nil || !strings.Contains(r.Failure.Error(), "spins") {
		t.Errorf("%+v, want it reported", r)
	}
}
