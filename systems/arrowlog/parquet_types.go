package arrowlog

import (
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// conversion returns the kind for a type, and how to make Values of it, or nil.
func conversion(t parquet.Type) (Kind, func(parquet.Value) (Value, error)) {
	logical := t.LogicalType()
	var annotation format.LogicalTypeValue
	if logical != nil {
		annotation = logical.Value
	}
	converted := deprecated.ConvertedType(-1)
	if c := t.ConvertedType(); c != nil {
		converted = *c
	}
	switch t.Kind() {
	case parquet.Boolean:
		return Bool, func(v parquet.Value) (Value, error) { return BoolValue(v.Boolean()), nil }
	case parquet.Float:
		return Float64, func(v parquet.Value) (Value, error) { return Float64Value(float64(v.Float())), nil }
	case parquet.Double:
		return Float64, func(v parquet.Value) (Value, error) { return Float64Value(v.Double()), nil }
	case parquet.Int96:
		return Timestamp, int96Time
	case parquet.Int32:
		return int32Conversion(annotation, converted)
	case parquet.Int64:
		return int64Conversion(annotation, converted)
	case parquet.ByteArray:
		switch annotation.(type) {
		case *format.StringType, *format.EnumType, *format.JsonType:
			return String, func(v parquet.Value) (Value, error) { return textValue(v.ByteArray()), nil }
		case *format.DecimalType:
			return Null, nil
		}
		if converted == deprecated.UTF8 || converted == deprecated.Enum || converted == deprecated.Json {
			return String, func(v parquet.Value) (Value, error) { return textValue(v.ByteArray()), nil }
		}
		return Bytes, func(v parquet.Value) (Value, error) { return BytesValue(v.ByteArray()), nil }
	case parquet.FixedLenByteArray:
		switch annotation.(type) {
		case *format.DecimalType, *format.Float16Type:
			return Null, nil
		}
		return Bytes, func(v parquet.Value) (Value, error) { return BytesValue(v.ByteArray()), nil }
	}
	return Null, nil
}

func int32Conversion(annotation format.LogicalTypeValue, converted deprecated.ConvertedType) (Kind, func(parquet.Value) (Value, error)) {
	switch a := annotation.(type) {
	case *format.DateType:
		return Timestamp, func(v parquet.Value) (Value, error) { return scaledTime(int64(v.Int32()), 86_400e9) }
	case *format.DecimalType:
		return Null, nil
	case *format.IntType:
		if !a.IsSigned {
			return Int64, func(v parquet.Value) (Value, error) { return Int64Value(int64(v.Uint32())), nil }
		}
	case nil:
		switch converted {
		case deprecated.Date:
			return Timestamp, func(v parquet.Value) (Value, error) { return scaledTime(int64(v.Int32()), 86_400e9) }
		case deprecated.Decimal:
			return Null, nil
		case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32:
			return Int64, func(v parquet.Value) (Value, error) { return Int64Value(int64(v.Uint32())), nil }
		}
	}
	return Int64, func(v parquet.Value) (Value, error) { return Int64Value(int64(v.Int32())), nil }
}

func int64Conversion(annotation format.LogicalTypeValue, converted deprecated.ConvertedType) (Kind, func(parquet.Value) (Value, error)) {
	scale := int64(0)
	unsigned := false
	switch a := annotation.(type) {
	case *format.TimestampType:
		switch a.Unit.Value.(type) {
		case *format.MilliSeconds:
			scale = 1e6
		case *format.MicroSeconds:
			scale = 1e3
		default:
			scale = 1
		}
	case *format.DecimalType:
		return Null, nil
	case *format.IntType:
		unsigned = !a.IsSigned
	case nil:
		switch converted {
		case deprecated.TimestampMillis:
			scale = 1e6
		case deprecated.TimestampMicros:
			scale = 1e3
		case deprecated.Decimal:
			return Null, nil
		case deprecated.Uint64:
			unsigned = true
		}
	}
	switch {
	case scale > 0:
		return Timestamp, func(v parquet.Value) (Value, error) { return scaledTime(v.Int64(), scale) }
	case unsigned:
		return Int64, func(v parquet.Value) (Value, error) {
			if v.Int64() < 0 {
				return Value{}, fmt.Errorf("the integer %d is larger than int64 can hold", v.Uint64())
			}
			return Int64Value(v.Int64()), nil
		}
	}
	return Int64, func(v parquet.Value) (Value, error) { return Int64Value(v.Int64()), nil }
}

// scaledTime returns n units of so many nanoseconds.
func scaledTime(n, scale int64) (Value, error) {
	if n > math.MaxInt64/scale || n < math.MinInt64/scale {
		return Value{}, fmt.Errorf("the time of %d units of %d ns is out of the range of nanoseconds", n, scale)
	}
	return TimestampValue(n * scale), nil
}

// int96Time converts the nanoseconds of a day and the Julian day.
func int96Time(v parquet.Value) (Value, error) {
	i := v.Int96()
	const julian1970 = 2_440_588
	day, err := scaledTime(int64(i[2])-julian1970, 86_400e9)
	if err != nil {
		return Value{}, err
	}
	return TimestampValue(day.Int64() + int64(uint64(i[1])<<32|uint64(i[0]))), nil
}
