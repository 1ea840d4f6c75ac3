package summary

import (
	"cmp"
	"slices"
	"strings"
)

// Emptied says that a function puts each element of a list, a slice or a map, that a
// parameter is or refers to.
type Emptied struct {
	Param int
	Path  string // from the parameter to the elements, as of a FieldEffect
	// Clears is set if the list has no elements any more, or others.
	Clears bool
}

// SetEmptied replaces what is known of lists.
func (s *Summary) SetEmptied(list []Emptied) {
	slices.SortFunc(list, func(a, b Emptied) int {
		return cmp.Or(a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Emptied = slices.Compact(list)
}
