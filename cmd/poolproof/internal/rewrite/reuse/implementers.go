package reuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
)

// relays are functions that hand memory on to the readers and writers that they are given, with
// the methods by which they do so.
var relays = map[string][]string{
	"io.Copy": {"Write", "Read", "WriteTo", "ReadFrom"}, "io.CopyBuffer": {"Write", "Read", "WriteTo", "ReadFrom"}, "io.CopyN": {"Write", "Read", "WriteTo", "ReadFrom"},
	"io.ReadAtLeast": {"Read"}, "io.ReadFull": {"Read"},
	"(*bytes.Buffer).WriteTo": {"Write"}, "(*bytes.Buffer).ReadFrom": {"Read"},
}

// ownMemory are packages whose readers and writers hand no memory on to others.
var ownMemory = []string{"bytes", "strings", "os", "net"}

// borrowed says which type of the package breaks the promise of io.Reader and io.Writer, of
// those that a call of a method may reach; "" if none does.
func (k *keeper) borrowed(fn *types.Func, name string) string {
	recv := fn.Signature().Recv().Type()
	if iface, ok := recv.Underlying().(*types.Interface); ok {
		return k.implementers(name, iface, fn.Name())
	}
	if slices.Contains(ownMemory, fn.Pkg().Path()) {
		return k.relayed(fn, name)
	}
	return k.implementers(name, nil, fn.Name()) // one that wraps another, as bufio.Writer does
}

// relayed says the same of what a function of the standard library hands memory on to.
func (k *keeper) relayed(fn *types.Func, name string) string {
	return k.implementers(name, nil, relays[fn.FullName()]...)
}

// handed says the same of what a method of a reader or writer that wraps the memory hands it on to.
func (k *keeper) handed(method, name string) string {
	switch method {
	case "WriteTo":
		return k.implementers(name, nil, "Write")
	case "ReadFrom":
		return k.implementers(name, nil, "Read")
	}
	return ""
}

// implementers reads those methods of the package's types that have one of the names and take
// what io.Reader, io.Writer and their kind take. iface: only types that implement it count.
func (k *keeper) implementers(name string, iface *types.Interface, methods ...string) string {
	for _, f := range k.pkg.Syntax {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv == nil || !slices.Contains(methods, decl.Name.Name) {
				continue
			}
			fn, ok := k.info.Defs[decl.Name].(*types.Func)
			if !ok || !borrows(fn) || iface != nil && !k.reaches(fn, iface) {
				continue
			}
			if why := k.callee(fn, 0, slice, name); why != "" {
				at := k.pkg.Fset.PositionFor(fn.Pos(), false)
				return fmt.Sprintf("%s (a method in %s:%d, which an interface may lead to)", why, filepath.Base(at.Filename), at.Line)
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

// reaches reports whether a call through an interface may run a method: a type of the package
// that has it implements the interface, itself or by a field that it embeds.
func (k *keeper) reaches(fn *types.Func, iface *types.Interface) bool {
	for _, obj := range k.info.Defs {
		name, ok := obj.(*types.TypeName)
		if !ok || types.IsInterface(name.Type()) {
			continue
		}
		found, _, _ := types.LookupFieldOrMethod(name.Type(), true, k.pkg.Types, fn.Name())
		method, ok := found.(*types.Func)
		if !ok || method.Origin() != fn {
			continue
		}
		named, generic := types.Unalias(name.Type()).(*types.Named)
		if generic && named.TypeParams().Len() > 0 || types.Implements(types.NewPointer(name.Type()), iface) {
			return true
		}
	}
	return false
}
