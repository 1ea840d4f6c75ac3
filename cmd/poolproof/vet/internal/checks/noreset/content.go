package noreset

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// What is written to a buffer, a builder or a hash comes after what is there already. One
// that nothing empties gives each user what all users before wrote: for these types that is
// certain, because all that can be done with them is known.

// role classifies a method by its effect on the content of such an object.
type role uint8

const (
	unknown role = iota // it may empty the object
	neutral
	writes
	reads
	drains // WriteTo: what it cannot write stays
)

var roles = map[string]role{
	"Write": writes, "WriteByte": writes, "WriteRune": writes, "WriteString": writes, "ReadFrom": writes,
	"Bytes": reads, "String": reads, "Sum": reads, "Sum32": reads, "Sum64": reads, "WriteTo": drains,
	"Len": neutral, "Cap": neutral, "Grow": neutral, "Available": neutral, "Size": neutral, "BlockSize": neutral,
}

// accumulates reports whether values of a type are such objects.
func accumulates(t types.Type) bool {
	named, ok := types.Unalias(syntax.Pointed(t)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "bytes.Buffer", "strings.Builder", "hash.Hash", "hash.Hash32", "hash.Hash64":
		return true
	}
	return false
}

// content collects the effects of a function on the content of an object.
type content struct {
	*code
	did    [drains + 1]bool
	failed bool // an error of WriteTo is looked at: the object may be left out then
}

// leftIn says what a function leaves in an object for the next user, "" if that is not certain: it
// gets and puts the object, writes into it, reads all of it, and empties it nowhere. The deferred put
// runs where the function fails too.
func (c *code) leftIn(fn *ast.FuncDecl, v *types.Var, deferred bool) string {
	does := content{code: c}
	does.look(fn.Body, v, 0)
	switch {
	case does.did[unknown] || !does.did[writes]:
	case does.did[drains] && (deferred || !does.failed):
		return "WriteTo leaves in " + v.Name() + " what it could not write, and nothing resets it"
	case !does.did[drains] && does.did[reads]:
		return "nothing resets " + v.Name() + ", so that this function reads what all its users before wrote"
	}
	return ""
}

// leftBy is leftIn for what a function gets and puts itself.
func (c *code) leftBy(pool *events.Pool, get events.PoolGet, fn *ast.FuncDecl) string {
	v := c.variable(fn, get.Call)
	if v == nil || !accumulates(v.Type()) || pool.Kind == events.LocalPool {
		return ""
	}
	puts, deferred := false, false
	for _, put := range pool.Puts {
		if id, ok := ast.Unparen(put.Call.Args[0]).(*ast.Ident); ok && c.pass.TypesInfo.Uses[id] == v {
			puts, deferred = true, deferred || put.Deferred
		}
	}
	if !puts {
		return ""
	}
	return c.leftIn(fn, v, deferred)
}

// wrapped reports puts in functions of the package that give back what others got by a function of the
// package, where one of these reads what earlier users wrote.
func (c *code) wrapped() {
	for _, fn := range c.pass.Events.Funcs {
		for _, obj := range fn.Objects {
			if fn.Test || obj.Get == nil || len(obj.Puts) == 0 || obj.Type == nil || !accumulates(obj.Type) {
				continue
			}
			call, ok := obj.Get.Node.(*ast.CallExpr)
			if !ok {
				continue
			}
			user, getter := c.pass.Around(call), c.callee(call)
			put, ok := obj.Puts[0].Node.(*ast.CallExpr)
			if user == nil || getter == nil || !ok || c.cleans(getter, obj.Type, 1) {
				continue
			}
			v := c.variable(user, call)
			if v == nil {
				continue
			}
			left := c.leftIn(user, v, obj.Puts[0].Deferred)
			if at := c.putIn(c.callee(put)); left != "" && at != nil {
				c.pass.Report(check.Report{
					Pos: at.Pos(), End: at.End(), Tier: check.Warning,
					Message: "this is put with its content: " + fn.Name + " got one (" + c.pass.Line(*obj.Get) + "), and reads with its own what all users before wrote; reset it after Get or before Put",
					Related: check.Related(*obj.Get),
				})
			}
		}
	}
}

