package stat

import (
	"fmt"
)

// brokenClaims checks on the first launch what must be so before any time
// means something: the baseline allocates, and the arm moves the counters that
// it says it moves. Counters are exact, so one launch is enough; an arm that
// removes nothing is not timed further. The result is sentences, none if all
// holds.
func (t *trial) brokenClaims() []string {
	allocs, bytes := counters(t.launches[:1])
	byName := map[string]count{allocsPerOp: allocs, bytesPerOp: bytes}
	var broken []string
	if least := float64(t.c.Allocates); t.c.Allocates > 0 && allocs.old < least-max(0.005*least, allocs.stray) {
		broken = append(broken, fmt.Sprintf("the baseline does not allocate: nothing could be removed (allocs/op is %s, at least %d was expected)",
			number(allocs.old), t.c.Allocates))
	}
	for _, name := range t.c.Falls {
		if c := byName[name]; c.equal() || c.delta() > 0 {
			broken = append(broken, "nothing was removed: "+moved(name, c))
		}
	}
	for _, name := range t.c.Rises {
		if c := byName[name]; c.equal() || c.delta() < 0 {
			broken = append(broken, "the arm should raise "+name+": "+moved(name, c))
		}
	}
	return broken
}

// moved says where a counter went.
func moved(name string, c count) string {
	switch {
	case c.equal() && number(c.old) == number(c.new):
		return fmt.Sprintf("%s is %s in both arms", name, number(c.old))
	case c.equal():
		return fmt.Sprintf("%s is %s and %s, equal within the tolerance", name, number(c.old), number(c.new))
	case c.delta() > 0:
		return fmt.Sprintf("%s rose from %s to %s", name, number(c.old), number(c.new))
	}
	return fmt.Sprintf("%s fell from %s to %s", name, number(c.old), number(c.new))
}

// count fills the exact counters of the result.
func (t *trial) count(seen []*launch) {
	allocs, bytes := counters(seen)
	t.res.Allocs, t.res.Bytes = allocs.counter(), bytes.counter()
	t.res.Memory, _ = memoryClass(allocs, bytes)
	t.res.Cycles = cycles(seen)
	t.res.Foreign = foreign(seen)
	t.res.Extra = extra(seen)
}

// extra is the mean over launches of what both sides reported themselves.
func extra(ls []*launch) map[string][2]float64 {
	n, sum := map[string]float64{}, map[string][2]float64{}
	for _, l := range ls {
		for unit, old := range l.rec.Old.Extra {
			if new, ok := l.rec.New.Extra[unit]; ok {
				s := sum[unit]
				sum[unit] = [2]float64{s[0] + old, s[1] + new}
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
