// Package git asks the git command about repositories of the user's.
package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Output runs a git command in a folder and returns what it printed. An error is
// git's own first line, or that of ctx.
func Output(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(environ(), "PWD="+dir, "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		if line, _, _ := strings.Cut(strings.TrimSpace(string(failed.Stderr)), "\n"); line != "" {
			err = errors.New(line)
		}
	}
	return string(out), err
}

// Text is Output without the space around it.
func Text(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := Output(ctx, dir, args...)
	return strings.TrimSpace(out), err
}

// Top returns the folder of the repository's tree around dir.
func Top(ctx context.Context, dir string) (string, error) {
	top, err := Output(ctx, dir, "rev-parse", "--show-toplevel")
	return filepath.FromSlash(strings.TrimRight(top, "\r\n")), err
}

// Commit returns the hash of the commit that a revision names, in the repository
// around dir. A revision is a name that a user wrote: it is never taken for an
// option.
func Commit(ctx context.Context, dir, rev string) (string, error) {
	return Text(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
}

// bound are the variables by which a git hook binds commands to its repository or
// its index, which need not be those of their folder.
var bound = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_COMMON_DIR"}

// environ is the environment without them.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(bound, name)
	})
}
