// Package tarfiles adds files to an archive.
package tarfiles

import (
	"archive/tar"
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// Add adds the files to tw.
func Add(tw *tar.Writer, names []string) error {
	for _, name := range names {
		err := func() error {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			st, err := f.Stat()
			if err != nil {
				return err
			}
			br := buffers.Get().(*bufio.Reader)
			defer buffers.Put(br)
			br.Reset(f)
			if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: st.Size()}); err != nil {
				return err
			}
			_, err = io.Copy(tw, br)
			return err
		}()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
