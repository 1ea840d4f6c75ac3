package build

import (
	"context"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// Touched reports whether the benchmarks of a package in the working tree are built of
// anything that differs. top is the tree of the repository.
func Touched(ctx context.Context, path, tags, top string, differ git.Changes) (bool, error) {
	dir, remove, err := scratch.Make()
	if err != nil {
		return false, err
	}
	defer remove()
	t, err := Find(ctx, path, tags, dir, dir)
	if err != nil {
		return false, err
	}
	packages, err := t.dependencies(ctx)
	if err != nil {
		return false, err
	}
	return !changedOf(differ, Resolved(top), t, packages).none(), nil
}
