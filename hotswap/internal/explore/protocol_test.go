//go:build poolproofexplore

package explore_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// These tests run the source of hotswap itself, with each atomic operation a
// point:
//
//	go test -tags poolproofexplore ./hotswap/internal/explore

var (
	alone  = flag.Bool("alone", false, "explore in this process, one scenario after the other, up to the first failure")
	deepen = flag.Bool("deepen", false, "begin with no preemptions, so that a failure has as few as possible")
)

// TestEverySchedule runs each scenario through all schedules within its bound.
// With -short one preemption fewer is allowed. An explorer has its process to
// itself, so each scenario has one, as many at a time as there are processors.
func TestEverySchedule(t *testing.T) {
	for _, s := range scenarios {
		passed := t.Run(s.name, func(t *testing.T) {
			if *alone {
				s.explore(t)
			} else {
				t.Parallel()
				s.inProcess(t)
			}
		})
		if *alone && !passed {
			return
		}
	}
}

// explore runs s through all schedules.
func (s scenario) explore(t *testing.T) {
	bound := s.bound
	if testing.Short() {
		bound--
	}
	first := bound
	if *deepen {
		first = 0
	}
	for b := first; b <= bound; b++ {
		r := explore.Run(b, 0, s.create)
		if r.Failure != nil {
			s.fail(t, b, r)
			return
		}
		t.Logf("%d executions of up to %d points with at most %d preemptions", r.Executions, r.Steps, b)
	}
}

// fail reports the failure of r and how it came.
func (s scenario) fail(t *testing.T, bound int, r explore.Result) {
	t.Errorf("failed with %d preemptions, in execution %d of up to %d points: %v", bound, r.Executions, r.Steps, r.Failure)
	steps, err := explore.Replay(bound, r.Schedule, s.create)
	if err == nil {
		t.Error("but the replay of the schedule has not failed: the scenario does not depend on the schedule alone")
	}
	var log strings.Builder
	for _, step := range steps {
		fmt.Fprintln(&log, step)
	}
	t.Logf("the schedule is %v:\n%s", r.Schedule, log.String())
}

var executed = regexp.MustCompile(`\d+ executions of up to .* preemptions`)

// inProcess runs the explore of s in another process.
func (s scenario) inProcess(t *testing.T) {
	name := regexp.QuoteMeta(strings.ReplaceAll(s.name, " ", "_"))
	c := exec.Command(os.Args[0], "-alone", "-test.run=^TestEverySchedule$/^"+name+"$", "-test.v",
		fmt.Sprintf("-test.short=%t", testing.Short()), "-test.timeout=1h")
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := c.CombinedOutput()
	result := executed.Find(out)
	if err != nil || result == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", result)
}