// callee returns the declaration of the function of the package that a call is of, nil if it is of none.
func (c *code) callee(call *ast.CallExpr) *ast.FuncDecl {
	if fn, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func); ok {
		return c.declared(fn)
	}
	return nil
}

// putIn returns the put into a sync.Pool that stands in a function, nil if there is none.
func (c *code) putIn(fn *ast.FuncDecl) *ast.CallExpr {
	for _, pool := range c.pass.Events.Pools {
		for _, put := range pool.Puts {
			if fn != nil && c.pass.Around(put.Call) == fn {
				return put.Call
			}
		}
	}
	return nil
}

// variable returns the variable that a function declares for what a call returns.
func (c *code) variable(fn *ast.FuncDecl, get *ast.CallExpr) (v *types.Var) {
	is := func(names, values []ast.Expr) {
		if len(values) != 1 || len(names) != 1 {
			return
		}
		value := ast.Unparen(values[0])
		if assert, ok := value.(*ast.TypeAssertExpr); ok {
			value = ast.Unparen(assert.X)
		}
		if id, ok := names[0].(*ast.Ident); ok && value == ast.Expr(get) {
			v, _ = c.pass.TypesInfo.Defs[id].(*types.Var)
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			is(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			if len(n.Names) == 1 {
				is([]ast.Expr{n.Names[0]}, n.Values)
			}
		}
		return v == nil
	})
	return v
}

// look notes what code does with a variable.
func (c *content) look(in ast.Node, v *types.Var, depth int) {
	ast.PreorderStack(in, nil, func(n ast.Node, path []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.pass.TypesInfo.Uses[id] == v {
			c.did[c.use(id, path, depth)] = true
		}
		return true
	})
}

// use returns what a mention of the variable does; path are the nodes around it.
func (c *content) use(id *ast.Ident, path []ast.Node, depth int) role {
	around := func(i int) ast.Node {
		if len(path) < i {
			return nil
		}
		return path[len(path)-i]
	}
	switch n := around(1).(type) {
	case *ast.BinaryExpr: // with nil: these types have no other
		return neutral
	case *ast.SelectorExpr:
		call, ok := around(2).(*ast.CallExpr)
		if !ok || call.Fun != ast.Expr(n) {
			return unknown
		}
		does := roles[n.Sel.Name]
		if does == drains {
			if _, dropped := around(3).(*ast.ExprStmt); !dropped {
				c.failed = true
			}
			if len(call.Args) != 1 || c.cannotFail(call.Args[0]) {
				return unknown // it leaves nothing
			}
		}
		return does
	case *ast.CallExpr:
		return c.passed(n, id, depth)
	}
	return unknown
}

// cannotFail reports whether a writer takes all that it is given.
func (c *content) cannotFail(w ast.Expr) bool {
	sel, ok := ast.Unparen(w).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Discard" || accumulates(c.pass.TypesInfo.TypeOf(w))
}

// passed returns what a call does with the variable, one of its arguments.
func (c *content) passed(call *ast.CallExpr, id *ast.Ident, depth int) role {
	callee, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	if !ok {
		return unknown
	}
	if callee.FullName() == "(*sync.Pool).Put" {
		return neutral
	}
	sig := callee.Signature()
	for i, arg := range call.Args {
		if ast.Unparen(arg) != ast.Expr(id) {
			continue
		}
		if i >= sig.Params().Len() || sig.Variadic() && i >= sig.Params().Len()-1 {
			return unknown
		}
		prm := sig.Params().At(i)
		if iface, ok := prm.Type().Underlying().(*types.Interface); ok && !accumulates(prm.Type()) {
			if iface.NumMethods() == 1 && iface.Method(0).Name() == "Write" {
				return writes
			}
			return unknown
		}
		body := c.declared(callee)
		if body == nil || callee.Origin() != callee || depth > 3 {
			return unknown
		}
		c.look(body.Body, prm, depth+1)
		return neutral
	}
	return unknown
}
