package lifetime

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// function is one whose calls tell when they begin and end.
type function struct {
	profile.Place
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
		fset: fset, set: edit.New(fset),
		parsed: map[string]*ast.File{}, imports: map[string]bool{}, numbers: map[ast.Node]int{},
	}
}

// alias is the name by which edited files import the runtime.
const alias = "poolproofruntime"

func (in *instrumented) file(name string) (*ast.File, error) {
	if f := in.parsed[name]; f != nil {
		return f, nil
	}
	f, err := parser.ParseFile(in.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
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
// numbers. A line has several where a function literal begins or ends on it.
func (in *instrumented) calls(at profile.Place) (numbers []int, err error) {
	f, err := in.file(at.File)
	if err != nil {
		return nil, err
	}
	var inside ast.Node // the innermost function that has all of the line
	var parts []ast.Node
	name := ""
	ast.Inspect(f, func(n ast.Node) bool {
		body := bodyOf(n)
		if body == nil || at.Line < in.line(body.Lbrace) || in.line(body.Rbrace) < at.Line {
			return true
		}
		if decl, ok := n.(*ast.FuncDecl); ok {
			name = declared(decl)
			if decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:nosplit") }) {
				err = fmt.Errorf("%s is marked go:nosplit: it cannot tell when it returns", name)
			}
		}
		if in.line(body.Lbrace) < at.Line && at.Line < in.line(body.Rbrace) {
			inside = n
		} else {
			parts = append(parts, n)
		}
		return true
	})
	if inside != nil {
		parts = append([]ast.Node{inside}, parts...)
	}
	if err == nil && len(parts) == 0 {
		err = fmt.Errorf("%s is in no function", short(at))
	}
	if err != nil {
		return nil, err
	}
	for _, n := range parts {
		numbers = append(numbers, in.number(f, name, n))
	}
	return numbers, nil
}

// bodyOf is the body of a function; nil for other nodes.
func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// number gives a function its number, and edits it the first time. name is that of the
// declaration that it is, or is inside of; "" if there is none.
func (in *instrumented) number(f *ast.File, name string, node ast.Node) int {
	if n := in.numbers[node]; n != 0 {
		return n
	}
	var given []string
	switch node := node.(type) {
	case *ast.FuncDecl:
		given = parameters(node.Recv, node.Type.Params)
	case *ast.FuncLit:
		given = parameters(node.Type.Params)
		if name = "function literal in " + name; name == "function literal in " {
			name = "function literal of a variable"
		}
	}
	at := in.fset.Position(node.Pos())
	in.functions = append(in.functions, function{profile.Place{File: at.Filename, Line: at.Line}, name})
	n := len(in.functions)
	in.numbers[node] = n
	in.insert(f, bodyOf(node), tell(n, given))
	return n
}

// tell is the statement by which a function tells of a call. What it was given is kept until
// then: its caller has that, too, and may look there for what the function has left, even
// where a benchmark does not.
func tell(n int, given []string) string {
	if len(given) == 0 {
		return fmt.Sprintf("defer %s.PoolproofLeave(%s.PoolproofEnter(%d))", alias, alias, n)
	}
	var names, keep []string
	for i := range given {
		name := fmt.Sprintf("poolproof%d", i)
		names, keep = append(names, name), append(keep, fmt.Sprintf("%s.KeepAlive(%s)", alias, name))
	}
	return fmt.Sprintf("poolproofcall, %s := %s.PoolproofEnter(%d), %s; defer func() { %s.PoolproofLeave(poolproofcall); %s }()",
		strings.Join(names, ", "), alias, n, strings.Join(given, ", "), alias, strings.Join(keep, "; "))
}

// parameters are the names of a receiver and of parameters, those without a name left out.
func parameters(lists ...*ast.FieldList) (names []string) {
	for _, l := range lists {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, id := range f.Names {
				if id.Name != "_" {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// declared is the name of a function as its declaration has it.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	typ, pointer := strings.CutPrefix(types.ExprString(d.Recv.List[0].Type), "*")
	if typ, _, _ = strings.Cut(typ, "["); pointer {
		typ = "(*" + typ + ")"
	}
	return typ + "." + d.Name.Name
}
