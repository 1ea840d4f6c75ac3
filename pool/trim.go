package pool

import "github.com/poolproof/poolproof/internal/drain"

// Trim drops the objects that wait for any goroutine, those in reserve among
// them, and returns how many. It cannot reach the one object that each other
// processor may hold for itself (two collections drop it), nor what a Local
// holds. It makes no object. Trim is safe for concurrent use; while others put
// objects it may leave some.
func (p *Pool[T]) Trim() int {
	p.must()
	s := p.more
	n := s.trimChecked()
	if s.reserve != nil {
		items, _ := s.reserve.Trim(0)
		n += items
	}
	if s.uses != nil {
		for s.inner.Get() != nil { //poolproof:drop what waits is what Trim drops
			n++
		}
		return n
	}
	if s.seesAll() {
		return n
	}
	for drain.Take(&p.objects) != nil { //poolproof:drop what waits is what Trim drops
		n++
	}
	return n
}
