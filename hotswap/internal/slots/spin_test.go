package slots

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	statesStored = regexp.MustCompile(`(\d+) states, stored`)
	errorsFound  = regexp.MustCompile(`errors: (\d+)`)
)

// TestTheModelHasNoErrors has spin visit all states of the model in protocol.pml.
func TestTheModelHasNoErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute or more, and some GiB of memory")
	}
	spin, err := exec.LookPath("spin")
	if err != nil {
		t.Skip("spin is not installed")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	model, err := filepath.Abs("protocol.pml")
	if err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string][]string{
		"two readers":            nil,
		"one shard":              {"-DSHARDS=1"},
		"clones":                 {"-DCLONE=1", "-DREADS=1"},
		"two writers, one spare": {"-DWRITERS=2", "-DUPDATES=1", "-DSLOTS=3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run := func(name string, args ...string) string {
				c := exec.Command(name, args...)
				c.Dir = dir
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
				}
				return string(out)
			}
			run(spin, append(append([]string{"-a"}, flags...), model)...)
			run(cc, "-O2", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=4096", "-o", "pan", "pan.c")
			out := run(filepath.Join(dir, "pan"), "-m1000000")
			errors := errorsFound.FindStringSubmatch(out)
			if errors == nil || errors[1] != "0" || strings.Contains(out, "Search not completed") || strings.Contains(out, "max search depth too small") {
				if trail, err := os.ReadFile(filepath.Join(dir, "protocol.pml.trail")); err == nil {
					t.Logf("the trail has %d bytes", len(trail))
				}
				t.Fatalf("spin found errors or did not finish:\n%s", out)
			}
			if states := statesStored.FindStringSubmatch(out); states != nil {
				t.Logf("%s states, no errors", states[1])
			}
		})
	}
}
