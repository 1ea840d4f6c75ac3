//go:build linux

package cost

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
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

// quantity is one number of a usage, as a table has it.
type quantity struct {
	name, unit string
	format     string // of the plain binary's
	of         func(usage) float64
}

var (
	cpu  = quantity{"CPU", "s", "%.2f", func(u usage) float64 { return u.CPU }}
	wall = quantity{"wall clock", "s", "%.2f", func(u usage) float64 { return u.Wall }}
	rss  = quantity{"RSS", "MiB", "%.0f", func(u usage) float64 { return u.RSS }}
)

// ratio is how many times as much a mode takes as another, in one round.
func (q quantity) ratio(m, to suite.Mode) func(round) float64 {
	return func(r round) float64 { return q.of(r[m]) / q.of(r[to]) }
}

// instrumented are the modes that are compared with the plain one, in the order of columns.
var instrumented = []suite.Mode{floor, second, suite.Fast, suite.Exact, suite.Race}

// print writes the tables of all subjects that were measured.
func print(w io.Writer, done map[string]*measurement) {
	var tests, benchmarks []*measurement
	started := map[string]bool{} // which binaries are in the table of starts
	for _, s := range subjects {
		switch m := done[s.String()]; {
		case m == nil:
		case s.bench == "":
			tests = append(tests, m)
		default:
			benchmarks = append(benchmarks, m)
		}
	}
	for _, q := range []quantity{cpu, wall, rss} {
		q.head(w)
		q.print(w, tests)
		q.print(w, benchmarks)
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| binary of | start, plain, ms | floor, ms more | second, ms more | fast, ms more | exact, ms more | race, ms more |\n|---|---|---|---|---|---|---|\n")
	for _, m := range slices.Concat(tests, benchmarks) {
		path, _, _ := strings.Cut(m.Subject, " ")
		if len(m.Starts) == 0 || started[path] {
			continue
		}
		started[path] = true
		fmt.Fprintf(w, "| %s | %.1f |", path, 1000*median(each(m.Starts, func(r round) float64 { return r[suite.Plain].Wall })))
		for _, mode := range instrumented {
			e := estimated(each(m.Starts, func(r round) float64 { return 1000 * (r[mode].Wall - r[suite.Plain].Wall) }))
			fmt.Fprintf(w, " %.1f (%.1f–%.1f) |", e.mid, e.low, e.high)
		}
		fmt.Fprintln(w)
	}
}

// printPage writes the medians that a user wants to know: of all subjects, and of those that are
// tests.
func printPage(w io.Writer, done map[string]*measurement) {
	var tests, all []*measurement
	for _, s := range subjects {
		if m := done[s.String()]; m != nil {
			all = append(all, m)
			if s.bench == "" {
				tests = append(tests, m)
			}
		}
	}
	fmt.Fprintf(w, "| CPU time, `go test` = 1 | %d test suites | with %d benchmarks |\n|---|---|---|\n", len(tests), len(all)-len(tests))
	for _, row := range []struct {
		name string
		mode suite.Mode
	}{{"`poolproof test -mode fast`", suite.Fast}, {"`poolproof test` (exact)", suite.Exact}, {"its second pass", second}, {"`go test -race`, for comparison", suite.Race}} {
		of := func(of []*measurement) float64 {
			var mids []float64
			for _, m := range of {
				mids = append(mids, median(each(m.Rounds, cpu.ratio(row.mode, suite.Plain))))
			}
			return median(mids)
		}
		fmt.Fprintf(w, "| %s | %.1f | %.1f |\n", row.name, of(tests), of(all))
	}
}

func (q quantity) head(w io.Writer) {
	fmt.Fprintf(w, "| %s of | plain, %s | floor | second | fast | exact | race | exact / race |\n|---|---|---|---|---|---|---|---|\n", q.name, q.unit)
}

// print writes rows of one quantity: what the plain binary takes, and the others
// as multiples of that, and the median of each.
func (q quantity) print(w io.Writer, measured []*measurement) {
	if len(measured) == 0 {
		return
	}
	mids := map[suite.Mode][]float64{}
	for _, m := range measured {
		fmt.Fprintf(w, "| %s | "+q.format+" |", m.Subject, median(each(m.Rounds, func(r round) float64 { return q.of(r[suite.Plain]) })))
		for _, mode := range instrumented {
			e := estimated(each(m.Rounds, q.ratio(mode, suite.Plain)))
			mids[mode] = append(mids[mode], e.mid)
			fmt.Fprintf(w, " %s |", e)
		}
		fmt.Fprintf(w, " %s |\n", estimated(each(m.Rounds, q.ratio(suite.Exact, suite.Race))))
	}
	fmt.Fprintf(w, "| **median of these %d** | |", len(measured))
	for _, mode := range instrumented {
		fmt.Fprintf(w, " **%.2f** |", median(mids[mode]))
	}
	fmt.Fprintln(w, " |")
}
