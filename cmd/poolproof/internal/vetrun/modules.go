package vetrun

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// packages are patterns that one run of the go command understands.
type packages struct {
	dir      string   // where it runs
	env      []string // added to its environment
	patterns []string
}

// group sorts package arguments by the module that they lie in: the go command
// runs in the folder of each, for it sees one module or one workspace at a time.
func group(ctx context.Context, dir string, args []string) ([]packages, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	var groups []packages
	add := func(in, what string) {
		i := slices.IndexFunc(groups, func(g packages) bool { return g.dir == in })
		if i < 0 {
			i = len(groups)
			groups = append(groups, packages{dir: in})
		}
		groups[i].patterns = append(groups[i].patterns, what)
	}
	here := overlay.NearestModule(dir)
	for _, arg := range args {
		folder, rest, ok, err := folderOf(dir, arg)
		if err != nil {
			return nil, err
		}
		module := overlay.NearestModule(folder)
		switch {
		case !ok:
			add(dir, arg)
		case module == here && (module != "" || rest == ""):
			add(dir, pattern(dir, folder)+rest)
		case module != "":
			add(module, pattern(module, folder)+rest)
		default:
			var below []string
			if rest != "" {
				below = modulesBelow(folder)
			}
			if len(below) == 0 {
				add(dir, pattern(dir, folder)+rest) // the go command says what is missing
			}
			for _, m := range below {
				add(m, "./...")
			}
		}
	}
	for i := range groups {
		groups[i].env = leaveWorkspace(ctx, groups[i].dir)
	}
	return groups, nil
}

// folderOf takes an argument that names a folder apart: "./a/..." is the folder
// a and the rest "/...". It is not ok for import paths, files and other patterns.
func folderOf(dir, arg string) (folder, rest string, ok bool, err error) {
	path := filepath.FromSlash(arg)
	if base, found := strings.CutSuffix(arg, "/..."); found {
		path, rest = filepath.FromSlash(base), "/..."
	} else if arg == "..." {
		return "", "", false, nil
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, path)
	}
	info, err := os.Stat(abs)
	switch {
	case strings.Contains(path, "..."):
		return "", "", false, nil
	case err == nil && info.IsDir():
		return abs, rest, true, nil
	case err == nil: // a file; several of them may make a package
		return "", "", false, nil
	case path == "." || path == ".." || strings.HasPrefix(path, "."+string(filepath.Separator)) ||
		strings.HasPrefix(path, ".."+string(filepath.Separator)) || filepath.IsAbs(path):
		return "", "", false, exitcode.Errorf(exitcode.Usage, "vet: %s: no such folder", arg)
	}
	return "", "", false, nil
}

// pattern is how the go command is told of a folder, when it runs in base.
func pattern(base, folder string) string {
	if rel := relative(base, folder); rel != "." {
		return "./" + rel
	}
	return "."
}

// relative is the slash-separated path from base to a folder in it or beside it.
func relative(base, folder string) string {
	rel, err := filepath.Rel(base, folder)
	if err != nil {
		return filepath.ToSlash(folder)
	}
	return filepath.ToSlash(rel)
}

// leaveWorkspace is what to add to the environment where a go.work does not
// use the module of the folder: the go command would find no package there.
func leaveWorkspace(ctx context.Context, dir string) []string {
	own := overlay.NearestModule(dir)
	if own == "" {
		return nil
	}
	// In a workspace these are all its modules.
	out, err := goCommand(ctx, dir, nil, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil // it will say why
	}
	for used := range strings.Lines(out.stdout) {
		if sameFolder(strings.TrimSpace(used), own) {
			return nil
		}
	}
	return []string{"GOWORK=off"}
}

func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	ia, erra := os.Stat(a)
	ib, errb := os.Stat(b)
	return erra == nil && errb == nil && os.SameFile(ia, ib)
}

// modulesBelow finds the modules in a folder that is in none itself, leaving out
// what the go command leaves out.
func modulesBelow(folder string) (modules []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read holds no package
		}
		if d.IsDir() && path != folder && ignoredByGo(d.Name()) {
			return filepath.SkipDir
		}
		if !d.IsDir() && d.Name() == "go.mod" {
			modules = append(modules, filepath.Dir(path))
		}
		return nil
	})
	return modules
}

func ignoredByGo(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
