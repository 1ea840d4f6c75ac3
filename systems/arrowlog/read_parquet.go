package arrowlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// parquetSource reads a Parquet file by parquet-go.
type parquetSource struct {
	file    *parquet.File
	leaves  []parquetLeaf
	tests   []int
	where   []Condition
	used    []bool
	groups  []parquet.RowGroup
	group   int   // the row group at hand, -1 before the first
	row     int64 // of the group, after the rows at hand
	rows    int   // at hand
	values  []parquet.Value
	pending []bool // columns whose rows at hand have not been read
}

// parquetLeaf is a column of the file.
type parquetLeaf struct {
	Column
	index   int // among the file's leaves
	convert func(parquet.Value) (Value, error)
	reason  string // why it cannot be read

	pages   parquet.Pages // of the row group at hand
	page    parquet.Page
	reader  parquet.ValueReader
	row     int64   // of the group, where the reader stands
	scratch *column // the rows at hand, for conditions
}

func openParquet(r io.ReaderAt, size int64) (source, error) {
	if err := checkFooter(r, size); err != nil {
		return nil, fmt.Errorf("a Parquet file of %d bytes: %w", size, err)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipBloomFilters(false))
	if err != nil {
		return nil, fmt.Errorf("a Parquet file of %d bytes: %w", size, err)
	}
	s := &parquetSource{file: f, groups: f.RowGroups(), group: -1}
	for _, c := range f.Root().Columns() {
		s.leaves = append(s.leaves, newParquetLeaf(c))
	}
	return s, nil
}

// checkFooter holds the length of the footer against that of the file: parquet-go
// makes room for as much as a damaged length says. The lengths in page headers are
// believed too, but the format bounds them by 2 GiB.
func checkFooter(r io.ReaderAt, size int64) error {
	var end [8]byte
	if size < 12 {
		return errors.New("it has no room for a footer: it was cut off")
	}
	if _, err := r.ReadAt(end[:], size-8); err != nil && err != io.EOF {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(end[:])); n > size-12 {
		return fmt.Errorf("the footer has %d bytes by its length, the file has room for %d", n, size-12)
	}
	return nil
}

// newParquetLeaf describes a column of the root.
func newParquetLeaf(c *parquet.Column) parquetLeaf {
	l := parquetLeaf{Column: Column{Name: c.Name()}}
	if !c.Leaf() || c.Repeated() {
		l.reason = "is a list or a structure"
		return l
	}
	l.index = int(c.Index())
	l.Kind, l.convert = conversion(c.Type())
	if l.convert == nil {
		l.reason = fmt.Sprintf("has the type %s", c.Type())
	}
	return l
}

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

func (s *parquetSource) columns(wanted map[string]bool) ([]Column, error) {
	var all []Column
	var usable []parquetLeaf
	for _, l := range s.leaves {
		if l.reason == "" {
			usable, all = append(usable, l), append(all, l.Column)
			continue
		}
		if wanted == nil || wanted[l.Name] {
			return nil, fmt.Errorf("arrowlog: column %q %s, which cannot be read; name the columns that you want", l.Name, l.reason)
		}
	}
	s.leaves = usable
	return all, nil
}

func (s *parquetSource) begin(where []Condition, tests, used []int) error {
	s.where, s.tests = where, tests
	s.used = make([]bool, len(s.leaves))
	s.pending = make([]bool, len(s.leaves))
	for _, i := range used {
		s.used[i] = true
	}
	return nil
}

func (s *parquetSource) next(size int, stats *ReadStats) (int, error) {
	for s.group < 0 || s.row >= s.groups[s.group].NumRows() {
		if err := s.closePages(); err != nil {
			return 0, err
		}
		if s.group+1 >= len(s.groups) {
			return 0, io.EOF
		}
		s.group++
		s.row = 0
		stats.Groups++
		skip, err := s.excluded()
		if err != nil {
			return 0, err
		}
		if skip {
			stats.GroupsSkipped++
			s.row = s.groups[s.group].NumRows()
		}
	}
	s.rows = int(min(int64(size), s.groups[s.group].NumRows()-s.row))
	s.row += int64(s.rows)
	for i := range s.pending {
		s.pending[i] = true
	}
	return s.rows, nil
}

