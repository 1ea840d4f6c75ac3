package sanitize

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

func TestEachFailingTestGetsItsClass(t *testing.T) {
	dir := module(t, `
func TestFine(t *testing.T) {}
func TestMisuse(t *testing.T) { misuse(t, "read-after-put", "error") }
func TestGenuine(t *testing.T) { t.Error("always") }
func TestReuse(t *testing.T) { if watched() { t.Error("another object") } }
func TestPoisoned(t *testing.T) { if mode("poison") == "on" { t.Error("garbage") } }
//poolproof:ignore it is what is tested
func TestExcused(t *testing.T) { misuse(t, "read-after-put", "error"); if mode("poison") == "on" { t.Error("garbage") } }
func TestUnsteady(t *testing.T) { if os.Mkdir("once", 0o777) == nil { t.Error("the first time") } }
func TestSub(t *testing.T) {
	t.Run("reuse", TestReuse)
	t.Run("misuse", func(t *testing.T) { misuse(t, "double-put", "error") })
	t.Run("fine", TestFine)
}

//poolproof:ignore it is what is tested
func TestIntended(t *testing.T) { misuse(t, "read-after-put", "error") }
`)
	res, out, err := drive(t, dir, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := map[string]Class{
		"m TestGenuine": Genuine, "m TestReuse": Reuse, "m TestPoisoned": Poisoned, "m TestUnsteady": Unsteady, "m TestExcused": Excused,
		"m TestSub/reuse": Reuse,
	}
	if d := cmp.Diff(want, classesOf(res)); d != "" {
		t.Errorf("%s\n%s", d, out)
	}
	for _, f := range res.Failures {
		if want, _ := filepath.EvalSymlinks(dir); f.Test.Dir != dir && f.Test.Dir != want {
			t.Errorf("%s is in %q, want %q", f.Test.Name, f.Test.Dir, dir)
		}
	}
	if len(res.Findings) != 2 || len(res.Suppressed) != 2 || res.Suppressed[0].Suppressed.Reason != "it is what is tested" {
		t.Errorf("%d findings, suppressed %v", len(res.Findings), res.Suppressed)
	}
	if outcome := res.Outcome(Options{}); outcome != Failed {
		t.Errorf("outcome %d, want that of the genuine failure", outcome)
	}
	if !strings.Contains(out, "--- FAIL: TestMisuse") {
		t.Errorf("what go test prints is not there:\n%s", out)
	}
	for _, n := range res.Notes {
		if strings.Contains(n, "suppressed nothing") {
			t.Errorf("a directive that was used: %s", n)
		}
	}
	again := res.Printer.Again[res.Findings[0].Reports[0].Tests[0]]
	if want := "poolproof test -vet=off '-run=^TestMisuse$' example.com/m"; again != want && again != strings.Replace(want, " -vet=off", "", 1) {
		t.Errorf("again: %s", again)
	}
}

func TestABenchmarkIsRunAgainAsOne(t *testing.T) {
	dir := module(t, `
func TestFine(t *testing.T) {}
func BenchmarkReuse(b *testing.B) { if watched() { b.Error("another object") } }
func BenchmarkSub(b *testing.B) { b.Run("size=3-4", BenchmarkReuse) }
`)
	res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-bench=.", "-benchtime=1x", "-count=1") })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := map[string]Class{}
	for name, class := range classesOf(res) {
		got[withoutProcs(name)] = class
	}
	if want := map[string]Class{"m BenchmarkReuse": Reuse, "m BenchmarkSub/size=3-4": Reuse}; !cmp.Equal(got, want) && !cmp.Equal(classesOf(res), want) {
		t.Errorf("%v\n%s", classesOf(res), out)
	}
}

func TestAPackageThatWaitsForReuseIsRunWithDelay0(t *testing.T) {
	dir := module(t, `
func TestWaits(t *testing.T) {
	for watched() && mode("delay") != "0" {
		time.Sleep(10*time.Millisecond)
	}
}
func TestLater(t *testing.T) { misuse(t, "read-after-put", "error") }
`)
	res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-timeout=5s") })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(res.Findings) != 1 || len(res.Failures) != 0 {
		t.Errorf("%d findings, failures %v\n%s", len(res.Findings), res.Failures, out)
	}
	if !slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, "ran again with -delay 0: it did not end in time") }) {
		t.Errorf("notes %q", res.Notes)
	}
}

func TestAPackageThatNeverEndsFails(t *testing.T) {
	dir := module(t, "func TestWaits(t *testing.T) { for watched() { time.Sleep(10*time.Millisecond) } }")
	res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, "-timeout=3s") })
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := classesOf(res)["m "]; got != TimedOut {
		t.Errorf("classes %v", classesOf(res))
	}
}

