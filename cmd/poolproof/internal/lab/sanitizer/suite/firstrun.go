package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Tool makes a folder with a copy of the module, and builds the command there.
func (m Module) Tool(ctx context.Context, work string, packages ...string) (dir, bin string, err error) {
	if err := os.MkdirAll(work, 0o777); err != nil {
		return "", "", err
	}
	if dir, err = m.Copy(ctx, work, packages...); err != nil {
		return "", "", err
	}
	bin = filepath.Join(work, "poolproof")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, "github.com/poolproof/poolproof/cmd/poolproof").CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, bin, nil
}

// FirstRun is an error where the record of a run is there: first runs stay.
func FirstRun(name string) error {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there: a first run stays", name)
	}
	return nil
}

// WriteRecord keeps what a run found.
func WriteRecord(name string, record any) error {
	return study.WriteFile(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(record)
	})
}
