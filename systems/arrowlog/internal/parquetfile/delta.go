package parquetfile

import (
	"encoding/binary"
	"fmt"
)

// deltas is the encoding DELTA_BINARY_PACKED: blocks of differences to the value
// before, each block of small groups that are packed with bits of their own.
type deltas struct {
	data  []byte
	left  uint64 // values that have not been read
	value int64  // the next
	first bool   // the next value stands in the head

	group  uint64 // values of a group
	groups uint64 // of a block
	least  int64  // difference of the block at hand
	widths []byte // of the groups of the block that have not begun
	width  int    // of the group at hand
	rest   uint64 // values of the group at hand
	bits   bitReader
}

// newDeltas reads the head.
func newDeltas(data []byte) (*deltas, error) {
	d := &deltas{data: data, first: true}
	block := d.uvarint()
	d.groups = d.uvarint()
	d.left = d.uvarint()
	d.value = d.varint()
	if d.data == nil {
		return nil, errValues
	}
	if block == 0 || d.groups == 0 || block%d.groups != 0 || block/d.groups%8 != 0 || d.groups > 1<<16 || block > 1<<32 {
		return nil, fmt.Errorf("blocks of %d values in %d groups", block, d.groups)
	}
	d.group = block / d.groups
	return d, nil
}

// uvarint reads a number; at the end of the data it makes data nil.
func (d *deltas) uvarint() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data = nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *deltas) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// number returns the next value.
func (d *deltas) number() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	if d.first {
		d.first = false
		d.left--
		return d.value, nil
	}
	if d.rest == 0 {
		if err := d.begin(); err != nil {
			return 0, err
		}
	}
	delta, ok := d.bits.read(d.width)
	if !ok {
		return 0, errValues
	}
	d.rest--
	d.left--
	d.value += d.least + int64(delta) // overflow wraps, as the format says
	return d.value, nil
}

// begin begins a group, and a block before it if that is due. Groups after the last
// value are not there.
func (d *deltas) begin() error {
	if len(d.widths) == 0 {
		d.least = d.varint()
		if d.data == nil || uint64(len(d.data)) < d.groups {
			return errValues
		}
		d.widths, d.data = d.data[:d.groups], d.data[d.groups:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	if d.width > 64 {
		return fmt.Errorf("a group of %d bits a value", d.width)
	}
	size := d.group / 8 * uint64(d.width)
	d.bits = bitReader{data: d.data[:min(size, uint64(len(d.data)))]}
	d.data = d.data[len(d.bits.data):]
	d.rest = d.group
	return nil
}

func (d *deltas) next(v *Value) error {
	n, err := d.number()
	v.Bits = uint64(n)
	return err
}

// int32s are deltas of 32 bits, which wrap there.
type int32s struct{ *deltas }

func (d int32s) next(v *Value) error {
	n, err := d.number()
	v.Bits = uint64(int64(int32(n)))
	return err
}

// end passes over all values, which must be at most most, and returns the data after
// them.
func (d *deltas) end(most int) ([]byte, error) {
	if d.left > uint64(most) {
		return nil, fmt.Errorf("%d values in a page of %d", d.left, most)
	}
	for d.left > 0 {
		if _, err := d.number(); err != nil {
			return nil, err
		}
	}
	return d.data, nil
}

// bitReader reads numbers of up to 64 bits, the least significant bit first.
type bitReader struct {
	data []byte
	at   int // bit
}

func (b *bitReader) read(width int) (v uint64, ok bool) {
	if b.at+width > 8*len(b.data) {
		return 0, false
	}
	for got := 0; got < width; {
		part := uint64(b.data[b.at/8]) >> (b.at % 8)
		n := min(8-b.at%8, width-got)
		v |= part & (1<<n - 1) << got
		got += n
		b.at += n
	}
	return v, true
}

// texts are the encodings DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY: the lengths
// of the values, and before them, if there are any, the lengths of what each has in
// common with the value before.
type texts struct {
	prefixes *deltas // or nil
	lengths  *deltas
	data     []byte
	value    []byte
	fixed    int // bytes of a FixedLenByteArray, or -1
}

func newTexts(data []byte, values, fixed int, prefixes bool) (t *texts, err error) {
	t = &texts{fixed: fixed}
	for _, d := range []**deltas{&t.prefixes, &t.lengths} {
		if d == &t.prefixes && !prefixes {
			continue
		}
		if *d, err = newDeltas(data); err != nil {
			return nil, err
		}
		passed := **d
		if data, err = passed.end(values); err != nil {
			return nil, err
		}
	}
	t.data = data
	return t, nil
}

func (t *texts) next(v *Value) error {
	n, err := t.lengths.number()
	if err != nil {
		return err
	}
	if n < 0 || n > int64(len(t.data)) {
		return errValues
	}
	v.Bytes = t.data[:n:n]
	t.data = t.data[n:]
	if t.prefixes != nil {
		p, err := t.prefixes.number()
		if err != nil {
			return err
		}
		if p < 0 || p > int64(len(t.value)) {
			return fmt.Errorf("a value has %d bytes in common with one of %d", p, len(t.value))
		}
		t.value = append(t.value[:p], v.Bytes...)
		v.Bytes = t.value
	}
	if t.fixed >= 0 && len(v.Bytes) != t.fixed {
		return fmt.Errorf("a value of %d bytes in a column of %d", len(v.Bytes), t.fixed)
	}
	return nil
}
