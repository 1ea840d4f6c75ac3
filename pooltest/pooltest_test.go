package pooltest

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

// fake is a test whose failures are looked at.
type fake struct {
	testing.TB // nil: what is not below must not be called
	cleanups   []func()
	errors     []string
	logs       []string
	skipped    bool
}

func (f *fake) Helper()           {}
func (f *fake) Failed() bool      { return len(f.errors) > 0 }
func (f *fake) Skipped() bool     { return f.skipped }
func (f *fake) Cleanup(do func()) { f.cleanups = append(f.cleanups, do) }
func (f *fake) Log(args ...any)   { f.logs = append(f.logs, fmt.Sprint(args...)) }
func (f *fake) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

// end runs the cleanups as package testing does.
func (f *fake) end() {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
}

// checked runs test under Check and returns what it was failed with.
func checked(test func(f *fake), options ...Option) []string {
	f := &fake{}
	Check(f, options...)
	test(f)
	f.end()
	return f.errors
}

type item struct{ words [8]uint64 }

// lose gets n objects of p and forgets them.
//
//go:noinline
func lose(p *pool.Pool[item], n int) {
	for range n {
		p.Get()
	}
}

func TestATidyTestPasses(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks})
	before := p.Get() // of somebody else
	if got := checked(func(f *fake) {
		for range 100 {
			x := p.Get()
			x.words[0]++
			p.Put(x)
		}
	}); got != nil {
		t.Errorf("a tidy test failed: %q", got)
	}
	p.Put(before)
}

func TestForgottenObjectsFailTheTest(t *testing.T) {
	p := pool.New(pool.Options[item]{Name: "forgetful", Stats: pool.Leaks})
	got := checked(func(f *fake) { lose(p, 3) })
	want := []string{"pooltest: forgetful: 3 objects were got and never put: the garbage collector found it out"}
	if ledger.Checked {
		want = []string{"pooltest: forgetful: 3 objects were got in this test and not put\n\n3 got at\n", "pooltest.lose(...)\n\t", "pooltest_test.go:", "TestForgottenObjectsFailTheTest"}
	}
	if len(got) != 1 {
		t.Fatalf("failed with %q, want one text", got)
	}
	for _, part := range want {
		if !strings.Contains(got[0], part) {
			t.Errorf("%q is not in\n%s", part, got[0])
		}
	}
	if again := checked(func(f *fake) {}); again != nil {
		t.Errorf("the next test is blamed: %q", again)
	}
}

func TestEachPoolAndEachPlaceIsNamedOnce(t *testing.T) {
	a := pool.New(pool.Options[item]{Name: "a", Stats: pool.Leaks})
	b := pool.New(pool.Options[item]{Name: "b", Stats: pool.Leaks})
	unnamed := pool.New(pool.Options[item]{Stats: pool.Leaks})
	got := checked(func(f *fake) {
		lose(b, 1)
		lose(a, 2)
		func() { lose(a, 1) }()
		lose(unnamed, 1)
	})
	if len(got) != 3 {
		t.Fatalf("failed with %q, want a text for each of 3 pools", got)
	}
	text := strings.Join(got, "\n")
	for _, part := range []string{"pooltest: a: 3 objects were got", "pooltest: b: 1 object was got", "pooltest: pool.Pool[github.com/poolproof/poolproof/pooltest.item]: 1 object was got"} {
		if strings.Count(text, part) != 1 && strings.Count(text, strings.Replace(part, "github.com/poolproof/poolproof/", "", 1)) != 1 {
			t.Errorf("%q is not once in\n%s", part, text)
		}
	}
	if ledger.Checked && (!strings.HasPrefix(got[0], "pooltest: b:") || !strings.Contains(got[1], "\n2 got at\n") || !strings.Contains(got[1], "\n1 got at\n")) {
		t.Errorf("want b first, and of a the places with 2 and 1:\n%s", text)
	}
}

func TestAnIgnoredPoolIsLeftOut(t *testing.T) {
	kept := pool.New(pool.Options[item]{Name: "kept", Stats: pool.Leaks})
	other := pool.New(pool.Options[item]{Name: "other", Stats: pool.Leaks})
	got := checked(func(f *fake) {
		lose(kept, 1)
		lose(other, 1)
		x := kept.Get()
		kept.Put(x)
		x.words[0]++ //poolproof:ignore of the pool that is left out
	}, IgnorePool("kept"), IgnorePool("nobody"))
	if len(got) != 1 || !strings.Contains(got[0], "other: 1 object was") {
		t.Errorf("failed with %q, want other only", got)
	}
}

func TestObjectsOnTheirWayAreWaitedFor(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = time.Minute // on a busy machine the goroutine is late too
	p := pool.New(pool.Options[item]{Name: "late", Stats: pool.Leaks})
	got := checked(func(f *fake) {
		x := p.Get()
		go func() {
			gcepoch.Collect(3) // some milliseconds
			p.Put(x)
		}()
	})
	if got != nil {
		t.Errorf("failed with %q", got)
	}
}

