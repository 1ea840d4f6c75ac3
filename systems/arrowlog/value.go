package arrowlog

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// Value is one cell. The zero value is null. Values are made by the functions
// below and do not allocate. A Value of text or bytes refers to memory of its
// maker: an [Encoder] copies it, and one that a [Batch] returns is valid as long
// as the batch is.
type Value struct {
	kind Kind
	bits uint64
	text string
}

// NullValue returns the null.
func NullValue() Value { return Value{} }

// StringValue returns a text. An Encoder refuses text that is not valid UTF-8, or
// replaces what is invalid; see [Options.InvalidUTF8].
func StringValue(s string) Value { return Value{kind: String, text: s} }

// TextValue is StringValue of bytes, without a copy: b must not change as long as the
// Value is used.
func TextValue(b []byte) Value {
	return Value{kind: String, text: unsafe.String(unsafe.SliceData(b), len(b))}
}

// BytesValue returns bytes, without a copy: b must not change as long as the Value
// is used.
func BytesValue(b []byte) Value {
	return Value{kind: Bytes, text: unsafe.String(unsafe.SliceData(b), len(b))}
}

// Int64Value returns an integer.
func Int64Value(i int64) Value { return Value{kind: Int64, bits: uint64(i)} }

// Float64Value returns a number. NaN and infinities keep their bits.
func Float64Value(f float64) Value { return Value{kind: Float64, bits: math.Float64bits(f)} }

// BoolValue returns a truth value.
func BoolValue(b bool) Value {
	if b {
		return Value{kind: Bool, bits: 1}
	}
	return Value{kind: Bool}
}

// TimestampValue returns a point in time, in nanoseconds since 1970 in UTC.
func TimestampValue(ns int64) Value { return Value{kind: Timestamp, bits: uint64(ns)} }

// Kind returns the kind of v, [Null] for the null.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether v is the null. Empty text is not null.
func (v Value) IsNull() bool { return v.kind == Null }

// Text returns the text of a String, or the bytes of a Bytes as a string, and ""
// for all other kinds.
func (v Value) Text() string { return v.text }

// AsBytes returns the bytes of a Bytes or String, to be read only.
func (v Value) AsBytes() []byte { return unsafe.Slice(unsafe.StringData(v.text), len(v.text)) }

// Int64 returns the integer of an Int64, the nanoseconds of a Timestamp, and 0 for
// all other kinds.
func (v Value) Int64() int64 {
	if v.kind == Int64 || v.kind == Timestamp {
		return int64(v.bits)
	}
	return 0
}

// Float64 returns the number of a Float64, and 0 for all other kinds.
func (v Value) Float64() float64 {
	if v.kind == Float64 {
		return math.Float64frombits(v.bits)
	}
	return 0
}

// Bool returns the truth value of a Bool, and false for all other kinds.
func (v Value) Bool() bool { return v.kind == Bool && v.bits != 0 }

// Time returns the time of a Timestamp in UTC, and the zero time for all other
// kinds.
func (v Value) Time() time.Time {
	if v.kind != Timestamp {
		return time.Time{}
	}
	return time.Unix(0, int64(v.bits)).UTC()
}

// AppendText appends v as people read it: text as it is, a time in RFC 3339 with
// nanoseconds, bytes in hexadecimal, the null as nothing.
func (v Value) AppendText(dst []byte) []byte {
	switch v.kind {
	case String:
		return append(dst, v.text...)
	case Int64:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case Float64:
		return strconv.AppendFloat(dst, v.Float64(), 'g', -1, 64)
	case Bool:
		return strconv.AppendBool(dst, v.Bool())
	case Timestamp:
		return v.Time().AppendFormat(dst, time.RFC3339Nano)
	case Bytes:
		return fmt.Appendf(dst, "%x", v.text)
	}
	return dst
}

// String returns what AppendText appends, and "null" for the null.
func (v Value) String() string {
	if v.IsNull() {
		return "null"
	}
	return string(v.AppendText(nil))
}

// clone returns v with text of its own.
func (v Value) clone() Value {
	v.text = strings.Clone(v.text)
	return v
}

// Row is one row: a Value for each column, by its index. A shorter Row leaves the
// last columns null.
type Row []Value
