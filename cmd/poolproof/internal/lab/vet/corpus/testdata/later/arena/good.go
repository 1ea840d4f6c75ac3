// Package arena is right.
package arena

import "sync"

type Value struct {
	kind int
	s    string
	list []*Value
}

type Arena struct {
	free []*Value
	all  []*Value
}

var arenas = sync.Pool{New: func() any { return new(Arena) }}

func (a *Arena) New() *Value {
	if n := len(a.free); n > 0 {
		v := a.free[n-1]
		a.free = a.free[:n-1]
		return v
	}
	v := new(Value)
	a.all = append(a.all, v)
	return v
}

func (a *Arena) Reset() {
	a.free = append(a.free[:0], a.all...)
	for _, v := range a.free {
		*v = Value{list: v.list[:0]}
	}
}

func Eval(src string) (n int) {
	a := arenas.Get().(*Arena)
	defer func() {
		a.Reset()
		arenas.Put(a)
	}()
	root := a.New()
	for _, c := range src {
		v := a.New()
		v.kind = int(c)
		root.list = append(root.list, v)
	}
	for _, v := range root.list {
		n += v.kind
	}
	return n
}
