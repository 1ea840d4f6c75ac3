package mutants

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/mutate"
)

var mutated = flag.Bool("mutants", false, "run the tests of vet, stat and the sanitizer on each mutant (minutes)")

// The folders that the mutants are seen from.
const (
	vet  = "../../../vet"
	stat = "../../stat"
)

// mutant is a small error: the text old, found once in a file, is replaced by new.
type mutant struct {
	name, file, old, new string
	tests                string // the package whose tests must notice it; "": the folder itself
}

// list is mutants as package mutate takes them.
func list(mutants []mutant) (all []mutate.Mutant) {
	for _, m := range mutants {
		tests := m.tests
		if tests == "" {
			tests = "."
		}
		all = append(all, mutate.Mutant{Name: m.name, Edits: mutate.In(m.file, m.old, m.new), Tests: tests})
	}
	return all
}

// Mutants of one package are compiled together.

func TestVetsMutantsAreKilled(t *testing.T)  { kill(t, vet, ofVet) }
func TestStatsMutantsAreKilled(t *testing.T) { kill(t, stat, ofStat) }

func kill(t *testing.T, root string, mutants []mutant) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	mutate.Kill(t, root, list(mutants))
}

// TestMutantsFollowTheSource keeps the lists in step with the code.
func TestMutantsFollowTheSource(t *testing.T) {
	for root, mutants := range map[string][]mutant{vet: ofVet, stat: ofStat} {
		names := make(map[string]bool)
		for _, m := range list(mutants) {
			if _, err := mutate.Texts(root, m.Edits); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			if names[m.Name] || m.Tests != "." && !strings.HasPrefix(m.Tests, "./") {
				t.Errorf("%q is there twice, or its package %q does not begin with ./", m.Name, m.Tests)
			}
			names[m.Name] = true
		}
	}
}

// TestMutantsCompile: one that does not shows nothing, and keeps the others of its package from
// being compiled together.
func TestMutantsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for root, mutants := range map[string][]mutant{vet: ofVet, stat: ofStat} {
		all := list(mutants)
		compiling, err := mutate.Compiling(t.Context(), root, "./...", all)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if !slices.ContainsFunc(compiling, func(c mutate.Mutant) bool { return c.Name == m.Name }) {
				t.Errorf("%s does not compile", m.Name)
			}
		}
	}
}
