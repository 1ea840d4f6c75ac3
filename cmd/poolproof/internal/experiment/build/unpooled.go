package build

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
)

// Unpooled is a pool with the builds that do without it.
type Unpooled struct {
	Pool *unpool.Pool
	// Asks reports whether a test of the package in a folder is about the pool, and not about
	// what the program does.
	Asks func(dir, test string) bool
	// Forms are the builds, by the way in which the pool is taken out: IDs of plain
	// binaries.
	Forms map[unpool.Form]string
	// Patch is the change to the form that one would write, as a unified diff; "" if
	// there is none.
	Patch string
}

// FindUnpooled finds the package of a KindUnpool question, the pools that it asks about,
// and for each a target without it. Nothing is built.
func FindUnpooled(ctx context.Context, o ask.Options, temporary, bin string) (*Set, error) {
	t, err := Find(ctx, o.Path, o.Tags, temporary, bin)
	if err != nil {
		return nil, err
	}
	if o.FromTest != "" {
		if err := t.fromTests(o.FromTest); err != nil {
			return nil, err
		}
	}
	o.Progress.Step("looking for pools")
	within, err := t.within(ctx)
	if err != nil {
		return nil, err
	}
	program, err := findPools(ctx, t, within)
	if err != nil {
		return nil, err
	}
	for _, why := range program.Broken {
		o.Progress.Step("pools are not looked for there: " + why)
	}
	pools := program.Pools
	if o.Pool != "" {
		if pools = program.At(o.Pool); len(pools) == 0 {
			return nil, Nothing{Err: fault.Option("unpool", o.Pool, "%s", elsewhere(t, o.Pool, program.Pools))}
		}
	}
	bs := NewSet(t)
	if len(pools) == 0 {
		return nil, Nothing{Err: fault.Errorf(fault.Input, "%s: neither the package nor those of its module that it imports have a sync.Pool", t.Package.Path)}
	}
	for i, pool := range pools {
		u, err := bs.without(program, pool, i+1)
		if err != nil {
			return nil, err
		}
		bs.Unpooled = append(bs.Unpooled, u)
	}
	return bs, nil
}

// findPools finds the pools of some packages of the target's module.
func findPools(ctx context.Context, t *Target, patterns []string) (*unpool.Program, error) {
	return unpool.Find(ctx, unpool.Source{Dir: t.Package.Root, Patterns: patterns, Tags: t.Tags, Env: t.Chain.Command(ctx, t.Package.Root).Env})
}

// within lists the packages of the user's own modules that are in the target's test binary.
func (t *Target) within(ctx context.Context) ([]string, error) {
	const format = "{{if .Module}}{{if .Module.Main}}{{if not .ForTest}}{{.ImportPath}}{{end}}{{end}}{{end}}"
	out, err := t.Go(ctx, t.Package.Dir, []string{"list", "-deps", "-test", "-f", format}, ".")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(path string) bool { return strings.HasSuffix(path, ".test") }), nil
}

// elsewhere says why a place is none of a pool that is asked about.
func elsewhere(t *Target, place string, pools []*unpool.Pool) string {
	name, _, _ := strings.Cut(place, ":")
	file, err := filepath.Abs(name)
	switch {
	case err != nil || !Exists(file) && !Exists(filepath.Join(t.Package.Root, name)):
		return fmt.Sprintf("there is no file %s here, nor in the module of %s", name, t.Package.Path)
	case Exists(file) && overlay.NearestModule(filepath.Dir(file)) != t.Package.Root:
		return fmt.Sprintf("%s is of another module than %s; run the command in that module, or in a copy of it", name, t.Package.Path)
	}
	return fmt.Sprintf("no sync.Pool is declared or used there that %s can reach; %s", t.Package.Path, listed(pools))
}

// listed names the pools that there are.
func listed(pools []*unpool.Pool) string {
	if len(pools) == 0 {
		return "no package has one"
	}
	text := "the pools are"
	for i, p := range pools {
		if i == 20 {
			return text + " and more"
		}
		text += " " + p.ID
	}
	return text
}

// without adds the targets that do without a pool. A form that cannot be made is left
// out: that of an edit which does not compile says so when it is built.
func (bs *Set) without(program *unpool.Program, pool *unpool.Pool, n int) (Unpooled, error) {
	u := Unpooled{Pool: pool, Forms: map[unpool.Form]string{}, Asks: func(dir, test string) bool { return program.AsksPool(pool, dir, test) }}
	if pool.Trouble != "" {
		return u, nil
	}
	for _, form := range []unpool.Form{unpool.Plain, unpool.Written} {
		if form == unpool.Written && pool.PlainOnly != "" {
			continue
		}
		id := fmt.Sprintf("%s@%d.%s", MainBinary, n, form)
		u.Forms[form] = id
		edit, err := program.Edit(pool, form)
		if err != nil {
			bs.Absent[id] = fmt.Sprintf("poolproof cannot take %s out: %v", pool.Name, err)
			continue
		}
		if form == unpool.Written {
			if u.Patch, err = edit.Diff(program); err != nil {
				return u, err
			}
		}
		main := *bs.Main()
		t := &main
		t.ID, t.files = id, edit.Files
		maps.Copy(t.files, bs.Main().files) // of other names
		t.optional = fmt.Sprintf("without %s (%s) the package cannot be built, which is a defect of poolproof", pool.Name, pool.ID)
		bs.Targets = append(bs.Targets, t)
	}
	return u, nil
}
