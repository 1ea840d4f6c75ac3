package ssax

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Is reports whether a value or an instruction is of a kind: Is[*ssa.Alloc](v).
func Is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

// IsLoad reports whether an operation reads from memory.
func IsLoad(u *ssa.UnOp) bool { return u.Op == token.MUL }

// Load returns v as a load, nil if it is none.
func Load(v ssa.Value) *ssa.UnOp {
	if u, ok := v.(*ssa.UnOp); ok && IsLoad(u) {
		return u
	}
	return nil
}

// Strip removes what does not change which memory a value is.
func Strip(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		default:
			return v
		}
	}
}

// Truth returns the value of a constant bool; known is false of any other value.
func Truth(v ssa.Value) (value, known bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Value), true
}

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// Extracted returns value i of a tuple, nil if it is not used.
func Extracted(tuple ssa.Value, i int) ssa.Value {
	for _, ref := range *tuple.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
			return e
		}
	}
	return nil
}

// FieldVar returns the field whose address a value is, as its struct was declared.
func FieldVar(addr ssa.Value) *types.Var {
	at, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	st, ok := Pointee(at.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return st.Field(at.Field).Origin()
}

// SliceField returns the field that is, or points to, the slice which a store to an address gives another value;
// nil if it is in none.
func SliceField(addr ssa.Value) *types.Var {
	if load := Load(addr); load != nil && IsSlicePointer(addr) {
		addr = load.X // *x.p = (*x.p)[n:]
	}
	return FieldVar(addr)
}

// ListField returns the field with the list of which an address is an element, nil if it is none.
func ListField(addr ssa.Value) *types.Var {
	index, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	if load := Load(index.X); load != nil {
		return FieldVar(load.X)
	}
	return FieldVar(index.X)
}

// FieldName returns the name of the field whose address is taken.
func FieldName(addr *ssa.FieldAddr) string {
	if st, ok := Pointee(addr.X.Type()).Underlying().(*types.Struct); ok {
		return st.Field(addr.Field).Name()
	}
	return ""
}

// BoolField returns the field whose address a value is, if it is a bool.
func BoolField(addr ssa.Value) *types.Var {
	if v := FieldVar(addr); v != nil && IsBool(v.Type()) {
		return v
	}
	return nil
}

// Copies reports whether a conversion makes new memory: those between strings
// and slices do.
func Copies(c *ssa.Convert) bool { return IsString(c.X.Type()) != IsString(c.Type()) }

// Emptied reports whether a slice expression leaves no capacity, x[:0:0]: what is
// appended to it is new memory.
func Emptied(s *ssa.Slice) bool { return IsInt(s.Max, 0) }

// Number returns the value of a constant integer or bool: true is 1. Known is false of any other value.
func Number(v ssa.Value) (n int64, known bool) {
	if yes, known := Truth(v); known {
		if yes {
			n = 1
		}
		return n, true
	}
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return c.Int64(), true
}

// IsInt reports whether a value is a constant integer.
func IsInt(v ssa.Value, n int64) bool {
	is, known := Number(v)
	return known && is == n && !IsBool(v.Type())
}

// IsVariadic reports whether v is the slice of arguments of a variadic call that
// are given one by one.
func IsVariadic(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	_, ok = s.X.(*ssa.Alloc)
	return ok
}

// AnyArray reports whether a is the array of a variadic ...any.
func AnyArray(a *ssa.Alloc) bool {
	arr, ok := Pointee(a.Type()).Underlying().(*types.Array)
	if !ok || a.Comment != "varargs" {
		return false
	}
	i, ok := arr.Elem().Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// CastReads returns the loads of what a conversion of an address leads to, as in
// *(*string)(unsafe.Pointer(&b)), which is the memory of b. It reports false if
// anything else is done with it.
func CastReads(c *ssa.Convert) (loads []*ssa.UnOp, only bool) {
	if b, ok := c.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.UnsafePointer {
		return nil, false
	}
	for _, ref := range *c.Referrers() {
		to, ok := ref.(*ssa.Convert)
		if !ok || Pointee(to.Type()) == nil {
			return nil, false
		}
		for _, use := range *to.Referrers() {
			load, ok := use.(*ssa.UnOp)
			if !ok || !IsLoad(load) {
				return nil, false
			}
			loads = append(loads, load)
		}
	}
	return loads, true
}

// CastVar returns the variable whose address was converted to addr.
func CastVar(addr ssa.Value) *ssa.Alloc {
	to, ok := addr.(*ssa.Convert)
	if !ok {
		return nil
	}
	from, ok := to.X.(*ssa.Convert)
	if !ok {
		return nil
	}
	alloc, ok := from.X.(*ssa.Alloc)
	if !ok || !Textual(Pointee(alloc.Type())) || !Textual(Pointee(to.Type())) {
		return nil
	}
	return alloc
}

// Failure reports whether an error that is returned is certainly one: not the
// result of a call that may have gone well.
func Failure(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		if load := Load(v); load != nil {
			return Is[*ssa.Global](load.X)
		}
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.String() == "errors.New" || fn.String() == "fmt.Errorf"
		}
	}
	return false
}

// NilTest returns the value that a condition compares with nil, and whether that is nil where the
// condition has a value; nil if the condition asks for something else.
func NilTest(cond ssa.Value, value bool) (x ssa.Value, isNil bool) {
	b, ok := cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return nil, false
	}
	isNil = (b.Op == token.EQL) == value
	switch {
	case IsNil(b.Y):
		return b.X, isNil
	case IsNil(b.X):
		return b.Y, isNil
	}
	return nil, false
}

// Tested returns whether a value is nil wherever a block runs, as the conditions say that
// lead to it: in "if err != nil { return err }" it is not.
func Tested(v ssa.Value, b *ssa.BasicBlock, same func(x, y ssa.Value) bool) (isNil, known bool) {
	for cond := range Above(b) {
		if value, known := Leads(cond, b); known {
			if x, isNil := NilTest(cond.Cond, value); x != nil && same(x, v) {
				return isNil, true
			}
		}
	}
	return false, false
}

// CutsOff reports whether what is sliced is a slice, of which the beginning is left out.
func CutsOff(s *ssa.Slice) bool {
	if !IsSlice(s.X.Type()) || s.Low == nil {
		return false
	}
	c, isConst := s.Low.(*ssa.Const)
	return !isConst || c.Value != nil && constant.Sign(c.Value) != 0
}

// IsSlicePointer reports whether a value is a pointer to a slice.
func IsSlicePointer(v ssa.Value) bool {
	t := Pointee(v.Type())
	return t != nil && IsSlice(t)
}

// Pointee returns what a pointer points to, nil for what is no pointer.
func Pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// IsPointer reports whether a type is a pointer.
func IsPointer(t types.Type) bool {
	return Is[*types.Pointer](t.Underlying())
}

// IsSlice reports whether a type is a slice.
func IsSlice(t types.Type) bool {
	return Is[*types.Slice](t.Underlying())
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

// IsReference reports whether nil is a value of a type: values of it keep an object alive.
func IsReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Chan, *types.Slice, *types.Signature:
		return true
	}
	return false
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
