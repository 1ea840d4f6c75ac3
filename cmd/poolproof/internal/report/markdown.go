package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Markdown writes VERDICT.md: an engineering note that begins with its conclusion,
// then has status, goal, summary, results, ranked alternatives, reasons, method and recommendations. The
// study's prose stands where it has some; elsewhere the section states facts
// of the verdict file, or is left out.
func Markdown(w io.Writer, v study.VerdictFile) error {
	n := note{v: v, rows: rows(v)}
	n.cells = severalCells(n.rows)
	if v.Plan.Study != nil {
		n.study = *v.Plan.Study
	}
	n.head()
	n.prose("Conclusion", n.study.Prose.Conclusion)
	n.goal()
	n.summary()
	if v.Plan.Kind == study.KindAA {
		n.floor()
	} else {
		n.results()
		n.alternatives()
	}
	n.why()
	n.method()
	n.recommendations()
	_, err := io.WriteString(w, strings.TrimRight(n.String(), "\n")+"\n")
	return err
}

// note is a Markdown text in the making.
type note struct {
	strings.Builder
	v     study.VerdictFile
	study study.File // zero without a study file
	rows  []row
	cells bool // there are several
}

func (n *note) printf(format string, args ...any) { fmt.Fprintf(n, format+"\n", args...) }

func (n *note) heading(s string) { n.printf("## %s\n", s) }

// prose writes a section of the study's own text, if it has any.
func (n *note) prose(heading, text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	n.heading(heading)
	n.printf("%s\n", text)
	return true
}

func (n *note) title() string {
	for _, t := range []string{n.study.Title, n.v.Plan.Title, n.v.Plan.Package} {
		if t != "" {
			return t
		}
	}
	return "Verdict"
}

func (n *note) head() {
	n.printf("# %s\n", n.title())
	n.conclusion()
	n.printf("Status: %s\n", n.status())
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
	n.standing()
	if again := judgedAnew(n.v); again != "" {
		n.printf("%s\n", again)
	}
	if old := stale(n.v); len(old) > 0 {
		n.printf("**Warning**: the text of this note was written for other verdicts than those measured here:\n")
		for _, s := range old {
			n.printf("- %s", s)
		}
		n.printf("")
	}
}

// status says how much of the question is answered.
func (n *note) status() string {
	open := map[study.Verdict]int{}
	for _, r := range n.rows {
		open[r.Verdict]++
	}
	s := decidedWords(n.rows)
	if c := open[study.Inconclusive]; c > 0 {
		s += fmt.Sprintf(", %d INCONCLUSIVE", c)
	}
	failing := failing(n.rows)
	if failing > 0 {
		s += fmt.Sprintf(", %d failed", failing)
	}
	if c := open[study.NotMeasured] - failing; c > 0 {
		s += fmt.Sprintf(", %d not measured", c)
	}
	if n.v.Interrupted {
		s += "; the run was interrupted"
	}
	return s
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
		n.printf("Hypothesis as published: %s\n", clauses([]string{hypothesis}))
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
		n.printf("%s\n", toldApart(n.rows))
		return
	}
	if oneArm(n.v.Plan) {
		n.byVerdict()
	} else {
		for _, b := range n.benchmarks() {
			n.printf("%s", n.bullet(b, ofBenchmark(n.rows, b)))
		}
	}
	for _, w := range wholes(n.rows) {
		n.printf("- Over all benchmarks **%s**: %s.", w.verdict, cellText(w.String()))
	}
	if len(n.rows) > 0 {
		n.printf("")
	}
	if len(n.v.Claims) > 0 {
		n.printf("%s", claimSection(n.v.Claims))
	}
	n.expectations()
}

// bullet is what the summary says of one benchmark.
func (n *note) bullet(benchmark string, of []row) string {
	return fmt.Sprintf("- **%s**: %s.%s", cellText(benchmark), tally(of), best(of, n.cells))
}

