package sanitize

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// listed is a package as go list knows it.
type listed struct {
	ImportPath, Dir, ForTest  string
	Standard, DepOnly         bool
	GoFiles, CgoFiles         []string
	TestGoFiles, XTestGoFiles []string

	Imports, TestImports, XTestImports []string
	Module                             *struct {
		Path, Version string
		Main          bool
	}
	Error *struct{ Err string }
}

// packages are those of a build, as go list describes them.
type packages struct {
	tested map[string]string // folder -> import path, of the packages under test
	paths  map[string]bool   // import paths of the packages under test
	sites  *finding.Sites
	scan   []fields.Package
	mains  map[string]bool // paths of the main modules
	broken bool            // the go command cannot load a package that was asked for
	own    []string        // Go files of the main modules' packages, where directives may stand
}

// list asks for all packages of the build. Those that are broken are the
// business of go test.
func list(ctx context.Context, t *overlay.Toolchain, dir string, a asked, userOverlay string) (*packages, error) {
	args := []string{"list", "-e", "-deps", "-test", "-json=ImportPath,Dir,ForTest,Standard,DepOnly,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Module,Error",
		"-tags=" + a.tags()}
	if userOverlay != "" {
		args = append(args, "-overlay="+userOverlay)
	}
	args = append(args, gotest.Line{}.Like(a.line, "mod", "modfile").Args()...)
	out, err := t.Go(ctx, dir, append(append(args, "--"), a.line.Packages...)...)
	if err != nil && (len(out) == 0 || ctx.Err() != nil) {
		return nil, err
	}
	p := &packages{
		tested: map[string]string{}, paths: map[string]bool{}, mains: map[string]bool{},
		sites: &finding.Sites{Root: t.Root, Std: map[string]bool{}, Dirs: map[string]string{}},
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		switch err := in.Decode(&l); {
		case errors.Is(err, io.EOF):
			return p, nil
		case err != nil:
			return nil, err
		}
		p.add(l)
	}
}

func (p *packages) add(l listed) {
	if l.Standard {
		p.sites.Std[l.ImportPath] = true
	}
	p.broken = p.broken || l.Error != nil && !l.DepOnly
	if l.ForTest != "" || l.Dir == "" || strings.HasSuffix(l.ImportPath, ".test") {
		return // a variant; its files stand with the package itself
	}
	p.sites.Dirs[trimmed(l)] = l.Dir
	if len(l.XTestGoFiles) > 0 && !l.DepOnly {
		p.sites.Dirs[trimmed(l)+"_test"] = l.Dir // of the tests that are a package of their own
	}
	if !l.DepOnly {
		p.tested[l.Dir] = l.ImportPath
		p.paths[l.ImportPath] = true
	}
	files := fields.Package{Path: l.ImportPath, Files: abs(l.Dir, l.GoFiles, l.CgoFiles), Imports: l.Imports, Standard: l.Standard && l.DepOnly}
	if files.Standard {
		p.scan = append(p.scan, files)
		return
	}
	var xtest []string
	if !l.DepOnly {
		files.Tests = abs(l.Dir, l.TestGoFiles)
		for _, path := range l.TestImports {
			if !slices.Contains(l.Imports, path) {
				files.Imports, files.TestImports = append(files.Imports, path), append(files.TestImports, path)
			}
		}
		xtest = abs(l.Dir, l.XTestGoFiles)
	}
	p.scan = append(p.scan, files)
	if len(xtest) > 0 {
		p.scan = append(p.scan, fields.Package{Path: l.ImportPath + "_test", Files: xtest, Imports: l.XTestImports, XTest: true})
	}
	if l.Module == nil || l.Module.Main {
		p.own = slices.Concat(p.own, files.Files, files.Tests, xtest)
		if l.Module != nil {
			p.mains[l.Module.Path] = true
		}
	}
}

// dir is the folder of a package under test; "" of another.
func (p *packages) dir(path string) string {
	for dir, of := range p.tested {
		if of == path {
			return dir
		}
	}
	return ""
}

// trimmed is the folder of a package as -trimpath writes it.
func trimmed(l listed) string {
	if l.Module == nil || l.Module.Main || l.Module.Version == "" {
		return l.ImportPath
	}
	return l.Module.Path + "@" + l.Module.Version + strings.TrimPrefix(l.ImportPath, l.Module.Path)
}

func abs(dir string, lists ...[]string) []string {
	var all []string
	for _, names := range lists {
		for _, name := range names {
			all = append(all, filepath.Join(dir, name))
		}
	}
	return all
}
