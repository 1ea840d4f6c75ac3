// Package other stores into a type of its own for its callers, and for types of others.
package other

import "sync"

// Line is pooled by other packages.
type Line struct {
	B    []byte
	rest []byte
}

// Reset truncates in place.
func (l *Line) Reset() { l.B, l.rest = l.B[:0], l.rest[:0] }

// Add appends in place.
func (l *Line) Add(s string) { l.B, l.rest = append(l.B, s...), append(l.rest, s...) }

// Last holds the slice that a Source returned last.
type Last struct{ data []byte }

// Next returns the source's memory.
func (l *Last) Next(s string) []byte {
	l.data = append(make([]byte, 0, 2*len(s)), s...)
	return l.data
}

// Data returns it again.
func (l *Last) Data() []byte { return l.data }

// Shared is memory of this package.
var Shared = append(make([]byte, 0, 64), "shared by all that import it"...)

// Rest stores into the field that only this package sees.
func Rest(l *Line, from *Last) { l.rest = from.data }

// Words is pooled here, and its field is stored to by others.
type Words struct{ List []string }

var words = sync.Pool{New: func() any { return new(Words) }}

// GetWords gives an empty list.
func GetWords() *Words { return words.Get().(*Words) }

// Put truncates in place.
func (w *Words) Put() {
	w.List = w.List[:0]
	words.Put(w)
}

// Add appends in place.
func (w *Words) Add(s string) { w.List = append(w.List, s) }

// Box is a generic holder.
type Box[E any] struct{ Items []E }

// Clear truncates in place.
func (b *Box[E]) Clear() { b.Items = b.Items[:0] }

// Push appends in place.
func (b *Box[E]) Push(e E) { b.Items = append(b.Items, e) }
