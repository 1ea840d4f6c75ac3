package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TestTheHistoryHasTheMeasurements reads results of each form that was ever
// committed, from a repository that is made for it.
func TestTheHistoryHasTheMeasurements(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "studies", "a")
	run := func(args ...string) {
		if _, err := git.Text(t.Context(), root, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	commit := func(name, text string) {
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		run("add", "-A")
		run("commit", "-q", "-m", name)
	}
	const rows = `"benchmark":"work","arm":"pool","verdict":"POSITIVE","effect":-0.2,"lo":-0.3,"hi":-0.1`
	commit("RESULT.json", `{"schema":1,"measured":"2026-01-01","spent":"1s","machine":{"cpu":"A"},"toolchain":"go1","revision":"r1","comparisons":[{`+rows+`,"metric":"T wall"}]}`)
	commit("RESULT.json", `{"schema":2,"measured":"2026-01-02","spent":"2s","machine":{"cpu":"B"},"toolchain":"go1","provenance":{"revision":"r2"},"comparisons":[{`+rows+`,"estimator":"M cpu"},{"benchmark":"invalid","arm":"pool"}]}`)
	commit("RESULT.json", `{"schema":2,"measured":"2026-01-02","spent":"2s","machine":{"cpu":"B"},"toolchain":"go1","provenance":{"revision":"r2"},"comparisons":[{`+rows+`,"estimator":"M cpu"}],"claims":[]}`) // judged again
	run("rm", "-q", "studies/a/RESULT.json")
	commit("verdict.json", `{"started":"2026-01-03T10:00:00Z","spent":"3s","plan":{"revision":"r3","machine":{"cpu":"B"},"toolchain":"go2"},"results":[{"benchmark":"work","arm":"pool","cell":["GOGC=50"],"verdict":"NEGATIVE","estimator":"T wall","deciding":{"effect":0.2,"lo":0.1,"hi":0.3,"launches":4}},{"benchmark":"once","arm":"pool","estimator":"T wall","deciding":{"effect":0.2,"lo":0.1,"hi":0.3,"launches":1}}]}`)
	run("tag", "r1")
	run("tag", "r3") // r2 is no revision of this history, and is left out
	all, err := historyOf(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	got := measurements(all["studies/a"])
	var said []string
	for _, e := range got {
		r := e.Results[0]
		said = append(said, strings.Join([]string{e.Measured, e.Revision, e.Machine.CPU, e.Toolchain, string(r.Verdict), r.By}, " "))
	}
	want := "2026-01-01 r1 A go1 POSITIVE T wall|2026-01-02  B go1 POSITIVE M cpu|2026-01-03 r3 B go2 NEGATIVE T wall"
	if strings.Join(said, "|") != want || len(got[2].Results) != 1 {
		t.Fatalf("the measurements are %v", said)
	}

	s := committed.Study{Dir: dir}
	check := func() int {
		var f Finding
		if err := f.repeated(t.Context(), root, []committed.Study{s}, false); err != nil {
			t.Fatal(err)
		}
		return len(f.Problems)
	}
	if check() != 1 {
		t.Error("that nothing is kept is not noticed")
	}
	var f Finding
	if err := f.repeated(t.Context(), root, []committed.Study{s}, true); err != nil {
		t.Fatal(err)
	}
	if s.Earlier, err = study.ReadEarlier(dir); err != nil || check() != 0 {
		t.Errorf("what was written is a problem: %v", err)
	}
	s.Earlier[1].Results[0].Hi = -0.15
	if check() != 1 {
		t.Error("a changed interval is not noticed")
	}
}

// TestAResultIsKeptAsTheHistoryHasIt holds what an update keeps of a result against
// what is read of it from the history later.
func TestAResultIsKeptAsTheHistoryHasIt(t *testing.T) {
	studies, err := readStudies(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range studies {
		if s.Verdict == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.Dir, study.VerdictName))
		if err != nil {
			t.Fatal(err)
		}
		read, err := parseResult(text)
		if err != nil {
			t.Fatal(err)
		}
		if kept := study.AsEarlier(*s.Verdict); !sameMeasurements([]study.Earlier{kept}, []study.Earlier{read.Earlier}) {
			t.Errorf("%s: an update keeps\n%+v\nand the history has\n%+v", s.Dir, kept, read)
		}
	}
}

func TestAMeasurementIsNotAltered(t *testing.T) {
	was := recorded{study.Earlier{Measured: "2026-01-01", Spent: "1s", Revision: "r", Toolchain: "go1", Machine: study.Machine{CPU: "A"}}, "test 12", "p", "try -budget 1s a"}
	was.Add(study.EarlierResult{Benchmark: "work", Arm: "pool", By: "T wall", Effect: -0.2, Lo: -0.3, Hi: -0.1})
	for want, change := range map[string]func(*recorded){
		"":                        func(*recorded) {},
		"the revision":            func(r *recorded) { r.Revision = "s" },
		"the toolchain":           func(r *recorded) { r.Toolchain = "go2" },
		"the machine":             func(r *recorded) { r.Machine.CPU = "B" },
		"the digests":             func(r *recorded) { r.binaries = "test 13" },
		"the program":             func(r *recorded) { r.program = "q" },
		"the command":             func(r *recorded) { r.command = "try -budget 2s a" },
		"the effect -0.4 of work": func(r *recorded) { r.Results = slices.Clone(r.Results); r.Results[0].Effect = -0.4 },
	} {
		now := was
		change(&now)
		if got := altered(now, []recorded{was}); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	other := was
	other.Spent, other.Revision = "2s", "s"
	if got := altered(other, []recorded{was}); got != "" {
		t.Errorf("another measurement is held against it: %s", got)
	}
}