// byVerdict names the benchmarks that have each verdict, where each has one arm.
// What was not measured has a section of its own.
func (n *note) byVerdict() {
	for _, v := range order {
		var names []string
		for _, r := range n.rows {
			if r.Verdict == v {
				names = append(names, cellText(r.name(n.cells)))
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
	held := holding(n.rows)
	if held.asked == 0 {
		return
	}
	n.printf("%s\n", held)
	if differ := unexpected(n.rows); len(differ) > 0 {
		n.printf("Not as expected:\n")
		n.remarks(differ)
	}
	if changed := revised(n.rows); len(changed) > 0 {
		n.printf("Expected otherwise before the first measurement was seen:\n")
		n.remarks(changed)
	}
}

// tally counts the verdicts: "2 POSITIVE, 1 NEGATIVE".
func tally(rs []row) string {
	var parts []string
	for _, v := range order {
		c := 0
		for _, r := range rs {
			if r.Verdict == v {
				c++
			}
		}
		if c > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c, v))
		}
	}
	return strings.Join(parts, ", ")
}

// best names the POSITIVE arm with the largest gain of time.
func best(rs []row, cells bool) string {
	var top *row
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
		s += fmt.Sprintf(" at %s", top.cell())
	}
	s += fmt.Sprintf(", time %s, B/op %s, allocs/op %s.", top.effect(), top.bytes(), top.allocs())
	if top.plan.Isolated {
		s += " Isolated: the code under study is all that this benchmark does."
	}
	return s
}

// benchmarks lists the names in the order of the results.
func (n *note) benchmarks() []string { return benchmarksOf(n.rows) }

// remarks writes a list.
func (n *note) remarks(rs remarks) {
	for _, r := range rs {
		n.printf("- **%s**: %s", strings.Join(r.about, ", "), r.text)
		if len(r.lines) > 0 {
			n.printf("\n  ```\n  %s\n  ```", strings.Join(r.lines, "\n  "))
		}
	}
	n.printf("")
}

// why is the study's explanation and the judge's.
func (n *note) why() {
	rs, broken, missing := reasons(n.rows, func(row) bool { return true }), failed(n.v, n.rows), notMeasured(n.rows)
	prose := strings.TrimSpace(n.study.Prose.Why)
	if len(rs)+len(broken)+len(missing) == 0 && prose == "" {
		return
	}
	n.heading("Why")
	if prose != "" {
		n.printf("%s\n", prose)
	}
	for _, part := range []struct {
		title string
		rs    remarks
	}{{"The verdicts rest on:", rs}, {"These fail, and are not measured:", broken}, {"Not measured:", missing}} {
		if len(part.rs) > 0 {
			n.printf("%s\n", part.title)
			n.remarks(part.rs)
		}
	}
}

// recommendations are the study's, or what the ranking says.
func (n *note) recommendations() {
	if n.prose("Recommendations", n.study.Prose.Recommendations) || n.v.Plan.Kind == study.KindAA || len(n.rows) == 0 {
		return
	}
	n.heading("Recommendations")
	for _, a := range ranked(n.rows) {
		n.printf("- `%s` instead of `%s`: %s", a.arm, a.baseline, a.advice())
	}
	n.printf("")
}

// advice is what a verdict means for the reader's code.
func (a alternative) advice() string {
	switch {
	case a.failed > 0:
		return fmt.Sprintf("no; it fails in %d of %s.", a.failed, plural(len(a.rows), "comparison", "comparisons"))
	case a.isolated:
		return "only isolated benchmarks speak of it; measure it where the code is used."
	case a.verdict == study.Positive:
		return "yes."
	case a.verdict == study.TradeOff:
		return "a trade-off; the results say what is won and lost."
	case a.verdict == mixed:
		return "better in some comparisons and worse in others; the results say in which."
	case a.verdict == study.NoChange:
		return "no; it changes nothing that matters, so the simpler code stays."
	case a.verdict == study.Negative:
		return "no."
	case a.verdict == study.Unsafe:
		return "no; it is not correct."
	case a.verdict == study.Inconclusive:
		return "not decided; measure longer or on a quieter machine."
	case a.verdict == study.Invalid:
		return "no answer; the benchmark does not run what the arms differ in."
	}
	return "not measured."
}
