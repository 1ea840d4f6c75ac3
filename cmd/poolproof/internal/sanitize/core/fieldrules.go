package core

import "unsafe"

// FieldRules is a list of slice fields of structs, with what the program's text
// says of their arrays. One line each: a letter, and import/path.Type.Field, or
// import/path.Type.Field.Sub for a field of a struct that is a field. The rows of a field
// of slices have the field's name, and [] after it.
//
// The letter + says that the arrays are the struct's: each store to the field stores
// its own. A - says that an array may have another owner, if New did not make it, a ? that what the
// first New of a pool made may be for all objects, and a ! that not even one that New made is the struct's alone. A = stands before import/path.Type:
// objects of that type are given to code that keeps them, when they are made.
type FieldRules struct {
	text unsafe.Pointer
	n    uintptr
}

// NewFieldRules returns the list with the given text, which must stay.
func NewFieldRules(text unsafe.Pointer, n uintptr) FieldRules { return FieldRules{text, n} }

func (l FieldRules) at(i uintptr) byte { return *(*byte)(unsafe.Add(l.text, i)) }

// of returns the letter of the field that a path leads to, seen from any named struct on
// the way; 0 if the list does not have it. A ! counts most, then a ?, then a -.
func (l FieldRules) of(path []step) (rule byte) {
	for i := uintptr(0); i < l.n; {
		end := i
		for end < l.n && l.at(end) != '\n' {
			end++
		}
		if end > i && stronger(l.at(i), rule) {
			for from := range path {
				if l.line(i+1, end, path[from:]) {
					rule = l.at(i)
					break
				}
			}
		}
		i = end + 1
	}
	return rule
}

func stronger(a, b byte) bool { return strength(a) > strength(b) }

func strength(rule byte) int {
	switch rule {
	case '+':
		return 1
	case '-':
		return 2
	case '?':
		return 3
	case '!':
		return 4
	}
	return 0
}

// registered reports whether the list has a type with =.
func (l FieldRules) registered(pkg, name string) bool {
	if name == "" {
		return false
	}
	for i := uintptr(0); i < l.n; {
		end := i
		for end < l.n && l.at(end) != '\n' {
			end++
		}
		if end > i && l.at(i) == '=' && l.is(i+1, end, pkg, name) {
			return true
		}
		i = end + 1
	}
	return false
}

// is reports whether a line from i on is pkg.name.
func (l FieldRules) is(i, end uintptr, pkg, name string) bool {
	if end-i != uintptr(len(pkg)+1+len(name)) {
		return false
	}
	for k := 0; k < len(pkg); k++ {
		if l.at(i+uintptr(k)) != pkg[k] {
			return false
		}
	}
	i += uintptr(len(pkg))
	if l.at(i) != '.' {
		return false
	}
	for k := 0; k < len(name); k++ {
		if l.at(i+1+uintptr(k)) != name[k] {
			return false
		}
	}
	return true
}

func (l FieldRules) line(i, end uintptr, path []step) bool {
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
		if path[k].rows {
			eat("[]")
		}
	}
	return ok && i == end
}
