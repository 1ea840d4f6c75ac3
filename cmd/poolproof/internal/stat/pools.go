package stat

import (
	"cmp"
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// PoolAnswer is what all comparisons of one pool say together: does the program pay
// less with it than without? POSITIVE: the pool pays. NEGATIVE: it costs more than it
// saves. NO CHANGE: it saves nothing.
type PoolAnswer struct {
	study.ListedPool
	// Verdict is empty where no benchmark gets from the pool, or it cannot be taken out.
	Verdict study.Verdict
	// Isolated says that only benchmarks which do nothing but get and put have decided.
	Isolated bool
	// Deciding are the results that the verdict rests on: of each benchmark and cell,
	// against the form of the program without the pool that costs the least.
	Deciding []study.Result
	Uses     []study.PoolUse // of the same comparisons
	Open     int             // of them without an answer
}

// Pools judges the pools of a KindUnpool question, the least useful first; those that
// nothing is known of come last.
//
// A pool is compared with the best program that does without it: where the code that
// one would write without the pool is as fast as the pool, the pool saves nothing,
// however much slower a call of New in each Get is.
func Pools(v study.VerdictFile) []PoolAnswer {
	var all []PoolAnswer
	for _, pool := range v.Plan.Pools {
		a := PoolAnswer{ListedPool: pool}
		type where struct{ bench, cell string }
		at := map[where]int{} // index in a.Deciding
		isolated := true
		var alone []bool
		for i, c := range v.Plan.Comparisons {
			if c.Pool == nil || c.Pool.ID != pool.ID {
				continue
			}
			r := v.Results[i]
			w := where{c.Benchmark, joined(c.Cell)}
			j, known := at[w]
			switch {
			case !known:
				at[w] = len(a.Deciding)
				a.Deciding, a.Uses = append(a.Deciding, r), append(a.Uses, *c.Pool)
				alone = append(alone, c.Isolated)
				isolated = isolated && c.Isolated
			case less(r, a.Deciding[j]):
				a.Deciding[j], a.Uses[j] = r, *c.Pool
			}
		}
		a.Isolated = isolated && len(a.Deciding) > 0
		var verdicts []study.Verdict
		for i, r := range a.Deciding {
			if alone[i] && !a.Isolated {
				continue // it never decides beside others
			}
			if !decided(r.Verdict) {
				a.Open++
			}
			verdicts = append(verdicts, r.Verdict)
		}
		a.Verdict = together(verdicts)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b PoolAnswer) int {
		return cmp.Or(cmp.Compare(usefulness(a.Verdict), usefulness(b.Verdict)), -cmp.Compare(a.saves(), b.saves()))
	})
	return all
}

func joined(cell []string) (s string) {
	for _, c := range cell {
		s += c + " "
	}
	return s
}

// decided reports whether a verdict says how a pool does.
func decided(v study.Verdict) bool {
	return v == study.Positive || v == study.Negative || v == study.NoChange || v == study.TradeOff
}

// usefulness orders verdicts, from a pool to be removed to one that pays.
func usefulness(v study.Verdict) int {
	return slices.Index([]study.Verdict{
		study.Unsafe, study.Negative, study.NoChange, study.TradeOff, study.Inconclusive, study.Positive, study.Invalid, study.NotMeasured, "",
	}, v)
}

// less reports whether a result says less in favour of the pool than another.
func less(a, b study.Result) bool {
	if x, y := usefulness(a.Verdict), usefulness(b.Verdict); x != y {
		return x < y
	}
	return a.Deciding.Effect > b.Deciding.Effect
}

// together is the verdict of several benchmarks: the one that they share, where some
// have no answer or see no change; a trade-off where they disagree.
func together(verdicts []study.Verdict) study.Verdict {
	has := func(v study.Verdict) bool { return slices.Contains(verdicts, v) }
	switch {
	case len(verdicts) == 0:
		return ""
	case has(study.Unsafe):
		return study.Unsafe
	case has(study.TradeOff), has(study.Positive) && has(study.Negative):
		return study.TradeOff
	case has(study.Negative):
		return study.Negative
	case has(study.Positive):
		return study.Positive
	case has(study.Inconclusive):
		return study.Inconclusive
	case has(study.NoChange):
		return study.NoChange
	case has(study.Invalid):
		return study.Invalid
	}
	return study.NotMeasured
}

// saves is the mean of the logarithms of the time with the pool to that without: a
// negative number is a saving.
func (a PoolAnswer) saves() float64 {
	sum, n := 0.0, 0
	for _, r := range a.Deciding {
		if decided(r.Verdict) && r.Deciding.Launches > 0 {
			sum += math.Log1p(r.Deciding.Effect)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
