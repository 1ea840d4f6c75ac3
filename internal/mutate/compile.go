package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Compiling returns the mutants of the code in root that compile, in their order. Those of
// packages that pattern does not match, as the go command matches it, do not. A mutant may not compile
// because a variable is not used any more, or because a constant is no index.
func Compiling(ctx context.Context, root, pattern string, mutants []Mutant) (compiling []Mutant, err error) {
	c, err := newCompiler(ctx, root, pattern)
	if err != nil {
		return nil, err
	}
	for _, m := range mutants {
		texts, err := Texts(root, m.Edits)
		if err != nil {
			return nil, err
		}
		if c.accepts(texts) {
			compiling = append(compiling, m)
		}
	}
	return compiling, nil
}

// compiler checks the types of packages, as far as the compiler does.
type compiler struct {
	files map[string][]string // by folder
	set   *token.FileSet
	deps  types.Importer
}

func newCompiler(ctx context.Context, root, pattern string) (compiler, error) {
	c := compiler{files: make(map[string][]string), set: token.NewFileSet()}
	list := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.DepOnly}}\t{{.Dir}}\t{{join .GoFiles \"\\t\"}}", pattern)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return c, fmt.Errorf("go list -export %s: %w", pattern, err)
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		exports[fields[0]] = fields[1]
		if fields[2] == "false" {
			c.files[fields[3]] = fields[4:]
		}
	}
	c.deps = importer.ForCompiler(c.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return c, nil
}

// accepts reports whether each package of which a file has another text compiles.
func (c compiler) accepts(texts map[string]string) bool {
	for changed := range texts {
		dir := filepath.Dir(changed)
		var parsed []*ast.File
		for _, name := range c.files[dir] {
			var text any
			if t, ok := texts[filepath.Join(dir, name)]; ok {
				text = t
			}
			file, err := parser.ParseFile(c.set, filepath.Join(dir, name), text, parser.SkipObjectResolution)
			if err != nil {
				return false
			}
			parsed = append(parsed, file)
		}
		config := types.Config{Importer: c.deps}
		if _, err := config.Check(dir, c.set, parsed, nil); err != nil || len(parsed) == 0 {
			return false
		}
	}
	return true
}
