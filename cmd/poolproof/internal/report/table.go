package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Table writes the verdicts for a terminal: one row a comparison, and below
// the rows what they do not say themselves: the reasons of each verdict that
// the figures do not explain, verdicts that the study did not expect, what
// became of published claims, and what was not measured.
//
// Text is wrapped at the given number of columns, 0 for not at all. Rows are
// never wrapped; where they would be too long, benchmark and cell become
// headings above them.
func Table(w io.Writer, v study.VerdictFile, columns int) error {
	t := text{columns: columns}
	rs := rows(v)
	if len(rs) > 0 {
		t.verdicts(rs)
	}
	t.heat(rs)
	t.wholes(v.Results)
	t.paced(rs)
	t.figures(rs)
	t.extra(rs)
	t.section("Reasons", reasons(rs, func(r row) bool { return !r.obvious() }))
	t.section("Not as expected", unexpected(rs))
	t.section("Expected otherwise before", revised(rs))
	t.claims(v.Claims)
	t.stale(stale(v))
	t.section("Failed", failed(v, rs))
	t.section("Not measured", notMeasured(rs))
	t.section("Nothing timed", empty(rs))
	t.section("Busy machine", disturbed(rs))
	if again := judgedAnew(v); again != "" {
		t.line("")
		t.line(wrap(again, t.columns, "  "))
	}
	if v.Interrupted {
		t.line("")
		t.line(wrap("Interrupted: the run was stopped before its budget was spent.", t.columns, "  "))
	}
	return t.writeTo(w)
}

// text collects lines for a terminal.
type text struct {
	strings.Builder
	columns int
}

func (t *text) line(s string) { t.WriteString(s + "\n") }

func (t *text) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, t.String())
	return err
}

// Columns of the table of verdicts.
const (
	colBenchmark = iota
	colCell
	colArm
	colVerdict
	colPerOp
	colTime
	colWall
	colBytes
	colAllocs
)

// verdicts writes the rows. What was not measured has a section of its own, and
// no row where others have.
func (t *text) verdicts(rs []row) {
	cells := severalCells(rs)
	if _, rest := split(rs); len(rest) > 0 {
		rs = rest
	}
	g := grid{head: []string{"benchmark", "cell", "arm", "verdict", "time/op", "time", "wall", "B/op", "allocs/op"}}
	byCPU, times := false, false
	for _, r := range rs {
		times = times || r.time() != dash
		wall := dash // beside the processor time only
		if r.Timed() && r.Estimator.Clock == study.CPU {
			byCPU, wall = true, r.wallTime()
		}
		g.add(r.Benchmark, r.cell(), r.Arm, string(r.Verdict), r.time(), r.effect(), wall, r.bytes(), r.allocs())
	}
	g.alignAt(colPerOp, " -> ")
	g.alignLeft(colTime, " %")
	g.alignLeft(colWall, " %")
	g.alignAt(colBytes, " -> ")
	g.alignAt(colAllocs, " -> ")
	// From the right, so that the columns before keep their numbers.
	if !byCPU {
		g.drop(colWall)
	}
	if !times {
		g.drop(colPerOp)
	}
	if rs[0].alone {
		g.drop(colArm)
	}
	if !cells {
		g.drop(colCell)
	}
	// Where that is too wide, the times go before a benchmark becomes a heading.
	for _, name := range []string{"wall", "time/op"} {
		if i := slices.Index(g.head, name); i >= 0 && t.columns > 0 && g.width() > t.columns {
			g.drop(i)
		}
	}
	if t.columns <= 0 || g.width() <= t.columns {
		for _, l := range g.lines() {
			t.line(l)
		}
		return
	}
	if cells {
		g.drop(colCell)
	}
	g.drop(colBenchmark)
	t.headed(rs, g.lines(), cells)
}

// headed writes the lines of rows, all arms of a benchmark in a cell below one
// heading.
func (t *text) headed(rs []row, lines []string, cells bool) {
	below := map[string][]string{}
	var headings []string
	for i, r := range rs {
		heading := r.Benchmark
		if cells {
			heading = strings.TrimRight(heading+"  "+r.cell(), " ")
		}
		if _, ok := below[heading]; !ok {
			headings = append(headings, heading)
		}
		below[heading] = append(below[heading], lines[i+1])
	}
	t.line("  " + lines[0])
	for _, heading := range headings {
		t.line(heading)
		for _, l := range below[heading] {
			t.line("  " + l)
		}
	}
}

// section writes remarks below a heading, if there are any.
func (t *text) section(heading string, rs remarks) {
	if len(rs) == 0 {
		return
	}
	t.line("")
	t.line(heading)
	for _, r := range rs {
		t.item(r.names() + ": " + r.text)
		for _, l := range r.lines {
			t.line("      " + l)
		}
	}
}

func (t *text) item(s string) { t.line(wrap("  "+s, t.columns, "    ")) }

func (t *text) claims(claims []study.ClaimResult) {
	if len(claims) == 0 {
		return
	}
	t.line("")
	t.line("Claims")
	for _, c := range claims {
		published := published(c)
		if published != dash {
			published = ", published " + published
		} else {
			published = ""
		}
		t.item(fmt.Sprintf("%s: %q%s: %s", outcome(c), c.Text, published, found(c)))
	}
}

// wholes writes the verdict of each arm over all its benchmarks.
func (t *text) wholes(rs []study.Result) {
	list := wholes(rs)
	if len(list) == 0 {
		return
	}
	t.line("")
	t.line("Over all benchmarks")
	for _, w := range list {
		t.item(string(w.Verdict) + ": " + w.String() + ".")
	}
}

// stale warns that the study's text says what was not found.
func (t *text) stale(sentences []string) {
	if len(sentences) == 0 {
		return
	}
	t.line("")
	t.line("The study's text rests on other verdicts")
	for _, s := range sentences {
		t.item(s + ".")
	}
}
