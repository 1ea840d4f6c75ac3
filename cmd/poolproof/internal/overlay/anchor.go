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

// AnchorError says which place of which file of which toolchain was not found.
// It wraps ErrAnchor.
type AnchorError struct {
	File    string
	Anchor  string // what was looked for; "" if the file cannot be read or parsed
	Version string // of the toolchain; filled in by who knows it
	Err     error  // why the file cannot be read or parsed
}

func (e *AnchorError) Error() string {
	version := ""
	if e.Version != "" {
		version = " (" + e.Version + ")"
	}
	if e.Err != nil {
		return fmt.Sprintf("%v%s: %v", ErrAnchor, version, e.Err)
	}
	return fmt.Sprintf("%v%s: %s has no %s", ErrAnchor, version, e.File, e.Anchor)
}

func (e *AnchorError) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrAnchor, e.Err}
	}
	return []error{ErrAnchor}
}

// Source is a file under edit: edits are collected against its syntax tree
// and applied at once as text, so that everything else keeps its bytes.
type Source struct {
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

// Parse reads the text of the named file.
func Parse(name string, text []byte) (*Source, error) {
	s := &Source{name: name, text: text, fset: token.NewFileSet()}
	var err error
	if s.file, err = parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution); err != nil {
		return nil, &AnchorError{File: name, Err: err}
	}
	return s, nil
}

// Missing reports an anchor that is not there.
func (s *Source) Missing(anchor string) error {
	return &AnchorError{File: s.name, Anchor: anchor}
}

// Insert puts text before a position.
func (s *Source) Insert(at token.Pos, text string) { s.Replace(at, at, text) }

// Replace puts text in the place of what stands between two positions.
func (s *Source) Replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{s.fset.Position(from).Offset, s.fset.Position(to).Offset, text})
}

// Code returns the source text of a node.
func (s *Source) Code(n ast.Node) string {
	return string(s.text[s.fset.Position(n.Pos()).Offset:s.fset.Position(n.End()).Offset])
}

// Bytes returns the edited file.
func (s *Source) Bytes() []byte {
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

// Method returns the method of the named pointer receiver type, or nil.
func (s *Source) Method(recv, name string) *ast.FuncDecl {
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

// Func returns the function of that name, without receiver and with a body, or
// nil.
func (s *Source) Func(name string) *ast.FuncDecl {
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && f.Recv == nil && f.Body != nil {
			return f
		}
	}
	return nil
}

// File returns the file's syntax tree, which is not changed.
func (s *Source) File() *ast.File { return s.file }

// Statements returns every statement below n whose source text is code.
func (s *Source) Statements(n ast.Node, code string) []ast.Stmt {
	var found []ast.Stmt
	ast.Inspect(n, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && s.Code(st) == code {
			found = append(found, st)
		}
		return true
	})
	return found
}

// assignments returns every assignment below n whose left side is exactly the
// given source text and whose operator is tok.
func (s *Source) assignments(n ast.Node, left string, tok token.Token) []*ast.AssignStmt {
	var found []*ast.AssignStmt
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == tok && len(a.Lhs) == 1 && s.Code(a.Lhs[0]) == left {
			found = append(found, a)
		}
		return true
	})
	return found
}
