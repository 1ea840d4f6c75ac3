package mutants

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/mutate"
)

// judges notice mutants, the cheapest first.
var judges = []string{"its own package", "another package", "a corpus"}

// fates are the mutants of each folder, and how many each judge noticed.
type fates map[string]map[string]int

func newFates(all []mutate.Mutant) fates {
	f := make(fates)
	for _, m := range all {
		if f[folder(m)] == nil {
			f[folder(m)] = make(map[string]int)
		}
		f[folder(m)][""]++
	}
	return f
}

// noticed counts the mutants of asked that are not left, and says of each by which tests.
func (f fates) noticed(t *testing.T, judge, tests string, asked, left []mutate.Mutant) {
	for _, m := range asked {
		if !slices.ContainsFunc(left, func(l mutate.Mutant) bool { return l.Name == m.Name }) {
			f[folder(m)][judge]++
			t.Logf("noticed by %s (%s): %s", judge, tests, m.Name)
		}
	}
}

// String returns a table, with a row for each folder.
func (f fates) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| package | mutants | noticed by the tests of %s | live |\n|---|---|---|---|---|---|\n", strings.Join(judges, " | of "))
	row := func(name string, counts map[string]int) {
		fmt.Fprintf(&b, "| %s | %d |", name, counts[""])
		alive := counts[""]
		for _, judge := range judges {
			fmt.Fprintf(&b, " %d |", counts[judge])
			alive -= counts[judge]
		}
		fmt.Fprintf(&b, " %d |\n", alive)
	}
	sum := make(map[string]int)
	for _, folder := range slices.Sorted(maps.Keys(f)) {
		row("`"+strings.TrimPrefix(folder, engine+"/")+"`", f[folder])
		for judge, n := range f[folder] {
			sum[judge] += n
		}
	}
	row("all", sum)
	return b.String()
}
