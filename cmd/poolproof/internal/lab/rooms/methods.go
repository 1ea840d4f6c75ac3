package rooms

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// methods counts, for each type that a package declares, its methods, those that
// its fields lend it, and the functions of the package whose first parameter it is:
// such a function is a method that is written in another way. What another module
// lends is not counted, and a function with type parameters could be no method.
func methods(l *packages.Package) map[string]int {
	counts := map[string]int{}
	for _, name := range l.Types.Scope().Names() {
		t, ok := l.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
			continue
		}
		set := types.NewMethodSet(types.NewPointer(t.Type()))
		for i := range set.Len() {
			if at := set.At(i).Obj().Pkg(); at != nil && l.Module != nil && within(at.Path(), l.Module.Path) {
				counts[name]++
			}
		}
	}
	for _, f := range l.Syntax {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv != nil || fd.Type.TypeParams != nil {
				continue
			}
			params := l.TypesInfo.Defs[fd.Name].(*types.Func).Signature().Params()
			if params.Len() == 0 {
				continue
			}
			n := named(params.At(0).Type())
			if n == nil || n.Obj().Pkg() != l.Types {
				continue
			}
			if _, ok := n.Underlying().(*types.Struct); ok {
				counts[n.Obj().Name()]++
			}
		}
	}
	return counts
}

// within reports whether a package is one of a module.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// named is a type, or what it points to, if that has a name.
func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}
