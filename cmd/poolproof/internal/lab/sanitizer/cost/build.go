//go:build linux

package cost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// lab is where binaries are built and measured.
type lab struct {
	dir            string
	rounds, starts int
	work           time.Duration
}

// binaries are those of one subject, by mode, and where they run.
type binaries struct {
	subject subject
	dir     string // of the package
	path    map[suite.Mode]string
}

// build makes the six binaries of a subject, as far as they are not there.
func (l *lab) build(ctx context.Context, s subject) (*binaries, error) {
	copies := filepath.Join(l.dir, "modules")
	if err := os.MkdirAll(copies, 0o777); err != nil {
		return nil, err
	}
	module, err := s.module.Copy(ctx, copies, s.pkg)
	if err != nil {
		return nil, err
	}
	set := &binaries{subject: s, dir: filepath.Join(module, s.pkg), path: map[suite.Mode]string{}}
	for _, mode := range modes {
		to := filepath.Join(l.dir, "binaries", strings.ReplaceAll(s.path(), "/", "_"), string(mode))
		set.path[mode] = filepath.Join(to, binaryName)
		if _, err := os.Stat(set.path[mode]); err == nil {
			continue
		}
		if err := os.MkdirAll(to, 0o777); err != nil {
			return nil, err
		}
		switch mode {
		case suite.Plain:
			err = compile(ctx, module, s.pkg, set.path[mode])
		case floor:
			err = compileFloor(ctx, module, s.pkg, set.path[mode])
		case second:
			err = compileSecond(ctx, module, s.pkg, set.path[mode])
		case suite.Race:
			err = compile(ctx, module, s.pkg, set.path[mode], "-race")
		default:
			err = instrument(ctx, module, s.pkg, to, sanitize.Mode(mode))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", mode, err)
		}
	}
	return set, nil
}

// compile builds a test binary with the go command.
func compile(ctx context.Context, dir, pkg, to string, flags ...string) error {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-c", "-o", to}, flags...), pkg)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), suite.Env...)
	return built(cmd)
}

// What an instrumented binary's folder has.
const (
	binaryName = "app.test"
	envName    = "env"    // what poolproof gave it in the environment, a line each
	fieldsName = "fields" // the fields that the program truncates
)

// The variables of instrumented binaries.
const (
	envPrefix = "POOLPROOF_TEST"
	envLog    = "POOLPROOF_TEST_LOG"
	envFields = "POOLPROOF_TEST_FIELDS"
)

// instrument has `poolproof test` build and start a binary, just as it would
// for a user, and keeps the binary with all that it is given.
func instrument(ctx context.Context, dir, pkg, to string, mode sanitize.Mode) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var out bytes.Buffer
	res, err := sanitize.Run(ctx, sanitize.Options{
		Dir: dir, Packages: []string{pkg}, Mode: mode, Env: suite.Env, Stdout: &out, Stderr: &out,
		Reuse: "off", // its binary would take the place of this one
		Flags: []string{"-vet=off", "-run=^$", "-exec=" + self + " " + CaptureTool + " " + to},
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	if _, err := os.Stat(filepath.Join(to, envName)); err != nil || res.Launched != 1 {
		return fmt.Errorf("%d binaries were started\n%s", res.Launched, out.Bytes())
	}
	return nil
}

// capture copies a test binary and what poolproof has told it into a folder, and
// becomes the binary.
func capture(to string, command []string) error {
	binary, err := os.ReadFile(command[0])
	if err != nil {
		return err
	}
	var env []string
	for _, kv := range os.Environ() {
		key, value, _ := strings.Cut(kv, "=")
		if key == envFields {
			fields, err := os.ReadFile(value)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, fieldsName), fields, 0o666); err != nil {
				return err
			}
		}
		if strings.HasPrefix(key, envPrefix) && key != envFields && key != envLog {
			env = append(env, kv)
		}
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(to, envName), []byte(strings.Join(env, "\n")), 0o666),
		os.WriteFile(filepath.Join(to, binaryName), binary, 0o777))
	if err != nil {
		return err
	}
	return syscall.Exec(command[0], command, os.Environ())
}
