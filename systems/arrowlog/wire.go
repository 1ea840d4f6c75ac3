package arrowlog

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// wire reads a protobuf message by position, so that errors have the offset.
type wire struct{ message []byte }

// field is one field of a message: its number, its type, and where its value
// stands.
type field struct {
	number     protowire.Number
	kind       protowire.Type
	start, end int
}

// next reads the field at a position before end and returns the position after it.
func (w wire) next(at, end int) (field, int, error) {
	b := w.message[at:end]
	number, kind, n := protowire.ConsumeTag(b)
	if n < 0 {
		return field{}, 0, w.fail(at, "a field's tag: %v", protowire.ParseError(n))
	}
	size := protowire.ConsumeFieldValue(number, kind, b[n:])
	if size < 0 {
		return field{}, 0, w.fail(at+n, "the value of field %d: %v", number, protowire.ParseError(size))
	}
	f := field{number, kind, at + n, at + n + size}
	if kind == protowire.BytesType { // the value begins after its length
		_, skip := protowire.ConsumeVarint(b[n:])
		f.start += skip
	}
	return f, at + n + size, nil
}

// each calls do with each field of a message, until it returns an error.
func (w wire) each(in field, do func(field) error) error {
	for at := in.start; at < in.end; {
		f, next, err := w.next(at, in.end)
		if err == nil {
			err = do(f)
		}
		if err != nil {
			return err
		}
		at = next
	}
	return nil
}

// want returns an error unless the field has the type.
func (w wire) want(f field, kind protowire.Type) error {
	if f.kind != kind {
		return w.fail(f.start, "field %d has wire type %d, want %d", f.number, f.kind, kind)
	}
	return nil
}

func (w wire) bytes(f field) []byte { return w.message[f.start:f.end] }

// varint returns the value of a field whose type has been checked.
func (w wire) varint(f field) uint64 {
	v, _ := protowire.ConsumeVarint(w.bytes(f))
	return v
}

func (w wire) fixed64(f field) uint64 { return binary.LittleEndian.Uint64(w.bytes(f)) }
func (w wire) fixed32(f field) uint32 { return binary.LittleEndian.Uint32(w.bytes(f)) }

// time returns nanoseconds since 1970 that int64 can hold.
func (w wire) time(f field) (int64, error) {
	t := w.fixed64(f)
	if t > math.MaxInt64 {
		return 0, w.fail(f.start, "the time %d is after the year 2262", t)
	}
	return int64(t), nil
}

func (w wire) fail(at int, format string, args ...any) error {
	return &OTLPError{Offset: at, Reason: fmt.Sprintf(format, args...)}
}
