// Package zipdir compresses all files of a folder.
package zipdir

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Compress writes NAME.gz beside each file.
func Compress(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		out, err := os.Create(filepath.Join(dir, e.Name()+".gz"))
		if err != nil {
			return err
		}
		zw := writers.Get().(*gzip.Writer)
		defer writers.Put(zw) // want "PV016"
		zw.Reset(out)
		if _, err := zw.Write(data); err != nil {
			out.Close()
			return err
		}
		if err := errors.Join(zw.Close(), out.Close()); err != nil {
			return err
		}
	}
	return nil
}
