package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// newBuffer reports whether a call makes an empty bytes.Buffer.
func newBuffer(info *types.Info, n *ast.CallExpr) bool {
	fn := calledFunc(info, n)
	if fn == nil || len(n.Args) != 1 {
		return false
	}
	switch fn.FullName() {
	case "bytes.NewBuffer":
		if tv := info.Types[n.Args[0]]; tv.IsNil() {
			return true
		}
		call, ok := ast.Unparen(n.Args[0]).(*ast.CallExpr)
		if !ok || builtinOf(info, call) != "make" || len(call.Args) < 2 {
			return false
		}
		length := info.Types[call.Args[1]].Value
		size := call.Args[len(call.Args)-1]
		constant := info.Types[size].Value != nil
		for n := range ast.Preorder(size) { // what it names must not be imported for it alone
			_, imported := n.(*ast.SelectorExpr)
			constant = constant && !imported
		}
		return constant && length != nil && length.ExactString() == "0"
	case "bytes.NewBufferString":
		text := info.Types[n.Args[0]].Value
		return text != nil && text.ExactString() == `""`
	}
	return false
}

// written is the buffer that a call writes to, or why it is none of the function's.
func (a *allocation) written(n *ast.CallExpr) (*types.Var, string) {
	all := slices.Clone(n.Args)
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		all = append(all, sel.X)
	}
	why := ""
	for _, e := range all {
		e = ast.Unparen(e)
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = ast.Unparen(u.X)
		}
		if syntax.Buffer(a.in.info.TypeOf(e)) == "" {
			continue
		}
		if v := variableOf(a.in.info, e); v != nil {
			return v, ""
		}
		why = fmt.Sprintf("the buffer %s is no variable of the function", a.in.code(e))
	}
	return nil, why
}

// buffers is a variable that is a buffer, or points to one.
type buffers struct {
	in      *source
	a       *allocation
	l       *local
	keeper  *keeper
	value   bool // the variable is the buffer itself
	builder bool // a strings.Builder
	notNil  bool // it begins with memory: what Bytes returns is never nil
}

// buffer gives the variants of a variable that is a buffer.
func (a *allocation) buffer(v *types.Var) ([]Variant, string) {
	if v == nil {
		_, why := a.local()
		return nil, why
	}
	if v.Parent() == a.in.pkg.Types.Scope() {
		return nil, "the buffer " + v.Name() + " is no variable of a function"
	}
	l, why := a.in.find(v)
	if why != "" {
		return nil, "the buffer " + why
	}
	isEmpty, notNil := empty(a.in.info, l)
	if !isEmpty {
		return nil, "the buffer " + v.Name() + " does not begin empty"
	}
	_, pointer := types.Unalias(v.Type()).(*types.Pointer)
	b := buffers{in: a.in, a: a, l: l, value: !pointer, builder: syntax.Buffer(v.Type()) == "strings.Builder", notNil: notNil}
	b.keeper = newKeeper(a.in)
	b.keeper.copied, b.keeper.late = map[*ast.CallExpr]bool{}, l.loop != nil
	kept := b.keeper.keeps(v, l.body, buffer)
	if kept == nil {
		kept = b.outgrown()
	}
	var vs []Variant
	presized, not := b.presize(kept)
	if presized != nil {
		vs = append(vs, *presized)
	}
	switch {
	case kept != nil:
		why = "no presize, no pool: " + b.keeper.say(kept)
	case b.builder:
		why = "no pool: a strings.Builder gives its memory away with String"
	case b.shared():
		why = "no pool: results of several calls of Bytes share their memory, and copies of them do not"
	case b.usedAgain() > 0:
		why = fmt.Sprintf("no pool: what is done to the bytes that Bytes returns would not come back to the buffer, which line %d uses", b.usedAgain())
	case len(b.keeper.copied) > 0 && len(b.emptied()) > 0 && !b.certain():
		why = fmt.Sprintf("no pool: after %s an empty result need not be nil, and a copy of it is", strings.Join(b.emptied(), " and "))
	default:
		if l.loop != nil {
			v, w := b.hoist()
			if v != nil {
				vs = append(vs, *v)
			}
			why = w
			break
		}
		vs = append(vs, *b.pool())
	}
	if not != "" && kept == nil {
		why = not + "; " + why
	}
	return vs, why
}

// empty reports whether the statement declares an empty buffer. notNil: it has memory all the same.
func empty(info *types.Info, l *local) (empty, notNil bool) {
	value := l.value()
	if value == nil {
		_, pointer := types.Unalias(l.v.Type()).(*types.Pointer)
		return !pointer, false
	}
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = ast.Unparen(u.X)
	}
	switch e := value.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0, false
	case *ast.CallExpr:
		if newBuffer(info, e) {
			return true, !info.Types[e.Args[0]].IsNil()
		}
		return builtinOf(info, e) == "new", false
	}
	return false, false
}

// emptied are the methods by which the buffer is emptied, read from, or made larger: what
// Bytes returns then may be empty and not nil.
func (b buffers) emptied() []string {
	return slices.Compact(slices.Sorted(slices.Values(b.keeper.cleared)))
}

// certain reports whether something is always written: the buffer then has memory, and what
// Bytes returns is never nil.
func (b buffers) certain() bool {
	if b.notNil {
		return true
	}
	from := slices.Index(b.l.list, b.l.stmt)
	for _, s := range b.l.list[from+1:] {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) != 1 {
				continue
			}
			id, ok := sel.X.(*ast.Ident)
			if !ok || b.in.info.Uses[id] != b.l.v {
				continue
			}
			if text := b.in.info.Types[call.Args[0]].Value; text != nil && text.ExactString() != `""` && strings.HasPrefix(sel.Sel.Name, "Write") {
				return true
			}
		case *ast.AssignStmt, *ast.DeclStmt, *ast.DeferStmt:
		default:
			if returns(s) {
				return false
			}
		}
	}
	return false
}

