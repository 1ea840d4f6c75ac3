package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Revision returns the git revision of the repository that the binaries are
// built from and whether anything in it differs from that revision: a module may
// use any other one beside it. It returns "" where git knows nothing.
func (bs *Set) Revision(ctx context.Context, out string) (rev string, dirty bool) {
	rev, err := git.Text(ctx, bs.Main().Package.Root, "rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	asked := map[string]bool{}
	for _, t := range bs.Targets {
		top, err := git.Top(ctx, t.Package.Root)
		if err == nil && !asked[top] {
			asked[top] = true
			dirty = dirty || changedSince(ctx, top, out)
		}
	}
	return rev, dirty
}

// changedSince reports whether the files of the repository at top differ from
// the checked out revision. The files of a run, in out, are no difference, nor
// are the notes and results beside study files: no build reads them, and a run of
// several studies writes one after the other.
func changedSince(ctx context.Context, top, out string) bool {
	args := []string{"status", "--porcelain", "-z", "--no-renames", "--", "."}
	if abs, err := filepath.Abs(out); err == nil {
		if rel, err := filepath.Rel(Resolved(top), Resolved(abs)); err == nil && filepath.IsLocal(rel) && rel != "." {
			args = append(args, ":(exclude,literal)"+filepath.ToSlash(rel))
		}
	}
	status, err := git.Output(ctx, top, args...)
	if err != nil {
		return false
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(status, "\x00"), "\x00") {
		if len(entry) > 3 && !foundByAStudy(top, entry[3:]) { // two letters and a space, then the path
			return true
		}
	}
	return false
}

// foundByAStudy reports whether a path in a repository is that of a file which
// -update writes.
func foundByAStudy(top, path string) bool {
	dir, name := filepath.Split(filepath.Join(top, filepath.FromSlash(path)))
	return (name == study.NoteName || name == study.VerdictName || name == study.EarlierName) && Exists(filepath.Join(dir, study.FileName))
}

// repository is a git repository of the user's. Only its list of worktrees is
// ever changed.
type repository struct {
	top string // its tree, links resolved
}

// openRepository finds the repository around dir.
func openRepository(ctx context.Context, dir string) (repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return repository{}, fault.Errorf(fault.Tools, "revisions need the git command, which is not in PATH")
	}
	top, err := git.Top(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return repository{}, ctx.Err()
	case err != nil:
		return repository{}, fault.Option("base", "", "%s is not in a usable git repository: %w", dir, err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return repository{}, err
	}
	return repository{top}, nil
}

// resolve returns the hash of the commit that a revision names. option is where
// the user named it.
func (r repository) resolve(ctx context.Context, option, rev string) (string, error) {
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
	return "", fault.Option(option, rev, "there is no such revision in %s%s", r.top, hint)
}

// checkout makes a worktree of the commit in dir, in place of what a run that
// was killed may have left there. The user's hooks do not run.
func (r repository) checkout(ctx context.Context, hash, dir string) error {
	if err := r.discard(ctx, dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	// Forced twice: also where git still lists a worktree of that name, and
	// holds it for one in the making.
	_, err := git.Text(ctx, r.top, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--force", "--force", "--detach", dir, hash)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.Errorf(fault.Tools, "git worktree of %s: %w", hash, err)
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
