package finding

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// pageText is the template of the page of findings.
//
//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("findings").Parse(pageText))

// Summary is the part of the page that is no finding.
type Summary struct {
	Verdict   string   // the last line of the terminal
	Unwatched []string // types that are not watched
	Failures  []string // tests that fail without a finding, and why
	Notes     []string
}

// HTML writes findings as one page that needs no other file and holds no script: the source
// around the Put, the Get and each access, with the rest of the stacks behind a click.
func (p *Printer) HTML(w io.Writer, all []*Finding, sum Summary) error {
	d := page{Summary: sum}
	src := sources{}
	for i, f := range all {
		d.Findings = append(d.Findings, p.card(i+1, f, src))
	}
	var b strings.Builder
	if err := pageTemplate.Execute(&b, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// page is the data of the template.
type page struct {
	Summary
	Findings []card
}

// card is one finding.
type card struct {
	N                        int
	Kinds, Type, Times, What string
	Warning                  bool
	Places                   []place
	Hidden                   []place // accesses beyond the first ones
	Tests                    []string
	Again, Vet               string
}

// place is a stack below a word, with the source around its first frame.
type place struct {
	Word, Detail string
	At           string // file:line
	Func         string
	Lines        []sourceLine
	Callers      []caller
	Notes        []string
}

type caller struct{ At, Func string }

type sourceLine struct {
	N    int
	Text string
	Here bool
}

// card makes the card of finding n.
func (p *Printer) card(n int, f *Finding, src sources) card {
	var heads []string
	for _, k := range f.Kinds() {
		heads = append(heads, cmp.Or(titles[k], string(k)))
	}
	c := card{
		N: n, Kinds: f.kinds(), Type: cmp.Or(f.Type, "a pooled object"), Times: times(f.Count()),
		What: strings.Join(heads, "; "), Warning: f.Severity == record.Warning,
	}
	first := f.Reports[0]
	if len(first.Get) > 0 {
		c.Places = append(c.Places, p.spot("got", "", first.Get, src))
	}
	if len(first.Put) > 0 {
		c.Places = append(c.Places, p.spot("put", "", first.Put, src))
	}
	for i, r := range f.Reports {
		places := p.accesses(r, src)
		if i < mostPlaces {
			c.Places = append(c.Places, places...)
		} else {
			c.Hidden = append(c.Hidden, places...)
		}
	}
	tests := f.Tests()
	for _, t := range tests {
		c.Tests = append(c.Tests, t.String())
	}
	c.Again, c.Vet = p.again(f, tests), p.vet(f.Kinds(), f.Site)
	return c
}

// accesses are the places that one report adds to its finding.
func (p *Printer) accesses(r *Report, src sources) []place {
	var all []place
	if len(r.Written) > 0 {
		all = append(all, p.spot("written", "by the last user", r.Written, src))
	}
	access := p.spot(verbs[r.Kind], r.Part(), r.Access, src)
	if std := p.Sites.through(r.Access); std != "" {
		access.Detail = "in " + std + ": " + access.Detail
	}
	switch {
	case r.Kind == record.RetainedMemory:
		access.Notes = append(access.Notes, "Only a warning: set the field to nil before Put.")
	case r.Kind == record.LeftOver:
		access.Notes = append(append(access.Notes, r.Said...), passesFresh(r))
	case len(r.Access) == 0:
		access.Notes = append(access.Notes, "The place is not known: a checksum found the write.")
	}
	if r.Why != "" {
		access.Notes = append(append(access.Notes, "Only a warning: "+r.Why+"."), decide[r.Why]...)
	}
	all = append(all, access)
	if len(r.Started) > 0 {
		all = append(all, p.spot("started", "the go statement of the goroutine", r.Started, src))
	}
	return all
}

// spot shows a stack. Without any frame it has its words only.
func (p *Printer) spot(word, detail string, stack []record.Frame, src sources) place {
	one := place{Word: word, Detail: detail}
	for i, f := range p.Sites.Own(stack) {
		if i == 0 {
			one.At, one.Func, one.Lines = p.at(f), f.Func, src.around(f)
			continue
		}
		one.Callers = append(one.Callers, caller{p.at(f), f.Func})
	}
	return one
}

// sources are the lines of files, by name; nil of one that cannot be read.
type sources map[string][]string

const (
	aroundLines = 3       // before and after a line
	mostSource  = 8 << 20 // bytes of a file; a longer one is shown without source
)

// around returns the lines around a frame; none if its file is not there.
func (s sources) around(f record.Frame) []sourceLine {
	lines, read := s[f.File]
	if !read {
		if info, err := os.Stat(f.File); err == nil && info.Mode().IsRegular() && info.Size() <= mostSource {
			if text, err := os.ReadFile(f.File); err == nil {
				lines = slices.Collect(strings.Lines(string(text)))
			}
		}
		s[f.File] = lines
	}
	if f.Line < 1 || f.Line > len(lines) {
		return nil
	}
	var all []sourceLine
	for n := max(1, f.Line-aroundLines); n <= min(len(lines), f.Line+aroundLines); n++ {
		all = append(all, sourceLine{n, strings.ReplaceAll(strings.TrimRight(lines[n-1], "\r\n"), "\t", "    "), n == f.Line})
	}
	return all
}
