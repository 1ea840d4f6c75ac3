package build

import (
	"context"
	"errors"
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
func TakeOut(ctx context.Context, o ask.Options, pools []study.ListedPool, scratch string) ([]string, error) {
	t, err := Find(ctx, o.Path, o.Tags, scratch, scratch)
	if err != nil {
		return nil, err
	}
	var steps []func() (map[string][]byte, error)
	for _, pool := range pools {
		steps = append(steps, func() (map[string][]byte, error) {
			program, err := findPools(ctx, t, []string{"./..."})
			if err != nil {
				return nil, err
			}
			return without(program, pool)
		})
	}
	return t.writeAll(ctx, steps, "without the pools together")
}

// PutIn writes a variant into the user's tree, as one would write it, and returns the names of
// the files that changed. Where the packages do not compile then, all files are as they were,
// and the error says why.
func PutIn(ctx context.Context, o ask.Options, id, scratch string) ([]string, error) {
	bs, err := FindVariants(ctx, o, scratch, scratch)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(bs.Reused, func(r *Reused) bool { return r.ID == id })
	if i < 0 {
		return nil, fault.Errorf(fault.Input, "%s: there is no such variant now; apply the diff by hand", id)
	}
	step := func() (map[string][]byte, error) { return bs.Reused[i].Files, nil }
	return bs.Main().writeAll(ctx, []func() (map[string][]byte, error){step}, "with "+id)
}

// writeAll writes files into the user's tree, one step after the other. Where their packages
// do not compile in the end, all files are as they were.
func (t *Target) writeAll(ctx context.Context, steps []func() (map[string][]byte, error), how string) (names []string, err error) {
	was := map[string][]byte{} // nil: the file was not there
	defer func() {
		if err == nil {
			return
		}
		for name, text := range was {
			back := error(nil)
			if text == nil {
				back = os.Remove(name)
			} else {
				back = rewrite(name, text)
			}
			if back != nil {
				err = fmt.Errorf("%w; and %s cannot be written back: %w", err, name, back)
			}
		}
		names = nil
	}()
	for _, step := range steps {
		files, err := step()
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			if _, known := was[name]; !known {
				old, err := os.ReadFile(name)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	if _, err := t.Go(ctx, t.Package.Dir, []string{"test", "-run=^$"}, dirs...); err != nil {
		return nil, fault.Errorf(fault.Defect, "%s the packages do not compile, and the files are as they were: %w", how, err)
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
