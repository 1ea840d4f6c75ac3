package arrowlog

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/parquetfile"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

// parquetSource reads a Parquet file.
type parquetSource struct {
	file   *parquetfile.File
	leaves []parquetLeaf
	tests  []int
	where  []condition
	group  int   // the row group at hand, -1 before the first
	row    int64 // of the group, after the rows at hand
	rows   int   // at hand
}

// parquetLeaf is a column of the file.
type parquetLeaf struct {
	sourceColumn
	column  parquetfile.Column
	convert converter

	chunk parquetfile.Chunk
	group int   // that chunk is of, -1 for none
	row   int64 // of the group, where chunk stands
}

func openParquet(r io.ReaderAt, size int64) (source, error) {
	f, err := parquetfile.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("a Parquet file of %d bytes: %w", size, err)
	}
	s := &parquetSource{file: f, group: -1}
	for _, c := range f.Columns {
		s.leaves = append(s.leaves, newParquetLeaf(c))
	}
	return s, nil
}

// newParquetLeaf describes a column of the root.
func newParquetLeaf(c parquetfile.Column) parquetLeaf {
	l := parquetLeaf{sourceColumn: sourceColumn{Column: Column{Name: c.Name}}, column: c, group: -1}
	if c.Leaf < 0 {
		l.reason = "is a list or a structure"
		return l
	}
	l.Kind, l.convert = conversion(c.SchemaElement)
	if l.convert == nil {
		l.reason = fmt.Sprintf("has the type %v %v", c.Type.V, c.LogicalType.Value)
	}
	return l
}

func (s *parquetSource) columns() (all []sourceColumn) {
	for _, l := range s.leaves {
		all = append(all, l.sourceColumn)
	}
	return all
}

func (s *parquetSource) begin(where []condition, tests []int) { s.where, s.tests = where, tests }

func (s *parquetSource) next(size int, stats *ReadStats) (int, error) {
	for s.group < 0 || s.row >= s.file.Groups[s.group].NumRows {
		if s.group+1 >= len(s.file.Groups) {
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
			s.row = s.file.Groups[s.group].NumRows
		}
	}
	s.rows = int(min(int64(size), s.file.Groups[s.group].NumRows-s.row))
	s.row += int64(s.rows)
	return s.rows, nil
}

func (s *parquetSource) fewer(rows int) {
	s.row -= int64(s.rows - rows)
	s.rows = rows
}

// excluded reports whether no row of the group can satisfy the conditions, by the
// least and greatest values, the counts of nulls and the Bloom filters that the file
// has.
func (s *parquetSource) excluded() (bool, error) {
	for i := range s.where {
		c := &s.where[i]
		l := &s.leaves[s.tests[i]]
		if s.file.AllNull(s.group, l.column) {
			return true, nil // a null satisfies no condition
		}
		if least, greatest, ok := s.file.Bounds(s.group, l.column); ok {
			a, errA := l.convert(least)
			a = a.clone()
			b, errB := l.convert(greatest)
			// arrow-go leaves empty texts of dictionary arrays out of the bounds.
			text := l.Kind == String || l.Kind == Bytes
			mayMissEmpty := text && c.holds(Value{kind: l.Kind})
			if errA == nil && errB == nil && !mayMissEmpty && l.ordered() && c.excludes(a, b) {
				return true, nil
			}
		}
		if c.op == where.Equal && l.column.Type.V == format.ByteArray && (l.Kind == String || l.Kind == Bytes) && l.ordered() {
			may, err := s.file.MayHave(s.group, l.column, c.value.AsBytes())
			if err != nil {
				return false, fmt.Errorf("column %q: %w", l.Name, err)
			}
			if !may {
				return true, nil
			}
		}
	}
	return false, nil
}

// ordered reports whether the values of the file are in the order of their Values:
// those of decimals that are read as text are not.
func (l *parquetLeaf) ordered() bool {
	_, decimal := l.column.LogicalType.Value.(*format.DecimalType)
	return !decimal && !(l.column.LogicalType.Value == nil && l.column.Scale.Valid)
}

func (s *parquetSource) unordered(i int) bool {
	return s.leaves[i].Kind == String && !s.leaves[i].ordered()
}

func (s *parquetSource) read(i int, to *column, taken *batchSize) error {
	l := &s.leaves[i]
	first := s.row - int64(s.rows)
	if l.group != s.group || l.row > first {
		if err := l.chunk.Open(s.file, s.group, l.column); err != nil {
			return fmt.Errorf("row group %d: %w", s.group, err)
		}
		l.group, l.row = s.group, 0
	}
	if l.row < first { // rows between were not asked for
		if err := l.chunk.Skip(first - l.row); err != nil {
			return fmt.Errorf("rows %d to %d of row group %d: %w", l.row, first, s.group, err)
		}
		l.row = first
	}
	for range s.rows {
		v, null, err := l.chunk.Next()
		if err == nil {
			err = l.append(to, v, null)
		}
		if err == nil {
			err = taken.add(len(v.Bytes))
		}
		if err != nil {
			return fmt.Errorf("row %d of row group %d: %w", l.row, s.group, err)
		}
		l.row++
	}
	return nil
}

func (l *parquetLeaf) append(to *column, v parquetfile.Value, null bool) error {
	if null {
		to.appendNull()
		return nil
	}
	out, err := l.convert(v)
	if err != nil {
		return err
	}
	return to.append(out, ReplaceInvalid)
}

func (s *parquetSource) close() error { return nil }

// appendColumn appends all rows of a column of the same kind.
func (c *column) appendColumn(from *column) {
	for row := range from.rows {
		_ = c.append(from.value(row), ReplaceInvalid) // the kinds are the same
	}
}
