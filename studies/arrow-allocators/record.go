package arrowallocators

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Reserved is the number of values for which each builder of the published
// path reserves memory, whatever the batch holds.
const Reserved = 10_000

// Record is a batch of rows in Arrow's form.
type Record = arrow.RecordBatch

// newRecord takes over the arrays: the record keeps them.
func newRecord(arrays []arrow.Array, rows int) Record {
	defer release(arrays)
	return array.NewRecordBatch(schema, arrays, int64(rows))
}

func release(arrays []arrow.Array) {
	for _, a := range arrays {
		a.Release()
	}
}

// BuildRows makes a record of rows as the published path does: it notes for
// each column in which rows it is present, and fills a builder that has room
// for reserved values. All memory of the record comes from mem. The caller
// releases the record. A row with a column that the schema has not, or with a
// value of another type, is an error that names it.
func BuildRows(mem memory.Allocator, rows []Row, reserved int) (Record, error) {
	present := make([]map[int]bool, len(columns))
	for i := range present {
		present[i] = map[int]bool{}
	}
	for r, row := range rows {
		for name := range row {
			i, ok := columnIndex[name]
			if !ok {
				return nil, fmt.Errorf("row %d has a column %q, which the schema has not", r, name)
			}
			present[i][r] = true
		}
	}
	arrays := make([]arrow.Array, 0, len(columns))
	for i, c := range columns {
		a, err := buildColumn(mem, c, rows, present[i], reserved)
		if err != nil {
			release(arrays)
			return nil, err
		}
		arrays = append(arrays, a)
	}
	return newRecord(arrays, len(rows)), nil
}

// buildColumn makes the array of one column. present holds the rows that have
// it.
func buildColumn(mem memory.Allocator, c column, rows []Row, present map[int]bool, reserved int) (arrow.Array, error) {
	b := array.NewBuilder(mem, c.kind.arrowType())
	defer b.Release()
	b.Reserve(reserved)
	for r, row := range rows {
		if !present[r] {
			b.AppendNull()
			continue
		}
		value, ok := row[c.name], false
		switch b := b.(type) {
		case *array.StringBuilder:
			var v string
			if v, ok = value.(string); ok {
				b.Append(v)
			}
		case *array.Int64Builder:
			var v int64
			if v, ok = value.(int64); ok {
				b.Append(v)
			}
		case *array.Float64Builder:
			var v float64
			if v, ok = value.(float64); ok {
				b.Append(v)
			}
		case *array.BooleanBuilder:
			var v bool
			if v, ok = value.(bool); ok {
				b.Append(v)
			}
		}
		if !ok {
			return nil, cellError(r, c, value)
		}
	}
	return b.NewArray(), nil
}

// BuildCells makes the same record of typed columns, in builders that reserve
// what the batch has rows. The caller releases the record.
func BuildCells(mem memory.Allocator, in *Cells) Record {
	arrays := make([]arrow.Array, len(columns))
	for i, c := range columns {
		arrays[i] = buildCells(mem, c.kind, &in.columns[i])
	}
	return newRecord(arrays, in.Rows)
}

func buildCells(mem memory.Allocator, kind Kind, in *cells) arrow.Array {
	switch kind {
	case String:
		b := array.NewStringBuilder(mem)
		defer b.Release()
		return fill(b, b.Append, in.strings, in.valid)
	case Int64:
		b := array.NewInt64Builder(mem)
		defer b.Release()
		return fill(b, b.Append, in.ints, in.valid)
	case Float64:
		b := array.NewFloat64Builder(mem)
		defer b.Release()
		return fill(b, b.Append, in.floats, in.valid)
	default:
		b := array.NewBooleanBuilder(mem)
		defer b.Release()
		return fill(b, b.Append, in.bools, in.valid)
	}
}

// fill appends the values cell by cell, as a program does that has rows.
// Appending whole columns would copy whatever stands in the place of a null;
// AppendNull leaves that memory as the allocator gave it.
func fill[T any](b array.Builder, add func(T), values []T, valid []bool) arrow.Array {
	b.Reserve(len(values))
	for i, v := range values {
		if valid[i] {
			add(v)
		} else {
			b.AppendNull()
		}
	}
	return b.NewArray()
}
