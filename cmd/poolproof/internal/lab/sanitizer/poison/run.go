package poison

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/modules"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// result holds the reports of both runs of one module.
type result struct {
	Module string `json:"module"`
	Args   string `json:"args"` // packages and flags

	Tests    int             `json:"tests"`    // tests and subtests that ended in both runs
	Differ   []difference    `json:"differ"`   // those with two outcomes
	Findings []suite.Finding `json:"findings"` // of the run as users run it
	Failures []string        `json:"failures"` // its failing tests without a finding: "class: test"
	Puts     int64           `json:"puts"`
	Second   int             `json:"second"` // packages that ran in the second pass
	Stopped  bool            `json:"stopped"`
	Error    string          `json:"error,omitempty"` // it could not be run
	Seconds  float64         `json:"seconds"`
}

// difference is a test whose outcome is not the same with and without poison.
type difference struct {
	Test    string `json:"test"` // as "package.Test"
	With    string `json:"with"` // pass, fail, skip; "" if it did not end
	Without string `json:"without"`
}

type survey struct{ *suite.Survey[result] }

func (s *survey) wants(t modules.Target) bool { return strings.Contains(t.Module.String(), s.Part) }

func question(t modules.Target) result {
	return result{Module: t.Module.String(), Args: strings.Join(append(t.Patterns(), t.Args...), " ")}
}

func (r result) same(o result) bool { return r.Module == o.Module && r.Args == o.Args }

// all runs what has no result yet.
func (s *survey) all(ctx context.Context, targets []modules.Target) error {
	for _, t := range targets {
		if !s.wants(t) {
			continue
		}
		err := s.Ask(ctx, question(t).same, func() (result, error) { return s.one(ctx, t) }, func(r *result, err error) { r.Error = err.Error() })
		if err != nil {
			return err
		}
	}
	return nil
}

// one runs the tests of a module with poison and without.
func (s *survey) one(ctx context.Context, t modules.Target) (result, error) {
	r := question(t)
	dir, err := t.Module.Copy(ctx, s.Copies, t.Patterns()...)
	if err != nil {
		return r, err
	}
	run := suite.Run{Dir: dir, Packages: t.Patterns(), Args: append([]string{"-json"}, t.Args...), Timeout: s.Timeout}
	with, err := run.In(ctx, suite.Exact)
	if err != nil {
		return r, err
	}
	run.Poison, run.Reuse = "off", "off"
	without, err := run.In(ctx, suite.Exact)
	if err != nil {
		return r, err
	}
	r.Findings, r.Failures, r.Second = with.Findings, with.Classes, with.Second
	for _, p := range with.Pools {
		r.Puts += p.Puts
	}
	r.Stopped, r.Seconds = with.Stopped || without.Stopped, (with.Took + without.Took).Seconds()
	r.compare(outcomes(with.Printed), outcomes(without.Printed))
	fmt.Fprintf(os.Stderr, "%s: %d tests, %d differ, %d findings, %.0f s\n", r.Module, r.Tests, len(r.Differ), len(r.Findings), r.Seconds)
	return r, nil
}

// compare notes which tests do not end the same in both runs.
func (r *result) compare(with, without map[string]string) {
	names := maps.Clone(with)
	maps.Copy(names, without)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if with[name] != "" && without[name] != "" {
			r.Tests++
		}
		if with[name] != without[name] {
			r.Differ = append(r.Differ, difference{name, with[name], without[name]})
		}
	}
}

// outcomes reads how each test ended, of what go test -json printed.
func outcomes(events string) map[string]string {
	ended := map[string]string{}
	for line := range strings.Lines(events) {
		var e struct{ Action, Package, Test string }
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil || e.Test == "" {
			continue
		}
		if name := e.Package + "." + e.Test; e.Action == "fail" || e.Action == "pass" && ended[name] != "fail" || e.Action == "skip" && ended[name] == "" {
			ended[name] = e.Action
		}
	}
	return ended
}
