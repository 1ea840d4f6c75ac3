package mutate

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// Survivors runs the tests of one package on each mutant of the code in root, and returns those
// that no test notices before limit, in their order; dir is for what it builds. A mutant that
// does not compile is an error.
func Survivors(ctx context.Context, dir, root, tests string, mutants []Mutant, limit time.Duration) ([]Mutant, error) {
	g, err := newGroup(ctx, dir, root, tests, mutants)
	if err != nil {
		return nil, err
	}
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	lives, errs := make([]bool, len(mutants)), make([]error, len(mutants))
	for i := range mutants {
		free <- true
		wait.Go(func() {
			defer func() { <-free }()
			lives[i], errs[i] = g.lives(ctx, i, limit)
		})
	}
	wait.Wait()
	var alive []Mutant
	for i, m := range mutants {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if lives[i] {
			alive = append(alive, m)
		}
	}
	return alive, nil
}

// lives tells whether no test notices a mutant.
func (g group) lives(ctx context.Context, i int, limit time.Duration) (bool, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	outcome, out := g.run(ctx, dir, i, limit)
	if outcome == noMutant {
		return false, fmt.Errorf("%s: %s\n%s", g.mutants[i].Name, outcome, out)
	}
	return outcome == survived, ctx.Err()
}
