package reuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// usedAgain is the line of a use of the buffer that comes after its bytes have left the function, and
// does more than empty it; 0 if there is none. A copy would not have what is done to the bytes then.
func (b buffers) usedAgain() (line int) {
	for _, call := range b.leaving() {
		end := b.l.body.End()
		for _, n := range pathToNode(b.in.file, call) {
			if s, ok := n.(*ast.ReturnStmt); ok {
				end = s.End()
			}
		}
		syntax.Inspect(b.l.body, func(path []ast.Node) bool {
			id, ok := path[len(path)-1].(*ast.Ident)
			if !ok || !b.watches(id, true) {
				return true
			}
			if (inside[*ast.DeferStmt](path) || call.End() < id.Pos() && id.Pos() < end) && !b.adds(path[len(path)-2]) {
				line = b.in.pkg.Fset.PositionFor(id.Pos(), false).Line
			}
			return true
		})
	}
	return line
}

// adds reports whether what stands around a use of the buffer, or of what writes to it, calls a method
// that leaves what was written as it is, or all of it behind.
func (b buffers) adds(parent ast.Node) bool {
	sel, ok := parent.(*ast.SelectorExpr)
	switch {
	case !ok:
		return false
	case len(b.emptied()) > 0: // what is written then may take the place of the bytes
		return sel.Sel.Name == "Reset" || sel.Sel.Name == "Len"
	}
	return slices.Contains([]string{"Write", "WriteByte", "WriteRune", "WriteString", "Len", "Close", "Flush", "Encode"}, sel.Sel.Name)
}

// outgrown is where the buffer may grow while something has what Bytes returned before, which has the
// memory of the buffer then, or not: nil if nowhere.
func (b buffers) outgrown() (found *refusal) {
	syntax.Inspect(b.l.body, func(path []ast.Node) bool {
		call, ok := path[len(path)-1].(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Bytes" {
			return true
		}
		id, ok := ast.Unparen(sel.X).(*ast.Ident)
		if !ok || !b.watches(id, false) {
			return true
		}
		from, until := call.End(), token.NoPos
		if v := b.named(path); v != nil {
			until = b.lastUse(v)
		} else if b.keeper.copied[call] && !inside[*ast.ReturnStmt](path) {
			until = b.l.body.End()
			for _, n := range path {
				switch n.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					if b.l.stmt.Pos() < n.Pos() && n.Pos() < from {
						from = n.Pos() // of another iteration
					}
				}
			}
		}
		syntax.Inspect(b.l.body, func(path []ast.Node) bool {
			id, ok := path[len(path)-1].(*ast.Ident)
			if ok && found == nil && b.watches(id, false) {
				if at := grows(path); from < at && at < until {
					found = &refusal{id.Pos(), id.Name + " may grow while something has what Bytes returned before"}
				}
			}
			return true
		})
		return true
	})
	return found
}

// watches reports whether a name is that of the buffer, or of what writes to it or reads from it; or of a
// part of its memory, where that is asked for.
func (b buffers) watches(id *ast.Ident, parts bool) bool {
	v, ok := b.in.info.Uses[id].(*types.Var)
	for w := range b.keeper.seen {
		if ok && w.v == v && (parts || w.s != slice) {
			return true
		}
	}
	return false
}

// named is the variable that gets the value at the end of a path, or a part of it; nil if none does.
func (b buffers) named(path []ast.Node) *types.Var {
	i := len(path) - 1
	for inside[*ast.ParenExpr](path[i-1:i]) || inside[*ast.SliceExpr](path[i-1:i]) {
		i--
	}
	var id *ast.Ident
	switch p := path[i-1].(type) {
	case *ast.AssignStmt:
		if len(p.Lhs) == 1 {
			id, _ = p.Lhs[0].(*ast.Ident)
		}
	case *ast.ValueSpec:
		if len(p.Names) == 1 {
			id = p.Names[0]
		}
	}
	v, _ := b.in.info.Defs[id].(*types.Var)
	return v
}

// lastUse is the last place in the function that uses a variable; its end, where that is deferred.
func (b buffers) lastUse(v *types.Var) (last token.Pos) {
	syntax.Inspect(b.l.body, func(path []ast.Node) bool {
		if id, ok := path[len(path)-1].(*ast.Ident); ok && b.in.info.Uses[id] == v {
			if last = max(last, id.Pos()); inside[*ast.DeferStmt](path) {
				last = b.l.body.End()
			}
		}
		return true
	})
	return last
}

// grows is where a call ends by which the buffer, or what writes to it, at the end of a path may make the
// buffer grow; not valid if it is none.
func grows(path []ast.Node) token.Pos {
	if sel, ok := path[len(path)-2].(*ast.SelectorExpr); ok {
		m := sel.Sel.Name
		if m == "WriteTo" || !strings.HasPrefix(m, "Write") && !slices.Contains([]string{"Grow", "ReadFrom", "Encode", "Flush", "Close"}, m) {
			return token.NoPos
		}
	}
	for _, n := range slices.Backward(path) {
		if call, ok := n.(*ast.CallExpr); ok {
			return call.End()
		}
	}
	return token.NoPos
}
