package duet

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Leaf is one benchmark that a test binary has.
type Leaf struct {
	Name string
	// Once is the real time that the benchmark took with b.N = 1, with what
	// its parents did before it.
	Once time.Duration
}

// Leaves runs every benchmark that matches the pattern once (b.N = 1) and
// returns those that can be measured, in their order, and a line for each one
// that failed. A *BenchError says that the process broke off.
func Leaves(ctx context.Context, s Side, pattern string, timeout time.Duration) (leaves []Leaf, failures []string, err error) {
	p, err := Start(ctx, s, pattern, timeout)
	if err != nil {
		return nil, nil, err
	}
	defer p.Leave()
	for {
		start := time.Now()
		name, err := p.Next(ctx)
		var broken *BenchError
		switch {
		case errors.Is(err, io.EOF):
			if why, ok := p.ranNothing(); ok {
				return nil, nil, &BenchError{study.StatusFailed, why}
			}
			return leaves, p.failures(), nil
		case errors.As(err, &broken) && len(leaves) > 0 && len(p.failures()) > 0 && !p.died():
			return leaves, p.failures(), nil // testing ends with status 1 after a failure
		case err != nil:
			return leaves, p.failures(), err
		}
		leaves = append(leaves, Leaf{name, time.Since(start)})
	}
}
