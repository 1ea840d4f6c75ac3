package arrowallocators

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// WriteParquet writes the record as a Parquet file of one row group: zstd at
// its default level, a dictionary for each column. What the writer takes from
// an allocator comes from mem, except for the buffers for which arrow-go always
// uses its default one.
func WriteParquet(w io.Writer, record Record, mem memory.Allocator) (err error) {
	// arrow-go panics where the first bytes cannot be written, for instance.
	defer func() {
		if v := recover(); v != nil {
			err = asError(v)
		}
		if err != nil {
			err = fmt.Errorf("writing Parquet: %w", err)
		}
	}()
	failing := &errorWriter{w: w}
	props := parquet.NewWriterProperties(
		parquet.WithAllocator(mem),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(true))
	file, err := pqarrow.NewFileWriter(schema, failing, props, pqarrow.NewArrowWriterProperties(pqarrow.WithAllocator(mem)))
	if err != nil {
		return failing.or(err)
	}
	if err := file.WriteBuffered(record); err != nil {
		return failing.or(err)
	}
	if err := file.Close(); err != nil {
		return failing.or(err)
	}
	return failing.err
}

// errorWriter remembers the first error of w, which arrow-go may wrap without
// its identity, turn into a panic or lose. It hides that w may be closed:
// arrow-go closes what it can.
type errorWriter struct {
	w   io.Writer
	err error
}

func (e *errorWriter) Write(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.w.Write(p)
	e.err = err
	return n, err
}

// or returns the writer's error, or err if it had none.
func (e *errorWriter) or(err error) error {
	if e.err != nil {
		return e.err
	}
	return err
}

func asError(v any) error {
	if err, ok := v.(error); ok {
		return err
	}
	return fmt.Errorf("%v", v)
}
