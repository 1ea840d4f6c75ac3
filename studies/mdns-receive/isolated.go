package mdnsreceive

// Isolated is the buffer alone: taken, written to and given back, without a
// socket. use is what a receiver does with the buffer; it is a function value,
// so that the buffer leaves the function as it does on the real path.
type Isolated struct {
	use func(buf []byte) (used int)
}

// NewIsolated returns an Isolated whose buffers use sees. use must not keep
// them.
func NewIsolated(use func(buf []byte) (used int)) *Isolated { return &Isolated{use} }

// Make is the arm make, n times: a new buffer.
func (s *Isolated) Make(n int) (used int) {
	for range n {
		used += s.use(newBuffer())
	}
	return used
}

// Pool is the arm pool, n times: all of the buffer is cleared.
func (s *Isolated) Pool(n int) (used int) { return s.pooled(n, cleared) }

// NoClear is the arm noclear, n times.
func (s *Isolated) NoClear(n int) (used int) { return s.pooled(n, uncleared) }

// Used is the arm used, n times: what was used is cleared.
func (s *Isolated) Used(n int) (used int) { return s.pooled(n, usedCleared) }

func (s *Isolated) pooled(n int, buffers *bufferPool) (used int) {
	for range n {
		buf := buffers.get()
		u := s.use(*buf)
		buffers.put(buf, u)
		used += u
	}
	return used
}
