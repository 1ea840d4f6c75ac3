package fields

import (
	"go/ast"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// place is a field: a named type and a path of fields from there.
type place struct {
	named *types.Named
	path  string
}

func (p place) String() string {
	pkg := ""
	if o := p.named.Obj(); o.Pkg() != nil {
		pkg = o.Pkg().Path() + "."
	}
	return pkg + p.named.Obj().Name() + p.path
}

// places returns under which names the memory of a field can be met when one
// walks a pooled object: from each named struct type that holds it by value.
// Elements of small arrays have the name of their array.
func (s *typed) places(e ast.Expr) []place {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		if _, ok := under(s.typeOf(e.X)).(*types.Array); ok {
			return s.places(e.X)
		}
	case *ast.SelectorExpr:
		return s.selected(e)
	}
	return nil
}

func (s *typed) selected(sel *ast.SelectorExpr) []place {
	chosen := s.info.Selections[sel]
	if chosen == nil || chosen.Kind() != types.FieldVal {
		return nil
	}
	t := types.Unalias(chosen.Recv())
	var around []place
	if _, isPointer := t.(*types.Pointer); !isPointer {
		around = s.places(sel.X)
	}
	for _, i := range chosen.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t, around = types.Unalias(p.Elem()), nil // another object begins
		}
		if named, ok := t.(*types.Named); ok {
			around = append(around, place{named: named.Origin()})
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		around, t = in(around, st.Field(i).Name()), types.Unalias(st.Field(i).Type())
	}
	return around
}

func texts(places []place) []string {
	var all []string
	for _, p := range places {
		all = append(all, p.String())
	}
	return all
}

// rows returns the names of the slices in a field of slices, or in a map.
func (s *typed) rows(field ast.Expr) []string {
	all := s.keys(field)
	for i := range all {
		all[i] += "[]"
	}
	return all
}

// keys returns the names of the slice field that an expression selects; of an
// element of a field of rows, those of the rows.
func (s *typed) keys(e ast.Expr) []string {
	e = ast.Unparen(e)
	if i, ok := e.(*ast.IndexExpr); ok && isSlice(s.typeOf(e)) {
		switch under(s.typeOf(i.X)).(type) {
		case *types.Slice, *types.Map:
			return s.rows(i.X)
		}
	}
	if t := s.typeOf(e); !isSlice(t) && !isRef(t) && t != types.Typ[types.Invalid] && !isTypeParam(t) {
		return nil
	}
	return texts(s.places(e))
}

// inside returns the names of all slice fields that lie in a value of a type, seen
// from the places that hold it, or else from the type itself.
func inside(t types.Type, around []place) []string {
	return within(t, around, 0, isSlice)
}

// references is for all fields that refer to memory.
func references(t types.Type, around []place, depth int) []string {
	return within(t, around, depth, func(t types.Type) bool { return isSlice(t) || isRef(t) || types.IsInterface(t) })
}

func within(t types.Type, around []place, depth int, wanted func(types.Type) bool) []string {
	if depth > 6 || t == nil {
		return nil
	}
	t = types.Unalias(t)
	if wanted(t) {
		return texts(around)
	}
	if named, ok := t.(*types.Named); ok && (depth > 0 || len(around) == 0) {
		around = append(append([]place(nil), around...), place{named: named.Origin()})
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return within(u.Elem(), around, depth+1, wanted)
	case *types.Struct:
		var all []string
		for field := range u.Fields() {
			all = append(all, within(field.Type(), in(around, field.Name()), depth+1, wanted)...)
		}
		return all
	}
	return nil
}

// in returns the places of a field of what is in the given places.
func in(around []place, field string) []place {
	next := make([]place, len(around))
	for i, p := range around {
		next[i] = place{p.named, p.path + "." + field}
	}
	return next
}

// holdsSlices reports whether a value of a type has slices in it that a copy shares.
func holdsSlices(t types.Type) bool {
	switch under(t).(type) {
	case *types.Struct, *types.Array:
		return len(inside(t, []place{{named: anyNamed}})) > 0
	}
	return false
}

var anyNamed = types.NewNamed(types.NewTypeName(0, nil, "any", nil), types.NewStruct(nil, nil), nil)

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// is reports whether the type below a name is of a form.
func is[form types.Type](t types.Type) bool {
	_, ok := under(t).(form)
	return ok
}

func isSlice(t types.Type) bool { return is[*types.Slice](t) }

// refers reports whether a value of a type may refer to memory that its user can reach.
func refers(t types.Type) bool {
	switch u := under(t).(type) {
	case nil, *types.Basic:
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if refers(u.At(i).Type()) && u.At(i).Type().String() != "error" {
				return true
			}
		}
		return false
	}
	return t.String() != "error"
}

// isRef reports whether a type is a pointer to a struct, or a map: what it refers to may
// belong to an object, as an array may.
func isRef(t types.Type) bool {
	p, ok := under(t).(*types.Pointer)
	return is[*types.Map](t) || ok && is[*types.Struct](p.Elem())
}

// has reports whether values of a type are followed.
func has(t types.Type) bool { return isSlice(t) || isRef(t) || isTypeParam(t) }

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func isString(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// typeNames is the name of the type that a pointer points to, or of a named type.
func typeNames(t types.Type) []string {
	if n := syntax.TypeName(t); n != nil && !types.IsInterface(n.Type()) {
		return []string{n.Pkg().Path() + "." + n.Name()}
	}
	return nil
}
