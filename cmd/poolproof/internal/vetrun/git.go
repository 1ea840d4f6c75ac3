package vetrun

import (
	"context"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

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
