package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// page is the template of report.html.
//
//go:embed page.html.tmpl
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// HTML writes report.html: the verdicts with their intervals drawn to scale, in
// one file that needs no other. It holds no script.
func HTML(w io.Writer, v study.VerdictFile) error {
	n := note{v: v, rows: rows(v)}
	n.cells = severalCells(n.rows)
	if v.Plan.Study != nil {
		n.study = *v.Plan.Study
	}
	d := document{
		Title: n.title(), Status: n.status(), Question: strings.TrimSpace(n.study.Question), Source: n.study.Source,
		Stale: stale(v), Machine: machine(v.Plan.Machine), Toolchain: v.Plan.Toolchain,
		Rule: strings.Join(ruleText(v.Plan), " "), Plan: v.Digest,
	}
	for _, c := range v.Claims {
		d.Claims = append(d.Claims, claimLine{c.Text, published(c), found(c), outcome(c)})
	}
	if !v.Started.IsZero() {
		d.Measured = v.Started.UTC().Format("2006-01-02")
	}
	if len(v.Plan.Command) > 0 {
		d.Command = commandLine(v.Plan.Command)
	}
	for _, name := range n.benchmarks() {
		d.Benchmarks = append(d.Benchmarks, section(name, n.of(name)))
	}
	for _, r := range reasons(n.rows, func(row) bool { return true }) {
		d.Reasons = append(d.Reasons, reason{strings.Join(r.about, ", "), r.text, strings.Join(r.lines, "\n")})
	}
	for _, p := range []struct{ head, text string }{
		{"Goal", n.study.Prose.Goal}, {"Why", n.study.Prose.Why}, {"Recommendations", n.study.Prose.Recommendations}, {"Conclusion", n.study.Prose.Conclusion},
	} {
		if text := strings.TrimSpace(p.text); text != "" {
			d.Prose = append(d.Prose, prose{p.head, text})
		}
	}
	var b strings.Builder
	if err := pageTemplate.Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// document is what the template shows.
type document struct {
	Title, Status, Question, Source, Measured string
	Machine, Toolchain, Rule, Command, Plan   string
	Stale                                     []string
	Claims                                    []claimLine
	Benchmarks                                []benchmark
	Reasons                                   []reason
	Prose                                     []prose
}

type claimLine struct{ Text, Published, Found, Outcome string }

type reason struct{ About, Text, Lines string }

type prose struct{ Head, Text string }

// benchmark is the table of one benchmark.
type benchmark struct {
	Name  string
	Scale string // what the ends of the drawn intervals mean
	Rows  []line
}

// line is one comparison.
type line struct {
	Arm, Baseline, Cell, Verdict, Kind, Effect, By, Bytes, Allocs string
	Drawn                                                         bool
	X, From, Width                                                float64 // of the mean and the interval, 0 to 200; zero is at 100
}

// section scales the intervals of a benchmark to its widest one.
func section(name string, rs []row) benchmark {
	b := benchmark{Name: name}
	most := 0.02
	for _, r := range rs {
		if r.timed() {
			most = max(most, size(r.Deciding.Lo), size(r.Deciding.Hi))
		}
	}
	most = min(most, math.Log(8)) // an interval without bounds leaves the others a place
	b.Scale = fmt.Sprintf("from %s %% to %s %%", percent(math.Expm1(-most)), percent(math.Expm1(most)))
	at := func(x float64) float64 {
		return math.Round(10*(100+100*max(-1, min(1, logOf(x)/most)))) / 10
	}
	for _, r := range rs {
		l := line{Arm: r.Arm, Baseline: r.Baseline, Cell: r.cell(), Verdict: string(r.Verdict), Kind: kind(r.Verdict),
			Effect: r.effect(), By: dash, Bytes: r.bytes(), Allocs: r.allocs()}
		if r.timed() {
			l.By, l.Drawn = r.Estimator.String(), true
			l.X, l.From = at(r.Deciding.Effect), at(r.Deciding.Lo)
			l.Width = max(1, math.Round(10*(at(r.Deciding.Hi)-l.From))/10)
		}
		b.Rows = append(b.Rows, l)
	}
	return b
}

func logOf(effect float64) float64 { return math.Log1p(max(effect, -0.999)) }

func size(effect float64) float64 { return math.Abs(logOf(effect)) }

// kind is the class of a verdict in the page's style.
func kind(v study.Verdict) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(string(v)))
}
