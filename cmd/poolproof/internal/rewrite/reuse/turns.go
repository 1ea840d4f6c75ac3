package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// turnKeeper looks for uses of an object by which a pointer to it, or to a part of its memory, may
// be kept after the function, or the iteration of a loop, that made it. What its fields point to is other
// memory.
type turnKeeper struct {
	in   *source
	uses *keeper
	done map[*types.Var]bool
}

// keeps returns the first such use of a variable in a function, which is the object or points to it.
func (k turnKeeper) keeps(v *types.Var, body ast.Node, pointer bool) (found *refusal) {
	if k.done[v] {
		return nil
	}
	k.done[v] = true
	syntax.Inspect(body, func(path []ast.Node) bool {
		id, ok := path[len(path)-1].(*ast.Ident)
		if found != nil || !ok || k.in.info.Uses[id] != v {
			return found == nil
		}
		text := k.uses.captured(path)
		switch {
		case text != "":
			text = v.Name() + " is used " + text
		case k.uses.late && k.uses.depth == 0 && inside[*ast.ReturnStmt](path): // no iteration comes after it
		case pointer:
			text = k.pointer(path, len(path)-1, v)
		default:
			text = k.part(path, len(path)-1, v)
		}
		if text != "" {
			found = &refusal{id.Pos(), text}
		}
		return true
	})
	return found
}

// part says how a part of the object, which is the expression path[i], is kept; "" if it is not.
func (k turnKeeper) part(path []ast.Node, i int, v *types.Var) string {
	expr := path[i].(ast.Expr)
	switch p := path[i-1].(type) {
	case *ast.ParenExpr:
		return k.part(path, i-1, v)
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return k.pointer(path, i-1, v)
		}
	case *ast.SelectorExpr:
		if _, pointer := core(k.in.info, expr).(*types.Pointer); !pointer {
			return k.selected(path, i-1, v)
		}
	case *ast.IndexExpr:
		if _, array := core(k.in.info, expr).(*types.Array); array && p.X == expr {
			return k.part(path, i-1, v)
		}
	case *ast.SliceExpr:
		if _, array := core(k.in.info, expr).(*types.Array); array && p.X == expr {
			return k.uses.use(path, i-1, slice, v)
		}
	}
	return "" // its value is read or written
}

// pointer says how a pointer to the object or to a part of it, which is the expression path[i], is
// kept; "" if it is not.
func (k turnKeeper) pointer(path []ast.Node, i int, v *types.Var) string {
	expr, name := path[i].(ast.Expr), v.Name()
	switch p := path[i-1].(type) {
	case *ast.ParenExpr:
		return k.pointer(path, i-1, v)
	case *ast.StarExpr:
		return k.part(path, i-1, v)
	case *ast.SelectorExpr:
		return k.selected(path, i-1, v)
	case *ast.IndexExpr:
		if p.X == expr {
			return k.part(path, i-1, v)
		}
	case *ast.SliceExpr:
		return k.uses.use(path, i-1, slice, v)
	case *ast.RangeStmt:
		if p.X == expr {
			return ""
		}
	case *ast.BinaryExpr:
		return "" // it is compared
	case *ast.CallExpr:
		return k.passed(p, expr, v)
	case *ast.AssignStmt:
		if slices.Contains(p.Lhs, expr) {
			return "" // to another object
		}
	case *ast.ReturnStmt:
		return name + " is returned"
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return name + " is stored in a literal"
	case *ast.SendStmt:
		return name + " is sent on a channel"
	}
	return name + ", or a pointer to a part of it, is stored"
}

