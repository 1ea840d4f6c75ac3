package explore_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

var (
	mutated = flag.Bool("mutants", false, "change the protocol in each way that is known to break it, and expect that to be noticed (takes minutes)")
	update  = flag.Bool("update", false, "write the table of mutants into the records")
)

// root is the folder of package hotswap.
const root = "../.."

// mutant is a change of package hotswap, or of what is below it, that must not go
// unnoticed.
type mutant struct {
	name string
	// killer is the scenario that notices it or, if it needs no second thread, the
	// test: TestX of package hotswap, or DIR.TestX of a package below it.
	killer string
	// preemptions is the fewest with which the scenario does.
	preemptions int
	edits       []mutate.Edit
}

// test returns the package and the name of the test that kills m. It reports
// false if the killer is a scenario.
func (m mutant) test() (dir, name string, ok bool) {
	dir, name = ".", m.killer
	if below, test, found := strings.Cut(m.killer, ".Test"); found {
		dir, name = "./"+below, "Test"+test
	}
	return dir, name, strings.HasPrefix(name, "Test")
}

// TestMutantsAreKilled builds hotswap with each of the changes, without touching
// its files, and runs the killer on it.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("-mutants is not given")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			overlay, err := mutate.Overlay(t.TempDir(), root, m.edits)
			if err != nil {
				t.Fatal(err)
			}
			if dir, name, ok := m.test(); ok {
				expectToFail(t, overlay, dir, name)
			} else {
				m.explore(t, overlay)
			}
		})
	}
}

// expectToFail runs a test with an overlay.
func expectToFail(t *testing.T, overlay, dir, name string) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	noticed, out, err := mutate.Test(ctx, root, overlay, "-short", "-timeout=2m", "-run=^"+name+"$", dir)
	switch {
	case err != nil:
		t.Fatalf("no mutant: %v", err)
	case !noticed:
		t.Fatalf("%s has not noticed it:\n%s", name, out)
	case !strings.Contains(string(out), name):
		t.Fatalf("it failed in another way:\n%s", out)
	}
}

var failedWith = regexp.MustCompile(`(?m)failed with (\d+) preemptions, in execution (\d+) of up to (\d+) points: (.*)$`)

// explore runs the scenario that kills m, with 0 preemptions, 1, 2 and so on.
func (m mutant) explore(t *testing.T, overlay string) {
	binary := filepath.Join(t.TempDir(), "mutant.test")
	out, err := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-o", binary, "-overlay="+overlay, "-tags=poolproofexplore", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("the mutant does not compile: %v\n%s", err, out)
	}
	scenario := "^" + regexp.QuoteMeta(strings.ReplaceAll(m.killer, " ", "_")) + "$"
	if m.killer == "" {
		scenario = ".*" // find one
	}
	c := exec.Command(binary, "-alone", "-deepen", "-test.v", "-test.timeout=20m", "-test.run=^TestEverySchedule$/"+scenario)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err = c.CombinedOutput()
	found := failedWith.FindSubmatch(out)
	if err == nil || found == nil {
		t.Fatalf("nobody has noticed: %v\n%s", err, out)
	}
	t.Logf("%d preemptions, execution %s: %s", m.preemptions, found[2], found[4])
	if n, _ := strconv.Atoi(string(found[1])); n != m.preemptions || m.killer == "" {
		t.Errorf("noticed with %d preemptions, want %d:\n%s", n, m.preemptions, out)
	}
}

// mutantsTable is the mutants for the records.
func mutantsTable() string {
	var b strings.Builder
	b.WriteString("| change | noticed by | preemptions |\n|---|---|---|\n")
	for _, m := range mutants {
		killer, preemptions := m.killer, fmt.Sprint(m.preemptions)
		if _, _, ok := m.test(); ok {
			killer, preemptions = "`"+killer+"`", "one thread"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.name, killer, preemptions)
	}
	return b.String()
}

// The edits must fit the source and the table in the records must be that
// of the list, also where nobody runs the mutants.
func TestMutantsFollowTheSourceAndTheRecords(t *testing.T) {
	for _, m := range mutants {
		if _, err := mutate.Texts(root, m.edits); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	const file, begin, end = "../../../cmd/poolproof/internal/lab/records/hotswap.md", "<!-- begin mutants -->\n\n", "\n<!-- end mutants -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	was, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the table of mutants", file)
	}
	switch {
	case was == mutantsTable():
	case *update:
		if err := os.WriteFile(file, []byte(before+begin+mutantsTable()+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of mutants in %s is not that of the list; -update writes it", file)
	}
}
