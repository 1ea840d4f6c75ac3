package experiment

import (
	"cmp"
	"io"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// writeVerdict renders the verdict into its files. Each is written whole or not
// at all; the first that cannot be written does not keep the others from it.
func writeVerdict(dir string, out Outcome) error {
	file := func(name string, render func(io.Writer) error) error {
		return study.WriteFile(filepath.Join(dir, name), render)
	}
	return cmp.Or(
		WriteNote(filepath.Join(dir, noteFile), out.Verdict),
		study.WriteVerdict(filepath.Join(dir, verdictFile), out.Verdict),
		file(htmlFile, func(w io.Writer) error { return report.HTML(w, out.Verdict, out.Records) }),
		file(benchFile, func(w io.Writer) error { return report.BenchText(w, out.Verdict, out.Records) }),
	)
}

// write writes the verdict's files, and the plan with what was padded since.
func write(dir string, p study.Plan, out Outcome) error {
	return cmp.Or(writeVerdict(dir, out), study.WritePlan(filepath.Join(dir, planFile), p))
}

// WriteNote writes the verdict as an engineering note, VERDICT.md.
func WriteNote(name string, v study.VerdictFile) error {
	return study.WriteFile(name, func(w io.Writer) error { return report.Markdown(w, v) })
}
