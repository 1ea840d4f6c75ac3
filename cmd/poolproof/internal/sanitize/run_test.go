package sanitize

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		tests   string
		strict  bool
		outcome Outcome
	}{
		"nothing found":                  {"func TestFine(t *testing.T) {}", false, Clean},
		"a finding":                      {"func TestA(t *testing.T) { misuse(t, \"nil-put\", \"error\") }", false, Misused},
		"a warning":                      {"func TestA(t *testing.T) { misuse(t, \"nil-put\", \"warning\") }", false, Clean},
		"a warning that counts":          {"func TestA(t *testing.T) { misuse(t, \"nil-put\", \"warning\") }", true, Misused},
		"a test that depends on reuse":   {"func TestA(t *testing.T) { if watched() { t.Error() } }", false, Clean},
		"a failing test":                 {"func TestA(t *testing.T) { t.Error() }", false, Failed},
		"a finding outside of any test":  {"func TestMain(m *testing.M) { m.Run(); misuse(&testing.T{}, \"nil-put\", \"error\"); os.Exit(1) }", false, Misused},
		"code that does not compile":     {"func TestA(t *testing.T) { nonsense }", false, Failed},
		"os.Exit in the middle of tests": {"func TestA(t *testing.T) { os.Exit(3) }", false, Failed},
		"no tests":                       {"", false, Clean},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Strict: c.strict}
			res, out, err := drive(t, module(t, c.tests), func(p *Options) { p.Strict = c.strict })
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if outcome := res.Outcome(o); outcome != c.outcome {
				t.Errorf("outcome %d, want %d; failures %v\n%s", outcome, c.outcome, res.Failures, out)
			}
		})
	}
}

func TestABinaryThatSaysNothingIsAnError(t *testing.T) {
	dir := module(t, "func TestFine(t *testing.T) {}")
	t.Setenv("TALK", "mute")
	_, _, err := drive(t, dir, nil)
	if fault.KindOf(err) != fault.Tools || !strings.Contains(err.Error(), "example.com/m did not say that it is instrumented") {
		t.Errorf("%v", err)
	}
}

func TestFindingsSurviveWhatEndsATest(t *testing.T) {
	for name, end := range map[string]string{
		"a panic":   `panic("oh")`,
		"os.Exit":   `os.Exit(7)`,
		"a timeout": `time.Sleep(time.Hour)`,
		"a kill":    `p, _ := os.FindProcess(os.Getpid()); p.Kill(); time.Sleep(time.Minute)`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, "func TestA(t *testing.T) { misuse(t, \"read-after-put\", \"error\"); if watched() { "+end+" } }")
			res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-timeout=2s") })
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if len(res.Findings) != 1 {
				t.Errorf("%d findings\n%s", len(res.Findings), out)
			}
		})
	}
}

func TestABaselineIsWrittenAndHolds(t *testing.T) {
	dir := module(t, "func TestA(t *testing.T) { misuse(t, \"read-after-put\", \"error\") }")
	file := filepath.Join(dir, "pools.txt")
	res, out, err := drive(t, dir, func(o *Options) { o.Baseline, o.UpdateBaseline = file, true })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if outcome := res.Outcome(Options{UpdateBaseline: true}); outcome != Clean || res.Baseline != 1 {
		t.Errorf("outcome %d, %d entries", outcome, res.Baseline)
	}
	res, out, err = drive(t, dir, func(o *Options) { o.Baseline = file })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if outcome := res.Outcome(Options{}); outcome != Clean || len(res.Suppressed) != 1 || len(res.Failures) != 0 {
		t.Errorf("outcome %d, suppressed %d, failures %v", outcome, len(res.Suppressed), res.Failures)
	}
	// It was mended; nobody has told the baseline.
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte("package m\n\nimport \"testing\"\n\n//poolproof:ignore outlived its test\nfunc TestA(t *testing.T) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	res, out, err = drive(t, dir, func(o *Options) { o.Baseline = file })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	notes := strings.Join(res.Notes, "\n")
	for _, want := range []string{"pools.txt:3: this entry matches no finding", "m_test.go:5: poolproof:ignore suppressed nothing"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	// With -C its name, as all others, is taken from there on.
	res, _, err = drive(t, filepath.Dir(dir), func(o *Options) {
		o.Flags, o.Baseline = append([]string{"-C=" + filepath.Base(dir)}, o.Flags...), "pools.txt"
	})
	if err != nil || !strings.Contains(strings.Join(res.Notes, "\n"), "this entry matches no finding") {
		t.Errorf("with -C: %v, %v", res, err)
	}
	// Who runs a part of the tests cannot know.
	res, _, err = drive(t, dir, func(o *Options) { o.Baseline, o.Flags = file, append(o.Flags, "-run=TestB") })
	if err != nil || len(res.Notes) != 0 {
		t.Errorf("notes of a part: %q, %v", res.Notes, err)
	}
}

func TestAnInterruptedRunKeepsWhatItFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs tests")
	}
	dir := module(t, "func TestA(t *testing.T) { misuse(t, \"read-after-put\", \"error\"); os.WriteFile(\"begun\", nil, 0o666); time.Sleep(5 * time.Minute) }")
	ctx, cancel := context.WithCancel(t.Context())
	interrupted := make(chan time.Time, 1)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				interrupted <- time.Now()
				cancel()
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	res, err := run(ctx, Options{Dir: dir, Flags: []string{"-vet=off"}, Cache: t.TempDir()}, talking)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Interrupted || len(res.Findings) != 1 || res.Outcome(Options{}) != Stopped {
		t.Errorf("interrupted %v, %d findings, outcome %d", res.Interrupted, len(res.Findings), res.Outcome(Options{}))
	}
	if took := time.Since(<-interrupted); took > 4*time.Minute {
		t.Errorf("it took %v to end", took)
	}
}

