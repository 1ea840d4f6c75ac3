package edit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// Import is a package that a file is to import. Name is empty where it has its own.
type Import struct{ Name, Path string }

// Print formats the new text of a file, which gets the imports that it does not have. Its
// lines end as they did.
func Print(name string, text []byte, imports []Import) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the edited file does not parse: %w", err)
	}
	AddImports(fset, f, imports)
	return Format(fset, f, bytes.Contains(text, []byte("\r\n")))
}

// AddImports adds those imports that a file does not have.
func AddImports(fset *token.FileSet, f *ast.File, imports []Import) {
	for _, i := range imports {
		if !slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
			got, _ := strconv.Unquote(s.Path.Value)
			return got == i.Path && (s.Name == nil || s.Name.Name != "_")
		}) {
			astutil.AddNamedImport(fset, f, i.Name, i.Path)
		}
	}
}

// Format writes a file; windows: its lines end as they do there.
func Format(fset *token.FileSet, f *ast.File, windows bool) ([]byte, error) {
	var b bytes.Buffer
	if err := format.Node(&b, fset, f); err != nil {
		return nil, err
	}
	if windows {
		return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n")), nil
	}
	return b.Bytes(), nil
}
