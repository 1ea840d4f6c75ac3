package campaign

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// draws is how often the kept launches of a benchmark are drawn in each setting.
const draws = 400

// againBudgets are the budgets that the draws have.
var againBudgets = []time.Duration{4 * time.Second, aaBudget, 15 * time.Second, 30 * time.Second}

// Again writes what the kept launches of a campaign say of its rule: what makes
// the launches of a benchmark differ, how the rule would have judged other draws
// of them, and where the collections fell. It measures nothing, and prints the
// same for the same folder.
func Again(w io.Writer, dir string) error {
	name := filepath.Join(dir, resultsFile)
	done, err := read(name, "")
	if err != nil {
		return err
	}
	kept, err := readLaunches(filepath.Join(dir, launches), done)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return fault.Option("dir", dir, "it has no launches of a campaign, in %s beside %s", launches, resultsFile)
	}
	var b strings.Builder
	a := again{w: &b, kept: kept, done: done}
	a.spread()
	a.same()
	a.onePercent()
	a.collections()
	_, err = io.WriteString(w, b.String())
	return err
}

// again prints the tables.
type again struct {
	w    *strings.Builder
	kept map[string][]study.Record // good launches of bursts, by task
	done map[string]Result
}

// readLaunches returns the good launches of bursts of each task.
func readLaunches(dir string, done map[string]Result) (map[string][]study.Record, error) {
	kept := map[string][]study.Record{}
	for _, id := range slices.Sorted(maps.Keys(done)) {
		f, err := os.Open(logOf(dir, id))
		if err != nil {
			continue // a task that keeps none: benchstat's, the long runs
		}
		rs, _, err := study.ReadRecords(f, f.Name())
		f.Close()
		if err != nil {
			return nil, err
		}
		for _, r := range rs {
			if r.Form == study.FormBursts && r.Status == study.StatusOK {
				kept[id] = append(kept[id], r)
			}
		}
	}
	return kept, nil
}

// of lists the launches of all tasks whose IDs begin so, in the order of the IDs.
func (a again) of(prefix string) (rs []study.Record) {
	for _, id := range slices.Sorted(maps.Keys(a.kept)) {
		if strings.HasPrefix(id, prefix) {
			rs = append(rs, a.kept[id]...)
		}
	}
	return rs
}

func (a again) spread() {
	fmt.Fprintf(a.w, "## What makes launches of a benchmark against itself differ\n\n"+
		"Spread is the standard deviation of M over launches. If a launch had no effect of its own, what its bursts explain would be all of it. "+
		"Least of four: the same launches, of each four neighbouring bursts of a side the shortest one.\n\n"+
		"| benchmark | launches | a launch | of it in bursts | clock | spread | bursts explain | least of four | bursts explain |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, bench := range aaBenches {
		rs := a.of(fmt.Sprintf("%s/%s/", SectionAA, bench))
		if len(rs) < 4 {
			continue
		}
		var seconds, bursts float64
		for _, r := range rs {
			seconds += r.Seconds / float64(len(rs))
			for _, side := range study.Sides {
				for _, ns := range r.Columns(side).Wall {
					bursts += float64(ns) / 1e9 / float64(len(rs))
				}
			}
		}
		whole, least := overAll(rs), overAll(leastOf(rs, 4))
		fmt.Fprintf(a.w, "| %s | %d | %.2f s | %.2f s | %s | %s | %s | %s | %s |\n", bench, len(rs), seconds, bursts, whole.Estimator.Clock,
			percents(mutatorOf(whole).LaunchSD), percents(mutatorOf(whole).WithinSE), percents(mutatorOf(least).LaunchSD), percents(mutatorOf(least).WithinSE))
	}
}

// mutatorOf is M on the clock that decided.
func mutatorOf(r study.Result) study.Estimate {
	if r.Estimator.Clock == study.CPU {
		return r.MCPU
	}
	return r.MWall
}

