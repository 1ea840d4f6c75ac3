// Package overlay edits copies of the user's own toolchain sources, found by
// syntax tree at named anchors, and hands them to the go command through
// -overlay. Neither the toolchain nor the user's tree is ever written.
package overlay

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
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
	whole   bool              // GOFLAGS stay as they are, but for the overlay
	flags   []string          // GOFLAGS without what would defeat the overlay
	user    map[string]string // the overlay that GOFLAGS named: path -> replacement
}

// Find asks the go command in dir which toolchain it uses there. A module's
// toolchain line may have it live in the module cache, whose files the go
// command refuses to overlay: then Find makes a symbolic link to it in
// scratch, which must outlive the Toolchain. An error has the kind [fault.Tools].
//
// env is added, as NAME=value, to the environment of every command that the
// Toolchain runs: GOWORK=off for a module that stands alone.
func Find(ctx context.Context, dir, scratch string, env ...string) (*Toolchain, error) {
	return locate(ctx, dir, scratch, &Toolchain{env: slices.Clone(env)})
}

// FindWhole is Find for who runs the user's tests as the user does: flags of
// GOFLAGS that Find leaves out, -cover and -json, stay. Its overlay is taken out
// as ever: User has it.
func FindWhole(ctx context.Context, dir, scratch string, env ...string) (*Toolchain, error) {
	return locate(ctx, dir, scratch, &Toolchain{whole: true, env: slices.Clone(env)})
}

func locate(ctx context.Context, dir, scratch string, t *Toolchain) (*Toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "no Go toolchain: the go command is not in PATH; install Go 1.24 or later from https://go.dev/dl")
	}
	t.command = command
	there, err := t.ask(ctx, dir)
	if err != nil {
		return nil, err
	}
	left, err := t.leaveWorkspace(ctx, dir, there.GOWORK)
	if err != nil {
		return nil, err
	}
	if left { // the module may name another toolchain than the workspace
		if there, err = t.ask(ctx, dir); err != nil {
			return nil, err
		}
	}
	t.Version, t.OS, t.Arch, t.Root = release(there.GOVERSION), there.GOOS, there.GOARCH, there.GOROOT
	if there.GOMOD != os.DevNull {
		t.Mod = there.GOMOD
	}
	if err := t.readFlags(dir, there.GOFLAGS); err != nil {
		return nil, err
	}
	if there.GOMODCACHE != "" && strings.HasPrefix(t.Root, there.GOMODCACHE+string(filepath.Separator)) {
		// scratch may serve several modules, and several module caches.
		sum := sha256.Sum256([]byte(t.Root))
		link := filepath.Join(scratch, fmt.Sprintf("goroot-%s-%x", filepath.Base(t.Root), sum[:4]))
		if err := os.Symlink(t.Root, link); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, fault.Errorf(fault.Tools, "linking the toolchain of %s: %w", dir, err)
		}
		t.Root = link
		t.command = filepath.Join(link, "bin", "go")
		t.env = append(t.env, "GOROOT="+link, "GOTOOLCHAIN=local")
	}
	return t, nil
}

// goEnv is the part of go env that matters here.
type goEnv struct{ GOROOT, GOVERSION, GOFLAGS, GOMODCACHE, GOOS, GOARCH, GOMOD, GOWORK string }

// ask returns the go command's environment in dir.
func (t *Toolchain) ask(ctx context.Context, dir string) (goEnv, error) {
	var env goEnv
	out, err := t.Go(ctx, dir, "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOMODCACHE", "GOOS", "GOARCH", "GOMOD", "GOWORK")
	if err != nil {
		return env, fault.Errorf(fault.Tools, "%s: the go command does not work there: %w", dir, err)
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fault.Errorf(fault.Tools, "go env -json: %w", err)
	}
	return env, nil
}

// release takes the release out of GOVERSION, which may have experiments
// after it ("go1.26.8 X:name") or a word before it ("devel go1.27-abc").
func release(goversion string) string {
	for _, word := range strings.Fields(goversion) {
		if strings.HasPrefix(word, "go") {
			return word
		}
	}
	return goversion
}

// WithFlag returns the toolchain with another flag of its commands, which goes
// before the same flag of GOFLAGS.
func (t *Toolchain) WithFlag(flag string) *Toolchain {
	other := *t
	other.flags = append(slices.Clone(t.flags), flag)
	other.env = append(slices.Clone(t.env), "GOFLAGS="+joinFlags(other.flags))
	return &other
}

// Go runs the go command in dir with its arguments and returns its standard
// output. An error holds what it printed to standard error.
func (t *Toolchain) Go(ctx context.Context, dir string, args ...string) ([]byte, error) {
	stdout, _, err := t.outputs(ctx, dir, args...)
	return stdout, err
}

// GoStderr is Go, but returns what the command printed to standard error,
// where the compiler's diagnostics go.
func (t *Toolchain) GoStderr(ctx context.Context, dir string, args ...string) ([]byte, error) {
	_, stderr, err := t.outputs(ctx, dir, args...)
	return stderr, err
}

func (t *Toolchain) outputs(ctx context.Context, dir string, args ...string) (stdout, stderr []byte, err error) {
	cmd := t.Command(ctx, dir, args...)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	// Compilers and linkers end with the go command, which takes its folders away
	// when it is interrupted.
	procgroup.Own(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		_ = procgroup.Kill(cmd) // what is left of it
		return nil, nil, ctx.Err()
	}
	if err != nil {
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
	rest := e.Stderr
	for strings.HasPrefix(rest, "go: downloading ") || strings.HasPrefix(rest, "go: finding ") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return cmp.Or(rest, e.Stderr)
}

func (e *CommandError) Unwrap() error { return e.Err }

// Trouble is the first line in which the command says that the system failed it,
// whatever the source is like: no space on a disk, no memory. "" if there is none.
func (e *CommandError) Trouble() string {
	for line := range strings.Lines(e.Stderr) {
		for _, sign := range troubles {
			if strings.Contains(strings.ToLower(line), sign) && !ofSource.MatchString(line) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// ofSource matches the head of what a compiler says of a line of Go.
var ofSource = regexp.MustCompile(`^\S+\.go:\d+`)

// troubles are the system's words for what no source can make.
var troubles = []string{
	syscall.ENOSPC.Error(), syscall.EDQUOT.Error(), syscall.EROFS.Error(), syscall.EIO.Error(), syscall.EMFILE.Error(), syscall.ENFILE.Error(),
	syscall.ENOMEM.Error(), "signal: killed", "out of memory",
}
