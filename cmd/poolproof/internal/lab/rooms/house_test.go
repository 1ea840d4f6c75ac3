package rooms

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/excess.txt; a review asks why a figure rises")

const (
	root    = "../../../../.."
	command = "./cmd/poolproof" // as go.work has it
)

// modules are those of go.work, by their folders.
func modules(t *testing.T) (dirs []string) {
	t.Helper()
	out, err := exec.Command("go", "-C", root, "work", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if _, dir, ok := strings.Cut(line, `"DiskPath": "`); ok {
			dirs = append(dirs, strings.Trim(dir, "\"\n\r, "))
		}
	}
	return dirs
}

// ways are three that data takes through the command, each as the functions that a
// reader begins at.
var ways = map[string][]string{
	"a burst to its verdict":          {"internal/experiment/run.Run.Measure"},
	"a Put in a test to its finding":  {"internal/sanitize.Run"},
	"a Put in source to its findings": {"vet/internal/observe.Function"},
}

// TestNothingGetsHarderToRead: what is beyond a limit is listed, with how far, and
// may only fall. So may the returns of the ways.
func TestNothingGetsHarderToRead(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the source of all modules: without -short, as the step rooms of .ci/run")
	}
	list := readExcess(t)
	found := map[string]int{}
	for _, dir := range modules(t) {
		m, err := Load(t.Context(), filepath.Join(root, dir), "./...")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Count() {
			name := strings.TrimPrefix(p.Path, "github.com/poolproof/poolproof/")
			if p.Winding() {
				found[name+" arrows back"] = p.Back
			}
			for typ, n := range p.Methods {
				if n > MostMethods {
					found[name+"."+typ+" methods"] = n
				}
			}
		}
		if dir != command {
			continue
		}
		for name, from := range ways {
			w, err := m.Follow(from...)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d functions in %d stays in %d files, %d returns", name, w.Functions, w.Stays, w.Files, w.Returns)
			found["way of "+name+": returns"] = w.Returns
		}
	}
	if *update {
		writeExcess(t, found)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		switch most, known := list[name]; {
		case !known:
			t.Errorf("%s: %d are beyond the limit: a tenth of the arrows between files, %d methods", name, found[name], MostMethods)
		case found[name] > most:
			t.Errorf("%s: %d, it was %d", name, found[name], most)
		case found[name] < most:
			t.Logf("%s: fell from %d to %d; go test ./rooms -update writes that down", name, most, found[name])
		}
	}
	if t.Failed() {
		t.Log("in cmd/poolproof, go run ./internal/lab rooms -v ./PACKAGE shows arrows and methods")
	}
}

const excess = "testdata/excess.txt"

func readExcess(t *testing.T) map[string]int {
	t.Helper()
	f, err := os.Open(excess)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, figure, _ := strings.Cut(lines.Text(), "\t")
		if list[name], err = strconv.Atoi(figure); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func writeExcess(t *testing.T, list map[string]int) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&b, "%s\t%d\n", name, list[name])
	}
	if err := os.WriteFile(excess, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
