package vetrun

import (
	"cmp"
	"slices"
)

// gravity is the checks by what their findings do to a program, the worst first: memory
// with two owners, then a panic, then data of the last user, then a pool that does not do
// its work, then remarks for a review.
var gravity = []string{
	"PV002", "PV001", "PV003", "PV004", "PV022", "PV014", "PV019", "PV009",
	"PV007", "PV018",
	"PV021", "PV015", "PV011",
	"PV006", "PV005", "PV016", "PV010", "PV013", "PV008",
	"PV020", "PV017", "PV012", "PV000",
}

// Gravest returns the finding that a reader should look at first: the first one of the
// worst kind in the highest tier. The list must not be empty.
func Gravest(list []Finding) Finding {
	return slices.MinFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Tier, b.Tier),
			cmp.Compare(slices.Index(gravity, a.Code), slices.Index(gravity, b.Code)),
		)
	})
}
