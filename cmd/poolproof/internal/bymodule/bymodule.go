// Package bymodule sorts package arguments by the module that they lie in. The go
// command sees one module, or one workspace, at a time: a user who names folders
// of several wants it run in each.
package bymodule

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Run is one run of the go command: a module and its packages.
type Run struct {
	Dir      string   // where it runs
	Patterns []string // as seen from there
}

// Command is the command whose arguments are sorted.
type Command struct {
	// Bare is set if an argument such as "sub" is the folder of that name, where
	// there is one. The go command takes it for an import path.
	Bare bool
	// Below is set if "./..." in a folder that is in no module means all modules
	// below it.
	Below bool
}

// Runs sorts arguments. Where there is none, it is one run without patterns.
func (c Command) Runs(dir string, args []string) ([]Run, error) {
	if len(args) == 0 {
		return []Run{{Dir: dir}}, nil
	}
	var runs []Run
	add := func(in, what string) {
		i := slices.IndexFunc(runs, func(r Run) bool { return r.Dir == in })
		if i < 0 {
			i = len(runs)
			runs = append(runs, Run{Dir: in})
		}
		runs[i].Patterns = append(runs[i].Patterns, what)
	}
	here := overlay.NearestModule(dir)
	for _, arg := range args {
		folder, rest, ok, err := c.folder(dir, arg)
		if err != nil {
			return nil, err
		}
		if !ok {
			add(dir, arg)
			continue
		}
		module := overlay.NearestModule(folder)
		if module != "" && module != here {
			add(module, pattern(module, folder)+rest)
			continue
		}
		var below []string
		if c.Below && module == "" && rest != "" {
			below = modulesBelow(folder)
		}
		for _, m := range below {
			add(m, "./...")
		}
		if len(below) == 0 {
			add(dir, pattern(dir, folder)+rest) // the go command says what is missing
		}
	}
	return runs, nil
}

// folder takes an argument that names a folder apart: "./a/..." is the folder a
// and the rest "/...". It is not ok for import paths, files and other patterns.
func (c Command) folder(dir, arg string) (folder, rest string, ok bool, err error) {
	base := arg
	if b, found := strings.CutSuffix(filepath.ToSlash(arg), "/..."); found {
		base, rest = b, "/..."
	}
	path := filepath.FromSlash(base)
	named := filepath.IsAbs(path) || slices.Contains([]string{".", ".."}, strings.SplitN(filepath.ToSlash(base), "/", 2)[0])
	if strings.Contains(base, "...") || !named && !c.Bare || strings.HasSuffix(base, ".go") {
		return "", "", false, nil
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, path)
	}
	info, err := os.Stat(abs)
	switch {
	case err == nil && info.IsDir():
		return abs, rest, true, nil
	case named:
		return "", "", false, fault.Errorf(fault.Input, "%s: no such folder", arg)
	}
	return "", "", false, nil
}

// pattern is how the go command is told of a folder, when it runs in base.
func pattern(base, folder string) string {
	rel, err := filepath.Rel(base, folder)
	switch {
	case err != nil:
		return folder
	case rel == ".":
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// modulesBelow finds the modules in a folder that is in none itself, leaving out
// what the go command leaves out.
func modulesBelow(folder string) (modules []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read holds no package
		}
		if d.IsDir() && path != folder && Ignored(d.Name()) {
			return filepath.SkipDir
		}
		if !d.IsDir() && d.Name() == "go.mod" {
			modules = append(modules, filepath.Dir(path))
		}
		return nil
	})
	return modules
}

// Ignored reports whether ./... leaves out folders of a name.
func Ignored(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
