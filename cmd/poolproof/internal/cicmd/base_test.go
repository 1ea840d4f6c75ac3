package cicmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// repository is a clone on a branch that left main at the commit left; main has gone on since.
type repository struct {
	t         *testing.T
	dir       string
	left, tip string // commits of main
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	out, err := git.Text(r.t.Context(), r.dir, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// commit writes a file and commits it.
func (r *repository) commit(name string) string {
	r.t.Helper()
	r.write(name)
	r.git("add", ".")
	r.git("commit", "-q", "-m", name)
	return r.git("rev-parse", "HEAD")
}

func (r *repository) write(name string) {
	r.t.Helper()
	name = filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("package p\n"), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func newRepository(t *testing.T) *repository {
	origin := &repository{t: t, dir: t.TempDir()}
	origin.git("init", "-q", "-b", "main")
	left := origin.commit("first.go")
	r := &repository{t: t, dir: filepath.Join(t.TempDir(), "clone"), left: left}
	if _, err := git.Text(t.Context(), origin.dir, "clone", "-q", "file://"+origin.dir, r.dir); err != nil {
		t.Fatal(err)
	}
	r.git("checkout", "-q", "-b", "request")
	r.commit("request.go")
	r.tip = origin.commit("later.go")
	r.git("fetch", "-q")
	r.write("new.go") // git does not know it
	return r
}

func TestTheBaseIsWhereTheRequestLeft(t *testing.T) {
	r := newRepository(t)
	gone := strings.Repeat("0123", 10)
	for name, tt := range map[string]struct {
		base  string
		job   forge.Job
		label string
	}{
		"-base":                                   {base: "origin/main", label: "origin/main (" + r.left[:8] + ")"},
		"-base before what the job says":          {base: "origin/main", job: forge.Job{Base: gone, Branch: "other"}, label: "origin/main (" + r.left[:8] + ")"},
		"the commit that the job says":            {job: forge.Job{Base: r.tip, Branch: "other"}, label: r.left[:8]},
		"its branch, where the commit is unknown": {job: forge.Job{Base: gone, Branch: "main"}, label: "origin/main (" + r.left[:8] + ")"},
		"its branch alone":                        {job: forge.Job{Branch: "main"}, label: "origin/main (" + r.left[:8] + ")"},
		"the branch that origin/HEAD names":       {label: "origin/HEAD (" + r.left[:8] + ")"},
		"a commit by the beginning of its name":   {base: r.left[:10], label: r.left[:8]},
	} {
		got, err := findRequest(t.Context(), r.dir, tt.base, tt.job)
		if err != nil || got.base != r.left || got.label != tt.label {
			t.Errorf("%s: %s, %q, %v; want %s, %q", name, got.base, got.label, err, r.left, tt.label)
		}
		// What main got later is not the request's, and what is not committed is.
		if _, ok := got.differ["later.go"]; ok || len(got.differ) != 2 || !got.differ["new.go"].New {
			t.Errorf("%s: differs in %v", name, got.differ)
		}
	}
}

func TestAMissingBaseIsSaidWithTheCommandThatBringsIt(t *testing.T) {
	full := newRepository(t)
	full.git("remote", "set-head", "origin", "--delete")
	shallow := &repository{t: t, dir: filepath.Join(t.TempDir(), "shallow")}
	if _, err := git.Text(t.Context(), full.dir, "clone", "-q", "--depth", "1", "--branch", "request", "file://"+full.dir, shallow.dir); err != nil {
		t.Fatal(err)
	}
	why := "the clone is shallow and does not hold the commit that the request left; run git fetch --unshallow origin"
	gone := strings.Repeat("0123", 10)
	for name, tt := range map[string]struct {
		dir, base string
		job       forge.Job
		want      string
	}{
		"a name that is not there":   {full.dir, "origin/nowhere", forge.Job{}, "base origin/nowhere: there is no such revision here; run git fetch origin nowhere"},
		"a commit that is not there": {full.dir, "", forge.Job{Base: gone, Branch: "no"}, "base " + gone + ": there is no such revision here; run git fetch origin " + gone},
		"a branch that is not there": {full.dir, "", forge.Job{Branch: "no"}, "base origin/no: there is no such revision here; run git fetch origin no"},
		"nothing says what it is":    {full.dir, "", forge.Job{}, "there is no origin/HEAD here: name the base, as in -base origin/main"},
		"a shallow clone":            {shallow.dir, "origin/main", forge.Job{}, "base origin/main: " + why},
		"a shallow clone on GitHub":  {shallow.dir, "", forge.Job{Host: "GitHub", Base: full.left, Branch: "main"}, "base " + full.left + ": " + why + " +refs/heads/main:refs/remotes/origin/main (or fetch-depth: 0 for actions/checkout)"},
		"a shallow clone on GitLab":  {shallow.dir, "", forge.Job{Host: "GitLab", Branch: "main"}, "base origin/main: " + why + " +refs/heads/main:refs/remotes/origin/main (or GIT_DEPTH: 0 for the job)"},
		"a base that never met it":   {orphan(t), "other", forge.Job{}, "base other: it has no commit in common with HEAD"},
	} {
		r, err := findRequest(t.Context(), tt.dir, tt.base, tt.job)
		if err == nil || err.Error() != tt.want || fault.KindOf(err) != fault.Input {
			t.Errorf("%s: %+v, %v; want %s", name, r, err, tt.want)
		}
	}
	if _, err := findRequest(t.Context(), t.TempDir(), "main", forge.Job{}); err == nil || !strings.Contains(err.Error(), "is not in a usable git repository") {
		t.Error(err)
	}
}

// orphan has two branches without a common commit.
func orphan(t *testing.T) string {
	r := &repository{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.commit("a.go")
	r.git("checkout", "-q", "--orphan", "other")
	r.commit("b.go")
	r.git("checkout", "-q", "main")
	return r.dir
}
