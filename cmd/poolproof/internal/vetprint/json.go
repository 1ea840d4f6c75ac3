package vetprint

import (
	"encoding/json"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
)

// report is the JSON form of a result. Fields may be added; those that are
// there keep their meaning as long as the version is the same.
type report struct {
	Version  int               `json:"version"`
	Root     string            `json:"root"` // files below are relative to it
	Packages int               `json:"packages"`
	Findings []finding         `json:"findings"`
	GaveUp   []vetrun.Location `json:"gaveUp"`
	Broken   []string          `json:"broken"`
	Failed   []string          `json:"failed"`
}

type finding struct {
	Code      string                `json:"code"`
	Name      string                `json:"name"`
	Tier      string                `json:"tier"`
	Package   string                `json:"package"`
	File      string                `json:"file"`
	Line      int                   `json:"line"`
	Column    int                   `json:"column"`
	EndLine   int                   `json:"endLine"`
	EndColumn int                   `json:"endColumn"`
	Message   string                `json:"message"`
	Confirm   string                `json:"confirm"` // the command that shows it while tests run, or ""
	Related   []vetrun.Location     `json:"related"`
	Fixes     []vetrun.SuggestedFix `json:"fixes"`
}

// JSON writes all that is known of a result. Lists are never null.
func JSON(w io.Writer, r *vetrun.Result) error {
	out := report{
		Version: 1, Root: r.Root, Packages: r.Packages,
		Findings: []finding{}, GaveUp: []vetrun.Location{},
		Broken: append([]string{}, r.Broken...), Failed: append([]string{}, r.Failed...),
	}
	confirm := r.Confirmer()
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, findingOf(r.Root, f, confirm.Command(f)))
	}
	for _, g := range r.GaveUp {
		out.GaveUp = append(out.GaveUp, vetrun.Location{File: vetrun.Name(r.Root, g.File), Line: g.Line, Col: g.Col, Message: g.Message})
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
		Message: f.Message, Confirm: confirm, Related: []vetrun.Location{}, Fixes: []vetrun.SuggestedFix{},
	}
	for _, l := range f.Related {
		l.File = vetrun.Name(root, l.File)
		out.Related = append(out.Related, l)
	}
	for _, x := range f.Fixes {
		edits := []vetrun.Edit{}
		for _, e := range x.Edits {
			e.File = vetrun.Name(root, e.File)
			edits = append(edits, e)
		}
		out.Fixes = append(out.Fixes, vetrun.SuggestedFix{Message: x.Message, Edits: edits})
	}
	return out
}
