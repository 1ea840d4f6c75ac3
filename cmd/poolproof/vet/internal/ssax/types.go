package ssax

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Pointee returns what a pointer points to, nil for what is no pointer.
func Pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// IsPointer reports whether a type is a pointer.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsSlice reports whether a type is a slice.
func IsSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// IsString reports whether a type is a string.
func IsString(t types.Type) bool { return isBasic(t, types.IsString) }

// IsBool reports whether a type is a bool.
func IsBool(t types.Type) bool { return isBasic(t, types.IsBoolean) }

// IsInteger reports whether a type is an integer.
func IsInteger(t types.Type) bool { return isBasic(t, types.IsInteger) }

func isBasic(t types.Type, kind types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

// Textual reports whether a type is a string or a slice: its header refers to
// memory.
func Textual(t types.Type) bool { return t != nil && (IsString(t) || IsSlice(t)) }

// IsError reports whether a type is error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// IsMemory reports whether what refers to a value of the type shares its memory: a
// slice or a map. What a pointer points to is another object.
func IsMemory(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// MemoryFields returns the fields of a struct that are, or hold, slices or maps.
func MemoryFields(t types.Type) (fields []int) {
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		if t := st.Field(i).Type(); IsMemory(t) || len(MemoryFields(t)) > 0 {
			fields = append(fields, i)
		}
	}
	return fields
}

// ElemHasPointers reports whether a slice of the type may refer to memory by its elements;
// true for what is no slice.
func ElemHasPointers(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return !ok || HasPointers(s.Elem())
}

// HasPointers reports whether a value of the type can refer to memory.
func HasPointers(t types.Type) bool { return hasPointers(t, 0) }

func hasPointers(t types.Type, depth int) bool {
	if depth > 10 {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Info()&types.IsString != 0
	case *types.Array:
		return hasPointers(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if hasPointers(v.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// ObjectType returns the type of an object: that to which it is asserted, if it
// is got as an interface.
func ObjectType(v ssa.Value) types.Type {
	if types.IsInterface(v.Type()) && v.Referrers() != nil {
		for _, ref := range *v.Referrers() {
			if a, ok := ref.(*ssa.TypeAssert); ok {
				return a.AssertedType
			}
		}
	}
	return v.Type()
}

// IsBuffer reports whether a type is a buffer, all of whose memory is its own: a
// slice of what has no pointers, a pointer to one, an array of bytes, or a
// buffer of the standard library.
func IsBuffer(t types.Type) bool {
	if t == nil {
		return false
	}
	if elem := Pointee(t); elem != nil {
		t = elem
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
		case "bytes.Buffer", "strings.Builder":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return !HasPointers(u.Elem())
	case *types.Array:
		return !HasPointers(u.Elem())
	}
	return false
}
