package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// result holds the reports of one mode on one module.
type result struct {
	Module string     `json:"module"`
	Args   string     `json:"args"` // packages and flags
	Mode   suite.Mode `json:"mode"`

	Packages int             `json:"packages"` // that have tests
	Findings []suite.Finding `json:"findings"`
	Failed   []string        `json:"failed"`   // tests, and packages that ended otherwise
	Depends  []string        `json:"depends"`  // tests that depend on reuse
	Poisoned []string        `json:"poisoned"` // tests that fail only with poison
	Unsteady []string        `json:"unsteady"` // tests that did not fail again
	Genuine  []string        `json:"genuine"`  // tests that fail without the sanitizer, too
	Leaked   int64           `json:"leaked"`   // objects that were got and never put
	Got      int64           `json:"got"`
	Puts     int64           `json:"puts"`
	Stopped  bool            `json:"stopped"`
	Error    string          `json:"error,omitempty"` // it could not be run
	Seconds  float64         `json:"seconds"`
}

func (t Target) question(mode suite.Mode) result {
	return result{Module: t.Module.String(), Args: strings.Join(append(t.Patterns(), t.Args...), " "), Mode: mode}
}

func (t Target) Patterns() []string {
	if t.Packages == nil {
		return []string{"./..."}
	}
	return t.Packages
}

func (r result) same(o result) bool {
	return r.Module == o.Module && r.Args == o.Args && r.Mode == o.Mode
}

// survey runs the tests of modules.
type survey struct{ *suite.Survey[result] }

func (s *survey) wants(t Target) bool { return strings.Contains(t.Module.String(), s.Part) }

// all runs what has no result yet.
func (s *survey) all(ctx context.Context, targets []Target) error {
	for _, t := range targets {
		if !s.wants(t) {
			continue
		}
		for _, mode := range s.Modes {
			err := s.Ask(ctx, t.question(mode).same, func() (result, error) { return s.one(ctx, t, mode) }, func(r *result, err error) { r.Error = err.Error() })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *survey) one(ctx context.Context, t Target, mode suite.Mode) (result, error) {
	r := t.question(mode)
	dir, err := t.Module.Copy(ctx, s.Copies, t.Patterns()...)
	if err != nil {
		return r, err
	}
	leaks := mode != suite.Fast // which would not be as users run it, for it then follows every Get
	o, err := suite.Run{Dir: dir, Packages: t.Patterns(), Args: t.Args, Timeout: s.Timeout, Leaks: leaks}.In(ctx, mode)
	if err != nil {
		return r, err
	}
	for _, p := range o.Packages {
		if p.State != gotest.NoTests {
			r.Packages++
		}
	}
	r.Findings, r.Failed, r.Depends, r.Poisoned, r.Unsteady, r.Genuine = o.Findings, o.Failed(), o.Depends, o.Poisoned, o.Unsteady, o.Genuine
	for _, p := range o.Pools {
		r.Leaked += p.Leaked
		r.Got += p.Gets
		r.Puts += p.Puts
	}
	r.Stopped, r.Seconds = o.Stopped, o.Took.Seconds()
	if s.Verbose {
		fmt.Fprintf(os.Stderr, "=== %s, %s, %.1f s\n%s\n", r.Module, mode, r.Seconds, o.Output)
	}
	if len(o.Packages) == 0 && !o.Stopped {
		return r, errors.New("no package was tested:\n" + o.Output)
	}
	return r, nil
}

// errors returns the findings that are errors.
func (r result) errors() (errors []suite.Finding) {
	for _, f := range r.Findings {
		if f.Severity == "error" {
			errors = append(errors, f)
		}
	}
	return errors
}
