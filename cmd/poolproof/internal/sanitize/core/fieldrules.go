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
type FieldRules struct{ text string }

// NewFieldRules returns the list with the given text, which must stay.
func NewFieldRules(text unsafe.Pointer, n uintptr) FieldRules {
	return FieldRules{unsafe.String((*byte)(text), n)}
}

// cutLine cuts the first line off a text.
func cutLine(text string) (first, rest string) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// of returns the letter of the field that a path leads to, seen from any named struct on
// the way; 0 if the list does not have it. A ! counts most, then a ?, then a -.
func (l FieldRules) of(path []step) (rule byte) {
	for rest := l.text; rest != ""; {
		var first string
		if first, rest = cutLine(rest); first == "" || strength(first[0]) <= strength(rule) {
			continue
		}
		for from := range path {
			if leadsTo(first[1:], path[from:]) {
				rule = first[0]
				break
			}
		}
	}
	return rule
}

// strength orders the letters; it is -1 for others.
func strength(rule byte) int {
	const weakest = "+-?!"
	for i := range weakest {
		if weakest[i] == rule {
			return i
		}
	}
	return -1
}

// registered reports whether the list has a type with =.
func (l FieldRules) registered(pkg, name string) bool {
	for rest := l.text; rest != "" && name != ""; {
		var first string
		if first, rest = cutLine(rest); first != "" && first[0] == '=' {
			of, ok := cutText(first[1:], pkg, true)
			if of, ok = cutText(of, ".", ok); ok && of == name {
				return true
			}
		}
	}
	return false
}

// cutText is the rest of a text behind a prefix, if it has that.
func cutText(text, prefix string, ok bool) (string, bool) {
	if !ok || len(text) < len(prefix) || text[:len(prefix)] != prefix {
		return "", false
	}
	return text[len(prefix):], true
}

// leadsTo reports whether a line is that of the field that a path leads to.
func leadsTo(rest string, path []step) bool {
	rest, ok := cutText(rest, path[0].pkg, true)
	rest, ok = cutText(rest, ".", ok)
	rest, ok = cutText(rest, path[0].name, ok)
	for k := range path {
		rest, ok = cutText(rest, ".", ok)
		rest, ok = cutText(rest, path[k].field, ok)
		if path[k].rows {
			rest, ok = cutText(rest, "[]", ok)
		}
	}
	return ok && rest == ""
}
