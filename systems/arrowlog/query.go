package arrowlog

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// Query says what a [Reader] returns. The zero value is everything.
type Query struct {
	// Columns are the names of the columns to return, in this order. Nil means
	// all, in the order of the file.
	Columns []string

	// Where are conditions that a row must all satisfy. Their columns need not be
	// among those that are returned.
	Where []where.Condition

	// Limit is the largest number of rows. 0 means all.
	Limit int

	// BatchRows is the largest number of rows in a batch. 0 means 4096.
	BatchRows int
}

// condition is a [where.Condition] whose value has the kind of its column.
type condition struct {
	op    where.Op
	value Value
}

// newCondition converts the value of a condition to a column's kind.
func newCondition(w where.Condition, kind Kind) (c condition, err error) {
	if w.Op > where.GreaterOrEqual {
		return c, fmt.Errorf("arrowlog: the condition on column %q has the operator %v", w.Column, w.Op)
	}
	c.op = w.Op
	var ok bool
	c.value, ok = valueOf(w.Value)
	switch {
	case !ok:
		return c, fmt.Errorf("arrowlog: the condition on column %q compares it with %v, a %T; want a string, []byte, bool, number, time.Time from 1678 to 2261 or Value", w.Column, w.Value, w.Value)
	case c.value.kind == kind:
		return c, nil
	case c.value.kind == Int64 && kind == Timestamp:
		c.value.kind = Timestamp
		return c, nil
	case c.value.kind == Int64 && kind == Float64 && ExactFloat(c.value.Int64()):
		c.value = Float64Value(float64(c.value.Int64()))
		return c, nil
	case c.value.kind == Float64 && kind == Int64:
		return ofIntegers(c.op, c.value.Float64()), nil
	case c.value.kind != String:
		return c, fmt.Errorf("arrowlog: column %q is %v, the condition compares it with %v", w.Column, kind, c.value.kind)
	}
	text := c.value.text
	switch kind {
	case Bytes:
		c.value.kind = Bytes
	case Int64:
		var n int64
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			if f, not := strconv.ParseFloat(text, 64); not == nil || errors.Is(not, strconv.ErrRange) {
				return ofIntegers(c.op, f), nil
			}
		}
		c.value = Int64Value(n)
	case Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		c.value = Float64Value(f)
	case Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		c.value = BoolValue(b)
	case Timestamp:
		c.value, err = parseTime(text)
	}
	if err != nil {
		return c, fmt.Errorf("arrowlog: column %q is %v, which %q is not: %w", w.Column, kind, text, err)
	}
	return c, nil
}

// ofIntegers returns the condition on integers that is the same as one with f, which
// may have a fraction or be larger than any integer.
func ofIntegers(op where.Op, f float64) condition {
	const beyond = 1 << 63
	all := condition{where.GreaterOrEqual, Int64Value(math.MinInt64)}
	none := condition{where.Less, Int64Value(math.MinInt64)}
	below := math.Floor(f)
	switch {
	case f != f || op == where.Equal && (f != below || f < -beyond || f >= beyond):
		if op == where.NotEqual {
			return all
		}
		return none
	case op == where.NotEqual && (f != below || f < -beyond || f >= beyond):
		return all
	case f >= beyond:
		if op == where.Less || op == where.LessOrEqual {
			return all
		}
		return none
	case f < -beyond:
		if op == where.Less || op == where.LessOrEqual {
			return none
		}
		return all
	case f == below:
		return condition{op, Int64Value(int64(f))}
	case op == where.Less:
		op = where.LessOrEqual
	case op == where.GreaterOrEqual:
		op = where.Greater
	}
	return condition{op, Int64Value(int64(below))}
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
	v, ok := valueOf(t)
	if !ok {
		return Value{}, fmt.Errorf("a column holds times from 1678 to 2261")
	}
	return v, nil
}

// holds reports whether a value of the condition's kind satisfies it.
func (c *condition) holds(v Value) bool {
	if v.kind == Null {
		return false
	}
	var order int
	switch v.kind {
	case Float64:
		a, b := v.Float64(), c.value.Float64()
		if math.IsNaN(a) || math.IsNaN(b) { // unequal to everything, in no order
			return c.op == where.NotEqual
		}
		order = compareOrdered(a, b)
	case Int64, Timestamp, Bool:
		order = compareOrdered(int64(v.bits), int64(c.value.bits))
	default:
		order = strings.Compare(v.text, c.value.text)
	}
	switch c.op {
	case where.Equal:
		return order == 0
	case where.NotEqual:
		return order != 0
	case where.Less:
		return order < 0
	case where.LessOrEqual:
		return order <= 0
	case where.Greater:
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
func (c *condition) excludes(least, greatest Value) bool {
	switch c.op {
	case where.Equal:
		below := condition{op: where.Less, value: least}
		above := condition{op: where.Greater, value: greatest}
		return below.holds(c.value) || above.holds(c.value)
	case where.Less, where.LessOrEqual:
		return !c.holds(least)
	case where.Greater, where.GreaterOrEqual:
		return !c.holds(greatest)
	}
	return false
}
