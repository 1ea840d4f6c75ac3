package sanitize

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// part is packages that one go test can test.
type part struct {
	dir      string
	packages []string
}

// split puts packages that are folders of another module than dir's into parts
// of their own, each in its module: the go command knows one main module,
// or one workspace, at a time.
func split(dir string, packages []string) ([]part, error) {
	if len(packages) == 0 {
		return []part{{dir: dir}}, nil
	}
	here := overlay.NearestModule(dir)
	var parts []part
	add := func(dir, pkg string) {
		for i := range parts {
			if parts[i].dir == dir {
				parts[i].packages = append(parts[i].packages, pkg)
				return
			}
		}
		parts = append(parts, part{dir, []string{pkg}})
	}
	for _, pkg := range packages {
		module, rel, err := moduleOf(dir, pkg)
		if err != nil {
			return nil, err
		}
		if module == "" || module == here {
			add(dir, pkg)
			continue
		}
		add(module, rel)
	}
	return parts, nil
}

// moduleOf returns the module folder of a pattern that is a folder, and the
// pattern as seen from there; "" for import paths.
func moduleOf(dir, pattern string) (module, rel string, err error) {
	if !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern) {
		return "", pattern, nil
	}
	folder, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	if strings.Contains(folder, "...") || strings.HasSuffix(folder, ".go") {
		return "", pattern, nil
	}
	folder = filepath.FromSlash(folder)
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", "", exitcode.Errorf(exitcode.Usage, "test: %s: no such folder", pattern)
	}
	module = overlay.NearestModule(folder)
	rel, err = filepath.Rel(module, folder)
	if module == "" || err != nil {
		return "", pattern, nil
	}
	if rel = "./" + filepath.ToSlash(rel); rel == "./." {
		rel = "."
	}
	if all {
		rel = strings.TrimSuffix(rel, "/") + "/..."
	}
	return module, rel, nil
}

// workDir is the folder of the go command: Dir, and -C from there.
func workDir(o Options, line *gotest.Line) (string, error) {
	dir := o.Dir
	if c, ok := line.Get("C"); ok {
		// It must stand first, and is done by us.
		*line = line.Without("C")
		if filepath.IsAbs(c) {
			dir = c
		} else {
			dir = filepath.Join(dir, c)
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", exitcode.Errorf(exitcode.Usage, "test: %s: no such folder", abs)
	}
	return abs, nil
}
