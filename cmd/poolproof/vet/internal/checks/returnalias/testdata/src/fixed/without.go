package fixed

import "sync"

type box struct{ b []byte }

var boxes = sync.Pool{New: func() any { return new(box) }}

func withoutTheImport() []byte {
	b := boxes.Get().(*box)
	defer boxes.Put(b)
	return b.b // want `memory of b is returned`
}

type own []byte

func ofAnotherType() own {
	b := boxes.Get().(*box)
	defer boxes.Put(b)
	return own(b.b) // want `memory of b is returned`
}
