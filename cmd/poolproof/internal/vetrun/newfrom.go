package vetrun

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	patch, err := git.Output(ctx, top, "-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--src-prefix=a/", "--dst-prefix=b/", base, "--", "*.go")
	if err != nil {
		return nil, bad("%w", err)
	}
	c, err := parsePatch(top, patch)
	if err != nil {
		return nil, bad("what git diff printed cannot be read: %w", err)
	}
	untracked, err := git.Output(ctx, top, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, bad("%w", err)
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			c[resolved(filepath.Join(top, filepath.FromSlash(name)))] = nil
		}
	}
	known[top] = c
	return c, nil
}

// parsePatch reads which lines of the new files a patch without context brings.
func parsePatch(top, patch string) (changes, error) {
	c := changes{}
	file, left := "", 0 // left: lines of the hunk that are still to come
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case left > 0:
			if !strings.HasPrefix(line, `\`) { // "\ No newline at end of file"
				left--
			}
		case strings.HasPrefix(line, "+++ "):
			name, err := patchName(line[len("+++ "):])
			if err != nil {
				return nil, err
			}
			if file = ""; name != "" {
				file = resolved(filepath.Join(top, filepath.FromSlash(name)))
				c[file] = []lineRange{}
			}
		case strings.HasPrefix(line, "@@ "):
			removed, added, err := parseHunk(line)
			if err != nil {
				return nil, err
			}
			left = removed + added.last - added.first + 1
			if file != "" && added.last >= added.first {
				c[file] = append(c[file], added)
			}
		}
	}
	return c, nil
}

// patchName takes the name out of the line of a new file; "" for a file that is
// gone.
func patchName(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		unquoted, err := strconv.Unquote(s)
		if err != nil {
			return "", fmt.Errorf("the file name %s: %w", s, err)
		}
		s = unquoted
	}
	s = strings.TrimSuffix(s, "\t") // git puts one after names with spaces
	name, ok := strings.CutPrefix(s, "b/")
	if !ok {
		return "", nil // /dev/null
	}
	return name, nil
}

// parseHunk reads "@@ -1,2 +3,4 @@": how many lines are gone, and the range of
// those that are there now.
func parseHunk(line string) (removed int, added lineRange, err error) {
	fields := strings.Fields(line)
	if len(fields) < 3 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return 0, added, fmt.Errorf("the hunk %q", line)
	}
	_, removed, err1 := countOf(fields[1][1:])
	first, count, err2 := countOf(fields[2][1:])
	if err1 != nil || err2 != nil {
		return 0, added, fmt.Errorf("the hunk %q", line)
	}
	return removed, lineRange{first, first + count - 1}, nil
}

// countOf reads "3,4" or "3", which is "3,1".
func countOf(s string) (first, count int, err error) {
	at, n, found := strings.Cut(s, ",")
	if first, err = strconv.Atoi(at); err != nil || !found {
		return first, 1, err
	}
	count, err = strconv.Atoi(n)
	return first, count, err
}
