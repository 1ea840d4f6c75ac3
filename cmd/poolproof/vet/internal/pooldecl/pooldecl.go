// Package pooldecl reads from the syntax of a package how its pools are made:
// which New functions they have, what those return, and whether somebody else
// may have a say in it.
package pooldecl

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Decl is what is known of the pools that one variable or field holds.
type Decl struct {
	Var  *types.Var
	News []New // in source order

	// Shared says that the pool was handed to code that may set New: its
	// address was taken, it was assigned from elsewhere, or its name is exported.
	Shared bool
}

// New is one function that makes objects.
type New struct {
	Pos     token.Pos
	Returns []Return // nil: a function whose body is not known
}

// Return is one return statement of a New function.
type Return struct {
	Pos  token.Pos
	Type types.Type // before it became an interface; nil: it was one
	Nil  bool       // it returns nil
}

// Decls are those of a package.
type Decls map[*types.Var]*Decl

// Of reads the package that pass analyses.
func Of(pass *analysis.Pass) Decls {
	r := reader{
		info: pass.TypesInfo, decls: Decls{}, bodies: map[*types.Func]*ast.BlockStmt{},
		makers: MakersOf(pass.TypesInfo, pass.Files),
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if obj, ok := r.info.Defs[fn.Name].(*types.Func); ok {
					r.bodies[obj] = fn.Body
				}
			}
		}
	}
	for _, f := range pass.Files {
		r.file(f)
	}
	return r.decls
}

// Unset reports whether nobody sets New of the variable's pools.
func (d *Decl) Unset() bool { return !d.Shared && len(d.News) == 0 }

// Find returns what is known of a variable, which may be a field of an
// instance of a generic type. Nothing is known of one without a declaration here.
func (ds Decls) Find(v *types.Var) (*Decl, bool) {
	if v == nil {
		return nil, false
	}
	d, ok := ds[v.Origin()]
	return d, ok
}

// IsPool reports whether t is sync.Pool, or a pointer to it.
func IsPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return IsPoolValue(t)
}

// IsPoolValue reports whether t is sync.Pool itself.
func IsPoolValue(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Pool" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// HoldsPools reports whether a variable of type t is a pool, a pointer to one, or
// a set of them.
func HoldsPools(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Array:
		return HoldsPools(u.Elem())
	case *types.Slice:
		return HoldsPools(u.Elem())
	case *types.Map:
		return HoldsPools(u.Elem())
	case *types.Pointer:
		return HoldsPools(u.Elem())
	}
	return IsPoolValue(t)
}