// excluded reports whether no row of the group can satisfy the conditions, by the
// least and greatest values and the Bloom filters that the file has.
func (s *parquetSource) excluded() (bool, error) {
	for i := range s.where {
		c := &s.where[i]
		l := &s.leaves[s.tests[i]]
		chunk, ok := s.groups[s.group].ColumnChunks()[l.index].(*parquet.FileColumnChunk)
		if !ok {
			continue
		}
		if least, greatest, ok := chunk.Bounds(); ok {
			a, errA := l.convert(least)
			b, errB := l.convert(greatest)
			// arrow-go leaves empty texts of dictionary arrays out of the bounds.
			text := l.Kind == String || l.Kind == Bytes
			mayMissEmpty := text && c.holds(Value{kind: l.Kind})
			if errA == nil && errB == nil && !mayMissEmpty && c.excludes(a, b) {
				return true, nil
			}
		}
		if c.Op == Equal && (l.Kind == String || l.Kind == Bytes) {
			if filter := chunk.BloomFilter(); filter != nil {
				may, err := filter.Check(parquet.ByteArrayValue(c.Value.AsBytes()))
				if err != nil {
					return false, fmt.Errorf("the Bloom filter of column %q: %w", l.Name, err)
				}
				if !may {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

func (s *parquetSource) read(i int, to *column) error {
	l := &s.leaves[i]
	if !s.pending[i] { // a condition has looked at it
		to.appendColumn(l.scratch)
		return nil
	}
	s.pending[i] = false
	return s.readLeaf(l, to)
}

// scratch returns a column of the rows at hand.
func (s *parquetSource) scratch(i int) (*column, error) {
	l := &s.leaves[i]
	if l.scratch == nil {
		l.scratch = newColumn(l.Column)
	}
	if s.pending[i] {
		s.pending[i] = false
		l.scratch.reset()
		if err := s.readLeaf(l, l.scratch); err != nil {
			return nil, fmt.Errorf("column %q: %w", l.Name, err)
		}
	}
	return l.scratch, nil
}

// readLeaf appends the rows at hand of a column.
func (s *parquetSource) readLeaf(l *parquetLeaf, to *column) error {
	if l.pages == nil {
		l.pages = s.groups[s.group].ColumnChunks()[l.index].Pages()
		l.row = 0
	}
	first := s.row - int64(s.rows)
	if l.row != first { // rows between were not asked for
		l.endPage()
		if err := l.pages.SeekToRow(first); err != nil {
			return fmt.Errorf("row %d of row group %d: %w", first, s.group, err)
		}
		l.row = first
	}
	for left := s.rows; left > 0; {
		if l.reader == nil {
			page, err := l.pages.ReadPage()
			if err != nil {
				return fmt.Errorf("row %d of row group %d: %w", l.row, s.group, noEOF(err))
			}
			l.page, l.reader = page, page.Values()
		}
		s.values = append(s.values[:0], make([]parquet.Value, min(left, written))...)
		n, err := l.reader.ReadValues(s.values)
		for _, v := range s.values[:n] {
			if err := l.append(to, v); err != nil {
				return fmt.Errorf("row %d of row group %d: %w", l.row, s.group, err)
			}
			l.row++
		}
		left -= n
		if err == io.EOF {
			l.endPage()
		} else if err != nil {
			return fmt.Errorf("row %d of row group %d: %w", l.row, s.group, err)
		}
	}
	return nil
}

func (l *parquetLeaf) append(to *column, v parquet.Value) error {
	if v.IsNull() {
		to.appendNull()
		return nil
	}
	out, err := l.convert(v)
	if err != nil {
		return err
	}
	return to.append(out, ReplaceInvalid)
}

func (l *parquetLeaf) endPage() {
	if l.page != nil {
		parquet.Release(l.page)
	}
	l.page, l.reader = nil, nil
}

func (s *parquetSource) closePages() (err error) {
	for i := range s.leaves {
		l := &s.leaves[i]
		l.endPage()
		if l.pages != nil {
			err = errors.Join(err, l.pages.Close())
			l.pages = nil
		}
	}
	return err
}

func (s *parquetSource) close() error { return s.closePages() }

// noEOF turns the end of a file into an error where more must come.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// appendColumn appends all rows of a column of the same kind.
func (c *column) appendColumn(from *column) {
	for row := range from.rows {
		_ = c.append(from.value(row), ReplaceInvalid) // the kinds are the same
	}
}
