package experiment

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// revision returns the git revision of the tree that the binaries are built
// from and whether the modules in it differ from that revision; "" where git
// knows nothing. The files of the run itself, in out, are no difference.
func (bs *builds) revision(ctx context.Context, out string) (rev string, dirty bool) {
	root := bs.main().pkg.Root
	rev, err := git.Text(ctx, root, "rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	for _, t := range bs.targets {
		dirty = dirty || changedSince(ctx, t.pkg.Root, out)
	}
	return rev, dirty
}

// changedSince reports whether the files in root differ from the checked out
// revision, those in out left aside.
func changedSince(ctx context.Context, root, out string) bool {
	paths := []string{"status", "--porcelain", "--", "."}
	if abs, err := filepath.Abs(out); err == nil {
		if rel, err := filepath.Rel(resolved(root), resolved(abs)); err == nil && filepath.IsLocal(rel) && rel != "." {
			paths = append(paths, ":(exclude,literal)"+filepath.ToSlash(rel))
		}
	}
	status, err := git.Text(ctx, root, paths...)
	return err == nil && status != ""
}

// repository is a git repository of the user's. Only its list of worktrees is
// ever changed.
type repository struct {
	top string // its tree, links resolved
}

// openRepository finds the repository around dir.
func openRepository(ctx context.Context, dir string) (repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return repository{}, exitcode.Errorf(exitcode.Usage, "-base needs the git command, which is not in PATH")
	}
	top, err := git.Top(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return repository{}, ctx.Err()
	case err != nil:
		return repository{}, exitcode.Errorf(exitcode.Usage, "-base compares revisions of a git repository, and %s is in none that can be used: %w", dir, err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return repository{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	return repository{top}, nil
}

// resolve returns the hash of the commit that a revision names. flag is where
// the user named it.
func (r repository) resolve(ctx context.Context, flag, rev string) (string, error) {
	hash, err := git.Commit(ctx, r.top, rev)
	if err == nil {
		return hash, nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	hint := ""
	if shallow, err := git.Text(ctx, r.top, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		hint = "; the clone is shallow: git fetch --unshallow brings the rest"
	}
	return "", exitcode.Errorf(exitcode.Usage, "-%s %s: there is no such revision in %s%s", flag, rev, r.top, hint)
}

// checkout makes a worktree of the commit in dir, in place of what a run that
// was killed may have left there. The user's hooks do not run.
func (r repository) checkout(ctx context.Context, hash, dir string) error {
	if err := r.discard(ctx, dir); err != nil {
		return exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	// Forced twice: also where git still lists a worktree of that name, and
	// holds it for one in the making.
	_, err := git.Text(ctx, r.top, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--force", "--force", "--detach", dir, hash)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return exitcode.Errorf(exitcode.Usage, "git worktree of %s: %w", hash, err)
	}
	return nil
}

// discard removes a worktree from the list of the repository and from the
// disk, if it is there.
func (r repository) discard(ctx context.Context, dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	_, _ = git.Text(ctx, r.top, "worktree", "remove", "--force", "--force", dir) // it may be no worktree any more
	return os.RemoveAll(dir)
}
