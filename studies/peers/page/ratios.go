package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// schema is that of the files that this program reads.
const schema = 2

// verdict is the part of a verdict.json that the table needs; its schema is
// docs/schema/verdict.json.
type verdict struct {
	Schema int    `json:"schema"`
	Ended  string `json:"ended"`
	Plan   struct {
		Toolchain string `json:"toolchain"`
		Revision  string `json:"revision"`
		Dirty     bool   `json:"dirty"`
		Study     struct {
			Key string `json:"key"`
		} `json:"study"`
	} `json:"plan"`
	Results []result `json:"results"`
}

type result struct {
	Benchmark string   `json:"benchmark"`
	Arm       string   `json:"arm"`
	Baseline  string   `json:"baseline"`
	Cell      []string `json:"cell"`
	Verdict   string   `json:"verdict"`
	Estimator string   `json:"estimator"` // of Deciding: "M cpu", "T wall", ...
	Deciding  estimate `json:"deciding"`
	MWall     estimate `json:"m_wall"`
	Allocs    struct{ Candidate float64 }
	Metrics   []metric `json:"metrics"`
}

// metric is a figure of the benchmark's own.
type metric struct {
	Unit                string `json:"unit"`
	Baseline, Candidate float64
	Estimate            estimate `json:"estimate"` // without launches: a count
}

type estimate struct {
	Effect, Lo, Hi float64
	Launches       int
}

// ratios returns a table of the times of all arms as ratios to the baseline's. If
// some of them are CPU time, one of wall time follows: designs that make goroutines
// wait for each other leave processors idle, and the two say different things of
// them. If the benchmarks have figures of their own, a table of these follows for
// each benchmark.
func ratios(text []byte) (string, error) {
	var v verdict
	if err := json.Unmarshal(text, &v); err != nil {
		return "", err
	}
	if v.Schema != schema {
		return "", fmt.Errorf("schema %d of verdict.json, want %d", v.Schema, schema)
	}
	if len(v.Results) == 0 {
		return "", fmt.Errorf("there are no results")
	}
	var benchmarks []string
	cpu, wall := false, false
	for _, r := range v.Results {
		benchmarks = add(benchmarks, r.name())
		cpu = cpu || r.onCPU()
		wall = wall || r.onCPU() && r.MWall.Launches > 0
	}
	var b strings.Builder
	day, _, _ := strings.Cut(v.Ended, "T")
	fmt.Fprintf(&b, "Time as a ratio to `%s` in the same run, with its interval; ", v.Results[0].Baseline)
	if shared := prefix(benchmarks); shared != "" {
		fmt.Fprintf(&b, "`%s`, ", strings.TrimSuffix(shared, "/"))
	}
	fmt.Fprintf(&b, "%s, %s%s.", v.Plan.Toolchain, day, v.origin())
	if cpu {
		b.WriteString(" Cells with an asterisk are CPU time of all threads, which is what the rule judges of code that keeps several processors busy")
		if wall {
			b.WriteString("; wall time is the second table")
		}
		b.WriteString(".")
	}
	b.WriteString("\n\n")
	key := cmp.Or(v.Plan.Study.Key, "pool")
	v.times(&b, key, benchmarks, result.judged)
	if wall {
		b.WriteString("\nWall time, not judged:\n\n")
		v.times(&b, key, benchmarks, result.wall)
	}
	v.figures(&b, key, benchmarks)
	return b.String(), nil
}

// times writes a table: a row for each arm, a column for each benchmark.
func (v *verdict) times(b *strings.Builder, key string, benchmarks []string, cell func(result) string) {
	var arms []string
	cells := map[[2]string]string{}
	allocs := map[string]float64{}
	for _, r := range v.Results {
		arms = add(arms, r.Arm)
		cells[[2]string{r.Arm, r.name()}] = cell(r)
		allocs[r.Arm] = max(allocs[r.Arm], r.Allocs.Candidate)
	}
	shared := prefix(benchmarks)
	fmt.Fprintf(b, "| %s |", key)
	for _, bench := range benchmarks {
		fmt.Fprintf(b, " %s |", strings.TrimPrefix(bench, shared))
	}
	b.WriteString(" allocs/op |\n|---|" + strings.Repeat("---|", len(benchmarks)+1) + "\n")
	for _, arm := range arms {
		fmt.Fprintf(b, "| %s |", arm)
		for _, bench := range benchmarks {
			fmt.Fprintf(b, " %s |", cells[[2]string{arm, bench}])
		}
		fmt.Fprintf(b, " %.2g |\n", allocs[arm])
	}
}

// onCPU says whether the rule judges CPU time here.
func (r result) onCPU() bool { return r.Deciding.Launches > 0 && strings.HasSuffix(r.Estimator, "cpu") }

// judged is a cell: the ratio that the rule judges, its interval, and what the
// rule makes of it if that is not a plain difference.
func (r result) judged() string {
	e, mark := r.Deciding, ""
	if e.Launches == 0 {
		e = r.MWall
	}
	if e.Launches == 0 {
		return r.Verdict
	}
	if r.onCPU() {
		mark = "*"
	}
	if r.Verdict == "INCONCLUSIVE" || r.Verdict == "INVALID" || r.Verdict == "UNSAFE" {
		mark += " " + strings.ToLower(r.Verdict)
	}
	return e.String() + mark
}

// wall is a cell: the ratio of wall times, and its interval.
func (r result) wall() string {
	if r.MWall.Launches == 0 {
		return r.Verdict
	}
	return r.MWall.String()
}

// origin is the revision that was measured.
func (v *verdict) origin() string {
	if v.Plan.Revision == "" {
		return ", no revision"
	}
	name := ", revision " + v.Plan.Revision[:min(12, len(v.Plan.Revision))]
	if v.Plan.Dirty {
		name += " with local changes"
	}
	return name
}

// String is the ratio and its interval, so that the digits of one that is far from
// 1 tell something too. One launch has no interval.
func (e estimate) String() string {
	if e.Launches == 1 {
		return fmt.Sprintf("%.2g in one launch", 1+e.Effect)
	}
	format := "%.2f [%.2f, %.2f]"
	if 1+e.Effect < 0.1 {
		format = "%.2g [%.2g, %.2g]"
	}
	return fmt.Sprintf(format, 1+e.Effect, 1+e.Lo, 1+e.Hi)
}

// name is that of the benchmark and its cell.
func (r result) name() string {
	return strings.TrimSpace(r.Benchmark + " " + strings.Join(r.Cell, " "))
}

// prefix returns the parts of a name that all benchmarks begin with; at least one
// part stays.
func prefix(names []string) string {
	p := names[0]
	for _, name := range names {
		for !strings.HasPrefix(name, p) {
			p = p[:len(p)-1]
		}
	}
	if p == names[0] {
		p = strings.TrimSuffix(p, "/")
	}
	return p[:strings.LastIndex(p, "/")+1]
}

func add(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
