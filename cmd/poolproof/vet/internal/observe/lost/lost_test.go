package lost_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestAPathThatLosesWhatItGot(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"one of two returns": {`func F() {
	t := get()
	if cond() {
		return
	}
	put(t)
}`, "F t: get 3, exit Return 5"},
		"no put at all": {`func F() {
	t := get()
	use(t)
}`, "F t: get 3, exit 3"},
		"a return where the object is nil": {`func F() {
	t := find()
	if t == nil {
		return
	}
	put(t)
}
func find() *T {
	if cond() {
		return nil
	}
	return get()
}`},
		"an object that is too large": {`func F() {
	t := get()
	if cap(t.b) > 1000 {
		return
	}
	put(t)
}`},
		"an object of which the content decides": {`func F() {
	t := get()
	if t.b[0] > 1 {
		return
	}
	put(t)
}`, "F t: get 3, exit Return 5"},
		"a panic": {`func F() {
	t := get()
	if cond() {
		panic("no")
	}
	put(t)
}`},
		"the next round": {`func F(n int) {
	for range n {
		t := get()
		if cond() {
			continue
		}
		put(t)
	}
}`, "F t: get 4, exit NextRound 4"},
		"handed over as a result": {`func F() *T {
	t := get()
	if cond() {
		return t
	}
	put(t)
	return nil
}`},
		"handed over to a list": {`func F(all []*T) []*T { return append(all, get()) }`},
		"a callee that puts only where it fails": {`func fill(t *T) error {
	if cond() {
		put(t)
		return errNo
	}
	return nil
}
type no struct{}
func (no) Error() string { return "" }
var errNo error = no{}
func F() error {
	t := get()
	if err := fill(t); err != nil {
		return err
	}
	put(t)
	return nil
}
func G() error {
	t := get()
	return fill(t)
}`, "G t: get 21, exit Return 7"},
		"a goroutine that only uses it": {`func F() {
	t := get()
	go use(t)
}`, "F t: get 3, exit 3"},
		"a goroutine that puts it": {`func F() {
	t := get()
	go func() {
		use(t)
		put(t)
	}()
}`},
		"hidden by another variable": {`func F() {
	var t *T
	defer func() {
		if t != nil {
			put(t)
		}
	}()
	if cond() {
		t := get()
		use(t)
	}
}`, "F t: get 10, exit Hidden 4"},
	})
}

func TestAFunctionThatLosesWhatItWasGiven(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"left to it by a caller": {`func F() {
	t := get()
	take(t)
}
func take(t *T) {
	if cond() {
		return
	}
	put(t)
}`, "F t: get 3, exit Return 8", "take t: put Released 10, exit Untold 8"},
		"two returns that say the same": {`func take(t *T) bool {
	if cond() {
		return false
	}
	put(t)
	return false
}`, "take t: put Released 6, exit Untold 4"},
		"two returns that say it": {`func take(t *T) bool {
	if cond() {
		return false
	}
	put(t)
	return true
}`},
		"a field that is set to nil": {`type O struct { t *T }
func (o *O) begin() { o.t = get() }
func (o *O) end() { put(o.t); o.t = nil }
func (o *O) skip() {
	use(o.t)
	o.t = nil
}`, "(*O).skip o.t: exit Forgets 7"},
		"a field out of which nothing is taken": {`type O struct { t *T }
func (o *O) begin() { o.t = get() }
func (o *O) skip() { o.t = nil }`, "(*O).begin : get 3, exit KeptInField 3"},
		"a struct that holds it": {`type O struct { t *T }
func newO() *O { return &O{t: get()} }
func (o *O) Close() { put(o.t); o.t = nil }
func F() int {
	o := newO()
	return o.t.n
}
func G() int {
	o := newO()
	defer o.Close()
	return o.t.n
}`, "F o: get 6, exit 6"},
	})
}
