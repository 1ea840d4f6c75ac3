package stat

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Pools judges the pools of a KindUnpool question, the least useful first; those that
// nothing is known of come last.
//
// A pool is compared with the best program that does without it: where the code that
// one would write without the pool is as fast as the pool, the pool saves nothing,
// however much slower a call of New in each Get is.
//
// The verdict files are of the packages whose benchmarks were asked; a pool that several
// of them reach has one answer. One whose cells have builds of their own has an answer
// for each of these.
func Pools(files ...study.VerdictFile) []study.PoolAnswer {
	var order []*poolResults
	known := map[string]*poolResults{}
	for _, v := range files {
		for _, pool := range v.Plan.Pools {
			for _, builds := range buildsOf(v.Plan, pool.ID) {
				key := pool.ID + " " + strings.Join(builds, " ")
				p := known[key]
				if p == nil {
					p = &poolResults{PoolAnswer: study.PoolAnswer{ListedPool: pool, Builds: builds}}
					known[key] = p
					order = append(order, p)
				} else {
					p.Reached += pool.Reached
				}
				p.add(v)
			}
		}
	}
	var all []study.PoolAnswer
	for _, p := range order {
		all = append(all, p.answer())
	}
	slices.SortStableFunc(all, func(a, b study.PoolAnswer) int {
		return cmp.Or(cmp.Compare(usefulness(a.Verdict), usefulness(b.Verdict)), -cmp.Compare(saves(a), saves(b)))
	})
	return all
}

// buildsOf lists the settings of builds under which a pool is asked about; one that is
// empty, where it is not or where the cells have none.
func buildsOf(p study.Plan, pool string) (all [][]string) {
	for _, c := range p.Comparisons {
		if builds, _ := study.Settings(c.Cell); c.Pool != nil && c.Pool.ID == pool &&
			!slices.ContainsFunc(all, func(b []string) bool { return slices.Equal(b, builds) }) {
			all = append(all, builds)
		}
	}
	if all == nil {
		return [][]string{nil}
	}
	return all
}

// poolResults collects what the comparisons of one pool say.
type poolResults struct {
	study.PoolAnswer
	alone []bool // of Deciding: the benchmark is isolated
}

// add takes in the comparisons of a verdict file. Of the two forms of a benchmark and
// cell the one stays that says less in favour of the pool.
func (p *poolResults) add(v study.VerdictFile) {
	at := map[string]int{} // index in Deciding, by benchmark and cell
	for i, c := range v.Plan.Comparisons {
		if builds, _ := study.Settings(c.Cell); c.Pool == nil || c.Pool.ID != p.ID || !slices.Equal(builds, p.Builds) {
			continue
		}
		r, where := v.Results[i], c.Benchmark+" "+strings.Join(c.Cell, " ")
		j, known := at[where]
		switch {
		case !known:
			at[where] = len(p.Deciding)
			p.Deciding, p.Uses, p.alone = append(p.Deciding, r), append(p.Uses, *c.Pool), append(p.alone, c.Isolated)
		case less(r, p.Deciding[j]):
			p.Deciding[j], p.Uses[j] = r, *c.Pool
		}
	}
}

// answer is the verdict of all.
func (p *poolResults) answer() study.PoolAnswer {
	a := p.PoolAnswer
	a.Verdict, a.Isolated, a.Open = answered(a.Deciding, p.alone)
	return a
}

// answered returns the verdict of results together, and how many of those that count have no answer. An
// isolated benchmark never decides beside others.
func answered(results []study.Result, alone []bool) (v study.Verdict, isolated bool, open int) {
	isolated = len(results) > 0 && !slices.Contains(alone, false)
	var counted []study.Result
	for i, r := range results {
		if alone[i] && !isolated {
			continue
		}
		if !r.Verdict.Decided() {
			open++
		}
		counted = append(counted, r)
	}
	return together(counted), isolated, open
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
// have no answer or see no change; a trade-off where they disagree, also where one
// pays and another, whose time has no answer, costs memory.
func together(results []study.Result) study.Verdict {
	has := func(v study.Verdict) bool {
		return slices.ContainsFunc(results, func(r study.Result) bool { return r.Verdict == v })
	}
	costs := slices.ContainsFunc(results, func(r study.Result) bool { return r.Memory == study.Worse })
	switch {
	case len(results) == 0:
		return ""
	case has(study.Unsafe):
		return study.Unsafe
	case has(study.TradeOff), has(study.Positive) && (has(study.Negative) || costs):
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
func saves(a study.PoolAnswer) float64 { return meanChange(a.Deciding) }

// meanChange is the mean of the logarithms of the candidates' time to that of the baselines.
func meanChange(results []study.Result) float64 {
	sum, n := 0.0, 0
	for _, r := range results {
		if r.Verdict.Decided() && r.Deciding.Launches > 0 {
			sum += math.Log1p(r.Deciding.Effect)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// Variants judges the variants of a KindSite question, the best first. Those that nothing is
// known of come last, and sites without any variant after them.
func Variants(v study.VerdictFile) []study.VariantAnswer {
	var all []study.VariantAnswer
	for _, listed := range v.Plan.Variants {
		a := study.VariantAnswer{ListedVariant: listed}
		var alone []bool
		for i, c := range v.Plan.Comparisons {
			if c.Variant == listed.ID && i < len(v.Results) {
				a.Results, alone = append(a.Results, v.Results[i]), append(alone, c.Isolated)
			}
		}
		a.Verdict, a.Isolated, _ = answered(a.Results, alone)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b study.VariantAnswer) int {
		return cmp.Or(cmp.Compare(worth(a), worth(b)), cmp.Compare(meanChange(a.Results), meanChange(b.Results)))
	})
	return all
}

// worth orders variants, from one that pays.
func worth(a study.VariantAnswer) int {
	switch {
	case a.None != "":
		return 100
	case a.Verdict == study.Positive && !a.Isolated:
		return 0
	}
	return 1 + slices.Index([]study.Verdict{
		study.Positive, study.TradeOff, study.Inconclusive, study.NoChange, study.Negative, study.Unsafe, study.Invalid, study.NotMeasured, "",
	}, a.Verdict)
}
