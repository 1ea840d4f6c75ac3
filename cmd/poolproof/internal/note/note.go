// Package note prints VERDICT.md, the note of a run or of a study, and the table of
// all studies. Both depend on their values alone, so that a note can be printed again
// from the verdict.json that is committed beside it.
package note

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Write writes VERDICT.md: an engineering note that begins with its conclusion,
// then has status, goal, summary, results, ranked alternatives, reasons, method and recommendations. The
// study's prose stands where it has some; elsewhere the section states facts
// of the verdict file, or is left out. Earlier measurements of the study, the oldest
// first, stand beside this one.
func Write(w io.Writer, v study.VerdictFile, now Versions, earlier ...study.Earlier) error {
	n := note{v: v, now: now, earlier: earlier, rows: words.Rows(v), study: words.FileOf(v)}
	n.cells = words.SeveralCells(n.rows)
	n.head()
	n.prose("Conclusion", n.study.Prose.Conclusion)
	n.goal()
	n.summary()
	if v.Plan.Kind == study.KindAA {
		n.floor()
	} else {
		n.results()
		n.again()
		n.alternatives()
	}
	n.why()
	n.method()
	n.recommendations()
	_, err := io.WriteString(w, strings.TrimRight(n.String(), "\n")+"\n")
	return err
}

func (n *note) head() {
	n.printf("# %s\n", words.TitleOf(n.v))
	if text := conclude(n.v, n.earlier...); text != "" {
		n.printf("%s\n", text)
	}
	n.printf("Status: %s\n", words.StatusOf(n.v))
	var dates []string
	if n.study.Date != "" {
		dates = append(dates, n.study.Date+" (design)")
	}
	if !n.v.Started.IsZero() {
		dates = append(dates, n.v.Started.Format(time.DateOnly)+" (measured)")
	}
	if len(dates) > 0 {
		n.printf("Date: %s\n", strings.Join(dates, ", "))
	}
	if n.v.Plan.Program != (study.Program{}) { // else it was made by hand
		text, _ := standing(n.v, n.now)
		n.printf("%s\n", text)
	}
	if again := words.JudgedAnew(n.v); again != "" {
		n.printf("%s\n", again)
	}
	if old := words.Stale(n.v); len(old) > 0 {
		n.printf("**Warning**: the text of this note was written for other verdicts than those measured here:\n")
		for _, s := range old {
			n.printf("- %s", s)
		}
		n.printf("")
	}
}

func (n *note) goal() {
	hypothesis := n.study.Hypothesis
	if n.study.Prose.Goal == "" && n.study.Question == "" && hypothesis == "" {
		return
	}
	n.heading("Goal")
	for _, s := range []string{n.study.Prose.Goal, n.study.Question} {
		if s = strings.TrimSpace(s); s != "" {
			n.printf("%s\n", s)
		}
	}
	if hypothesis != "" {
		whose := "Hypothesis"
		if n.study.Source != "" {
			whose += " as published"
		}
		n.printf("%s: %s\n", whose, words.Clauses([]string{hypothesis}))
	}
	if n.study.Source != "" {
		n.printf("Source: %s\n", n.study.Source)
	}
}

// summary gives each benchmark's best arm and the number of verdicts, and what
// became of the claims.
func (n *note) summary() {
	n.heading("Summary")
	if n.v.Plan.Kind == study.KindAA {
		n.printf("%s\n", words.ToldApart(n.rows))
		return
	}
	if words.OneArm(n.v.Plan) {
		n.byVerdict()
	} else {
		for _, b := range words.BenchmarksOf(n.rows) {
			of := words.OfBenchmark(n.rows, b)
			n.printf("- **%s**: %s.%s", cellText(b), words.Tally(words.ResultsOf(of)), best(of, n.cells))
		}
	}
	for _, w := range words.Wholes(n.v.Results) {
		n.printf("- Over all benchmarks **%s**: %s.", w.Verdict, cellText(w.String()))
	}
	if len(n.rows) > 0 {
		n.printf("")
	}
	if len(n.v.Claims) > 0 {
		n.printf("%s", claimSection(n.v.Claims))
	}
	n.expectations()
}

