package fields

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// callee returns the function that a call calls, if its text says which.
func (s *typed) callee(call *ast.CallExpr) *types.Func {
	fn, ok := typeutil.Callee(s.info, call).(*types.Func)
	if !ok {
		return nil
	}
	return fn.Origin()
}

// dynamic reports whether a call of fn is one of an interface's method.
func dynamic(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// ofPointer reports whether fn is a method of a pointer.
func ofPointer(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && is[*types.Pointer](recv.Type())
}

func (s *typed) stdFunc(fn *types.Func) bool {
	return fn.Pkg() == nil || s.std(fn.Pkg().Path())
}

// arguments returns what a call gives to the function's parameters, the receiver first.
func (s *typed) arguments(call *ast.CallExpr) []ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if chosen := s.info.Selections[sel]; chosen != nil && chosen.Kind() == types.MethodVal {
			return append([]ast.Expr{sel.X}, call.Args...)
		}
	}
	return call.Args
}

// builtin returns the name of the builtin function that a call calls; "" if it is none.
func (s *typed) builtin(call *ast.CallExpr) string {
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
func (s *typed) name(call *ast.CallExpr) string {
	if fn := s.callee(call); fn != nil {
		if !s.stdFunc(fn) {
			return ""
		}
		if fn.Signature().Recv() != nil {
			return "." + fn.Name()
		}
		return fn.Pkg().Path() + "." + fn.Name()
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if p := syntax.Package(s.info, sel); p != nil {
		if s.std(p.Imported().Path()) {
			return p.Imported().Path() + "." + sel.Sel.Name
		}
		return ""
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
	case ".Sum", "slices.Grow", "slices.Insert", "slices.Delete", "slices.DeleteFunc", "slices.Compact", "slices.CompactFunc", "slices.Replace", "slices.AppendSeq":
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
		"bytes.NewBufferString", "io.ReadAll", "os.ReadFile", "encoding/hex.DecodeString", "encoding/json.Marshal", "encoding/json.MarshalIndent":
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && name[0] != '?' && strings.HasPrefix(name[dot+1:], "New") && name != "bytes.NewBuffer"
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

func pointee(t types.Type) types.Type {
	if p, ok := under(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(t)
}
