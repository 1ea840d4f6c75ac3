package plan

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
)

// usesPools reports whether a package of the binary outside of the standard
// library uses a pool that the sanitizer can watch. What only the standard
// library pools, as in a call of fmt, is not a reason to watch.
func usesPools(ctx context.Context, t *build.Target) (bool, error) {
	const format = `{{if not .Standard}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}	{{.}}
{{end}}{{range .CgoFiles}}{{$dir}}	{{.}}
{{end}}{{end}}`
	if t.Own(hasPool) {
		return true, nil
	}
	out, err := t.Go(ctx, t.Package.Dir, []string{"list", "-deps", "-test", "-f", format}, ".")
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		dir, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		text, err := os.ReadFile(name)
		if err != nil {
			return false, err
		}
		if hasPool(text) {
			return true, nil
		}
	}
	return false, nil
}

// hasPool reports whether a Go file names the type sync.Pool, or imports the
// package that marks foreign pools. A word in a comment or a string is neither:
// watching takes seconds. A file that does not parse is taken for one that does.
func hasPool(text []byte) bool {
	if !bytes.Contains(text, []byte("Pool")) && !bytes.Contains(text, []byte(markPath)) {
		return false // nearly all files, without parsing
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	sync, dotted := "", false // the name of the package in the file
	for _, spec := range f.Imports {
		switch path, _ := strconv.Unquote(spec.Path.Value); {
		case strings.HasSuffix(path, markPath):
			return true
		case path != "sync":
		case spec.Name == nil:
			sync = "sync"
		default:
			sync, dotted = spec.Name.Name, spec.Name.Name == "."
		}
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := x.X.(*ast.Ident)
			found = found || ok && pkg.Name == sync && x.Sel.Name == "Pool"
		case *ast.Ident:
			found = found || dotted && x.Name == "Pool"
		}
		return !found
	})
	return found
}

// markPath ends the import path of the package that marks pools which are not
// on sync.Pool.
const markPath = "poolproof/mark"
