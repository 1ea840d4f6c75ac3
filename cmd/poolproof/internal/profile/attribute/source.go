package attribute

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// source is one file with its types.
type source struct {
	fset *token.FileSet
	file *ast.File
	info *types.Info
}

func (f *source) line(p token.Pos) int { return f.fset.Position(p).Line }

// enclosing is the declared function around a line, or nil.
func (f *source) enclosing(line int) *ast.FuncDecl {
	for _, d := range f.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && f.line(fn.Pos()) <= line && line <= f.line(fn.End()) {
			return fn
		}
	}
	return nil
}

// declares reports whether a line is in the function that the runtime calls
// name, or in a package-level variable's initial value.
func (f *source) declares(line int, name string) bool {
	fn := f.enclosing(line)
	if fn == nil {
		return name == "init" || strings.HasPrefix(name, "init.") || strings.HasPrefix(name, "glob.")
	}
	// "F[...].func1", "(*T[...]).M-fm", "T.M"
	name = typeArgs.ReplaceAllString(name, "")
	if receiver, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ")."); ok {
		name = strings.TrimPrefix(receiver, "*") + "." + method
	}
	parts := strings.Split(name, ".")
	if fn.Recv == nil {
		return parts[0] == fn.Name.Name
	}
	return len(parts) > 1 && strings.TrimSuffix(parts[1], "-fm") == fn.Name.Name
}

var typeArgs = regexp.MustCompile(`\[[^\]]*\]`)

// within calls do with each node that has a part on a line, at the end of its path.
func (f *source) within(line int, do func(path []ast.Node)) {
	syntax.Inspect(f.file, func(path []ast.Node) bool {
		n := path[len(path)-1]
		if f.line(n.Pos()) > line || f.line(n.End()) < line {
			return false
		}
		do(path)
		return true
	})
}

// calls returns the calls that the compiler may have on a line: by their opening
// parenthesis, or the name before it.
func (f *source) calls(line int) (calls []*ast.CallExpr) {
	f.within(line, func(path []ast.Node) {
		if c, ok := path[len(path)-1].(*ast.CallExpr); ok && (f.line(c.Lparen) == line || f.line(c.Pos()) == line || f.line(c.Rparen) == line) {
			calls = append(calls, c)
		}
	})
	return calls
}

// text is the source of an expression on one line, cut where it is long.
func (f *source) text(e ast.Expr) string {
	const most = 60
	t := strings.Join(strings.Fields(types.ExprString(e)), " ")
	if r := []rune(t); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return t
}

// callTo finds the call of a function on a line: its column, and its source.
func (f *source) callTo(line int, callee string) (column int, expr string) {
	for _, c := range f.calls(line) {
		if fn, ok := typeutil.Callee(f.info, c).(*types.Func); ok && strings.HasSuffix("."+profile.NameOf(callee), "."+fn.Name()) {
			return f.fset.Position(c.Lparen).Column, f.text(c)
		}
	}
	return 0, ""
}
