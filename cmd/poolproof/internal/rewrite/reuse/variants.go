package reuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// Variants returns the ways to use the memory of a site again, the simplest first, or why
// there is none. The package has to be loaded with names, files, syntax, types, their sizes
// and its module. The facts are the compiler's ([oracle.Escapes]).
func Variants(pkg *packages.Package, facts []oracle.Fact, s Site) (vs []Variant, why string) {
	all, why := allocations(pkg, facts, s)
	if why != "" {
		return nil, why
	}
	for _, a := range all {
		found, because := a.variants()
		for _, v := range found {
			if hidden := v.writable(); hidden == "" {
				vs = append(vs, v)
			} else if because == "" {
				because = hidden
			}
		}
		why = cmp.Or(why, because)
	}
	if len(vs) > 0 {
		return vs, ""
	}
	return nil, why
}

// variants are those of what allocates, or why there is none.
func (a *allocation) variants() ([]Variant, string) {
	switch n := a.node.(type) {
	case *ast.CallExpr:
		return a.call(n)
	case *ast.CompositeLit:
		if syntax.Buffer(a.in.info.TypeOf(n)) != "" {
			return a.buffer(a.declared())
		}
		return a.literal(n)
	case *ast.IndexExpr:
		return grownMap(a, n)
	case *ast.Ident: // the name of a variable that is declared here
		switch v, ok := a.in.info.Defs[n].(*types.Var); {
		case !ok:
			return nil, fmt.Sprintf("%s is moved to the heap: something keeps its address", n.Name)
		case syntax.Buffer(v.Type()) != "":
			return a.buffer(v)
		default:
			return a.variable(v)
		}
	case *ast.BinaryExpr:
		return texts{a.in, a}.concatenation(n)
	case *ast.AssignStmt: // s += x
		return nil, together
	case *ast.FuncLit:
		return nil, "a function value keeps the variables that it uses: pass them as arguments, or make it once"
	case *ast.GoStmt:
		return nil, "a goroutine is started: workers that stay would be used again"
	}
	return nil, "nothing that is known allocates there"
}

// call is a call that allocates: itself, or in what it calls.
func (a *allocation) call(n *ast.CallExpr) ([]Variant, string) {
	if tv, ok := a.in.info.Types[n.Fun]; ok && tv.IsType() {
		return texts{a.in, a}.conversion(n)
	}
	if b := builtinOf(a.in.info, n); b != "" {
		switch b {
		case "make":
			return a.made(n)
		case "append":
			return a.appended(n)
		case "new":
			if syntax.Buffer(a.in.info.TypeOf(n)) != "" {
				return a.buffer(a.declared())
			}
			return a.object(n)
		}
		return nil, b + " does not allocate"
	}
	if c := constructorOf(a.in.info, n); c != nil {
		return a.construct(n, c)
	}
	if newBuffer(a.in.info, n) {
		return a.buffer(a.declared())
	}
	if fn := calledFunc(a.in.info, n); fn != nil && fn.FullName() == "io.Copy" {
		return pooledCopy(a, n)
	}
	if v, why := a.written(n); v != nil || why != "" {
		switch {
		case v == nil:
			return nil, why
		case v.IsField():
			return owned(a, v)
		}
		return a.buffer(v)
	}
	if fn := calledFunc(a.in.info, n); fn != nil {
		if vs, why := (texts{a.in, a}).formatted(n, fn); len(vs) > 0 || why != "" {
			return vs, why
		}
	}
	return nil, a.inside(n)
}

// literal says why there is no variant of a composite literal.
func (a *allocation) literal(n *ast.CompositeLit) ([]Variant, string) {
	switch a.in.info.TypeOf(n).Underlying().(type) {
	case *types.Map:
		if len(n.Elts) > 0 {
			return nil, "a map literal: its elements would have to be written again each time"
		}
		return a.mapped(n)
	case *types.Slice:
		return nil, "a slice literal: its elements would have to be written again each time"
	}
	return a.object(n)
}

// inside says why there is no variant of what a callee allocates.
func (a *allocation) inside(n *ast.CallExpr) string {
	fn := calledFunc(a.in.info, n)
	if fn == nil || fn.Pkg() == nil {
		return "the allocation is in a function that is called by value or through an interface"
	}
	name := fn.Pkg().Name() + "." + fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		name = fmt.Sprintf("(%s).%s", a.in.short(recv.Type()), fn.Name())
	}
	if better := instead(fn); better != "" {
		return fmt.Sprintf("the allocation is in %s: %s", name, better)
	}
	if fn.Pkg() == a.in.pkg.Types {
		return fmt.Sprintf("the allocation is in %s, which is called here: ask about the line there", name)
	}
	return fmt.Sprintf("the allocation is in %s, which cannot be given memory to use", name)
}

// instead says what can be given memory, in the place of a function that cannot; "" if nothing can.
func instead(fn *types.Func) string {
	to, ok := appendings[fn.FullName()]
	switch {
	case !ok:
		return others[fn.FullName()]
	case fn.Signature().Recv() == nil:
		to.name = fn.Pkg().Name() + "." + to.name
	}
	return to.name + " takes a slice to append to"
}

// others are the answers of instead for functions that are not in appendings.
var others = map[string]string{
	"io.ReadAll":            "a bytes.Buffer that is used again takes ReadFrom",
	"encoding/json.Marshal": "json.NewEncoder writes to a buffer that can be used again",
	"(*encoding/base64.Encoding).DecodeString": "AppendDecode takes a slice to append to",
	"strings.Split":  "strings.SplitSeq needs no slice",
	"bytes.Split":    "bytes.SplitSeq needs no slice",
	"strings.Fields": "strings.FieldsSeq needs no slice",
}