func (a again) same() {
	fmt.Fprintf(a.w, "\n## Other draws of these launches\n\n"+
		"A draw takes launches of all runs of a benchmark by chance, exchanges the sides by a coin, and ends when the budget is spent; the rule judges it. %d draws each. "+
		"The opening of a run gives the first comparison up to 15 s.\n\n"+
		"| benchmark | budget | NO CHANGE | false | least of four: NO CHANGE | false |\n|---|---|---|---|---|---|\n", draws)
	sum := map[time.Duration][4]float64{}
	rows := 0.0
	for _, bench := range aaBenches {
		rs := a.of(fmt.Sprintf("%s/%s/", SectionAA, bench))
		if len(rs) < 4 {
			continue
		}
		rows++
		for _, budget := range againBudgets {
			var got [4]float64
			for i, rs := range [][]study.Record{rs, leastOf(rs, 4)} {
				for class, n := range drawn(rs, budget, true) {
					switch class {
					case study.Same:
						got[2*i] += float64(n) / draws
					case study.Better, study.Worse:
						got[2*i+1] += float64(n) / draws
					}
				}
			}
			a.drawRow(bench, budget, got)
			total := sum[budget]
			for i := range got {
				total[i] += got[i]
			}
			sum[budget] = total
		}
	}
	for _, budget := range againBudgets {
		got := sum[budget]
		for i := range got {
			got[i] /= rows
		}
		a.drawRow("**all**", budget, got)
	}
}

func (a again) drawRow(name string, budget time.Duration, got [4]float64) {
	fmt.Fprintf(a.w, "| %s | %s |", name, budget)
	for _, x := range got {
		fmt.Fprintf(a.w, " %s |", percents(x))
	}
	a.w.WriteString("\n")
}

func (a again) onePercent() {
	fmt.Fprintf(a.w, "\n## 1 %% more work, drawn again\n\n"+
		"Over launches is the mean of the deciding number over all kept launches, with its interval at 5 %%. Classes of time of %d draws as above, the sides as they were.\n\n"+
		"| code | budget | over launches | spread | worse | same | not decided | better |\n|---|---|---|---|---|---|---|---|\n", draws)
	for _, e := range effects {
		rs := a.of(fmt.Sprintf("%s/%s/%d/", SectionEffect, e.kind, e.extra))
		if e.extra != 1 || len(rs) < 4 {
			continue
		}
		all := overAll(rs)
		m := all.Deciding
		half := 1.96 * m.LaunchSD / math.Sqrt(float64(m.Launches)) // of some hundred launches
		n := drawn(rs, e.budget, false)
		part := func(cs ...study.Class) string {
			sum := 0
			for _, c := range cs {
				sum += n[c]
			}
			return percents(float64(sum) / draws)
		}
		fmt.Fprintf(a.w, "| %s +1 %% | %s | %+.2f %% (%+.2f to %+.2f) | %s | %s | %s | %s | %s |\n", e.kind, e.budget,
			100*m.Effect, 100*(m.Effect-half), 100*(m.Effect+half), percents(m.LaunchSD),
			part(study.Worse), part(study.Same), part(study.Unresolved, study.NotWorse), part(study.Better))
	}
}

func (a again) collections() {
	fmt.Fprintf(a.w, "\n## Where the collections fell\n\n"+
		"With what fell after the bursts: T wall, had the program waited for the CPU time that its collector took while the process drained. "+
		"Most: where the result says that most of what the collections of a side cost fell there.\n\n"+
		"| pair | cell | truth | T wall | with what fell after the bursts | most |\n|---|---|---|---|---|---|\n")
	for _, id := range slices.Sorted(maps.Keys(a.kept)) {
		t, ok := taskOf(id)
		rs := a.kept[id]
		if !ok || t.Section != SectionGarbage || len(rs) == 0 {
			continue
		}
		whole, paid := judge(rs, stat.DefaultRule()), judge(drained(rs), stat.DefaultRule())
		most := "-"
		for _, why := range whole.Reasons {
			if why.Code == study.ReasonUnpaid {
				most = fmt.Sprintf("%s, %.0f %%", why.Side, 100*why.Share)
			}
		}
		fmt.Fprintf(a.w, "| %s | %s | %+.1f %% | %+.1f %% | %+.1f %% | %s |\n", t.Bench, strings.Join(t.Cell, " "),
			100*a.done[t.Pair].Effect, 100*whole.TWall.Effect, 100*paid.TWall.Effect, most)
	}
}