func TestCleanupsOfTheTestComeBeforeTheLook(t *testing.T) {
	p := pool.New(pool.Options[item]{Name: "cleanup", Stats: pool.Leaks})
	if got := checked(func(f *fake) {
		x := p.Get()
		f.Cleanup(func() { p.Put(x) })
	}); got != nil {
		t.Errorf("failed with %q", got)
	}
}

func TestATestThatFailedOrWasSkippedIsNotLookedAt(t *testing.T) {
	p := pool.New(pool.Options[item]{Name: "stopped", Stats: pool.Leaks})
	if got := checked(func(f *fake) {
		lose(p, 1)
		f.Errorf("first")
	}); len(got) != 1 || got[0] != "first" {
		t.Errorf("a failed test failed with %q", got)
	}
	if got := checked(func(f *fake) {
		lose(p, 1)
		f.skipped = true
	}); got != nil {
		t.Errorf("a skipped test failed with %q", got)
	}
}

func TestAWriteAfterPutFailsTheTestInTheCheckedBuild(t *testing.T) {
	p := pool.New(pool.Options[item]{Name: "written"})
	got := checked(func(f *fake) {
		x := p.Get()
		p.Put(x)
		x.words[7]++ //poolproof:ignore that the checked build sees it is what is tested
	})
	if !ledger.Checked {
		if got != nil {
			t.Errorf("failed with %q", got)
		}
		return
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "pooltest: written: an object of 64 bytes at ") ||
		!strings.Contains(got[0], "was written after Put") || strings.Count(got[0], "TestAWriteAfterPut") < 2 {
		t.Errorf("failed with %q", got)
	}
	p.Trim() // does not find it again
}

func TestThatThisBuildIsWeakerIsSaidOnce(t *testing.T) {
	said.Do(func() {}) // whatever came before
	f := &fake{}
	Check(f)
	f.end()
	if f.logs != nil {
		t.Errorf("said again: %q", f.logs)
	}
}

// TestTheLeakyPackage runs real tests by the real go command, in this build and
// in the other.
func TestTheLeakyPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a package twice")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	run := func(args ...string) string {
		out, err := exec.Command("go", append(append([]string{"test", "-count=1", "-v"}, args...), "./testdata/leaky")...).CombinedOutput()
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			t.Fatalf("the leaky package did not fail: %v\n%s", err, out)
		}
		return string(out)
	}
	for _, c := range []struct {
		build string
		args  []string
		fail  []string
		pass  []string
		say   map[string]int
	}{
		{
			build: "normal",
			fail:  []string{"TestForgets", "TestFailsForAnotherReason"},
			pass:  []string{"TestForgetsAtALowerLevel", "TestIgnoresOne", "TestWritesAfterPut", "TestIsTidy"},
			say: map[string]int{
				"pooltest: this build reports only":                             1,
				"pooltest: lines: 1 object was got and never put":               1,
				"pooltest: pool.Pool[[8]int]: 3 objects were got and never put": 1,
				"pooltest: cache": 0,
				"pooltest: quiet": 0,
			},
		},
		{
			build: "checked",
			args:  []string{"-tags", "poolproofdebug"},
			fail:  []string{"TestForgets", "TestForgetsAtALowerLevel", "TestWritesAfterPut", "TestFailsForAnotherReason"},
			pass:  []string{"TestIgnoresOne", "TestIsTidy"},
			say: map[string]int{
				"pooltest: this build reports only":                                        0,
				"pooltest: lines: 1 object was got in this test and not put\n\n1 got at\n": 0, // indented by testing
				"pooltest: lines: 1 object was got in this test and not put":               1,
				"leaky.forget(...)": 1,
				"pooltest: pool.Pool[[8]int]: 3 objects were got in this test and not put": 1,
				"3 got at":             1,
				"leaky.forgetToo(...)": 1,
				"pooltest: quiet: 1 object was got in this test and not put": 1,
				"pooltest: quiet: an object of 64 bytes at 0x":               1,
				"pooltest: cache": 0,
			},
		},
	} {
		t.Run(c.build, func(t *testing.T) {
			out := run(c.args...)
			for _, name := range c.fail {
				if !strings.Contains(out, "--- FAIL: "+name+" ") {
					t.Errorf("%s did not fail", name)
				}
			}
			for _, name := range c.pass {
				if !strings.Contains(out, "--- PASS: "+name+" ") {
					t.Errorf("%s did not pass", name)
				}
			}
			for text, want := range c.say {
				if got := strings.Count(out, text); got != want {
					t.Errorf("%q is said %d times, want %d", text, got, want)
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}
