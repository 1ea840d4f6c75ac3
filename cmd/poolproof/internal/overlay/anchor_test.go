package overlay

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchmarkGo is testing/benchmark.go of the toolchain that runs the tests.
func benchmarkGo(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(find(t, t.TempDir()).Root, "src", "testing", "benchmark.go"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEachMissingAnchorIsNamed(t *testing.T) {
	text := benchmarkGo(t)
	for _, tt := range []struct{ name, from, to, want string }{
		{"doBench gone", "func (b *B) doBench()", "func (b *B) doneBench()", "doBench"},
		{"doBench launches otherwise", "\tgo b.launch()\n", "\tgo b.launch2()\n", "doBench"},
		{"doBench with one more step", "\tgo b.launch()\n", "\tgo b.launch()\n\tb.N = 0\n", "doBench"},
		{"no bench state", "*benchState", "*otherState", "benchState"},
		{"run1 gone", "func (b *B) run1()", "func (b *B) runOne()", "run1"},
		{"run1 runs no operation", "\t\tb.runN(1)\n", "\n", "run1 that runs one operation and signals its end"},
		{"run1 signals nothing", "\t\tdefer func() {\n\t\t\tb.signal <- true\n\t\t}()\n", "\n", "run1 that runs one operation and signals its end"},
		{"runN gone", "func (b *B) runN(", "func (b *B) runM(", "runN"},
		{"runN forces no collection", "\truntime.GC()\n", "\n", "runN with one forced collection"},
		{"runN forces two", "\truntime.GC()\n", "\truntime.GC()\n\truntime.GC()\n", "runN with one forced collection"},
		{"StartTimer gone", "func (b *B) StartTimer()", "func (b *B) StartWatch()", "StartTimer"},
		{"StartTimer reads no clock", "b.start = highPrecisionTimeNow()\n\t\tb.timerOn = true", "b.timerOn = true", "StartTimer that reads the clock once"},
		{"StopTimer gone", "func (b *B) StopTimer()", "func (b *B) StopWatch()", "StopTimer"},
		{"StopTimer adds nothing", "b.duration += highPrecisionTimeSince(b.start)\n\t\truntime", "runtime", "StopTimer that adds to the duration once"},
		{"ResetTimer gone", "func (b *B) ResetTimer()", "func (b *B) ResetWatch()", "ResetTimer"},
		{"ResetTimer zeroes nothing", "\tb.duration = 0\n", "\n", "ResetTimer that zeroes the duration once"},
		{"ResetTimer reads no clock", "b.start = highPrecisionTimeNow()\n\t}\n\tb.duration", "}\n\tb.duration", "ResetTimer that reads the clock once"},
		{"Loop gone", "func (b *B) Loop()", "func (b *B) Loops()", "Loop that ends in loopSlowPath"},
		{"Loop without a slow path", "\treturn b.loopSlowPath()\n", "\treturn false\n", "Loop that ends in loopSlowPath"},
		{"loopSlowPath gone", "func (b *B) loopSlowPath()", "func (b *B) loopSlowly()", "Loop that ends in loopSlowPath"},
		{"no Go at all", "package testing", "pack age testing", ""},
	} {
		if !strings.Contains(text, tt.from) {
			t.Fatalf("%s: this toolchain has no %q", tt.name, tt.from)
		}
		_, err := serveSlices("benchmark.go", []byte(strings.ReplaceAll(text, tt.from, tt.to)))
		if !errors.Is(err, ErrAnchor) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestEditsAddAndReplaceNothingElse(t *testing.T) {
	text := benchmarkGo(t)
	edited, err := serveSlices("benchmark.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", edited, 0); err != nil {
		t.Fatal(err)
	}
	rest := strings.NewReplacer(
		"if poolproofServing && b.bstate != nil {\ngo b.poolproofServe()\n<-b.signal\nreturn b.result\n}\n", "",
		"poolproofReturned := false\n", "",
		"\npoolproofReturned = true", "",
		"b.poolproofSignal(poolproofReturned)", "b.signal <- true",
		"if poolproofForceGC { runtime.GC() }", "runtime.GC()",
		"if poolproofServing { poolproofCPUStart = poolproofCPUNow() }\n", "",
		"\nif poolproofServing { poolproofCPUSum += poolproofCPUNow() - poolproofCPUStart; poolproofSpans++ }", "",
		"\nif poolproofServing { poolproofCPUSum, poolproofSpans = 0, 0 }", "",
		"if poolproofPace.period > 0 {\nreturn b.poolproofPaced()\n}\n", "",
	).Replace(string(edited))
	if rest != text {
		t.Error("with the edits taken out the file is not as it was")
	}
	if n := strings.Count(string(edited), "poolproofCPUStart = "); n != 2 {
		t.Errorf("the CPU clock is started at %d places, want 2", n)
	}
}

func TestSystemsWithoutAServerFallBack(t *testing.T) {
	root := find(t, t.TempDir()).Root
	for goos, want := range map[string]bool{"linux": true, "darwin": true, "windows": false, "plan9": false} {
		files, err := Testing(&Toolchain{Root: root, OS: goos})
		if want != (err == nil) || !want && !errors.Is(err, ErrAnchor) || want && len(files) != 5 {
			t.Errorf("%s: %d files, %v", goos, len(files), err)
		}
	}
}

func TestATestingPackageThatIsNotThereIsAnAnchorError(t *testing.T) {
	if _, err := Testing(&Toolchain{Root: t.TempDir(), OS: "linux"}); !errors.Is(err, ErrAnchor) {
		t.Errorf("Testing = %v", err)
	}
}
