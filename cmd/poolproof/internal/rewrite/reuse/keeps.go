package reuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// shape says which uses of a variable are known not to keep what it holds.
type shape int

const (
	slice  shape = iota // a slice: its elements are in the memory that is used again
	buffer              // a bytes.Buffer or strings.Builder, or a pointer to one
	object              // anything that is used by its methods
)

// keeper looks for uses of variables that may keep what they hold beyond the function.
type keeper struct {
	pkg    *packages.Package
	info   *types.Info
	folder *folder
	seen   map[watched]bool
	// copied are calls of Bytes whose result leaves the function: they need a copy. nil: such
	// calls are refused.
	copied map[*ast.CallExpr]bool
	// cleared are calls that empty a buffer, take from it, or make room in it: it may be empty after
	// them and not nil.
	cleared []string
	// late: what is deferred runs when the memory has another use, as it does in a loop.
	late bool
	// mayBeNil: what is empty is nil, or not; to ask that is a use.
	mayBeNil bool
	// grows is a slice that goes on growing: another header of its memory is a use, but for the one
	// that each of the return statements gives away. nil: the memory alone is watched.
	grows    *types.Var
	returned map[*ast.ReturnStmt]bool
	// Of a field that grows: what runs while something has a header of its memory, and whether
	// anything may write an element that is there.
	held    []ast.Node
	written bool
	// made is the constructor of an object, nil for others; ends is its only Close, if that is deferred
	// and ends it for good.
	made  *constructor
	ends  *ast.CallExpr
	depth int
}

// newKeeper looks at variables of the package of a file.
func newKeeper(in *source) *keeper {
	return &keeper{pkg: in.pkg, info: in.info, folder: in.folder, seen: map[watched]bool{}}
}

// watched is a variable with the question that is asked of it.
type watched struct {
	v   *types.Var
	s   shape
	may bool // be nil: keeper.mayBeNil
}

// refusal is a use that may keep what a variable holds.
type refusal struct {
	at   token.Pos
	text string
}

func (k *keeper) say(r *refusal) string { return r.text + " in " + line(k.pkg.Fset, r.at) }

// keeps returns the first use of a variable inside a function that may keep what it holds;
// nil if each is known not to.
func (k *keeper) keeps(v *types.Var, body ast.Node, s shape) *refusal {
	asked := watched{v, s, k.mayBeNil}
	if k.seen[asked] {
		return nil
	}
	was := maps.Clone(k.seen)
	k.seen[asked] = true
	var found *refusal
	syntax.Inspect(body, func(path []ast.Node) bool {
		if found != nil {
			return false
		}
		if id, ok := path[len(path)-1].(*ast.Ident); ok && k.info.Uses[id] == v {
			if text := k.captured(path); text != "" {
				found = &refusal{id.Pos(), v.Name() + " is used " + text}
			} else if text := k.use(path, len(path)-1, s, v); text != "" {
				found = &refusal{id.Pos(), text}
			}
		}
		return true
	})
	if found != nil {
		k.seen = was // what was found of others may rest on this one
	}
	return found
}

// captured says that a node stands in a function value inside of the body that a path begins
// with, or in a go statement. One that is deferred at once is a part of the body, unless that
// is too late.
func (k *keeper) captured(path []ast.Node) string {
	for i, n := range path {
		switch n := n.(type) {
		case *ast.DeferStmt:
			switch {
			case k.depth > 0:
			case k.late:
				return "when the function returns, after the loop"
			case k.grows != nil:
				return "when the function returns"
			}
		case *ast.GoStmt:
			return "by another goroutine"
		case *ast.FuncLit:
			if k.grows != nil && k.depth == 0 {
				continue
			}
			if i >= 2 {
				if call, ok := path[i-1].(*ast.CallExpr); ok && call.Fun == n {
					if _, ok := path[i-2].(*ast.DeferStmt); ok {
						continue
					}
				}
			}
			return "in a function value"
		}
	}
	return ""
}

