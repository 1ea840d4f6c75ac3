package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// FieldEffect says what a function does with the object that a field of a
// parameter holds when it is called: the state of a struct that owns a pooled
// object goes from owned to put to nil over several methods.
type FieldEffect struct {
	Param int
	Path  string // from what the parameter points to: ".2" field 2, ".2*.0" field 0 of what field 2 points to
	// Puts is set if the object is put on every path to a return, Uses if it is
	// used on every path before it is put; paths on which the field is nil are
	// left out.
	Puts, Uses bool
	// MayPut is set if it is put on some path.
	MayPut bool
	// May is set if it is used on some path.
	May bool
	// Sets is set if the field may hold something else when the function returns.
	Sets bool
	// Taken is set if a directive says that the function takes the object over: always,
	// or, if Told is not 0, where result Told-1 is true (an error: nil).
	Taken bool
	Told  int
}

// SetFields replaces what is known of fields.
func (s *Summary) SetFields(list []FieldEffect) {
	slices.SortFunc(list, func(a, b FieldEffect) int {
		return cmp.Or(a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Fields = list
}

// Field returns what is known of one field.
func (s *Summary) Field(param int, path string) (FieldEffect, bool) {
	return first(s.Fields, func(e FieldEffect) bool { return e.Param == param && e.Path == path })
}

// String is for tests: "[0.2:puts,sets]".
func (e FieldEffect) String() string {
	var words []string
	for _, w := range []struct {
		set  bool
		name string
	}{{e.Puts, "puts"}, {e.MayPut && !e.Puts, "may put"}, {e.Uses, "uses"}, {e.May, "may use"}, {e.Sets, "sets"}, {e.Taken, "takes"}} {
		if w.set {
			words = append(words, w.name)
		}
	}
	if e.Told > 0 {
		words = append(words, fmt.Sprintf("if result %d", e.Told-1))
	}
	return fmt.Sprintf("[%d%s:%s]", e.Param, e.Path, strings.Join(words, ","))
}
