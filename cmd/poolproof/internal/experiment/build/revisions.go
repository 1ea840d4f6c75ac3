package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// BaseBinary is the ID of the plain binary of the baseline's revision.
const BaseBinary = MainBinary + "@base"

// WorkingTree is the arm's label where no revision is named for it.
const WorkingTree = "working tree"

// revisions are the two sides of a KindBase question, and the worktrees that
// were made for them.
type revisions struct {
	repo       repository
	Base, Head revision
	Dirty      bool   // the head is the working tree, and it differs from its revision
	headTree   string // worktree of the head; "": the working tree
	trees      []string
	end        func() // removes the worktrees
}

// revision is one side.
type revision struct {
	Label string // as the user wrote it
	Hash  string // of the commit
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
	return err
}

// FindRevisions finds the package in the two revisions. trees is the folder for
// worktrees. known, of a run that is resumed, holds the commits that it
// compares: what the user's names meant when it was started.
func FindRevisions(ctx context.Context, o ask.Options, trees, temporary, bin string, known *study.Plan) (_ *Set, err error) {
	dir, err := lastingDirectory(ctx, o.Path, temporary)
	if err != nil {
		return nil, err
	}
	r := &revisions{Base: revision{Label: o.Base}, Head: revision{Label: o.Head}}
	if r.repo, err = openRepository(ctx, existing(dir)); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(r.repo.top, Resolved(dir))
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
	base, err := r.checkout(ctx, "base", o, r.Base, rel, trees, temporary, bin)
	if err != nil {
		return nil, err
	}
	var head *Target
	if o.Head != "" {
		head, err = r.checkout(ctx, "head", o, r.Head, rel, trees, temporary, bin)
	} else {
		head, err = finder(o)(ctx, o.Path, o.Tags, temporary, bin)
	}
	if err != nil {
		return nil, err
	}
	base.ID = BaseBinary
	bs := NewSet(head)
	bs.Targets = append(bs.Targets, base)
	bs.Revised = r
	if o.Head == "" {
		r.Dirty = changedSince(ctx, r.repo.top, o.Out)
	} else {
		r.headTree = filepath.Join(trees, "head")
	}
	if o.Changed {
		if err := bs.findChanged(ctx); err != nil {
			return nil, err
		}
	}
	return bs, nil
}

// ErrSameCommit is the error of two revisions with the same commit.
var ErrSameCommit = errors.New("the same commit")

// resolve finds the commits.
func (r *revisions) resolve(ctx context.Context, known *study.Plan) (err error) {
	if r.Base.Hash, err = r.repo.resolve(ctx, "base", r.Base.Label); err != nil && known == nil {
		return err
	}
	if r.Head.Label == "" {
		r.Head.Label = WorkingTree
		r.Head.Hash, _ = git.Text(ctx, r.repo.top, "rev-parse", "HEAD") // a repository without commits has no base either
	} else if r.Head.Hash, err = r.repo.resolve(ctx, "head", r.Head.Label); err != nil && known == nil {
		return err
	}
	if known != nil {
		r.Base.Hash = known.Base
		if r.Head.Label != WorkingTree {
			r.Head.Hash = known.Revision
		}
	}
	if r.Head.Label != WorkingTree && r.Base.Hash == r.Head.Hash {
		return fault.Option("base", r.Base.Label, "%s is %w, so there is nothing to compare", r.Head.Label, ErrSameCommit)
	}
	return nil
}

// checkout makes the worktree of one revision and finds the package in it.
func (r *revisions) checkout(ctx context.Context, option string, o ask.Options, rev revision, rel, trees, temporary, bin string) (*Target, error) {
	o.Progress.Step("checking out " + rev.Label + " (" + Short(rev.Hash) + ")")
	tree := filepath.Join(trees, option)
	r.trees = append(r.trees, tree)
	if err := r.repo.checkout(ctx, rev.Hash, tree); err != nil {
		return nil, err
	}
	dir := filepath.Join(tree, rel)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, Nothing{Err: fault.Option(option, rev.Label, "there is no folder %s in that revision", filepath.ToSlash(rel))}
	}
	links, err := os.MkdirTemp(temporary, option)
	if err != nil {
		return nil, err
	}
	env, err := r.repo.workspace(ctx, rel, tree)
	if err != nil {
		return nil, fault.Option(option, rev.Label, "%w", err)
	}
	t, err := finder(o)(ctx, dir, o.Tags, links, bin, env...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &fault.Error{Kind: fault.KindOf(err), Option: option, Value: rev.Label, Err: err}
	}
	return t, nil
}

// finder finds packages: those with tests, or programs.
func finder(o ask.Options) func(ctx context.Context, path, tags, scratch, binaries string, env ...string) (*Target, error) {
	if o.Program {
		return FindProgram
	}
	return Find
}

// lastingDirectory is directory, but a folder need not be there now: a
// revision may have it.
func lastingDirectory(ctx context.Context, path, scratch string) (string, error) {
	if IsFolder(path) && !strings.Contains(path, "...") && !Exists(path) {
		return filepath.Abs(path)
	}
	return directory(ctx, path, scratch)
}

// Short is the beginning of a hash.
func Short(hash string) string { return hash[:min(8, len(hash))] }

// String names a side in a title.
func (r revision) String() string { return r.Label + " (" + Short(r.Hash) + ")" }
