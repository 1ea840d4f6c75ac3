package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// Value is a value of a physical type: the bits of a number in Bits, sign-extended
// from 32, or bytes that may be read until the next value is. The zero Value is a
// null, a zero or no bytes; which of them is said beside it.
type Value struct {
	Bits  uint64
	Bytes []byte
}

func (v Value) isNaN(kind format.Type) bool {
	switch kind {
	case format.Float:
		return v.Bits&0x7fffffff > 0x7f800000
	case format.Double:
		return math.IsNaN(math.Float64frombits(v.Bits))
	}
	return false
}

// width returns the number of bytes of a number, and 0 for other types.
func width(kind format.Type) int {
	switch kind {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	}
	return 0
}

// decoder decodes the values of a page that are not null, one at a time. No decoder
// makes room for more than one value: what a page says of the number of its values
// costs nothing until they are there.
type decoder interface {
	next(v *Value) error
}

// errValues is the error of a page that has fewer values than rows.
var errValues = fmt.Errorf("the page has fewer values than its header says: %w", io.ErrUnexpectedEOF)

// plain is the encoding PLAIN.
type plain struct {
	kind  format.Type
	fixed int // bytes of a FixedLenByteArray
	data  []byte
	bit   int // of the first byte, for truth values
}

func (p *plain) next(v *Value) error {
	n := 0
	switch p.kind {
	case format.Boolean:
		if len(p.data) == 0 {
			return errValues
		}
		v.Bits = uint64(p.data[0]>>p.bit) & 1
		if p.bit++; p.bit == 8 {
			p.bit, p.data = 0, p.data[1:]
		}
		return nil
	case format.Int32, format.Float:
		if len(p.data) < 4 {
			return errValues
		}
		v.Bits = uint64(int64(int32(binary.LittleEndian.Uint32(p.data))))
		p.data = p.data[4:]
		return nil
	case format.Int64, format.Double:
		if len(p.data) < 8 {
			return errValues
		}
		v.Bits = binary.LittleEndian.Uint64(p.data)
		p.data = p.data[8:]
		return nil
	case format.Int96:
		n = 12
	case format.FixedLenByteArray:
		n = p.fixed
	default:
		if len(p.data) < 4 {
			return errValues
		}
		length := binary.LittleEndian.Uint32(p.data)
		p.data = p.data[4:]
		if uint64(length) > uint64(len(p.data)) {
			return errValues
		}
		n = int(length)
	}
	if len(p.data) < n {
		return errValues
	}
	v.Bytes = p.data[:n:n]
	p.data = p.data[n:]
	return nil
}

// runs is the hybrid of run lengths and bit-packed groups, called RLE.
type runs struct {
	data  []byte
	width int // bits of a value

	left   uint64 // values of the run at hand
	packed bool
	value  uint32 // of a run that is not packed
	bits   uint64 // of a packed run, that were read
	have   int    // bits in bits
}

// next returns the next value.
func (r *runs) next() (uint32, error) {
	for r.left == 0 {
		if err := r.begin(); err != nil {
			return 0, err
		}
	}
	r.left--
	if !r.packed {
		return r.value, nil
	}
	for r.have < r.width {
		if len(r.data) == 0 {
			return 0, errValues
		}
		r.bits |= uint64(r.data[0]) << r.have
		r.data = r.data[1:]
		r.have += 8
	}
	v := uint32(r.bits & (1<<r.width - 1))
	r.bits >>= r.width
	r.have -= r.width
	return v, nil
}

// begin reads the head of a run. What is left of a packed group is padding.
func (r *runs) begin() error {
	head, n := binary.Uvarint(r.data)
	if n <= 0 {
		return errValues
	}
	r.data = r.data[n:]
	r.bits, r.have = 0, 0
	if r.packed = head&1 != 0; r.packed {
		if head>>1 > math.MaxUint32 {
			return fmt.Errorf("a run of %d groups", head>>1)
		}
		r.left = head >> 1 * 8
		return nil
	}
	r.left = head >> 1
	size := (r.width + 7) / 8
	if len(r.data) < size {
		return errValues
	}
	r.value = 0
	for i := range size {
		r.value |= uint32(r.data[i]) << (8 * i)
	}
	r.data = r.data[size:]
	return nil
}

// truths are truth values in runs.
type truths struct{ runs }

func (t *truths) next(v *Value) error {
	n, err := t.runs.next()
	v.Bits = uint64(n)
	return err
}

// dictionary is the values that indices stand for.
type dictionary struct {
	values  plain
	size    int      // bytes of a value, or 0
	n       int      // values
	offsets []uint32 // of byte arrays, each with its length before it
}

func newDictionary(p *plain, n int) (*dictionary, error) {
	d := &dictionary{values: *p, n: n}
	switch p.kind {
	case format.Boolean:
		return nil, errors.New("a dictionary of truth values")
	case format.Int96:
		d.size = 12
	case format.FixedLenByteArray:
		d.size = p.fixed
	default:
		d.size = width(p.kind)
	}
	if n < 0 || n > len(p.data)/max(d.size, 4) { // byte arrays take four bytes at least
		return nil, errValues
	}
	if d.size > 0 {
		return d, nil
	}
	d.offsets = make([]uint32, n)
	for i := range d.offsets {
		d.offsets[i] = uint32(len(d.values.data) - len(p.data))
		if err := p.next(new(Value)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// indices are values of a dictionary.
type indices struct {
	runs
	dictionary *dictionary
}

func (x *indices) next(v *Value) error {
	i, err := x.runs.next()
	if err != nil {
		return err
	}
	d := x.dictionary
	if uint64(i) >= uint64(d.n) {
		return fmt.Errorf("value %d of a dictionary of %d", i, d.n)
	}
	p := d.values
	if d.size > 0 {
		p.data = p.data[int(i)*d.size:]
	} else {
		p.data = p.data[d.offsets[i]:]
	}
	return p.next(v)
}

// split is the encoding BYTE_STREAM_SPLIT: the first bytes of all values, then their
// second bytes, and so on.
type split struct {
	kind  format.Type
	width int
	data  []byte
	at    int
	value []byte
}

func (s *split) next(v *Value) error {
	n := len(s.data) / s.width
	if s.at >= n {
		return errValues
	}
	for i := range s.value {
		s.value[i] = s.data[i*n+s.at]
	}
	s.at++
	p := plain{kind: s.kind, fixed: s.width, data: s.value}
	return p.next(v)
}
