package harness

import (
	"fmt"
	"io"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// work is one operation of a benchmark: what it does with the memory below
// Arrow, and where its output goes.
type work struct {
	name string
	rows int // of an operation
	run  func(mem arrowallocators.Memory, w io.Writer) error
}

// pathOf is the published path for a batch of n rows.
func pathOf(n int) work {
	name := "path"
	if n != arrowallocators.BatchRows {
		name = fmt.Sprintf("path-%d", n)
	}
	return work{name, n, func(mem arrowallocators.Memory, w io.Writer) error {
		if mem.Path != nil {
			return mem.Path(w, rowsOf(n))
		}
		_, err := arrowallocators.WritePath(w, rowsOf(n), mem, "")
		return err
	}}
}

var (
	path    = pathOf(arrowallocators.BatchRows)
	parquet = work{"parquet", arrowallocators.BatchRows, func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteParquet(w, record(), mem)
	}}
	build = work{"record", arrowallocators.BatchRows, func(mem arrowallocators.Memory, w io.Writer) error {
		arrowallocators.BuildCells(mem, cells()).Release()
		return nil
	}}
	ipc = work{"ipc", arrowallocators.BatchRows, func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteIPC(w, cells(), mem, false)
	}}
	ipcZstd = work{"ipc-zstd", arrowallocators.BatchRows, func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteIPC(w, cells(), mem, true)
	}}
)

// counted takes what an operation writes and keeps only the number of bytes.
type counted int64

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}
