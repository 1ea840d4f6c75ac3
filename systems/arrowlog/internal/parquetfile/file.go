// Package parquetfile reads the flat columns of Parquet files that are not trusted.
// It believes no count and no length: metadata is walked before it is decoded,
// pages are decompressed into as much memory as their bytes can fill, and values are
// decoded one at a time. A damaged or hostile file gives an error, and its pages take
// at most [MaxHeld] bytes.
//
// The format is described in https://github.com/apache/parquet-format.
package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"
	"github.com/parquet-go/parquet-go/format"
)

// File is a file whose footer has been read. It may be used by one goroutine at a
// time.
type File struct {
	// Columns are those of the schema's root.
	Columns []Column

	// Groups are the row groups.
	Groups []format.RowGroup

	r      io.ReaderAt
	end    int64 // of the pages: where the footer begins
	orders []format.ColumnOrder
	held   int64 // bytes of the pages of all chunks
}

// Column is a column of the schema's root.
type Column struct {
	*format.SchemaElement

	// Leaf is its index among the chunks of a row group, or -1 for a column of lists
	// or structures, which cannot be read.
	Leaf int
}

const (
	magic     = "PAR1"
	maxFooter = 64 << 20
)

// Open reads and checks the footer of a file of size bytes.
func Open(r io.ReaderAt, size int64) (*File, error) {
	const tail = 4 + int64(len(magic)) // the footer's length and the magic bytes
	var end [tail]byte
	if size < int64(len(magic))+tail {
		return nil, errors.New("it has no room for a footer: it was cut off")
	}
	if err := readAt(r, end[:], size-tail); err != nil {
		return nil, err
	}
	switch got := string(end[4:]); got {
	case magic:
	case "PARE":
		return nil, errors.New("it is encrypted")
	default:
		return nil, fmt.Errorf("it ends with %q, not with %q: it was cut off", got, magic)
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	switch room := size - tail - int64(len(magic)); {
	case n > room:
		return nil, fmt.Errorf("the footer has %d bytes by its length, the file has room for %d", n, room)
	case n > maxFooter:
		return nil, fmt.Errorf("the footer has %d bytes, at most %d are read", n, maxFooter)
	}
	footer := make([]byte, n)
	if err := readAt(r, footer, size-tail-n); err != nil {
		return nil, err
	}
	var m format.FileMetaData
	if _, err := unmarshal(footer, &m); err != nil {
		return nil, fmt.Errorf("the footer of %d bytes: %w", n, err)
	}
	if m.EncryptionAlgorithm.Value != nil {
		return nil, errors.New("it is encrypted")
	}
	f := &File{Groups: m.RowGroups, r: r, end: size - tail - n, orders: m.ColumnOrders}
	return f, f.open(m.Schema)
}

// open describes the columns and checks the row groups against them.
func (f *File) open(schema []format.SchemaElement) error {
	if len(schema) == 0 {
		return errors.New("the footer has no schema")
	}
	leaves := 0
	at := 1
	for range schema[0].NumChildren.V {
		if at >= len(schema) {
			return errors.New("the schema has fewer columns than its root says")
		}
		c := Column{SchemaElement: &schema[at], Leaf: -1}
		first := leaves
		for open := int64(1); open > 0; at++ { // the column and all that is in it
			if at >= len(schema) {
				return fmt.Errorf("the schema ends inside of column %q", c.Name)
			}
			children := int64(schema[at].NumChildren.V)
			if children < 0 {
				return fmt.Errorf("the schema's element %d has %d children", at, children)
			}
			if children == 0 && schema[at].Type.Valid {
				leaves++
			}
			open += children - 1
		}
		if c.Type.Valid && c.NumChildren.V == 0 && c.RepetitionType.V != format.Repeated {
			c.Leaf = first
		}
		f.Columns = append(f.Columns, c)
	}
	for i := range f.Groups {
		g := &f.Groups[i]
		switch {
		case g.NumRows < 0:
			return fmt.Errorf("row group %d has %d rows", i, g.NumRows)
		case len(g.Columns) != leaves:
			return fmt.Errorf("row group %d has %d columns, the schema has %d", i, len(g.Columns), leaves)
		case leaves == 0 && g.NumRows > 0:
			return fmt.Errorf("row group %d has %d rows of no columns", i, g.NumRows)
		}
		for j := range g.Columns {
			if c := &g.Columns[j]; c.FilePath != "" || c.CryptoMetadata.Value != nil {
				return fmt.Errorf("row group %d, column %d is encrypted or in another file", i, j)
			}
		}
	}
	return nil
}

// Bounds returns the least and the greatest value of a column in a row group, as far
// as the file says and the format defines them. It is false if any row may have
// another value.
func (f *File) Bounds(group int, c Column) (least, greatest Value, ok bool) {
	m := &f.Groups[group].Columns[c.Leaf].MetaData
	s := &m.Statistics
	a, b := s.MinValue, s.MaxValue
	if c.Leaf >= len(f.orders) || !isTypeDefined(f.orders[c.Leaf]) {
		a, b = nil, nil
	}
	switch m.Type {
	case format.Boolean:
		if len(a) != 1 || len(b) != 1 {
			return least, greatest, false
		}
		return Value{Bits: uint64(a[0])}, Value{Bits: uint64(b[0])}, true
	case format.Int32, format.Float, format.Int64, format.Double:
		p := plain{kind: m.Type}
		for i, text := range [...][]byte{a, b} {
			p.data = text
			v := &least
			if i == 1 {
				v = &greatest
			}
			if len(text) != width(m.Type) || p.next(v) != nil || v.isNaN(m.Type) {
				return least, greatest, false // bounds that are NaN say nothing
			}
		}
		return least, greatest, true
	case format.ByteArray, format.FixedLenByteArray:
		return Value{Bytes: a}, Value{Bytes: b}, a != nil && b != nil
	}
	return least, greatest, false
}

func isTypeDefined(o format.ColumnOrder) bool {
	_, ok := o.Value.(*format.TypeDefinedOrder)
	return ok
}

// AllNull reports whether the file says that all rows of a column in a group are
// null.
func (f *File) AllNull(group int, c Column) bool {
	g := &f.Groups[group]
	return g.NumRows > 0 && g.Columns[c.Leaf].MetaData.Statistics.NullCount == g.NumRows
}

// MayHave asks the Bloom filter of a column of byte arrays in a row group. It is true
// if there is none that can be read.
func (f *File) MayHave(group int, c Column, value []byte) (bool, error) {
	offset := f.Groups[group].Columns[c.Leaf].MetaData.BloomFilterOffset
	if offset <= 0 {
		return true, nil
	}
	var h format.BloomFilterHeader
	size, err := f.header(offset, &h)
	if err != nil {
		return false, fmt.Errorf("the Bloom filter at byte %d: %w", offset, err)
	}
	_, split := h.Algorithm.Value.(*format.SplitBlockAlgorithm)
	_, hash := h.Hash.Value.(*format.XxHash)
	_, bare := h.Compression.Value.(*format.BloomFilterUncompressed)
	if !split || !hash || !bare {
		return true, nil
	}
	start, n := offset+size, int64(h.NumBytes)
	if n < bloom.BlockSize || n%bloom.BlockSize != 0 || n > f.end-start {
		return false, fmt.Errorf("the Bloom filter at byte %d has %d bytes", offset, n)
	}
	return bloom.CheckSplitBlock(io.NewSectionReader(f.r, start, n), n, xxhash.Sum64(value))
}

// header decodes a structure that stands between the pages and returns its size.
func (f *File) header(at int64, v any) (int64, error) {
	if at < int64(len(magic)) || at >= f.end {
		return 0, fmt.Errorf("it lies outside of the %d bytes of the pages", f.end)
	}
	const most = 16 << 20
	for n := int64(512); ; n *= 8 {
		b := make([]byte, min(n, f.end-at, most))
		if err := readAt(f.r, b, at); err != nil {
			return 0, err
		}
		size, err := unmarshal(b, v)
		if errors.Is(err, errShort) && int64(len(b)) == n && n < most {
			continue
		}
		return int64(size), err
	}
}

// readAt fills p.
func readAt(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	switch {
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}
