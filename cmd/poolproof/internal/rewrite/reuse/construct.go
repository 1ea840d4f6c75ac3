package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// resettable lists packages whose constructors make objects that Reset makes as good as new,
// also after Close. What they give back is asked of the types: a first result with a method
// Reset that takes what the constructor takes first.
var resettable = []string{
	"bufio", "compress/flate", "compress/gzip", "compress/zlib",
	"crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/sha3",
	"hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv",
	"github.com/andybalholm/brotli", "github.com/cespare/xxhash/v2", "github.com/golang/snappy",
	"github.com/klauspost/compress/flate", "github.com/klauspost/compress/gzip", "github.com/klauspost/compress/s2",
	"github.com/klauspost/compress/snappy", "github.com/klauspost/compress/zlib", "github.com/klauspost/compress/zstd",
	"github.com/klauspost/pgzip", "github.com/pierrec/lz4/v4",
}

// constructor is a function that makes objects which can be reset.
type constructor struct {
	fn     *types.Func
	result types.Type
	source types.Type // of the first parameter, which Reset takes too; nil: it takes none
	fails  bool       // the constructor returns an error too
	resets bool       // Reset returns an error
	reads  bool       // it reads from the source: Reset with none would fail
	// asserted: Reset is of the package's interface Resetter, which the result implements, as
	// compress/flate and compress/zlib document it. It takes a dictionary, too.
	asserted bool
	final    bool // Close ends it for good: the Put takes its place
}

// rest are the arguments of a call after the source.
func (c *constructor) rest(call *ast.CallExpr) []ast.Expr {
	if c.source == nil || len(call.Args) == 0 {
		return call.Args
	}
	return call.Args[1:]
}

// constructorOf returns the constructor that a call names, if its product can be reset; nil for others.
func constructorOf(info *types.Info, n *ast.CallExpr) *constructor {
	fn := calledFunc(info, n)
	if fn == nil || fn.Pkg() == nil || !slices.Contains(resettable, fn.Pkg().Path()) || !strings.HasPrefix(fn.Name(), "New") || fn.Signature().Recv() != nil {
		return nil
	}
	sig := fn.Signature()
	if sig.Results().Len() == 0 || sig.Results().Len() > 2 {
		return nil
	}
	c := &constructor{fn: fn, result: sig.Results().At(0).Type(), fails: sig.Results().Len() == 2}
	if c.fails && !errorType(sig.Results().At(1).Type()) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(c.result, true, fn.Pkg(), "Reset")
	reset, ok := obj.(*types.Func)
	if !ok {
		if sig.Params().Len() != 1 || !types.IsInterface(c.result) || !resetterOf(fn.Pkg(), sig.Params().At(0).Type()) {
			return nil
		}
		c.source, c.resets, c.reads, c.asserted = sig.Params().At(0).Type(), true, true, true
		return c
	}
	params := reset.Signature().Params()
	c.resets = reset.Signature().Results().Len() > 0
	switch {
	case params.Len() == 0 && (sig.Params().Len() == 0 || strings.HasPrefix(fn.Pkg().Path(), "hash/crc")):
		return c // what else has arguments, as a seed, is not reset to them
	case params.Len() == 1 && sig.Params().Len() > 0 && types.Identical(params.At(0).Type(), sig.Params().At(0).Type()):
		c.source = params.At(0).Type()
		c.reads = c.resets && fn.Pkg().Path() != "bufio"
		c.final = fn.FullName() == "github.com/klauspost/compress/zstd.NewReader"
		return c
	}
	return nil
}

// resetterOf reports whether a package has an interface Resetter, by which what reads from a
// source is reset to another and to a dictionary.
func resetterOf(pkg *types.Package, source types.Type) bool {
	name, ok := pkg.Scope().Lookup("Resetter").(*types.TypeName)
	if !ok || !types.IsInterface(name.Type()) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(name.Type(), false, pkg, "Reset")
	reset, ok := obj.(*types.Func)
	return ok && reset.Signature().Params().Len() == 2 && types.Identical(reset.Signature().Params().At(0).Type(), source)
}

