package campaign

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Summary counts the results of a campaign so far.
type Summary struct {
	Done  int
	Tasks int
	Spent time.Duration

	tasks []Task
	done  map[string]Result
}

func summarise(tasks []Task, done map[string]Result) Summary {
	s := Summary{Tasks: len(tasks), tasks: tasks, done: done}
	for _, t := range tasks {
		if r, ok := done[t.ID]; ok {
			s.Done++
			s.Spent += time.Duration(r.Spent)
		}
	}
	return s
}

func (s Summary) write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := s.Markdown(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Markdown writes the summary as tables.
func (s Summary) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d tasks done, %s measured, by rule %d%s.\n", s.Done, s.Tasks, s.Spent.Round(time.Second), s.rule(), s.where())
	if s.has(SectionAsk) {
		s.whole(&b)
	} else {
		s.same(&b)
		s.effects(&b)
		s.garbage(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// any is one of the results, which are all of one rule and machine.
func (s Summary) any() (r Result) {
	for _, r = range s.done {
		break
	}
	return r
}

// has reports whether some task is of the section.
func (s Summary) has(section Section) bool {
	return slices.ContainsFunc(s.tasks, func(t Task) bool { return t.Section == section })
}

// rule is the version of the rule that judged.
func (s Summary) rule() int { return max(1, s.any().Rule) }

// where says what was measured on, where the results do.
func (s Summary) where() string {
	r := s.any()
	if r.Toolchain == "" {
		return ""
	}
	return fmt.Sprintf(", %s, %s, %d cores", r.Toolchain, r.Machine.CPU, r.Machine.Cores)
}

// sameRow is a row of the table of benchmarks against themselves.
type sameRow struct {
	name   string
	counts func(Task, Result) bool
}

// sameRows are a row for each benchmark, one for all, and one for those whose
// bursts mostly hold no collection.
func sameRows() []sameRow {
	var rows []sameRow
	for _, bench := range aaBenches {
		rows = append(rows, sameRow{bench, func(t Task, _ Result) bool { return t.Bench == bench }})
	}
	return append(rows,
		sameRow{"**all**", func(Task, Result) bool { return true }},
		sameRow{"**less than a collection in a burst**", func(_ Task, r Result) bool { return r.Collects != nil && *r.Collects < 1 }})
}

// same tabulates the comparisons of a benchmark with itself.
func (s Summary) same(b *strings.Builder) {
	b.WriteString("\n## A benchmark against itself\n\nFalse is POSITIVE or NEGATIVE; for benchstat, p < 0.05. Error is the root mean square of the effects.\n\n")
	b.WriteString("| benchmark | conditions | runs | false | NO CHANGE | INCONCLUSIVE | error | time a run |\n|---|---|---|---|---|---|---|---|\n")
	for _, row := range sameRows() {
		for _, section := range []Section{SectionAA, SectionNeighbours, SectionBenchstat} {
			var n, wrong, same, open int
			var squares float64
			var spent time.Duration
			for _, t := range s.tasks {
				r, ok := s.done[t.ID]
				if !ok || t.Section != section || !row.counts(t, r) {
					continue
				}
				n++
				squares += math.Pow(math.Log1p(r.Effect), 2)
				spent += time.Duration(r.Spent)
				switch {
				case section == SectionBenchstat && r.P < 0.05, r.Verdict == study.Positive, r.Verdict == study.Negative, r.Verdict == study.TradeOff:
					wrong++
				case section == SectionBenchstat, r.Verdict == study.NoChange:
					same++
				default:
					open++
				}
			}
			if n == 0 {
				continue
			}
			how := map[Section]string{SectionAA: "alone", SectionNeighbours: "two bursty neighbours", SectionBenchstat: "alone, by benchstat"}[section]
			fmt.Fprintf(b, "| %s | %s | %d | %d | %.0f %% | %d | %.2f %% | %.1f s |\n", row.name, how, n, wrong,
				100*float64(same)/float64(n), open, 100*math.Sqrt(squares/float64(n)), (spent / time.Duration(n)).Seconds())
		}
	}
}

// effects tabulates the known effects, a row for each with its budget.
func (s Summary) effects(b *strings.Builder) {
	b.WriteString("\n## Known effects\n\nRight, by the class of time, is `same` at 1 % and `worse` from 3 % on; 2 % lies on the band and is only shown. Time is what was spent before the rule decided. Padded builds are not asked here.\n\n")
	b.WriteString("| code | effect | budget | runs | right | worse | same | unresolved | better | NEGATIVE | NO CHANGE | INCONCLUSIVE | other | found | time a run |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	type tally struct {
		classes  map[study.Class]int
		verdicts map[study.Verdict]int
		n        int
		sum      float64
		spent    time.Duration
	}
	tallies := map[effect]*tally{}
	var rows []effect
	for _, t := range s.tasks {
		r, ok := s.done[t.ID]
		if !ok || t.Section != SectionEffect {
			continue
		}
		e := effect{t.Bench, t.Extra, t.Budget}
		if tallies[e] == nil {
			tallies[e] = &tally{classes: map[study.Class]int{}, verdicts: map[study.Verdict]int{}}
			rows = append(rows, e)
		}
		class := r.Time
		if class == study.NotWorse {
			class = study.Unresolved
		}
		c := tallies[e]
		c.classes[class]++
		c.verdicts[r.Verdict]++
		c.n++
		c.sum += r.Effect
		c.spent += time.Duration(r.Spent)
	}
	slices.SortFunc(rows, func(a, b effect) int {
		return cmp.Or(-cmp.Compare(a.kind, b.kind), cmp.Compare(a.extra, b.extra), cmp.Compare(a.budget, b.budget))
	})
	for _, e := range rows {
		c := tallies[e]
		right := "-"
		switch {
		case e.extra == 1:
			right = share100(c.classes[study.Same], c.n)
		case e.extra >= 3:
			right = share100(c.classes[study.Worse], c.n)
		}
		known := c.verdicts[study.Negative] + c.verdicts[study.NoChange] + c.verdicts[study.Inconclusive]
		fmt.Fprintf(b, "| %s | +%d %% | %s | %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %+.1f %% | %.1f s |\n", e.kind, e.extra, e.budget, c.n, right,
			c.classes[study.Worse], c.classes[study.Same], c.classes[study.Unresolved], c.classes[study.Better],
			c.verdicts[study.Negative], c.verdicts[study.NoChange], c.verdicts[study.Inconclusive], c.n-known,
			100*c.sum/float64(c.n), (c.spent / time.Duration(c.n)).Seconds())
	}
}

// share100 is a share in percent.
func share100(part, whole int) string {
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// garbage tabulates the cells of known garbage.
func (s Summary) garbage(b *strings.Builder) {
	count := map[string]int{}
	b.WriteString("\n## Less garbage for more work\n\nThe truth is the median of ten pairs of long runs of the uninstrumented binary. A direction is wrong if the time class contradicts a truth whose interval lies outside of the band.\n\n")
	b.WriteString("| pair | cell | truth | between collections | found | by | class | direction |\n|---|---|---|---|---|---|---|---|\n")
	for _, t := range s.tasks {
		r, ok := s.done[t.ID]
		truth, known := s.done[t.Pair]
		if !ok || !known || t.Section != SectionGarbage {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %+.1f %% (%+.1f to %+.1f) | %+.1f %% | %+.1f %% (%+.1f to %+.1f) | %s | %s | %s |\n",
			t.Bench, strings.Join(t.Cell, " "), 100*truth.Effect, 100*truth.Lo, 100*truth.Hi, 100*r.Mutator,
			100*r.Effect, 100*r.Lo, 100*r.Hi, r.Estimator, r.Time, direction(r, truth))
		count[direction(r, truth)]++
	}
	if right, wrong, missed, open := count["right"], count["**wrong**"], count["**missed**"], count["open"]; right+wrong+missed+open > 0 {
		fmt.Fprintf(b, "\nOf %d cells %d are right, %d wrong, %d missed and %d open.\n", right+wrong+missed+open, right, wrong, missed, open)
	}
}

// direction says whether a result goes the way that the truth goes.
func direction(r, truth Result) string {
	switch {
	case truth.Lo > band && r.Time == study.Better, truth.Hi < -band && r.Time == study.Worse:
		return "**wrong**"
	case (truth.Lo > band || truth.Hi < -band) && r.Time == study.Same:
		return "**missed**"
	case truth.Effect*r.Effect < 0 && math.Abs(truth.Effect) > band && math.Abs(r.Effect) > band:
		return "**wrong**"
	case r.Time == study.Unresolved || r.Time == study.NotWorse:
		return "open"
	default:
		return "right"
	}
}
