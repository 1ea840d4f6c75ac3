package fields

import (
	"go/ast"
	"go/types"
	"strings"
)

// callee returns the function that a call calls, if its text says which.
func (s *scan) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, ok := s.info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	return fn.Origin()
}

// dynamic reports whether a call of fn is one of an interface's method.
func dynamic(fn *types.Func) bool {
	sig, ok := fn.Type().(*types.Signature)
	return ok && sig.Recv() != nil && types.IsInterface(sig.Recv().Type())
}

func (s *scan) stdFunc(fn *types.Func) bool {
	return fn.Pkg() == nil || s.std(fn.Pkg().Path())
}

// arguments returns what a call gives to the function's parameters, the receiver first.
func (s *scan) arguments(call *ast.CallExpr, fn *types.Func) []ast.Expr {
	var args []ast.Expr
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		if chosen := s.info.Selections[sel]; chosen != nil && chosen.Kind() == types.MethodVal {
			args = append(args, sel.X)
		}
	}
	return append(args, call.Args...)
}

// builtin returns the name of the builtin function that a call calls; "" if it is none.
func (s *scan) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := s.info.Uses[id].(*types.Builtin); ok {
		return id.Name
	}
	return ""
}

// name is package.Function or Type.Method of what a call calls, as its text says, for
// functions of the standard library.
func (s *scan) name(call *ast.CallExpr) string {
	if fn := s.callee(call); fn != nil {
		if !s.stdFunc(fn) {
			return ""
		}
		if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil {
			return "." + fn.Name()
		}
		return fn.Pkg().Path() + "." + fn.Name()
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		if p, ok := s.info.Uses[id].(*types.PkgName); ok {
			if s.std(p.Imported().Path()) {
				return p.Imported().Path() + "." + sel.Sel.Name
			}
			return ""
		}
	}
	if t := s.typeOf(sel.X); t == nil || t == types.Typ[types.Invalid] {
		return "?." + sel.Sel.Name // the type of another package; of the standard library, as all others are known
	}
	return ""
}

// extends reports whether a function of the standard library returns its first
// argument, longer or shorter.
func extends(name string) bool {
	switch name {
	case "slices.Grow", "slices.Insert", "slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc", "slices.Replace", "slices.AppendSeq":
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	return dot >= 0 && strings.HasPrefix(name[dot+1:], "Append")
}

// makes reports whether a function of the standard library returns memory that it has
// allocated for its caller.
func makes(name string) bool {
	switch name {
	case "slices.Clone", "slices.Concat", "slices.Repeat", "slices.Collect", "slices.Sorted", "slices.SortedFunc",
		"bytes.Clone", "bytes.Repeat", "bytes.Join", "bytes.ReplaceAll", "bytes.Replace",
		"strings.Split", "strings.SplitN", "strings.Fields",
		"io.ReadAll", "os.ReadFile", "encoding/hex.DecodeString", "encoding/json.Marshal", "encoding/json.MarshalIndent":
		return true
	}
	return false
}

// keepsNothing reports whether a function of the standard library neither keeps nor
// returns the slices that it is given.
func keepsNothing(name string) bool {
	pkg, fn := "", name
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		pkg, fn = name[:dot], name[dot+1:]
	}
	switch pkg {
	case "", "?": // methods
		switch fn {
		case "Read", "ReadAt", "Write", "WriteAt", "WriteString", "Sum", "Encode", "Decode", "XORKeyStream", "CryptBlocks", "Seal", "Open":
			return true
		}
		return strings.HasPrefix(fn, "Put") || strings.HasPrefix(fn, "Uint")
	case "encoding/binary", "unicode/utf8", "sort", "hash/crc32", "fmt", "crypto/rand", "math/rand", "crypto/subtle", "encoding/hex", "sync/atomic":
		return true
	case "io":
		return fn == "ReadFull" || fn == "ReadAtLeast" || fn == "WriteString"
	case "slices":
		return strings.HasPrefix(fn, "Sort") || fn == "Reverse" || strings.HasPrefix(fn, "Index") || strings.HasPrefix(fn, "Contains") || fn == "Equal"
	case "bytes":
		switch fn {
		case "Equal", "Compare", "Contains", "Count", "HasPrefix", "HasSuffix", "EqualFold", "ContainsAny", "ContainsRune":
			return true
		}
		return strings.HasPrefix(fn, "Index") || strings.HasPrefix(fn, "LastIndex")
	}
	return false
}

