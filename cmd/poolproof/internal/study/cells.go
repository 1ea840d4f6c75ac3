package study

import (
	"fmt"
	"slices"
	"strings"
)

// NoMatrix, as the matrix of a benchmark, leaves the study's matrix out: the
// benchmark has one cell, the environment as it is.
const NoMatrix = "off"

// PlannedCell is a cell with its place in the order of measuring.
type PlannedCell struct {
	Cell []string // NAME=value in the order of the matrix; empty: the environment as it is
	Late bool     // measured when all that is not late is decided
}

// runtimeVariables are the environment variables that the Go runtime reads in
// every program (package runtime, "Environment Variables").
var runtimeVariables = []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GORACE", "GOTRACEBACK"}

// IsRuntimeVariable reports whether an environment variable speaks to the Go
// runtime rather than to the package.
func IsRuntimeVariable(name string) bool { return slices.Contains(runtimeVariables, name) }

// CellsOf returns the cells in which a benchmark of the study is measured, in
// their order: those that the benchmark's own list of cells names, then the
// others, which are late. matrix, if not empty, comes from the user and
// replaces every matrix and list of cells of the file.
//
// A matrix may set what the Go runtime reads and what the file lists under
// env; another name is an error, since its cells would all be the same.
func (f File) CellsOf(b Benchmark, matrix string) ([]PlannedCell, error) {
	first := b.Cells
	switch {
	case matrix != "":
		first = nil
	case b.Matrix == NoMatrix:
	case b.Matrix != "":
		matrix = b.Matrix
	default:
		matrix = f.Matrix
	}
	if err := f.CheckNames(matrix); err != nil {
		return nil, err
	}
	cells, err := Cells(matrix)
	if err != nil {
		return nil, err
	}
	var planned []PlannedCell
	taken := make([]bool, len(cells))
	take := func(i int, late bool) {
		if !taken[i] {
			taken[i] = true
			planned = append(planned, PlannedCell{cells[i], late || b.Late})
		}
	}
	for j, text := range first {
		part, found := strings.Fields(text), false
		for i, cell := range cells {
			if HoldsAll(cell, part) {
				found = true
				take(i, false)
			}
		}
		if !found || len(part) == 0 {
			return nil, &CellError{j, fmt.Sprintf("cells: %q matches no cell of the matrix %q; write NAME=value as it stands there", text, matrix)}
		}
	}
	for i := range cells {
		take(i, len(first) > 0)
	}
	return planned, nil
}

// CellError is about one of a benchmark's own cells.
type CellError struct {
	Index int
	text  string
}

func (e *CellError) Error() string { return e.text }

// HoldsAll reports whether every NAME=value of part is in the cell.
func HoldsAll(cell, part []string) bool {
	return !slices.ContainsFunc(part, func(v string) bool { return !slices.Contains(cell, v) })
}

// Holds reports whether a cell has every NAME=value that the text names,
// separated by spaces. Empty text names none, so every cell holds it.
func Holds(cell []string, text string) bool { return HoldsAll(cell, strings.Fields(text)) }

// CheckNames refuses a variable of a matrix that neither the Go runtime nor,
// by its own word, the study's package reads.
func (f File) CheckNames(matrix string) error {
	for _, name := range variables(matrix) {
		if !slices.Contains(runtimeVariables, name) && !slices.Contains(f.Env, name) && !ofBuild(name) {
			return fmt.Errorf("matrix holds %s, which the Go runtime does not read; it reads %s. If the package reads it, list it: env = [%q]",
				name, strings.Join(runtimeVariables, ", "), name)
		}
	}
	return nil
}

// CheckNames refuses a variable of a matrix that looks like one of the Go
// runtime's and is none, as GOGCC. Other names are taken to be the package's
// own. (A study file lists those: see File.CellsOf.)
func CheckNames(matrix string) error {
	for _, name := range variables(matrix) {
		if strings.HasPrefix(name, "GO") && !strings.Contains(name, "_") &&
			!slices.Contains(runtimeVariables, name) && !ofBuild(name) {
			return fmt.Errorf("matrix holds %s, which the Go runtime does not read; it reads %s", name, strings.Join(runtimeVariables, ", "))
		}
	}
	return nil
}

// variables lists the well-formed names of a matrix. Cells refuses the others,
// and what only a build reads, with a better word.
func variables(matrix string) (names []string) {
	for field := range strings.FieldsSeq(matrix) {
		if name, _, ok := strings.Cut(field, "="); ok && EnvName.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// SplitExpect takes the cell, or the part of one, from the end of a key of
// Arm.Expect: "pipeline GOGC=25" speaks of the benchmark pipeline.
func SplitExpect(key string) (benchmark string, part []string) {
	words := strings.Fields(key)
	n := len(words)
	for n > 0 {
		name, _, ok := strings.Cut(words[n-1], "=")
		if !ok || !EnvName.MatchString(name) {
			break
		}
		n--
	}
	if n == len(words) {
		return key, nil
	}
	return strings.Join(words[:n], " "), words[n:]
}

// Expected returns the verdicts that the study expects of the arm on a
// benchmark in a cell: those of the key that says most of the cell. nil: it
// expects none.
func (a Arm) Expected(benchmark string, cell []string) []Verdict {
	verdicts, _ := a.ExpectedKeys(benchmark, cell)
	return verdicts
}

// ExpectedBefore returns the verdicts that the study expected until it was
// measured, nil where it still expects them.
func (a Arm) ExpectedBefore(benchmark string, cell []string) []Verdict {
	return Arm{Expect: a.Before}.Expected(benchmark, cell)
}

// ExpectedKeys also returns the keys that say as much as the one that was taken,
// sorted: more than one is a mistake of the file.
func (a Arm) ExpectedKeys(benchmark string, cell []string) (verdicts []Verdict, keys []string) {
	most := -1
	for key, vs := range a.Expect {
		name, part := SplitExpect(key)
		if name != benchmark || !HoldsAll(cell, part) || len(part) < most {
			continue
		}
		if len(part) > most {
			keys = nil
		}
		most, verdicts, keys = len(part), vs, append(keys, key)
	}
	slices.Sort(keys)
	return verdicts, keys
}
