package daily

import (
	"hash/fnv"
	"io"
	"sync"
)

type space struct{ b []byte }

var spaces = sync.Pool{New: func() any { return &space{make([]byte, 4096)} }}

func scratch(n int) (s *space, pooled bool) {
	if n > 4096 {
		return &space{make([]byte, n)}, false
	}
	return spaces.Get().(*space), true
}

// The space is given back before the sum of it is made.
func Digest(r io.Reader, n int) (uint64, error) {
	s, pooled := scratch(n)
	_, err := io.ReadFull(r, s.b[:n])
	if pooled {
		spaces.Put(s)
	}
	if err != nil {
		return 0, err
	}
	h := fnv.New64a()
	h.Write(s.b[:n]) // want "PV001"
	return h.Sum64(), nil
}

// A read that ends early and has nothing to show for it meets both conditions.
func Peek(r io.Reader, n int) (string, error) {
	s := spaces.Get().(*space)
	k, err := r.Read(s.b[:n])
	if err != nil {
		spaces.Put(s)
	}
	if k == 0 {
		spaces.Put(s) // want "PV002"
		return "", err
	}
	text := string(s.b[:k]) // may "PV001"
	if err == nil {
		spaces.Put(s)
	}
	return text, err
}
