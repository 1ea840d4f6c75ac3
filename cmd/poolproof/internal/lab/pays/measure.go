package pays

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// record holds the results for a module.
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
	if err := suite.FirstRun(name); !prepare && err != nil {
		return err
	}
	work := filepath.Join(os.TempDir(), "poolproof-pays")
	dir, bin, err := suite.Module{Path: m.Path, Version: m.Version}.Tool(ctx, work, m.Package)
	if err != nil {
		return err
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
	cmd.Dir, cmd.Env = dir, append(os.Environ(), suite.Env...)
	var told strings.Builder
	cmd.Stdout, cmd.Stderr = os.Stdout, io.MultiWriter(os.Stderr, &told)
	if prepare {
		return cmd.Run()
	}
	err = cmd.Run()
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
	return suite.WriteRecord(name, r)
}

// nothing returns the command's reasons on packages with nothing to compare.
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
