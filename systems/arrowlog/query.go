package arrowlog

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Query says what a [Reader] returns. The zero value is everything.
type Query struct {
	// Columns are the names of the columns to return, in this order. Nil means
	// all, in the order of the file.
	Columns []string

	// Where are conditions that a row must all satisfy. Their columns need not be
	// among those that are returned.
	Where []Condition

	// Limit is the largest number of rows. 0 means all.
	Limit int

	// BatchRows is the largest number of rows in a batch. 0 means 4096.
	BatchRows int
}

// Condition compares a column with a value. A null satisfies no condition.
type Condition struct {
	Column string
	Op     Op
	// Value is compared with the column. A text is converted to the column's kind:
	// numbers as Go writes them, times in RFC 3339 or as nanoseconds since 1970,
	// true and false.
	Value Value
}

// Op is a comparison.
type Op uint8

// The comparisons.
const (
	Equal Op = iota
	NotEqual
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

var opTexts = [...]string{"=", "!=", "<", "<=", ">", ">="}

// String returns the operator as it is written in a condition.
func (o Op) String() string {
	if int(o) < len(opTexts) {
		return opTexts[o]
	}
	return fmt.Sprintf("Op(%d)", o)
}

// convert returns the condition with its value in the column's kind.
func (c Condition) convert(kind Kind) (Condition, error) {
	if c.Op > GreaterOrEqual {
		return c, fmt.Errorf("arrowlog: the condition on column %q has the operator %v", c.Column, c.Op)
	}
	if c.Value.kind == kind {
		return c, nil
	}
	if c.Value.kind == Int64 && kind == Timestamp {
		c.Value.kind = Timestamp
		return c, nil
	}
	var err error
	text := c.Value.text
	if c.Value.kind != String {
		return c, fmt.Errorf("arrowlog: column %q is %v, the condition compares it with %v", c.Column, kind, c.Value.kind)
	}
	switch kind {
	case Bytes:
		c.Value.kind = Bytes
	case Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		c.Value = Int64Value(n)
	case Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		c.Value = Float64Value(f)
	case Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		c.Value = BoolValue(b)
	case Timestamp:
		c.Value, err = parseTime(text)
	}
	if err != nil {
		return c, fmt.Errorf("arrowlog: column %q is %v, which %q is not: %w", c.Column, kind, text, err)
	}
	return c, nil
}

func parseTime(text string) (Value, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return TimestampValue(n), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		if t, err = time.Parse(time.DateOnly, text); err != nil {
			return Value{}, fmt.Errorf("want a time such as 2026-11-23T10:00:00Z or 2026-11-23, or nanoseconds since 1970")
		}
	}
	return TimestampValue(t.UnixNano()), nil
}

// holds reports whether a value of the condition's kind satisfies it.
func (c *Condition) holds(v Value) bool {
	if v.kind == Null {
		return false
	}
	var order int
	switch v.kind {
	case Float64:
		a, b := v.Float64(), c.Value.Float64()
		if math.IsNaN(a) || math.IsNaN(b) { // unequal to everything, in no order
			return c.Op == NotEqual
		}
		order = compareOrdered(a, b)
	case Int64, Timestamp, Bool:
		order = compareOrdered(int64(v.bits), int64(c.Value.bits))
	default:
		order = strings.Compare(v.text, c.Value.text)
	}
	switch c.Op {
	case Equal:
		return order == 0
	case NotEqual:
		return order != 0
	case Less:
		return order < 0
	case LessOrEqual:
		return order <= 0
	case Greater:
		return order > 0
	}
	return order >= 0
}

func compareOrdered[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// excludes reports whether no value between least and greatest satisfies the
// condition.
func (c *Condition) excludes(least, greatest Value) bool {
	switch c.Op {
	case Equal:
		below := Condition{Op: Less, Value: least}
		above := Condition{Op: Greater, Value: greatest}
		return below.holds(c.Value) || above.holds(c.Value)
	case Less, LessOrEqual:
		return !c.holds(least)
	case Greater, GreaterOrEqual:
		return !c.holds(greatest)
	}
	return false
}
