// Package pooldecl reads from the syntax of a package how its pools are made:
// which New functions they have, what those return, and whether somebody else
// may have a say in it.
package pooldecl

import (
	"go/token"
	"go/types"
)

// Decl describes the pools that one variable or field holds.
type Decl struct {
	Var  *types.Var
	News []New // in source order
	Made bool  // a literal or new makes one for the variable

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
