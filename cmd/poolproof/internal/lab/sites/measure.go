package sites

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// record holds the result of find for one package.
type record struct {
	Module  string          `json:"module"`
	Version string          `json:"version"`
	Command []string        `json:"command"`
	Date    string          `json:"date"`
	Go      string          `json:"go"`
	Seconds float64         `json:"seconds"`         // from start to end
	Code    int             `json:"code"`            // that find exited with
	Said    string          `json:"said,omitempty"`  // its last line on standard error, where it printed no sites
	Found   json.RawMessage `json:"found,omitempty"` // find.json
}

// measure fetches the module, runs find on a package, and keeps what it says. A
// record that is there stays.
func (m module) measure(ctx context.Context, root, pkg string) error {
	name := m.file(root, pkg)
	if err := suite.FirstRun(name); err != nil {
		return err
	}
	work := filepath.Join(os.TempDir(), "poolproof-sites")
	dir, bin, err := suite.Module{Path: m.Path, Version: m.Version}.Tool(ctx, work, pkg)
	if err != nil {
		return err
	}
	args := []string{"find", "-json", pkg}
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), suite.Env...)
	var found, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &found, io.MultiWriter(os.Stderr, &said)
	began := time.Now()
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err() // ended from outside: no run
	}
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		return err
	}
	r := record{
		Module: m.Path, Version: m.Version, Command: append([]string{"poolproof"}, args...), Date: began.UTC().Format(time.DateOnly),
		Seconds: time.Since(began).Seconds(), Code: cmd.ProcessState.ExitCode(), Found: found.Bytes(),
	}
	if version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output(); err == nil {
		r.Go = strings.TrimSpace(string(version))
	}
	if len(r.Found) == 0 {
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(said.String(), dir, ".")), "\n")
		r.Said = strings.ReplaceAll(lines[len(lines)-1], home(), "~")
	}
	return suite.WriteRecord(name, r)
}

// home is the user's folder, which is not in a record.
func home() string {
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return "$HOME"
}
