package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// Survivors runs the tests of one package on each mutant of the code in root, and returns those
// that no test notices, in their order; dir is for what it builds. Slow are those with which the
// tests take more than ten times as long as with the code itself, and at least limit: an
// error that makes a loop endless does that, and so does other work of the machine. A mutant that does
// not compile is an error.
func Survivors(ctx context.Context, dir, root, tests string, mutants []Mutant, limit time.Duration) (alive, slow []Mutant, err error) {
	g, err := newGroup(ctx, dir, root, tests, mutants)
	if err != nil {
		return nil, nil, err
	}
	limit = max(limit, 10*g.took)
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	outcomes, errs := make([]outcome, len(mutants)), make([]error, len(mutants))
	for i := range mutants {
		free <- true
		wait.Go(func() {
			defer func() { <-free }()
			outcomes[i], errs[i] = g.outcome(ctx, i, limit)
		})
	}
	wait.Wait()
	for i, m := range mutants {
		switch outcomes[i] {
		case survived:
			alive = append(alive, m)
		case timedOut:
			slow = append(slow, m)
		}
	}
	return alive, slow, errors.Join(errs...)
}

// outcome tells what becomes of a mutant.
func (g group) outcome(ctx context.Context, i int, limit time.Duration) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return noMutant, err
	}
	defer os.RemoveAll(dir)
	outcome, out := g.run(ctx, dir, i, limit)
	if outcome == noMutant {
		return outcome, fmt.Errorf("%s: %s\n%s", g.mutants[i].Name, outcome, out)
	}
	return outcome, ctx.Err()
}
