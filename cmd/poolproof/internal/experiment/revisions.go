package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
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
		return exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	r.end, err = scratch.Hold(trees, func() {
		for _, dir := range r.trees {
			_ = r.repo.discard(context.Background(), dir)
		}
		os.RemoveAll(trees)
	})
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "%w", err)
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
		return nil, exitcode.Errorf(exitcode.Usage, "%s lies outside of the git repository %s", o.Path, r.repo.top)
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
		return exitcode.Errorf(exitcode.Usage, "-base %s and -head %s are the same commit: there is nothing to compare. The noise of this machine: -aa", r.base.label, r.head.label)
	}
	return nil
}

// checkout makes the worktree of one revision and finds the package in it.
func (r *revisions) checkout(ctx context.Context, flag string, o Options, rev revision, rel, trees, temporary, bin string) (*target, error) {
	o.Progress.Step("checking out " + rev.label + " (" + short(rev.hash) + ")")
	tree := filepath.Join(trees, flag)
	r.trees = append(r.trees, tree)
	if err := r.repo.checkout(ctx, rev.hash, tree); err != nil {
		return nil, err
	}
	dir := filepath.Join(tree, rel)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, exitcode.Errorf(exitcode.Usage, "-%s %s: there is no folder %s in that revision", flag, rev.label, filepath.ToSlash(rel))
	}
	links, err := os.MkdirTemp(temporary, flag)
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	env, err := r.repo.workspace(ctx, rel, tree)
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "-%s %s: %w", flag, rev.label, err)
	}
	t, err := find(ctx, dir, o.Tags, links, bin, env...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, exitcode.Errorf(exitcode.Of(err), "-%s %s: %w", flag, rev.label, err)
	}
	return t, nil
}

// treesOf is the folder for a run's worktrees. It is the same whenever the run
// is resumed, for the paths of sources stand in a binary; and it lies outside of
// the user's tree, whose go.work and modules must not reach into it.
func treesOf(out, scratch string) string {
	abs, err := filepath.Abs(out)
	root := treesRoot()
	if err != nil || root == "" {
		return filepath.Join(scratch, "trees")
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(root, hex.EncodeToString(sum[:8]))
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

// compareRevisions compares each benchmark that both revisions have. Those
// that only one has are listed and not measured.
func (bs *builds) compareRevisions(ctx context.Context, p *study.Plan, o Options, cells [][]string) error {
	r := bs.revised
	head, err := bs.list(ctx, mainBinary, pattern(o, nil), o)
	if err != nil {
		return err
	}
	base, err := bs.list(ctx, baseBinary, pattern(o, nil), o)
	if err != nil {
		return err
	}
	arm := r.head.String()
	if r.dirty {
		arm = fmt.Sprintf("%s (%s with local changes)", r.head.label, short(r.head.hash))
	}
	p.Title = fmt.Sprintf("%s against %s, of %s", arm, r.base, p.Package)
	return pairRevisions(p, r.base.label, r.head.label, base, head, cells)
}

// pairRevisions adds the comparisons of two lists of benchmarks.
func pairRevisions(p *study.Plan, baseline, arm string, base, head []duet.Leaf, cells [][]string) error {
	has := func(ls []duet.Leaf, name string) bool {
		return slices.ContainsFunc(ls, func(l duet.Leaf) bool { return l.Name == name })
	}
	add := func(name string, old, new bool, skipped string) {
		for _, cell := range cells {
			c := study.Comparison{ID: id(name, arm, cell), Benchmark: name, Arm: arm, Baseline: baseline, Cell: cell, Skipped: skipped}
			if old {
				c.BaselineBench = study.Bench{Binary: baseBinary, Leaf: name}
			}
			if new {
				c.CandidateBench = study.Bench{Binary: mainBinary, Leaf: name}
			}
			p.Comparisons = append(p.Comparisons, c)
		}
	}
	common := false
	for _, l := range head {
		if has(base, l.Name) {
			common = true
			add(l.Name, true, true, "")
		} else {
			add(l.Name, false, true, baseline+" has no such benchmark")
		}
	}
	for _, l := range base {
		if !has(head, l.Name) {
			add(l.Name, true, false, "only "+baseline+" has it")
		}
	}
	if !common {
		return exitcode.Errorf(exitcode.Usage, "no benchmark that matches is in both: %s has %s; %s has %s", baseline, namesOf(base), arm, namesOf(head))
	}
	return nil
}

// namesOf lists a few benchmarks.
func namesOf(ls []duet.Leaf) string {
	const most = 8
	var names []string
	for i, l := range ls {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(ls)-most))
			break
		}
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// treesRoot is the folder of all runs' folders for worktrees; "" where the user
// has no cache.
func treesRoot() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "poolproof", "trees")
}

// sweepTrees removes the worktrees of runs that were killed.
func sweepTrees(ctx context.Context) {
	root := treesRoot()
	entries, err := os.ReadDir(root)
	if root == "" || err != nil {
		return // there are none
	}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if !scratch.Abandoned(dir) {
			continue
		}
		for _, name := range []string{"base", "head"} {
			tree := filepath.Join(dir, name)
			if top, err := git.Text(ctx, tree, "rev-parse", "--path-format=absolute", "--git-common-dir"); err == nil {
				_ = repository{top}.discard(ctx, tree)
			}
		}
		os.RemoveAll(dir)
	}
}
