package flow

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Var is a place in memory that code names: a local variable that has an
// address, a field of one, a field of what a value points to, a package variable.
// Two Vars that are equal are the same place, as long as nothing on the way there
// is written in between.
type Var struct {
	Base ssa.Value // *ssa.Alloc, *ssa.Global, or what points to a struct
	Path string    // ".2" field 2; "[0]" element 0; "*" what a pointer there points to
}

// Local reports whether v is a local variable or a part of one.
func (v Var) Local() bool {
	_, ok := v.Base.(*ssa.Alloc)
	return ok && !strings.Contains(v.Path, "*")
}

// Within reports whether v is o or a part of it.
func (v Var) Within(o Var) bool {
	return v.Base == o.Base && strings.HasPrefix(v.Path, o.Path)
}

// Place returns the variable at an address.
func (p *Places) Place(addr ssa.Value) (Var, bool) {
	return p.place(addr, 0)
}

// maxPath bounds how far selectors are followed: x.a.b.c.d.
const maxPath = 8

func (p *Places) place(addr ssa.Value, depth int) (Var, bool) {
	if depth > maxPath {
		return Var{}, false
	}
	switch addr := addr.(type) {
	case *ssa.Alloc, *ssa.Global:
		return Var{Base: addr}, true
	case *ssa.FreeVar:
		return Var{Base: p.captured(addr)}, true
	case *ssa.FieldAddr:
		return p.part(addr.X, "."+strconv.Itoa(addr.Field), depth)
	case *ssa.IndexAddr:
		index, ok := addr.Index.(*ssa.Const)
		if !ok || !isPointer(addr.X.Type()) {
			return Var{}, false
		}
		return p.part(addr.X, "["+index.Value.ExactString()+"]", depth)
	case *ssa.ChangeType:
		return p.place(addr.X, depth+1)
	case *ssa.Parameter, *ssa.TypeAssert, *ssa.Extract, *ssa.Call, *ssa.Phi:
		return Var{Base: addr}, true
	case *ssa.UnOp:
		if isLoad(addr) {
			v, ok := p.place(addr.X, depth+1)
			v.Path += "*"
			return v, ok
		}
	}
	return Var{}, false
}

// part returns the part of what base points to.
func (p *Places) part(base ssa.Value, step string, depth int) (Var, bool) {
	switch base := base.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		v, ok := p.place(base, depth+1)
		v.Path += step
		return v, ok
	}
	if load := Load(base); load != nil {
		if v, ok := p.place(load.X, depth+1); ok {
			v.Path += "*" + step
			return v, true
		}
	}
	return Var{Base: base, Path: step}, true
}

// Inside returns the place at a path from what a value points to.
func (p *Places) Inside(v ssa.Value, path string) (Var, bool) {
	return p.part(strip(v), path, 0)
}

// Given returns the parameter of f at whose path a place is: the parameter
// itself, or a variable that only ever holds it, because a literal captures it.
func (p *Places) Given(f *ssa.Function, place Var) (index int, path string, ok bool) {
	base, path := place.Base, place.Path
	if alloc, isVar := base.(*ssa.Alloc); isVar {
		s := p.Stores(alloc)
		if len(s.Whole) != 1 || s.Unknown || !strings.HasPrefix(path, "*") {
			return 0, "", false
		}
		base, path = s.Whole[0].Val, path[1:]
	}
	for i, prm := range f.Params {
		if base == ssa.Value(prm) {
			return i, path, true
		}
	}
	return 0, "", false
}

// captured returns the variable that a function literal captures by v. If the
// literal is made at several places, v stays what it is.
func (p *Places) captured(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	made := p.maker(fn)
	if made == nil {
		return v
	}
	for i, f := range fn.FreeVars {
		if f != v {
			continue
		}
		switch b := made.Bindings[i].(type) {
		case *ssa.FreeVar:
			return p.captured(b)
		default:
			return b
		}
	}
	return v
}

// maker returns the one instruction that makes a closure of fn.
func (p *Places) maker(fn *ssa.Function) *ssa.MakeClosure {
	if made, ok := p.makers[fn]; ok {
		return made
	}
	var made *ssa.MakeClosure
	if parent := fn.Parent(); parent != nil {
		for _, b := range parent.Blocks {
			for _, instr := range b.Instrs {
				if m, ok := instr.(*ssa.MakeClosure); ok && m.Fn == fn {
					made = m
				}
			}
		}
	}
	p.makers[fn] = made
	return made
}

// Load returns v as a load, nil if it is none.
func Load(v ssa.Value) *ssa.UnOp {
	if u, ok := v.(*ssa.UnOp); ok && isLoad(u) {
		return u
	}
	return nil
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// Pointee returns what a pointer points to, nil for what is no pointer.
func Pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
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

// IsSlice reports whether a type is a slice.
func IsSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// FieldName returns the name of the field whose address is taken.
func FieldName(addr *ssa.FieldAddr) string {
	if st, ok := Pointee(addr.X.Type()).Underlying().(*types.Struct); ok {
		return st.Field(addr.Field).Name()
	}
	return ""
}
