package arrowlog

import (
	"fmt"
	"math"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/parquetfile"
)

// converter makes a Value of a value of a file. It may return text that refers to
// memory of its own, which the next call uses again.
type converter func(parquetfile.Value) (Value, error)

// conversion returns the kind for a type, and how to make Values of it, or nil.
func conversion(c *format.SchemaElement) (Kind, converter) {
	annotation := c.LogicalType.Value
	converted := deprecated.ConvertedType(-1)
	if c.ConvertedType.Valid && annotation == nil {
		converted = c.ConvertedType.V
	}
	decimal, isDecimal := annotation.(*format.DecimalType)
	if converted == deprecated.Decimal {
		decimal, isDecimal = &format.DecimalType{Scale: c.Scale.V, Precision: c.Precision.V}, true
	}
	switch c.Type.V {
	case format.Boolean:
		return Bool, func(v parquetfile.Value) (Value, error) { return BoolValue(v.Bits != 0), nil }
	case format.Float:
		return Float64, func(v parquetfile.Value) (Value, error) {
			return Float64Value(float64(math.Float32frombits(uint32(v.Bits)))), nil
		}
	case format.Double:
		return Float64, func(v parquetfile.Value) (Value, error) { return Value{kind: Float64, bits: v.Bits}, nil }
	case format.Int96:
		return Timestamp, int96Time
	case format.Int32, format.Int64:
		if isDecimal {
			return decimalConversion(decimal.Precision, decimal.Scale, func(n *big.Int, v parquetfile.Value) { n.SetInt64(int64(v.Bits)) })
		}
		return integerConversion(c.Type.V, annotation, converted)
	}
	if isDecimal {
		return decimalConversion(decimal.Precision, decimal.Scale, func(n *big.Int, v parquetfile.Value) { twosComplement(n, v.Bytes) })
	}
	switch annotation.(type) {
	case *format.Float16Type:
		return Float64, func(v parquetfile.Value) (Value, error) {
			if len(v.Bytes) != 2 {
				return Value{}, fmt.Errorf("a number of 16 bits has %d bytes", len(v.Bytes))
			}
			return Float64Value(float64(float16.FromLEBytes(v.Bytes).Float32())), nil
		}
	case *format.StringType, *format.EnumType, *format.JsonType:
		return String, func(v parquetfile.Value) (Value, error) { return TextValue(v.Bytes), nil }
	}
	switch converted {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		return String, func(v parquetfile.Value) (Value, error) { return TextValue(v.Bytes), nil }
	}
	return Bytes, func(v parquetfile.Value) (Value, error) { return BytesValue(v.Bytes), nil }
}

func integerConversion(t format.Type, annotation format.LogicalTypeValue, converted deprecated.ConvertedType) (Kind, converter) {
	scale, unsigned, ofDay := int64(0), false, false
	switch a := annotation.(type) {
	case *format.DateType:
		scale = nanosecondsOfDay
	case *format.TimestampType:
		scale = unitOf(a.Unit)
	case *format.TimeType:
		scale, ofDay = unitOf(a.Unit), true
	case *format.IntType:
		unsigned = !a.IsSigned
	}
	switch converted {
	case deprecated.Date:
		scale = nanosecondsOfDay
	case deprecated.TimestampMillis:
		scale = 1e6
	case deprecated.TimestampMicros:
		scale = 1e3
	case deprecated.TimeMillis:
		scale, ofDay = 1e6, true
	case deprecated.TimeMicros:
		scale, ofDay = 1e3, true
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		unsigned = true
	}
	switch {
	case ofDay:
		var text []byte
		return String, func(v parquetfile.Value) (out Value, err error) {
			text, err = appendTimeOfDay(text[:0], int64(v.Bits), scale)
			return TextValue(text), err
		}
	case scale > 0:
		return Timestamp, func(v parquetfile.Value) (Value, error) { return scaledTime(int64(v.Bits), scale) }
	case unsigned && t == format.Int32:
		return Int64, func(v parquetfile.Value) (Value, error) { return Int64Value(int64(uint32(v.Bits))), nil }
	case unsigned:
		return Int64, func(v parquetfile.Value) (Value, error) {
			if int64(v.Bits) < 0 {
				return Value{}, fmt.Errorf("the integer %d is larger than int64 can hold", v.Bits)
			}
			return Int64Value(int64(v.Bits)), nil
		}
	}
	return Int64, func(v parquetfile.Value) (Value, error) { return Int64Value(int64(v.Bits)), nil }
}

func unitOf(u format.TimeUnit) int64 {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 1e6
	case *format.MicroSeconds:
		return 1e3
	}
	return 1
}

const nanosecondsOfDay = 86_400e9

// scaledTime returns n units of so many nanoseconds.
func scaledTime(n, scale int64) (Value, error) {
	if n > math.MaxInt64/scale || n < math.MinInt64/scale {
		return Value{}, fmt.Errorf("the time of %d units of %d ns is out of the range of nanoseconds", n, scale)
	}
	return TimestampValue(n * scale), nil
}

// appendTimeOfDay appends a time of day of n units of so many nanoseconds with all
// nine digits of the second, so that texts are in the order of times.
func appendTimeOfDay(dst []byte, n, scale int64) ([]byte, error) {
	if n < 0 || n >= nanosecondsOfDay/scale {
		return dst, fmt.Errorf("the time of day of %d units of %d ns is not within a day", n, scale)
	}
	n *= scale
	s := n / 1e9
	return fmt.Appendf(dst, "%02d:%02d:%02d.%09d", s/3600, s/60%60, s%60, n%1e9), nil
}

// int96Time converts the nanoseconds of a day and the Julian day.
func int96Time(v parquetfile.Value) (Value, error) {
	const julian1970 = 2_440_588
	var nanoseconds uint64
	for i, b := range v.Bytes[:8] {
		nanoseconds |= uint64(b) << (8 * i)
	}
	var day uint32
	for i, b := range v.Bytes[8:12] {
		day |= uint32(b) << (8 * i)
	}
	start, err := scaledTime(int64(day)-julian1970, nanosecondsOfDay)
	if err != nil || nanoseconds >= nanosecondsOfDay || start.Int64() > math.MaxInt64-int64(nanoseconds) {
		return Value{}, fmt.Errorf("the time of day %d and %d ns is out of the range of nanoseconds", day, nanoseconds)
	}
	return TimestampValue(start.Int64() + int64(nanoseconds)), nil
}

// exactDigits is how many decimal digits a float64 holds.
const exactDigits = 15

// decimalConversion makes numbers of decimals that float64 holds with all of their
// digits, and texts of those with more.
func decimalConversion(precision, scale int32, number func(*big.Int, parquetfile.Value)) (Kind, converter) {
	if scale < 0 || scale > 100 {
		return Null, nil
	}
	var n big.Int
	var text []byte
	digits := func(v parquetfile.Value) []byte {
		number(&n, v)
		text = appendDecimal(text[:0], &n, int(scale))
		return text
	}
	if precision > exactDigits {
		return String, func(v parquetfile.Value) (Value, error) { return TextValue(digits(v)), nil }
	}
	return Float64, func(v parquetfile.Value) (Value, error) { return parseDecimal(digits(v)) }
}

// twosComplement sets n to a number in bytes, the most significant first.
func twosComplement(n *big.Int, b []byte) {
	n.SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
}
