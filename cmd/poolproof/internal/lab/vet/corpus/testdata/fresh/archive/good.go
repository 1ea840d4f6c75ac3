package archive

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"hash"
	"io"
)

func openRight(r io.Reader, c io.Closer) (*readerRight, error) {
	gz, ok := gzReaders.Get().(*gzip.Reader)
	if !ok {
		var err error
		if gz, err = gzip.NewReader(r); err != nil {
			return nil, err // fine "PV005" there is none
		}
		return &readerRight{gz, c}, nil
	}
	if err := gz.Reset(r); err != nil {
		gzReaders.Put(gz)
		return nil, err
	}
	return &readerRight{gz, c}, nil // fine "PV006" Close puts it
}

type readerRight struct {
	gz   *gzip.Reader
	next io.Closer
}

func (r *readerRight) Read(p []byte) (int, error) {
	if r.gz == nil {
		return 0, errors.New("closed")
	}
	return r.gz.Read(p)
}

func (r *readerRight) Close() error {
	if r.gz == nil {
		return nil
	}
	err := r.gz.Close()
	gzReaders.Put(r.gz)
	r.gz = nil // fine "PV015" cleared
	return errors.Join(err, r.next.Close())
}

func checksumRight(p []byte) uint32 {
	h := sums.Get().(hash.Hash32)
	defer sums.Put(h)
	h.Reset()
	h.Write(p)
	return h.Sum32() // fine "PV003" a number
}

// all reads a whole file and closes it.
func all(r io.Reader, c io.Closer) (_ []byte, err error) {
	rd, err := openRight(r, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rd.Close()) }() // fine "PV006" closed here
	return io.ReadAll(rd)
}

func deflateRight(p []byte) (_ []byte, err error) {
	var out bytes.Buffer
	w := flates.Get().(*flate.Writer)
	defer flates.Put(w)
	w.Reset(&out)
	if _, err := w.Write(p); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil // fine "PV003" out is the function's own
}

// dir closes each file of a directory before the next one.
func dir(files []io.ReadCloser, w io.Writer) error {
	for _, f := range files {
		rd, err := openRight(f, f)
		if err != nil {
			f.Close()
			return err
		}
		_, err = io.Copy(w, rd)
		if err := errors.Join(err, rd.Close()); err != nil { // fine "PV005" closed here
			return err
		}
	}
	return nil
}
