package attribute

import (
	"go/ast"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// constructed is the product of a constructor: a type that can be reset.
type constructed struct {
	text   string // as "*gzip.Writer"
	prefix string // of its methods' names on stacks; "" for an interface
}

// made is a constructor that a function calls.
type made struct {
	constructed
	frame  profile.Frame // that calls
	callee string
	column int
	expr   string
}

// constructors finds the calls of constructors in the function around a line whose
// product has the method; of their frames only the line is known.
func (f *source) constructors(line int, method string) (all []made) {
	fn := f.enclosing(line)
	if fn == nil || fn.Body == nil || !strings.HasPrefix(profile.NameOf(method), "(*") {
		return nil
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee, _ := typeutil.Callee(f.info, c).(*types.Func)
		if callee == nil || callee.Pkg() == nil || !constructs(callee) {
			return true
		}
		if product, ok := resettable(f.first(c)); ok && product.methodOf(method) {
			at := f.fset.Position(c.Lparen)
			all = append(all, made{product, profile.Frame{Line: at.Line}, onStack(callee), at.Column, f.text(c)})
		}
		return true
	})
	return all
}

// onStack is the name of a function as the runtime writes it, without type arguments.
func onStack(fn *types.Func) string {
	folder, last := path.Split(fn.Pkg().Path())
	return folder + strings.ReplaceAll(last, ".", "%2e") + "." + fn.Name()
}

// first is the type of a call's first result.
func (f *source) first(c *ast.CallExpr) types.Type {
	t := f.info.TypeOf(c)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		return tuple.At(0).Type()
	}
	return t
}

// constructor finds what the function that is called on a line makes, if that is
// a constructor by its name and the type has a method by which it can be used again.
func (f *source) constructor(line int, callee string) (made constructed, column int, expr string, ok bool) {
	for _, c := range f.calls(line) {
		fn, _ := typeutil.Callee(f.info, c).(*types.Func)
		if fn == nil || fn.Pkg() == nil || !names(callee, fn) || !constructs(fn) {
			continue
		}
		if made, ok := resettable(f.first(c)); ok {
			return made, f.fset.Position(c.Lparen).Column, f.text(c), true
		}
	}
	return constructed{}, 0, "", false
}

// constructs reports whether a function's name is that of a constructor.
func constructs(fn *types.Func) bool {
	name := strings.ToLower(fn.Name())
	return fn.Signature().Recv() == nil && (strings.HasPrefix(name, "new") || strings.HasPrefix(name, "create") || strings.HasPrefix(name, "open"))
}

// names reports whether the name of a function on a stack is that of fn.
func names(callee string, fn *types.Func) bool {
	name, _, _ := strings.Cut(profile.NameOf(callee), "[")
	return profile.PackageOf(callee) == fn.Pkg().Path() && strings.TrimSuffix(name, ".") == fn.Name()
}

// resettable reports whether a type can be used again after a Reset. Buffers
// are found by their growth, and the Reset of a timer sets it.
func resettable(t types.Type) (constructed, bool) {
	n := syntax.TypeName(t)
	if n == nil || syntax.Buffer(t) != "" || n.Pkg().Path() == "time" {
		return constructed{}, false
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		m := methods.At(i).Obj()
		if strings.HasPrefix(m.Name(), "Reset") && !isMessage(methods) {
			made := constructed{text: types.TypeString(t, func(p *types.Package) string { return p.Name() })}
			if !types.IsInterface(n.Type()) {
				made.prefix = n.Pkg().Path() + ".(*" + n.Name()
			}
			return made, true
		}
	}
	return constructed{}, false
}

// isMessage reports whether a type is a message of Protocol Buffers: its Reset
// keeps nothing.
func isMessage(methods *types.MethodSet) bool {
	return methods.Lookup(nil, "ProtoMessage") != nil || methods.Lookup(nil, "ProtoReflect") != nil
}

// methodOf reports whether a function is a method of what was made.
func (m constructed) methodOf(function string) bool {
	if m.prefix == "" {
		return false
	}
	rest, ok := strings.CutPrefix(profile.PackageOf(function)+"."+profile.NameOf(function), m.prefix)
	return ok && (strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "["))
}
