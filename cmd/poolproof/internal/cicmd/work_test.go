package cicmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge/forgetest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pull"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestThresholdsAndTheBudgetAreOfTheQuestion(t *testing.T) {
	f, err := parse([]string{"-base", "main", "-threshold", "time=5%,bytes=1%", "-budget", "90s", "-bench", "Sum", "./a", "./b"})
	if err != nil || f.Threshold != 0.05 || f.Bytes != 0.01 || f.Allocs != 0 || !f.Changed || f.Kind != study.KindBase {
		t.Fatalf("%+v, %v", f, err)
	}
	w := work{flags: f}
	want := []string{"-bench", "Sum", "-threshold", "time=5%,bytes=1%", "-budget", "1m30s", "./a", "./b"}
	if got := w.again(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	again, err := parse(w.again())
	if err != nil || again.Threshold != f.Threshold || again.Bytes != f.Bytes || again.Budget != f.Budget || !slices.Equal(again.packages, f.packages) {
		t.Errorf("%+v, %v; want %+v", again, err, f)
	}
	usual, err := parse(nil)
	if err != nil || usual.Budget != defaultBudget || usual.failOn != onNegative || !usual.comment {
		t.Fatalf("%+v, %v", usual, err)
	}
	if got := (&work{flags: usual}).again(); !slices.Equal(got, []string{"./..."}) {
		t.Errorf("%q without any flag", got)
	}
	for _, args := range [][]string{{"-fail-on", "positive"}, {"-budget", "9s"}, {"-threshold", "speed=1%"}, {"-threshold", "5"}, {"-job", ""}} {
		if _, err := parse(args); fault.KindOf(err) != fault.Input {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestWhatFailsTheJob(t *testing.T) {
	failed := func(side string) study.Result {
		return study.Result{Verdict: study.NotMeasured, Failed: &study.Failure{Side: side}}
	}
	for _, tt := range []struct {
		results []study.Result
		want    int
	}{
		{nil, exitcode.OK},
		{[]study.Result{{Verdict: study.NoChange}, {Verdict: study.Positive}, {Verdict: study.Inconclusive}, {Verdict: study.NotMeasured}}, exitcode.OK},
		{[]study.Result{{Verdict: study.TradeOff}, {Verdict: study.Invalid}}, exitcode.OK},
		{[]study.Result{{Verdict: study.NoChange}, {Verdict: study.Negative}}, exitcode.Findings},
		{[]study.Result{{Verdict: study.Negative}, {Verdict: study.Unsafe}}, exitcode.Unsafe},
		{[]study.Result{{Verdict: study.Unsafe}, failed("candidate")}, exitcode.Build},
		{[]study.Result{failed("baseline")}, exitcode.OK},
	} {
		for failOn, want := range map[string]int{onNegative: tt.want, onNothing: exitcode.OK} {
			w := work{flags: &flags{failOn: failOn}}
			for _, r := range tt.results {
				w.codes = append(w.codes, codeOf(r))
			}
			if got := w.code(); got != want {
				t.Errorf("-fail-on %s: %d for %+v, want %d", failOn, got, tt.results, want)
			}
		}
	}
}

func TestABaseThatDoesNotBuildIsNotTheRequestsFault(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		text string
		code int
	}{
		"the base, by its option":    {&fault.Error{Kind: fault.Code, Option: "base", Value: "main", Err: errors.New("x.go:1: no")}, "the base does not build: x.go:1: no", exitcode.OK},
		"the base, by its binary":    {fault.Errorf(fault.Code, build.BaseBinary+": x.go:1: no"), "the base does not build: x.go:1: no", exitcode.OK},
		"the request":                {fault.Errorf(fault.Code, "x.go:1: no"), "x.go:1: no", exitcode.Build},
		"a base that is no revision": {fault.Option("base", "main", "no"), "-base main: no", exitcode.Usage},
	} {
		if text, code := blame(tt.err); text != tt.text || code != tt.code {
			t.Errorf("%s: %q, %d; want %q, %d", name, text, code, tt.text, tt.code)
		}
	}
	if got := summary("\na\nb\nc\nd\ne\n"); got != "a b c d" {
		t.Errorf("%q", got)
	}
}

func TestTheTestsOfChangedPackagesRun(t *testing.T) {
	top := t.TempDir()
	for _, name := range []string{"go.mod", "a/a.go", "a/a_test.go", "a/asm/x.s", "a/testdata/t.go", "a/testdata/t_test.go", "b/b.go", "c/c_test.go", "_d/d_test.go", "vendor/v/v_test.go", "m/e/e_test.go"} {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		dir, differ string
		want        []string
	}{
		{".", "c/c_test.go a/a.go a/a_test.go", []string{"./a", "./c"}},
		{".", "a/asm/x.s", []string{"./a"}}, // a folder without Go files is part of the package above
		{".", "b/b.go README.md a/gone.go", []string{"./a"}},
		{".", "a/testdata/t.go _d/d.go vendor/v/v.go", nil},
		{".", "a/a.go go.mod", []string{"./pattern"}},
		{".", "sub/go.sum", []string{"./pattern"}},
		{"m", "a/a.go m/e/e.go", []string{"./e"}},
	} {
		w := work{flags: &flags{packages: []string{"./pattern"}}, request: request{top: top, differ: git.Changes{}}, dir: filepath.Join(top, tt.dir)}
		for name := range strings.FieldsSeq(tt.differ) {
			w.differ[name] = git.Change{}
		}
		if got := w.changedPackages(); !slices.Equal(got, tt.want) {
			t.Errorf("in %s, %s: %q, want %q", tt.dir, tt.differ, got, tt.want)
		}
	}
}

func TestTheReportGoesToWhereTheJobsReadersLook(t *testing.T) {
	s := forgetest.New(t)
	summary := filepath.Join(t.TempDir(), "summary.md")
	w := work{flags: &flags{comment: true, job: "ci"}, job: forge.Job{Host: "GitHub", Forge: forge.NewGitHub(s.URL, "o/r", 7, "token"), Summary: summary}}
	tell := func(want int, begins string) {
		t.Helper()
		if err := w.tell(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := s.Comments()
		if len(all) != want || want > 0 && !strings.HasPrefix(all[0].Body, "<!-- poolproof:ci -->\n### poolproof: "+begins) {
			t.Errorf("%d comments, want %d that begins with %s: %+v", len(all), want, begins, all)
		}
	}
	tell(0, "")
	w.report.Misuses = []pull.Misuse{{By: "vet", Text: "a.go:1: x"}}
	w.comment = false
	tell(0, "")
	w.comment = true
	tell(1, "1 misuse of a pool")
	w.report.Misuses = nil
	tell(1, "nothing to report")
	s.Fail(forgetest.Failure{Method: "GET", Status: 403, Body: "{}"})
	tell(1, "nothing to report")
	w.job.Forge, w.job.Why = nil, "GITHUB_TOKEN is not set"
	tell(1, "nothing to report")
	text, err := os.ReadFile(summary)
	if n := strings.Count(string(text), "### poolproof: "); err != nil || n != 6 {
		t.Errorf("the summary has %d reports of 6: %v", n, err)
	}
	w.summary = filepath.Join(t.TempDir(), "no", "such", "folder")
	if err := w.tell(t.Context()); err == nil || !strings.HasPrefix(fmt.Sprint(err), "summary "+w.summary) {
		t.Errorf("a summary that cannot be written: %v", err)
	}
}
