package vetprint

import (
	"encoding/json"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
)

// report is the JSON form of a result. Fields may be added; those that are
// there keep their meaning as long as the version is the same.
type report struct {
	Version  int       `json:"version"`
	Root     string    `json:"root"` // files below are relative to it
	Packages int       `json:"packages"`
	Findings []finding `json:"findings"`
	GaveUp   []spot    `json:"gaveUp"`
	Broken   []string  `json:"broken"`
	Failed   []string  `json:"failed"`
}

type finding struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Tier      string `json:"tier"`
	Package   string `json:"package"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Message   string `json:"message"`
	Confirm   string `json:"confirm"` // the command that shows it while tests run, or ""
	Related   []spot `json:"related"`
	Fixes     []fix  `json:"fixes"`
}

type spot struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type fix struct {
	Message string `json:"message"`
	Edits   []edit `json:"edits"`
}

// edit replaces the bytes from start to end.
type edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// JSON writes all that is known of a result. Lists are never null.
func JSON(w io.Writer, r *vetrun.Result) error {
	out := report{
		Version: 1, Root: r.Root, Packages: r.Packages,
		Findings: []finding{}, GaveUp: []spot{},
		Broken: append([]string{}, r.Broken...), Failed: append([]string{}, r.Failed...),
	}
	confirm := r.Confirmer()
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, findingOf(r.Root, f, confirm.Command(f)))
	}
	for _, g := range r.GaveUp {
		out.GaveUp = append(out.GaveUp, spot{vetrun.Name(r.Root, g.File), g.Line, g.Col, g.Message})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func findingOf(root string, f vetrun.Finding, confirm string) finding {
	out := finding{
		Code: f.Code, Name: f.Check().Name, Tier: f.Tier.String(), Package: f.Package,
		File: vetrun.Name(root, f.File), Line: f.Line, Column: f.Col, EndLine: f.EndLine, EndColumn: f.EndCol,
		Message: f.Message, Confirm: confirm, Related: []spot{}, Fixes: []fix{},
	}
	for _, l := range f.Related {
		out.Related = append(out.Related, spot{vetrun.Name(root, l.File), l.Line, l.Col, l.Message})
	}
	for _, x := range f.Fixes {
		fx := fix{Message: x.Message, Edits: []edit{}}
		for _, e := range x.Edits {
			fx.Edits = append(fx.Edits, edit{vetrun.Name(root, e.File), e.Start, e.End, e.New})
		}
		out.Fixes = append(out.Fixes, fx)
	}
	return out
}
