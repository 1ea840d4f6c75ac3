package arrowlog

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of an AnyValue.
const (
	anyString protowire.Number = 1 + iota
	anyBool
	anyInt
	anyDouble
	anyArray
	anyMap
	anyBytes
)

// anyTypes are the wire types of these fields.
var anyTypes = [...]protowire.Type{
	anyString: protowire.BytesType,
	anyBool:   protowire.VarintType,
	anyInt:    protowire.VarintType,
	anyDouble: protowire.Fixed64Type,
	anyArray:  protowire.BytesType,
	anyMap:    protowire.BytesType,
	anyBytes:  protowire.BytesType,
}

// maxDepth is how deep lists and maps may contain each other.
const maxDepth = 64

// set returns the field of an AnyValue that is set, the last one if there are
// several, as protobuf has it. Its number is 0 if none is.
func (o *otlpReader) set(value field) (chosen field, err error) {
	for at := value.start; at < value.end; {
		f, next, err := o.next(at, value.end)
		if err != nil {
			return field{}, err
		}
		if f.number >= anyString && f.number <= anyBytes {
			if err := o.want(f, anyTypes[f.number]); err != nil {
				return field{}, err
			}
			chosen = f
		}
		at = next
	}
	return chosen, nil
}

// simpleValue reads an AnyValue, or returns false if it is a list, a map or
// nothing.
func (o *otlpReader) simpleValue(value field) (v Value, simple bool, err error) {
	f, err := o.set(value)
	if err != nil {
		return v, false, err
	}
	switch f.number {
	case anyString:
		return TextValue(o.bytes(f)), true, nil
	case anyBool:
		return BoolValue(o.varint(f) != 0), true, nil
	case anyInt:
		return Int64Value(int64(o.varint(f))), true, nil
	case anyDouble:
		return Value{kind: Float64, bits: o.fixed64(f)}, true, nil
	case anyBytes:
		return BytesValue(o.bytes(f)), true, nil
	}
	return v, false, nil
}

// sharesJSON reports whether v points into the buffer for JSON, which the next
// value uses again.
func (o *otlpReader) sharesJSON(v Value) bool {
	return len(v.text) > 0 && len(o.json) > 0 && unsafe.StringData(v.text) == unsafe.SliceData(o.json)
}

// appendJSON appends an AnyValue in OTLP/JSON, the JSON mapping of protobuf.
func (o *otlpReader) appendJSON(dst []byte, value field, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, o.fail(value.start, "lists and maps are nested deeper than %d", maxDepth)
	}
	f, err := o.set(value)
	if err != nil {
		return nil, err
	}
	switch f.number {
	case anyString:
		dst, err = o.appendText(append(dst, `{"stringValue":`...), f)
	case anyBool:
		dst = strconv.AppendBool(append(dst, `{"boolValue":`...), o.varint(f) != 0)
	case anyInt:
		dst = append(strconv.AppendInt(append(dst, `{"intValue":"`...), int64(o.varint(f)), 10), '"')
	case anyDouble:
		dst = appendDouble(append(dst, `{"doubleValue":`...), math.Float64frombits(o.fixed64(f)))
	case anyBytes:
		dst = append(base64.StdEncoding.AppendEncode(append(dst, `{"bytesValue":"`...), o.bytes(f)), '"')
	case anyArray:
		dst, err = o.appendValues(append(dst, `{"arrayValue":{"values":[`...), f, depth, o.appendJSON)
		dst = append(dst, "]}"...)
	case anyMap:
		dst, err = o.appendValues(append(dst, `{"kvlistValue":{"values":[`...), f, depth, o.appendPair)
		dst = append(dst, "]}"...)
	default:
		dst = append(dst, '{')
	}
	return append(dst, '}'), err
}

// appendValues appends the elements of a list or map, separated by commas.
func (o *otlpReader) appendValues(dst []byte, list field, depth int, each func([]byte, field, int) ([]byte, error)) ([]byte, error) {
	first := true
	for at := list.start; at < list.end; {
		f, next, err := o.next(at, list.end)
		if err != nil {
			return nil, err
		}
		if f.number == 1 {
			if err := o.want(f, protowire.BytesType); err != nil {
				return nil, err
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if dst, err = each(dst, f, depth+1); err != nil {
				return nil, err
			}
		}
		at = next
	}
	return dst, nil
}

// appendPair appends a KeyValue.
func (o *otlpReader) appendPair(dst []byte, kv field, depth int) ([]byte, error) {
	var key, value field
	for at := kv.start; at < kv.end; {
		f, next, err := o.next(at, kv.end)
		if err != nil {
			return nil, err
		}
		switch f.number {
		case 1:
			key = f
		case 2:
			value = f
		}
		if f.number == 1 || f.number == 2 {
			if err := o.want(f, protowire.BytesType); err != nil {
				return nil, err
			}
		}
		at = next
	}
	dst, err := o.appendText(append(dst, `{"key":`...), key)
	if err != nil {
		return nil, err
	}
	dst, err = o.appendJSON(append(dst, `,"value":`...), value, depth)
	return append(dst, '}'), err
}

func (o *otlpReader) appendText(dst []byte, f field) ([]byte, error) {
	quoted, err := json.Marshal(string(o.bytes(f)))
	return append(dst, quoted...), err
}

// appendMember appends a cell to the members of an object, or begins it.
func appendMember(dst []byte, cell otlpCell) ([]byte, error) {
	if len(dst) == 0 {
		dst = append(dst, '{')
	} else {
		dst = append(dst, ',')
	}
	name, err := json.Marshal(cell.name)
	dst = append(append(dst, name...), ':')
	switch v := cell.value; {
	case err != nil:
	case cell.json:
		dst = append(dst, v.text...)
	case v.kind == Float64:
		dst = appendDouble(dst, v.Float64())
	case v.kind == String:
		var text []byte
		text, err = json.Marshal(v.text)
		dst = append(dst, text...)
	case v.kind == Bytes:
		dst = append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.AsBytes()), '"')
	default:
		dst = v.AppendText(dst)
	}
	return dst, err
}

// appendDouble appends a number as protobuf's JSON mapping has it.
func appendDouble(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}
