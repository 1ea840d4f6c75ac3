// Package overlay edits copies of the user's own toolchain sources, found by
// syntax tree at named anchors, and hands them to the go command through
// -overlay. Neither the toolchain nor the user's tree is ever written.
package overlay

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

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

// Toolchain is the Go toolchain that builds one module, ready to be overlaid.
// It is immutable after Find and safe for concurrent use.
type Toolchain struct {
	Version string // as "go1.26.8"
	OS      string // GOOS
	Arch    string // GOARCH
	Root    string // GOROOT, through a link outside the module cache if need be
	Mod     string // the go.mod of the module in whose directory it was found; "" outside a module
	Notes   []string

	command string            // the go command
	env     []string          // added to the environment of every command
	flags   []string          // GOFLAGS without what would defeat the overlay
	user    map[string]string // the overlay that GOFLAGS named: path -> replacement
}

// Find asks the go command in dir which toolchain it uses there. A module's
// toolchain line may have it live in the module cache, whose files the go
// command refuses to overlay: then Find makes a symbolic link to it in
// scratch, which must outlive the Toolchain. An error has exit code 2.
func Find(ctx context.Context, dir, scratch string) (*Toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "no Go toolchain: the go command is not in PATH; install Go 1.24 or later from https://go.dev/dl")
	}
	var env struct{ GOROOT, GOVERSION, GOFLAGS, GOMODCACHE, GOOS, GOARCH, GOMOD, GOWORK string }
	t := &Toolchain{command: command}
	out, err := t.run(ctx, dir, nil, "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOMODCACHE", "GOOS", "GOARCH", "GOMOD", "GOWORK")
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%s: the go command does not work there: %w", dir, err)
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "go env -json: %w", err)
	}
	t.Version, t.OS, t.Arch, t.Root = strings.Fields(env.GOVERSION + " ")[0], env.GOOS, env.GOARCH, env.GOROOT
	if env.GOMOD != os.DevNull {
		t.Mod = env.GOMOD
	}
	if err := t.readFlags(dir, env.GOFLAGS); err != nil {
		return nil, err
	}
	if err := t.leaveWorkspace(ctx, dir, env.GOWORK); err != nil {
		return nil, err
	}
	if env.GOMODCACHE != "" && strings.HasPrefix(t.Root, env.GOMODCACHE+string(filepath.Separator)) {
		link := filepath.Join(scratch, "goroot")
		if err := os.Symlink(t.Root, link); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, exitcode.Errorf(exitcode.Usage, "linking the toolchain of %s: %w", dir, err)
		}
		t.Root = link
		t.command = filepath.Join(link, "bin", "go")
		t.env = append(t.env, "GOROOT="+link, "GOTOOLCHAIN=local")
	}
	return t, nil
}

// readFlags splits GOFLAGS, takes out what cannot live beside our overlay and
// remembers it.
func (t *Toolchain) readFlags(dir, goflags string) error {
	fields, err := splitFlags(goflags)
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "GOFLAGS=%s: %w", goflags, err)
	}
	for _, f := range fields {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch {
		case name == "overlay":
			if t.user, err = readOverlay(dir, value); err != nil {
				return exitcode.Errorf(exitcode.Usage, "GOFLAGS=%s: %w", goflags, err)
			}
			t.Notes = append(t.Notes, "the overlay of GOFLAGS is merged with ours")
		case strings.HasPrefix(name, "cover"):
			t.Notes = append(t.Notes, f+" of GOFLAGS is left out: the go command ignores overlays of covered packages")
		default:
			t.flags = append(t.flags, f)
		}
	}
	t.env = append(t.env, "GOFLAGS="+joinFlags(t.flags))
	return nil
}

// leaveWorkspace switches a go.work off that does not use the module of dir:
// the go command would find no package there.
func (t *Toolchain) leaveWorkspace(ctx context.Context, dir, work string) error {
	own := nearestModule(dir)
	if work == "" || work == "off" || own == "" {
		return nil
	}
	out, err := t.Go(ctx, filepath.Dir(work), "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "%s: %w", work, err)
	}
	for used := range strings.Lines(string(out)) {
		if strings.TrimSpace(used) == own {
			return nil
		}
	}
	t.env = append(t.env, "GOWORK=off")
	t.Mod = filepath.Join(own, "go.mod")
	t.Notes = append(t.Notes, fmt.Sprintf("%s does not use the module in %s: GOWORK=off there", filepath.Base(work), filepath.Base(own)))
	return nil
}

// nearestModule returns the closest folder at or above dir with a go.mod; ""
// if there is none.
func nearestModule(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// readOverlay reads an overlay file of the go command, its paths made absolute
// against dir, as the go command does.
func readOverlay(dir, name string) (map[string]string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, fmt.Errorf("%s is no overlay file: %w", name, err)
	}
	abs := func(p string) string {
		if p == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(dir, p)
	}
	m := map[string]string{}
	for from, to := range o.Replace {
		m[abs(from)] = abs(to)
	}
	return m, nil
}

// Write writes an overlay file named overlay.json into dir that replaces the
// given files by the given contents (an empty path component is no special
// case: a path that does not exist is added), together with what GOFLAGS
// overlaid before, and returns its name. A file that both replace is an error
// with exit code 2.
func (t *Toolchain) Write(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for from, to := range t.user {
		replace[from] = to
	}
	n := 0
	for path, content := range files {
		if _, both := t.user[path]; both {
			return "", exitcode.Errorf(exitcode.Usage, "GOFLAGS overlays %s, which poolproof must replace too: take it out of that overlay", path)
		}
		copied := filepath.Join(dir, fmt.Sprintf("overlay%d_%s", n, filepath.Base(path)))
		n++
		if err := os.WriteFile(copied, content, 0o666); err != nil {
			return "", exitcode.Errorf(exitcode.Usage, "%w", err)
		}
		replace[path] = copied
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		return "", exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	return name, nil
}

// Go runs the go command in dir with its arguments and returns its standard
// output. An error holds what it printed to standard error.
func (t *Toolchain) Go(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return t.run(ctx, dir, t.env, args...)
}

// GoStderr is Go, but returns what the command printed to standard error,
// where the compiler's diagnostics go.
func (t *Toolchain) GoStderr(ctx context.Context, dir string, args ...string) ([]byte, error) {
	_, stderr, err := t.outputs(ctx, dir, t.env, args...)
	return stderr, err
}

func (t *Toolchain) run(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	stdout, _, err := t.outputs(ctx, dir, env, args...)
	return stdout, err
}

func (t *Toolchain) outputs(ctx context.Context, dir string, env []string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, t.command, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return out.Bytes(), diag.Bytes(), &CommandError{Args: args, Err: err, Stderr: strings.TrimSpace(diag.String())}
	}
	return out.Bytes(), diag.Bytes(), nil
}

// CommandError is a go command that failed.
type CommandError struct {
	Args   []string
	Err    error
	Stderr string // all that it printed there, trimmed
}

func (e *CommandError) Error() string {
	if e.Stderr == "" {
		return fmt.Sprintf("go %s: %v", e.Args[0], e.Err)
	}
	return e.Stderr
}

func (e *CommandError) Unwrap() error { return e.Err }