// overAll is judge with one look, at all launches.
func overAll(rs []study.Record) study.Result {
	rule := stat.DefaultRule()
	rule.Screen, rule.Looks = 0, []int{len(rs)}
	return judge(rs, rule)
}

// judge is the rule's judgement of launches as if they were of one comparison.
func judge(rs []study.Record, rule study.Rule) study.Result {
	p := planOf(rs[0].Go, rule)
	c, digest := p.Comparisons[0], p.Digest()
	own := slices.Clone(rs)
	for i := range own {
		own[i].Plan, own[i].Comparison, own[i].Layout, own[i].Launch = digest, c.ID, 0, i
	}
	v, err := stat.JudgeOne(p, c.ID, own)
	if err != nil {
		panic(err) // records that a campaign has judged before
	}
	return v
}

// planOf is a plan of one comparison, without padded builds.
func planOf(toolchain string, rule study.Rule) study.Plan {
	rule.PaddedLooks = nil
	return study.Plan{
		Schema: study.Schema, Kind: study.KindAA, Engine: study.EngineDuet, Toolchain: toolchain, Machine: study.Machine{Cores: 2},
		Rule: rule, Comparisons: []study.Comparison{{ID: "again", Benchmark: "again", Arm: "again", Baseline: "itself"}},
	}
}

// drawn counts the classes of time that the rule gives to draws of launches.
func drawn(rs []study.Record, budget time.Duration, coin bool) map[study.Class]int {
	rng := rand.New(rand.NewPCG(uint64(len(rs)), uint64(budget)))
	classes := map[study.Class]int{}
	for range draws {
		var own []study.Record
		for spent := 0.0; ; {
			r := rs[rng.IntN(len(rs))]
			if spent += r.Seconds; spent > budget.Seconds() {
				break
			}
			if coin && rng.IntN(2) == 1 {
				r.Baseline, r.Candidate = r.Candidate, r.Baseline
			}
			own = append(own, r)
		}
		if len(own) == 0 {
			classes[study.Unresolved]++
			continue
		}
		classes[judge(own, stat.DefaultRule()).Time]++
	}
	return classes
}

// leastOf keeps of each k neighbouring bursts of a side the shortest one.
func leastOf(rs []study.Record, k int) []study.Record {
	out := slices.Clone(rs)
	for i := range out {
		r := &out[i]
		groups := r.Baseline.Len() / k
		r.CandidateFirst = r.CandidateFirst[:groups]
		for _, side := range study.Sides {
			from, to := *rs[i].Columns(side), study.Columns{}
			for g := range groups {
				least := g * k
				for j := g*k + 1; j < (g+1)*k; j++ {
					if from.Wall[j] < from.Wall[least] {
						least = j
					}
				}
				to.Append(study.Burst{
					Seen: study.SeenInside, Wall: from.Wall[least], CPU: from.CPU[least], Drain: from.Drain[least], DrainW: from.DrainW[least],
					Allocs: from.Allocs[least], Bytes: from.Bytes[least], GCs: from.GCs[least], GCCPU: from.GCCPU[least], Pause: from.Pause[least], Heap: from.Heap[least],
				})
			}
			*r.Columns(side) = to
		}
	}
	return out
}

// drained charges the CPU time of each drain to its burst's wall time.
func drained(rs []study.Record) []study.Record {
	out := slices.Clone(rs)
	for i := range out {
		for _, side := range study.Sides {
			c := out[i].Columns(side)
			c.Wall = slices.Clone(c.Wall)
			for j := range min(len(c.Wall), len(c.Drain)) {
				c.Wall[j] += c.Drain[j]
			}
		}
	}
	return out
}

// percents renders a share.
func percents(x float64) string {
	if x >= 0.0995 {
		return fmt.Sprintf("%.0f %%", 100*x)
	}
	return fmt.Sprintf("%.2f %%", 100*x)
}
