package arrowallocators

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// WritePath is the published path: rows become a record, the record a Parquet
// file in the folder temp ("" is the system's), and the file is copied to w.
// It returns the size of the file in bytes. Nothing is kept: neither builders
// nor the temporary file, also if it fails.
func WritePath(w io.Writer, rows []Row, mem Memory, temp string) (size int64, err error) {
	reserved := Reserved
	if mem.Presize {
		reserved = len(rows)
	}
	record, err := BuildRows(mem, rows, reserved)
	if err != nil {
		return 0, err
	}
	defer record.Release()
	f, err := os.CreateTemp(temp, "arrow-allocators-*.parquet")
	if err != nil {
		return 0, fmt.Errorf("no temporary file can be made, is there a folder TMPDIR that may be written to: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	return spool(w, f, record, mem)
}

// spool writes the record to the temporary file and copies that to w.
func spool(w io.Writer, f *os.File, record Record, mem memory.Allocator) (int64, error) {
	if err := WriteParquet(f, record, mem); err != nil {
		return 0, fmt.Errorf("the temporary file %s, has its folder room (TMPDIR names another): %w", f.Name(), err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("the temporary file %s: %w", f.Name(), err)
	}
	size, err := io.Copy(w, f)
	if err != nil {
		return size, fmt.Errorf("copying the temporary file %s to the output: %w", f.Name(), err)
	}
	return size, nil
}
