package vetprint

import (
	"bytes"
	"io"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// SARIF writes a log of version 2.1.0, with all checks as its rules. version
// is that of poolproof.
func SARIF(w io.Writer, r *vetrun.Result, version string) error {
	run := sarif.Run{
		Tool:     sarif.Tool{Name: "poolproof", Version: version, URL: "https://github.com/poolproof/poolproof"},
		Category: "poolproof/vet",
		Source:   source(r.Root),
	}
	for _, c := range vet.Checks() {
		var help bytes.Buffer
		if err := vet.Explain(&help, c.Code); err != nil {
			return err
		}
		run.Rules = append(run.Rules, sarif.Rule{
			ID: c.Code, Name: c.Name, Short: c.Doc, Help: help.String(), URL: c.Analyzer.URL, Level: sarifLevel[c.Tier],
		})
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, resultOf(r.Root, f))
	}
	for _, b := range r.Broken {
		run.Notices = append(run.Notices, sarif.Notice{Level: sarif.Error, Message: b})
	}
	for _, g := range r.GaveUp {
		run.Notices = append(run.Notices, sarif.Notice{Level: sarif.Note, Message: place(r.Root, g.File, g.Line, g.Col) + ": " + g.Message})
	}
	return run.Write(w)
}

func resultOf(root string, f vetrun.Finding) sarif.Result {
	out := sarif.Result{
		Rule: f.Code, Level: sarifLevel[f.Tier], Message: f.Message,
		At: sarif.Location{File: vetrun.Name(root, f.File), Start: sarif.Position{Line: f.Line, Column: f.Col}},
	}
	if end := beyond(f); end > 0 {
		out.At.End = sarif.Position{Line: f.EndLine, Column: end}
	}
	for _, l := range f.Related {
		out.Related = append(out.Related, sarif.Location{
			File: vetrun.Name(root, l.File), Start: sarif.Position{Line: l.Line, Column: l.Col}, Message: l.Message,
		})
	}
	for _, x := range f.Fixes {
		if fx, ok := fixOf(root, x); ok {
			out.Fixes = append(out.Fixes, fx)
		}
	}
	return out
}

// fixOf turns offsets into lines and columns. It is not ok where a file cannot
// be read.
func fixOf(root string, x vetrun.SuggestedFix) (sarif.Fix, bool) {
	fx := sarif.Fix{Message: x.Message}
	for _, e := range x.Edits {
		text, err := os.ReadFile(e.File)
		if err != nil || e.Start > e.End || e.End > len(text) {
			return fx, false
		}
		fx.Edits = append(fx.Edits, sarif.Edit{
			File: vetrun.Name(root, e.File), Start: positionOf(text, e.Start), End: positionOf(text, e.End), New: e.New,
		})
	}
	return fx, true
}

// positionOf is the line and column of an offset.
func positionOf(text []byte, offset int) sarif.Position {
	before := text[:offset]
	return sarif.Position{Line: bytes.Count(before, []byte("\n")) + 1, Column: offset - bytes.LastIndexByte(before, '\n')}
}
