package slots

import (
	"flag"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var mutants = flag.Bool("mutants", false, "break the model in each way that it knows, and expect errors (a minute)")

var (
	statesStored = regexp.MustCompile(`(\d+) states, stored`)
	errorsFound  = regexp.MustCompile(`errors: (\d+)`)
)

// checker turns the model into a program and runs it.
type checker struct{ spin, cc, model string }

// newChecker skips the test where spin or a C compiler is missing.
func newChecker(t *testing.T) checker {
	spin, err := exec.LookPath("spin")
	if err != nil {
		t.Skip("spin is not installed (Debian: apt-get install spin)")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	model, err := filepath.Abs("protocol.pml")
	if err != nil {
		t.Fatal(err)
	}
	return checker{spin, cc, model}
}

// check visits all states of the model with those definitions, or those up to the
// first error, and returns what the program says.
func (c checker) check(t *testing.T, definitions ...string) string {
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		command := exec.Command(name, args...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(c.spin, append(append([]string{"-a"}, definitions...), c.model)...)
	run(c.cc, "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=4096", "-o", "pan", "pan.c")
	return run(filepath.Join(dir, "pan"), "-m1000000")
}

// TestTheModelHasNoErrors has spin visit all states of the model in protocol.pml.
func TestTheModelHasNoErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute, and a GiB or two of memory")
	}
	c := newChecker(t)
	for _, test := range []struct {
		name        string
		definitions string
	}{
		{"two readers, two shards", ""},
		{"two readers, one shard", "-DSHARDS=1"},
		{"three readers", "-DREADERS=3 -DREADS=1 -DUPDATES=2 -DSHARDS=1"},
		{"clones", "-DCLONE=1 -DREADS=1"},
		{"two writers, three slots", "-DWRITERS=2 -DUPDATES=1 -DSLOTS=3 -DREADS=1"},
		{"two writers wait for one slot", "-DWRITERS=2 -DUPDATES=2 -DREADS=1"},
		{"releases in any shard", "-DANY=1 -DREADS=1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := c.check(t, strings.Fields(test.definitions)...)
			errors := errorsFound.FindStringSubmatch(out)
			if errors == nil || errors[1] != "0" || strings.Contains(out, "Search not completed") || strings.Contains(out, "max search depth too small") {
				t.Fatalf("spin found errors or did not finish:\n%s", out)
			}
			states := statesStored.FindStringSubmatch(out)
			if states == nil {
				t.Fatalf("no number of states in\n%s", out)
			}
			t.Logf("%s states, no errors", states[1])
		})
	}
}

// TestTheModelFailsWhenItIsBroken has spin find an error in each mutant of the
// model, so that no errors means something.
func TestTheModelFailsWhenItIsBroken(t *testing.T) {
	if !*mutants {
		t.Skip("-mutants is not given")
	}
	c := newChecker(t)
	for _, mutant := range []string{
		"NO_SECOND_LOOK",
		"UNDO_DOES_NOT_LOOK",
		"UNDO_ELSEWHERE",
		"LEAVE_DOES_NOT_LOOK",
		"LEAVE_LOOKS_BEFORE",
		"CLONE_ELSEWHERE -DCLONE=1",
		"SCAN_ONE_SHORT",
		"CLAIM_ANY_GENERATION",
		"CLAIM_LOAD_STORE",
		"CLAIM_RESETS",
		"RETIRER_DOES_NOT_SCAN",
		"SCAN_BEFORE_RETIRED",
		"RETIRED_BEFORE_SWAP",
		"NO_MUTEX -DWRITERS=2 -DUPDATES=1 -DSLOTS=3",
		"ANY_ZERO_SCAN -DANY=1",
		"ANY_LOOKS_AT_ZERO -DANY=1",
	} {
		t.Run(mutant, func(t *testing.T) {
			out := c.check(t, strings.Fields("-DMUTANT="+mutant)...)
			errors := errorsFound.FindStringSubmatch(out)
			if errors == nil || errors[1] == "0" {
				t.Errorf("spin found no error:\n%s", out)
			}
		})
	}
}
