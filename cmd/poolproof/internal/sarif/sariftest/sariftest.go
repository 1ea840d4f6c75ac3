// Package sariftest checks logs against the schema of SARIF, for tests.
package sariftest

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // its source has the schema
	"github.com/xeipuuv/gojsonschema"
)

// schema is the schema of OASIS for SARIF 2.1.0, with errata 01. It is not part
// of this repository: the terms of its owner do not say plainly that it may be. It is
// read from a module that carries it as a constant.
var schema = sync.OnceValues(func() (*gojsonschema.Schema, error) {
	const pkg = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		spec := decl.Specs[0].(*ast.ValueSpec)
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && spec.Names[0].Name == "schema" {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return nil, err
			}
			return gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
		}
	}
	return nil, errors.New("the constant schema is not in " + pkg)
})

// Validate checks a log against the schema, which refuses unknown fields too.
func Validate(data []byte) error {
	s, err := schema()
	if err != nil {
		return err
	}
	result, err := s.Validate(gojsonschema.NewBytesLoader(data))
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range result.Errors() {
		errs = append(errs, errors.New(e.String()))
	}
	return errors.Join(errs...)
}
