package arrowallocators

import (
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
