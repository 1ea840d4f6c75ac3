package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// workspace returns what GOWORK must be for the go command in a worktree, whose
// folder lies elsewhere than the user's tree. A go.work that git has is the one
// of the revision, or none. One that git does not have, above the repository or
// ignored in it, is the user's setting for all revisions: the worktree gets a
// copy, in which the folders of the repository are those of the worktree.
//
// rel is the folder of the package in the repository.
func (r repository) workspace(ctx context.Context, rel, tree string) (env []string, err error) {
	work, err := workFile(ctx, existing(filepath.Join(r.top, rel)))
	if err != nil || work == "off" {
		return nil, err
	}
	none := []string{"GOWORK=off"} // nor one that lies above the worktree by chance
	if work == "" {
		if within(tree, filepath.Join(tree, rel)) {
			return nil, nil
		}
		return none, nil
	}
	inside, err := filepath.Rel(r.top, Resolved(work))
	if err == nil && filepath.IsLocal(inside) {
		if own := filepath.Join(tree, inside); Exists(own) {
			return []string{"GOWORK=" + own}, nil
		}
		if _, err := git.Text(ctx, r.top, "ls-files", "--error-unmatch", "--", inside); err == nil {
			return none, nil // the revision is older than its go.work
		}
	}
	copied := tree + ".work"
	if err := r.copyWork(work, copied, tree); err != nil {
		return nil, err
	}
	return []string{"GOWORK=" + copied}, nil
}

// workFile asks the go command which go.work it uses in a folder: "" for none,
// "off" where the environment says so.
func workFile(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOWORK")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir)
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("go env GOWORK: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// within reports whether a folder, or one above it up to top, has a go.work.
func within(top, dir string) bool {
	for {
		if Exists(filepath.Join(dir, "go.work")) {
			return true
		}
		if dir == top || filepath.Dir(dir) == dir {
			return false
		}
		dir = filepath.Dir(dir)
	}
}

// copyWork writes a go.work for a worktree: what the user's one says, with the
// folders of the repository in the worktree, and all others where they are.
func (r repository) copyWork(from, to, tree string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	w, err := modfile.ParseWork(from, text, nil)
	if err != nil {
		return err
	}
	place := func(path string) string {
		path = filepath.FromSlash(path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(from), path)
		}
		if rel, err := filepath.Rel(r.top, Resolved(path)); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(tree, rel)
		}
		return path
	}
	for _, use := range w.Use {
		was, path := use.Path, place(use.Path)
		if err := w.DropUse(was); err != nil {
			return err
		}
		if Exists(filepath.Join(path, "go.mod")) { // the revision may not have the module
			if err := w.AddUse(filepath.ToSlash(path), ""); err != nil {
				return err
			}
		}
	}
	for _, replace := range w.Replace {
		if replace.New.Version != "" {
			continue
		}
		if err := w.AddReplace(replace.Old.Path, replace.Old.Version, filepath.ToSlash(place(replace.New.Path)), ""); err != nil {
			return err
		}
	}
	w.Cleanup()
	if err := os.WriteFile(to, modfile.Format(w.Syntax), 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(from + ".sum")
	if err != nil {
		return nil // there need be none
	}
	return os.WriteFile(to+".sum", sums, 0o666)
}
