package buffer

import (
	"io"
	"sync"
)

// Body reads the bytes of a [Shared], from their start to their end, for an
// interface that takes an io.ReadCloser and closes it when it needs no more: the
// body of an http.Request is one. It holds a reference of its own, which Close
// gives up. The zero value is a closed Body.
//
// Read and Close may be called at the same time. An HTTP client closes a body
// that its transport is still reading, when a request is cancelled, and may do so
// after Client.Do has returned. So memory that is read for a request must not be
// given up when Do returns, but when the body is closed. That is also why Body has
// no WriteTo: it would hand its memory to a writer, and Close could not know
// whether that still reads it.
type Body struct {
	mu     sync.Mutex
	shared *Shared // nil after Close
	rest   []byte
}

// Body returns a reader of the bytes of s, with a reference of its own: s stays
// as it is. A request that may have to be sent again gets one for each try:
//
//	content := b.Share()
//	defer content.Release()
//	req, err := http.NewRequest("POST", url, content.Body())
//	...
//	req.ContentLength = int64(len(content.Bytes()))
//	req.GetBody = func() (io.ReadCloser, error) { return content.Body(), nil }
//
//poolproof:borrows s
func (s *Shared) Body() *Body {
	s.must("Body")
	r := s.Retain()
	return &Body{shared: r, rest: r.part}
}

// Read copies bytes that were not read yet into p. It returns io.EOF at their end,
// and io.ErrClosedPipe after Close.
func (b *Body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.shared == nil:
		return 0, io.ErrClosedPipe
	case len(b.rest) == 0 && len(p) > 0:
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close gives the reference up. It waits for a Read in progress, which only
// copies. It returns nil, and does nothing the second time.
func (b *Body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shared != nil {
		b.shared.Release()
		b.shared, b.rest = nil, nil
	}
	return nil
}
