package arrowallocators

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// WritePath is the published path: rows become a record, the record a Parquet
// file in the folder temp ("" is the system's), and the file is copied to w.
// Only the builders take memory from mem; the Parquet writer has arrow-go's default
// allocator, and after the record the builders are made once more. It returns the
// size of the file in bytes. Nothing is kept: neither builders nor the temporary
// file, also if it fails.
func WritePath(w io.Writer, rows []Row, mem Memory, temp string) (size int64, err error) {
	reserved := Reserved
	if mem.Presize {
		reserved = len(rows)
	}
	builders := newRowBuilders(mem, reserved)
	defer builders.release()
	if err := builders.append(rows); err != nil {
		return 0, err
	}
	f, err := os.CreateTemp(temp, "arrow-allocators-*.parquet")
	if err != nil {
		return 0, fmt.Errorf("no temporary file can be made, is there a folder TMPDIR that may be written to: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	return spool(w, f, builders, len(rows))
}

// spool writes the record of the builders to the temporary file and copies that to w.
func spool(w io.Writer, f *os.File, builders *rowBuilders, rows int) (int64, error) {
	record := builders.record(rows)
	defer record.Release()
	err := writeParquet(f, record, nil, builders.renew)
	if err != nil {
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