// construct gives the variants of a constructor.
func (a *allocation) construct(n *ast.CallExpr, c *constructor) ([]Variant, string) {
	name := c.fn.Pkg().Name() + "." + c.fn.Name()
	what := fmt.Sprintf("%s makes a %s, which Reset makes as good as new: ", name, a.in.short(c.result))
	if a.inPool() {
		return nil, name + " is called where a pool is empty, or once"
	}
	if c.final && c.fn.Pkg().Scope().Lookup("WithDecodeAllCapLimit") == nil { // it is older than v1.15.10
		return nil, what + "but one of this version that a pool drops without Close leaves goroutines behind; keep a fixed number of them"
	}
	l, id, why := a.constructed()
	if why != "" {
		return nil, what + "keep it; " + why
	}
	for _, arg := range c.rest(n) {
		if !a.in.fixed(arg, c.fn.Pkg()) {
			return nil, what + fmt.Sprintf("but its argument %s may not be the same in each call, or is known in this function only", a.in.code(arg))
		}
	}
	k := newKeeper(a.in)
	k.late, k.made = l.loop != nil, c
	if c.source != nil {
		if why := k.lent(n.Args[0], c.source, "the memory of "+l.v.Name()); why != "" {
			return nil, what + "but " + why
		}
	}
	evidence := Contract
	if kept := k.keeps(l.v, l.body, object); kept != nil {
		switch {
		case !a.site.Observed || l.loop != nil || c.final: // of an iteration that says nothing, nor of Close
			return nil, what + "keep it; here it may outlive the function: " + k.say(kept)
		case deferredBefore(l.body, l.stmt.Pos()):
			return nil, what + "but what is deferred before it runs after the Put, and may use it"
		}
		evidence = Observed
	}
	after := &ast.BlockStmt{List: l.list[slices.Index(l.list, l.stmt)+1:]}
	switch {
	case !c.final:
	case k.ends == nil && !a.in.info.Types[n.Args[0]].IsNil():
		return nil, what + "but nothing defers its Close, and a Put would wait for what it reads from"
	case k.ends != nil && deferredBefore(after, k.ends.Pos()-token.Pos(len("defer "))):
		return nil, what + "but what is deferred before its Close runs after the Put, and may use it"
	}
	r := resets{a.in, a, n, c, l, id, evidence, k.ends}
	if l.loop != nil {
		return r.hoist(what)
	}
	v, why := r.pool()
	if v == nil {
		return nil, what + why
	}
	return []Variant{*v}, ""
}

// inPool reports whether the node stands in the New function of a sync.Pool, or in the value
// of a variable of the package.
func (a *allocation) inPool() bool {
	fn, _ := a.function()
	if fn == nil {
		return true
	}
	for i, n := range a.path {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok || i == 0 {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "New" {
			if t := a.in.info.TypeOf(a.path[i-1].(ast.Expr)); t != nil && t.String() == "sync.Pool" {
				return true
			}
		}
	}
	return false
}

// constructed is the variable that the first result of the node becomes, and the one of its error; nil where there is none.
func (a *allocation) constructed() (l *local, err *ast.Ident, why string) {
	if l, why = a.local(); why != "" {
		return nil, nil, why
	}
	if assign, ok := l.stmt.(*ast.AssignStmt); ok && len(assign.Lhs) == 2 {
		err = assign.Lhs[1].(*ast.Ident) // := has names on its left
	}
	return l, err, ""
}

// fixed reports whether an expression, an argument of a constructor of a package, has the same value
// wherever it stands: it is made of constants that are not the function's, and of functions and variables
// of the package.
func (a *source) fixed(e ast.Expr, pkg *types.Package) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if syntax.Package(a.info, n) != nil {
				_, variable := a.info.Uses[n.Sel].(*types.Var)
				ok = ok && (!variable || a.info.Uses[n.Sel].Pkg() == pkg)
				return false
			}
		case *ast.Ident:
			obj := a.info.Uses[n]
			_, variable := obj.(*types.Var)
			ok = ok && obj != nil && !variable && (obj.Parent() == types.Universe || obj.Parent() == a.pkg.Types.Scope())
		case *ast.CallExpr:
			if fn := calledFunc(a.info, n); fn == nil || fn.Pkg() != pkg {
				ok = ok && (a.info.Types[n.Fun].IsType() || a.info.Types[n].Value != nil)
			}
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		}
		return ok
	})
	return ok
}

