package fields

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// reflected lends the exported fields of a package that sets values by reflection: no text says
// which of them it sets, and to what.
func (s *scan) reflected() {
	at := s.setter()
	if at == nil {
		return
	}
	names := map[string]bool{}
	for _, obj := range s.info.Defs {
		name, ok := obj.(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := under(name.Type()).(*types.Struct)
		if !ok {
			continue
		}
		for i := range st.NumFields() {
			if f := st.Field(i); f.Exported() {
				for _, n := range typeNames(name.Type()) {
					names[n+"."+f.Name()] = true
				}
			}
		}
	}
	if len(names) > 0 {
		s.facts.Lends = append(s.facts.Lends, Lend{To: slices.Sorted(maps.Keys(names)), Why: "the package sets fields by reflection", At: s.at(at)})
	}
}

// setter returns the first use of a method of reflect.Value that stores memory of its caller.
func (s *scan) setter() (first ast.Node) {
	for id, obj := range s.info.Uses {
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		switch fn.FullName() {
		case "(reflect.Value).Set", "(reflect.Value).SetBytes", "(reflect.Value).SetMapIndex":
			if first == nil || id.Pos() < first.Pos() {
				first = id
			}
		}
	}
	return first
}
