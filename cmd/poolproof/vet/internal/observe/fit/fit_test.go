package fit_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestWhatIsPutIsFit(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"a slice that grew": {`var slices = sync.Pool{}
func F(s string) {
	b := *slices.Get().(*[]byte)
	defer slices.Put(&b)
	b = append(b, s...)
}`, "F : use Unreset 4"},
		"the old slice of one that grew": {`var slices = sync.Pool{}
func F(s string) {
	p := slices.Get().(*[]byte)
	b := append(*p, s...)
	println(len(b))
	slices.Put(p)
}`, "F p: use Written 5, exit 7 of Memory", "F p: use Unreset 4"},
		"the slice that grew is stored back": {`var slices = sync.Pool{}
func F(s string) {
	p := slices.Get().(*[]byte)
	b := append(*p, s...)
	*p = b
	slices.Put(p)
}`, "F p: use Unreset 4"},
		"the beginning is cut off": {`var slices = sync.Pool{}
func F(n int) {
	b := slices.Get().([]byte)
	b = b[n:]
	slices.Put(b)
}`, "F b: use Cut 5, exit 6 of Memory"},
		"the end is cut off": {`var slices = sync.Pool{}
func F(n int) {
	b := slices.Get().([]byte)
	b = b[:n]
	slices.Put(b)
}`},
		"a deferred put whose argument is still nil": {`func F() {
	var t *T
	defer put(t)
	t = get()
	use(t)
}`, "F t: get 5, exit 5", "F : use Unset 5, exit 4"},
		"into a pool that lives on what is put": {`var others sync.Pool
func F() {
	t := get()
	others.Put(t)
}`},
		"into another pool": {`var others = sync.Pool{New: func() any { return new(T) }}
func F() {
	t := get()
	others.Put(t)
}`, "F t: get 4, put 5, exit Foreign 5"},
		"a part of it": {`type two struct { a, b T }
func F(x *two) {
	put(&x.a)
	x.b.n++
}`, "F x.a: put Released 4, exit Foreign 4"},
		"the bytes that Write has received": {`var slices = sync.Pool{}
type W struct{}
func (W) Write(b []byte) (int, error) {
	slices.Put(b)
	return len(b), nil
}`, "(W).Write b: put 5, exit Foreign 5"},
		"with a field that refers to another object": {`func F(o *int) {
	t := get()
	t.ref = o
	put(t)
}`},
		"with a field that is cleared": {`func F(o *int) {
	t := get()
	t.ref = o
	t.ref = nil
	put(t)
}`},
		"only slices of one length": {`var slices = sync.Pool{New: func() any { return make([]byte, 10) }}
func take(n int) []byte { return slices.Get().([]byte)[:n] }
func give(b []byte) {
	if len(b) == 10 {
		slices.Put(b)
	}
}`},
	})
}

func TestWhatAPutLeaves(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"a field": {`type O struct { t *T }
func (o *O) Close() { put(o.t) }`, "(*O).Close : put Released 3, exit StoredAgain 3"},
		"a field that is emptied": {`type O struct { t *T }
func (o *O) Close() { put(o.t); o.t = nil }`},
		"a field under a flag": {`type O struct { t *T; closed bool }
func (o *O) Close() {
	if o.closed {
		return
	}
	o.closed = true
	put(o.t)
}`},
		"the receiver": {`func (t *T) Close() { pool.Put(t) }`},
		"a list": {`type O struct { all []*T }
func (o *O) Close() {
	for _, t := range o.all {
		put(t)
	}
}`, "(*O).Close : put Released 5, exit StoredElement 5"},
	})
}
