package build

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
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
	program, source, err := findPools(ctx, t, o)
	if err != nil {
		return nil, err
	}
	for _, why := range program.Broken {
		o.Progress.Step("pools are not looked for there: " + why)
	}
	pools := program.Pools
	if o.Pool != "" {
		if pools = program.At(o.Pool); len(pools) == 0 {
			return nil, fault.Option("unpool", o.Pool, "no sync.Pool is declared or used there; %s", listed(program.Pools))
		}
	}
	bs := NewSet(t)
	if len(pools) == 0 {
		return nil, Nothing{Err: fault.Errorf(fault.Input, "%s: no package has a sync.Pool; ./... looks in all packages of the module", source)}
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

// findPools finds the pools of the packages that a question names, which source is the
// pattern of.
func findPools(ctx context.Context, t *Target, o ask.Options) (p *unpool.Program, source string, err error) {
	s := unpool.Source{Dir: t.Package.Dir, Patterns: []string{"."}, Tags: o.Tags, Env: t.Chain.Command(ctx, t.Package.Dir).Env}
	if dir, all := strings.CutSuffix(o.Pools, "/..."); IsFolder(dir) && Exists(dir) { // of the module that it lies in
		if s.Dir, err = filepath.Abs(dir); err != nil {
			return nil, "", err
		}
		if all {
			s.Patterns = []string{"./..."}
		}
	} else if o.Pools != "" {
		s.Patterns = []string{o.Pools}
	}
	p, err = unpool.Find(ctx, s)
	return p, s.Patterns[0], err
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
