package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Module is a published module at a fixed version.
type Module struct{ Path, Version string }

func (m Module) String() string { return m.Path + "@" + m.Version }

// Copy makes a copy of the module in dir that can be written, and returns its
// folder. What its packages and their tests need is in the module cache then.
// A copy that is there already is used as it is.
func (m Module) Copy(ctx context.Context, dir string, packages ...string) (string, error) {
	to := filepath.Join(dir, strings.ReplaceAll(m.String(), "/", "_"))
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	source, err := m.download(ctx)
	if err != nil {
		return "", err
	}
	// A copy that was not finished has another name.
	part := to + ".part"
	if err := errors.Join(os.RemoveAll(part), os.CopyFS(part, os.DirFS(source))); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(part, "go.mod")); err != nil {
		for _, args := range [][]string{{"mod", "init", m.Path}, {"mod", "tidy"}} {
			if _, err := output(ctx, part, "go", args...); err != nil {
				return "", err
			}
		}
	}
	// Not go mod download: it asks for modules that no package needs, too.
	if _, err := output(ctx, part, "go", append([]string{"list", "-deps", "-test"}, packages...)...); err != nil {
		return "", err
	}
	return to, os.Rename(part, to)
}

// download returns the module's folder in the module cache.
func (m Module) download(ctx context.Context) (string, error) {
	out, err := output(ctx, os.TempDir(), "go", "mod", "download", "-json", m.String())
	if err != nil {
		return "", err
	}
	var at struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &at); err != nil {
		return "", err
	}
	return at.Dir, nil
}

// output returns the standard output of a command.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := process(ctx, dir, name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out), nil
}

// process is a command that works on a module by itself. Where the system can,
// what it has started ends with it.
func process(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), Env...)
	cmd.WaitDelay = 5 * time.Second
	group(cmd)
	return cmd
}

// Env lets a module's tests run outside of any workspace.
var Env = []string{"GOWORK=off", "GOFLAGS=-mod=mod -modcacherw"}