// returns reports whether a statement may leave the function, or the block.
func returns(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// shared reports whether the results of several calls of Bytes may leave the function together,
// or that of one call more than once: they have one array, through which each may change the
// others. Of several return statements only one is run.
func (b buffers) shared() bool {
	returned := map[*ast.ReturnStmt]bool{}
	others := 0
	for call := range b.keeper.copied {
		var in *ast.ReturnStmt
		loops := 0
		for _, n := range pathToNode(b.in.file, call) {
			if n.Pos() <= b.l.stmt.Pos() { // it has the declaration inside of it
				continue
			}
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				loops++
			case *ast.ReturnStmt:
				in = n
			}
		}
		switch {
		case in == nil:
			others += 1 + loops
		case returned[in]:
			return true
		default:
			returned[in] = true
		}
	}
	return others > 1 || others == 1 && len(b.keeper.copied) > 1
}

// copies puts a copy in the place of what leaves the function.
func (b buffers) copies(v *Variant) {
	empty := "[]byte(nil)" // as Bytes of a buffer that was never written to
	if len(b.emptied()) > 0 || b.notNil {
		empty = "[]byte{}"
	}
	for _, call := range b.leaving() {
		v.put(call.Pos(), call.Pos(), "append("+empty+", ")
		v.put(call.End(), call.End(), "...)")
	}
}

// leaving are the calls of Bytes whose result leaves the function, in their order.
func (b buffers) leaving() []*ast.CallExpr {
	return slices.SortedFunc(maps.Keys(b.keeper.copied), func(x, y *ast.CallExpr) int { return int(x.Pos() - y.Pos()) })
}

// pointers makes a pointer of the variable: & before it goes.
func (b buffers) pointers(v *Variant) {
	if !b.value {
		return
	}
	ast.Inspect(b.l.body, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if !ok || u.Op != token.AND {
			return true
		}
		if id, ok := ast.Unparen(u.X).(*ast.Ident); ok && b.in.info.Uses[id] == b.l.v {
			v.put(u.Pos(), u.X.Pos(), "")
		}
		return true
	})
}

// pool takes the buffer from a sync.Pool, and copies what leaves the function.
func (b buffers) pool() *Variant {
	v := b.a.begin(PoolCopyOut, Contract)
	name, stem := b.l.v.Name(), b.a.stem(b.l.v.Name())
	pool, put := b.in.free(stem+"Pool"), b.in.free("put"+upper(stem))
	bytes, sync := v.use("bytes", "bytes"), v.use("sync", "sync")
	v.put(b.l.stmt.Pos(), b.l.stmt.End(),
		fmt.Sprintf("%s := %s.Get().(*%s.Buffer)", name, pool, bytes),
		fmt.Sprintf("defer %s(%s)", put, name))
	b.pointers(v)
	b.copies(v)
	v.poison = `	all := b.Bytes()[:b.Cap()]
	for i := range all {
		all[i] = 0xDB
	}
`
	v.code = fmt.Sprintf(`// %[1]s has buffers that were used before.
var %[1]s = %[2]s.Pool{New: func() %[7]s { return new(%[3]s.Buffer) }}

// %[4]s empties a buffer and gives it back, unless it has grown too large to be kept.
func %[4]s(b *%[3]s.Buffer) {
	if b.Cap() > %[5]s {
		return
	}
	b.Reset()
%[6]s	%[1]s.Put(b)
}
`, pool, sync, bytes, put, limit(1, int64(b.a.site.Size())), poisonHere, b.in.anything())
	return v
}

// hoist takes the buffer out of the loop.
func (b buffers) hoist() (*Variant, string) {
	bytes := importedAs(b.in.file, b.in.info, "bytes")
	if bytes == "" {
		return nil, "no hoist: the file does not import bytes"
	}
	v, kept, why := b.a.before(b.l, Contract, bytes+".Buffer")
	if why != "" {
		return nil, why
	}
	name := b.l.v.Name()
	v.put(b.l.stmt.Pos(), b.l.stmt.End(), fmt.Sprintf("%s := &%s", name, kept), name+".Reset()")
	b.pointers(v)
	b.copies(v)
	return v, ""
}

// presize gives the buffer the size that it came to before.
func (b buffers) presize(kept *refusal) (*Variant, string) {
	switch {
	case b.l.loop != nil:
		return nil, "no presize: the buffer is declared in a loop"
	case kept != nil: // its length is read when the function returns
		return nil, ""
	}
	v := b.a.begin(Presize, Semantics)
	name, stem := b.l.v.Name(), b.a.stem(b.l.v.Name())
	h := hint(v, b.in, stem, 64, 1<<20)
	v.put(b.l.stmt.End(), b.l.stmt.End(), "",
		fmt.Sprintf("%s.Grow(%s())", name, h.size),
		fmt.Sprintf("defer func() { %s(%s.Len()) }()", h.note, name))
	if len(b.keeper.copied) > 0 && !b.certain() {
		if len(b.emptied()) > 0 {
			return nil, fmt.Sprintf("no presize: after %s an empty result need not be nil, and one of a buffer with room never is", strings.Join(b.emptied(), " and "))
		}
		orNil := b.in.free(stem + "OrNil")
		for _, call := range b.leaving() {
			v.put(call.Pos(), call.Pos(), orNil+"(")
			v.put(call.End(), call.End(), ")")
		}
		v.code += fmt.Sprintf(`
// %[1]s keeps the result of a buffer that nothing was written to what it was.
func %[1]s(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}
`, orNil)
	}
	return v, ""
}
