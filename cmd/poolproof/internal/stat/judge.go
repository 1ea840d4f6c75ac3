// Package stat judges measurements: a plan and its records become a verdict
// file. It is pure. It reads no file and no clock, prints nothing, draws no
// random number, and every function may be called from many goroutines at
// once; the values passed in are never changed.
//
// The package is opinionated. Its rule, one assumption a file:
//
//   - records.go: which records may be judged together;
//   - counters.go: allocations and bytes are counted, not estimated, and come
//     before any time: an arm that removes nothing is INVALID;
//   - mutator.go, total.go, long.go: three ways to make one number of a launch;
//   - many.go: bursts of many operations have a say, because each burst begins the
//     benchmark function again;
//   - cheap.go: collections that were few and cannot matter do not matter;
//   - paced.go: at a fixed rate, CPU time, each window with its own garbage;
//   - student.go, looks.go: the launch is the unit of statistics, Student's t
//     over launches, repeated looks with a smaller alpha;
//   - metric.go: which number decides;
//   - spread.go: launches must not differ far more than their bursts explain;
//   - layout.go: what code layout could have made is not claimed;
//   - figure.go: what the benchmarks report themselves is judged by its kind;
//   - table.go, resource.go: time, memory and figures with a say make the
//     verdict;
//   - claims.go: what was published is held against it.
//
// The steps of the rule stand in trial.go, in their order. evidence.go has what
// they read, ruling.go what they hand on.
//
// What the rule wants to know before it decides is a value too: Result.Want
// names the next launch. A caller that records this launch and judges again,
// until Want is nil, has run the experiment.
package stat

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Judge judges the records of a plan, in whatever order they come. Each
// comparison of the plan gets one result, in the plan's order, also when
// nothing was measured. A plan of another version of the rule is judged by
// this one: see [Current].
//
// An error means that the records cannot be judged together: another schema,
// another plan, another Go version, a comparison that the plan does not have,
// columns of unequal length, two records that claim to be the same launch and
// differ; or that the plan's rule makes no sense. It names the comparison and
// the launch. A launch that failed is no error: its comparison is NotMeasured.
func Judge(p study.Plan, rs []study.Record) (study.VerdictFile, error) {
	v := study.VerdictFile{Schema: study.Schema, Plan: p, Digest: DigestOf(p, rs), Judged: Version}
	if now := Current(p.Rule); p.Rule.Version != now.Version {
		p.Rule, v.Rule = now, &now
	}
	if err := checkPlan(p); err != nil {
		return study.VerdictFile{}, err
	}
	byID, err := admit(p, v.Digest, rs)
	if err != nil {
		return study.VerdictFile{}, err
	}
	for _, c := range p.Comparisons {
		v.Results = append(v.Results, newTrial(p, c, byID[c.ID]).judge())
		for _, r := range byID[c.ID] {
			if v.Started.IsZero() || r.Started.Before(v.Started) {
				v.Started = r.Started
			}
			if end := r.Started.Add(time.Duration(seconds(r.Seconds))); end.After(v.Ended) {
				v.Ended = end
			}
			v.Spent += seconds(r.Seconds)
			v.Launches++
		}
	}
	v.Apart = apart(p, v.Results)
	if p.Study != nil {
		v.Claims = Claims(*p.Study, v.Results, p.Rule.Band)
	}
	return v, nil
}

// JudgeOne judges one comparison of a plan: the same result as in Judge,
// at the cost of one comparison. A caller that records launch after launch
// needs no more. Records of other comparisons are passed over unread. Errors
// are those of Judge, and an ID that the plan does not have.
func JudgeOne(p study.Plan, id string, rs []study.Record) (study.Result, error) {
	digest := DigestOf(p, rs)
	p.Rule = Current(p.Rule)
	if err := checkPlan(p); err != nil {
		return study.Result{}, err
	}
	for _, c := range p.Comparisons {
		if c.ID != id {
			continue
		}
		var own []study.Record
		for _, r := range rs {
			if r.Comparison == id {
				own = append(own, r)
			}
		}
		byID, err := admit(p, digest, own)
		if err != nil {
			return study.Result{}, err
		}
		return newTrial(p, c, byID[id]).judge(), nil
	}
	return study.Result{}, fmt.Errorf("the plan has no comparison %q", id)
}
