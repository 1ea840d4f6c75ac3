package experiment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// baseBinary is the ID of the plain binary of the baseline's revision.
const baseBinary = mainBinary + "@base"

// workingTree is the arm's label where no revision is named for it.
const workingTree = "working tree"

// revisions are the two sides of a KindBase question, and the worktrees that
// were made for them.
type revisions struct {
	repo       repository
	base, head revision
	dirty      bool // the head is the working tree, and it differs from its revision
	trees      []string
	end        func() // removes the worktrees
}

// revision is one side.
type revision struct {
	label string // as the user wrote it
	hash  string // of the commit
}

// hold takes the folder for worktrees, from which they are taken back in the
// end, also after Ctrl-C.
func (r *revisions) hold(trees string) (err error) {
	if err := os.MkdirAll(trees, 0o777); err != nil {
		return err
	}
	r.end, err = scratch.Hold(trees, func() {
		for _, dir := range r.trees {
			_ = r.repo.discard(context.Background(), dir)
		}
		os.RemoveAll(trees)
	})
	if err != nil {
		return err
	}
	return nil
}

// findRevisions finds the package in the two revisions. trees is the folder for
// worktrees. known, of a run that is resumed, holds the commits that it
// compares: what the user's names meant when it was started.
func findRevisions(ctx context.Context, o Options, trees, temporary, bin string, known *study.Plan) (_ *builds, err error) {
	dir, err := lastingDirectory(ctx, o.Path, temporary)
	if err != nil {
		return nil, err
	}
	r := &revisions{base: revision{label: o.Base}, head: revision{label: o.Head}}
	if r.repo, err = openRepository(ctx, existing(dir)); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(r.repo.top, resolved(dir))
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fault.Errorf(fault.Input, "%s lies outside of the git repository %s", o.Path, r.repo.top)
	}
	if err := r.resolve(ctx, known); err != nil {
		return nil, err
	}
	if err := r.hold(trees); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.end()
		}
	}()
	base, err := r.checkout(ctx, "base", o, r.base, rel, trees, temporary, bin)
	if err != nil {
		return nil, err
	}
	var head *target
	if o.Head != "" {
		head, err = r.checkout(ctx, "head", o, r.head, rel, trees, temporary, bin)
	} else {
		head, err = find(ctx, o.Path, o.Tags, temporary, bin)
	}
	if err != nil {
		return nil, err
	}
	base.id = baseBinary
	bs := newBuilds(head)
	bs.targets = append(bs.targets, base)
	bs.revised = r
	if o.Head == "" {
		r.dirty = changedSince(ctx, r.repo.top, o.Out)
	}
	return bs, nil
}

// ErrSameCommit is the error of two revisions with the same commit.
var ErrSameCommit = errors.New("the same commit")

// resolve finds the commits.
func (r *revisions) resolve(ctx context.Context, known *study.Plan) (err error) {
	if r.base.hash, err = r.repo.resolve(ctx, "base", r.base.label); err != nil && known == nil {
		return err
	}
	if r.head.label == "" {
		r.head.label = workingTree
		r.head.hash, _ = git.Text(ctx, r.repo.top, "rev-parse", "HEAD") // a repository without commits has no base either
	} else if r.head.hash, err = r.repo.resolve(ctx, "head", r.head.label); err != nil && known == nil {
		return err
	}
	if known != nil {
		r.base.hash = known.Base
		if r.head.label != workingTree {
			r.head.hash = known.Revision
		}
	}
	if r.head.label != workingTree && r.base.hash == r.head.hash {
		return fault.Option("base", r.base.label, "%s is %w, so there is nothing to compare", r.head.label, ErrSameCommit)
	}
	return nil
}

// checkout makes the worktree of one revision and finds the package in it.
func (r *revisions) checkout(ctx context.Context, option string, o Options, rev revision, rel, trees, temporary, bin string) (*target, error) {
	o.Progress.Step("checking out " + rev.label + " (" + short(rev.hash) + ")")
	tree := filepath.Join(trees, option)
	r.trees = append(r.trees, tree)
	if err := r.repo.checkout(ctx, rev.hash, tree); err != nil {
		return nil, err
	}
	dir := filepath.Join(tree, rel)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fault.Option(option, rev.label, "there is no folder %s in that revision", filepath.ToSlash(rel))
	}
	links, err := os.MkdirTemp(temporary, option)
	if err != nil {
		return nil, err
	}
	env, err := r.repo.workspace(ctx, rel, tree)
	if err != nil {
		return nil, fault.Option(option, rev.label, "%w", err)
	}
	t, err := find(ctx, dir, o.Tags, links, bin, env...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &fault.Error{Kind: fault.KindOf(err), Option: option, Value: rev.label, Err: err}
	}
	return t, nil
}

// lastingDirectory is directory, but a folder need not be there now: a
// revision may have it.
func lastingDirectory(ctx context.Context, path, scratch string) (string, error) {
	if IsFolder(path) && !strings.Contains(path, "...") && !exists(path) {
		return filepath.Abs(path)
	}
	return directory(ctx, path, scratch)
}

// existing is the nearest folder at or above dir that exists.
func existing(dir string) string {
	for !exists(dir) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	return dir
}

// resolved is the path with the links in its existing part resolved.
func resolved(path string) string {
	there := existing(path)
	real, err := filepath.EvalSymlinks(there)
	if err != nil {
		return path
	}
	rest, err := filepath.Rel(there, path)
	if err != nil {
		return path
	}
	return filepath.Join(real, rest)
}

// short is the beginning of a hash.
func short(hash string) string { return hash[:min(8, len(hash))] }

// String names a side in a title.
func (r revision) String() string { return r.label + " (" + short(r.hash) + ")" }
