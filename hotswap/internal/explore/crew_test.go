package explore_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// Executions share their coroutines. None outlives Run, however it ends.
func TestRunLeavesNoCoroutineBehind(t *testing.T) {
	points := func() {
		explore.Point()
		explore.Point()
	}
	for _, tt := range []struct {
		name   string
		limit  int
		create func() explore.Scenario
		fails  bool
	}{
		{"complete", 0, func() explore.Scenario { return explore.Scenario{Threads: []func(){points, points}} }, false},
		{"limited", 3, func() explore.Scenario { return explore.Scenario{Threads: []func(){points, points}} }, false},
		{"one is blocked", 0, func() explore.Scenario {
			return explore.Scenario{Threads: []func(){points, func() { explore.Block(func() bool { return false }) }}}
		}, true},
		{"one panics", 0, func() explore.Scenario {
			return explore.Scenario{Threads: []func(){points, func() { panic("no") }}}
		}, true},
		{"the end fails", 0, func() explore.Scenario {
			return explore.Scenario{Threads: []func(){points}, End: func() error { return errors.New("no") }}
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			explore.Run(2, tt.limit, tt.create)
			r := explore.Run(2, tt.limit, tt.create)
			if (r.Failure != nil) != tt.fails {
				t.Errorf("failure: %v", r.Failure)
			}
			// Fewer are none of ours: that of the subtest before may have been on its way out.
			if after := runtime.NumGoroutine(); after > before {
				t.Errorf("%d goroutines, %d before", after, before)
			}
			if !tt.fails {
				return
			}
			if _, err := explore.Replay(2, r.Schedule, tt.create); err == nil {
				t.Error("the replay does not fail")
			}
			if after := runtime.NumGoroutine(); after > before {
				t.Errorf("%d goroutines after the replay, %d before", after, before)
			}
		})
	}
}
