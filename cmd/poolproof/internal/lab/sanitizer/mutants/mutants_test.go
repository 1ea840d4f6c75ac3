package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

func TestThereAreEnoughMutants(t *testing.T) {
	n := 0
	seen := map[string]bool{}
	for _, h := range hosts {
		n += len(h.mutants)
		for _, m := range h.mutants {
			key := h.module.String() + " " + m.name
			if seen[key] {
				t.Errorf("%s is there twice", key)
			}
			seen[key] = true
			for _, e := range m.edits {
				if e.old == e.new || e.old == "" {
					t.Errorf("%s changes nothing", key)
				}
			}
		}
	}
	if n < 30 || len(hosts) < 8 {
		t.Errorf("%d mutants of %d modules", n, len(hosts))
	}
}

func TestAMutantIsAnOverlay(t *testing.T) {
	dir, scratch := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\ntwo\nthree\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m := mutant{"order", []edit{{"a.go", "one\ntwo\n", "two\none\n"}, {"a.go", "three", "3"}}}
	list, err := m.overlay(dir, scratch)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(list)
	if err != nil || !strings.Contains(string(b), filepath.Join(dir, "a.go")) {
		t.Error(string(b), err)
	}
	if b, err = os.ReadFile(filepath.Join(scratch, "a.go")); err != nil || string(b) != "two\none\n3\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestATextThatIsNotThereOnceIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\none\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for old, want := range map[string]string{"one": "2 times", "two": "0 times"} {
		if _, err := one("x", "a.go", old, "").text(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", old, err)
		}
	}
}

