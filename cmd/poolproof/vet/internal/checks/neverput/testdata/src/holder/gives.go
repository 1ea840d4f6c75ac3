package holder

// A hold is a struct that its users have by value. Its code does not show that a value is held.
type hold struct {
	value *page
	count *int
}

type shelf struct {
	current *page
	readers int
}

//poolproof:gives
func (s *shelf) acquire() (h hold) {
	s.readers++
	h.value, h.count = s.current, &s.readers
	return
}

func (h *hold) ok() bool     { return h.value != nil }
func (h *hold) get() *page   { return h.value }
func (h *hold) rows() int    { return h.value.rows }
func (h *hold) swap(p *page) { h.value = p }

//poolproof:owns h.value
func (h *hold) release() {
	*h.count--
	h.value = nil
}

//poolproof:gives
func (h *hold) move() hold {
	moved := hold{h.value, h.count}
	h.value, h.count = nil, nil
	return moved
}

//poolproof:owns h.value on success
func (s *shelf) replace(h *hold) bool {
	if s.current == h.value {
		return false
	}
	s.current, h.value = h.value, nil
	return true
}

func released(s *shelf) int {
	h := s.acquire()
	defer h.release()
	return h.rows()
}

func neverReleased(s *shelf) int {
	h := s.acquire() // want `neither puts it nor hands it on`
	if !h.ok() {
		return 0
	}
	return h.rows()
}

func moved(s *shelf, to chan *hold) {
	h := s.acquire()
	m := h.move()
	to <- &m
}

func movedAndLost(s *shelf) int {
	h := s.acquire()
	m := h.move() // want `neither puts it nor hands it on`
	return m.rows()
}

func replaced(s, other *shelf) bool {
	h := s.acquire()
	return other.replace(&h)
}

type reader struct{ h hold }

func (r *reader) open(s *shelf) { r.h = s.acquire() }
func (r *reader) close()        { r.h.release() }

type idle struct{ held hold }

func (r *idle) open(s *shelf) { r.held = s.acquire() } // want `goes into the field held`

//poolproof:gives
func (s *shelf) page() *page { return s.current }

//poolproof:owns p
func (s *shelf) back(p *page) {}

func lent(s *shelf) int {
	p := s.page()
	defer s.back(p)
	return p.rows
}

func lost(s *shelf) int {
	return s.page().rows // want `neither puts it nor hands it on`
}
