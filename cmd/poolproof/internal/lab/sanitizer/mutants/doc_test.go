package mutants

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// The table of the documentation is printed by this command, and is to be
// printed again when a mutant is changed, added or taken away.
func TestTheDocumentsTableIsOfTheseMutants(t *testing.T) {
	const file, heading = "../../records/sanitizer.md", "\n## Mutants of real modules\n"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(b), heading)
	text, _, _ = strings.Cut(text, "\n## ")
	_, table, found := strings.Cut(text, "| module | mutant | plain | race | fast | exact |\n|---|---|---|---|---|---|\n")
	if !ok || !found {
		t.Fatalf("%s has no table of all modes below %q", file, heading)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	rows, last := lines[:len(lines)-1], lines[len(lines)-1]

	var all, have []string
	for _, h := range hosts {
		for _, m := range h.mutants {
			all = append(all, fmt.Sprintf("%s | %s", h.module, m.name))
		}
	}
	modules := map[string]bool{}
	run, noticed, raced := map[suite.Mode]int{}, map[suite.Mode]int{}, 0
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 2+len(suite.Modes) {
			t.Fatalf("%q has %d cells", row, len(cells))
		}
		have, modules[cells[0]] = append(have, cells[0]+" | "+cells[1]), true
		for i, mode := range suite.Modes {
			cell := cells[2+i]
			if cell == (result{}).cell(false) {
				continue
			}
			run[mode]++
			switch {
			case cell == "does not build":
				t.Errorf("%s | %s: %s in mode %s", cells[0], cells[1], cell, mode)
			case !strings.HasPrefix(cell, (result{}).cell(true)):
				noticed[mode]++
			}
		}
		if strings.HasPrefix(cells[3], (result{Races: 1}).cell(true)) {
			raced++
		}
	}
	in := slices.DeleteFunc(slices.Clone(all), func(m string) bool { return !slices.Contains(have, m) })
	if !slices.Equal(have, in) {
		t.Errorf("the table has these rows:\n%s\nand the code has these mutants:\n%s", strings.Join(have, "\n"), strings.Join(all, "\n"))
	}
	sum := fmt.Sprintf("| **%d modules** | **%d mutants** | **%d of %d** | **%d of %d**, **%d** by a data race | **%d of %d** | **%d of %d** |", len(modules), len(rows),
		noticed[suite.Plain], run[suite.Plain], noticed[suite.Race], run[suite.Race], raced, noticed[suite.Fast], run[suite.Fast], noticed[suite.Exact], run[suite.Exact])
	if last != sum {
		t.Errorf("the rows add up to\n%s\nand the table says\n%s", sum, last)
	}
}
