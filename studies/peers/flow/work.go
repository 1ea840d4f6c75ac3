package flowpeers

import (
	"context"
	"errors"
)

// Inputs is the number of inputs of an operation, Items what the flat map makes of
// them, about, by which times are divided.
const (
	Inputs = 20_000
	Items  = 5 * Inputs
)

var inputs = func() []int {
	in := make([]int, Inputs)
	for i := range in {
		in[i] = i
	}
	return in
}()

// Outcome is the result of a pipeline.
type Outcome struct {
	Sum, Values, Errors int
	// Order is a digest of all values in their order, and Places one of the number of
	// values before each error.
	Order, Places uint64
}

func (o *Outcome) value(v int) {
	o.Sum += v
	o.Values++
	o.Order += uint64(v) * uint64(o.Values) // no value waits for the one before
}

func (o *Outcome) failed() {
	o.Errors++
	o.Places = o.Places*31 + uint64(o.Values)
}

// Peer is one way of running the pipeline.
type Peer struct {
	Name   string // as in benchmark names and tables
	Module string // of other people; empty for ours and for what Go brings
	What   string // how it works
	Lacks  string // what it does not have of errors in their place, order, context
	Places bool   // errors come in their place among the values
	Run    func(ctx context.Context) (Outcome, error)
}

var errThousandth = errors.New("one of a thousand")

// The functions of the user.

//go:noinline
func double(v int) (int, error) {
	if v%1000 == 999 {
		return 0, errThousandth
	}
	return 2 * v, nil
}

//go:noinline
func appendFive(dst []int, v int) ([]int, error) {
	return append(dst, v, v+1, v+2, v+3, v+4), nil
}

//go:noinline
func five(v int) ([]int, error) { return []int{v, v + 1, v + 2, v + 3, v + 4}, nil }

//go:noinline
func keep(v int) bool { return v%8 != 3 }
