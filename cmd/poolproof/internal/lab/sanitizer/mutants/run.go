package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// result is the outcome of one mutant in one mode. The control, the module as it is,
// has no name.
type result struct {
	Module string     `json:"module"`
	Mutant string     `json:"mutant"`
	Mode   suite.Mode `json:"mode"`
	Edits  string     `json:"edits"` // the mutant's text: a result is of this text only
	Code   string     `json:"code"`  // the sanitizer's code in the tests, and of this code only

	Kinds    []string `json:"kinds"`    // of the sanitizer's errors
	Poisoned []string `json:"poisoned"` // tests that fail only with poison
	Raced    []string `json:"raced"`    // tests that fail because the race detector reported; it may have done so in none
	Races    int      `json:"races"`    // its reports
	Runs     int      `json:"runs"`     // of the tests; the result is that of the last
	Failed   []string `json:"failed"`   // other tests
	Crashed  []string `json:"crashed"`  // packages whose tests ended before all had run
	Genuine  []string `json:"genuine"`  // those that fail under the sanitizer and, run again, without it: no merit of the mode
	Depends  []string `json:"depends"`  // tests that fail, rightly, because they depend on reuse, or only once
	Broken   []string `json:"broken"`   // packages that could not be built
	Stopped  bool     `json:"stopped"`  // at a time limit
	Reached  bool     `json:"reached"`  // the tests run the text that is replaced; of mode plain only
	Seconds  float64  `json:"seconds"`
}

// noticed reports whether the mode has shown that anything is wrong.
func (r result) noticed() bool {
	return len(r.Kinds) > 0 || len(r.Poisoned) > 0 || r.Races > 0 || len(r.Raced) > 0 || len(r.Failed) > 0 || len(r.Crashed) > 0 || r.Stopped
}

// question is a result that is still to be had.
func question(h host, m mutant, mode suite.Mode) result {
	return result{Module: h.module.String(), Mutant: m.name, Mode: mode, Edits: fmt.Sprint(m.edits, h.packages, h.args), Code: codeOf(mode)}
}

// same reports whether two results answer one question.
func (r result) same(o result) bool {
	return r.Module == o.Module && r.Mutant == o.Mutant && r.Mode == o.Mode && r.Edits == o.Edits && r.Code == o.Code
}

// text returns the mutated files, by their path in the module.
func (m mutant) text(dir string) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range m.edits {
		text, ok := files[e.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.file)))
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		if n := strings.Count(text, e.old); n != 1 {
			return nil, fmt.Errorf("%q: the text is %d times in %s", m.name, n, e.file)
		}
		files[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	return files, nil
}

// overlay writes the mutated files and the go command's list of them below
// scratch, and returns the list's name.
func (m mutant) overlay(dir, scratch string) (string, error) {
	files, err := m.text(dir)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range files {
		to := filepath.Join(scratch, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(dir, filepath.FromSlash(name))] = to
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(scratch, "overlay.json")
	return list, os.WriteFile(list, b, 0o666)
}

// experiment runs the tests of hosts on their mutants.
type experiment struct {
	*suite.Survey[result]
	scratch string
	races   int // runs with the race detector, at most
}

// all runs everything that has no result yet. What cannot be run is reported
// and left out.
func (x *experiment) all(ctx context.Context) error {
	var failed []error
	for _, h := range hosts {
		err := x.host(ctx, h)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", h.module, err))
		}
	}
	return errors.Join(failed...)
}

func (x *experiment) host(ctx context.Context, h host) error {
	wanted := slices.ContainsFunc(h.mutants, func(m mutant) bool { return x.wants(h, m) })
	if !wanted {
		return nil
	}
	dir, err := h.module.Copy(ctx, x.Copies, h.packages...)
	if err != nil {
		return err
	}
	for _, m := range append([]mutant{{}}, h.mutants...) {
		if m.name != "" && !x.wants(h, m) {
			continue
		}
		if err := x.mutant(ctx, h, m, dir); err != nil {
			return err
		}
	}
	return nil
}

func (x *experiment) wants(h host, m mutant) bool {
	return strings.Contains(h.module.String()+" "+m.name, x.Part)
}

// mutant runs one mutant, or the control, in all modes.
func (x *experiment) mutant(ctx context.Context, h host, m mutant, dir string) error {
	scratch, err := os.MkdirTemp(x.scratch, "")
	if err != nil {
		return err
	}
	var overlay []string
	if m.name != "" {
		list, err := m.overlay(dir, scratch)
		if err != nil {
			return err
		}
		overlay = []string{"-overlay=" + list}
	}
	for _, mode := range x.Modes {
		r := question(h, m, mode)
		runs := 1
		if mode == suite.Race {
			runs = x.races
		}
		if old, ok := x.Log.Last(r.same); ok {
			if old.noticed() || len(old.Broken) > 0 || old.Runs >= runs {
				continue
			}
			r.Runs = old.Runs
		}
		run := suite.Run{Dir: dir, Packages: h.packages, Args: slices.Concat(h.args, overlay), Timeout: x.Timeout}
		o, err := r.of(ctx, run, runs)
		if err != nil {
			return err
		}
		if mode == suite.Plain && m.name != "" && len(r.Broken) == 0 {
			if r.Reached, err = x.reaches(ctx, h, m, run, filepath.Join(scratch, "coverage")); err != nil {
				return err
			}
		}
		if x.Verbose {
			fmt.Fprintf(os.Stderr, "=== %s, %q, %s: %v %v %v, run %d, %.1f s\n%s\n", r.Module, r.Mutant, mode, r.Kinds, r.Raced, r.Failed, r.Runs, r.Seconds, o.Output)
		}
		if err := x.Log.Add(r); err != nil {
			return err
		}
	}
	return nil
}

// of runs the tests until something is noticed, or they have run so many times:
// what the race detector sees is up to chance, as two goroutines have to meet
// and sync.Pool drops a part of what is put while it watches.
func (r *result) of(ctx context.Context, run suite.Run, times int) (o *suite.Outcome, err error) {
	for r.Runs < times && !r.noticed() && len(r.Broken) == 0 {
		if o, err = run.In(ctx, r.Mode); err != nil {
			return nil, err
		}
		r.Runs++
		r.take(o)
	}
	return o, nil
}

// take fills in what happened. A test that fails for a reason that has a name
// is not among those that just fail.
func (r *result) take(o *suite.Outcome) {
	r.Kinds, r.Poisoned, r.Broken = o.Kinds(), o.Poisoned, o.Broken()
	r.Depends = slices.Concat(o.Depends, o.Unsteady)
	r.Races, r.Raced, r.Genuine = o.Races, o.Raced, o.Genuine
	late := slices.DeleteFunc(o.TimedOut(), func(path string) bool { return slices.Contains(o.Genuine, path) })
	named := slices.Concat(r.Poisoned, r.Depends, r.Raced, r.Genuine, late)
	other := func(all []string) []string {
		return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(named, name) })
	}
	r.Crashed = slices.DeleteFunc(other(o.Crashed()), func(path string) bool {
		return slices.ContainsFunc(r.Genuine, func(name string) bool { return strings.HasPrefix(name, path+".") })
	})
	named = append(named, o.Crashed()...)
	r.Failed = other(o.Failed())
	r.Stopped, r.Seconds = o.Stopped || len(late) > 0, o.Took.Seconds()
}

// hosts are those of the table, by kind of module.
var hosts = slices.Concat(formats, servers, loggers, blocks)
