package mutate

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	file  = "testdata/size/size.go"
	tests = "./testdata/size"
)

// fate is a mutant and what becomes of it.
type fate struct {
	Mutant
	want  outcome
	words string
}

func of(name, old, new string, want outcome, words string) fate {
	return fate{Mutant{name, In(file, old, new), tests}, want, words}
}

func mutants(fates []fate) (ms []Mutant) {
	for _, f := range fates {
		ms = append(ms, f.Mutant)
	}
	return ms
}

// expect runs the tests on each mutant, and wants those of the list to be built
// alone.
func expect(t *testing.T, fates []fate, alone ...string) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGroup(t.Context(), t.TempDir(), ".", tests, mutants(fates))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range fates {
		t.Run(f.Name, func(t *testing.T) {
			got, out := g.run(t.Context(), t.TempDir(), i, 5*time.Second)
			if got != f.want || !strings.Contains(out, f.words) {
				t.Errorf("%s, want %s with %q:\n%s", got, f.want, f.words, out)
			}
			if g.alone[i] != slices.Contains(alone, f.Name) {
				t.Errorf("built alone: %t", g.alone[i])
			}
		})
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the file is another one now", err)
	}
}

func TestWhatBecomesOfMutants(t *testing.T) {
	expect(t, []fate{
		of("one that the tests notice", "return -n", "return n", killed, "FAIL: TestOf"),
		of("one that they do not notice", "n < 0", "n <= 0", survived, ""),
		of("one with which they do not end", "return -n", "select {}", timedOut, "test timed out after 5s"),
		of("one of another function", "*to = n", "*to = 0", killed, "FAIL: TestStore"),
		of("one that only a slow test notices", "n != 3", "n == 3", killed, "FAIL: TestSlow"),
		of("one of a constant", "= 10", "= 9", killed, "FAIL: TestMost"),
		of("one of a constant that they do not notice", "= 1\n)", "= 2\n)", survived, ""),
		of("one of a parameter", "n, unused int", "unused, n int", killed, "FAIL: TestFirst"),
		of("one of a function with labels", "continue next", "break next", killed, "FAIL: TestLabels"),
		of("one that is more than a body", "return n\n}\n", "return n\n}\n\nvar _ = most\n", survived, ""),
		{Mutant{"one of a function and an operator", []Edit{At("testdata/size", "NotThree", "edge 1")}, tests}, killed, "FAIL: TestSlow"},
		{Mutant{"one of two files", append(In(file, "n != 3", "n == 3"), In("testdata/size/rest.go", "= 1", "= 2")...), tests}, killed, "FAIL: TestSlow"},
	}, "one of two files", "one of a constant", "one of a constant that they do not notice", "one of a parameter", "one of a function with labels", "one that is more than a body")
}

func TestWhereOneDoesNotCompileEachIsBuiltAlone(t *testing.T) {
	expect(t, []fate{
		of("one that does not compile", "n < 0", "n < nothing", noMutant, "undefined: nothing"),
		of("one that is no Go", "n < 0", "n <", noMutant, "syntax error"),
		of("one that the tests notice", "return -n", "return n", killed, "FAIL: TestOf"),
	}, "one that does not compile", "one that is no Go", "one that the tests notice")
}

func TestMutantsMustFitTheCode(t *testing.T) {
	for _, f := range []fate{
		of("one whose text is not there", "n > 0", "n < 0", noMutant, "has 0 places"),
		of("one whose text is there more than once", "return", "panic(0); return", noMutant, "places like \"return\""),
		{Mutant{"one of no file", In("testdata/size/no.go", "a", "b"), tests}, noMutant, "no.go"},
		{Mutant{"one that nobody tests", In(file, "n < 0", "n > 0"), "./testdata"}, noMutant, "no Go files"},
	} {
		if _, err := newGroup(t.Context(), t.TempDir(), ".", f.Tests, mutants([]fate{f})); err == nil || !strings.Contains(err.Error(), f.words) {
			t.Errorf("%s: %v, want %q", f.Name, err, f.words)
		}
	}
}

func TestTheCodeItselfMustPass(t *testing.T) {
	t.Setenv("SIZE_IS_WRONG", "yes")
	_, err := newGroup(t.Context(), t.TempDir(), ".", tests, mutants([]fate{of("one", "return -n", "return n", killed, "")}))
	if err == nil || !strings.Contains(err.Error(), "fail on the code itself") {
		t.Errorf("%v", err)
	}
}

func TestEachTestIsInOnePart(t *testing.T) {
	b, err := build(t.Context(), t.TempDir(), ".", tests, nil)
	if err != nil {
		t.Fatal(err)
	}
	ps, err := b.measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]int)
	for _, args := range ps {
		_, out := b.run(t.Context(), "", limit, append([]string{"-test.v"}, args...)...)
		for _, m := range passed.FindAllStringSubmatch(out, -1) {
			ran[m[1]]++
		}
	}
	for _, name := range []string{"TestOf", "TestStore", "TestMost", "TestFirst", "TestLabels", "TestSlow"} {
		if ran[name] != 1 {
			t.Errorf("%s ran %d times", name, ran[name])
		}
	}
	if len(ps) != 2 || !strings.Contains(ps[1][0], "TestSlow") {
		t.Errorf("the slow test is not in the second part: %q", ps)
	}
}

func TestSurvivorsAreWhatNoTestNotices(t *testing.T) {
	all := mutants([]fate{
		of("one that the tests notice", "return -n", "return n", killed, ""),
		of("one that they do not notice", "n < 0", "n <= 0", survived, ""),
		of("one that does not compile", "n < 0", "n < nothing", noMutant, ""),
		of("one with which they do not end", "return -n", "select {}", timedOut, ""),
		of("one of a function with labels", "continue next", "break next", killed, ""),
	})
	compiling, err := Compiling(t.Context(), ".", tests, all)
	if err != nil || len(compiling) != 4 || compiling[2].Name != all[3].Name {
		t.Fatalf("%v, %v compile, not all but the third", err, compiling)
	}
	alive, slow, err := Survivors(t.Context(), t.TempDir(), ".", tests, compiling, 5*time.Second)
	if err != nil || len(alive) != 1 || alive[0].Name != all[1].Name || len(slow) != 1 || slow[0].Name != all[3].Name {
		t.Errorf("%v, %v survive, not the second; %v are slow, not the fourth", err, alive, slow)
	}
	if _, _, err := Survivors(t.Context(), t.TempDir(), ".", tests, all, 5*time.Second); err == nil || !strings.Contains(err.Error(), "undefined: nothing") {
		t.Errorf("one that does not compile: %v", err)
	}
}
