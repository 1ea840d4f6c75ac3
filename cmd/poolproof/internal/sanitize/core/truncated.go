package core

import "unsafe"

// TruncatedFields is a list of slice fields that the program truncates in
// place (x.f = x.f[:0]): the memory of such a field stays with its struct. One
// line each: import/path.Type.Field, or import/path.Type.Field.Sub for a field
// of a struct that is a field.
type TruncatedFields struct {
	text unsafe.Pointer
	n    uintptr
}

// NewTruncatedFields returns the list with the given text, which must stay.
func NewTruncatedFields(text unsafe.Pointer, n uintptr) TruncatedFields {
	return TruncatedFields{text, n}
}

func (l TruncatedFields) at(i uintptr) byte { return *(*byte)(unsafe.Add(l.text, i)) }

// has reports whether the list has the field that a path leads to.
func (l TruncatedFields) has(path []step) bool {
	for i := uintptr(0); i < l.n; {
		end := i
		for end < l.n && l.at(end) != '\n' {
			end++
		}
		if l.line(i, end, path) {
			return true
		}
		i = end + 1
	}
	return false
}

func (l TruncatedFields) line(i, end uintptr, path []step) bool {
	ok := true
	eat := func(s string) {
		for k := 0; ok && k < len(s); k++ {
			if i == end || l.at(i) != s[k] {
				ok = false
				return
			}
			i++
		}
	}
	eat(path[0].pkg)
	eat(".")
	eat(path[0].name)
	for k := range path {
		eat(".")
		eat(path[k].field)
	}
	return ok && i == end
}
