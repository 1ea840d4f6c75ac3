package experiment

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// What a run writes into its folder.
const (
	planFile    = study.PlanName
	recordsFile = study.RecordsName
	verdictFile = study.VerdictName

	binaries = "bin"      // folder: the test binaries
	previous = "previous" // folder: the files of the run before this one
	bundled  = "builtin"  // folder: the module of the built-in benchmarks
)

// fresh makes a folder ready for a run's files. Those of an earlier run move
// into its subfolder "previous", in place of what was there; files that no run
// writes are left alone.
func fresh(dir string, show ask.Show) error {
	bad := func(err error) error {
		return fault.Option("out", dir, "cannot write to it: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, binaries), 0o777); err != nil {
		return bad(err)
	}
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return bad(err)
	}
	probe.Close()
	if err := os.Remove(probe.Name()); err != nil {
		return bad(err)
	}
	if err := setAside(dir, show); err != nil {
		return bad(err)
	}
	return ignore(dir)
}

// setAside moves the files of an earlier run away. A folder without a plan or
// records holds no run, whatever else is called VERDICT.md there.
func setAside(dir string, show ask.Show) error {
	if !build.Exists(filepath.Join(dir, planFile)) && !build.Exists(filepath.Join(dir, recordsFile)) {
		return nil
	}
	old := filepath.Join(dir, previous)
	if err := os.MkdirAll(old, 0o777); err != nil {
		return err
	}
	names := []string{planFile, recordsFile, verdictFile}
	for _, p := range show.Pages {
		names = append(names, p.Name)
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(old, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(old, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ignore has git pass over the default folder of results. Where the user
// chose a folder it may be meant for git.
func ignore(dir string) error {
	parent := filepath.Dir(filepath.Clean(dir))
	if filepath.Base(parent) != ask.Results {
		return nil
	}
	name := filepath.Join(parent, ".gitignore")
	if build.Exists(name) {
		return nil
	}
	if err := os.WriteFile(name, []byte("*\n"), 0o666); err != nil {
		return fault.Option("out", dir, "cannot write to it: %w", err)
	}
	return nil
}

// writeVerdict renders the verdict into its files. Each is written whole or not
// at all; the first that cannot be written does not keep the others from it.
func writeVerdict(dir string, show ask.Show, out Outcome) error {
	err := study.WriteVerdict(filepath.Join(dir, verdictFile), out.Verdict)
	for _, p := range show.Pages {
		err = cmp.Or(err, study.WriteFile(filepath.Join(dir, p.Name), func(w io.Writer) error { return p.Render(w, out.Verdict, out.Records) }))
	}
	return err
}

// write writes the verdict's files, and the plan with what was padded since.
func write(o ask.Options, p study.Plan, out Outcome) error {
	return cmp.Or(writeVerdict(o.Out, o.Show, out), study.WritePlan(filepath.Join(o.Out, planFile), p))
}
