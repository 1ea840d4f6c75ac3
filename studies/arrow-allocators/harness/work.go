package harness

import (
	"io"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// work is one operation of a benchmark: what it does with the memory below
// Arrow, and where its output goes.
type work struct {
	name string
	run  func(mem arrowallocators.Memory, w io.Writer) error
}

var (
	path = work{"path", func(mem arrowallocators.Memory, w io.Writer) error {
		if mem.Path != nil {
			return mem.Path(w, rows())
		}
		_, err := arrowallocators.WritePath(w, rows(), mem, "")
		return err
	}}
	parquet = work{"parquet", func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteParquet(w, record(), mem)
	}}
	build = work{"record", func(mem arrowallocators.Memory, w io.Writer) error {
		arrowallocators.BuildCells(mem, cells()).Release()
		return nil
	}}
	ipc = work{"ipc", func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteIPC(w, cells(), mem, false)
	}}
	ipcZstd = work{"ipc-zstd", func(mem arrowallocators.Memory, w io.Writer) error {
		return arrowallocators.WriteIPC(w, cells(), mem, true)
	}}
)

// counted takes what an operation writes and keeps only the number of bytes.
type counted int64

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}
