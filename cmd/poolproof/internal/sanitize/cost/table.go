//go:build linux

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/modules/suite"
)

// estimate is a median, with the interval that holds it at 95 %.
type estimate struct{ mid, low, high float64 }

func (e estimate) String() string { return fmt.Sprintf("%.2f (%.2f–%.2f)", e.mid, e.low, e.high) }

// resamples is how often estimated draws the rounds again.
const resamples = 10000

// estimated is the median of the rounds, with a percentile bootstrap over them.
// The draws are the same in each run.
func estimated(x []float64) estimate {
	rng := rand.New(rand.NewPCG(1, uint64(len(x))))
	mids, draw := make([]float64, resamples), make([]float64, len(x))
	for i := range mids {
		for k := range draw {
			draw[k] = x[rng.IntN(len(x))]
		}
		mids[i] = median(draw)
	}
	slices.Sort(mids)
	return estimate{median(x), mids[resamples/40], mids[resamples-1-resamples/40]}
}

// median of numbers, NaN without any.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// each takes one number of each round.
func each(rounds []round, of func(round) float64) (x []float64) {
	for _, r := range rounds {
		x = append(x, of(r))
	}
	return x
}

func cpuRatio(m suite.Mode) func(round) float64 {
	return func(r round) float64 { return r[m].CPU / r[suite.Plain].CPU }
}

func rssRatio(m suite.Mode) func(round) float64 {
	return func(r round) float64 { return r[m].RSS / r[suite.Plain].RSS }
}

// print writes the tables of all subjects that were measured.
func print(w io.Writer, done map[string]*measurement) {
	fmt.Fprintf(w, "| work | plain, CPU s | fast | exact | race | exact / race | RSS plain, MiB | fast | exact | race |\n|---|%s\n", "---|---|---|---|---|---|---|---|---|")
	mids := map[suite.Mode][]float64{}
	rss := map[suite.Mode][]float64{}
	for _, s := range subjects {
		m := done[s.String()]
		if m == nil {
			continue
		}
		fmt.Fprintf(w, "| %s | %.2f |", s, median(each(m.Rounds, func(r round) float64 { return r[suite.Plain].CPU })))
		for _, mode := range []suite.Mode{suite.Fast, suite.Exact, suite.Race} {
			e := estimated(each(m.Rounds, cpuRatio(mode)))
			mids[mode] = append(mids[mode], e.mid)
			fmt.Fprintf(w, " %s |", e)
		}
		fmt.Fprintf(w, " %s | %.0f |", estimated(each(m.Rounds, func(r round) float64 { return r[suite.Exact].CPU / r[suite.Race].CPU })),
			median(each(m.Rounds, func(r round) float64 { return r[suite.Plain].RSS })))
		for _, mode := range []suite.Mode{suite.Fast, suite.Exact, suite.Race} {
			e := estimated(each(m.Rounds, rssRatio(mode)))
			rss[mode] = append(rss[mode], e.mid)
			fmt.Fprintf(w, " %s |", e)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "| **median of %d** | | **%.2f** | **%.2f** | **%.2f** | | | **%.2f** | **%.2f** | **%.2f** |\n\n", len(mids[suite.Exact]),
		median(mids[suite.Fast]), median(mids[suite.Exact]), median(mids[suite.Race]),
		median(rss[suite.Fast]), median(rss[suite.Exact]), median(rss[suite.Race]))
	fmt.Fprint(w, "| binary of | start, plain, ms | fast, ms more | exact, ms more | race, ms more |\n|---|---|---|---|---|\n")
	for _, s := range subjects {
		m := done[s.String()]
		if m == nil || len(m.Starts) == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | %.1f |", s, 1000*median(each(m.Starts, func(r round) float64 { return r[suite.Plain].Wall })))
		for _, mode := range []suite.Mode{suite.Fast, suite.Exact, suite.Race} {
			e := estimated(each(m.Starts, func(r round) float64 { return 1000 * (r[mode].Wall - r[suite.Plain].Wall) }))
			fmt.Fprintf(w, " %.1f (%.1f–%.1f) |", e.mid, e.low, e.high)
		}
		fmt.Fprintln(w)
	}
}
