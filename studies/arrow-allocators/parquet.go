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
// its default level, a dictionary for each column, Arrow's schema in the metadata.
// What the writer takes from an allocator comes from mem, except for the buffers for
// which arrow-go always uses its default one.
func WriteParquet(w io.Writer, record Record, mem memory.Allocator) error {
	return writeParquet(w, record, mem, func() {})
}

// writeParquet is WriteParquet with a call between the record and the end of the
// file. Without mem the writer has arrow-go's default allocator.
func writeParquet(w io.Writer, record Record, mem memory.Allocator, written func()) (err error) {
	out := &errorWriter{w: w}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("arrow-go panics: %v", v)
		}
		if out.err != nil {
			err = out.err
		}
		if err != nil {
			err = fmt.Errorf("writing Parquet: %w", err)
		}
	}()
	props := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(true)}
	arrowProps := []pqarrow.WriterOption{pqarrow.WithStoreSchema()}
	if mem != nil {
		props, arrowProps = append(props, parquet.WithAllocator(mem)), append(arrowProps, pqarrow.WithAllocator(mem))
	}
	file, err := pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(props...), pqarrow.NewArrowWriterProperties(arrowProps...))
	if err != nil {
		return err
	}
	if err := file.Write(record); err != nil {
		return err
	}
	written()
	return file.Close()
}

// errorWriter remembers the first error of w: where w fails, arrow-go 18.4.1
// panics with words of its own at the first bytes of a file and reports nothing
// at some of the others. It hides that w may be closed: arrow-go closes what it
// can.
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
