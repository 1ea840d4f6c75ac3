package experiment

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

// The files of a run.
const (
	planFile    = "plan.json"
	recordsFile = "records.jsonl"
	verdictFile = "verdict.json"
	noteFile    = "VERDICT.md"
	benchFile   = "bench.txt"
	binaries    = "bin"
)

// fresh makes an empty folder for a run's files. What an earlier run left
// there is kept beside it, under the name with ".old".
func fresh(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, planFile)); err == nil {
		old := dir + ".old"
		if err := os.RemoveAll(old); err != nil {
			return exitcode.Errorf(exitcode.Usage, "-out %s: %w", dir, err)
		}
		if err := os.Rename(dir, old); err != nil {
			return exitcode.Errorf(exitcode.Usage, "-out %s: %w", dir, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, binaries), 0o777); err != nil {
		return exitcode.Errorf(exitcode.Usage, "-out %s cannot be written: %w", dir, err)
	}
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "-out %s cannot be written: %w", dir, err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// exists reports whether the folder holds a run.
func exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, planFile))
	return !errors.Is(err, fs.ErrNotExist)
}
