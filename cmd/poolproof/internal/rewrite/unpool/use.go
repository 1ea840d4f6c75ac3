package unpool

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// mention is a variable where it is declared.
type mention struct {
	pkg   *packages.Package
	ident *ast.Ident
	v     *types.Var
	path  []ast.Node // from the file to the parent of ident
}

// use is a Get or a Put.
type use struct {
	kind *kind
	own  bool // of the pool that the kind's package has
	pkg  *packages.Package
	file *ast.File
	path []ast.Node // from the file to the parent of what is replaced
	sel  *ast.SelectorExpr
	call *ast.CallExpr // nil: a method value
	root key
	put  bool
}

// node returns the expression that is replaced at a use.
func (u use) node() ast.Expr {
	if u.call != nil {
		return u.call
	}
	return u.sel
}

// asserted is the type that what a Get returns is asserted to, as it is written there.
func asserted(u use) string {
	if a, ok := syntax.Parent(u.path).(*ast.TypeAssertExpr); ok && a.Type != nil {
		return types.TypeString(u.pkg.TypesInfo.TypeOf(a.Type), types.RelativeTo(u.pkg.Types))
	}
	return ""
}

// standsFor is the function that stands for the method of a use.
func (u use) standsFor() string {
	base, plain := fresh, "Get"
	if u.put {
		base, plain = drop, "Put"
	}
	if u.sel.Sel.Name == plain {
		return base
	}
	return base + u.sel.Sel.Name
}

// maker is a function that a pool has as New.
type maker struct {
	pkg   *packages.Package
	value ast.Expr // what stands for New
	// holder is the variable whose field the pool is, as far as New may use it at a Get.
	holder *types.Var
	body   *ast.BlockStmt // nil: the source is not here
}

// stray is the literal of a pool that no variable of a pool's type holds.
type stray struct {
	pkg *packages.Package
	lit *ast.CompositeLit
}
