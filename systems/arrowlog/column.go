package arrowlog

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// column holds the values of one column. Each row has a slot; that of a null
// holds the zero value. The layout of valid, numbers, offsets and text is that of
// Arrow, so that records are made by copying whole columns.
type column struct {
	Column
	added   bool // by an append, not by the schema
	rows    int
	nulls   int
	valid   []byte    // a bit a row, the least significant first
	ints    []int64   // Int64, Timestamp
	floats  []float64 // Float64
	bools   []bool    // Bool
	offsets []int32   // String, Bytes: rows+1 of them
	text    []byte    // String, Bytes
}

func newColumn(c Column) *column {
	col := &column{Column: c}
	if col.isText() {
		col.offsets = append(col.offsets, 0)
	}
	return col
}

func (c *column) isText() bool { return c.Kind == String || c.Kind == Bytes }

// reset drops all rows and keeps the memory.
func (c *column) reset() { c.truncate(0) }

// truncate keeps the first rows.
func (c *column) truncate(rows int) {
	if rows >= c.rows {
		return
	}
	for i := rows; i < c.rows; i++ {
		if !c.isValid(i) {
			c.nulls--
		}
	}
	c.rows = rows
	c.valid = c.valid[:(rows+7)/8]
	if rest := rows % 8; rest != 0 {
		c.valid[rows/8] &= 1<<rest - 1
	}
	switch c.Kind {
	case Int64, Timestamp:
		c.ints = c.ints[:rows]
	case Float64:
		c.floats = c.floats[:rows]
	case Bool:
		c.bools = c.bools[:rows]
	default:
		c.text = c.text[:c.offsets[rows]]
		c.offsets = c.offsets[:rows+1]
	}
}

// isValid reports whether a row is there and not null.
func (c *column) isValid(row int) bool { return row < c.rows && c.valid[row/8]&(1<<(row%8)) != 0 }

// mark adds a row to the bitmap.
func (c *column) mark(valid bool) {
	if c.rows%8 == 0 {
		c.valid = append(c.valid, 0)
	}
	if valid {
		c.valid[c.rows/8] |= 1 << (c.rows % 8)
	} else {
		c.nulls++
	}
	c.rows++
}

// appendNull adds a null.
func (c *column) appendNull() {
	switch c.Kind {
	case Int64, Timestamp:
		c.ints = append(c.ints, 0)
	case Float64:
		c.floats = append(c.floats, 0)
	case Bool:
		c.bools = append(c.bools, false)
	default:
		c.offsets = append(c.offsets, int32(len(c.text)))
	}
	c.mark(false)
}

// nullsTo adds nulls until the column has as many rows.
func (c *column) nullsTo(rows int) {
	n := rows - c.rows
	if n <= 0 {
		return
	}
	switch c.Kind {
	case Int64, Timestamp:
		c.ints = appendZeros(c.ints, n)
	case Float64:
		c.floats = appendZeros(c.floats, n)
	case Bool:
		c.bools = appendZeros(c.bools, n)
	default:
		c.offsets = slices.Grow(c.offsets, n)
		for range n {
			c.offsets = append(c.offsets, int32(len(c.text)))
		}
	}
	c.valid = appendZeros(c.valid, (rows+7)/8-len(c.valid))
	c.nulls += n
	c.rows = rows
}

func appendZeros[T any](s []T, n int) []T {
	s = slices.Grow(s, n)
	s = s[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

// values returns the number of rows that are not null.
func (c *column) values() int { return c.rows - c.nulls }

// slot returns the size of a row in bytes, without its text.
func (c *column) slot() int64 {
	switch c.Kind {
	case Bool:
		return 1
	case String, Bytes:
		return 4
	}
	return 8
}

// append adds a value of the column's kind, or a null.
func (c *column) append(v Value, u UTF8) error {
	if v.kind != c.Kind {
		if v.kind == Null {
			c.appendNull()
			return nil
		}
		return &KindError{Row: c.rows, Column: c.Name, Want: c.Kind, Got: v.kind.String()}
	}
	switch c.Kind {
	case Int64, Timestamp:
		c.ints = append(c.ints, int64(v.bits))
	case Float64:
		c.floats = append(c.floats, math.Float64frombits(v.bits))
	case Bool:
		c.bools = append(c.bools, v.bits != 0)
	default:
		return c.appendText(v.text, u)
	}
	c.mark(true)
	return nil
}

// appendText adds text or bytes.
func (c *column) appendText(s string, u UTF8) error {
	if c.Kind == String && !utf8.ValidString(s) {
		if u == RefuseInvalid {
			return fmt.Errorf("arrowlog: row %d, column %q: the text %q is not valid UTF-8", c.rows, c.Name, shorten(s))
		}
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) > maxText-len(c.text) {
		return fmt.Errorf("arrowlog: row %d, column %q has more than 2 GiB of text: %w", c.rows, c.Name, ErrTooLarge)
	}
	c.text = append(c.text, s...)
	c.offsets = append(c.offsets, int32(len(c.text)))
	c.mark(true)
	return nil
}

// maxText is the largest number of bytes in one text column: Arrow counts them in
// 32 bits. Tests lower it.
var maxText = math.MaxInt32

// shorten cuts a text that stands in an error.
func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// at returns the bytes of a row, to be read only.
func (c *column) at(row int) []byte { return c.text[c.offsets[row]:c.offsets[row+1]] }

// longest returns the length of the longest text in bytes.
func (c *column) longest() (n int32) {
	for row := 1; row < len(c.offsets); row++ {
		n = max(n, c.offsets[row]-c.offsets[row-1])
	}
	return n
}

// value returns a row, which is null if it is missing. A text refers to the memory of
// the column.
func (c *column) value(row int) Value {
	if !c.isValid(row) {
		return Value{}
	}
	switch c.Kind {
	case Int64, Timestamp:
		return Value{kind: c.Kind, bits: uint64(c.ints[row])}
	case Float64:
		return Float64Value(c.floats[row])
	case Bool:
		return BoolValue(c.bools[row])
	}
	b := c.at(row)
	return Value{kind: c.Kind, text: unsafe.String(unsafe.SliceData(b), len(b))}
}
