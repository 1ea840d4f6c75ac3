package arrowallocators

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// rowBuilders are the builders of the published path, one a column by its name. The
// published code finds its columns in the rows; here the schema has them.
type rowBuilders struct {
	mem      memory.Allocator
	reserved int
	columns  map[string]*rowBuilder
}

type rowBuilder struct {
	column
	builder array.Builder
}

// newRowBuilders makes builders that have room for reserved values each. Their
// memory, and that of the arrays, comes from mem. release frees them.
func newRowBuilders(mem memory.Allocator, reserved int) *rowBuilders {
	b := &rowBuilders{mem: mem, reserved: reserved, columns: make(map[string]*rowBuilder, len(columns))}
	for _, c := range columns {
		b.columns[c.name] = &rowBuilder{column: c}
	}
	b.renew()
	return b
}

// renew gives each column a new builder, as the published path does after each
// record, the last one included.
func (b *rowBuilders) renew() {
	for _, c := range columns {
		to := b.columns[c.name]
		if to.builder != nil {
			to.builder.Release()
		}
		to.builder = array.NewBuilder(b.mem, c.kind.arrowType())
		to.builder.Reserve(b.reserved)
	}
}

func (b *rowBuilders) release() {
	for _, c := range b.columns {
		c.builder.Release()
	}
}

// append appends rows: it notes for each column in which rows it is present, and
// then fills one builder after the other. A row with a column that the schema has
// not, or with a value of another type, is an error that names it.
func (b *rowBuilders) append(rows []Row) error {
	present := make(map[string][]bool)
	for name := range b.columns {
		present[name] = make([]bool, len(rows))
	}
	for r, row := range rows {
		for name := range row {
			if _, ok := b.columns[name]; !ok {
				return fmt.Errorf("row %d has a column %q, which the schema has not", r, name)
			}
			present[name][r] = true
		}
	}
	for _, c := range columns {
		if err := b.columns[c.name].append(rows, present[c.name]); err != nil {
			return err
		}
	}
	return nil
}

// append appends one column of rows. present says which of them have it.
func (b *rowBuilder) append(rows []Row, present []bool) error {
	for r, row := range rows {
		if !present[r] {
			b.builder.AppendNull()
			continue
		}
		value, ok := row[b.name], false
		switch to := b.builder.(type) {
		case *array.StringBuilder:
			var v string
			if v, ok = value.(string); ok {
				to.Append(v)
			}
		case *array.Int64Builder:
			var v int64
			if v, ok = value.(int64); ok {
				to.Append(v)
			}
		case *array.Float64Builder:
			var v float64
			if v, ok = value.(float64); ok {
				to.Append(v)
			}
		case *array.BooleanBuilder:
			var v bool
			if v, ok = value.(bool); ok {
				to.Append(v)
			}
		}
		if !ok {
			return cellError(r, b.column, value)
		}
	}
	return nil
}

// record makes a record of the rows that were appended. The caller releases it. (The
// published code keeps a count of each array, so that nothing it had from an
// allocator is ever freed; here the record alone holds them.)
func (b *rowBuilders) record(rows int) Record {
	arrays := make([]arrow.Array, len(columns))
	for i, c := range columns {
		arrays[i] = b.columns[c.name].builder.NewArray()
	}
	return newRecord(arrays, rows)
}

// BuildRows makes a record of rows as the published path does, in builders that have
// room for reserved values. All memory of the record comes from mem. The caller
// releases the record.
func BuildRows(mem memory.Allocator, rows []Row, reserved int) (Record, error) {
	b := newRowBuilders(mem, reserved)
	defer b.release()
	if err := b.append(rows); err != nil {
		return nil, err
	}
	return b.record(len(rows)), nil
}
