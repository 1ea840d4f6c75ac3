package studyfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
			if name == b.Name {
				c.cell(b, "expect", strings.Join(part, " "), "arm", i, "expect", key)
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

// cell reports what names a cell that a benchmark does not have. What is wrong with the
// benchmark's own cells is reported with its matrix.
func (c *checker) cell(b study.Benchmark, what, cell string, path ...any) {
	planned, err := c.File.CellsOf(b, "")
	if err == nil && !slices.ContainsFunc(planned, func(p study.PlannedCell) bool { return study.HoldsAll(p.Cell, strings.Fields(cell)) }) {
		c.found.add(c.at(path...), "%s names %q, which is no cell of benchmark %q; %s", what, cell, b.Name, knownCells(planned))
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

// ownUnits are printed by testing itself, so that no figure of a benchmark can
// have them.
var ownUnits = []string{"ns/op", "MB/s", "B/op", "allocs/op"}

// directions are the values of Metric.Better.
var directions = []string{"lower", "higher"}

// metrics checks the figures that the benchmarks report themselves.
func (c *checker) metrics() {
	seen := map[string]int{}
	for i, m := range c.Metrics {
		if c.require(m.Unit, "the unit given to ReportMetric, as hits/op", "metric", i, "unit") {
			c.once(seen, "metric", m.Unit, "metric", i, "unit")
			switch {
			case strings.ContainsAny(m.Unit, " \t\n"):
				c.found.add(c.at("metric", i, "unit"), "unit %q holds a space, which ReportMetric refuses; leave it out", m.Unit)
			case slices.Contains(ownUnits, m.Unit) || slices.Contains(metrics, m.Unit):
				c.found.add(c.at("metric", i, "unit"), "unit %q is measured anyhow; remove this metric", m.Unit)
			}
		}
		if c.require(m.Better, strings.Join(directions, " or "), "metric", i, "better") {
			c.oneOf(m.Better, directions, "direction", "metric", i, "better")
		}
	}
}

// claimable lists the metrics that a claim may name.
func (c *checker) claimable() []string {
	list := slices.Clone(metrics)
	for _, m := range c.Metrics {
		list = append(list, m.Unit)
	}
	return list
}

// paces checks the rates and windows of the benchmarks.
func (c *checker) paces() {
	for i, b := range c.Benchmarks {
		if b.Rate < 0 || b.Rate > study.MaxRate {
			c.found.add(c.at("benchmark", i, "rate"), "rate %d is out of bounds; write operations a second, from 1 to %d", b.Rate, study.MaxRate)
		}
		if b.Window != "" && b.Rate == 0 {
			c.found.add(c.at("benchmark", i, "window"), "window goes with a rate; write rate = operations a second, or remove it")
		}
		if _, err := study.ParseWindow(b.Window); err != nil {
			c.found.add(c.at("benchmark", i, "window"), "%v", err)
		}
	}
}

// claimCells reports claims about cells that their benchmarks do not have, and
// claims about two cells that cannot be compared.
func (c *checker) claimCells(i int, claim study.Claim) {
	if b, ok := c.benchmark(claim.Benchmark); ok {
		c.cell(b, "claim", claim.Cell, "claim", i, "cell")
		c.cell(b, "claim", claim.Beside, "claim", i, "beside")
	}
	switch at := c.at("claim", i, "beside"); {
	case claim.Beside == "":
	case claim.Cell == "" || claim.Cell == claim.Beside:
		c.found.add(at, "beside names the cell that the claim's own cell is compared with; write cell, another one")
	case claim.Metric != "time" && claim.Metric != "cpu":
		c.found.add(at, "beside compares intervals of time; write metric = \"time\" or \"cpu\", or remove it")
	}
}

// rests checks the comparisons on whose verdicts the prose rests.
func (c *checker) rests() {
	for key, verdict := range c.Prose.Rests {
		name, cell := study.SplitExpect(key)
		bench, arm, ok := strings.Cut(name, "/")
		b, known := c.benchmark(bench)
		at := c.at("prose", "rests", key)
		switch {
		case !ok:
			c.found.add(at, "rests names %q; write \"BENCHMARK/ARM\", or \"BENCHMARK/ARM NAME=value\" for a cell", key)
		case !known:
			c.found.add(at, "rests names the unknown benchmark %q; %s", bench, c.knownBenchmarks())
		case !c.hasArm(arm) || arm == c.Baseline:
			c.found.add(at, "rests names %q, which is no arm that is compared; %s", arm, c.knownArms())
		case slices.Contains(b.Skip, arm):
			c.found.add(at, "rests names the arm %q, which benchmark %q skips; remove one of the two", arm, bench)
		default:
			c.cell(b, "rests", strings.Join(cell, " "), "prose", "rests", key)
		}
		c.oneOf(string(verdict), expectable, "verdict", "prose", "rests", key)
	}
}

var (
	// tagList is a list of build tags.
	tagList = regexp.MustCompile(`^[\pL\pN_.]+(,[\pL\pN_.]+)*$`)
	// testName is a test function's name.
	testName = regexp.MustCompile(`^Test[^\s/]*$`)
)

// binaries checks what gives an arm a binary of its own, and what all of them
// must agree on.
func (c *checker) binaries() {
	if c.Agree != "" && !testName.MatchString(c.Agree) {
		c.found.add(c.at("agree"), "agree %q is no test; write the name of a test function, as TestArmsAgree", c.Agree)
	}
	for i, a := range c.Arms {
		if a.Tags != "" && !tagList.MatchString(a.Tags) {
			c.found.add(c.at("arm", i, "tags"), "tags %q is no list of build tags; separate them by commas", a.Tags)
		}
		if filepath.IsAbs(a.Module) {
			c.found.add(c.at("arm", i, "module"), "module %q is absolute; write it relative to the study file", a.Module)
		}
		switch {
		case a.Optional == "":
		case a.Name == c.Baseline:
			c.found.add(c.at("arm", i, "optional"), "the baseline cannot be optional; every comparison needs it")
		case a.Tags == "" && a.Module == "":
			c.found.add(c.at("arm", i, "optional"), "arm %q is in the package's own binary, which is always built; remove optional, or give the arm tags or a module", a.Name)
		}
	}
}

// checkFolders reports folders that do not exist: the package's and those of the arms'
// modules. dir is the study file's.
func checkFolders(p parsed, dir string) (found problems) {
	check := func(name string, path ...any) {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || !info.IsDir() {
			found.add(p.at(path...), "%s %q is no directory; write it relative to the study file", path[len(path)-1], name)
		}
	}
	check(p.Package, "package")
	for i, a := range p.Arms {
		if a.Module != "" {
			check(a.Module, "arm", i, "module")
		}
	}
	return found
}