// resets is w := gzip.NewWriter(x), or w, err := one that may fail.
type resets struct {
	in       *source
	a        *allocation
	call     *ast.CallExpr
	c        *constructor
	l        *local
	err      *ast.Ident // nil: it cannot fail
	evidence Evidence
	end      *ast.CallExpr // the deferred Close that ends it for good; nil: there is none
}

// same reports whether the constructor may return its argument: one of bufio does, where that
// is large enough.
func (r resets) same() bool {
	if r.c.fn.Pkg().Path() != "bufio" {
		return false
	}
	t := r.in.info.TypeOf(r.call.Args[0])
	return types.IsInterface(t) || types.Identical(t, r.c.result)
}

// pool takes the object from a sync.Pool.
func (r resets) pool() (*Variant, string) {
	v := r.a.begin(Reset, r.evidence)
	result := v.typeText(r.c.result)
	if result == "" {
		return nil, "but its type has no name at package level"
	}
	if r.same() && !pure(r.call.Args[0]) {
		return nil, "but it returns its argument where that is one already; give the argument a name"
	}
	if r.same() && says(r.in.code(r.call.Args[0]), r.l.v.Name()) {
		return nil, "but its variable hides what its argument names"
	}
	stem := r.a.stem(r.l.v.Name())
	pool, get, put := r.in.free(stem+"Pool"), r.in.free("get"+upper(stem)), r.in.free("put"+upper(stem))
	sync, own := v.use("sync", "sync"), v.use(r.c.fn.Pkg().Path(), r.c.fn.Pkg().Name())
	param, arg, source := "", "", ""
	if r.c.source != nil {
		param, arg, source = "from "+v.typeText(r.c.source), "from", r.in.code(r.call.Args[0])
	}
	moved, args := r.c.rest(r.call), arg // into the code of the package
	for _, e := range moved {
		args += ", " + r.in.code(e)
	}
	args = strings.TrimPrefix(args, ", ")
	for _, used := range r.namedIn(moved) {
		p := syntax.Package(r.in.info, used)
		v.use(p.Imported().Path(), p.Name())
	}
	v.put(r.call.Pos(), r.call.End(), fmt.Sprintf("%s(%s)", get, source))
	back := r.l.v.Name()
	if r.same() {
		back += ", " + source
	}
	if r.end != nil {
		v.put(r.end.Fun.Pos(), r.end.End(), fmt.Sprintf("%s(%s)", put, r.in.code(r.end.Fun.(*ast.SelectorExpr).X)))
	} else {
		v.put(r.l.stmt.End(), r.l.stmt.End(), "", fmt.Sprintf("defer %s(%s)", put, back))
	}

	results, ok, failed := result, "x", ""
	if r.c.fails {
		results, ok = "("+result+", error)", "x, nil"
	}
	again := fmt.Sprintf("x.Reset(%s)", arg)
	if r.c.asserted {
		again = fmt.Sprintf("x.(%s.Resetter).Reset(%s, nil)", own, arg)
	}
	switch {
	case r.c.resets && r.c.fails:
		again = fmt.Sprintf("if err := %s; err != nil {\n\t\t\treturn nil, err\n\t\t}", again)
	case r.c.asserted:
		again = fmt.Sprintf("if err := %s; err != nil {\n\t\t\treturn %s.%s(%s)\n\t\t}", again, own, r.c.fn.Name(), arg)
	}
	checked := ""
	if r.same() {
		kind := strings.TrimPrefix(result, "*")
		size := "4096"
		if len(r.call.Args) > 1 {
			size = r.in.code(r.call.Args[1])
		}
		checked = fmt.Sprintf("\tif x, ok := from.(*%s); ok && x.Size() >= %s { // as %s does\n\t\treturn x\n\t}\n", kind, size, r.c.fn.Name())
		failed = "\tif same, ok := from.(*" + kind + "); ok && same == x { // it was never the pool's\n\t\treturn\n\t}\n"
	}
	if r.c.fails {
		failed += "\tif x == nil { // there was an error\n\t\treturn\n\t}\n"
	}
	release := ""
	if r.c.source != nil && (!r.c.reads || r.c.final) {
		release = "\tx.Reset(nil) // what it wrote to is not kept\n"
		if strings.Contains(r.c.source.String(), "Reader") {
			release = "\tx.Reset(nil) // what it read from is not kept\n"
		}
	}
	putParams := "x " + result
	if r.same() {
		putParams += ", " + param
	}
	v.code = fmt.Sprintf(`// %[1]s has what %[2]s.%[3]s made, to be reset and used again.
var %[1]s %[4]s.Pool

// %[5]s is %[2]s.%[3]s, for %[6]s.
func %[5]s(%[7]s) %[8]s {
%[9]s	if x, ok := %[1]s.Get().(%[10]s); ok {
		%[11]s
		return %[12]s
	}
	return %[2]s.%[3]s(%[13]s)
}

// %[6]s gives back what %[5]s returned. Nothing may use it after that.
func %[6]s(%[14]s) {
%[15]s%[16]s	%[1]s.Put(x)
}
`, pool, own, r.c.fn.Name(), sync, get, put, param, results, checked, result, again, ok, args, putParams, failed, release)
	if r.c.reads && !r.c.final {
		v.Remark = "what it last read from stays reachable until it is used again"
	}
	r.keepImport(v, moved)
	return v, ""
}

