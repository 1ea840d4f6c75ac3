package a

import "bytes"

func atOnce() {
	b := getBuffer()
	defer putBuffer(b)
}

func toThePool() {
	b := Exported().(*bytes.Buffer)
	defer pool.Put(b)
}

func inLiteral() {
	var b = getBuffer()
	defer func() {
		if b.Cap() < 1<<16 {
			pool.Put(b)
		}
	}()
}

func afterTheError(s *store) error {
	b, err := s.get()
	if err != nil {
		return err
	}
	defer putBuffer(b)
	return nil
}

// The caller puts: then its calls are to be named.
func handOver() *bytes.Buffer { return getBuffer() }

func notNamed(s *store) {
	b := s.other()
	b.Reset()
	x := pool.Get()
	pool.Put(x)
}
