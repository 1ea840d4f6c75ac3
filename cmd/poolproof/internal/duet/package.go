package duet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Package is what the go command knows of the package under test.
type Package struct {
	Path   string // import path
	Name   string // package name
	Dir    string // absolute
	Module string // module path; "" outside a module
	Root   string // the module's directory; Dir outside a module

	GoFiles      []string // base names
	TestGoFiles  []string // of the package itself
	XTestGoFiles []string // of its _test package
}

// List asks the go command for the one package in dir. The error has exit
// code 2 where there is no such package and 3 where it is broken.
func List(ctx context.Context, t *overlay.Toolchain, dir, tags string) (Package, error) {
	args := []string{"list", "-json=ImportPath,Name,Dir,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Error"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := t.Go(ctx, dir, append(args, ".")...)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return Package{}, err
		}
		return Package{}, exitcode.Errorf(exitcode.Usage, "%s: %s", dir, firstLine(err.Error()))
	}
	var l struct {
		ImportPath, Name, Dir                        string
		Module                                       *struct{ Path, Dir string }
		GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
		Error                                        *struct{ Err string }
	}
	if err := json.Unmarshal(out, &l); err != nil {
		return Package{}, exitcode.Errorf(exitcode.Usage, "go list in %s: %w", dir, err)
	}
	if l.Error != nil {
		return Package{}, exitcode.Errorf(exitcode.Build, "%s: %s", dir, firstLine(l.Error.Err))
	}
	p := Package{
		Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Root: l.Dir,
		GoFiles: append(l.GoFiles, l.CgoFiles...), TestGoFiles: l.TestGoFiles, XTestGoFiles: l.XTestGoFiles,
	}
	if l.Module != nil {
		p.Module, p.Root = l.Module.Path, l.Module.Dir
	}
	if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		return Package{}, exitcode.Errorf(exitcode.Usage, "%s has no test files, so no benchmarks", p.Path)
	}
	return p, nil
}

// padding returns a file that shifts the machine code of the package without
// changing what it does: a function that is never inlined and always linked,
// of a size that depends on the index. The file's name sorts first.
func (p Package) padding(index int) (path string, text []byte) {
	name, file := p.Name, "aaa_poolproof_pad.go"
	switch {
	case len(p.GoFiles) > 0:
	case len(p.TestGoFiles) > 0:
		file = "aaa_poolproof_pad_test.go"
	default:
		name, file = strings.TrimSuffix(p.Name, "_test")+"_test", "aaa_poolproof_pad_test.go"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nvar poolproofPadSink uint64\n\n//go:noinline\nfunc poolproofPad(x uint64) uint64 {\n", name)
	for i := range padStatements(index) {
		fmt.Fprintf(&b, "\tx = x*%d ^ x>>7\n", 2*i+3)
	}
	b.WriteString("\treturn x\n}\n\nfunc init() { poolproofPadSink = poolproofPad(poolproofPadSink) }\n")
	return filepath.Join(p.Dir, file), []byte(b.String())
}

// padStatements spreads the sizes: each index moves what follows to other
// cache lines and another offset inside a line.
func padStatements(index int) int { return 5 + 41*index }

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
