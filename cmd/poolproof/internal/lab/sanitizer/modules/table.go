package modules

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// printSilent writes the table of the modules that have to stay silent, and
// returns what is wrong.
func printSilent(w io.Writer, s *survey, targets []Target) (wrong []string) {
	fmt.Fprint(w, "| module | flags | packages | Puts |")
	for _, mode := range s.Modes {
		fmt.Fprintf(w, " %s | s |", mode)
	}
	fmt.Fprint(w, "\n|---|---|---|---|", strings.Repeat("---|---|", len(s.Modes)), "\n")
	for _, t := range targets {
		if !s.wants(t) {
			continue
		}
		results := s.of(t)
		fmt.Fprintf(w, "| %s | %s | %s | %s |", t.Module, strings.Join(t.Args, " "), most(results, func(r result) int64 { return int64(r.Packages) }), most(results, func(r result) int64 { return r.Puts }))
		for _, mode := range s.Modes {
			r, ok := results[mode]
			if !ok {
				fmt.Fprint(w, " not run | |")
				continue
			}
			fmt.Fprintf(w, " %s | %.1f |", r.cell(), r.Seconds)
			for _, f := range r.errors() {
				wrong = append(wrong, fmt.Sprintf("%s, %s: %s at %s, put at %s", t.Module, mode, f.Kind, f.Access, f.Put))
			}
			if r.Error != "" {
				wrong = append(wrong, fmt.Sprintf("%s, %s: %s", t.Module, mode, r.Error))
			}
		}
		fmt.Fprintln(w)
	}
	return wrong
}

func (s *survey) of(t Target) map[suite.Mode]result {
	all := map[suite.Mode]result{}
	for _, mode := range suite.Modes {
		if r, ok := s.Log.Last(t.question(mode).same); ok {
			all[mode] = r
		}
	}
	return all
}

func most(results map[suite.Mode]result, of func(result) int64) string {
	var n int64
	for _, r := range results {
		n = max(n, of(r))
	}
	return fmt.Sprint(n)
}

// cell sums a result up.
func (r result) cell() string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	told := slices.Concat(r.Depends, r.Poisoned, r.Unsteady, r.Genuine)
	failed := slices.DeleteFunc(slices.Clone(r.Failed), func(name string) bool { return slices.Contains(told, name) })
	errors := r.errors()
	add(len(errors), "errors")
	add(len(r.Findings)-len(errors), "warnings")
	add(len(failed), "fail")
	add(len(r.Depends), "depend on reuse")
	add(len(r.Poisoned), "only with poison")
	add(len(r.Unsteady), "unsteady")
	add(len(r.Genuine), "fail plainly too")
	switch {
	case r.Error != "":
		return "cannot be run"
	case r.Stopped:
		parts = append(parts, "stopped")
	case len(parts) == 0:
		return "silent"
	}
	return strings.Join(parts, ", ")
}

// printJudged writes the table of reports with their verdicts, one row for each
// verdict and place of Put, and returns what is wrong.
func printJudged(w io.Writer, s *survey, targets []Target) (problems []string) {
	fmt.Fprint(w, "| module | kinds | put by | accessed by | places | verdict |\n|---|---|---|---|---|---|\n")
	for _, t := range targets {
		if !s.wants(t) {
			continue
		}
		r, ok := s.of(t)[suite.Exact]
		switch {
		case !ok:
			fmt.Fprintf(w, "| %s | not run | | | | |\n", t.Module)
			continue
		case r.Error != "":
			problems = append(problems, fmt.Sprintf("%s: %s", t.Module, r.Error))
		}
		if len(r.Findings) == 0 && len(r.Poisoned) == 0 || r.Stopped {
			fmt.Fprintf(w, "| %s | %s | | | | |\n", t.Module, r.cell())
		}
		for _, g := range r.group() {
			text := "not judged"
			if g.known {
				text = g.verdict.is + ": " + g.verdict.reason
			} else {
				problems = append(problems, fmt.Sprintf("%s: what %s puts, and %s accesses, is not judged", t.Module, g.put, g.access))
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %d | %s |\n", t.Module, strings.Join(g.kinds, ", "), g.put, g.access, g.places, text)
		}
	}
	return problems
}

// group is reports with one verdict and one function that puts; without a
// verdict, also with one function that accesses.
type group struct {
	put, access string // functions; of several that access, the first
	kinds       []string
	places      int
	verdict     verdict
	known       bool
}

func (r result) group() (groups []*group) {
	add := func(kind, put, access string) {
		g := &group{put: function(put), access: function(access)}
		g.verdict, g.known = judge(r.Module, put, access)
		i := slices.IndexFunc(groups, func(o *group) bool {
			return o.put == g.put && o.known == g.known && o.verdict == g.verdict && (g.known || o.access == g.access)
		})
		if i < 0 {
			i, groups = len(groups), append(groups, g)
		}
		g = groups[i]
		g.places++
		if !slices.Contains(g.kinds, kind) {
			g.kinds = append(g.kinds, kind)
		}
	}
	for _, f := range r.Findings {
		kind := f.Kind
		if f.Severity != "error" {
			kind += " (warning: " + f.Why + ")"
		}
		add(kind, f.Put, f.Access)
	}
	for _, test := range r.Poisoned {
		add("fails only with poison", "", test)
	}
	return groups
}
