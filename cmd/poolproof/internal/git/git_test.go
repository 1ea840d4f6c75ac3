package git_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// repository makes one with a commit that is tagged v1, and returns its tree.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", dir) // no configuration of the user's
	t.Setenv("XDG_CONFIG_HOME", dir)
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first"},
		{"tag", "v1"},
	} {
		if out, err := git.Output(t.Context(), dir, args...); err != nil {
			t.Fatalf("git %v: %s %v", args, out, err)
		}
	}
	return dir
}

func TestTheRepositoryIsThatOfTheFolder(t *testing.T) {
	dir := repository(t)
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "of-a-hook"))
	}
	if top, err := git.Top(t.Context(), sub); top != dir || err != nil {
		t.Errorf("top %q, %v; want %s", top, err, dir)
	}
}

func TestARevisionIsACommitOrAnError(t *testing.T) {
	dir := repository(t)
	hash, err := git.Commit(t.Context(), dir, "v1")
	if err != nil || len(hash) < 40 {
		t.Errorf("v1 is %q, %v", hash, err)
	}
	if head, err := git.Text(t.Context(), dir, "rev-parse", "HEAD"); head != hash || err != nil {
		t.Errorf("HEAD is %q, %v; want %s", head, err, hash)
	}
	for _, rev := range []string{"v9", "", "-h", "--all", "v1^{tree}"} {
		if hash, err := git.Commit(t.Context(), dir, rev); err == nil {
			t.Errorf("%q is %s", rev, hash)
		}
	}
}

func TestWhatGitPrintsIsNotChanged(t *testing.T) {
	dir := repository(t)
	if err := os.WriteFile(filepath.Join(dir, " name"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	const want = " name\x00"
	if out, err := git.Output(t.Context(), dir, "ls-files", "--others", "-z"); out != want || err != nil {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

func TestAnErrorIsTheFirstLineOfGit(t *testing.T) {
	dir := repository(t)
	_, err := git.Output(t.Context(), dir, "no-such-command")
	if err == nil || !strings.Contains(err.Error(), "no-such-command") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := git.Output(ended, dir, "status"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
