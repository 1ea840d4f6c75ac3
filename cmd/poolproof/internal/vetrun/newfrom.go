package vetrun

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// changes are the lines of files, links resolved, that are not as they were at a
// revision. A file without ranges is new as a whole.
type changes map[string][]lineRange

// lineRange is the lines from first to last.
type lineRange struct{ first, last int }

// onlyNew drops the findings of which no line has changed since the revision.
// The line of a get, a put or a defer counts as well: that it was changed may
// be what made the use wrong.
func (r *Result) onlyNew(ctx context.Context, o Options) error {
	repositories := map[string]changes{} // by the folder of a file
	var failed error
	isNew := func(file string, line int) bool {
		dir := filepath.Dir(file)
		c, ok := repositories[dir]
		if !ok {
			var err error
			if c, err = changedSince(ctx, dir, o.NewFrom, repositories); err != nil && failed == nil {
				failed = err
			}
			repositories[dir] = c
		}
		return c.holds(file, line)
	}
	// Asked of a place without findings too: that there is no such revision is
	// to be said, whatever was found.
	isNew(filepath.Join(o.Dir, "none.go"), 1)
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		return !isNew(f.File, f.Line) && !slices.ContainsFunc(f.Related, func(l Location) bool { return isNew(l.File, l.Line) })
	})
	return failed
}

func (c changes) holds(file string, line int) bool {
	ranges, ok := c[resolved(file)]
	return ok && (ranges == nil || slices.ContainsFunc(ranges, func(l lineRange) bool { return l.first <= line && line <= l.last }))
}

// changedSince asks git what has changed in the repository of a folder since
// the current branch left the revision. What others did there meanwhile is no
// change of ours. known are the repositories asked before, by folder.
func changedSince(ctx context.Context, dir, rev string, known map[string]changes) (changes, error) {
	bad := func(format string, args ...any) error {
		return fault.Option("new-from", rev, format, args...)
	}
	top, err := git.Top(ctx, dir)
	if err != nil {
		return nil, bad("%s is not in a usable git repository: %w", dir, err)
	}
	if c, ok := known[top]; ok {
		return c, nil
	}
	hash, err := git.Commit(ctx, top, rev)
	if err != nil {
		return nil, bad("there is no such revision in %s", top)
	}
	base := hash
	if common, err := git.Text(ctx, top, "merge-base", base, "HEAD"); err == nil {
		base = common
	}
	differ, err := git.Diff(ctx, top, base, "", "*.go")
	if err != nil {
		return nil, bad("%w", err)
	}
	c := changes{}
	for name, change := range differ {
		if !change.Gone {
			c[resolved(filepath.Join(top, filepath.FromSlash(name)))] = newLines(change)
		}
	}
	known[top] = c
	return c, nil
}

// newLines are the ranges that are new in a file, nil where all of it is.
func newLines(change git.Change) []lineRange {
	if change.New && len(change.Hunks) == 0 {
		return nil
	}
	list := []lineRange{}
	for _, h := range change.Hunks {
		if h.Last >= h.First {
			list = append(list, lineRange{h.First, h.Last})
		}
	}
	return list
}

// rootOf is the folder that files are named from in reports for other tools:
// that of the repository, which is what such tools look at.
func rootOf(ctx context.Context, dir string) string {
	if top, err := git.Top(ctx, dir); err == nil {
		return top
	}
	// A step of GitHub may run where git is not installed.
	if work := os.Getenv("GITHUB_WORKSPACE"); work != "" && within(work, dir) {
		return work
	}
	return dir
}

// within reports whether a file or folder lies in a folder.
func within(folder, path string) bool {
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}

// resolved is a path without symbolic links in it, where it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Name is the slash-separated name of a file as seen from a folder, or the
// file's own where it lies elsewhere.
func Name(folder, file string) string {
	if rel, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(resolved(folder), resolved(file)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// Short is the name of a file as seen from a folder, if that is shorter than its
// own, as the go command writes names.
func Short(folder, file string) string {
	if rel, err := filepath.Rel(folder, file); err == nil && len(rel) < len(file) {
		return rel
	}
	return file
}
