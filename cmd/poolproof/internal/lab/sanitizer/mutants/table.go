package mutants

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// row is a mutant with its results.
type row struct {
	host    host
	mutant  mutant
	results map[suite.Mode]result
}

// rows are those of the table: the mutants that have results, each beside the
// control of its module.
func rows(log *results.Log[result], modes []suite.Mode, wants func(host, mutant) bool) (mutants, controls []row) {
	for _, h := range hosts {
		used := false
		for _, m := range h.mutants {
			if r := (row{h, m, resultsOf(log, h, m, modes)}); len(r.results) > 0 && wants(h, m) {
				mutants, used = append(mutants, r), true
			}
		}
		if used {
			controls = append(controls, row{h, mutant{}, resultsOf(log, h, mutant{}, modes)})
		}
	}
	return mutants, controls
}

// resultsOf returns the results of a mutant by mode.
func resultsOf(log *results.Log[result], h host, m mutant, modes []suite.Mode) map[suite.Mode]result {
	all := map[suite.Mode]result{}
	for _, mode := range modes {
		if one, ok := log.Last(question(h, m, mode).same); ok {
			all[mode] = one
		}
	}
	return all
}

// print writes the table in Markdown, and returns what is wrong with the
// experiment itself: controls that are not clean, mutants that do not build.
func print(w io.Writer, mutants, controls []row, modes []suite.Mode) (wrong []string) {
	fmt.Fprint(w, "| module | mutant |")
	for _, m := range modes {
		fmt.Fprintf(w, " %s |", m)
	}
	fmt.Fprint(w, "\n|---|---|", strings.Repeat("---|", len(modes)), "\n")
	noticed, raced := map[suite.Mode]int{}, map[suite.Mode]int{}
	run := map[suite.Mode]int{}
	for _, r := range mutants {
		fmt.Fprintf(w, "| %s | %s |", r.host.module, r.mutant.name)
		for _, m := range modes {
			res, ok := r.results[m]
			fmt.Fprintf(w, " %s |", res.cell(ok))
			if !ok {
				continue
			}
			run[m]++
			if len(res.Broken) > 0 {
				wrong = append(wrong, fmt.Sprintf("%s, %s, %s: does not build: %s", r.host.module, r.mutant.name, m, strings.Join(res.Broken, ", ")))
			} else if res.noticed() {
				noticed[m]++
				if res.raced() {
					raced[m]++
				}
			}
			if m == suite.Plain && !res.Reached {
				wrong = append(wrong, fmt.Sprintf("%s, %s: no test runs the mutated text", r.host.module, r.mutant.name))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "| **%d modules** | **%d mutants** |", len(controls), len(mutants))
	for _, m := range modes {
		fmt.Fprintf(w, " **%d of %d**", noticed[m], run[m])
		if raced[m] > 0 {
			fmt.Fprintf(w, ", **%d** by a data race", raced[m])
		}
		fmt.Fprint(w, " |")
	}
	fmt.Fprintln(w)
	return append(wrong, dirty(controls, modes)...)
}

// cell is a mutant's cell of the table, in one mode.
func (r result) cell(ran bool) string {
	switch {
	case !ran:
		return "not run"
	case len(r.Broken) > 0:
		return "does not build"
	case len(r.Kinds) > 0:
		return strings.Join(r.Kinds, ", ")
	case len(r.Poisoned) > 0:
		return "fails by poison"
	}
	var said []string
	if r.raced() {
		said = append(said, "data race")
	}
	switch n := len(r.Failed); n {
	case 0:
	case 1:
		said = append(said, "1 test fails")
	default:
		said = append(said, fmt.Sprintf("%d tests fail", n))
	}
	if len(r.Crashed) > 0 {
		said = append(said, "crash")
	}
	if r.Stopped {
		said = append(said, "does not end")
	}
	switch {
	case said == nil && len(r.Genuine) > 0:
		return "– (fails plainly, too)"
	case said == nil:
		return "–"
	}
	return strings.Join(said, ", ")
}

// raced reports whether the race detector reported a data race. A test that
// fails by itself while it watches is another thing.
func (r result) raced() bool { return r.Races > 0 || len(r.Raced) > 0 }

// dirty names the controls in which anything was noticed.
func dirty(controls []row, modes []suite.Mode) (wrong []string) {
	for _, r := range controls {
		for _, m := range modes {
			res, ok := r.results[m]
			switch {
			case !ok:
				wrong = append(wrong, fmt.Sprintf("%s: the control did not run in mode %s", r.host.module, m))
			case res.noticed() || len(res.Genuine) > 0:
				wrong = append(wrong, fmt.Sprintf("%s: the control is not clean in mode %s: %s", r.host.module, m,
					strings.Join(slices.Concat(res.Kinds, res.Poisoned, res.Raced, res.Failed, res.Crashed, res.Genuine), ", ")))
			}
		}
	}
	return wrong
}
