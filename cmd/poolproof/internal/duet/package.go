package duet

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Package describes the package under test, as go list does.
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
	args := []string{"list", "-e", "-json=ImportPath,Name,Dir,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Error"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := t.Go(ctx, dir, append(args, ".")...)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return Package{}, err
		}
		return Package{}, fault.Errorf(fault.Input, "%s: %s", dir, reason(err.Error()))
	}
	var l struct {
		ImportPath, Name, Dir                        string
		Module                                       *struct{ Path, Dir string }
		GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
		Error                                        *struct{ Err string }
	}
	if err := json.Unmarshal(out, &l); err != nil {
		return Package{}, fault.Errorf(fault.Tools, "go list in %s: %w", dir, err)
	}
	if l.Error != nil {
		kind := fault.Code
		if strings.HasPrefix(l.Error.Err, "no Go files") || strings.HasPrefix(l.Error.Err, "build constraints exclude all Go files") {
			kind = fault.Input
		}
		return Package{}, fault.Errorf(kind, "%s: %s", dir, firstLine(l.Error.Err))
	}
	p := Package{
		Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Root: l.Dir,
		GoFiles: append(l.GoFiles, l.CgoFiles...), TestGoFiles: l.TestGoFiles, XTestGoFiles: l.XTestGoFiles,
	}
	if l.Module != nil {
		p.Module, p.Root = l.Module.Path, l.Module.Dir
	}
	return p, nil
}

// Tested refuses a package without test files.
func (p Package) Tested() error {
	if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
		return fault.Errorf(fault.Input, "%s has no test files, so no benchmarks", p.Path)
	}
	return nil
}

// reason returns the first line of what the go command printed that is no news
// of its work.
func reason(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "go: finding ") {
			return line
		}
	}
	return firstLine(text)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
