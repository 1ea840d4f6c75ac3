package vetrun

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// manyTests is how many tests a command names at most: of a function that more of them
// mention, the package's tests run as a whole.
const manyTests = 4

// calls is the declared functions of a folder and the names that each of them mentions. A
// method goes by its name alone: which method a call means is not known, so there may be
// more callers than there are, and never fewer.
type calls []declared

// declared is one function or method.
type declared struct {
	name        string
	file        string
	first, last int // lines
	test        bool
	mentions    map[string]bool
}

// callsOf reads the Go files of a folder, as far as they can be read.
func callsOf(dir string) (all calls) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file == nil || err != nil {
			continue
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			all = append(all, declared{
				name: fn.Name.Name, file: name,
				first: fset.Position(fn.Pos()).Line, last: fset.Position(fn.End()).Line,
				test:     isTest(name) && fn.Recv == nil && runs(fn.Name.Name),
				mentions: mentioned(fn.Body),
			})
		}
	}
	return all
}

// runs reports whether -run selects a function of this name.
func runs(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Fuzz", "Example"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) &&
		name != "TestMain"
}

// mentioned returns the names in a function.
func mentioned(body *ast.BlockStmt) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// testsAround returns the test around a line, or else the tests that reach the function
// around it in the fewest steps; none if none does or too many do.
func (c calls) testsAround(file string, line int) (tests []string) {
	reached := map[string]bool{}
	for _, d := range c {
		if d.file == file && d.first <= line && line <= d.last {
			if d.test {
				return []string{d.name}
			}
			reached[d.name] = true
		}
	}
	for len(reached) > 0 {
		before := len(reached)
		for _, d := range c.callers(reached) {
			if reached[d.name] = true; d.test && !slices.Contains(tests, d.name) {
				tests = append(tests, d.name)
			}
		}
		switch {
		case len(tests) > manyTests:
			return nil
		case len(tests) > 0 || len(reached) == before:
			slices.Sort(tests)
			return tests
		}
	}
	return nil
}

// callers returns the functions that mention one of the names.
func (c calls) callers(names map[string]bool) (list []declared) {
	for _, d := range c {
		for name := range names {
			if d.mentions[name] {
				list = append(list, d)
				break
			}
		}
	}
	return list
}
