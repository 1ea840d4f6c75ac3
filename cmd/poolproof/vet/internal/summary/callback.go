package summary

import (
	"cmp"
	"fmt"
	"slices"
)

// Callback says what becomes of an argument with which a parameter, a function value, is
// called.
type Callback struct {
	Param int
	Arg   int
	// Lent is set if it is the callback's only until that returns.
	Lent bool
	// ReadOnly is set if others read it at the same time.
	ReadOnly bool
}

// AddCallback adds what is known of an argument of a callback.
func (s *Summary) AddCallback(c Callback) {
	i, found := slices.BinarySearchFunc(s.Callbacks, c, func(a, b Callback) int { return cmp.Or(a.Param-b.Param, a.Arg-b.Arg) })
	if !found {
		s.Callbacks = slices.Insert(s.Callbacks, i, c)
		return
	}
	s.Callbacks[i].Lent = s.Callbacks[i].Lent || c.Lent
	s.Callbacks[i].ReadOnly = s.Callbacks[i].ReadOnly || c.ReadOnly
}

// String is for tests: "[1(0) lent]".
func (c Callback) String() string {
	text := fmt.Sprintf("%d(%d)", c.Param, c.Arg)
	if c.Lent {
		text += " lent"
	}
	if c.ReadOnly {
		text += " read-only"
	}
	return "[" + text + "]"
}
