package checktest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// edit replaces the bytes of a file from start to end.
type edit struct {
	start, end int
	text       string
}

// misfixes compares the files of a package, after all fixes of its findings, with
// those that have .golden behind their names. A file without fixes has none.
func misfixes(p *packages.Package, found []analysis.Diagnostic) (problems []string) {
	edits := make(map[string][]edit)
	for _, d := range found {
		for _, fix := range d.SuggestedFixes {
			for _, e := range fix.TextEdits {
				file := p.Fset.File(e.Pos)
				edits[file.Name()] = append(edits[file.Name()], edit{file.Offset(e.Pos), file.Offset(e.End), string(e.NewText)})
			}
		}
	}
	for _, file := range p.Syntax {
		name := p.Fset.Position(file.FileStart).Filename
		if problem := misfixed(name, edits[name]); problem != "" {
			problems = append(problems, filepath.Base(name)+": "+problem)
		}
	}
	return problems
}

func misfixed(name string, edits []edit) string {
	golden, err := os.ReadFile(name + ".golden")
	switch {
	case len(edits) == 0 && err != nil:
		return ""
	case len(edits) == 0:
		return "nothing is fixed, and there is a golden file"
	case err != nil:
		return err.Error()
	}
	source, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	fixed, err := apply(source, edits)
	if err != nil {
		return err.Error()
	}
	if golden, err = format.Source(golden); err != nil {
		return err.Error()
	}
	if diff := gocmp.Diff(string(bytes.TrimSpace(golden)), string(bytes.TrimSpace(fixed))); diff != "" {
		return "fixed otherwise than in the golden file (-want +got):\n" + diff
	}
	return ""
}

// apply makes edits, of which several findings may want the same, and formats what
// comes out.
func apply(source []byte, edits []edit) ([]byte, error) {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	edits = slices.Compact(edits)
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.start < at {
			return nil, fmt.Errorf("two fixes overlap at byte %d", e.start)
		}
		out.Write(source[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(source[at:])
	return format.Source(out.Bytes())
}
