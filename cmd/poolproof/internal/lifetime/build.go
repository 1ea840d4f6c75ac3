package lifetime

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// watched is a test binary that watches lifetimes.
type watched struct {
	program   duet.Program
	scratch   string   // folder of the binary, and of what it writes
	list      string   // file that says what to watch
	roots     []string // folders of the user's modules
	functions []function
	of        [][]int  // numbers of the functions of each site; none: it is not watched
	why       []string // a site is not watched
}

// build makes the binary in scratch.
func build(ctx context.Context, q question, scratch string) (*watched, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "no folder for files that are kept: %w", err)
	}
	cache = filepath.Join(cache, "poolproof", "test") // where poolproof test has the same toolchain
	t := q.toolchain
	pkg, err := duet.List(ctx, t, q.dir, q.tags)
	if err != nil {
		return nil, err
	}
	w := &watched{of: make([][]int, len(q.sites)), why: make([]string, len(q.sites)), scratch: scratch, list: filepath.Join(scratch, "sites")}
	if w.roots, err = roots(ctx, t, pkg); err != nil {
		return nil, err
	}
	in := newInstrumented()
	for i, s := range q.sites {
		if w.of[i], err = in.calls(profile.Place{File: s.File, Line: s.Line}); err != nil {
			w.why[i] = err.Error()
			continue
		}
		for _, c := range s.Callers {
			if _, err := in.calls(c); err != nil {
				w.of[i], w.why[i] = nil, "a caller: "+err.Error()
				break
			}
		}
	}
	for _, name := range append(pkg.TestGoFiles, pkg.XTestGoFiles...) {
		if err := in.tests(filepath.Join(pkg.Dir, name)); err != nil {
			return nil, fault.Errorf(fault.Code, "%w", err)
		}
	}
	w.functions = in.functions
	if err := w.sites(q.sites); err != nil {
		return nil, fault.Errorf(fault.Tools, "%w", err)
	}
	files, err := in.set.Files()
	if err != nil {
		return nil, err
	}
	hooks, err := toolchain.Prepare(ctx, toolchain.Config{
		GOROOT: t.Root, Version: t.Version, GOOS: t.OS, GOARCH: t.Arch,
		Mode: toolchain.Exact, CacheDir: filepath.Join(cache, "toolchains"),
	})
	if err != nil {
		return nil, err
	}
	name, err := write(t.User(), hooks.Replace, files, cache)
	if err != nil {
		return nil, err
	}
	w.program = duet.Program{Binary: filepath.Join(scratch, "watched.test"), Dir: pkg.Dir}
	args := []string{"test", "-c", "-vet=off", "-trimpath=false", "-overlay=" + name, "-o", w.program.Binary}
	if len(hooks.GCFlags) > 0 {
		args = append(args, "-gcflags=all="+strings.Join(hooks.GCFlags, " "))
	}
	if q.tags != "" {
		args = append(args, "-tags="+q.tags)
	}
	if _, err := t.Go(ctx, pkg.Dir, append(args, ".")...); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed := new(overlay.CommandError); errors.As(err, &failed) && failed.Trouble() != "" {
			return nil, fault.Errorf(fault.Tools, "%s cannot be built here: %s", pkg.Path, failed.Trouble())
		}
		return nil, fault.Errorf(fault.Code, "%s does not build so that lifetimes can be watched:\n%w", pkg.Path, err)
	}
	return w, nil
}

// write keeps the edited files, and returns the name of an overlay that has them, those of the
// toolchain, and the user's own.
func write(user, hooks map[string]string, files map[string][]byte, cache string) (string, error) {
	replace := maps.Clone(hooks)
	for path, text := range files {
		replace[path] = filepath.Join(cache, "sources", fmt.Sprintf("%.12x_%s", sha256.Sum256(text), filepath.Base(path)))
		if err := keep.File(replace[path], text); err != nil {
			return "", err
		}
	}
	if path, clash := overlay.Clash(user, replace); clash {
		return "", fault.Errorf(fault.Tools, "GOFLAGS overlays %s, which poolproof must replace too: remove it from that overlay", path)
	}
	return keep.Overlay(filepath.Join(cache, "overlays"), replace, user)
}

// roots returns the folders of the main modules.
func roots(ctx context.Context, t *overlay.Toolchain, pkg duet.Package) ([]string, error) {
	if t.Mod == "" {
		return []string{pkg.Dir}, nil
	}
	out, err := t.Go(ctx, pkg.Dir, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "go list -m: %w", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}

// sites writes the file that tells a binary what to watch.
func (w *watched) sites(sites []*profile.Site) error {
	var b strings.Builder
	for _, r := range w.roots {
		fmt.Fprintf(&b, "root\t%s%c\n", r, filepath.Separator)
	}
	for i := range sites {
		b.WriteString("site\t")
		for _, n := range w.of[i] {
			fmt.Fprintf(&b, "%d ", n)
		}
		b.WriteByte('\n')
	}
	for i, s := range sites {
		if len(s.Charged) == 0 {
			fmt.Fprintf(&b, "rule\t%d\t%d\t%s\t*\n", i+1, s.Line, s.File)
		}
		for _, c := range s.Charged {
			callee := c.Callee
			if c.Grows {
				callee = "+"
			}
			fmt.Fprintf(&b, "rule\t%d\t%d\t%s\t%s\n", i+1, c.Line, c.File, callee)
		}
	}
	return os.WriteFile(w.list, []byte(b.String()), 0o666)
}
