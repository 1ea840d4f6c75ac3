package adapt

import (
	"io"
	"sync"

	"github.com/poolproof/poolproof/buffer"
)

// Body returns a reader of the bytes of s, from their start to their end, for an
// interface that takes an io.ReadCloser and closes it when it needs no more: the
// body of an http.Request is one. The reader has a reference of its own, which
// Close gives up: s stays as it is. A request that may have to be sent again gets
// one for each try:
//
//	content := b.Share()
//	defer content.Release()
//	req, err := http.NewRequest("POST", url, adapt.Body(content))
//	...
//	req.ContentLength = int64(len(content.Bytes()))
//	req.GetBody = func() (io.ReadCloser, error) { return adapt.Body(content), nil }
//
// Read and Close may be called at the same time. An HTTP client closes a body
// that its transport is still reading, when a request is cancelled, and may do so
// after Client.Do has returned. So memory that is read for a request must not be
// given up when Do returns, but when the body is closed. That is also why the
// reader has no WriteTo: it would hand its memory to a writer, and Close could not
// know whether that still reads it.
//
// Read returns io.EOF at the end and io.ErrClosedPipe after Close. Close waits for
// a Read in progress, which only copies; it returns nil, and does nothing the
// second time.
//
//poolproof:borrows s
func Body(s *buffer.Shared) io.ReadCloser {
	r := s.Retain()
	return &body{shared: r, rest: r.Bytes()}
}

// body is the type that Body returns.
type body struct {
	mu     sync.Mutex
	shared *buffer.Shared // nil after Close
	rest   []byte         // not read yet
}

func (b *body) Read(p []byte) (int, error) {
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

func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shared != nil {
		b.shared.Release()
		b.shared, b.rest = nil, nil
	}
	return nil
}
