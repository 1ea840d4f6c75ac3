package studyfile

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

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
	c.claimCell(i, claim, "cell", claim.Cell)
	c.claimCell(i, claim, "beside", claim.Beside)
	switch at := c.at("claim", i, "beside"); {
	case claim.Beside == "":
	case claim.Cell == "" || claim.Cell == claim.Beside:
		c.found.add(at, "beside names the cell that the claim's own cell is compared with; write cell, another one")
	case claim.Metric != "time" && claim.Metric != "cpu":
		c.found.add(at, "beside compares intervals of time; write metric = \"time\" or \"cpu\", or remove it")
	}
}

func (c *checker) claimCell(i int, claim study.Claim, key, cell string) {
	b, ok := c.benchmark(claim.Benchmark)
	if cell == "" || !ok {
		return
	}
	planned, err := c.File.CellsOf(b, "")
	if err != nil {
		return // reported with the matrix
	}
	part := strings.Fields(cell)
	if !slices.ContainsFunc(planned, func(p study.PlannedCell) bool { return study.HoldsAll(p.Cell, part) }) {
		c.found.add(c.at("claim", i, key), "claim names %q, which is no cell of benchmark %q; %s", cell, b.Name, knownCells(planned))
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
			if planned, err := c.File.CellsOf(b, ""); err == nil && !slices.ContainsFunc(planned, func(p study.PlannedCell) bool { return study.HoldsAll(p.Cell, cell) }) {
				c.found.add(at, "rests names %q, which is no cell of benchmark %q; %s", strings.Join(cell, " "), bench, knownCells(planned))
			}
		}
		c.oneOf(string(verdict), expectable, "verdict", "prose", "rests", key)
	}
}
