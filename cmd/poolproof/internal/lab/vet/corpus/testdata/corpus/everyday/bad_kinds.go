package everyday

import "bytes"

// either may be both: one constructor sets two flags.
type either struct {
	buf         *bytes.Buffer
	small, keep bool
}

func newEither() *either { return &either{buf: buffers.Get().(*bytes.Buffer), small: true, keep: true} }

func (e *either) close() {
	if e.small {
		buffers.Put(e.buf)
	}
	if e.keep {
		e.buf.Reset() // want "PV001|PV002"
	}
	e.buf = nil
}

// switched has a flag that a method sets.
type switched struct {
	buf       *bytes.Buffer
	fast, big bool
}

func newSwitched() *switched { return &switched{buf: buffers.Get().(*bytes.Buffer), fast: true} }

func (s *switched) grow() { s.big = true }

func (s *switched) close() {
	if s.fast {
		buffers.Put(s.buf)
	}
	if s.big {
		s.buf.Reset() // want "PV001|PV002"
	}
	s.buf = nil
}
