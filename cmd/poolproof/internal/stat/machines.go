package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// enoughMachines is how many machines of one kind make an interval of their own. Fewer have to
// agree.
const enoughMachines = 4

// JudgeMachines judges what several machines recorded of one question. The machine is a level of
// the statistics above the launch: each is judged alone, for a pair of bursts never spans
// machines, and what they say is put together by kind of processor.
//
//   - Four machines of a kind or more: Student's t over machines, as over launches.
//   - Two or three: what they agree on, else INCONCLUSIVE, or DIFFERS BY MACHINE where two of them
//     have decided otherwise.
//   - Kinds that have decided otherwise: DIFFERS BY MACHINE, which no average hides.
//
// An error says that what was recorded cannot be put together, and which folder it is in.
func JudgeMachines(runs []study.Recorded) (study.VerdictFile, error) {
	slices.SortStableFunc(runs, func(a, b study.Recorded) int { return cmp.Compare(shardOf(a.Plan).Index, shardOf(b.Plan).Index) })
	first := runs[0]
	var files []study.VerdictFile
	var kept []study.Recorded
	for i, r := range runs {
		if what := otherPlan(first, r); what != "" {
			return study.VerdictFile{}, fmt.Errorf("%s and %s are of different plans: %s", first.Dir, r.Dir, what)
		}
		v, err := Judge(r.Plan, r.Records)
		if err == nil {
			err = Missing(r.Plan, r.Records)
		}
		if err != nil {
			return study.VerdictFile{}, fmt.Errorf("%s: %w", r.Dir, err)
		}
		if k := slices.IndexFunc(kept, func(o study.Recorded) bool { return shardOf(o.Plan).Index == shardOf(r.Plan).Index }); i > 0 && k >= 0 && shardOf(r.Plan).Index > 0 {
			if !slices.EqualFunc(kept[k].Records, r.Records, func(x, y study.Record) bool { return identical(&x, &y) }) {
				return study.VerdictFile{}, fmt.Errorf("%s and %s are both shard %s, and differ", kept[k].Dir, r.Dir, shardOf(r.Plan))
			}
			continue
		}
		files, kept = append(files, v), append(kept, r)
	}
	out := files[0]
	out.Plan.Machine, out.Plan.Shard = study.Machine{OS: out.Plan.Machine.OS, Arch: out.Plan.Machine.Arch}, nil
	out.Spent, out.Launches, out.Results = 0, 0, nil
	for _, f := range files {
		out.Spent += f.Spent
		out.Launches += f.Launches
		out.Interrupted = out.Interrupted || f.Interrupted
		if f.Started.Before(out.Started) {
			out.Started = f.Started
		}
		if f.Ended.After(out.Ended) {
			out.Ended = f.Ended
		}
	}
	rule := Current(first.Plan.Rule)
	for i := range first.Plan.Comparisons {
		var own []machineResult
		for k, f := range files {
			own = append(own, machineResult{Result: f.Results[i], name: nameOf(kept[k].Plan, k), cpu: kept[k].Plan.Machine.CPU})
		}
		out.Results = append(out.Results, overMachines(rule, first.Plan.Comparisons[i], own))
	}
	if first.Plan.Study != nil {
		out.Claims = Claims(*first.Plan.Study, out.Results, rule.Band)
	}
	return out, nil
}

// shardOf is the shard of a plan; Index is 0 where it has none.
func shardOf(p study.Plan) study.Shard {
	if p.Shard == nil {
		return study.Shard{}
	}
	return *p.Shard
}

// nameOf names the machine of a plan.
func nameOf(p study.Plan, k int) string {
	s := shardOf(p)
	if s.Index == 0 {
		return fmt.Sprintf("machine %d", k+1)
	}
	return strings.TrimSpace(fmt.Sprintf("shard %s %s", s, s.Host))
}

// otherPlan says in what two plans differ, "" if they are one.
func otherPlan(a, b study.Recorded) string {
	p, q := a.Plan, b.Plan
	if x, y := DigestOf(p, a.Records), DigestOf(q, b.Records); x == y && shardOf(p).Of == shardOf(q).Of {
		return ""
	}
	for _, d := range []struct{ what, a, b string }{
		{"the number of shards", fmt.Sprint(shardOf(p).Of), fmt.Sprint(shardOf(q).Of)},
		{"the package", p.Package, q.Package}, {"the toolchain", p.Toolchain, q.Toolchain}, {"the rule's version", fmt.Sprint(p.Rule.Version), fmt.Sprint(q.Rule.Version)},
		{"the environment", strings.Join(p.Env, " "), strings.Join(q.Env, " ")}, {"the seed", fmt.Sprint(p.Seed), fmt.Sprint(q.Seed)},
		{"the revision", p.Revision, q.Revision}, {"the base", p.Base, q.Base}, {"the engine", string(p.Engine), string(q.Engine)},
		{"the comparisons", comparisonsOf(p), comparisonsOf(q)},
	} {
		if d.a != d.b {
			return fmt.Sprintf("%s is %q and %q", d.what, d.a, d.b)
		}
	}
	for i, x := range p.Binaries {
		if x.Layout == 0 && i < len(q.Binaries) && x.SHA256 != q.Binaries[i].SHA256 {
			return fmt.Sprintf("the binary %s is another one; build in a folder of the same name on all machines", x.ID)
		}
	}
	return "the rule or the settings"
}

