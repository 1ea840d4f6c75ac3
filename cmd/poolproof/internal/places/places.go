// Package places compares findings by the places in the source that they name.
package places

import "slices"

// Tells reports whether a finding, which stands at the first of some places and refers to the
// others, tells of several events, and of none that another finding does not tell of: "b is put
// again in each round" and "b is used after the put", in the next round.
func Tells[P comparable](places, other []P) bool {
	several := slices.ContainsFunc(places, func(at P) bool { return at != places[0] })
	return several && !slices.ContainsFunc(places, func(at P) bool { return !slices.Contains(other, at) })
}
