package gotest

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const printed = `?   	example.com/app	[no test files]
ok  	example.com/app/a	0.003s
--- FAIL: TestA (0.00s)
    --- FAIL: TestA/one_two (0.00s)
        a_test.go:9: bad
--- FAIL: TestB (0.00s)
    testing.go:1712: misuse of a sync.Pool during execution of test: see poolproof's findings
FAIL
FAIL	example.com/app/b	0.004s
--- FAIL: TestC (0.00s)
panic: oh [recovered, repanicked]

goroutine 7 [running]:
FAIL	example.com/app/c	0.005s
panic: test timed out after 1s
	running tests:
		TestD (1s)
FAIL	example.com/app/d	1.009s
FAIL	example.com/app/e [build failed]
FAIL	example.com/app/f [setup failed]
	example.com/app/g		coverage: 0.0% of statements
ok  	example.com/app/h	0.009s [no tests to run]
exit status 3
FAIL	example.com/app/i	0.001s
signal: killed
FAIL	example.com/app/j	0.001s
FAIL
`

func TestResultsAreReadFromWhatGoTestPrints(t *testing.T) {
	want := []Package{
		{Path: "example.com/app", State: NoTests},
		{Path: "example.com/app/a", State: Passed},
		{Path: "example.com/app/b", State: Failed, Tests: []string{"TestA", "TestA/one_two", "TestB"}, Misused: true},
		{Path: "example.com/app/c", State: Failed, Tests: []string{"TestC"}, Stopped: true},
		{Path: "example.com/app/d", State: Failed, TimedOut: true, Stopped: true},
		{Path: "example.com/app/e", State: BuildFailed},
		{Path: "example.com/app/f", State: SetupFailed},
		{Path: "example.com/app/g", State: NoTests},
		{Path: "example.com/app/h", State: Passed},
		{Path: "example.com/app/i", State: Failed, Stopped: true},
		{Path: "example.com/app/j", State: Failed, Stopped: true, Killed: true},
	}
	for name, in := range map[string]io.Reader{
		"at once":       strings.NewReader(printed),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(printed)),
		"with CR LF":    strings.NewReader(strings.ReplaceAll(printed, "\n", "\r\n")),
		"not to an end": strings.NewReader(strings.TrimSuffix(printed, "\nFAIL\n")),
	} {
		t.Run(name, func(t *testing.T) {
			var w Watcher
			if _, err := io.Copy(&w, in); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, w.Packages()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOnlyTheLeavesOfFailedTestsCount(t *testing.T) {
	p := Package{Tests: []string{"TestA", "TestA/x", "TestA/x/1", "TestAB", "TestC"}}
	if got, want := p.Leaves(), []string{"TestA/x/1", "TestAB", "TestC"}; !cmp.Equal(got, want) {
		t.Errorf("leaves %q, want %q", got, want)
	}
}

// The two forms must tell the same of the same tests, with this go command.
func TestTextAndJSONOfTheRealGoCommandAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.com/app\n\ngo 1.24\n",
		"none/none.go":        "package none\n",
		"good/good_test.go":   "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n",
		"bad/bad_test.go":     "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) {\n\tt.Run(\"a b\", func(t *testing.T) { t.Error(\"misuse of a sync.Pool during execution of test\") })\n}\n\nfunc TestFine(t *testing.T) {}\n",
		"dead/dead_test.go":   "package dead\n\nimport \"testing\"\n\nfunc TestDead(t *testing.T) { panic(\"oh\") }\n",
		"exit/exit_test.go":   "package exit\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestExit(t *testing.T) { os.Exit(3) }\n",
		"slow/slow_test.go":   "package slow\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(t *testing.T) { time.Sleep(time.Hour) }\n",
		"wrong/wrong_test.go": "package wrong\n\nvar x int = \"\"\n",
		"lost/lost_test.go":   "package lost\n\nimport _ \"example.com/nowhere\"\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(w *Watcher, args ...string) map[string]Package {
		cmd := exec.Command("go", append([]string{"test", "-vet=off", "-timeout=4s"}, append(args, "./...")...)...)
		cmd.Dir, cmd.Stdout = dir, w
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
		_ = cmd.Run() // some tests fail
		all := map[string]Package{}
		for _, p := range w.Packages() {
			all[strings.TrimPrefix(p.Path, "example.com/app/")] = p
		}
		return all
	}
	p := "example.com/app/"
	want := map[string]Package{
		"none":  {Path: p + "none", State: NoTests},
		"good":  {Path: p + "good", State: Passed},
		"bad":   {Path: p + "bad", State: Failed, Tests: []string{"TestBad", "TestBad/a_b"}, Misused: true},
		"dead":  {Path: p + "dead", State: Failed, Tests: []string{"TestDead"}, Stopped: true},
		"exit":  {Path: p + "exit", State: Failed, Stopped: true},
		"slow":  {Path: p + "slow", State: Failed, TimedOut: true, Stopped: true},
		"wrong": {Path: p + "wrong", State: BuildFailed},
		"lost":  {Path: p + "lost", State: SetupFailed},
	}
	if d := cmp.Diff(want, run(&Watcher{})); d != "" {
		t.Errorf("text: %s", d)
	}
	// With -json the test that was running counts as failed, and the parent
	// comes behind its subtest.
	got := run(&Watcher{JSON: true}, "-json")
	for name, p := range got {
		if name == "exit" || name == "slow" {
			p.Tests = nil
		}
		if name == "bad" && len(p.Tests) == 2 {
			p.Tests[0], p.Tests[1] = p.Tests[1], p.Tests[0]
		}
		got[name] = p
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("JSON: %s", d)
	}
}
