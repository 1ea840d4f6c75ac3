package studyfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// cells checks every matrix, and what names their cells.
func (c *checker) cells() {
	for i, name := range c.Env {
		if !study.EnvName.MatchString(name) {
			c.found.add(c.at("env", i), "env holds %q; write an environment variable in capital letters, such as APP_MODE", name)
		}
	}
	if _, err := study.Cells(c.Matrix); err != nil {
		c.found.add(c.at("matrix"), "%v", err)
		return // every benchmark would say so again
	}
	if err := c.File.CheckNames(c.Matrix); err != nil {
		c.found.add(c.at("matrix"), "%v", err)
		return
	}
	for i, b := range c.Benchmarks {
		planned, err := c.File.CellsOf(b, "")
		if err != nil {
			at := c.at("benchmark", i, "matrix")
			if wrong, ok := errors.AsType[*study.CellError](err); ok {
				at = c.at("benchmark", i, "cells", wrong.Index)
			}
			c.found.add(at, "%v", err)
			continue
		}
		c.expectedCells(b, planned)
	}
}

// expectedCells reports expectations of a benchmark's cells that no cell has,
// and cells of which two expectations say equally much.
func (c *checker) expectedCells(b study.Benchmark, planned []study.PlannedCell) {
	for i, a := range c.Arms {
		for key := range a.Expect {
			name, part := study.SplitExpect(key)
			if name == b.Name && !slices.ContainsFunc(planned, func(p study.PlannedCell) bool { return study.HoldsAll(p.Cell, part) }) {
				c.found.add(c.at("arm", i, "expect", key), "expect names %q, which is no cell of benchmark %q; %s", strings.Join(part, " "), b.Name, knownCells(planned))
			}
		}
		reported := map[string]bool{}
		for _, p := range planned {
			_, keys := a.ExpectedKeys(b.Name, p.Cell)
			if len(keys) > 1 && !reported[strings.Join(keys, ",")] {
				reported[strings.Join(keys, ",")] = true
				c.found.add(c.at("arm", i, "expect", keys[1]), "expect %q and %q both speak of the cell %s; write one for \"%s %s\"",
					keys[0], keys[1], strings.Join(p.Cell, " "), b.Name, strings.Join(p.Cell, " "))
			}
		}
	}
}

func knownCells(planned []study.PlannedCell) string {
	var names []string
	for _, p := range planned {
		if len(p.Cell) > 0 {
			names = append(names, fmt.Sprintf("%q", strings.Join(p.Cell, " ")))
		}
	}
	if len(names) == 0 {
		return "it has no matrix: name the benchmark alone"
	}
	return oneOfThese(names)
}
