package moved

import "sync"

// A lease has a function in itself that puts it, and its borrower gets that.
type leased struct {
	data   [64]byte
	redeem func()
}

var leases sync.Pool

func init() {
	leases.New = func() any {
		l := new(leased)
		l.redeem = func() { leases.Put(l) }
		return l
	}
}

func Lease() (*[64]byte, func()) {
	l := leases.Get().(*leased)
	return &l.data, l.redeem // fine "PV005|PV006" redeem puts it
}

func tracked(name string, end func()) func() { return end }

func LeaseTracked(name string) (*[64]byte, func()) {
	l := leases.Get().(*leased)
	return &l.data, tracked(name, l.redeem) // fine "PV005|PV006" redeem puts it
}

// A writer borrows memory for one call: what it has in the end is the caller's.
type borrowing struct{ b []byte }

var borrowers = sync.Pool{New: func() any { return new(borrowing) }}

func borrower(b []byte) *borrowing {
	w := borrowers.Get().(*borrowing)
	*w = borrowing{b: b}
	return w
}

func (w *borrowing) add(s string)  { w.b = append(w.b, s...) }
func (w *borrowing) bytes() []byte { return w.b }

func giveUp(w *borrowing) {
	*w = borrowing{}
	borrowers.Put(w)
}

func Encode(names []string) []byte {
	w := borrower(make([]byte, 0, 64))
	defer giveUp(w)
	for _, n := range names {
		w.add(n)
	}
	return w.bytes() // fine "PV003" the memory is not the pool's
}
