// Package growing encodes records.
package growing

import (
	"encoding/binary"
	"io"
	"strconv"
	"sync"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

type Record struct {
	Key   string
	Value []byte
	TTL   int
}

func (r *Record) appendTo(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(r.Key)))
	b = append(b, r.Key...)
	return append(b, r.Value...)
}

func WriteAll(w io.Writer, rs []Record) error {
	bp := bufs.Get().(*[]byte)
	defer bufs.Put(bp)
	b := (*bp)[:0]
	for i := range rs {
		b = rs[i].appendTo(b) // want "PV013"
	}
	_, err := w.Write(b)
	return err
}

func Write(w io.Writer, r Record) (int, error) {
	bp := bufs.Get().(*[]byte)
	b := (*bp)[:0]
	b = r.appendTo(b)
	b = append(b, '\n')
	n, err := w.Write(b)
	*bp = b
	bufs.Put(bp)
	if err != nil {
		return n, &failure{strconv.Itoa(r.TTL), b} // want "PV001|PV003"
	}
	return n, nil
}

type failure struct {
	ttl string
	rec []byte
}

func (f *failure) Error() string { return f.ttl + string(f.rec) }
