package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// TreesOf is the folder for a run's worktrees. It is the same whenever the run
// is resumed, for the paths of sources stand in a binary; and it lies outside of
// the user's tree, whose go.work and modules must not reach into it.
func TreesOf(out, scratch string) string {
	abs, err := filepath.Abs(out)
	root := treesRoot()
	if err != nil || root == "" {
		return filepath.Join(scratch, "trees")
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(root, hex.EncodeToString(sum[:8]))
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

// SweepTrees removes the worktrees of runs that were killed.
func SweepTrees(ctx context.Context) {
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
