package a

import (
	"errors"
	"sync"
)

type cursor struct{ n int }

type state struct {
	row  []int
	name []byte
	out  []byte
}

var states = sync.Pool{New: func() any { return new(state) }}

// each lends memory of a pooled struct to a function. What it loses where it fails is another matter.
func (c *cursor) each(n int, f func(name []byte, row []int) bool) error {
	s := states.Get().(*state)
	name := append(s.name[:0], "row"...)
	goOn := true
	for i := 0; goOn && i < n; i++ {
		if i > c.n {
			return errors.New("no such row")
		}
		var row []int
		if i > 0 {
			if cap(s.row) < i {
				s.row = make([]int, i)
			}
			row = s.row[:i]
		}
		goOn = f(name, row)
	}
	s.name = name
	states.Put(s)
	return nil
}

// given lends what it was given itself.
func (c *cursor) given(row []int, f func(row []int)) {
	s := states.Get().(*state)
	s.row = row
	f(s.row)
	s.row = nil
	states.Put(s)
}

// fresh lets go of the memory before the struct is put.
func (c *cursor) fresh(n int, f func(row []int)) {
	s := states.Get().(*state)
	s.row = make([]int, n)
	f(s.row)
	s.row = nil
	states.Put(s)
}

func putState(s *state) {
	s.row = nil
	states.Put(s)
}

// cleared leaves it to another function to let go of the memory.
func (c *cursor) cleared(n int, f func(row []int)) {
	s := states.Get().(*state)
	s.row = make([]int, n)
	f(s.row)
	putState(s)
}
