package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// committed makes a repository with one file in two commits, tagged v1 and v2.
func committed(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	cacheHere(t) // no configuration of the user's
	dir := t.TempDir()
	run := func(args ...string) {
		if out, err := git.Text(t.Context(), dir, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...); err != nil {
			t.Fatalf("git %v: %s %v", args, out, err)
		}
	}
	run("init", "-q")
	for _, version := range []string{"v1", "v2"} {
		put(t, filepath.Join(dir, "file"), version)
		run("add", ".")
		run("commit", "-q", "-m", version)
		run("tag", version)
	}
	r, err := openRepository(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// worktrees counts those that the repository lists, its own tree included.
func worktrees(t *testing.T, r repository) int {
	t.Helper()
	out, err := git.Text(t.Context(), r.top, "worktree", "list")
	if err != nil {
		t.Fatal(err)
	}
	return len(strings.Split(out, "\n"))
}

func TestAWorktreeIsMadeAndTakenBackWhateverIsInTheWay(t *testing.T) {
	r := committed(t)
	dir := filepath.Join(t.TempDir(), "deep", "base")
	for _, tt := range []struct {
		name, rev string
		before    func()
	}{
		{"nothing in the way", "v1", func() {}},
		{"a worktree of an earlier run", "v2", func() {}},
		{"one whose folder is gone", "v1", func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}},
		{"one that git is still making, by its word", "v2", func() {
			put(t, filepath.Join(r.top, ".git", "worktrees", "base", "locked"), "initializing")
		}},
		{"a folder that is no worktree", "v1", func() {
			if err := r.discard(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "file"), "mine")
		}},
		{"in a hook of another repository", "v2", func() {
			t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
		}},
	} {
		tt.before()
		hash, err := r.resolve(t.Context(), "base", tt.rev)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if err := r.checkout(t.Context(), hash, dir); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := content(t, filepath.Join(dir, "file")); got != tt.rev {
			t.Errorf("%s: the file holds %q, want %s", tt.name, got, tt.rev)
		}
		if n := worktrees(t, r); n != 2 {
			t.Errorf("%s: %d worktrees, want 2", tt.name, n)
		}
	}
	if err := r.discard(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if Exists(dir) || worktrees(t, r) != 1 {
		t.Errorf("left: %t, worktrees: %d", Exists(dir), worktrees(t, r))
	}
	if got := content(t, filepath.Join(r.top, "file")); got != "v2" || changedSince(t.Context(), r.top, "") {
		t.Errorf("the user's tree holds %q", got)
	}
}

func TestARevisionThatIsNoCommitIsRefused(t *testing.T) {
	r := committed(t)
	for _, rev := range []string{"v3", "", "-h", "HEAD:file", "v1..v2"} {
		if hash, err := r.resolve(t.Context(), "base", rev); fault.KindOf(err) != fault.Input {
			t.Errorf("%q: %s, %v", rev, hash, err)
		}
	}
	if _, err := r.resolve(t.Context(), "base", "v1"); err != nil {
		t.Error(err)
	}
}

func TestOnlyChangesOfTheUsersMakeATreeDirty(t *testing.T) {
	r := committed(t)
	out := filepath.Join(r.top, "results [1]")
	put(t, filepath.Join(out, study.PlanName), "")
	if changedSince(t.Context(), r.top, out) {
		t.Error("the run's own files count")
	}
	if !changedSince(t.Context(), r.top, filepath.Join(r.top, "elsewhere")) {
		t.Error("a new file does not count")
	}
	put(t, filepath.Join(r.top, "file"), "v3")
	if !changedSince(t.Context(), r.top, out) {
		t.Error("a changed file does not count")
	}
}

// TestTheWholeRepositoryIsAskedForChanges: a study's module is clean while the
// library that it measures, another module of the repository, is not.
func TestTheWholeRepositoryIsAskedForChanges(t *testing.T) {
	r := committed(t)
	module := filepath.Join(r.top, "studies")
	put(t, filepath.Join(module, "s", study.FileName), "")
	git := func(args ...string) string {
		t.Helper()
		out, err := git.Text(t.Context(), r.top, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if err != nil {
			t.Fatalf("git %v: %s %v", args, out, err)
		}
		return out
	}
	git("add", ".")
	git("commit", "-q", "-m", "a study")
	bs := NewSet(&Target{Package: duet.Package{Root: module}})
	want := git("rev-parse", "HEAD")
	asked := func() bool {
		t.Helper()
		rev, dirty := bs.Revision(t.Context(), filepath.Join(module, ".poolproof"))
		if rev != want {
			t.Errorf("revision %q, want %q", rev, want)
		}
		return dirty
	}
	put(t, filepath.Join(module, "s", study.NoteName), "found")
	put(t, filepath.Join(module, "s", study.EarlierName), "{}")
	put(t, filepath.Join(module, "s", study.VerdictName), "{}")
	if asked() {
		t.Error("what the run of another study wrote counts")
	}
	put(t, filepath.Join(r.top, study.NoteName), "no study is beside it")
	if !asked() {
		t.Error("a file that only has the name of a note does not count")
	}
	if err := os.Remove(filepath.Join(r.top, study.NoteName)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(r.top, "file"), "v3")
	if !asked() {
		t.Error("a change outside of the module does not count")
	}
}