func TestTheTestsBehindAPanicAreLookedAtToo(t *testing.T) {
	dir := module(t, `
func TestDies(t *testing.T) { if watched() && mode("delay") == "-1" { panic("Get gave nil") } }
func TestLater(t *testing.T) { misuse(t, "read-after-put", "error") }
`)
	res, out, err := drive(t, dir, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(res.Findings) != 1 || classesOf(res)["m TestDies"] != Reuse || len(res.Failures) != 1 {
		t.Errorf("%d findings, failures %v, notes %q\n%s", len(res.Findings), res.Failures, res.Notes, out)
	}
}

// Silence means that all was watched. A process that ends early under the hooks
// alone, whatever comes back, has left tests out.
func TestAPackageThatEndsEarlyWithHooksAloneFails(t *testing.T) {
	for name, c := range map[string]struct {
		tests string
		want  map[string]Class
	}{
		"without a word": {
			"func TestDies(t *testing.T) { if watched() { os.Exit(2) } }",
			map[string]Class{"m ": Ended},
		},
		"by a panic": {
			"func TestDies(t *testing.T) { if watched() { panic(\"another object\") } }",
			map[string]Class{"m TestDies": Reuse, "m ": Ended},
		},
		"killed": {
			"func TestDies(t *testing.T) { if watched() { kill() } }",
			map[string]Class{"m ": Killed},
		},
		"killed anyway": {
			"func TestDies(t *testing.T) { kill() }",
			map[string]Class{"m ": Genuine},
		},
		"killed when objects come back": {
			"func TestDies(t *testing.T) { if mode(\"delay\") == \"-1\" { panic(\"another object\") }; if watched() { kill() } }",
			map[string]Class{"m TestDies": Reuse, "m ": Killed},
		},
	} {
		for _, flag := range []string{"-vet=off", "-json"} {
			t.Run(name+" "+flag, func(t *testing.T) {
				dir := module(t, c.tests+`

func TestLater(t *testing.T) {}

func kill() {
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	time.Sleep(time.Minute)
}
`)
				res, out, err := drive(t, dir, func(o *Options) { o.Flags = append(o.Flags, flag) })
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				if d := cmp.Diff(c.want, classesOf(res)); d != "" {
					t.Errorf("%s\n%s", d, out)
				}
				if outcome := res.Outcome(Options{}); outcome != Failed {
					t.Errorf("outcome %d", outcome)
				}
			})
		}
	}
}

// Hooks that do not fit are no fault of the user's package.
func TestABuildThatOnlyTheHooksBreakIsOurFault(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	for name, text := range map[string]string{
		"the compiler": "package testing\n\nvar broken int = \"\"\n",
		"the linker":   "package testing\n\nfunc missing()\n\nfunc init() { missing() }\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, "func TestFine(t *testing.T) {}")
			broken := func(_ context.Context, p *plan) (toolchain.Overlay, error) {
				replace := map[string]string{}
				for file, text := range map[string]string{"zz_talk.go": text, "zz_talk.s": ""} {
					replace[filepath.Join(p.toolchain.Root, "src", "testing", file)] = filepath.Join(p.scratch, file)
					if err := os.WriteFile(filepath.Join(p.scratch, file), []byte(text), 0o666); err != nil {
						return toolchain.Overlay{}, err
					}
				}
				return toolchain.Overlay{Replace: replace}, nil
			}
			var out bytes.Buffer
			_, err := run(t.Context(), Options{Dir: dir, Flags: []string{"-vet=off"}, Stdout: &out, Stderr: &out, Cache: t.TempDir()}, broken)
			if fault.KindOf(err) != fault.Defect || err == nil || !strings.Contains(err.Error(), "with the hooks") {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

func TestManyTestsAreCounted(t *testing.T) {
	names := []string{"TestA", "TestB", "TestC", "TestD", "TestE", "TestF", "TestG"}
	for n, want := range map[int]string{
		0: "m", 1: "TestA of m", 5: "TestA, TestB, TestC, TestD, TestE of m", 7: "TestA, TestB, TestC, TestD, TestE and 2 more tests of m",
	} {
		if got := some(names[:n], "m"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestTheCommandThatRunsATestAgain(t *testing.T) {
	p := &plan{part: part{dir: "/src"}}
	p.options = Options{Mode: Fast, Poison: "off", Delay: new(int)}
	p.asked = ask(t, "-short -run=X -bench=Y -cover -json -tags=a -timeout=3s", "")
	for name, want := range map[string]string{
		"":                         "-short=true -tags=a -run=X -bench=Y m",
		"TestA":                    "-short=true -tags=a '-run=^TestA$' m",
		"TestA/x+y":                "-short=true -tags=a '-run=^TestA$/^x\\+y$' m",
		"BenchmarkEncode/way=late": "-short=true -tags=a '-run=^$' '-bench=^BenchmarkEncode$/^way=late$' m",
		"FuzzA/0123456789abcdef":   "-short=true -tags=a '-run=^FuzzA$/^0123456789abcdef$' m",
	} {
		if got := p.again(finding.Test{Package: "m", Name: name}, "/src"); got != "poolproof test -mode=fast -delay=0 -poison=off "+want {
			t.Errorf("%s: %s", name, got)
		}
	}
	p.asked = ask(t, "-fuzz=FuzzA -fuzztime=9s -fuzzminimizetime=1s", "") // the input that it found stands in testdata now
	if got := p.again(finding.Test{Package: "m", Name: "FuzzA"}, "/src"); got != "poolproof test -mode=fast -delay=0 -poison=off '-run=^FuzzA$' m" {
		t.Errorf("after -fuzz: %s", got)
	}
	p.asked.line.Packages = []string{"a.go", "a_test.go"}
	if got := p.again(finding.Test{Package: ofFiles, Name: "TestA"}, "/src"); !strings.HasSuffix(got, " '-run=^TestA$' a.go a_test.go") {
		t.Errorf("of files: %s", got)
	}
	p.asked.line.Packages = nil
	if got := p.again(finding.Test{Name: "TestA"}, "/src"); got != "" {
		t.Errorf("of a process that is none of ours: %s", got)
	}
	p.dir = "/src/other"
	if got := p.again(finding.Test{Package: "m"}, "/src"); !strings.Contains(got, " -C=/src/other ") {
		t.Errorf("in another module: %s", got)
	}
}
