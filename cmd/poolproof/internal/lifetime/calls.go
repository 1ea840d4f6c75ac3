package lifetime

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// function is one whose calls tell when they begin and end.
type function struct {
	Line
	name string // as the source declares it: "(*Encoder).Encode"; of a literal that of the function around it, and its line
}

// instrumented is a copy of source files in which functions tell of their calls, and
// benchmarks of their operations.
type instrumented struct {
	fset      *token.FileSet
	set       *edit.Set
	parsed    map[string]*ast.File
	imports   map[string]bool // files that import the runtime by our name
	numbers   map[ast.Node]int
	functions []function // number i+1 is functions[i]
	loops     int        // that tell of operations
}

func newInstrumented() *instrumented {
	fset := token.NewFileSet()
	return &instrumented{
		fset: fset, set: edit.New(fset, os.ReadFile),
		parsed: map[string]*ast.File{}, imports: map[string]bool{}, numbers: map[ast.Node]int{},
	}
}

// alias is the name by which edited files import the runtime.
const alias = "poolproofruntime"

func (in *instrumented) file(name string) (*ast.File, error) {
	if f := in.parsed[name]; f != nil {
		return f, nil
	}
	f, err := parser.ParseFile(in.fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s is not read as Go: %w", filepath.Base(name), err)
	}
	in.parsed[name] = f
	return f, nil
}

// line is the line that the compiler gives a position.
func (in *instrumented) line(p token.Pos) int { return in.fset.Position(p).Line }

// insert puts a statement at the start of a body.
func (in *instrumented) insert(f *ast.File, body *ast.BlockStmt, statement string) {
	at := body.Lbrace + 1
	in.set.Replace(at, at, " "+statement+";")
	if name := in.fset.PositionFor(f.Pos(), false).Filename; !in.imports[name] {
		in.imports[name] = true
		in.set.Replace(f.Name.End(), f.Name.End(), "; import "+alias+` "runtime"`)
	}
}

// calls makes the functions that have code on a line tell of their calls, and returns their
// numbers. A line has several where a function literal begins on it.
func (in *instrumented) calls(at Line) ([]int, error) {
	f, err := in.file(at.File)
	if err != nil {
		return nil, err
	}
	var found []int
	for _, d := range f.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || !in.on(decl.Body, at.Line) {
			continue
		}
		innermost := ast.Node(decl)
		var literals []*ast.FuncLit
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && in.on(lit.Body, at.Line) {
				if in.line(lit.Body.Lbrace) < at.Line && at.Line < in.line(lit.Body.Rbrace) {
					innermost, literals = lit, nil // all of the line is inside
				} else {
					literals = append(literals, lit)
				}
			}
			return true
		})
		if unsplit(decl) {
			return nil, fmt.Errorf("%s is marked go:nosplit: it cannot tell when it returns", declared(decl))
		}
		found = append(found, in.number(f, decl, innermost))
		for _, lit := range literals {
			found = append(found, in.number(f, decl, lit))
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s:%d is in no function", filepath.Base(at.File), at.Line)
	}
	return found, nil
}

// on reports whether a body has a part on a line.
func (in *instrumented) on(b *ast.BlockStmt, line int) bool {
	return in.line(b.Lbrace) <= line && line <= in.line(b.Rbrace)
}

// number gives a function its number, and edits it the first time.
func (in *instrumented) number(f *ast.File, decl *ast.FuncDecl, node ast.Node) int {
	if n := in.numbers[node]; n != 0 {
		return n
	}
	name, body := declared(decl), decl.Body
	if lit, ok := node.(*ast.FuncLit); ok {
		name, body = fmt.Sprintf("function literal in %s", name), lit.Body
	}
	at := in.fset.Position(node.Pos())
	in.functions = append(in.functions, function{Line{at.Filename, at.Line}, name})
	n := len(in.functions)
	in.numbers[node] = n
	in.insert(f, body, fmt.Sprintf("defer %s.PoolproofLeave(%s.PoolproofEnter(%d))", alias, alias, n))
	return n
}

// declared is the name of a function as its declaration has it.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	star := ""
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			star, typ = "*", t.X
			continue
		case *ast.ParenExpr:
			typ = t.X
			continue
		case *ast.IndexExpr:
			typ = t.X
			continue
		case *ast.IndexListExpr:
			typ = t.X
			continue
		case *ast.Ident:
			if star != "" {
				return "(*" + t.Name + ")." + d.Name.Name
			}
			return t.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}

// unsplit reports whether a function must not grow its stack, as calls may.
func unsplit(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:nosplit") {
			return true
		}
	}
	return false
}
