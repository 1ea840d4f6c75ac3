package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// function is where a function's body lies, in lines and columns that count
// from 1: from its opening brace to the place after its closing one.
type function struct {
	file        string // base name
	start, col  int
	end, endCol int
}

// holds reports whether the position is inside the body.
func (f function) holds(line, col int) bool {
	afterStart := line > f.start || line == f.start && col >= f.col
	beforeEnd := line < f.end || line == f.end && col < f.endCol
	return afterStart && beforeEnd
}

// functionsOf returns the functions with a body in the files of dir, by
// "name" or "Type.name".
func functionsOf(dir string, files []string) (map[string]function, error) {
	funcs := map[string]function{}
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				// PositionFor ignores //line directives, as coverage does.
				start, end := fset.PositionFor(fd.Body.Lbrace, false), fset.PositionFor(fd.End(), false)
				funcs[functionName(fd)] = function{name, start.Line, start.Column, end.Line, end.Column}
			}
		}
	}
	return funcs, nil
}

// functionName is "name" or "Type.name", without pointers and type
// parameters.
func functionName(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	typ, _, _ := strings.Cut(types.ExprString(fd.Recv.List[0].Type), "[")
	return strings.Trim(typ, "(*)") + "." + fd.Name.Name
}