// selected follows a field, or the call of a method, of the object or of a part of it.
func (k turnKeeper) selected(path []ast.Node, i int, v *types.Var) string {
	sel := path[i].(*ast.SelectorExpr)
	s := k.in.info.Selections[sel] // of a value
	t := syntax.Pointed(s.Recv())
	index := s.Index()
	for _, n := range index[:len(index)-1] {
		t = t.Underlying().(*types.Struct).Field(n).Type()
		if _, pointer := t.Underlying().(*types.Pointer); pointer || types.IsInterface(t) {
			return "" // what is embedded is other memory
		}
	}
	if s.Kind() == types.FieldVal {
		return k.part(path, i, v)
	}
	fn := s.Obj().(*types.Func)
	if _, pointer := fn.Signature().Recv().Type().(*types.Pointer); !pointer {
		return "" // an interface, or a copy
	}
	if call, ok := path[i-1].(*ast.CallExpr); !ok || call.Fun != sel {
		return "a method value of " + v.Name() + " is taken"
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && slices.Contains(innocent, types.TypeString(named, nil)) {
		return ""
	}
	return k.given(fn.Origin(), fn.Origin().Signature().Recv(), v.Name())
}

// innocent are types of the standard library whose methods keep no pointer to their receiver.
var innocent = []string{
	"bytes.Buffer", "bytes.Reader", "strings.Builder", "strings.Reader", "sync.Mutex", "sync.RWMutex", "time.Time",
	"sync/atomic.Bool", "sync/atomic.Int32", "sync/atomic.Int64", "sync/atomic.Uint32", "sync/atomic.Uint64",
}

// decoders are functions that write to the objects they are given pointers to, and keep none.
var decoders = []string{
	"encoding/json.Unmarshal", "(*encoding/json.Decoder).Decode", "encoding/xml.Unmarshal", "(*encoding/xml.Decoder).Decode", "(*encoding/xml.Decoder).DecodeElement",
	"(*encoding/gob.Decoder).Decode", "encoding/asn1.Unmarshal", "encoding/binary.Read",
	"(*database/sql.Row).Scan", "(*database/sql.Rows).Scan",
	"fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln", "fmt.Sscan", "fmt.Sscanf", "fmt.Sscanln",
}

// passed says how a call keeps a pointer that it is passed.
func (k turnKeeper) passed(call *ast.CallExpr, arg ast.Expr, v *types.Var) string {
	name := v.Name()
	if tv, ok := k.in.info.Types[call.Fun]; ok && tv.IsType() {
		return name + " is converted"
	}
	switch b := builtinOf(k.in.info, call); b {
	case "":
	case "len", "cap":
		return ""
	default:
		return fmt.Sprintf("%s is passed to %s", name, b)
	}
	fn, at := calledFunc(k.in.info, call), slices.Index(call.Args, arg)
	if fn == nil {
		return name + " is passed to a function value"
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := k.in.info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return fmt.Sprintf("%s is passed to the method expression %s", name, fn.Name())
		}
	}
	params := fn.Origin().Signature().Params()
	last := params.Len() - 1
	if slices.Contains(decoders, fn.FullName()) {
		if to, ok := params.At(min(at, last)).Type().(*types.Interface); at < last && (!ok || to.NumMethods() > 0) {
			return fmt.Sprintf("%s is passed to %s as %s, whose methods may keep it", name, fn.Name(), k.in.short(params.At(at).Type()))
		}
		if t := k.methodical(k.in.info.TypeOf(arg).Underlying().(*types.Pointer).Elem()); t != "" {
			return fmt.Sprintf("%s is passed to %s, which may call methods of %s", name, fn.Name(), t)
		}
		return ""
	}
	if at > last || fn.Signature().Variadic() && at >= last {
		return fmt.Sprintf("%s is one of the variable arguments of %s, which may keep it", name, fn.Name())
	}
	return k.given(fn.Origin(), params.At(at), name)
}

// given follows a pointer into a function or method of the package.
func (k turnKeeper) given(fn *types.Func, param *types.Var, name string) string {
	const deep = 6
	decl := syntax.Declaration(k.in.info, k.in.pkg.Syntax, fn)
	if decl == nil || decl.Body == nil {
		return fmt.Sprintf("%s is passed to %s, which may keep it", name, fn.Name())
	}
	other := k.in.folder.declares(fn.Name())
	switch _, pointer := param.Type().Underlying().(*types.Pointer); {
	case other != "":
		return fmt.Sprintf("%s is passed to %s, which %s has for another build", name, fn.Name(), other)
	case !pointer:
		return fmt.Sprintf("%s is passed to %s as %s, whose methods may keep it", name, fn.Name(), k.in.short(param.Type()))
	case k.uses.depth >= deep:
		return fmt.Sprintf("%s is passed on through %d functions", name, deep)
	}
	k.uses.depth++
	defer func() { k.uses.depth-- }()
	if r := k.keeps(param, decl.Body, true); r != nil {
		return fmt.Sprintf("%s is passed to %s, where %s", name, fn.Name(), r.text)
	}
	return ""
}

// methodical is a type, among those that an object is made of, with a method that a decoder may call
// and that may keep its receiver; "" if there is none.
func (k turnKeeper) methodical(t types.Type) string {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if standard(u) {
			return ""
		}
		methods := types.NewMethodSet(types.NewPointer(u))
		for _, name := range []string{"UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText", "UnmarshalBinary", "UnmarshalXML", "UnmarshalXMLAttr", "GobDecode", "Scan"} {
			if m := methods.Lookup(nil, name); m != nil && !standard(m.Obj().(*types.Func).Signature().Recv().Type()) {
				return k.in.short(u)
			}
		}
		return k.methodical(u.Underlying())
	case *types.Struct:
		for f := range u.Fields() {
			if text := k.methodical(f.Type()); text != "" {
				return text
			}
		}
	case *types.Array:
		return k.methodical(u.Elem())
	case *types.TypeParam:
		return k.in.short(u)
	}
	return ""
}
