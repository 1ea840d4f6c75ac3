package duet

import "sync"

// tail keeps the last 64 KiB at least of what is written to it, or, once a
// crash begins in it, the first 64 KiB from there: a report of a crash begins
// with its reason, and the stacks after it may be long.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	full bool // holds a crash and takes no more
}

const tailSize = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full {
		return len(b), nil
	}
	t.buf = append(t.buf, b...)
	if len(t.buf) <= 2*tailSize {
		return len(b), nil
	}
	keep := t.buf[len(t.buf)-tailSize:]
	if at := crash.FindIndex(t.buf); at != nil && len(t.buf)-at[0] > tailSize {
		keep, t.full = t.buf[at[0]:at[0]+tailSize], true
	}
	t.buf = append(t.buf[:0], keep...)
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
