package a

import (
	"bytes"
	"hash"
	"hash/crc32"
	"io"
	"sync"
)

var dirty = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(v string) string {
	b := dirty.Get().(*bytes.Buffer) // want `PV011 no-reset \(warning\): nothing resets b, so that this function reads what all its users before wrote; reset it after Get or before Put`
	defer dirty.Put(b)
	io.WriteString(b, v)
	return b.String()
}

var sums = sync.Pool{New: func() any { return crc32.NewIEEE() }}

func sum(p []byte) uint32 {
	h := sums.Get().(hash.Hash32) // want `\(warning\): nothing resets h, so that this function reads`
	defer sums.Put(h)
	h.Write(p)
	return h.Sum32()
}

var slices = sync.Pool{New: func() any { return new([]int) }}

func collect(n int) int {
	p := slices.Get().(*[]int) // want `this \*\[\]int still holds the data of its last user`
	for i := range n {
		*p = append(*p, i)
	}
	n = len(*p)
	slices.Put(p)
	return n
}

var maps = sync.Pool{New: func() any { return map[string]int{} }}

func unique(words []string) int {
	m := maps.Get().(map[string]int) // want `this map\[string\]int still holds the data of its last user`
	defer maps.Put(m)
	for _, w := range words {
		m[w]++
	}
	return len(m)
}

type form struct {
	name  string
	admin bool
}

var forms = sync.Pool{New: func() any { return new(form) }}

func sometimes(name string, root bool, check func(string, bool)) {
	f := forms.Get().(*form)
	f.name = name
	if root {
		f.admin = true
	}
	check(f.name, f.admin) // want `\(warning\): the field admin is read as the last user of f left it`
	forms.Put(f)
}
