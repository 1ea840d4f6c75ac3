package mutants

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/internal/mutate"
)

// TestDrawnErrorsAreNoticed judges the mutants of a draw by the tests of their own package, then by
// those of all other packages of vet, then by the corpora, and says who noticed which. It is
// a measurement and no gate: other code has other mutants.
func TestDrawnErrorsAreNoticed(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	alive := draw(t)
	table := newFates(alive)
	alive = table.judge(t, "its own package", alive, func(m mutate.Mutant) []string { return []string{own(folder(m))} })
	t.Logf("so far:\n%s", table)
	users := usersOf(t)
	alive = table.judge(t, "another package", alive, func(m mutate.Mutant) []string { return users[folder(m)] })
	alive = table.askCorpora(t, alive)
	for _, m := range alive {
		t.Logf("LIVES: %s", m.Name) // it changes nothing that matters, or a test is missing: a reader has to decide
	}
	t.Logf("\n%s", table)
}

// folder returns the folder of a drawn mutant.
func folder(m mutate.Mutant) string { return m.Edits[0].File }

// patience is how long the tests of one package may take with a drawn mutant, at least.
const patience = 2 * time.Minute

// judge runs the tests of packages on mutants, and returns those that none notices.
func (f fates) judge(t *testing.T, who string, alive []mutate.Mutant, testsOf func(mutate.Mutant) []string) []mutate.Mutant {
	groups := make(map[string]bool)
	for _, m := range alive {
		for _, tests := range testsOf(m) {
			groups[tests] = true
		}
	}
	delete(groups, "")
	for _, tests := range byPower(groups) {
		var asked, others []mutate.Mutant
		for _, m := range alive {
			if slices.Contains(testsOf(m), tests) {
				asked = append(asked, m)
			} else {
				others = append(others, m)
			}
		}
		if len(asked) == 0 {
			continue
		}
		left, slow, err := mutate.Survivors(t.Context(), t.TempDir(), vet, tests, asked, patience)
		if err != nil {
			t.Fatal(err)
		}
		f.noticed(t, who, tests, asked, left)
		for _, m := range slow {
			t.Logf("SLOW, not failed: %s", m.Name)
		}
		alive = append(others, left...)
	}
	return alive
}

// byPower orders packages: those of more tests first, for each ends the life of mutants that the
// next need not run.
func byPower(groups map[string]bool) []string {
	names := slices.Sorted(maps.Keys(groups))
	for _, strong := range []string{"./internal/paths", "./internal/flow", "./internal/infer", "./internal/observe"} {
		if i := slices.Index(names, strong); i >= 0 {
			names = slices.Insert(slices.Delete(names, i, i+1), 0, strong)
		}
	}
	return names
}

// usersOf returns the packages whose tests use the package in a folder.
func usersOf(t *testing.T) map[string][]string {
	c := exec.CommandContext(t.Context(), "go", "list", "-test", "-f", `{{.ImportPath}} {{join .Deps ","}}`, "./...")
	c.Dir = vet
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/poolproof/poolproof/cmd/poolproof/vet/"
	users := make(map[string][]string)
	for line := range bytes.Lines(out) {
		name, deps, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		name, isTest := strings.CutSuffix(name, ".test")
		if !isTest {
			continue
		}
		for dep := range strings.SplitSeq(deps, ",") {
			dep, _, _ = strings.Cut(dep, " ")
			if used, ours := strings.CutPrefix(dep, module); ours {
				users[used] = append(users[used], "./"+strings.TrimPrefix(strings.TrimPrefix(name, strings.TrimSuffix(module, "/")), "/"))
			}
		}
	}
	return users
}

// askCorpora has vet with each mutant analyse the corpora, and returns those with which it finds
// as many defects, as sure of each, and reports no right code.
func (f fates) askCorpora(t *testing.T, alive []mutate.Mutant) (left []mutate.Mutant) {
	itself := scores(t)
	for _, m := range alive {
		list, err := mutate.Overlay(t.TempDir(), vet, m.Edits)
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOFLAGS", "-overlay="+list)
		with := scores(t)
		var who string
		for i, name := range corpora {
			if with[i] != itself[i] {
				who = fmt.Sprintf("%s: %v, not %v", name.name, with[i], itself[i])
			}
		}
		if who == "" {
			left = append(left, m)
			continue
		}
		f.noticed(t, "a corpus", who, []mutate.Mutant{m}, nil)
	}
	return left
}

var corpora = []struct{ name, folder string }{
	{"corpus", corpus.Folder()}, {"held", corpus.Held()}, {"fresh", corpus.Fresh()}, {"later", corpus.Later()}, {"asked", corpus.Asked()},
}

// figures are the defects that vet finds in a corpus, those of them in the error tier, and its
// reports of right code.
type figures struct{ found, errors, wrong int }

// scores returns the figures of the corpora.
func scores(t *testing.T) (all []figures) {
	tool, err := corpus.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range corpora {
		code, err := corpus.Load(c.folder)
		if err != nil {
			t.Fatal(err)
		}
		run, err := tool.Vet(t.Context(), c.folder, "./...")
		if err != nil || len(run.Failures) > 0 {
			all = append(all, figures{wrong: -1}) // it did not end, or in a panic
			continue
		}
		s := code.Score(run.Reports)
		f := figures{found: len(s.Hits), wrong: len(s.False)}
		for _, h := range s.Hits {
			if h.Report.Tier == "error" {
				f.errors++
			}
		}
		all = append(all, f)
	}
	return all
}
