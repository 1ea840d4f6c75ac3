// Package own has the arms of the study that take the rows to Parquet by
// systems/arrowlog. They are a package of their own so that a module with an older
// arrow-go can build the other arms.
package own

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
	"github.com/poolproof/poolproof/systems/arrowlog"
)

// Arms returns the arms: rows that are maps as published, the same rows as typed
// columns, and these written by arrow-go, whose files were the smallest when the
// study was made.
func Arms() []arrowallocators.Arm {
	return []arrowallocators.Arm{
		arm("arrowlog-maps", appendMaps, flush),
		arm("arrowlog", appendColumns(), flush),
		arm("arrowlog-small", appendColumns(), flushSmall()),
	}
}

func flush(e *arrowlog.Encoder, w io.Writer) error {
	_, err := e.FlushParquet(w)
	return err
}

// flushSmall returns a function that writes the rows of an encoder by arrow-go.
func flushSmall() func(*arrowlog.Encoder, io.Writer) error {
	s, err := newSmall(schema())
	if err != nil {
		panic(err) // the schema does not change
	}
	return func(e *arrowlog.Encoder, w io.Writer) error {
		defer e.Reset()
		return s.write(w, e.Batch())
	}
}

func arm(name string, add func(*arrowlog.Encoder, []arrowallocators.Row) error, write func(*arrowlog.Encoder, io.Writer) error) arrowallocators.Arm {
	return arrowallocators.NewArm(name, func() (arrowallocators.Memory, error) {
		e, err := arrowlog.New(schema(), arrowlog.Options{})
		if err != nil {
			return arrowallocators.Memory{}, err
		}
		return arrowallocators.Memory{
			Allocator: memory.NewGoAllocator(), // of what is not the path
			Path: func(w io.Writer, rows []arrowallocators.Row) error {
				if err := add(e, rows); err != nil {
					return err
				}
				return write(e, w)
			},
			Close: e.Close,
		}, nil
	})
}

// schema is that of the data set.
func schema() (s arrowlog.Schema) {
	none, err := arrowallocators.NewCells(nil)
	if err != nil {
		panic(err) // there is no row that could be wrong
	}
	kinds := map[arrowallocators.Kind]arrowlog.Kind{
		arrowallocators.String: arrowlog.String, arrowallocators.Int64: arrowlog.Int64,
		arrowallocators.Float64: arrowlog.Float64, arrowallocators.Bool: arrowlog.Bool,
	}
	for _, c := range none.Columns() {
		s.Columns = append(s.Columns, arrowlog.Column{Name: c.Name, Kind: kinds[c.Kind], LowCardinality: c.LowCardinality()})
	}
	return s
}

func appendMaps(e *arrowlog.Encoder, rows []arrowallocators.Row) error {
	for _, r := range rows {
		if err := e.AppendMap(r); err != nil {
			return err
		}
	}
	return nil
}

// appendColumns returns a function that turns the rows around at the first call:
// the input of these arms is columns.
func appendColumns() func(*arrowlog.Encoder, []arrowallocators.Row) error {
	var data []arrowlog.Data
	return func(e *arrowlog.Encoder, rows []arrowallocators.Row) error {
		if data == nil {
			cells, err := arrowallocators.NewCells(rows)
			if err != nil {
				return err
			}
			data = dataOf(cells)
		}
		return e.AppendColumns(len(rows), data...)
	}
}

// dataOf returns the columns as the encoder takes them. They share their memory.
func dataOf(cells *arrowallocators.Cells) (data []arrowlog.Data) {
	for _, c := range cells.Columns() {
		data = append(data, arrowlog.Data{Name: c.Name, Valid: c.Valid, Strings: c.Strings, Int64s: c.Int64s, Float64s: c.Float64s, Bools: c.Bools})
	}
	return data
}
