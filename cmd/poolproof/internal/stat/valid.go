package stat

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// brokenClaims checks on the first launch what must be so before any time
// means something: the baseline allocates, and the arm moves the counters that
// it says it moves. Counters are exact, so one launch is enough; an arm that
// removes nothing is not timed further. The result is empty if all holds.
func (e *evidence) brokenClaims() []study.Reason {
	allocs, bytes := counters(e.launches[:1])
	byName := map[string]count{allocsPerOp: allocs, bytesPerOp: bytes}
	var broken []study.Reason
	say := func(code study.ReasonCode, name string, c count) {
		counter := c.counter()
		broken = append(broken, study.Reason{Code: code, Unit: name, Counter: &counter})
	}
	if least := float64(e.c.Allocates); e.c.Allocates > 0 && allocs.baseline < least-allocs.tolerance(least) {
		say(study.ReasonBaselineAllocatesTooLittle, allocsPerOp, allocs)
		broken[0].Count = e.c.Allocates
	}
	for _, name := range e.c.Falls {
		if c := byName[name]; c.equal() || c.delta() > 0 {
			say(study.ReasonNothingRemoved, name, c)
		}
	}
	for _, name := range e.c.Rises {
		if c := byName[name]; c.equal() || c.delta() < 0 {
			say(study.ReasonNotRaised, name, c)
		}
	}
	return broken
}

// count fills the exact counters of the result.
func (t *trial) count(seen []*launch) {
	allocs, bytes := counters(seen)
	t.res.Allocs, t.res.Bytes = allocs.counter(), bytes.counter()
	t.res.Memory, _ = memoryClass(t.e.rule, allocs, bytes)
	t.res.Cycles = cycles(seen)
	t.res.Foreign = foreign(seen)
	if _, most := busy(seen); most <= 0.5 {
		t.res.Waits = 1 - most
	}
	t.res.Extra = extra(seen)
}

// extra is the mean over launches of what both sides reported themselves.
func extra(ls []*launch) map[string][2]float64 {
	n, sum := map[string]float64{}, map[string][2]float64{}
	for _, l := range ls {
		for unit, baseline := range l.rec.Baseline.Extra {
			if candidate, ok := l.rec.Candidate.Extra[unit]; ok {
				s := sum[unit]
				sum[unit] = [2]float64{s[0] + baseline, s[1] + candidate}
				n[unit]++
			}
		}
	}
	if len(sum) == 0 {
		return nil
	}
	for unit, s := range sum {
		sum[unit] = [2]float64{s[0] / n[unit], s[1] / n[unit]}
	}
	return sum
}
