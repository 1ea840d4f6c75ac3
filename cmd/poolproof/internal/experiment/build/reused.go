package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Reused is a variant of the package with its build, or a site that has none.
type Reused struct {
	study.ListedVariant
	Binary   string   // ID of the plain binary; "" if there is no variant
	Poisoned *Target  // the same, with what is given back overwritten; nil: nothing can be
	Dirs     []string // folders of the packages that it changes
	At       []At     // where it changes code
	Diff     string   // as one would write it
	Files    map[string][]byte
	Pools    bool // it has a sync.Pool
}

// At is a place in the source.
type At struct {
	File    string // absolute
	Package string // import path
	Line    int
}

// FindVariants finds the package of a KindSite question and the variants of its sites, or
// the patch, each with a target. Nothing is built.
func FindVariants(ctx context.Context, o ask.Options, temporary, bin string) (*Set, error) {
	t, err := Find(ctx, o.Path, o.Tags, temporary, bin)
	if err != nil {
		return nil, err
	}
	if o.FromTest != "" {
		if err := t.fromTests(o.FromTest); err != nil {
			return nil, err
		}
	}
	bs := NewSet(t)
	if o.Patch != "" {
		return bs, bs.patched(ctx, o)
	}
	o.Progress.Step("looking at the allocations of " + t.Package.Path)
	loaded := map[string]*loadedPackage{}
	for _, place := range strings.Split(o.Site, ",") {
		s, err := t.site(place)
		if err != nil {
			return nil, err
		}
		dir := filepath.Dir(s.File)
		p := loaded[dir]
		if p == nil {
			if p, err = t.load(ctx, dir); err != nil {
				return nil, err
			}
			loaded[dir] = p
		}
		if err := bs.variants(p, s); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(bs.Reused, func(r *Reused) bool { return r.None == "" }) {
		return nil, Nothing{Err: fault.Option("site", bs.Reused[0].Site, "nothing can be tried there: %s", bs.Reused[0].None)}
	}
	return bs, nil
}

// loadedPackage is a package with what the compiler says of it.
type loadedPackage struct {
	pkg   *packages.Package
	facts []oracle.Fact
}

// load reads the package of a folder.
func (t *Target) load(ctx context.Context, dir string) (*loadedPackage, error) {
	pkg, err := reuse.Load(ctx, dir, t.Tags, t.Chain.Command(ctx, dir).Env)
	if err != nil {
		return nil, err
	}
	facts, err := oracle.Escapes(ctx, t.Chain, dir, t.Tags)
	if err != nil {
		return nil, fault.Errorf(fault.Code, "%s: %w", pkg.PkgPath, err)
	}
	return &loadedPackage{pkg, facts}, nil
}

// site reads FILE:LINE[:COLUMN][@BYTES][+observed]. The file is one as seen from here, from the
// package, or from its module.
func (t *Target) site(place string) (reuse.Site, error) {
	bad := func(format string, args ...any) (reuse.Site, error) {
		return reuse.Site{}, fault.Option("site", place, format, args...)
	}
	text, seen := strings.CutSuffix(place, "+observed")
	text, size, sized := strings.Cut(text, "@")
	parts := strings.Split(filepath.ToSlash(text), ":")
	if len(parts) < 2 || len(parts) > 3 || !strings.HasSuffix(parts[0], ".go") {
		return bad("write FILE.go:LINE")
	}
	s := reuse.Site{Observed: seen}
	var err error
	if s.Line, err = strconv.Atoi(parts[1]); err != nil || s.Line < 1 {
		return bad("%s is no line", parts[1])
	}
	if len(parts) == 3 {
		if s.Column, err = strconv.Atoi(parts[2]); err != nil {
			return bad("%s is no column", parts[2])
		}
	}
	if sized {
		if s.Bytes, err = strconv.ParseFloat(size, 64); err != nil || s.Bytes < 0 {
			return bad("%s is no number of bytes", size)
		}
		s.Objects = 1
	}
	name := filepath.FromSlash(parts[0])
	here, _ := filepath.Abs(name)
	for _, file := range []string{here, filepath.Join(t.Package.Dir, name), filepath.Join(t.Package.Root, name)} {
		if !Exists(file) {
			continue
		}
		if overlay.NearestModule(filepath.Dir(file)) != t.Package.Root {
			return bad("%s is of another module than %s; run the command in that module, or in a copy of it", name, t.Package.Path)
		}
		s.File = file // as the go command names it in the build
		return s, nil
	}
	return bad("there is no file %s here, nor in the module of %s", name, t.Package.Path)
}

// CheckSites finds the package of a KindSite question, and returns an error for a place of its
// sites that is none. Nothing is built.
func CheckSites(ctx context.Context, o ask.Options, temporary string) error {
	t, err := Find(ctx, o.Path, o.Tags, temporary, temporary)
	if err != nil {
		return err
	}
	for place := range strings.SplitSeq(o.Site, ",") {
		if _, err := t.site(place); err != nil {
			return err
		}
	}
	return nil
}

// variants adds the variants of a site.
func (bs *Set) variants(p *loadedPackage, s reuse.Site) error {
	main := bs.Main()
	rel, err := filepath.Rel(main.Package.Root, s.File)
	if err != nil {
		return err
	}
	place := fmt.Sprintf("%s:%d", filepath.ToSlash(rel), s.Line)
	found, why := reuse.Variants(p.pkg, p.facts, s)
	if why != "" {
		bs.Reused = append(bs.Reused, &Reused{ListedVariant: study.ListedVariant{ID: place, Site: place, None: why}})
		return nil
	}
	for _, v := range found {
		r := &Reused{
			ListedVariant: study.ListedVariant{ID: place + " " + string(v.Name), Site: place, Name: string(v.Name), Evidence: string(v.Evidence), Remark: v.Remark},
			Binary:        fmt.Sprintf("%s@%d.%s", MainBinary, len(bs.Reused)+1, fileName(string(v.Name))),
			Dirs:          []string{filepath.Dir(s.File)},
			At:            []At{{s.File, p.pkg.PkgPath, s.Line}},
			Pools:         v.Name == reuse.Pool || v.Name == reuse.PoolCopyOut || v.Name == reuse.Reset,
		}
		for slices.ContainsFunc(bs.Reused, func(other *Reused) bool { return other.ID == r.ID }) {
			r.ID += "'" // the line has several allocations
		}
		bs.Reused = append(bs.Reused, r)
		measured, err := v.Files(reuse.Measured)
		if err == nil && v.Poisons() {
			var poisoned map[string][]byte
			if poisoned, err = v.Files(reuse.Poisoned); err == nil {
				r.Poisoned = bs.with(r, poisoned)
			}
		}
		if err == nil {
			if r.Files, err = v.Files(reuse.Written); err == nil {
				r.Diff, err = edit.Diff(main.Package.Root, os.ReadFile, r.Files)
			}
		}
		if err != nil {
			bs.Absent[r.Binary] = fmt.Sprintf("poolproof cannot write %s: %v", r.ID, err)
			continue
		}
		bs.Targets = append(bs.Targets, bs.with(r, measured))
	}
	return nil
}

// with is the target of a variant, with texts in the place of files.
func (bs *Set) with(r *Reused, files map[string][]byte) *Target {
	t := *bs.Main()
	t.ID, t.files = r.Binary, maps.Clone(files)
	maps.Copy(t.files, bs.Main().files) // of other names
	t.optional = fmt.Sprintf("with %s the package cannot be built, which is a defect of poolproof", r.ID)
	if r.Evidence == string(reuse.User) {
		t.optional = fmt.Sprintf("with %s the package cannot be built", r.Site)
	}
	return &t
}
