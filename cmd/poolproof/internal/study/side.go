package study

// Side is one of the two sides of a comparison.
type Side int

// The two sides.
const (
	Baseline Side = iota
	Candidate
)

// Sides are both, the baseline first.
var Sides = [2]Side{Baseline, Candidate}

// String returns "baseline" or "candidate", as in files and messages.
func (s Side) String() string {
	if s == Candidate {
		return "candidate"
	}
	return "baseline"
}
