package summary

import (
	"fmt"
	"iter"
	"strings"
)

// Mask is a set of parameters or of results. Parameter 0 is the receiver, if
// there is one; after the parameters of a function literal come the variables
// that it captures. What is beyond 64 is in no set.
type Mask uint64

// Bit returns the set of i alone.
func Bit(i int) Mask {
	if i < 0 || i >= 64 {
		return 0
	}
	return 1 << i
}

// Has reports whether i is in the set.
func (m Mask) Has(i int) bool { return m&Bit(i) != 0 }

// Members returns the members of the set in order.
func (m Mask) Members() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 64 {
			if m.Has(i) && !yield(i) {
				return
			}
		}
	}
}

// String returns the members: "{0,2}".
func (m Mask) String() string {
	var members []string
	for i := range m.Members() {
		members = append(members, fmt.Sprint(i))
	}
	return "{" + strings.Join(members, ",") + "}"
}
