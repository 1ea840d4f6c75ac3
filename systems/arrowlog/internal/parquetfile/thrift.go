package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// The types of Thrift's compact protocol.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeInt16  = 4
	typeInt32  = 5
	typeInt64  = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
	typeUUID   = 13
)

// maxNesting is how deep the structures of a file's metadata may contain each other.
// Those of the format need 8.
const maxNesting = 32

// errShort says that a structure does not end within the bytes that are there.
var errShort = errors.New("it ends in the middle")

// elements are the structures of which a file can have many and whose values in
// memory are large, by the numbers of the fields that lead to them in a footer, with
// the number of bytes that each needs for the fields that the format requires.
// Thus the memory for a footer is at most some 40 times its size.
var elements = map[string]int{
	"2":   4,  // SchemaElement: its name
	"4":   8,  // RowGroup: columns, size, rows
	"4/1": 25, // ColumnChunk: its place and its metadata
}

// unmarshal decodes the structure at the beginning of b into v and returns how many
// bytes it has. parquet-go's decoder makes slices of as many elements as a list says
// that it has; so the structure is walked first, which allocates nothing.
func unmarshal(b []byte, v any) (int, error) {
	w := walker{b: b}
	if err := w.structure("", 0); err != nil {
		return 0, err
	}
	var p thrift.CompactProtocol
	if err := thrift.NewDecoder(p.NewReaderFromBytes(b[:w.at])).Decode(v); err != nil {
		return 0, err
	}
	return w.at, nil
}

// walker passes over a structure in the compact protocol.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
type walker struct {
	b  []byte
	at int
}

func (w *walker) byte() (byte, error) {
	if w.at == len(w.b) {
		return 0, errShort
	}
	w.at++
	return w.b[w.at-1], nil
}

func (w *walker) varint() (uint64, error) {
	n, size := binary.Uvarint(w.b[w.at:])
	switch {
	case size == 0:
		return 0, errShort
	case size < 0:
		return 0, fmt.Errorf("byte %d: a number of more than 64 bits", w.at)
	}
	w.at += size
	return n, nil
}

func (w *walker) skip(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		return errShort
	}
	w.at += int(n)
	return nil
}

// structure passes over the fields of a structure and its end. path has the numbers
// of the fields that lead to it.
func (w *walker) structure(path string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("byte %d: structures are nested deeper than %d", w.at, maxNesting)
	}
	id := int64(0)
	for {
		head, err := w.byte()
		if err != nil {
			return err
		}
		if head == 0 {
			return nil
		}
		if delta := head >> 4; delta != 0 {
			id += int64(delta)
		} else {
			n, err := w.varint()
			if err != nil {
				return err
			}
			id = int64(n>>1) ^ -int64(n&1)
		}
		kind := head & 15
		if kind == typeTrue || kind == typeFalse { // the value is in the type
			continue
		}
		if err := w.value(kind, path, id, depth); err != nil {
			return err
		}
	}
}

// value passes over a value that is the field of a structure.
func (w *walker) value(kind byte, path string, id int64, depth int) error {
	switch kind {
	case typeTrue, typeFalse, typeByte: // a truth value of a list
		return w.skip(1)
	case typeInt16, typeInt32, typeInt64:
		_, err := w.varint()
		return err
	case typeDouble:
		return w.skip(8)
	case typeUUID:
		return w.skip(16)
	case typeBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case typeStruct:
		return w.structure(under(path, id, depth), depth+1)
	case typeList, typeSet:
		return w.list(under(path, id, depth), depth)
	case typeMap:
		n, err := w.varint()
		if err != nil || n == 0 {
			return err
		}
		kinds, err := w.byte()
		if err != nil {
			return err
		}
		for range n {
			if err := w.value(kinds>>4, "-", 0, depth+1); err != nil {
				return err
			}
			if err := w.value(kinds&15, "-", 0, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("byte %d: there is no type %d", w.at-1, kind)
}

// list passes over a list. Each element takes a byte at least, so a list cannot have
// more elements than there are bytes.
func (w *walker) list(path string, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("byte %d: lists are nested deeper than %d", w.at, maxNesting)
	}
	head, err := w.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.b)-w.at) {
		return fmt.Errorf("byte %d: a list of %d elements in %d bytes: %w", w.at, n, len(w.b)-w.at, errShort)
	}
	least := elements[path]
	for range n {
		start := w.at
		if head&15 == typeStruct {
			err = w.structure(path, depth+1)
		} else {
			err = w.value(head&15, "-", 0, depth+1)
		}
		if err != nil {
			return err
		}
		if w.at-start < least {
			return fmt.Errorf("byte %d: a structure of %d bytes, which lacks fields", start, w.at-start)
		}
	}
	return nil
}

// under returns the path of a field, where it can be one of elements.
func under(path string, id int64, depth int) string {
	switch {
	case depth == 0 && (id == 2 || id == 4):
		return string('0' + byte(id))
	case path == "4" && id == 1:
		return "4/1"
	}
	return "-"
}