// call notes what a call does with fields whose address it is given, and with structs
// that it copies.
func (f *function) call(call *ast.CallExpr) {
	if tv, ok := f.info.Types[call.Fun]; ok && tv.IsType() {
		f.conversion(call)
		return
	}
	switch f.builtin(call) {
	case "append":
		for _, a := range call.Args[min(1, len(call.Args)):] {
			if call.Ellipsis.IsValid() {
				if s, ok := under(f.typeOf(a)).(*types.Slice); ok && holdsSlices(s.Elem()) {
					f.lendAll(s.Elem(), nil, "append copies whole structs", call)
				}
				continue
			}
			f.copied(a, nil, "append copies the whole struct", call)
		}
		return
	case "copy":
		if s, ok := under(f.typeOf(call.Args[0])).(*types.Slice); ok && holdsSlices(s.Elem()) {
			f.lendAll(s.Elem(), nil, "whole structs are copied", call)
		}
		f.rowsCopied(call)
		return
	case "new":
		if len(call.Args) == 1 {
			if tv, ok := f.info.Types[call.Args[0]]; ok && tv.IsValue() {
				f.copied(call.Args[0], nil, "the whole struct is copied", call)
			}
		}
		return
	case "":
	default:
		return
	}
	f.atomics(call)
	fn := f.callee(call)
	if fn == nil {
		return
	}
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return
	}
	// x.list.add(s) takes the address of x.list.
	if _, pointer := types.Unalias(sig.Recv().Type()).(*types.Pointer); !pointer {
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isSlice(f.typeOf(sel.X)) {
		f.through(sel.X, call, fn, 0)
	}
}

// rowsCopied lends the rows of a field that copy writes.
func (f *function) rowsCopied(call *ast.CallExpr) {
	if s, ok := under(f.typeOf(call.Args[0])).(*types.Slice); !ok || !isSlice(s.Elem()) {
		return
	}
	var rows []string
	for _, k := range f.keys(call.Args[0]) {
		rows = append(rows, k+"[]")
	}
	if len(rows) > 0 {
		f.facts.Lends = append(f.facts.Lends, Lend{To: rows, Why: "copy sets its rows", At: f.at(call)})
	}
}

// conversion lends the fields of two struct types one of which is converted to
// the other: fields of one are set by the name of the other.
func (f *function) conversion(call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	to, from := pointee(f.typeOf(call)), pointee(f.typeOf(call.Args[0]))
	if to == nil || from == nil {
		return
	}
	if b, ok := under(from).(*types.Basic); ok && b.Kind() == types.UnsafePointer {
		return // nobody knows of what
	}
	if _, ok := to.Underlying().(*types.Struct); !ok || types.Identical(to, from) || types.IsInterface(to) {
		return
	}
	f.lendAll(to, nil, "it is converted to another type", call)
	if _, ok := under(from).(*types.Struct); ok {
		f.lendAll(from, nil, "it is converted to another type", call)
	}
}

func pointee(t types.Type) types.Type {
	if p, ok := under(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	if t == nil {
		return nil
	}
	return types.Unalias(t)
}

// atomics marks fields whose elements are changed by atomic operations: such an
// array may be looked at from outside at any time.
func (f *function) atomics(call *ast.CallExpr) {
	if !strings.HasPrefix(f.name(call), "sync/atomic.") || len(call.Args) == 0 {
		return
	}
	and, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok {
		return
	}
	if i, ok := ast.Unparen(and.X).(*ast.IndexExpr); ok {
		if to := f.keys(i.X); len(to) > 0 {
			f.facts.Lends = append(f.facts.Lends, Lend{To: to, Shared: true, Why: "its elements are changed by atomic operations", At: f.at(call)})
		}
	}
}

// address notes an operator & whose operand is a slice field.
func (f *function) address(n *ast.UnaryExpr) {
	if len(f.keys(n.X)) == 0 || !isSlice(f.typeOf(n.X)) {
		return
	}
	if call, ok := f.parents[n].(*ast.CallExpr); ok {
		if fn := f.callee(call); fn != nil && !dynamic(fn) && !f.stdFunc(fn) {
			for i, a := range f.arguments(call, fn) {
				if a == n {
					f.through(n.X, call, fn, i)
					return
				}
			}
		}
	}
	f.lend(n.X, "its address is taken", n)
}

// through notes that a function is given the address of a slice field.
func (f *function) through(field ast.Expr, call *ast.CallExpr, fn *types.Func, n int) {
	to := f.keys(field)
	if len(to) == 0 {
		return
	}
	if dynamic(fn) || f.stdFunc(fn) {
		f.lend(field, "its address is given to "+fn.Name(), call)
		return
	}
	base, _ := f.base(field)
	from := Source{Kind: ThroughCall, Func: fn.FullName(), N: n, Keys: to, Base: base}
	for _, a := range f.arguments(call, fn) {
		from.Args = append(from.Args, f.argument(a))
	}
	f.facts.Stores = append(f.facts.Stores, Store{To: to, Base: base, From: from, At: f.at(call)})
}

// argument is the source of a slice argument; of any other it says nothing.
func (f *function) argument(a ast.Expr) Source {
	if t := f.typeOf(a); !has(t) && t != nil && t != types.Typ[types.Invalid] {
		return Source{Kind: Any}
	}
	return f.source(def{a, -1})
}
