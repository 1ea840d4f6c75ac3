// Package pull says what poolproof found of a pull request: as a comment and a
// summary in Markdown, as annotations, and as SARIF. It measures nothing and asks no
// code host.
package pull

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Report holds the findings on a pull request.
type Report struct {
	Base string // what it was compared with, for people
	// Verdicts are those of the packages whose benchmarks were compared.
	Verdicts []study.VerdictFile
	// Misuses are the findings of vet and test, a sentence each.
	Misuses []Misuse
	// Broken say what does not work: tests that fail, a side that does not build.
	Broken []string
	// Notes say what was not looked at, and why.
	Notes []string
	// Command asks the same question again.
	Command string
}

// Misuse is a finding of vet or test.
type Misuse struct {
	By   string // "vet" or "test"
	Text string // "file.go:12: PV001 use-after-put: ..."
}

// said are the verdicts that the report shows.
var said = map[study.Verdict]bool{
	study.Negative: true, study.Positive: true, study.TradeOff: true, study.Unsafe: true, study.Invalid: true,
}

// Worth reports whether there is anything to be said.
func (r *Report) Worth() bool {
	if len(r.Misuses) > 0 || len(r.Broken) > 0 {
		return true
	}
	for _, row := range r.rows() {
		if said[row.Verdict] || row.Failed != nil {
			return true
		}
	}
	return false
}

// row is a comparison with its package, where there are several.
type row struct {
	words.Row
	pkg string
}

// name is the comparison's, for a table.
func (r row) name() string {
	name := r.Row.Name(true)
	if r.pkg != "" {
		name = r.pkg + "." + name
	}
	return "`" + name + "`"
}

func (r *Report) rows() []row {
	var all []row
	for _, v := range r.Verdicts {
		pkg := ""
		if len(r.Verdicts) > 1 {
			pkg = strings.TrimPrefix(strings.TrimPrefix(v.Plan.Package, v.Plan.Module), "/")
		}
		for _, x := range words.Rows(v) {
			all = append(all, row{x, pkg})
		}
	}
	return all
}

// Markdown is the report as a comment: what changed first, and the rest folded.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### poolproof: %s\n\n", r.Headline())
	var changed, open, missing []row
	same := 0
	for _, x := range r.rows() {
		switch {
		case said[x.Verdict] || x.Failed != nil:
			changed = append(changed, x)
		case x.Verdict == study.NoChange:
			same++
		case x.Verdict == study.NotMeasured:
			missing = append(missing, x)
		default:
			open = append(open, x)
		}
	}
	table(&b, changed)
	for _, m := range r.Misuses {
		fmt.Fprintf(&b, "- **%s**: %s\n", m.By, escape(m.Text))
	}
	for _, s := range r.Broken {
		fmt.Fprintf(&b, "- **does not work**: %s\n", escape(s))
	}
	if len(r.Misuses)+len(r.Broken) > 0 {
		b.WriteByte('\n')
	}
	if same > 0 {
		fmt.Fprintf(&b, "%s changed nothing that matters.\n\n", words.Plural(same, "benchmark", "benchmarks"))
	}
	fold(&b, fmt.Sprintf("%s not decided", words.Plural(len(open), "benchmark", "benchmarks")), open, because)
	fold(&b, fmt.Sprintf("%s not measured", words.Plural(len(missing), "benchmark", "benchmarks")), missing, because)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "<sub>%s</sub>  \n", escape(n))
	}
	fmt.Fprintf(&b, "<sub>Compared with %s. To repeat it: <code>%s</code></sub>\n", escape(r.Base), escape(r.Command))
	return b.String()
}

// Headline says in a few words what was found.
func (r *Report) Headline() string {
	count := map[study.Verdict]int{}
	failed := 0
	for _, x := range r.rows() {
		count[x.Verdict]++
		if x.Failed != nil {
			failed++
		}
	}
	var parts []string
	say := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Plural(n, one, many))
		}
	}
	say(count[study.Unsafe], "benchmark is UNSAFE", "benchmarks are UNSAFE")
	say(len(r.Misuses), "misuse of a pool", "misuses of pools")
	say(count[study.Negative], "benchmark is worse", "benchmarks are worse")
	say(count[study.TradeOff], "benchmark is a trade-off", "benchmarks are trade-offs")
	say(count[study.Positive], "benchmark is better", "benchmarks are better")
	say(count[study.Invalid], "comparison is invalid", "comparisons are invalid")
	say(failed, "benchmark fails", "benchmarks fail")
	say(len(r.Broken), "thing does not work", "things do not work")
	if len(parts) == 0 {
		return "nothing to report"
	}
	return strings.Join(parts, ", ")
}

// table writes the comparisons that changed.
func table(b *strings.Builder, rows []row) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("| benchmark | verdict | time | B/op | allocs/op |\n|---|---|---|---|---|\n")
	for _, x := range rows {
		verdict := "**" + string(x.Verdict) + "**"
		if x.Failed != nil {
			verdict = "**fails**: " + x.Failed.String()
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(x.name()), cell(verdict), cell(x.Change()), cell(x.BytesPerOp()+x.Changed(x.Bytes)), cell(x.AllocsPerOp()+x.Changed(x.Allocs)))
	}
	b.WriteByte('\n')
	for _, x := range rows {
		if text := because(x); text != "" && x.Failed == nil && !x.Obvious() {
			fmt.Fprintf(b, "- %s: %s\n", x.name(), escape(text))
		}
	}
	b.WriteByte('\n')
}

// fold writes comparisons behind a line that opens them. What is the same for several is said
// once.
func fold(b *strings.Builder, title string, rows []row, text func(row) string) {
	if len(rows) == 0 {
		return
	}
	var remarks words.Remarks
	for _, x := range rows {
		remarks.Add(x.name(), text(x), nil)
	}
	fmt.Fprintf(b, "<details><summary>%s</summary>\n\n", title)
	for _, m := range remarks {
		fmt.Fprintf(b, "- %s: %s\n", strings.Join(m.About, ", "), escape(m.Text))
	}
	b.WriteString("\n</details>\n\n")
}

// because is why a comparison has its verdict.
func because(x row) string {
	return strings.TrimSpace(words.Clauses(words.Reasons(x.Result)) + " " + x.Need())
}

// escape keeps a text from being read as markup.
func escape(s string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "\n", " ", "@", "&#64;").Replace(s)
}

// cell is a text within a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "@", "&#64;").Replace(s)
}