// byVerdict names the benchmarks that have each verdict, where each has one arm.
// What was not measured has a section of its own.
func (n *note) byVerdict() {
	for _, v := range rank.Order {
		var names []string
		for _, r := range n.rows {
			if r.Verdict == v {
				names = append(names, cellText(r.Name(n.cells)))
			}
		}
		switch {
		case len(names) == 0:
		case v == study.NotMeasured:
			n.printf("- %d not measured.", len(names))
		default:
			n.printf("- **%s**: %s.", v, strings.Join(names, ", "))
		}
	}
}

// expectations says how the verdicts compare with the study's.
func (n *note) expectations() {
	held := words.Expectations(n.rows)
	if held.Asked == 0 {
		return
	}
	n.printf("%s\n", held)
	n.told("Not as expected", words.Unexpected(n.rows))
	n.told("Expected otherwise before the first measurement was seen", words.Revised(n.rows))
}

// best names the POSITIVE arm with the largest gain of time.
func best(rs []words.Row, cells bool) string {
	var top *words.Row
	for i, r := range rs {
		if r.Verdict == study.Positive && (top == nil || r.Deciding.Effect < top.Deciding.Effect) {
			top = &rs[i]
		}
	}
	if top == nil {
		return ""
	}
	s := fmt.Sprintf(" Best: `%s` against `%s`", top.Arm, top.Baseline)
	if cells && len(top.Cell) > 0 { // a benchmark may have none where others have
		s += fmt.Sprintf(" at %s", top.CellName())
	}
	s += fmt.Sprintf(", time %s, B/op %s, allocs/op %s.", top.Change(), top.BytesPerOp(), top.AllocsPerOp())
	if top.Isolated {
		s += " Isolated: the code under study is all that this benchmark does."
	}
	return s
}

// why is the study's explanation, and the judge's of what is not decided. What the
// other verdicts rest on stands in their rows, and in full in verdict.json.
func (n *note) why() {
	rs, broken, missing := words.Doubts(n.rows), words.Failed(n.v, n.rows), words.NotMeasured(n.rows)
	prose := strings.TrimSpace(n.study.Prose.Why)
	if len(rs)+len(broken)+len(missing) == 0 && prose == "" {
		return
	}
	n.heading("Why")
	if prose != "" {
		n.printf("%s\n", prose)
	}
	n.told("Not decided", rs)
	n.told("These fail, and are not measured", broken)
	n.told("Not measured", missing)
}

// recommendations are the study's, or what the ranking says.
func (n *note) recommendations() {
	if n.prose("Recommendations", n.study.Prose.Recommendations) || n.v.Plan.Kind == study.KindAA || len(n.rows) == 0 {
		return
	}
	n.heading("Recommendations")
	for _, a := range rank.Arms(n.v.Results) {
		n.printf("- `%s` instead of `%s`: %s", a.Name, a.Baseline, advice(a))
	}
	n.printf("")
}

// advice returns what an arm's verdict means for the reader's code.
func advice(a rank.Arm) string {
	switch {
	case a.Failed > 0:
		return fmt.Sprintf("no; it fails in %d of %s.", a.Failed, words.Plural(len(a.Results), "comparison", "comparisons"))
	case a.Isolated:
		return "only isolated benchmarks speak of it; measure it where the code is used."
	case a.Verdict == study.Positive:
		return "yes."
	case a.Verdict == study.TradeOff:
		return "a trade-off; the results say what is won and lost."
	case a.Verdict == rank.Mixed:
		return "better in some comparisons and worse in others; the results say in which."
	case a.Verdict == study.NoChange:
		return "no; it changes nothing that matters, so the simpler code stays."
	case a.Verdict == study.Negative:
		return "no."
	case a.Verdict == study.Unsafe:
		return "no; it is not correct."
	case a.Verdict == study.Inconclusive:
		return "not decided; measure longer or on a quieter machine."
	case a.Verdict == study.Invalid:
		return "no answer; the benchmark does not run what the arms differ in."
	}
	return "not measured."
}
