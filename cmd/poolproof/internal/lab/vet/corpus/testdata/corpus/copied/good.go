package copied

import (
	"bytes"
	"sync"
)

func byPointer(p *sync.Pool) *bytes.Buffer {
	return p.Get().(*bytes.Buffer) // fine "PV019" a pointer
}

func addressed(s *server) *bytes.Buffer {
	return byPointer(&s.pool) // fine "PV019" its address
}

func indexed(list []server) (n int) {
	for i := range list {
		n += len(list[i].name) // fine "PV019" by index
	}
	return n
}

func made() *server {
	s := server{name: "made"} // fine "PV019" a literal is no copy
	return &s
}
