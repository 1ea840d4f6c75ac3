package a

import (
	"errors"
	"sync"
)

var encoded = sync.Pool{New: func() any { s := make([]int, 100); return &s }}

// encode returns its first argument, if that is large enough.
func encode(dst, src []int) []int {
	if n := len(src); n <= len(dst) {
		dst = dst[:n]
	} else {
		dst = make([]int, n)
	}
	copy(dst, src)
	return dst
}

func decode(dst, src []int) ([]int, error) {
	if len(src) == 0 {
		return dst, errors.New("none")
	}
	if len(src) <= cap(dst) {
		return append(dst[:0], src...), nil
	}
	return append([]int(nil), src...), nil
}

func onlyFailing(dst, src []int) ([]int, error) {
	if len(src) == 0 {
		return dst, errors.New("none")
	}
	return append([]int(nil), src...), nil
}

func borrowed(dst, src []int) (out []int, is bool) {
	if len(src) > 3 {
		return dst, true
	}
	return append([]int(nil), src...), false
}

func large(src []int) []int {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	return encode(*b, src) // want `memory of b is returned`
}

func unlessItFails(src []int) ([]int, error) {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	out, err := decode(*b, src)
	if err != nil {
		return nil, err
	}
	return out, nil // want `memory of b is returned`
}

func whereItFails(src []int) ([]int, error) {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	out, err := onlyFailing(*b, src)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func asked(src []int) []int {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	out := encode(*b, src)
	if &out[0] == &(*b)[0] {
		return append([]int(nil), out...)
	}
	return out
}

func tooSmall(src []int) []int {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	if cap(*b) >= len(src) {
		return nil
	}
	return encode(*b, src)
}

func without(src []int) []int {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	return encode((*b)[:0], src)
}

func told(src []int) []int {
	b := encoded.Get().(*[]int)
	defer encoded.Put(b)
	out, is := borrowed(*b, src)
	if is {
		return nil
	}
	return out
}

// A literal that is called at once returns the object on one of its paths.
func literals(src []int, as any) []int {
	b := bufsOf()
	out := func() []int {
		switch as.(type) {
		case string:
			return encode(b.own, src)
		case int:
			return nil
		}
		return append([]int(nil), src...)
	}()
	return append(out, b.done()...)
}

type owner struct{ own []int }

func bufsOf() *owner { return new(owner) }

func (o *owner) done() []int { return nil }