func TestBothModulesAreTested(t *testing.T) {
	dir := module(t, "func TestA(t *testing.T) { misuse(t, \"read-after-put\", \"error\") }",
		"other/go.mod", "module example.com/other\n\ngo 1.24\n",
		"other/o_test.go", "package other\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nvar _ sync.Pool\n\nfunc TestO(t *testing.T) { t.Error() }\n")
	res, out, err := drive(t, dir, func(o *Options) { o.Packages = []string{".", "./other"} })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if res.Launched != 2 || len(res.Findings) != 1 || classesOf(res)["other TestO"] != Genuine {
		t.Errorf("%d binaries, %d findings, %v\n%s", res.Launched, len(res.Findings), res.Failures, out)
	}
}

func TestTheUsersOverlayIsMerged(t *testing.T) {
	dir := module(t, "func TestA(t *testing.T) { if overlaid != 2 { t.Error(overlaid) } }", "over.go", "package m\n\nvar overlaid = 1\n", "two.txt", "package m\n\nvar overlaid = 2\n")
	overlay := filepath.Join(dir, "o.json")
	if err := os.WriteFile(overlay, []byte(`{"Replace":{"over.go":"two.txt"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-overlay=o.json") })
	if err != nil || len(res.Failures) > 0 {
		t.Errorf("%v, %v\n%s", err, res, out)
	}
	t.Setenv("TEST_GOFLAGS", "-overlay="+overlay)
	res, out, err = drive(t, dir, nil)
	if err != nil || len(res.Failures) > 0 {
		t.Errorf("of GOFLAGS: %v, %v\n%s", err, res, out)
	}
	t.Setenv("TEST_GOFLAGS", "")
	clash := `{"Replace":{"` + filepath.Join(goroot(t), "src/testing/zz_talk.go") + `":"two.txt"}}`
	if err := os.WriteFile(overlay, []byte(clash), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err = drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-overlay=o.json") })
	if fault.KindOf(err) != fault.Input || err == nil || !strings.Contains(err.Error(), "zz_talk.go (by "+filepath.Join(dir, "two.txt")+" and ") {
		t.Errorf("a clash: %v", err)
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": "module m\n"})
	for want, o := range map[string]Options{
		"mode slow: write exact or fast":             {Mode: "slow"},
		"poison maybe: write auto, on or off":        {Poison: "maybe"},
		"poison on: a delay reuses":                  {Poison: "on", Delay: new(int)},
		"update-baseline: there is no file to write": {UpdateBaseline: true},
		"baseline: open /nowhere/b: no such":         {Baseline: "/nowhere/b"},
		"flag needs an argument: -run":               {Flags: []string{"-run"}},
		"no such folder":                             {Dir: "/nowhere"},
		"-race takes the place":                      {Flags: []string{"-race"}},
		"\"./a\" is a package":                       {Flags: []string{"./a"}},
		"overlay: open " + dir + "/none: no such":    {Flags: []string{"-overlay=none"}},
	} {
		if o.Dir == "" {
			o.Dir = dir
		}
		o.Cache = t.TempDir()
		if _, err := run(t.Context(), o, talking); fault.KindOf(err) != fault.Input || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
