package stat

import "math"

// A counter is exact for the launches that were seen. Where it hangs on rare
// events (a pool that a collection has emptied, a table that grows once in a
// thousand operations), the next launches would give another number, and its
// direction may be chance. So a counter that moved must have moved in the
// launches: Student's t over their differences, one a launch, tells it from 0.
const steadyLevel = 0.01 // two-sided; several looks are not corrected for

// unsteady tells whether the differences of launches do not exclude 0. One
// launch has none to compare: it counts as it is.
func unsteady(differences []float64) bool {
	n := len(differences)
	if n < 2 {
		return false
	}
	half := tQuantile(1-steadyLevel/2, float64(n-1)) * deviation(differences) / math.Sqrt(float64(n))
	return math.Abs(mean(differences)) <= half
}