func comparisonsOf(p study.Plan) string {
	var ids []string
	for _, c := range p.Comparisons {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}

// machineResult is one machine's result of a comparison.
type machineResult struct {
	study.Result
	name, cpu string
}

// overMachines makes one result of those of all machines.
func overMachines(rule study.Rule, c study.Comparison, all []machineResult) study.Result {
	res := all[0].Result
	res.Launches, res.Spent, res.Machines, res.Times, res.Want = 0, 0, nil, nil, nil
	var measured []machineResult
	for _, m := range all {
		res.Launches += m.Launches
		res.Spent += m.Spent
		res.Machines = append(res.Machines, study.MachineResult{Machine: m.name, CPU: m.cpu, Verdict: m.Verdict, Deciding: m.Deciding, Launches: m.Launches})
		if m.Failed != nil || m.Verdict == study.Unsafe || m.Verdict == study.Invalid {
			r := m.Result // on one machine is enough
			r.Machines, r.Launches, r.Spent = res.Machines, res.Launches, res.Spent
			return r
		}
		if m.Verdict != study.NotMeasured {
			measured = append(measured, m)
		}
	}
	if len(measured) == 0 || len(all) == 1 {
		res.Launches = all[0].Launches
		return res
	}
	var kinds []string
	byKind := map[string]study.Result{}
	for _, m := range measured {
		if slices.Contains(kinds, m.cpu) {
			continue
		}
		kinds = append(kinds, m.cpu)
		own := slices.DeleteFunc(slices.Clone(measured), func(o machineResult) bool { return o.cpu != m.cpu })
		byKind[m.cpu] = ofKind(rule, own)
	}
	joined := byKind[kinds[0]]
	for _, k := range kinds[1:] {
		joined = joinTwo(joined, byKind[k])
	}
	joined.Comparison, joined.Benchmark, joined.Arm, joined.Baseline, joined.Cell = c.ID, c.Benchmark, c.Arm, c.Baseline, c.Cell
	joined.Machines, joined.Launches, joined.Spent, joined.Times, joined.Want = res.Machines, res.Launches, res.Spent, nil, nil
	joined.Reasons = append([]study.Reason{{Code: study.ReasonMachines, Count: len(measured)}}, joined.Reasons...)
	joined.AsExpected = asExpected(joined.Verdict, c.Expect)
	return joined
}

// ofKind joins the results of the machines of one kind.
func ofKind(rule study.Rule, ms []machineResult) study.Result {
	if len(ms) < enoughMachines {
		r := ms[0].Result
		for _, m := range ms[1:] {
			r = joinTwo(r, m.Result)
		}
		return r
	}
	// Each machine is one unit. Its own verdict does not count: of many, some are by chance.
	var units []float64
	for _, m := range ms {
		if m.Deciding.Launches > 0 {
			units = append(units, math.Log1p(m.Deciding.Effect))
		}
	}
	r := ms[0].Result
	r.Reasons = nil
	iv := over(units, rule.Alpha)
	class := iv.classify(rule.Band)
	if class == study.Unresolved && iv.hi <= rule.Band {
		class = study.NotWorse
	}
	if (class == study.Better || class == study.Worse) && !confirmed(ms, class) {
		class = study.Unresolved
		r.Reasons = append(r.Reasons, study.Reason{Code: study.ReasonMachinesUnconfirmed})
	}
	r.Time = class
	r.Deciding = estimate(decision{interval: iv, class: class, decided: len(units)}, math.NaN())
	memory, fell := study.Class(""), false
	for _, m := range ms {
		c := m.Memory
		if memory == "" {
			memory = c
		}
		if memory != c { // counts are exact: where they differ, something else does
			memory = study.Unresolved
		}
		fell = fell || m.Bytes.Candidate < m.Bytes.Baseline
	}
	r.Memory = memory
	r.Verdict = verdictBy(class, iv, rule.Band, memory, fell, nil)
	return r
}

// confirmed reports whether half of the machines, and none against it, have confirmed a class
// of time by themselves, with padded builds where it needs them.
func confirmed(ms []machineResult, class study.Class) bool {
	n := 0
	for _, m := range ms {
		switch {
		case m.Time == class:
			n++
		case opposite(m.Time, class):
			return false
		}
	}
	return 2*n >= len(ms)
}

// joinTwo puts two results together that are of the same weight: what they agree on. Their
// interval holds both intervals.
func joinTwo(a, b study.Result) study.Result {
	r := a
	r.Deciding.Lo, r.Deciding.Hi = min(a.Deciding.Lo, b.Deciding.Lo), max(a.Deciding.Hi, b.Deciding.Hi)
	r.Deciding.Effect = math.Expm1((math.Log1p(a.Deciding.Effect) + math.Log1p(b.Deciding.Effect)) / 2)
	r.Deciding.Launches = a.Deciding.Launches + b.Deciding.Launches
	switch {
	case a.Verdict == study.DiffersByMachine || b.Verdict == study.DiffersByMachine, a.Verdict.Decided() && b.Verdict.Decided() && a.Verdict != b.Verdict:
		r.Verdict, r.Time = study.DiffersByMachine, study.Unresolved
		r.Deciding = study.Estimate{} // an average would say what is true of neither
		r.BaselineTime, r.CandidateTime = 0, 0
		r.Reasons = nil
	case a.Verdict != b.Verdict:
		r.Verdict, r.Time = study.Inconclusive, study.Unresolved
		r.Reasons = []study.Reason{{Code: study.ReasonMachinesOpen}}
	case a.Time != b.Time: // as where memory decides
		r.Time = study.Unresolved
	}
	return r
}
