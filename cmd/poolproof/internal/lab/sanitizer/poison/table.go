package poison

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/modules"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// targets are the modules of the survey, the cheap ones first.
func targets() []modules.Target { return modules.All() }

// print writes the tables. wrong: a test's outcome differs; broken: a module could not be
// run, or not to its end.
func print(w io.Writer, s *survey) (wrong, broken bool) {
	fmt.Fprint(w, "| module | flags | tests and subtests | differ | left-over | reported | tests without a finding |\n|---|---|---|---|---|---|---|\n")
	var differ []string
	ran, tests, different, left := 0, 0, 0, 0
	for _, t := range targets() {
		r, ok := s.Log.Last(question(t).same)
		switch {
		case !ok || !s.wants(t):
			continue
		case r.Error != "":
			line, _, _ := strings.Cut(r.Error, "\n")
			fmt.Fprintf(w, "| %s | %s | cannot be run: %s | | | | |\n", r.Module, strings.Join(t.Args, " "), line)
			broken = true
			continue
		case r.Stopped:
			fmt.Fprintf(w, "| %s | %s | does not end within the limit | | | | |\n", r.Module, strings.Join(t.Args, " "))
			broken = true
			continue
		}
		ran++
		tests += r.Tests
		different += len(r.Differ)
		left += r.leftOvers()
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %s | %s |\n", r.Module, strings.Join(t.Args, " "), r.Tests, len(r.Differ), r.leftOvers(), r.kinds(), r.classes())
		for _, d := range r.Differ {
			differ = append(differ, fmt.Sprintf("| %s | %s | %s | %s |", r.Module, d.Test, end(d.With), end(d.Without)))
		}
	}
	fmt.Fprintf(w, "| **%d modules** | | **%d** | **%d** | **%d** | | |\n", ran, tests, different, left)
	if len(differ) > 0 {
		fmt.Fprintf(w, "\n| module | test | with poison | without |\n|---|---|---|---|\n%s\n", strings.Join(differ, "\n"))
	}
	return len(differ) > 0, broken
}

func end(how string) string {
	if how == "" {
		return "did not end"
	}
	return how
}

// leftOvers counts the errors of the second pass.
func (r result) leftOvers() (n int) {
	for _, f := range r.Findings {
		if f.Kind == string(record.LeftOver) {
			n++
		}
	}
	return n
}

// kinds returns the kinds of the reports, with warnings marked.
func (r result) kinds() string {
	var kinds []string
	for _, f := range r.Findings {
		kind := f.Kind
		if f.Severity != string(record.Error) {
			kind += " (warning)"
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return "nothing"
	}
	return strings.Join(kinds, ", ")
}

// classes counts the failing tests without a finding, by their class.
func (r result) classes() string {
	counts := map[string]int{}
	var order []string
	for _, f := range r.Failures {
		class, _, _ := strings.Cut(f, ": ")
		if counts[class] == 0 {
			order = append(order, class)
		}
		counts[class]++
	}
	var parts []string
	for _, class := range order {
		parts = append(parts, fmt.Sprintf("%d %s", counts[class], class))
	}
	return strings.Join(parts, ", ")
}
