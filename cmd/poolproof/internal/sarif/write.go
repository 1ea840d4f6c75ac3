package sarif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Write writes a log of one run. It refuses a result that no reader
// could make sense of: one without a file, or of a rule that is not listed.
func (r Run) Write(w io.Writer) error {
	wr := writer{run: r, index: map[string]int{}, lines: map[string][][]byte{}}
	doc, err := wr.document()
	if err != nil {
		return fmt.Errorf("sarif: %w", err)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

const schemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// writer turns a Run into a document.
type writer struct {
	run   Run
	index map[string]int      // of rules, by ID
	lines map[string][][]byte // of the files asked for so far
}

func (w *writer) document() (document, error) {
	out := run{
		Tool:        tool{driver{Name: w.run.Tool.Name, Version: w.run.Tool.Version, URL: w.run.Tool.URL, Rules: []rule{}}},
		ColumnKind:  "utf16CodeUnits",
		Invocations: []invocation{w.invocation()},
		Results:     []result{}, // null would say that nothing was looked for
	}
	if w.run.Category != "" {
		// Readers take what stands before the last slash for the category.
		out.Automation = &automation{ID: strings.TrimSuffix(w.run.Category, "/") + "/"}
	}
	for i, r := range w.run.Rules {
		if _, twice := w.index[r.ID]; twice || r.ID == "" {
			return document{}, fmt.Errorf("rule %d: the ID %q is empty, or there twice", i, r.ID)
		}
		w.index[r.ID] = i
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, ruleOf(r))
	}
	for _, r := range w.run.Results {
		res, err := w.result(r)
		if err != nil {
			return document{}, fmt.Errorf("result %q: %w", r.Message, err)
		}
		out.Results = append(out.Results, res)
	}
	return document{Schema: schemaURL, Version: "2.1.0", Runs: []run{out}}, nil
}

func (w *writer) invocation() invocation {
	inv := invocation{Successful: true}
	for _, n := range w.run.Notices {
		inv.Notifications = append(inv.Notifications, notification{n.Level, message{n.Message}})
		if n.Level == Error {
			inv.Successful = false
		}
	}
	return inv
}

func ruleOf(r Rule) rule {
	out := rule{ID: r.ID, Name: r.Name, Short: message{r.Short}, URL: r.URL, Default: configuration{r.Level}}
	if r.Help != "" {
		out.Help = &help{Text: r.Help, Markdown: r.Help}
	}
	return out
}

func (w *writer) result(r Result) (result, error) {
	i, ok := w.index[r.Rule]
	if !ok {
		return result{}, fmt.Errorf("the rule %q is not listed", r.Rule)
	}
	level := cmp.Or(r.Level, w.run.Rules[i].Level)
	at, err := w.location(r.At)
	if err != nil {
		return result{}, err
	}
	at.Message = nil // the result's own message stands there
	out := result{RuleID: r.Rule, RuleIndex: i, Level: level, Message: message{r.Message}, Locations: []location{at}}
	for id, rel := range r.Related {
		loc, err := w.location(rel)
		if err != nil {
			return result{}, fmt.Errorf("related location: %w", err)
		}
		loc.ID = &id
		out.Related = append(out.Related, loc)
	}
	for _, f := range r.Fixes {
		fx, err := w.fix(f)
		if err != nil {
			return result{}, fmt.Errorf("fix %q: %w", f.Message, err)
		}
		out.Fixes = append(out.Fixes, fx)
	}
	return out, nil
}

func (w *writer) location(l Location) (location, error) {
	if l.File == "" {
		return location{}, fmt.Errorf("it has no file")
	}
	out := location{Physical: physicalLocation{Artifact: artifactOf(l.File)}}
	if l.Start.Line > 0 {
		reg := w.region(l.File, l.Start, l.End)
		out.Physical.Region = &reg
	}
	if l.Message != "" {
		out.Message = &message{l.Message}
	}
	return out, nil
}

// fix groups the edits by file, as the format wants them.
func (w *writer) fix(f Fix) (fix, error) {
	out := fix{Description: message{f.Message}}
	at := map[string]int{}
	for _, e := range f.Edits {
		if e.File == "" || e.Start.Line == 0 || e.Start.Column == 0 || e.End.Line == 0 || e.End.Column == 0 {
			return fix{}, fmt.Errorf("an edit has no place")
		}
		i, ok := at[e.File]
		if !ok {
			i = len(out.Changes)
			at[e.File] = i
			out.Changes = append(out.Changes, change{Artifact: artifactOf(e.File)})
		}
		repl := replacement{Deleted: w.region(e.File, e.Start, e.End)}
		if e.New != "" {
			repl.Inserted = &message{e.New}
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, repl)
	}
	return out, nil
}

func (w *writer) region(file string, start, end Position) region {
	return region{
		StartLine:   start.Line,
		StartColumn: w.column(file, start),
		EndLine:     end.Line,
		EndColumn:   w.column(file, end),
	}
}

// column turns a column in bytes into one in UTF-16 units.
func (w *writer) column(file string, p Position) int {
	if p.Column <= 1 {
		return p.Column
	}
	lines := w.source(file)
	if p.Line < 1 || p.Line > len(lines) {
		return p.Column
	}
	before := lines[p.Line-1]
	if n := p.Column - 1; n < len(before) {
		before = before[:n]
	}
	column := p.Column - len(before) // what lies beyond the line counts as it is
	for len(before) > 0 {
		r, size := utf8.DecodeRune(before)
		// A byte that is no UTF-8 is shown as one replacement character.
		column += max(utf16.RuneLen(r), 1)
		before = before[size:]
	}
	return column
}

func (w *writer) source(file string) [][]byte {
	if w.run.Source == nil {
		return nil
	}
	lines, ok := w.lines[file]
	if !ok {
		lines = bytes.Split(w.run.Source(file), []byte("\n"))
		w.lines[file] = lines
	}
	return lines
}

// artifactOf names a file by URI. Readers resolve %SRCROOT% to the root of the
// checkout that they look at.
func artifactOf(file string) artifact {
	switch {
	case path.IsAbs(file):
		return artifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	case len(file) > 2 && file[1] == ':' && file[2] == '/': // C:/dir
		return artifact{URI: (&url.URL{Scheme: "file", Path: "/" + file}).String()}
	}
	return artifact{URI: (&url.URL{Path: file}).String(), BaseID: "%SRCROOT%"}
}
