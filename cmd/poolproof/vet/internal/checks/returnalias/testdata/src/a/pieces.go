package a

import (
	"bufs"
	"bytes"
	"iter"
	"slices"
)

// What a function has cut out of the memory of an object, and calls functions with.

type row struct{ key []byte }

func rows() (all []row) {
	b := bufs.Get()
	defer bufs.Put(b)
	for _, field := range bytes.Fields(b.Bytes()) {
		all = append(all, row{field})
	}
	return all // want `refers to b is returned`
}

func copiedRows() (all []row) {
	b := bufs.Get()
	defer bufs.Put(b)
	for _, field := range bytes.Fields(b.Bytes()) {
		all = append(all, row{slices.Clone(field)})
	}
	return all
}

func second() []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	return bytes.Split(b.Bytes(), []byte(" "))[1] // want `refers to b is returned`
}

func couple(b, c []byte) [][]byte { return [][]byte{b, c} }

func one(c []byte) []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	return couple(b.Bytes(), c)[1]
}

func lastLine() (last []byte) {
	b := bufs.Get()
	defer bufs.Put(b)
	for line := range bytes.Lines(b.Bytes()) {
		last = line
	}
	return last // want `refers to b is returned`
}

func lastLineCopied() (last []byte) {
	b := bufs.Get()
	defer bufs.Put(b)
	for line := range bytes.Lines(b.Bytes()) {
		last = append(last[:0], line...)
	}
	return last
}

func upper(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(text) {
			if !yield(bytes.ToUpper(line)) {
				return
			}
		}
	}
}

func lastInCapitals() (last []byte) {
	b := bufs.Get()
	defer bufs.Put(b)
	for line := range upper(b.Bytes()) {
		last = line
	}
	return last
}

func fields() iter.Seq[[]byte] {
	b := bufs.Get()
	defer bufs.Put(b)
	return bytes.FieldsSeq(b.Bytes()) // want `refers to b is returned`
}

func each(text []byte, f func(line []byte)) {
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		f(text[:n])
		text = text[n:]
	}
}

func longest() []byte {
	var found []byte
	b := bufs.Get()
	defer bufs.Put(b)
	each(b.Bytes(), func(line []byte) {
		if len(line) > len(found) {
			found = line
		}
	})
	return found // want `refers to b is returned`
}

func length() (n int) {
	b := bufs.Get()
	defer bufs.Put(b)
	each(b.Bytes(), func(line []byte) { n = max(n, len(line)) })
	return n
}