// keepImport names the constructor, and what its arguments name, once more: nothing else in the file
// may name their packages.
func (r resets) keepImport(v *Variant, moved []ast.Expr) {
	for _, s := range r.namedIn(append([]ast.Expr{r.call.Fun}, moved...)) {
		x := s.X.(*ast.Ident)
		name := x.Name + "." + s.Sel.Name
		switch r.in.info.Uses[s.Sel].(type) {
		case *types.Const:
			name = "const _ = " + name
		case *types.TypeName:
			name = "var _ " + name
		case *types.Builtin:
			name = "const _ = " + x.Name + ".Sizeof(0)" // of unsafe
		default:
			name = "var _ = " + name
		}
		v.kept = append(v.kept, name)
	}
}

// namedIn lists what expressions name of packages.
func (r resets) namedIn(all []ast.Expr) (found []*ast.SelectorExpr) {
	for _, e := range all {
		for n := range ast.Preorder(e) {
			if s, ok := n.(*ast.SelectorExpr); ok && syntax.Package(r.in.info, s) != nil {
				found = append(found, s)
			}
		}
	}
	return found
}

// hoist makes one object before the loop, and resets it in each iteration.
func (r resets) hoist(what string) ([]Variant, string) {
	if r.same() {
		return nil, what + "but it returns its argument where that is one already, so that it cannot be kept over iterations"
	}
	if r.c.resets {
		return nil, what + "but Reset may fail; make it before the loop by hand"
	}
	if r.err != nil && says(r.in.code(r.call), r.l.v.Name(), r.err.Name) {
		return nil, what + "but its variables hide what its arguments name"
	}
	t := r.in.typeHere(r.c.result)
	if t == "" {
		return nil, what + "but its type has no name in this file"
	}
	v, kept, why := r.a.before(r.l, r.evidence, t)
	if why != "" {
		return nil, why
	}
	name, source := r.l.v.Name(), ""
	if r.c.source != nil {
		source = r.in.code(r.call.Args[0])
	}
	lines := []string{
		fmt.Sprintf("if %s == nil {", kept),
		fmt.Sprintf("%s = %s", kept, r.in.code(r.call)),
		"} else {", fmt.Sprintf("%s.Reset(%s)", kept, source), "}",
		fmt.Sprintf("%s := %s", name, kept),
	}
	if r.err != nil {
		failed := r.err.Name
		first := fmt.Sprintf("%s, %s := %s, error(nil)", name, failed, kept)
		if failed == "_" {
			first = fmt.Sprintf("%s := %s", name, kept)
		}
		lines = []string{
			first, fmt.Sprintf("if %s == nil {", name),
			fmt.Sprintf("%s, %s = %s", name, failed, r.in.code(r.call)), fmt.Sprintf("%s = %s", kept, name),
			"} else {", fmt.Sprintf("%s.Reset(%s)", name, source), "}",
		}
	}
	v.put(r.l.stmt.Pos(), r.l.stmt.End(), lines...)
	return []Variant{*v}, ""
}
