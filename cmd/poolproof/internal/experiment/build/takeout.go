package build

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TakeOut writes pools out of the user's tree, as one would write it without them, one after
// the other, and returns the names of the files that changed. Where the packages do not compile
// then, all files are as they were, and the error says why.
func TakeOut(ctx context.Context, o ask.Options, pools []study.ListedPool, scratch string) (names []string, err error) {
	t, err := Find(ctx, o.Path, o.Tags, scratch, scratch)
	if err != nil {
		return nil, err
	}
	was := map[string][]byte{}
	defer func() {
		if err == nil {
			return
		}
		for name, text := range was {
			if back := rewrite(name, text); back != nil {
				err = fmt.Errorf("%w; and %s cannot be written back: %w", err, name, back)
			}
		}
		names = nil
	}()
	for _, pool := range pools {
		program, err := findPools(ctx, t, []string{"./..."})
		if err != nil {
			return nil, err
		}
		files, err := without(program, pool)
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			if _, known := was[name]; !known {
				old, err := os.ReadFile(name)
				if err != nil {
					return nil, err
				}
				was[name] = old
			}
			if err := rewrite(name, text); err != nil {
				return nil, err
			}
		}
	}
	names = slices.Sorted(maps.Keys(was))
	var dirs []string
	for _, name := range names {
		if dir := filepath.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	args := []string{"test", "-run=^$"}
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	if _, err := t.Chain.Go(ctx, t.Package.Dir, append(args, dirs...)...); err != nil {
		return nil, fault.Errorf(fault.Defect, "without the pools together the packages do not compile, and the files are as they were: %w", err)
	}
	return names, nil
}

// without is the edit that takes out the pool of a plan. Line numbers may have moved since.
func without(program *unpool.Program, pool study.ListedPool) (map[string][]byte, error) {
	file, _, _ := strings.Cut(pool.ID, ":")
	var found []*unpool.Pool
	for _, p := range program.Pools {
		if at, _, _ := strings.Cut(p.ID, ":"); at == file && p.Name == pool.Name && p.Package == pool.Package {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return nil, fault.Errorf(fault.Input, "%s (%s): %d pools of %s have that name now; apply the diff by hand", pool.Name, pool.ID, len(found), file)
	}
	edit, err := program.Edit(found[0], unpool.Written)
	return edit.Files, err
}

// rewrite writes a file that is there, with the mode that it has.
func rewrite(name string, text []byte) error {
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	return os.WriteFile(name, text, mode)
}
