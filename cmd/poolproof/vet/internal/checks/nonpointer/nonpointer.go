// Package nonpointer is PV008: a put that allocates, because an interface can
// hold no more than a pointer.
package nonpointer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV008",
	Name: "nonpointer",
	Doc:  "a value that is not a pointer is put, so each Put allocates",
	Tier: check.Warning,
}, run)

func run(p *check.Pass) {
	params := parameters(p)
	for _, pool := range p.Events.Pools {
		for _, put := range pool.Puts {
			arg := put.Call.Args[0]
			r := check.Report{Pos: arg.Pos(), End: arg.End()}
			switch {
			case put.Copy != nil:
				r.Message = fmt.Sprintf("the address of the local copy %s is put: each call allocates the copy", put.Copy.Name())
				r.Remedy = "keep the pointer that Get returned, store the value through it, and put that pointer"
			case params[addressed(p, arg)]:
				r.Message = fmt.Sprintf("the address of the parameter %s is put: each call allocates a header for it", addressed(p, arg).Name())
				r.Remedy = "pass the pointer that Get returned"
			case put.Type != nil && allocates(put.Type, p.TypesSizes):
				bytes := p.TypesSizes.Sizeof(put.Type)
				r.Message = fmt.Sprintf("%s is put: each Put allocates %d bytes to hold it in an interface", kind(put.Type), bytes)
				r.Remedy = "put a pointer"
			default:
				continue
			}
			p.Report(r)
		}
	}
}

// parameters are those parameters of functions that are slices.
func parameters(p *check.Pass) map[*types.Var]bool {
	params := map[*types.Var]bool{}
	p.Inspect(func(n ast.Node) bool {
		fn, ok := n.(*ast.FuncType)
		if !ok {
			return true
		}
		for _, field := range fn.Params.List {
			for _, name := range field.Names {
				v, ok := p.TypesInfo.Defs[name].(*types.Var)
				if !ok {
					continue
				}
				if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice {
					params[v] = true
				}
			}
		}
		return true
	})
	return params
}

// addressed is the variable x of &x, nil for other expressions.
func addressed(p *check.Pass, arg ast.Expr) *types.Var {
	addr, ok := ast.Unparen(arg).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return nil
	}
	id, ok := ast.Unparen(addr.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := p.TypesInfo.Uses[id].(*types.Var)
	return v
}

// allocates reports whether the conversion of a value of type t to an interface
// allocates, unless the compiler knows better: types that are one pointer are
// stored as they are, and there is one address for all values without size, and
// one each for all values of one byte.
func allocates(t types.Type, sizes types.Sizes) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return false // that includes type parameters: not known
	case *types.Basic:
		if u.Kind() == types.UntypedNil || u.Kind() == types.UnsafePointer {
			return false
		}
	}
	return !isPointer(t) && sizes.Sizeof(t) > 1
}

// isPointer reports whether values of t are one pointer in memory.
func isPointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() == 1 && isPointer(u.Elem())
	case *types.Struct:
		return u.NumFields() == 1 && isPointer(u.Field(0).Type())
	}
	return false
}

// kind returns the words for a type in a sentence.
func kind(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return "a slice"
	case *types.Struct:
		return "a struct"
	case *types.Array:
		return "an array"
	case *types.Basic:
		if strings.HasPrefix(u.Name(), "int") {
			return "an " + u.Name()
		}
		return "a " + u.Name()
	}
	return "a value"
}
