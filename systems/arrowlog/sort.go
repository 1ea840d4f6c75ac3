package arrowlog

import (
	"bytes"
	"cmp"
	"slices"
)

// inOrder returns the rows that wait, sorted if the options say so.
func (e *Encoder) inOrder() *Batch {
	e.batch.complete()
	if e.o.SortBy == "" {
		return e.batch
	}
	i := e.batch.Index(e.o.SortBy)
	if i < 0 { // it is null in all rows
		return e.batch
	}
	key := e.batch.columns[i]
	e.order = e.order[:0]
	inOrder := true
	for row := range e.batch.rows {
		e.order = append(e.order, int32(row))
		if row > 0 && key.compare(row-1, row) > 0 {
			inOrder = false
		}
	}
	if inOrder {
		return e.batch
	}
	slices.SortStableFunc(e.order, func(a, b int32) int { return key.compare(int(a), int(b)) })
	if e.sorted == nil || e.sorted.version != e.batch.version {
		e.sorted = newBatch(nil)
		for _, c := range e.batch.columns {
			e.sorted.add(c.Column)
		}
		e.sorted.version = e.batch.version
	}
	e.sorted.reset()
	for i, c := range e.batch.columns {
		e.sorted.columns[i].gather(c, e.order)
	}
	e.sorted.rows = e.batch.rows
	return e.sorted
}

// compare orders two rows of a column: nulls last, NaN before all numbers.
func (c *column) compare(a, b int) int {
	switch va, vb := c.isValid(a), c.isValid(b); {
	case !va && !vb:
		return 0
	case !va:
		return 1
	case !vb:
		return -1
	}
	switch c.Kind {
	case Int64, Timestamp:
		return cmp.Compare(c.ints[a], c.ints[b])
	case Float64:
		return cmp.Compare(c.floats[a], c.floats[b])
	case Bool:
		switch {
		case c.bools[a] == c.bools[b]:
			return 0
		case c.bools[b]:
			return -1
		}
		return 1
	}
	return bytes.Compare(c.at(a), c.at(b))
}

// gather appends rows of another column of the same kind, in the given order.
func (c *column) gather(from *column, order []int32) {
	for _, row := range order {
		if !from.isValid(int(row)) {
			c.appendNull()
			continue
		}
		switch c.Kind {
		case Int64, Timestamp:
			c.ints = append(c.ints, from.ints[row])
		case Float64:
			c.floats = append(c.floats, from.floats[row])
		case Bool:
			c.bools = append(c.bools, from.bools[row])
		default:
			c.text = append(c.text, from.at(int(row))...)
			c.offsets = append(c.offsets, int32(len(c.text)))
		}
		c.mark(true)
	}
}
