package build

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// sourceLine matches a position in a Go file.
var sourceLine = regexp.MustCompile(`[^\s:()]+\.go:\d+`)

// Reachable rewrites the positions in what a benchmark of a binary said into
// paths that exist after the run, as seen from the working directory: testing
// prints names without a folder, and the folder of a revision is removed in the
// end, where the user's own tree has the file.
func (bs *Set) Reachable(binary, text string) string {
	t := bs.Target(binary)
	if t == nil {
		return text
	}
	return sourceLine.ReplaceAllStringFunc(text, func(at string) string {
		file, line := at[:strings.LastIndex(at, ":")], at[strings.LastIndex(at, ":"):]
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(t.Package.Dir, path)
		}
		path = bs.users(path)
		if _, err := os.Stat(path); err != nil {
			return at
		}
		return filepath.ToSlash(FromHere(path)) + line
	})
}

// users is the file of the user's tree that a file of a revision's worktree is
// a copy of; other files are what they are.
func (bs *Set) users(path string) string {
	if bs.Revised == nil {
		return path
	}
	for _, tree := range bs.Revised.trees {
		for _, root := range []string{tree, Resolved(tree)} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				return filepath.Join(bs.Revised.repo.top, rel)
			}
		}
	}
	return path
}
