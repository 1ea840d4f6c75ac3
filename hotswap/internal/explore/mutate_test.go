package explore_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	mutate = flag.Bool("mutants", false, "change the protocol in each way that is known to break it, and expect that to be noticed (takes minutes)")
	update = flag.Bool("update", false, "write the table of mutants into docs/hotswap.md")
)

// mutant is a change of package hotswap, or of what is below it, that must not go
// unnoticed.
type mutant struct {
	name string
	// killer is the scenario that notices it, or the test of package hotswap, whose
	// name begins with Test, if it needs no second thread.
	killer string
	// preemptions is the fewest with which the scenario does.
	preemptions int
	edits       []edit
}

// edit replaces text that occurs once in a file of package hotswap.
type edit struct{ file, old, new string }

// in returns edits of one file.
func in(file string, texts ...string) (edits []edit) {
	for i := 0; i < len(texts); i += 2 {
		edits = append(edits, edit{file, texts[i], texts[i+1]})
	}
	return edits
}

// sequential reports whether a test without threads is the killer.
func (m mutant) sequential() bool { return strings.HasPrefix(m.killer, "Test") }

// TestMutantsAreKilled builds hotswap with each of the changes, without touching
// its files, and runs the killer on it.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutate {
		t.Skip("-mutants is not given")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			overlay := m.overlay(t, root)
			if m.sequential() {
				m.test(t, root, overlay)
			} else {
				m.explore(t, overlay)
			}
		})
	}
}

// test runs the test of package hotswap that kills m.
func (m mutant) test(t *testing.T, root, overlay string) {
	binary := m.build(t, "-overlay="+overlay, root)
	c := exec.Command(binary, "-test.short", "-test.timeout=2m", "-test.run=^"+m.killer+"$")
	c.Dir = root
	out, err := c.CombinedOutput()
	switch {
	case err == nil:
		t.Fatalf("%s has not noticed it:\n%s", m.killer, out)
	case !strings.Contains(string(out), m.killer):
		t.Fatalf("it failed in another way:\n%s", out)
	}
}

var failedWith = regexp.MustCompile(`(?m)failed with (\d+) preemptions, in execution (\d+) of up to (\d+) points: (.*)$`)

// explore runs the scenario that kills m, with 0 preemptions, 1, 2 and so on.
func (m mutant) explore(t *testing.T, overlay string) {
	binary := m.build(t, "-overlay="+overlay, "-tags=poolproofexplore", ".")
	scenario := "^" + regexp.QuoteMeta(strings.ReplaceAll(m.killer, " ", "_")) + "$"
	if m.killer == "" {
		scenario = ".*" // find one
	}
	c := exec.Command(binary, "-alone", "-deepen", "-test.v", "-test.timeout=20m", "-test.run=^TestEverySchedule$/"+scenario)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := c.CombinedOutput()
	found := failedWith.FindSubmatch(out)
	if err == nil || found == nil {
		t.Fatalf("nobody has noticed: %v\n%s", err, out)
	}
	t.Logf("%d preemptions, execution %s: %s", m.preemptions, found[2], found[4])
	if n, _ := strconv.Atoi(string(found[1])); n != m.preemptions || m.killer == "" {
		t.Errorf("noticed with %d preemptions, want %d:\n%s", n, m.preemptions, out)
	}
}

// build builds the test binary of a package.
func (m mutant) build(t *testing.T, args ...string) string {
	binary := filepath.Join(t.TempDir(), "mutant.test")
	out, err := exec.Command("go", append([]string{"test", "-c", "-o", binary}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("the mutant does not compile: %v\n%s", err, out)
	}
	return binary
}

// overlay writes the changed files and the overlay that puts them in place.
func (m mutant) overlay(t *testing.T, root string) string {
	dir := t.TempDir()
	texts := make(map[string]string)
	for _, e := range m.edits {
		path := filepath.Join(root, filepath.FromSlash(e.file))
		if texts[path] == "" {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = string(text)
		}
		if n := strings.Count(texts[path], e.old); n != 1 {
			t.Fatalf("%s has %d places like\n%s\nwant 1: the mutant must follow the source", e.file, n, e.old)
		}
		texts[path] = strings.Replace(texts[path], e.old, e.new, 1)
	}
	replace := make(map[string]string)
	for path, text := range texts {
		changed := filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[path] = changed
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// table is the mutants for docs/hotswap.md.
func table() string {
	var b strings.Builder
	b.WriteString("| change | noticed by | preemptions |\n|---|---|---|\n")
	for _, m := range mutants {
		killer, preemptions := m.killer, fmt.Sprint(m.preemptions)
		if m.sequential() {
			killer, preemptions = "`"+killer+"`", "one thread"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.name, killer, preemptions)
	}
	return b.String()
}

// The edits must fit the source and the table in the documentation must be that
// of the list, also where nobody runs the mutants.
func TestMutantsFollowTheSourceAndTheDocumentation(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		m.overlay(t, root)
	}
	const file, begin, end = "../../../docs/hotswap.md", "<!-- begin mutants -->\n\n", "\n<!-- end mutants -->"
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
	case was == table():
	case *update:
		if err := os.WriteFile(file, []byte(before+begin+table()+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of mutants in %s is not that of the list; -update writes it", file)
	}
}
