package pays

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
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// record is what was found in a module.
type record struct {
	Module  string             `json:"module"`
	Version string             `json:"version"`
	Command []string           `json:"command"`
	Date    string             `json:"date"`
	Machine study.Machine      `json:"machine"`
	Go      string             `json:"go"`
	Seconds float64            `json:"seconds"` // from start to end, with warm builds
	Pools   []study.PoolAnswer `json:"pools"`
	Apart   []string           `json:"apart,omitempty"`
	Tested  []string           `json:"tested,omitempty"` // what was not
	None    []string           `json:"none,omitempty"`   // why nothing could be compared
}

// records is the folder of the records in the repository.
const records = "cmd/poolproof/internal/lab/records/pays"

// measure fetches the module, asks, and keeps the answer. A record that is there stays.
func (m module) measure(ctx context.Context, root string, prepare bool) error {
	name := filepath.Join(root, filepath.FromSlash(records), m.Name+".json")
	if _, err := os.Stat(name); !prepare && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there: a first run stays", name)
	}
	work := filepath.Join(os.TempDir(), "poolproof-pays")
	dir := filepath.Join(work, m.Name)
	if err := m.fetch(ctx, dir); err != nil {
		return err
	}
	bin := filepath.Join(work, "poolproof")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, "github.com/poolproof/poolproof/cmd/poolproof").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	args := m.command()
	out := filepath.Join(work, m.Name+"-run")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	all := []string{"try"}
	if prepare {
		all = append(all, "-dry-run")
	} else {
		all = append(all, "-out", out)
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, bin, append(all, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var told strings.Builder
	cmd.Stdout, cmd.Stderr = os.Stdout, io.MultiWriter(os.Stderr, &told)
	if prepare {
		return cmd.Run()
	}
	err := cmd.Run()
	none := nothing(told.String())
	if exited := new(exec.ExitError); err != nil && (!errors.As(err, &exited) || exited.ExitCode() > 1 && none == nil) {
		return err
	}
	took := time.Since(began)
	one, _ := filepath.Glob(filepath.Join(out, study.VerdictName)) // the patterns are well-formed
	several, _ := filepath.Glob(filepath.Join(out, "*", study.VerdictName))
	r := record{
		Module: m.Path, Version: m.Version, Command: append([]string{"poolproof", "try"}, args...),
		Date: began.UTC().Format(time.DateOnly), Seconds: took.Seconds(),
		None: none,
	}
	var files []study.VerdictFile
	for _, name := range append(one, several...) {
		v, err := study.ReadVerdict(name)
		if err != nil {
			return err
		}
		files = append(files, v)
		r.Machine, r.Go = v.Plan.Machine, v.Plan.Toolchain
		r.Apart = append(r.Apart, words.Apart(v)...)
		if v.Plan.Tested != "" {
			r.Tested = append(r.Tested, v.Plan.Tested)
		}
	}
	if len(files) == 0 && none == nil {
		return errors.New("the run has no verdict")
	}
	r.Pools = stat.Pools(files...)
	for _, p := range r.Pools {
		for i := range p.Deciding { // what a page has no use for
			p.Deciding[i].Times, p.Deciding[i].Notes = nil, nil
		}
		for i := range p.Uses { // a place of the machine
			p.Uses[i].Apply = ""
		}
	}
	return study.WriteFile(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		return e.Encode(r)
	})
}

// nothing is what the command says of packages with nothing to compare.
func nothing(told string) (all []string) {
	for line := range strings.Lines(told) {
		if _, why, ok := strings.Cut(line, "nothing to compare: "); ok {
			all = append(all, strings.TrimSpace(why))
		}
	}
	return all
}

// command is the question, as one asks it in the module.
func (m module) command() []string {
	args := []string{"-unpool"}
	if m.Pool != "" {
		args = append(args, m.Pool)
	}
	if m.Bench != "" {
		args = append(args, "-bench", m.Bench)
	}
	if m.Matrix != "" {
		args = append(args, "-matrix", m.Matrix)
	}
	return append(args, "-budget", m.Budget, m.Package)
}

// fetch copies the module from the module cache, once.
func (m module) fetch(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir, cmd.Env = os.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	text, err := cmd.Output()
	var found struct{ Dir, Error string }
	if bad := json.Unmarshal(text, &found); bad != nil || found.Dir == "" {
		return fmt.Errorf("go mod download %s@%s: %w %s", m.Path, m.Version, errors.Join(err, bad), strings.TrimSpace(found.Error))
	}
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(name, info.Mode().Perm()|0o200)
	})
}
