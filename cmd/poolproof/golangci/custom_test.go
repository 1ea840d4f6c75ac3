package golangci_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// version is the golangci-lint that the plugin is tried with.
const version = "v2.15.0"

var custom = flag.Bool("custom", false, "build golangci-lint with the plugin, which takes its modules and some minutes, and run it")

// TestACustomGolangciLint does what docs/vet.md says, with its files: it builds a
// golangci-lint with this plugin by "golangci-lint custom", from the folders of the
// checkout, and runs it.
func TestACustomGolangciLint(t *testing.T) {
	if !*custom {
		t.Skip("needs -custom: it downloads golangci-lint and builds it")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	builds, settings := guide(t, root)
	dir := t.TempDir()
	source := repository(t, dir)
	run(t, dir, []string{"GOBIN=" + dir}, "go", "install", "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@"+version)

	work := filepath.Join(dir, "work")
	write(t, filepath.Join(work, "go.mod"), "module example.com/app\n\ngo 1.25\n")
	write(t, filepath.Join(work, ".custom-gcl.yml"), strings.ReplaceAll(builds, "/path/to/poolproof", root))
	write(t, filepath.Join(work, ".golangci.yml"), settings)
	write(t, filepath.Join(work, "app.go"), `package app

import "sync"

type S struct{ p sync.Pool }

func (s *S) Resize() {
	s.p = sync.Pool{}
}

func (s *S) Meant() {
	s.p = sync.Pool{} //nolint:poolproof // it is
}

func (s *S) Also() {
	//poolproof:ignore PV009 this too
	s.p = sync.Pool{}
}
`)
	// The command clones golangci-lint from its home: here, from the module's source.
	run(t, work, []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + source + ".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/golangci/golangci-lint.git",
	}, filepath.Join(dir, "golangci-lint"), "custom", "-v")
	cmd := exec.Command(filepath.Join(work, "custom-gcl"), "run", "./...")
	cmd.Dir = work
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("nothing was found")
	}
	if got := strings.Count(string(out), "PV009 pool-overwritten"); got != 1 || !strings.Contains(string(out), "app.go:8:2") {
		t.Errorf("%d findings:\n%s", got, out)
	}
}

// guide returns the two files that docs/vet.md shows for golangci-lint: how to build it
// from the folders of a checkout, and its settings.
func guide(t *testing.T, root string) (builds, settings string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "vet.md"))
	if err != nil {
		t.Fatal(err)
	}
	for rest := string(text); ; {
		_, after, ok := strings.Cut(rest, "```yaml\n")
		if !ok {
			break
		}
		block, behind, _ := strings.Cut(after, "```\n")
		rest = behind
		switch {
		case strings.Contains(block, "path: /path/to/poolproof/"):
			builds = block
		case strings.Contains(block, "linters:"):
			settings = block
		}
	}
	if builds == "" || settings == "" || !strings.Contains(builds, version) {
		t.Fatalf("docs/vet.md shows no .custom-gcl.yml with path: and %s, or no .golangci.yml", version)
	}
	return builds, settings
}

// repository makes a git repository of golangci-lint's source, with the version as its
// tag, and returns its folder.
func repository(t *testing.T, dir string) string {
	t.Helper()
	source := filepath.Join(dir, "source")
	if err := os.CopyFS(source, os.DirFS(download(t, dir))); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(source, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o777) // those of the module cache are read-only
	}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-f", "."},
		{"-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", version}, {"tag", version},
	} {
		run(t, source, nil, "git", args...)
	}
	return source
}

// download returns the folder of golangci-lint's source. Where its modules cannot
// be had, the test says so and ends.
func download(t *testing.T, dir string) string {
	t.Helper()
	var module struct{ Dir, Error string }
	out, err := command(dir, nil, "go", "mod", "download", "-json", "github.com/golangci/golangci-lint/v2@"+version)
	if bad := json.Unmarshal([]byte(out), &module); err != nil || bad != nil || module.Dir == "" {
		t.Skipf("golangci-lint %s cannot be had: %v %s", version, err, module.Error)
	}
	return module.Dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, err := command(dir, env, name, args...)
	if err != nil {
		t.Fatal(out, err)
	}
	return out
}

// command runs a command and returns what it printed. An error has its words on
// standard error.
func command(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), env...)
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, failed.Stderr)
	}
	return string(out), err
}
