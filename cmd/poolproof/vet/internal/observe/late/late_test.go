package late_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestAfterAPut(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"a use": {`func F() int {
	t := get()
	put(t)
	return t.n
}`, "F t: get 3, put Released 4, use Read 5"},
		"a use of another object": {`func F() int {
	t := get()
	put(t)
	t = get()
	defer put(t)
	return t.n
}`},
		"a use on the path without the put": {`func F() {
	t := get()
	x := cond()
	if x {
		put(t)
	}
	if !x {
		use(t)
	}
}`, "F t: get 3, exit Return 11"},
		"a put on a path with the put": {`func F() {
	t := get()
	if cond() {
		put(t)
	}
	put(t)
}`, "F t: get 3, put Released 5, put 7"},
		"memory of the object": {`func F() byte {
	t := get()
	b := t.b
	put(t)
	return b[0]
}`, "F t: get 3, put Released 5, use Read 6 of Field"},
		"the length of memory that was loaded before": {`func F() int {
	t := get()
	b := t.b
	put(t)
	return len(b)
}`},
		"in the next round": {`func F(n int) {
	t := get()
	for range n {
		use(t)
		put(t)
	}
}`, "F t: get 3, put Released 6, use Passed 5", "F t: get 3, exit Return 8"},
		"of one of two names": {`func F() {
	t := get()
	u := t
	if cond() {
		u = get()
	}
	put(t)
	put(u)
}`, "F t: get 3, put Released 8, put 9 of Container"},
	})
}

func TestAfterADeferredPut(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"a deferred use, which runs before": {`func F() {
	t := get()
	defer put(t)
	defer use(t)
}`},
		"a deferred use, which runs after": {`func F() {
	t := get()
	defer use(t)
	defer put(t)
}`, "F t: get 3, put Released 5, use Passed 4"},
		"the result": {`func F() []byte {
	t := get()
	defer put(t)
	return t.b
}`, "F t: get 3, put Released 4, use Returned 5 of Field"},
		"an explicit put": {`func F() {
	t := get()
	defer put(t)
	put(t)
}`, "F t: get 3, put 5, put Released 4"},
		"an explicit put of which a flag tells": {`func F() {
	t := get()
	done := false
	defer func() {
		if !done {
			put(t)
		}
	}()
	put(t)
	done = true
}`},
	})
}

func TestAfterAPutByOthers(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"what the receiver of a channel puts": {`func F(n int) {
	c := make(chan *T)
	go func() {
		for t := range c {
			put(t)
		}
	}()
	t := get()
	c <- t
	use(t)
	close(c)
}`, "F t: get 9, put Handed 10, use Passed 11"},
		"what the receiver of a channel may keep": {`func F(n int) {
	c := make(chan *T)
	go func() {
		for t := range c {
			if t.done {
				put(t)
			}
		}
	}()
	t := get()
	c <- t
	use(t)
	close(c)
}`, "F t: get 11, put Handed 12, use Passed 13"},
		"what a field holds": {`type O struct { t *T }; func (o *O) close() { put(o.t) }
func F(o *O) {
	o.close()
	use(o.t)
}`, "(*O).close : put Released 2, exit StoredField 2", "F o.t: put Released 4, use Passed 5"},
		"what a field holds that the put empties": {`type O struct { t *T }; func (o *O) close() { put(o.t); o.t = get() }
func F(o *O) {
	o.close()
	use(o.t)
}`},
		"memory that a method returned of a field": {`type O struct { t *T }; func (o *O) close() { put(o.t); o.t = nil }; func (o *O) bytes() []byte { return o.t.b }
func F(o *O) byte {
	b := o.bytes()
	o.close()
	return b[0]
}`, "F the object in o: put Released 5, use Read 6 of Field"},
		"a list, each of which is put": {`func F(all []*T) {
	for _, t := range all {
		put(t)
	}
	use(all[0])
}`, "F : put Released 4, use Passed 6 of Container"},
		"a list that is emptied then": {`func F(all []*T) {
	for _, t := range all {
		put(t)
	}
	all = all[:0]
	for _, t := range all {
		use(t)
	}
}`},
		"a count of references of which one is kept": {`type R struct { T; refs int }; var rs = sync.Pool{New: func() any { return new(R) }}; func (r *R) free() { if r.refs--; r.refs == 0 { rs.Put(r) } }
func F() int {
	r := rs.Get().(*R)
	r.refs = 2
	r.free()
	return r.n
}`},
		"a count of references that this function has": {`type R struct { T; refs int }; var rs = sync.Pool{New: func() any { return new(R) }}; func (r *R) free() { if r.refs--; r.refs == 0 { rs.Put(r) } }
func F() int {
	r := rs.Get().(*R)
	r.refs = 1
	r.free()
	return r.n
}`, "F r: get 4, put Released 6, use Read 7 of Field"},
	})
}
