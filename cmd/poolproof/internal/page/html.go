// Package page writes report.html, and the page of a history.
package page

import (
	"embed"
	"html/template"
	"io"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// texts are the templates of the pages, and of the style that they share.
//
//go:embed *.html.tmpl
var texts embed.FS

var templates = template.Must(template.ParseFS(texts, "*.html.tmpl"))

// Write writes report.html: all comparisons as one forest plot on one
// logarithmic scale, with the figures, launches and bursts of each behind a
// click, in one file that needs no other. It holds no script. Without records
// it shows no bursts.
func Write(w io.Writer, v study.VerdictFile, records []study.Record) error {
	rs, file := words.Rows(v), words.FileOf(v)
	d := document{
		Title: words.TitleOf(v), Status: words.StatusOf(v), Question: strings.TrimSpace(file.Question), Source: file.Source,
		Stale: words.Stale(v), Machine: words.Machine(v.Plan.Machine), Toolchain: v.Plan.Toolchain,
		Rule: strings.Join(words.RuleText(v), " "), Plan: v.Digest, Bursts: len(records) > 0, OneArm: words.OneArm(v.Plan),
	}
	if v.Plan.Kind != study.KindAA {
		for _, whole := range words.Wholes(v.Results) {
			d.Whole = append(d.Whole, wholeLine{string(whole.Verdict), kind(whole.Verdict), whole.String()})
		}
	}
	for _, c := range v.Claims {
		d.Claims = append(d.Claims, claimLine{c.Text, words.Published(c), words.Found(c), words.Outcome(c)})
	}
	if !v.Started.IsZero() {
		d.Measured = v.Started.UTC().Format("2006-01-02")
	}
	if len(v.Plan.Command) > 0 {
		d.Command = words.Again(v.Plan)
	}
	p := newPlot(rs)
	d.Scale, d.Ticks = p.words(), p.ticks()
	for _, name := range words.BenchmarksOf(rs) {
		b := benchmark{Name: name}
		for _, r := range words.OfBenchmark(rs, name) {
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
	d.Failed, d.Missing = paragraphs(words.Failed(v, rs)), paragraphs(words.NotMeasured(rs))
	for _, p := range []struct{ head, text string }{
		{"Conclusion", file.Prose.Conclusion}, {"Goal", file.Prose.Goal}, {"Why", file.Prose.Why}, {"Recommendations", file.Prose.Recommendations},
	} {
		if text := strings.TrimSpace(p.text); text != "" {
			d.Prose = append(d.Prose, prose{p.head, text})
		}
	}
	return execute(w, "page.html.tmpl", d)
}

// execute writes a page, or nothing where a template fails.
func execute(w io.Writer, name string, data any) error {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func paragraphs(rs words.Remarks) (list []paragraph) {
	for _, r := range rs {
		list = append(list, paragraph{strings.Join(r.About, ", "), r.Text})
	}
	return list
}

// document is the data of the template.
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
