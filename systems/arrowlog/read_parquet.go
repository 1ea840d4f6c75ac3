package arrowlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
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