// use says how the expression path[i], which holds what is watched, is kept; "" if it is not.
func (k *keeper) use(path []ast.Node, i int, s shape, v *types.Var) string {
	expr, parent := path[i], path[i-1]
	name := v.Name()
	if _, pointer := types.Unalias(v.Type()).(*types.Pointer); s == buffer && !pointer {
		if _, bare := expr.(*ast.Ident); bare && copies(parent) {
			return name + " is copied"
		}
	}
	switch p := parent.(type) {
	case *ast.ParenExpr:
		return k.use(path, i-1, s, v)
	case *ast.SelectorExpr:
		if p.X == expr && s != slice {
			return k.method(path, i-1, s, v)
		}
		return "a field of " + name + " is used"
	case *ast.StarExpr:
		if sel, ok := path[i-2].(*ast.SelectorExpr); ok && sel.X == p {
			return k.method(path, i-2, s, v)
		}
		return name + " is copied"
	case *ast.UnaryExpr:
		if p.Op == token.AND && s == buffer {
			return k.use(path, i-1, s, v)
		}
		if p.Op == token.AND {
			return "the address of " + name + " is taken"
		}
	case *ast.IndexExpr:
		if p.X == expr && s == slice {
			k.written = k.written || assigns(path, i-1)
			return element(k.info, path, i-1, name)
		}
		return name + " is the key of a map"
	case *ast.SliceExpr:
		switch {
		case p.X != expr:
			return ""
		case s != slice:
			return name + " is sliced"
		case k.mayBeNil && !within(p):
			return name + " is cut at a length of its own"
		}
		k.written = true // where it gets shorter, an append writes what was there
		return k.use(path, i-1, s, v)
	case *ast.RangeStmt:
		switch { // the loop has a header of its own
		case p.X == expr && k.grows == v && appends(k.info, p.Body, v):
			return name + " is appended to in a loop over it"
		case p.X == expr:
			if p.Value != nil {
				k.held = append(k.held, p.Body)
			}
			return ""
		}
		return name + " is assigned to"
	case *ast.BinaryExpr:
		if k.mayBeNil {
			return name + " is compared with nil"
		}
		return ""
	case *ast.ExprStmt:
		return ""
	case *ast.AssignStmt:
		return k.assigned(p, expr, s, v, path)
	case *ast.ValueSpec:
		for j, value := range p.Values {
			if value == expr && len(p.Names) == len(p.Values) {
				return k.alias(p.Names[j], s, path, name)
			}
		}
	case *ast.CallExpr:
		return k.argument(p, expr.(ast.Expr), path, i-1, s, v)
	case *ast.ReturnStmt:
		if k.grows == v && !v.IsField() && k.depth == 0 && !k.returned[p] && !inside[*ast.FuncLit](path) {
			k.returned[p] = true
			return ""
		}
		return name + " is returned"
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return name + " is stored in a literal"
	case *ast.SendStmt:
		return name + " is sent on a channel"
	case *ast.TypeAssertExpr, *ast.TypeSwitchStmt:
		return name + " is asserted to another type"
	case *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause:
		return ""
	}
	return name + " is used in a way that is not followed"
}

// copies reports whether what stands around a variable uses its value, and not a method or the
// address of it.
func copies(parent ast.Node) bool {
	switch p := parent.(type) {
	case *ast.SelectorExpr, *ast.ParenExpr:
		return false
	case *ast.UnaryExpr:
		return p.Op != token.AND
	}
	return true
}

// assigned follows an assignment on either side of which the expression stands.
func (k *keeper) assigned(p *ast.AssignStmt, expr ast.Node, s shape, v *types.Var, path []ast.Node) string {
	for _, l := range p.Lhs {
		if l == expr {
			if s == buffer {
				return v.Name() + " is assigned again"
			}
			return "" // another value: what was there is not kept by that
		}
	}
	if len(p.Lhs) != len(p.Rhs) {
		return v.Name() + " is assigned"
	}
	j := slices.IndexFunc(p.Rhs, func(e ast.Expr) bool { return ast.Node(e) == expr })
	if j < 0 {
		return v.Name() + " is assigned"
	}
	id, ok := p.Lhs[j].(*ast.Ident)
	switch {
	case ok && id.Name == "_":
		return ""
	case back(k.info, p.Lhs[j], p.Rhs[j]) == v && p.Tok == token.ASSIGN:
		return "" // x = x[:n]
	case ok && p.Tok == token.DEFINE:
		return k.alias(id, s, path, v.Name())
	}
	return v.Name() + " is stored in another variable"
}

// alias follows a second name of the same memory.
func (k *keeper) alias(id *ast.Ident, s shape, path []ast.Node, name string) string {
	w, ok := k.info.Defs[id].(*types.Var)
	if !ok || k.grows != nil {
		return name + " is stored in another variable"
	}
	if r := k.keeps(w, path[0], s); r != nil {
		return r.text
	}
	return ""
}
