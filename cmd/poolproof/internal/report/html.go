package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// page is the template of report.html.
//
//go:embed page.html.tmpl
var page string

var pageTemplate = template.Must(template.New("page").Parse(page))

// HTML writes report.html: all comparisons as one forest plot on one
// logarithmic scale, with the figures, launches and bursts of each behind a
// click, in one file that needs no other. It holds no script. Without records
// it shows no bursts.
func HTML(w io.Writer, v study.VerdictFile, records []study.Record) error {
	n := note{v: v, rows: rows(v)}
	n.cells = severalCells(n.rows)
	if v.Plan.Study != nil {
		n.study = *v.Plan.Study
	}
	d := document{
		Title: n.title(), Status: n.status(), Question: strings.TrimSpace(n.study.Question), Source: n.study.Source,
		Stale: stale(v), Machine: machine(v.Plan.Machine), Toolchain: v.Plan.Toolchain,
		Rule: strings.Join(ruleText(v), " "), Plan: v.Digest, Bursts: len(records) > 0, OneArm: oneArm(v.Plan),
	}
	if v.Plan.Kind != study.KindAA {
		for _, whole := range wholes(n.rows) {
			d.Whole = append(d.Whole, wholeLine{string(whole.verdict), kind(whole.verdict), whole.String()})
		}
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
	p := newPlot(n.rows)
	d.Scale, d.Ticks = p.words(), p.ticks()
	for _, name := range n.benchmarks() {
		b := benchmark{Name: name}
		for _, r := range ofBenchmark(n.rows, name) {
			if r.Verdict != study.NotMeasured {
				b.Rows = append(b.Rows, p.line(r, records))
			}
		}
		if d.OneArm { // the title names it: a row is a benchmark
			for i := range b.Rows {
				b.Rows[i].Arm, b.Rows[i].Baseline = name, ""
			}
			b.Name = ""
		}
		if len(b.Rows) > 0 {
			d.Benchmarks = append(d.Benchmarks, b)
		}
	}
	d.Failed, d.Missing = paragraphs(failed(v, n.rows)), paragraphs(notMeasured(n.rows))
	for _, p := range []struct{ head, text string }{
		{"Conclusion", n.study.Prose.Conclusion}, {"Goal", n.study.Prose.Goal}, {"Why", n.study.Prose.Why}, {"Recommendations", n.study.Prose.Recommendations},
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

func paragraphs(rs remarks) (list []paragraph) {
	for _, r := range rs {
		list = append(list, paragraph{strings.Join(r.about, ", "), r.text})
	}
	return list
}

// document is what the template shows.
type document struct {
	Title, Status, Question, Source, Measured string
	Machine, Toolchain, Rule, Command, Plan   string
	Scale                                     string
	Bursts                                    bool
	OneArm                                    bool // each benchmark has one row, named after it
	Ticks                                     []tick
	Whole                                     []wholeLine
	Stale                                     []string
	Claims                                    []claimLine
	Benchmarks                                []benchmark
	Failed, Missing                           []paragraph
	Prose                                     []prose
}

type wholeLine struct{ Verdict, Kind, Text string }

type claimLine struct{ Text, Published, Found, Outcome string }

type paragraph struct{ About, Text string }

type prose struct{ Head, Text string }

// benchmark is the rows of one benchmark.
type benchmark struct {
	Name string // "" where its row says it
	Rows []line
}

// line is one comparison.
type line struct {
	Arm, Baseline, Cell, Verdict, Kind, Effect string
	PerOp                                      string  // time per operation on both sides, "" if there is none to show
	Drawn, Left, Right, MeanOff                bool    // Left, Right: the interval goes on beyond the scale
	X, From, Width                             float64 // of the mean and the interval, in percent of the plot
	Why                                        []string
	Facts                                      []fact
	Launches                                   []launchLine
	Lines                                      string // the compiler's
}

type fact struct{ Name, Value string }

// launchLine is one launch: its pairs of bursts and itself on the plot's scale.
type launchLine struct {
	Name, Text string
	X          float64
	Bursts     []float64
}

// kind is the class of a verdict in the page's style.
func kind(v study.Verdict) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(string(v)))
}
