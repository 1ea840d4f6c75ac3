package core

import "unsafe"

// FieldRules is a list of slice fields of structs, with what the program's text
// says of their arrays. One line each: a letter, and import/path.Type.Field, or
// import/path.Type.Field.Sub for a field of a struct that is a field. The rows of a field
// of slices have the field's name, and [] after it.
//
// The letter + says that the arrays are the struct's: each store to the field stores
// its own. A - says that an array may have another owner, if New did not make it, a ? that what the
// first New of a pool made may be for all objects, and a ! that not even one that New made is the struct's alone. A = and the number of a Keeping stand before
// import/path.Type, which may be followed by the function that it is true of, as import/path file.go:line.
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

// Keeping says what code outside keeps of objects from when they are made.
type Keeping uint8

// What is kept. Code may use it while the object is in a pool.
const (
	Nothing Keeping = iota
	Memory          // what a field refers to
	Objects
)

// A Function is one of the program: its name, and the place of its declaration.
type Function struct {
	Name, File string
	Line       uint64
}

// keeps is what the list says of the objects of a type that a function has made. by is nil if it is not
// known which.
func (l FieldRules) keeps(pkg, name string, by *Function) (k Keeping) {
	for rest := l.text; rest != "" && name != ""; {
		var first string
		if first, rest = cutLine(rest); len(first) < 2 || first[0] != '=' {
			continue
		}
		of, ok := cutText(first[2:], pkg, true)
		of, ok = cutText(of, ".", ok)
		if of, ok = cutText(of, name, ok); ok && (of == "" || by.is(of)) {
			if k = Keeping(first[1] - '0'); of != "" {
				return k
			}
		}
	}
	return k
}

// is reports whether f is the function of a line, as import/path file.go:line after a space.
func (f *Function) is(text string) bool {
	if f == nil || text[0] != ' ' {
		return false
	}
	space := 1
	for ; space < len(text) && text[space] != ' '; space++ {
	}
	name, ok := cutText(f.Name, text[1:space], true)
	if _, ok = cutText(name, ".", ok); !ok || space == len(text) {
		return false
	}
	file, line := text[space+1:], uint64(0)
	for unit := uint64(1); file != "" && file[len(file)-1] != ':'; unit *= 10 {
		line += unit * uint64(file[len(file)-1]-'0')
		file = file[:len(file)-1]
	}
	from := len(f.File) - len(file) + 1 // file ends with a colon
	return file != "" && line == f.Line && from >= 0 && f.File[from:] == file[:len(file)-1] && (from == 0 || f.File[from-1] == '/')
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
