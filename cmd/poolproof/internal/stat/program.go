package stat

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ProgramAlpha is the two-sided alpha of a look at runs of whole programs: smaller than that of
// bursts, because nothing else stands behind a class. See TestProgramsAgainstThemselves.
const ProgramAlpha = 0.006

// ProgramRule are the numbers by which runs of whole programs are judged.
type ProgramRule struct {
	Rule   study.Rule // Looks and Band
	Time   []string   // metrics of which the first that is there decides on time
	Memory string     // the one that decides on memory
	Silent []string   // shown, and no part of the verdict
	Higher func(name string) bool
}

// ProgramResult is the judgement of the runs of a program.
type ProgramResult struct {
	Verdict study.Verdict        `json:"verdict"`
	Time    study.Class          `json:"time"`
	Memory  study.Class          `json:"memory"`
	Metrics []study.MetricResult `json:"metrics"` // by name
	Open    bool                 `json:"-"`       // more launches may decide
}

// Program judges launches of a whole program: each is a run of the baseline and one of the
// candidate, side by side in time, with all metrics of both. A metric is judged by the sequential
// rule over launches, as a figure of a benchmark is. The verdict is that of the table of verdicts for
// time and memory; another metric that has moved against the time, as a latency, makes it a trade-off.
func Program(rule ProgramRule, launches [][2]map[string]float64) ProgramResult {
	var res ProgramResult
	byName := map[string]study.MetricResult{}
	units := map[string]interval{} // the less, the better
	for _, name := range slices.Sorted(maps.Keys(common(launches))) {
		f := figure{Metric: study.Metric{Unit: name, Better: "lower"}, fewest: 1}
		if rule.Higher(name) {
			f.Better = "higher"
		}
		for _, l := range launches {
			f.baseline, f.candidate = append(f.baseline, l[0][name]), append(f.candidate, l[1][name])
		}
		d := replay(rule.Rule.Looks, len(launches), rule.Rule.Band, func(n int) interval { return over(f.units(n), ProgramAlpha) })
		units[name] = d.interval
		byName[name] = study.MetricResult{Unit: name, Class: d.class, Baseline: mean(f.baseline[:d.n]), Candidate: mean(f.candidate[:d.n]), Estimate: f.estimate(d)}
		res.Open = res.Open || d.open && (name == rule.Memory || slices.Contains(rule.Time, name))
	}
	res.Time, res.Memory = study.Unresolved, study.Unresolved
	deciding, time := "", study.Unresolved
	for _, name := range rule.Time {
		if m, ok := byName[name]; ok && deciding == "" {
			deciding, m.Decides = name, true
			res.Time, byName[name] = m.Class, m
			time = weighed(m.Class, units[name], rule.Rule.Band)
		}
	}
	if m, ok := byName[rule.Memory]; ok {
		m.Decides = true
		res.Memory, byName[rule.Memory] = m.Class, m
	}
	res.Verdict = verdictOfProgram(time, res.Memory)
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		m := byName[name]
		res.Metrics = append(res.Metrics, m)
		if !m.Decides && !slices.Contains(rule.Silent, name) && opposite(m.Class, res.Time) {
			res.Verdict = study.TradeOff
		}
	}
	return res
}

// verdictOfProgram is the verdict of time and memory. Memory that is not resolved may turn out
// either way.
func verdictOfProgram(time, memory study.Class) study.Verdict {
	switch memory {
	case study.NotWorse:
		return verdictWith(time, study.Same, false, nil)
	case study.Mixed:
		memory = study.Unresolved
	}
	return verdictWith(time, memory, false, nil)
}

// common are the metrics that both sides of all launches have.
func common(launches [][2]map[string]float64) map[string]bool {
	names := map[string]bool{}
	if len(launches) == 0 {
		return names
	}
	for name := range launches[0][0] {
		names[name] = !slices.ContainsFunc(launches, func(l [2]map[string]float64) bool {
			_, a := l[0][name]
			_, b := l[1][name]
			return !a || !b
		})
	}
	maps.DeleteFunc(names, func(_ string, everywhere bool) bool { return !everywhere })
	return names
}
