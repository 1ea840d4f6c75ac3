package oas_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// module returns the folder of a module of test data, which is no dependency of
// ours, and skips the test where it cannot be had.
func module(t *testing.T, version string) string {
	t.Helper()
	var m struct{ Dir, Error string }
	download := exec.Command("go", "mod", "download", "-json", version)
	download.Dir = t.TempDir() // where it changes no go.sum
	download.Env = append(os.Environ(), "GOWORK=off")
	out, err := download.Output()
	if json.Unmarshal(out, &m) != nil || m.Dir == "" {
		t.Skipf("SKIPPED: %s cannot be downloaded: %v %s", version, err, m.Error)
	}
	return m.Dir
}

// The suite names its files by what a parser has to do: y for accept, n for
// refuse, i for either. Two files have a key twice; RFC 8259 (section 4) leaves
// to the reader what that means, and we refuse it.
func TestJSONTestSuite(t *testing.T) {
	dir := module(t, "github.com/nst/JSONTestSuite@v0.0.0-20241122125541-1ef36fa01286")
	files, err := filepath.Glob(filepath.Join(dir, "test_parsing", "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	count := map[byte]int{}
	for _, file := range files {
		name := filepath.Base(file)
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := oas.ParseJSON(source)
		switch {
		case strings.HasPrefix(name, "y_object_duplicated_key"):
			if err == nil {
				t.Errorf("%s is accepted", name)
			}
			continue
		case name[0] == 'y' && err != nil, name[0] == 'n' && err == nil:
			t.Errorf("%s: %v", name, err)
		case err == nil:
			same(t, d, source)
		}
		count[name[0]]++
	}
	if count['y'] != 93 || count['n'] != 188 || count['i'] != 35 {
		t.Errorf("files of each kind: %v", count)
	}
}
