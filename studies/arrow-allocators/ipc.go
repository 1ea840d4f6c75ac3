package arrowallocators

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// WriteIPC makes a record of cells and writes it as an Arrow IPC stream,
// compressed by zstd or not. All memory comes from mem.
func WriteIPC(w io.Writer, cells *Cells, mem memory.Allocator, compressed bool) error {
	record := BuildCells(mem, cells)
	defer record.Release()
	options := []ipc.Option{ipc.WithSchema(schema), ipc.WithAllocator(mem)}
	if compressed {
		options = append(options, ipc.WithZstd())
	}
	stream := ipc.NewWriter(w, options...)
	if err := stream.Write(record); err != nil {
		stream.Close() // repeats the error
		return fmt.Errorf("writing an IPC stream: %w", err)
	}
	if err := stream.Close(); err != nil {
		return fmt.Errorf("ending an IPC stream: %w", err)
	}
	return nil
}
