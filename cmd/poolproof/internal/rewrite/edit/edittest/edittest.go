// Package edittest reads the archives of modules that edits are tested on, and runs the go
// command with edited files.
package edittest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// Module writes the module of an archive and returns its folder. REPOSITORY in its go.mod is
// the folder of this one, seen from a package two below cmd/poolproof/internal.
func Module(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fs, err := txtar.FS(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, fs); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "go.mod")
	mod, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs("../../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.ReplaceAll(mod, []byte("REPOSITORY"), []byte(repository)), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Env is the environment of a go command in a module that stands alone.
func Env() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=") }

// Test runs the tests of a module with files in place of those of the tree.
func Test(t *testing.T, dir string, files map[string][]byte, args ...string) (string, error) {
	t.Helper()
	scratch := t.TempDir()
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(scratch, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(to, files[name], 0o666); err != nil {
			t.Fatal(err)
		}
		replace[name] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-overlay=" + name}, args...)...)
	cmd.Dir, cmd.Env = dir, Env()
	out, err := cmd.CombinedOutput()
	return string(out), err
}
