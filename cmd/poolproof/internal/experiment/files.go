package experiment

import (
	"cmp"
	"io"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// writeVerdict renders the verdict into its files. Each is written whole or not
// at all; the first that cannot be written does not keep the others from it.
func writeVerdict(dir string, show ask.Show, out Outcome) error {
	err := study.WriteVerdict(filepath.Join(dir, verdictFile), out.Verdict)
	for _, p := range show.Pages {
		err = cmp.Or(err, study.WriteFile(filepath.Join(dir, p.Name), func(w io.Writer) error { return p.Render(w, out.Verdict, out.Records) }))
	}
	return err
}

// write writes the verdict's files, and the plan with what was padded since.
func write(o ask.Options, p study.Plan, out Outcome) error {
	return cmp.Or(writeVerdict(o.Out, o.Show, out), study.WritePlan(filepath.Join(o.Out, planFile), p))
}
