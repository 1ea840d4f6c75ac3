package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Pools is the table of a KindUnpool question: a line a pool.
func Pools(answers []study.PoolAnswer) Grid {
	g := Grid{Head: []string{"pool", "declared", "builds", "verdict", "benchmarks", "gets/op", "hits"}}
	several := false
	for _, a := range answers {
		several = several || len(a.Builds) > 0
		g.Add(a.Name, a.ID, strings.Join(a.Builds, " "), PoolVerdict(a), reachedBy(a),
			among(a.Uses, count, func(u study.PoolUse) (float64, bool) { return u.Gets, true }),
			among(a.Uses, share, func(u study.PoolUse) (float64, bool) { return u.Hits, u.Hits >= 0 }))
	}
	if !several {
		g.Drop(2)
	}
	return g
}

// Savings says of each pool what it saves an operation, or why it was not asked.
func Savings(answers []study.PoolAnswer) (lines []string) {
	var unreached, tested []string
	example := ""
	for _, a := range answers {
		name := fmt.Sprintf("%s (%s)", a.Name, strings.Join(append([]string{a.ID}, a.Builds...), " "))
		switch {
		case a.Trouble != "" || a.Reached > 0:
			figures, notes := Saving(a)
			lines = append(lines, name+": "+strings.Join(append([]string{"it " + figures}, notes...), ". "))
		case a.FromTest == "":
			unreached = append(unreached, name)
		default:
			tested = append(tested, name)
			example = fmt.Sprintf("poolproof try -unpool %s -from-test . %s", a.ID, a.FromTest)
		}
	}
	if len(unreached) > 0 {
		lines = append(lines, "no benchmark gets from "+strings.Join(unreached, ", "))
	}
	if len(tested) > 0 {
		lines = append(lines, "no benchmark, but tests get from "+strings.Join(tested, ", ")+"; to ask them: "+example)
	}
	return lines
}

// Patches are the commands that take out the pools which do not pay.
func Patches(answers []study.PoolAnswer) (lines []string) {
	for _, a := range answers {
		for _, u := range a.Uses {
			if u.Patch != "" && (a.Verdict == study.Negative || a.Verdict == study.NoChange) {
				lines = append(lines, fmt.Sprintf("%s: %s", strings.Join(append([]string{a.Name}, a.Builds...), " "), u.Apply))
				break
			}
		}
	}
	return lines
}

// PoolVerdict is the word for a pool.
func PoolVerdict(a study.PoolAnswer) string {
	switch {
	case a.Trouble != "":
		return "cannot be asked"
	case a.Verdict == "":
		return "not reached"
	case a.Isolated:
		return string(a.Verdict) + " (isolated)"
	}
	return string(a.Verdict)
}

func reachedBy(a study.PoolAnswer) string {
	if a.Open > 0 {
		return fmt.Sprintf("%d, %d open", a.Reached, a.Open)
	}
	return fmt.Sprint(a.Reached)
}

// Saving says what a pool saves an operation, from the benchmark where that is least to the
// one where it is most, as the rest of a sentence that begins with "it"; and what is to be
// known of the figures.
func Saving(a study.PoolAnswer) (figures string, notes []string) {
	if a.Trouble != "" {
		return "cannot be taken out: " + a.Trouble, nil
	}
	var bytes, allocs, times []float64
	for _, r := range a.Deciding {
		if r.Launches == 0 {
			continue
		}
		bytes = append(bytes, saved(r.Bytes))
		allocs = append(allocs, saved(r.Allocs))
		if r.Deciding.Launches > 0 {
			times = append(times, r.Deciding.Effect)
		}
	}
	if len(bytes) == 0 {
		why := ""
		for _, r := range a.Deciding {
			for _, reason := range r.Reasons {
				why = "; " + sentence(r, reason)
			}
		}
		return "was not measured" + why, nil
	}
	verb, of := savesOrCosts(bytes)
	second, many := savesOrCosts(allocs)
	if second == verb {
		second = ""
	}
	figures = verb + of + " B" + shareOf(a.Deciding) + " and " + second + many + " allocations an operation"
	if len(times) > 0 {
		figures += "; time " + Span(times, Change)
	}
	if names := askingOf(a.Uses); len(names) > 0 {
		notes = append(notes, "Without it fails "+strings.Join(names, ", ")+", which asks about the pool")
	}
	if a.Remark != "" {
		notes = append(notes, a.Remark)
	}
	if a.PlainOnly != "" {
		notes = append(notes, "Compared with a call of New in each Get only: "+a.PlainOnly)
	}
	return figures, notes
}

// savesOrCosts says whether a pool saves something, or costs it where no benchmark has less
// with it, and how much.
func savesOrCosts(saved []float64) (verb, much string) {
	if slices.Max(saved) > 0 || slices.Min(saved) == 0 {
		return "saves ", Span(saved, count)
	}
	costs := make([]float64, len(saved))
	for i, x := range saved {
		costs[i] = -x
	}
	return "costs ", Span(costs, count)
}

// shareOf is the share of the bytes that a pool saves; "" where it saves none.
func shareOf(results []study.Result) string {
	var all []float64
	for _, r := range results {
		if r.Launches > 0 && r.Bytes.Baseline > 0 {
			all = append(all, saved(r.Bytes)/r.Bytes.Baseline)
		}
	}
	if len(all) == 0 || slices.Max(all) <= 0 || slices.Min(all) < 0 {
		return ""
	}
	return " (" + Span(all, share) + " of all)"
}

// askingOf are the tests that are about the pool, and fail without it.
func askingOf(uses []study.PoolUse) (names []string) {
	for _, u := range uses {
		names = append(names, u.Asking...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// among is the span of a figure of those that have it; a dash where none has.
func among[T any](all []T, words func(float64) string, figure func(T) (x float64, ok bool)) string {
	var xs []float64
	for _, one := range all {
		if x, ok := figure(one); ok {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return Dash
	}
	return Span(xs, words)
}

// saved is by how much the pool lowers a counter; 0 where it is the same on both sides, or
// moved by what may be chance.
func saved(c study.Counter) float64 {
	if c.Equal || c.Unsteady {
		return 0
	}
	return c.Baseline - c.Candidate
}
