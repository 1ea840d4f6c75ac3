package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// Changed is the difference between two revisions in the code that the benchmarks of
// a package are built from.
type Changed struct {
	// All says why every benchmark counts as changed, as another version of a module;
	// "" if only some do.
	All string
	// Tests are the package's own test files that differ, by base name.
	Tests map[string]git.Change
	// Packages are those that differ outside of test files, by import path.
	Packages map[string]ChangedPackage
}

// ChangedPackage is a package that differs.
type ChangedPackage struct {
	Dir   string
	Whole bool // what differs are no lines of Go
	Files map[string]git.Change
}

// none reports whether nothing differs.
func (c *Changed) none() bool {
	return c.All == "" && len(c.Tests) == 0 && len(c.Packages) == 0
}

// dependency is a package as go list tells of it.
type dependency struct {
	ImportPath, Dir                                                     string
	Standard                                                            bool
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles, SFiles, CFiles, HFiles []string
	CXXFiles, SysoFiles                                                 []string
}

// findChanged finds what differs between the revisions of a set. A package whose
// benchmarks are built of nothing that differs is a [Nothing].
func (bs *Set) findChanged(ctx context.Context) error {
	r, t := bs.Revised, bs.Main()
	to, top := "", r.repo.top
	if r.Head.Label != WorkingTree {
		to, top = r.Head.Hash, r.headTree
	}
	differ, err := git.Diff(ctx, r.repo.top, r.Base.Hash, to)
	if err != nil {
		return fault.Option("base", r.Base.Label, "%w", err)
	}
	packages, err := t.dependencies(ctx)
	if err != nil {
		return err
	}
	if bs.Changed = changedOf(differ, Resolved(top), t, packages); bs.Changed.none() {
		return Nothing{Err: fault.Errorf(fault.Input, "its benchmarks are built of nothing that differs from %s", r.Base.Label)}
	}
	return nil
}

// dependencies lists the packages that the test binary is built of.
func (t *Target) dependencies(ctx context.Context) ([]dependency, error) {
	out, err := t.Go(ctx, t.Package.Dir, []string{"list", "-deps", "-test", "-e", "-json=ImportPath,Dir,Standard,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,SFiles,CFiles,HFiles,CXXFiles,SysoFiles"}, ".")
	if err != nil {
		return nil, fault.Errorf(fault.Code, "%s: %w", t.Package.Path, err)
	}
	var list []dependency
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p dependency
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fault.Errorf(fault.Tools, "go list of %s: %w", t.Package.Path, err)
		}
		list = append(list, p)
	}
}

// changedOf sorts what differs in a repository by what it means for the benchmarks of a
// package. top is the repository's tree, its links resolved.
func changedOf(differ git.Changes, top string, t *Target, packages []dependency) *Changed {
	c := &Changed{Tests: map[string]git.Change{}, Packages: map[string]ChangedPackage{}}
	own := slashIn(top, t.Package.Dir)
	root := slashIn(top, t.Package.Root)
	byDir := map[string]dependency{}
	for _, p := range packages {
		// Variants for tests are "path [path.test]"; the main package of a test has no folder of its own.
		if dir := slashIn(top, p.Dir); dir != "" && !p.Standard && !strings.HasSuffix(p.ImportPath, ".test") {
			p.ImportPath, _, _ = strings.Cut(p.ImportPath, " ")
			if _, ok := byDir[dir]; !ok || !strings.HasSuffix(p.ImportPath, "_test") {
				byDir[dir] = p
			}
		}
	}
	for name, change := range differ {
		dir, base := path.Dir(name), path.Base(name)
		p, used := byDir[dir]
		switch {
		case (base == "go.mod" || base == "go.sum") && dir == root, base == "go.work" || base == "go.work.sum", strings.HasPrefix(name, path.Join(root, "vendor")+"/"):
			c.All = fmt.Sprintf("%s differs", name)
		case strings.HasSuffix(base, "_test.go"):
			if dir == own {
				c.Tests[base] = change
			}
		case strings.HasPrefix(name, path.Join(own, "testdata")+"/"):
			c.All = fmt.Sprintf("%s differs", name)
		case used && strings.HasSuffix(base, ".go"):
			c.add(p, base, change, false)
		case used && slices.Contains(slices.Concat(p.SFiles, p.CFiles, p.HFiles, p.CXXFiles, p.SysoFiles), base):
			c.add(p, base, change, true)
		default:
			c.addEmbedded(byDir, name, change)
		}
	}
	return c
}

// addEmbedded adds a file that a package holds by go:embed.
func (c *Changed) addEmbedded(byDir map[string]dependency, name string, change git.Change) {
	for dir, p := range byDir {
		rel, ok := strings.CutPrefix(name, dir+"/")
		if dir == "." {
			rel, ok = name, true
		}
		if !ok {
			continue
		}
		if slices.Contains(slices.Concat(p.TestEmbedFiles, p.XTestEmbedFiles), rel) {
			c.All = fmt.Sprintf("%s differs", name)
		}
		if slices.Contains(p.EmbedFiles, rel) {
			c.add(p, rel, change, true)
		}
	}
}

func (c *Changed) add(p dependency, file string, change git.Change, whole bool) {
	have, ok := c.Packages[p.ImportPath]
	if !ok {
		have = ChangedPackage{Dir: p.Dir, Files: map[string]git.Change{}}
	}
	have.Whole = have.Whole || whole
	if !whole {
		have.Files[file] = change
	}
	c.Packages[p.ImportPath] = have
}

// slashIn is the slash-separated name of a folder in a tree, "." for the tree itself; "" if it lies
// elsewhere.
func slashIn(top, dir string) string {
	rel, err := filepath.Rel(top, Resolved(dir))
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
