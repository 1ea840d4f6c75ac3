package experiment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// sourceLine matches a position in a Go file.
var sourceLine = regexp.MustCompile(`[^\s:()]+\.go:\d+`)

// reachable rewrites the positions in what a benchmark of a binary said into
// paths that exist after the run, as seen from the working directory: testing
// prints names without a folder, and the folder of a revision is removed in the
// end, where the user's own tree has the file.
func (bs *builds) reachable(binary, text string) string {
	t := bs.target(binary)
	if t == nil {
		return text
	}
	return sourceLine.ReplaceAllStringFunc(text, func(at string) string {
		file, line := at[:strings.LastIndex(at, ":")], at[strings.LastIndex(at, ":"):]
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(t.pkg.Dir, path)
		}
		path = bs.users(path)
		if _, err := os.Stat(path); err != nil {
			return at
		}
		return filepath.ToSlash(fromHere(path)) + line
	})
}

// users is the file of the user's tree that a file of a revision's worktree is
// a copy of; other files are what they are.
func (bs *builds) users(path string) string {
	if bs.revised == nil {
		return path
	}
	for _, tree := range bs.revised.trees {
		for _, root := range []string{tree, resolved(tree)} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				return filepath.Join(bs.revised.repo.top, rel)
			}
		}
	}
	return path
}

// fromHere is the path as seen from the working directory where it lies in
// there.
func fromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	for _, dir := range []string{here, resolved(here)} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// exists reports whether there is a file or folder of that name.
func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
