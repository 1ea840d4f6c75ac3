// Package term writes plans and verdicts for a terminal: the table at the end of a
// run, the one that stands while it measures, and the plan of a dry run. Text is
// wrapped at the terminal's width.
package term

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
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
	rs := words.Rows(v)
	if len(rs) > 0 {
		t.verdicts(rs)
	}
	t.heat(rs)
	t.wholes(v.Results)
	t.paced(rs)
	t.figures(rs)
	t.list("Reported by the benchmarks", words.Extra(rs, words.SeveralCells(rs)))
	t.section("Reasons", words.Because(rs, func(r words.Row) bool { return !r.Obvious() }))
	t.section("Not as expected", words.Unexpected(rs))
	t.section("Expectation changed after the first measurement", words.Revised(rs))
	t.list("Between builds", words.Apart(v))
	t.claims(v.Claims)
	t.stale(words.Stale(v))
	t.section("Failed", words.Failed(v, rs))
	t.section("Not measured", words.NotMeasured(rs))
	if v.Plan.Tested != "" {
		t.list("Not tested", []string{v.Plan.Tested})
	}
	t.section("Nothing timed", words.Empty(rs))
	t.section("Mostly waiting", words.Waiting(rs))
	t.section("Busy machine", words.Disturbed(rs))
	if again := words.JudgedAnew(v); again != "" {
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

// head begins a part.
func (t *text) head(heading string) { t.line("\n" + heading) }

// list writes lines below a heading.
func (t *text) list(heading string, lines []string) {
	if len(lines) > 0 {
		t.head(heading)
	}
	for _, l := range lines {
		t.item(l)
	}
}

// grid writes a table, below a heading if it has one.
func (t *text) grid(heading string, g words.Grid) {
	indent := ""
	if heading != "" {
		t.head(heading)
		indent = "  "
	}
	for _, l := range g.Lines() {
		t.line(indent + l)
	}
}

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
func (t *text) verdicts(rs []words.Row) {
	cells := words.SeveralCells(rs)
	if _, rest := words.Split(rs); len(rest) > 0 {
		rs = rest
	}
	g := words.Grid{Head: []string{"benchmark", "cell", "arm", "verdict", "time/op", "time", "wall", "B/op", "allocs/op"}}
	byCPU, times := false, false
	for _, r := range rs {
		times = times || r.PerOp() != words.Dash
		wall := words.Dash // beside the processor time only
		if r.Timed() && r.Estimator.Clock == study.CPU {
			byCPU, wall = true, r.TimeBy(study.Wall)
		}
		g.Add(r.Benchmark, r.CellName(), r.Arm, r.Called(), r.PerOp(), r.Change(), wall, r.BytesPerOp(), r.AllocsPerOp())
	}
	g.AlignAt(colPerOp, " -> ")
	g.AlignLeft(colTime, " %")
	g.AlignLeft(colWall, " %")
	g.AlignAt(colBytes, " -> ")
	g.AlignAt(colAllocs, " -> ")
	// From the right, so that the columns before keep their numbers.
	if !byCPU {
		g.Drop(colWall)
	}
	if !times {
		g.Drop(colPerOp)
	}
	if rs[0].Alone {
		g.Drop(colArm)
	}
	if !cells {
		g.Drop(colCell)
	}
	// Where that is too wide, the times go before a benchmark becomes a heading.
	for _, name := range []string{"wall", "time/op"} {
		if i := slices.Index(g.Head, name); i >= 0 && t.columns > 0 && g.Width() > t.columns {
			g.Drop(i)
		}
	}
	if t.columns <= 0 || g.Width() <= t.columns {
		t.grid("", g)
		return
	}
	if cells {
		g.Drop(colCell)
	}
	g.Drop(colBenchmark)
	t.headed(rs, g.Lines(), cells)
}

// headed writes the lines of rows, all arms of a benchmark in a cell below one
// heading.
func (t *text) headed(rs []words.Row, lines []string, cells bool) {
	below := map[string][]string{}
	var headings []string
	for i, r := range rs {
		heading := r.Benchmark
		if cells {
			heading = strings.TrimRight(heading+"  "+r.CellName(), " ")
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
func (t *text) section(heading string, rs words.Remarks) {
	if len(rs) == 0 {
		return
	}
	t.head(heading)
	for _, r := range rs {
		t.item(r.Names() + ": " + r.Text)
		for _, l := range r.Lines {
			t.line("      " + l)
		}
	}
}

func (t *text) item(s string) { t.line(wrap("  "+s, t.columns, "    ")) }

func (t *text) claims(claims []study.ClaimResult) {
	var lines []string
	for _, c := range claims {
		published := words.Published(c)
		if published != words.Dash {
			published = ", published " + published
		} else {
			published = ""
		}
		lines = append(lines, fmt.Sprintf("%s: %q%s: %s", words.Outcome(c), c.Text, published, words.Found(c)))
	}
	t.list("Claims", lines)
}

// wholes writes the verdict of each arm over all its benchmarks.
func (t *text) wholes(rs []study.Result) {
	var lines []string
	for _, w := range words.Wholes(rs) {
		lines = append(lines, string(w.Verdict)+": "+w.String()+".")
	}
	t.list("Over all benchmarks", lines)
}

// stale warns that the study's text says what was not found.
func (t *text) stale(sentences []string) {
	var lines []string
	for _, s := range sentences {
		lines = append(lines, s+".")
	}
	t.list("The study's text rests on other verdicts", lines)
}

// heat writes the tables of a matrix, lying or standing, as they fit.
func (t *text) heat(rs []words.Row) {
	names, grids := words.Heats(rs)
	for i, g := range grids {
		if t.columns > 0 && g.Width()+2 > t.columns {
			g = g.Transposed()
		}
		t.grid(names[i]+" in each cell: verdict and time", g)
	}
}

// paced writes what comparisons at a fixed rate took.
func (t *text) paced(rs []words.Row) {
	g := words.Paced(rs, words.SeveralCells(rs))
	if len(g.Cells) == 0 {
		return
	}
	for col := 2; col < len(g.Head); col++ {
		g.AlignAt(col, " -> ")
	}
	const heading = "At a fixed rate, the collector's processor time included"
	if t.columns <= 0 || g.Width()+2 <= t.columns {
		t.grid(heading, g)
	} else {
		t.head(heading)
		for _, row := range g.Cells {
			var parts []string
			for i, cell := range row[1:] {
				parts = append(parts, g.Head[i+1]+" "+strings.Join(strings.Fields(cell), " "))
			}
			t.item(row[0] + ": " + strings.Join(parts, ", "))
		}
	}
	t.section("Late operations", words.Delayed(rs))
}

// figures writes the figures that the study judges.
func (t *text) figures(rs []words.Row) {
	g := words.Figures(rs, words.SeveralCells(rs))
	if len(g.Cells) == 0 {
		return
	}
	g.AlignAt(2, " -> ")
	g.AlignLeft(3, " %")
	t.grid("Metrics that the benchmarks report", g)
}

// wrap breaks text into lines of at most the given width where it can. The
// lines after the first are indented by hang; width 0 breaks nothing.
func wrap(text string, columns int, hang string) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	at := 0
	text = strings.ReplaceAll(text, " %", nbsp+"%") // a number keeps its sign
	for i, word := range strings.SplitAfter(text, " ") {
		if i > 0 && at+words.Width(strings.TrimRight(word, " ")) > columns {
			b.WriteString("\n" + hang)
			at = words.Width(hang)
		}
		b.WriteString(word)
		at += words.Width(word)
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), nbsp, " ")
}

// nbsp is a space at which no line ends.
const nbsp = "\u00a0"

// Pools writes the answer to a KindUnpool question: a line a pool, the least useful
// first, below them what each saves, and why some were not asked.
func Pools(w io.Writer, columns int, answers []study.PoolAnswer) error {
	t := text{columns: columns}
	t.grid("", words.Pools(answers))
	t.list("What each pool saves, against the best program without it", words.Savings(answers))
	t.list("To take one out (-write takes out all)", words.Patches(answers))
	return t.writeTo(w)
}

// Variants writes the answer to a KindSite question: a line a variant, the best first, and
// below them what is to be known of them.
func Variants(w io.Writer, columns int, answers []study.VariantAnswer) error {
	t := text{columns: columns}
	t.grid("", words.Variants(answers))
	t.list("What is to be known", words.VariantNotes(answers))
	t.list("To apply one that pays (-write applies the best)", words.VariantPatches(answers))
	return t.writeTo(w)
}

// NoiseFloor writes the table of an A/A run, in which every benchmark was
// compared with itself: the class and the effect that were found where there
// is none, the standard deviation of a launch, and the half-width of the
// interval, which is the smallest effect that this machine could have shown.
func NoiseFloor(w io.Writer, v study.VerdictFile) error {
	var t text
	rs := words.Rows(v)
	t.grid("", words.FloorGrid(rs))
	t.line("")
	t.line(words.ToldApart(rs))
	t.section("Reasons", words.Because(rs, func(r words.Row) bool { return r.Verdict != study.NoChange }))
	t.section("Failed", words.Failed(v, rs))
	t.section("Not measured", words.NotMeasured(rs))
	t.section("Nothing timed", words.Empty(rs))
	t.section("Busy machine", words.Disturbed(rs))
	return t.writeTo(w)
}
