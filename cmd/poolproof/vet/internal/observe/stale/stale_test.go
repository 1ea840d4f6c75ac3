package stale_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestAFlagOfTheLastUser(t *testing.T) {
	const sets = "func (t *T) Finish(x bool) { if x { t.done = true } }\n"
	sourcetest.Stories(t, map[string][]string{
		"that nothing clears": {sets + `func F() int {
	t := get()
	defer put(t)
	if t.done {
		return 1
	}
	return t.n
}`, "F t: get 4, use Stale 6"},
		"that some code clears": {sets + `func F() int {
	t := get()
	defer put(t)
	if t.done {
		return 1
	}
	return t.n
}
func give(t *T) {
	t.done = false
	pool.Put(t)
}`},
		"set before it is read": {sets + `func F() int {
	t := get()
	defer put(t)
	t.done = cond()
	if t.done {
		return 1
	}
	return t.n
}`},
		"set before it is read on one path": {sets + `func F() int {
	t := get()
	defer put(t)
	if cond() {
		t.done = cond()
	}
	if t.done {
		return 1
	}
	return t.n
}`},
		"that no code sets": {`func F() int {
	t := get()
	defer put(t)
	if t.done {
		return 1
	}
	return t.n
}`},
		"in a struct that is cleared as a whole": {sets + `func F() int {
	t := get()
	defer put(t)
	if t.done {
		return 1
	}
	return t.n
}
func give(t *T) {
	*t = T{}
	pool.Put(t)
}`},
		"which a callee sets on some paths": {sets + `func F() bool {
	t := get()
	defer put(t)
	t.Finish(cond())
	return t.done
}`, "F t: get 4, use Stale 7"},
		"which the function itself sets on some paths": {`func F() bool {
	t := pool.Get().(*T)
	if cond() {
		t.done = true
	}
	done := t.done
	pool.Put(t)
	return done
}
func give(t *T) { t.done = false }`, "F t: get 3, use Stale 7"},
		"which the function itself clears before the put": {`func F() bool {
	t := pool.Get().(*T)
	if cond() {
		t.done = true
	}
	done := t.done
	t.done = false
	pool.Put(t)
	return done
}`},
		"set on another condition, after it was asked for": {`func F() int {
	t := get()
	defer put(t)
	if t.done {
		t.n = 2
	}
	if cond() {
		t.done = true
	}
	return t.n
}`, "F t: get 3, use Stale 5"},
		"which says that the rest was made once": {`func F() int {
	t := get()
	defer put(t)
	if !t.done {
		t.n = 1
		t.done = true
	}
	return t.n
}`},
	})
}

func TestWhatUsersAdd(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"elements": {`func F() int {
	t := get()
	defer put(t)
	t.b = append(t.b, 1)
	return len(t.b)
}`, "F t: get 3, use Stale 6"},
		"elements of a list that is emptied": {`func F() int {
	t := get()
	defer put(t)
	t.b = append(t.b[:0], 1)
	return len(t.b)
}`},
		"elements where there are too few": {`func F() byte {
	t := get()
	defer put(t)
	if t.n == len(t.b) {
		t.b = append(t.b, 1)
	}
	return t.b[t.n]
}`},
		"elements that a method cuts off": {`func F() int {
	t := get()
	defer put(t)
	t.b = append(t.b, 1)
	return len(t.b)
}
func (t *T) next() { t.b = t.b[1:] }`, "(*T).next t.b: exit CutField 8"},
	})
}

func TestTheContentOfTheLastUsers(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"read": {`var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
func F() string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString("x")
	return b.String()
}`, "F b: use Content 4"},
		"of one of two": {`var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
func F() string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	c := b
	if cond() {
		c = new(bytes.Buffer)
	}
	c.WriteString("x")
	return b.String()
}`, "F b: use Unreset 4"},
		"where no path leads": {`var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
func F(x bool) string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	if x {
		if !x {
			b.WriteString("x")
		}
	}
	return b.String()
}`, "F b: use Unreset 4"},
		"reset": {`var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
func F() string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString("x")
	return b.String()
}`},
		"reset by another function before the put": {`var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
func F() string {
	b := buffers.Get().(*bytes.Buffer)
	defer give(b)
	b.WriteString("x")
	return b.String()
}
func give(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}`},
		"decoded over": {`var pages = sync.Pool{New: func() any { return new(T) }}
func F(data []byte) error {
	p := pages.Get().(*T)
	defer pages.Put(p)
	return json.Unmarshal(data, p)
}`, "get : use Unreset 1", "F p: use Decoded 4"},
	})
}

func TestAResetThatLeavesFieldsOut(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"a flag": {`func (t *T) Reset() { t.b = t.b[:0]; t.n = 0; t.ref = nil }
func (t *T) Finish() { t.done = true }
func F() {
	t := pool.Get().(*T)
	t.Reset()
	pool.Put(t)
}`, "(*T).Reset : use Forgotten 2"},
		"a list, before the put": {`func give(t *T) {
	t.n = 0
	t.done = false
	pool.Put(t)
}
func F() {
	t := pool.Get().(*T)
	t.b = append(t.b, 1)
	give(t)
}`, "give : use Forgotten 5"},
		"none": {`func (t *T) Reset() { t.b = t.b[:0]; t.n = 0; t.ref = nil; t.done = false }
func (t *T) Finish() { t.done = true }
func F() {
	t := pool.Get().(*T)
	t.Reset()
	pool.Put(t)
}`},
	})
}
