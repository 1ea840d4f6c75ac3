package arrowlog

import (
	"fmt"
	"math"
	"sort"
	"time"
)

// AppendMap adds one row that is given as a map from column names to values. The
// values may be string, []byte, bool, every integer and float type of Go,
// [time.Time], [Value], or nil for the null. A name that the schema does not have
// adds a column, unless the schema is fixed. Its kind is that of the value: Int64
// for integers, Timestamp for times. An integer that int64 cannot hold is an
// error. If AppendMap returns an error or panics, the row was not added.
func (e *Encoder) AppendMap(m map[string]any) error {
	if e.closed {
		return ErrClosed
	}
	b := e.batch
	rows, columns := b.rows, len(b.columns)
	done := false
	defer func() {
		if !done {
			b.rollback(rows, columns)
		}
	}()
	var fresh []string // sorted, so that the order of columns does not depend on the map's
	for name, x := range m {
		i, ok := b.index[name]
		if !ok {
			if x != nil {
				fresh = append(fresh, name)
			}
			continue
		}
		b.columns[i].nullsTo(rows)
		if err := e.appendAny(b.columns[i], x); err != nil {
			return err
		}
	}
	sort.Strings(fresh)
	for _, name := range fresh {
		v, ok := valueOf(m[name])
		if !ok || v.kind == Null {
			return &KindError{Row: rows, Column: name, Want: String, Got: fmt.Sprintf("%T, which no column can hold", m[name])}
		}
		i, err := e.addColumn(Column{Name: name, Kind: v.kind})
		if err != nil {
			return err
		}
		if err := b.put(i, v, e.o.InvalidUTF8); err != nil {
			return err
		}
	}
	b.rows++
	done = true
	return nil
}

// appendAny adds x to a column.
func (e *Encoder) appendAny(c *column, x any) error {
	v, ok := valueOf(x)
	if !ok {
		return &KindError{Row: c.rows, Column: c.Name, Want: c.Kind, Got: fmt.Sprintf("%T", x)}
	}
	if v.kind == Int64 && c.Kind == Timestamp {
		v.kind = Timestamp
	}
	return c.append(v, e.o.InvalidUTF8)
}

// valueOf converts what AppendMap accepts.
func valueOf(x any) (Value, bool) {
	switch x := x.(type) {
	case nil:
		return Value{}, true
	case string:
		return StringValue(x), true
	case []byte:
		return BytesValue(x), true
	case bool:
		return BoolValue(x), true
	case float64:
		return Float64Value(x), true
	case float32:
		return Float64Value(float64(x)), true
	case int:
		return Int64Value(int64(x)), true
	case int64:
		return Int64Value(x), true
	case int32:
		return Int64Value(int64(x)), true
	case int16:
		return Int64Value(int64(x)), true
	case int8:
		return Int64Value(int64(x)), true
	case uint8:
		return Int64Value(int64(x)), true
	case uint16:
		return Int64Value(int64(x)), true
	case uint32:
		return Int64Value(int64(x)), true
	case uint:
		return Int64Value(int64(x)), uint64(x) <= math.MaxInt64
	case uint64:
		return Int64Value(int64(x)), x <= math.MaxInt64
	case time.Time:
		return TimestampValue(x.UnixNano()), x.Year() > 1677 && x.Year() < 2262
	case Value:
		return x, true
	}
	return Value{}, false
}
