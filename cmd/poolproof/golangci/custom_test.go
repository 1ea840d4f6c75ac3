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

// TestACustomGolangciLint builds what "golangci-lint custom" builds: the main
// package of golangci-lint with the plugin imported beside it, in a module that
// requires both.
func TestACustomGolangciLint(t *testing.T) {
	if !*custom {
		t.Skip("needs -custom: it downloads golangci-lint and builds it")
	}
	plugin, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source := download(t, dir)
	if err := os.CopyFS(filepath.Join(dir, "src"), os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(dir, "src")
	if err := filepath.WalkDir(src, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o777) // those of the module cache are read-only
	}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(src, "cmd", "golangci-lint", "plugins.go"), "package main\n\nimport (\n\t_ \"github.com/poolproof/poolproof/cmd/poolproof/golangci\"\n\t_ \"github.com/poolproof/poolproof/cmd/poolproof/vet\"\n)\n")
	run(t, src, "go", "mod", "edit",
		"-require=github.com/poolproof/poolproof/cmd/poolproof/golangci@v0.0.0", "-replace=github.com/poolproof/poolproof/cmd/poolproof/golangci="+plugin,
		"-replace=github.com/poolproof/poolproof/cmd/poolproof="+filepath.Dir(plugin))
	run(t, src, "go", "mod", "tidy")
	binary := filepath.Join(dir, "custom-gcl")
	run(t, src, "go", "build", "-o", binary, "./cmd/golangci-lint")

	work := filepath.Join(dir, "work")
	write(t, filepath.Join(work, "go.mod"), "module example.com/app\n\ngo 1.25\n")
	write(t, filepath.Join(work, ".golangci.yml"), "version: \"2\"\nlinters:\n  default: none\n  enable: [poolproof]\n  settings:\n    custom:\n      poolproof:\n        type: module\n        settings:\n          tier: error\n")
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
	cmd := exec.Command(binary, "run", "./...")
	cmd.Dir = work
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("nothing was found")
	}
	if got := strings.Count(string(out), "PV009 pool-overwritten"); got != 1 || !strings.Contains(string(out), "app.go:8:2") {
		t.Errorf("%d findings:\n%s", got, out)
	}
}

// download returns the folder of golangci-lint's source. Where its modules cannot
// be had, the test says so and ends.
func download(t *testing.T, dir string) string {
	t.Helper()
	var module struct{ Dir, Error string }
	out, err := command(dir, "go", "mod", "download", "-json", "github.com/golangci/golangci-lint/v2@"+version)
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

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := command(dir, name, args...)
	if err != nil {
		t.Fatal(out, err)
	}
	return out
}

// command runs a command and returns what it printed. An error has its words on
// standard error.
func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, failed.Stderr)
	}
	return string(out), err
}
