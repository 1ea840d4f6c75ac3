package arrowlog

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
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
	err = o.each(value, func(f field) error {
		if f.number < anyString || f.number > anyBytes {
			return nil
		}
		chosen = f
		return o.want(f, anyTypes[f.number])
	})
	return chosen, err
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
		dst, err = o.appendBytes(append(dst, `{"bytesValue":`...), o.bytes(f))
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
	err := o.each(list, func(f field) (err error) {
		if err := o.fits(int64(len(dst))); err != nil || f.number != 1 {
			return err
		}
		if err := o.want(f, protowire.BytesType); err != nil {
			return err
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst, err = each(dst, f, depth+1)
		return err
	})
	return dst, err
}

// keyValue returns the key and the value of a KeyValue.
func (o *otlpReader) keyValue(kv field) (key, value field, err error) {
	value = field{start: kv.end, end: kv.end} // nothing
	err = o.each(kv, func(f field) error {
		switch f.number {
		case 1:
			key = f
		case 2:
			value = f
		default:
			return nil
		}
		return o.want(f, protowire.BytesType)
	})
	return key, value, err
}

// appendPair appends a KeyValue.
func (o *otlpReader) appendPair(dst []byte, kv field, depth int) ([]byte, error) {
	key, value, err := o.keyValue(kv)
	if err != nil {
		return nil, err
	}
	dst, err = o.appendText(append(dst, `{"key":`...), key)
	if err != nil {
		return nil, err
	}
	dst, err = o.appendJSON(append(dst, `,"value":`...), value, depth)
	return append(dst, '}'), err
}

func (o *otlpReader) appendText(dst []byte, f field) ([]byte, error) {
	return o.appendQuoted(dst, TextValue(o.bytes(f)).text)
}

// appendQuoted appends a text of JSON. One byte becomes up to six.
func (o *otlpReader) appendQuoted(dst []byte, s string) ([]byte, error) {
	const piece = 16 << 10
	dst = append(dst, '"')
	for len(s) > 0 {
		n := min(piece, len(s))
		for n < len(s) && n > piece-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		if err := o.fits(int64(len(dst) + n)); err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(s[:n])
		if err != nil {
			return nil, err
		}
		dst, s = append(dst, quoted[1:len(quoted)-1]...), s[n:]
	}
	return append(dst, '"'), nil
}

// appendBytes appends bytes as JSON has them.
func (o *otlpReader) appendBytes(dst, b []byte) ([]byte, error) {
	if err := o.fits(int64(len(dst) + base64.StdEncoding.EncodedLen(len(b)))); err != nil {
		return nil, err
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"'), nil
}

// appendMember appends a cell to the members of the object in rest, or begins it.
func (o *otlpReader) appendMember(cell otlpCell) error {
	if len(o.rest) == 0 {
		o.rest = append(o.rest, '{')
	} else {
		o.rest = append(o.rest, ',')
	}
	dst, err := o.appendQuoted(o.rest, cell.name)
	if err != nil {
		return err
	}
	dst = append(dst, ':')
	switch v := cell.value; {
	case cell.json:
		if err = o.fits(int64(len(dst) + len(v.text))); err == nil {
			dst = append(dst, v.text...)
		}
	case v.kind == Float64:
		dst = appendDouble(dst, v.Float64())
	case v.kind == String:
		dst, err = o.appendQuoted(dst, v.text)
	case v.kind == Bytes:
		dst, err = o.appendBytes(dst, v.AsBytes())
	default:
		dst = v.AppendText(dst)
	}
	o.rest = dst
	return err
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