func TestTheTableCountsWhatWasNoticed(t *testing.T) {
	h := host{module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	clean := map[suite.Mode]result{suite.Plain: {}, suite.Exact: {}}
	ran := result{Reached: true}
	mutants := []row{
		{h, mutant{name: "found"}, map[suite.Mode]result{suite.Plain: ran, suite.Exact: {Kinds: []string{"double-put"}, Failed: []string{"p.T"}}}},
		{h, mutant{name: "fails"}, map[suite.Mode]result{suite.Plain: {Failed: []string{"p.T", "p.U"}, Reached: true}, suite.Exact: {Stopped: true}}},
		{h, mutant{name: "open"}, map[suite.Mode]result{suite.Plain: ran}},
	}
	modes := []suite.Mode{suite.Plain, suite.Exact}
	var out strings.Builder
	if wrong := print(&out, mutants, []row{{h, mutant{}, clean}}, modes); wrong != nil {
		t.Error(wrong)
	}
	for _, want := range []string{
		"| found | – | double-put |", "| fails | 2 tests fail | does not end |", "| open | – | not run |",
		"| **1 modules** | **3 mutants** | **1 of 3** | **2 of 2** |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	dirty := map[suite.Mode]result{suite.Plain: {Failed: []string{"p.T"}}}
	if wrong := print(&out, mutants, []row{{h, mutant{}, dirty}}, modes); len(wrong) != 2 {
		t.Errorf("a control that fails, and one that did not run: %q", wrong)
	}
}

func TestADataRaceIsToldFromATestThatFails(t *testing.T) {
	race := &suite.Outcome{Races: 2, Raced: []string{"p.T", "q"}, Packages: []gotest.Package{
		{Path: "p", State: gotest.Failed, Tests: []string{"T", "U"}}, {Path: "q", State: gotest.Failed},
	}}
	crash := &suite.Outcome{Packages: []gotest.Package{{Path: "p", State: gotest.Failed, Tests: []string{"U"}, Stopped: true}}}
	late := &suite.Outcome{Packages: []gotest.Package{{Path: "p", State: gotest.Failed, Stopped: true, TimedOut: true}}}
	fails := &suite.Outcome{Packages: []gotest.Package{{Path: "p", State: gotest.Failed, Tests: []string{"U"}}}}
	h := host{module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	var mutants []row
	for name, o := range map[string]*suite.Outcome{"both": race, "fails": fails, "nothing": {}, "in no test": {Races: 1}, "crash": crash, "late": late} {
		r := result{Mode: suite.Race}
		r.take(o)
		mutants = append(mutants, row{h, mutant{name: name}, map[suite.Mode]result{suite.Race: r}})
	}
	var out strings.Builder
	if wrong := print(&out, mutants, []row{{h, mutant{}, map[suite.Mode]result{suite.Race: {}}}}, []suite.Mode{suite.Race}); wrong != nil {
		t.Error(wrong)
	}
	for _, want := range []string{
		"| both | data race, 1 test fails |", "| fails | 1 test fails |", "| nothing | – |", "| in no test | data race |",
		"| crash | 1 test fails, crash |", "| late | does not end |",
		"| **5 of 6**, **2** by a data race |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	unclean := []row{{h, mutant{}, map[suite.Mode]result{suite.Race: {Races: 1, Raced: []string{"p.T"}}}}}
	if wrong := print(&out, nil, unclean, []suite.Mode{suite.Race}); len(wrong) != 1 || !strings.Contains(wrong[0], "p.T") {
		t.Errorf("a control with a data race: %q", wrong)
	}
}

// A test that writes how often it has run fails in its third run.
func TestTheRaceDetectorRunsUntilItNotices(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m_test.go": `package m

import ("os"; "testing")

func TestThird(t *testing.T) {
	b, _ := os.ReadFile("runs")
	os.WriteFile("runs", append(b, 'x'), 0o666)
	if len(b) == 2 {
		t.Error("the third")
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ most, runs, failed int }{{2, 2, 0}, {5, 3, 1}, {1, 1, 0}} {
		if err := os.RemoveAll(filepath.Join(dir, "runs")); err != nil {
			t.Fatal(err)
		}
		r := result{Mode: suite.Plain} // the race detector needs cgo
		if _, err := r.of(t.Context(), suite.Run{Dir: dir, Packages: []string{"."}, Timeout: time.Minute}, test.most); err != nil {
			t.Fatal(err)
		}
		if r.Runs != test.runs || len(r.Failed) != test.failed {
			t.Errorf("at most %d runs: %d, failed: %q", test.most, r.Runs, r.Failed)
		}
	}
	// Runs of an earlier command count.
	if err := os.WriteFile(filepath.Join(dir, "runs"), []byte("xx"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := result{Mode: suite.Plain, Runs: 2}
	if _, err := r.of(t.Context(), suite.Run{Dir: dir, Packages: []string{"."}, Timeout: time.Minute}, 4); err != nil {
		t.Fatal(err)
	}
	if r.Runs != 3 || len(r.Failed) != 1 {
		t.Errorf("after two runs: %d, failed: %q", r.Runs, r.Failed)
	}
}

func TestAResultIsOfOneTextAndOneSanitizer(t *testing.T) {
	h, m := hosts[0], hosts[0].mutants[0]
	for _, mode := range suite.Modes {
		asked := question(h, m, mode)
		if !asked.same(question(h, m, mode)) {
			t.Errorf("%s: the same question is another one", mode)
		}
		other, sanitized := asked, mode == suite.Fast || mode == suite.Exact
		other.Code = "other"
		if asked.same(other) || (asked.Code != "") != sanitized {
			t.Errorf("%s: by the code %q", mode, asked.Code)
		}
		if asked.same(question(h, mutant{m.name, []edit{{"a.go", "old", "new"}}}, mode)) {
			t.Errorf("%s: another text gives the same result", mode)
		}
	}
}

func TestTheSumIsOfTheCodeWithoutItsTests(t *testing.T) {
	sum := func(files map[string]string) string {
		source := fstest.MapFS{}
		for name, text := range files {
			source[name] = &fstest.MapFile{Data: []byte(text)}
		}
		sum, err := sumOf(source)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	one := sum(map[string]string{"a.go": "x", "b/c.txt": "y"})
	for name, other := range map[string]map[string]string{
		"a text":  {"a.go": "z", "b/c.txt": "y"},
		"a name":  {"d.go": "x", "b/c.txt": "y"},
		"no file": {"a.go": "x"},
	} {
		if sum(other) == one {
			t.Errorf("%s makes no difference", name)
		}
	}
	if got := sum(map[string]string{"a.go": "x", "b/c.txt": "y", "a_test.go": "t"}); got != one {
		t.Error("a test makes a difference")
	}
}

// The sanitizer runs a failed test again plainly. If it fails then too, the mode
// has not found anything, and a control is not clean.
func TestWhatFailsPlainlyTooIsNoMeritOfTheMode(t *testing.T) {
	h := host{module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	var r result
	r.take(&suite.Outcome{Genuine: []string{"p.T"}, Packages: []gotest.Package{{Path: "p", State: gotest.Failed, Tests: []string{"T"}, Stopped: true}}})
	results := map[suite.Mode]result{suite.Fast: r}
	var out strings.Builder
	wrong := print(&out, []row{{h, mutant{name: "m"}, results}}, []row{{h, mutant{}, results}}, []suite.Mode{suite.Fast})
	if !strings.Contains(out.String(), "| m | – (fails plainly, too) |") || !strings.Contains(out.String(), "**0 of 1**") {
		t.Error(out.String())
	}
	if len(wrong) != 1 || !strings.Contains(wrong[0], "p.T") {
		t.Error(wrong)
	}
	r = result{}
	r.take(&suite.Outcome{Genuine: []string{"p.T"}, Packages: []gotest.Package{{Path: "p", State: gotest.Failed, Tests: []string{"T", "U"}}}})
	if got := r.cell(true); got != "1 test fails" || !r.noticed() {
		t.Errorf("another test fails: %q", got)
	}
}

func TestAMutantThatNoTestRunsIsNamed(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "coverage")
	if err := os.WriteFile(profile, []byte("mode: set\nexample.com/m/a.go:10.2,12.3 2 1\nexample.com/m/a.go:12.3,14.2 1 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		at   place
		want bool
	}{
		{place{"a.go", position{11, 1}, position{11, 9}}, true},
		{place{"a.go", position{13, 1}, position{14, 1}}, false},
		{place{"b.go", position{11, 1}, position{11, 9}}, false},
		{place{"a.go", position{1, 1}, position{10, 2}}, false},
		{place{"a.go", position{8, 1}, position{10, 5}}, true},
		{place{"a.go", position{12, 3}, position{12, 9}}, false}, // the line of a block that ran, behind it
	} {
		if got, err := reached(profile, "example.com/m", []place{test.at}); err != nil || got != test.want {
			t.Errorf("%v: %v, %v, want %v", test.at, got, err, test.want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\n\told\nlines\ntwo\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m := mutant{"x", []edit{{"a.go", "\told\nlines\n", "new\n"}}}
	if got, err := m.places(dir); err != nil || len(got) != 1 || got[0] != (place{"a.go", position{2, 2}, position{3, 6}}) {
		t.Error(got, err)
	}
}
