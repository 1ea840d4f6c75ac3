package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// View says that a result may be the object that a field of a parameter holds, or
// memory of it: it is the caller's until that is put.
type View struct {
	Result, Param int
	Path          string // as of a FieldEffect
}

// SetViews replaces what is known of results.
func (s *Summary) SetViews(list []View) {
	slices.SortFunc(list, func(a, b View) int {
		return cmp.Or(a.Result-b.Result, a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Views = slices.Compact(list)
}

// String is for tests: "[1]=0.2".
func (v View) String() string { return fmt.Sprintf("[%d]=%d%s", v.Result, v.Param, v.Path) }
