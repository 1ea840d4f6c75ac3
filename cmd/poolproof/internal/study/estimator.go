package study

import (
	"fmt"
	"strings"
)

// EstimatorKind says how one number is made of a launch. docs/verdicts.md
// explains each.
type EstimatorKind string

const (
	Mutator EstimatorKind = "M"     // the median ratio between collections
	Total   EstimatorKind = "T"     // with the collections paid
	Long    EstimatorKind = "long"  // M and what each side's stretches take beyond their typical burst
	Many    EstimatorKind = "many"  // of bursts of [Manifold] times as many operations
	AtRate  EstimatorKind = "rate"  // plain sums of operations that start at a fixed rate
	Lines   EstimatorKind = "lines" // of lines that go test printed, one side after the other
	Sum     EstimatorKind = "sum"   // plain sums of short bursts: shown where they gainsay the others, and decide nothing
)

// Clock is the time that an estimator is a ratio of.
type Clock string

const (
	Wall Clock = "wall" // real time
	CPU  Clock = "cpu"  // processor time of all threads
)

// Estimator is one way to make one number of a launch. The zero value stands
// for none.
type Estimator struct {
	Kind  EstimatorKind
	Clock Clock
}

// String returns the estimator's short name, as "T wall"; "" for none.
func (e Estimator) String() string {
	if e == (Estimator{}) {
		return ""
	}
	return string(e.Kind) + " " + string(e.Clock)
}

// MarshalText writes the form of String.
func (e Estimator) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the form of String.
func (e *Estimator) UnmarshalText(b []byte) error {
	kind, clock, _ := strings.Cut(string(b), " ")
	*e = Estimator{EstimatorKind(kind), Clock(clock)}
	if len(b) == 0 {
		*e = Estimator{}
		return nil
	}
	switch e.Kind {
	case Mutator, Total, Long, Many, AtRate, Sum, Lines:
		if e.Clock == Wall || e.Clock == CPU {
			return nil
		}
	}
	return fmt.Errorf("no estimator is called %q", b)
}
