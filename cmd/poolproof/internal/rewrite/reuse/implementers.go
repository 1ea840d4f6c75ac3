package reuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// relays are functions that hand memory on to the readers and writers that they are given, or to values
// that decode themselves, with the methods by which they do so.
var relays = map[string][]string{
	"io.Copy": copying, "io.CopyBuffer": copying, "io.CopyN": copying,
	"io.ReadAtLeast": beyond["Read"], "io.ReadFull": beyond["Read"], "crypto/rand.Read": beyond["Read"],
	"(*bytes.Buffer).WriteTo": beyond["Write"], "(*bytes.Buffer).ReadFrom": beyond["Read"],
	"encoding/binary.Write": beyond["Write"], "encoding/xml.EscapeText": beyond["Write"], "html/template.HTMLEscape": beyond["Write"],
	"text/template.HTMLEscape": beyond["Write"], "text/template.JSEscape": beyond["Write"],
	"encoding/json.Unmarshal": {"UnmarshalJSON", "UnmarshalText"},
}

// beyond are the methods that a method of the standard library may call with the memory that it is
// given: an io.TeeReader writes what it has read, and an io.SectionReader reads at a place.
var beyond = map[string][]string{
	"Read": {"Read", "ReadAt", "Write"}, "ReadAt": {"ReadAt"}, "Write": {"Write", "WriteAt"}, "WriteAt": {"WriteAt"},
	"WriteTo": {"WriteTo"}, "ReadFrom": {"ReadFrom"},
}

// copying are the methods by which io.Copy does its work.
var copying = []string{"Read", "ReadAt", "Write", "WriteAt", "WriteTo", "ReadFrom"}

// ownMemory are packages whose readers and writers hand no memory on to others.
var ownMemory = []string{"bytes", "strings", "os", "net"}

// borrowed says which type of the package breaks the promise of io.Reader and io.Writer, of
// those that a call of a method may reach; "" if none does. One that wraps another has any methods.
func (k *keeper) borrowed(fn *types.Func, name string) string {
	if slices.Contains(ownMemory, fn.Pkg().Path()) && !types.IsInterface(fn.Signature().Recv().Type()) {
		return k.relayed(fn, name)
	}
	return k.implementers(name, beyond[fn.Name()]...)
}

// relayed says the same of what a function of the standard library hands memory on to.
func (k *keeper) relayed(fn *types.Func, name string) string {
	return k.implementers(name, relays[fn.FullName()]...)
}

// handed says the same of what WriteTo or ReadFrom of a reader or writer that wraps the memory
// hands it on to.
func (k *keeper) handed(method, name string) string {
	k.cleared = append(k.cleared, method)
	if method == "WriteTo" {
		return k.implementers(name, beyond["Write"]...)
	}
	return k.implementers(name, beyond["Read"]...)
}

// lent says which type of the package may keep the memory of a reader or writer that is made around
// an expression, and that is passed to what the expression gives.
func (k *keeper) lent(e ast.Expr, source types.Type, name string) string {
	for _, method := range []string{"Write", "Read"} {
		if needed, _, _ := types.LookupFieldOrMethod(source, false, nil, method); needed == nil {
			continue
		}
		found, _, _ := types.LookupFieldOrMethod(k.info.TypeOf(e), true, k.pkg.Types, method)
		if fn, ok := found.(*types.Func); ok {
			return k.borrowed(fn, name)
		}
	}
	return ""
}

// implementers reads those methods of the package's types that have one of the names and take
// what io.Reader, io.Writer and their kind take.
func (k *keeper) implementers(name string, methods ...string) string {
	for _, m := range methods {
		if file := k.folder.declares(m); file != "" {
			return fmt.Sprintf("%s may be passed to %s, which %s has for another build", name, m, file)
		}
	}
	for _, f := range k.pkg.Syntax {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv == nil || !slices.Contains(methods, decl.Name.Name) {
				continue
			}
			fn, ok := k.info.Defs[decl.Name].(*types.Func)
			if !ok || !borrows(fn) {
				continue
			}
			if why := k.callee(fn, 0, slice, name); why != "" {
				return fmt.Sprintf("%s (a method in %s, which an interface may lead to)", why, line(k.pkg.Fset, fn.Pos()))
			}
		}
	}
	return ""
}

// borrows reports whether a method takes a slice of bytes, or a reader or writer, first.
func borrows(fn *types.Func) bool {
	params := fn.Signature().Params()
	if params.Len() == 0 || params.Len() != borrowers[fn.Name()] && params.Len() != 1 {
		return false
	}
	t := params.At(0).Type()
	return types.IsInterface(t) || sliceOf(t) != nil
}
