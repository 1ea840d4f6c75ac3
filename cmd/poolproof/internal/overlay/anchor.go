package overlay

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// ErrAnchor says that a toolchain's source does not have the shape that an
// edit needs: an unknown Go version. The caller falls back or gives up; it
// never goes on with half of the edits.
var ErrAnchor = errors.New("the toolchain's source is not of a known shape")

// source is a file under edit: edits are collected against its syntax tree
// and applied at once as text, so that everything else keeps its bytes.
type source struct {
	name  string
	text  []byte
	fset  *token.FileSet
	file  *ast.File
	edits []edit
}

type edit struct {
	from, to int // byte offsets; from == to inserts
	text     string
}

func parse(name string, text []byte) (*source, error) {
	s := &source{name: name, text: text, fset: token.NewFileSet()}
	var err error
	if s.file, err = parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnchor, err)
	}
	return s, nil
}

// missing reports an anchor that is not there.
func (s *source) missing(anchor string) error {
	return fmt.Errorf("%w: %s has no %s", ErrAnchor, s.name, anchor)
}

func (s *source) insert(at token.Pos, text string) { s.replace(at, at, text) }

func (s *source) replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{s.fset.Position(from).Offset, s.fset.Position(to).Offset, text})
}

// code returns the source text of a node.
func (s *source) code(n ast.Node) string {
	return string(s.text[s.fset.Position(n.Pos()).Offset:s.fset.Position(n.End()).Offset])
}

// bytes returns the edited file.
func (s *source) bytes() []byte {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	last := 0
	for _, e := range s.edits {
		out = append(out, s.text[last:e.from]...)
		out = append(out, e.text...)
		last = e.to
	}
	return append(out, s.text[last:]...)
}

// method returns the method of the named pointer receiver type, or nil.
func (s *source) method(recv, name string) *ast.FuncDecl {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Recv == nil || f.Body == nil || len(f.Recv.List) != 1 {
			continue
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok && id.Name == recv {
				return f
			}
		}
	}
	return nil
}

// statements returns every statement below n whose source text is code.
func (s *source) statements(n ast.Node, code string) []ast.Stmt {
	var found []ast.Stmt
	ast.Inspect(n, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && s.code(st) == code {
			found = append(found, st)
		}
		return true
	})
	return found
}

// assignments returns every assignment below n whose left side is exactly the
// given source text and whose operator is tok.
func (s *source) assignments(n ast.Node, left string, tok token.Token) []*ast.AssignStmt {
	var found []*ast.AssignStmt
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == tok && len(a.Lhs) == 1 && s.code(a.Lhs[0]) == left {
			found = append(found, a)
		}
		return true
	})
	return found
}
