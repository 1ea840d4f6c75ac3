package vetrun

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// tree is the output of an analysis with -json: package, analyzer, and its
// diagnostics or its error.
type tree map[string]map[string]json.RawMessage

type diagnostic struct {
	Category, Posn, End, Message string
	SuggestedFixes               []struct {
		Message string
		Edits   []struct {
			Filename   string
			Start, End int
			New        string
		}
	} `json:"suggested_fixes"`
	Related []struct{ Posn, Message string }
}

// split tells the trees in what the go command printed from the words between
// them. Trees are indented, so each begins and ends with a brace in the first
// column. Go 1.25 and older print them among the words, Go 1.26 apart.
func split(text string) (trees []string, words []string) {
	var open []string
	for line := range strings.Lines(text) {
		switch bare := strings.TrimRight(line, "\r\n"); {
		case len(open) == 0 && bare == "{}":
		case len(open) == 0 && bare == "{":
			open = append(open, line)
		case len(open) == 0:
			words = append(words, line)
		case bare == "}":
			trees = append(trees, strings.Join(open, "")+line)
			open = nil
		default:
			open = append(open, line)
		}
	}
	return trees, append(words, open...)
}

// diagnostics picks what concerns the user's code out of what the go command
// printed: lines of the compiler, without headings and news of downloads.
func diagnostics(words []string) (said []string) {
	for _, line := range words {
		line = strings.TrimRight(line, " \r\n")
		switch {
		case line == "", strings.HasPrefix(line, "# "), strings.HasPrefix(line, "go: downloading "), strings.HasPrefix(line, "go: finding "):
		case strings.HasPrefix(line, "\t") && len(said) > 0: // it goes on
			said[len(said)-1] += "\n" + line
		default:
			said = append(said, strings.TrimPrefix(line, "vet: "))
		}
	}
	return said
}

// parsed holds the findings of a tree.
type parsed struct {
	findings, gaveUp []Finding
	failed           []string
}

// parse reads a tree. Of packages that are not wanted, which were analysed because others
// import them, it has the failures alone.
func parse(text string, wanted func(id string) bool) (parsed, error) {
	var t tree
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return parsed{}, err
	}
	var p parsed
	for _, id := range slices.Sorted(maps.Keys(t)) {
		// A dependency is called "p [dependency]".
		path, _, _ := strings.Cut(id, " [")
		of := p
		for _, analyzer := range slices.Sorted(maps.Keys(t[id])) {
			if err := of.add(path, t[id][analyzer]); err != nil {
				return parsed{}, fmt.Errorf("%s, %s: %w", id, analyzer, err)
			}
		}
		if !wanted(id) {
			of.findings, of.gaveUp = p.findings, p.gaveUp
		}
		p = of
	}
	return p, nil
}

func (p *parsed) add(path string, message json.RawMessage) error {
	var failure struct{ Error string }
	if json.Unmarshal(message, &failure) == nil {
		// That another analyzer failed, which this one needs, is no news.
		if !strings.HasPrefix(failure.Error, "failed prerequisites") {
			p.failed = append(p.failed, path+": "+failure.Error)
		}
		return nil
	}
	var all []diagnostic
	if err := json.Unmarshal(message, &all); err != nil {
		return err
	}
	for _, d := range all {
		f, err := d.finding(path)
		if err != nil {
			return err
		}
		switch {
		case d.Category == "gave-up":
			p.gaveUp = append(p.gaveUp, f)
		case d.Category == "failed":
			p.failed = append(p.failed, d.Message)
		case f.Code != "":
			p.findings = append(p.findings, f)
		}
	}
	return nil
}

func (d *diagnostic) finding(path string) (Finding, error) {
	f := Finding{Package: path, Message: d.Message}
	if code, tier, ok := strings.Cut(d.Category, "/"); ok && f.Tier.Set(tier) == nil {
		f.Code = code
		check := f.Check()
		f.Message = strings.TrimPrefix(d.Message, check.Heading(f.Tier)) // without the heading, which go vet prints
	}
	var err error
	if f.File, f.Line, f.Col, err = position(d.Posn); err != nil {
		return f, err
	}
	f.EndLine, f.EndCol = f.Line, f.Col
	if d.End != "" {
		if _, f.EndLine, f.EndCol, err = position(d.End); err != nil {
			return f, err
		}
	}
	for _, r := range d.Related {
		loc := Location{Message: r.Message}
		if loc.File, loc.Line, loc.Col, err = position(r.Posn); err != nil {
			return f, err
		}
		f.Related = append(f.Related, loc)
	}
	for _, s := range d.SuggestedFixes {
		fix := SuggestedFix{Message: s.Message}
		for _, e := range s.Edits {
			fix.Edits = append(fix.Edits, Edit{File: e.Filename, Start: e.Start, End: e.End, New: e.New})
		}
		f.Fixes = append(f.Fixes, fix)
	}
	return f, nil
}

// position takes "file:line:column" apart. The column is 0 where a //line comment
// gives none, and then left out. File names may have colons.
func position(s string) (file string, line, column int, err error) {
	file, line, ok := cutNumber(s)
	if before, n, two := cutNumber(file); two {
		file, line, column = before, n, line
	}
	if !ok || file == "" || line < 1 {
		return "", 0, 0, fmt.Errorf("%q is not a position", s)
	}
	return file, line, column, nil
}

// cutNumber cuts a colon and a number off the end.
func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
