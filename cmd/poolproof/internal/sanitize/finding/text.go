package finding

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Printer writes findings for people.
type Printer struct {
	Sites *Sites
	Base  string // files below it are shown relative to it
	All   bool   // every place and whole stacks, not only the beginning

	Again map[Test]string   // the command that runs a test again, of those that have one
	Vet   map[string]string // the command of poolproof vet that reads a package, by its import path
}

const (
	mostPlaces = 8 // of access, of one finding
	mostFrames = 4 // of a stack
	mostTests  = 5
)

// verbs says what happens at the place of access.
var verbs = map[record.Kind]string{
	record.ReadAfterPut:   "read",
	record.WriteAfterPut:  "written",
	record.DoublePut:      "put again",
	record.AliasPut:       "put again",
	record.NilPut:         "put",
	record.LeftOver:       "read",
	record.RetainedMemory: "kept",
}

// titles says what kinds of misuse are.
var titles = map[record.Kind]string{
	record.ReadAfterPut:   "read after Put",
	record.WriteAfterPut:  "written after Put",
	record.DoublePut:      "put twice",
	record.AliasPut:       "put while its memory is in another pooled object",
	record.NilPut:         "a nil pointer is put: the next Get returns it",
	record.LeftOver:       "Get returned an object that its last user did not reset, and a test fails because of it",
	record.RetainedMemory: "put while it still refers to memory of its caller, which stays alive",
}

// Print writes one finding; n is its number.
func (p *Printer) Print(w io.Writer, n int, f *Finding) {
	fmt.Fprintf(w, "%d. %s%s of %s, %s\n", n, severity(f), f.kinds(), cmp.Or(f.Type, "a pooled object"), times(f.Count()))
	first := f.Reports[0]
	if len(first.Put) > 0 {
		p.stack(w, "put", first.Put)
	}
	if len(first.Get) > 0 {
		p.stack(w, "got", first.Get)
	}
	for i, r := range f.Reports {
		if i == mostPlaces && !p.All {
			fmt.Fprintf(w, "   %-9s and %d more (-v shows all)\n", "", len(f.Reports)-i)
			break
		}
		p.report(w, r)
	}
	p.tests(w, f)
	fmt.Fprintln(w)
}

// report writes what one report adds to its finding.
func (p *Printer) report(w io.Writer, r *Report) {
	word, detail := verbs[r.Kind], r.Part()
	switch {
	case r.Kind == record.RetainedMemory:
		fmt.Fprintf(w, "   %-9s %s; only a warning: set the field to nil before Put\n", word, detail)
		return
	case r.Kind == record.LeftOver:
		p.leftOver(w, r)
		return
	case len(r.Access) == 0:
		fmt.Fprintf(w, "   %-9s place unknown: found by a checksum\n", word)
	default:
		if std := p.Sites.through(r.Access); std != "" {
			fmt.Fprintf(w, "   %-9s in %s, called at\n", word, std)
			word = ""
		}
		p.stack(w, word, r.Access)
	}
	if r.Why != "" {
		detail += "; only a warning: " + r.Why
	}
	fmt.Fprintf(w, "   %-9s %s\n", "", detail)
	if len(r.Started) > 0 {
		p.stack(w, "started", r.Started)
	}
	under(w, "decide", decide[r.Why])
}

// under writes lines, the first one beside a word.
func under(w io.Writer, word string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(w, "   %-9s %s\n", word, line)
		word = ""
	}
}

// decide says, by the reason of a warning, how to tell whether it is a bug.
var decide = map[string][]string{
	"registered": {
		"code outside keeps each new object of this type, and may write to it at any time;",
		"it is a bug if a user of the object has written: put the object after its last use (-strict fails the test)",
	},
	"own worker": {
		"a method of the object has started the goroutine that touches it after the Put;",
		"it is right only if each later user waits for that goroutine before it uses the object,",
		"and a bug if no code waits: put the object where the goroutine has ended (-strict fails the test)",
	},
}

// leftOver writes what an earlier user has left, and what the test says of it.
func (p *Printer) leftOver(w io.Writer, r *Report) {
	if len(r.Written) > 0 {
		p.stack(w, "written", r.Written)
	}
	if len(r.Access) > 0 {
		p.stack(w, "read", r.Access)
		fmt.Fprintf(w, "   %-9s %s\n", "", r.Part())
	}
	under(w, "says", r.Said)
	fmt.Fprintf(w, "   %-9s %s\n", "because", passesFresh(r))
}

// passesFresh says what shows that an earlier user's data made a test fail.
func passesFresh(r *Report) string {
	how := "passes with fresh objects, fails if the last one put comes back"
	if r.Whole {
		how += "; only together with the other tests of its package"
	}
	return how
}

func severity(f *Finding) string {
	if f.Severity == record.Warning {
		return "warning: "
	}
	return ""
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// stack writes a stack below a word.
func (p *Printer) stack(w io.Writer, word string, stack []record.Frame) {
	for i, f := range p.Sites.Own(stack) {
		if i == mostFrames && !p.All {
			fmt.Fprintf(w, "   %-9s   ...\n", "")
			break
		}
		fmt.Fprintf(w, "   %-9s %s  %s\n", word, p.at(f), f.Func)
		word = ""
	}
}

// tests names the tests of a finding, and the commands that see it again.
func (p *Printer) tests(w io.Writer, f *Finding) {
	tests, word := f.Tests(), "in"
	for i, t := range tests {
		if i == mostTests && !p.All {
			fmt.Fprintf(w, "   %-9s and %d more tests\n", "", len(tests)-i)
			break
		}
		fmt.Fprintf(w, "   %-9s %s\n", word, t)
		word = ""
	}
	if again := p.again(f, tests); again != "" {
		fmt.Fprintf(w, "   %-9s %s\n", "again", again)
	}
	if vet := p.vet(f.Kinds(), f.Site); vet != "" {
		fmt.Fprintf(w, "   %-9s %s\n", "vet", vet)
	}
}

// again is the command that shows a finding once more; "" if there is none.
func (p *Printer) again(f *Finding, tests []Test) string {
	if len(tests) == 0 {
		return ""
	}
	// A named test tells more than the package as a whole.
	t := tests[max(0, slices.IndexFunc(tests, func(t Test) bool { return t.Name != "" }))]
	if f.Reports[0].Whole {
		t.Name = ""
	}
	return p.Again[t]
}

// vet is the command that reads the code of a misuse, if poolproof vet knows its
// kind; "" if there is none.
func (p *Printer) vet(kinds []record.Kind, site record.Frame) string {
	if !slices.ContainsFunc(kinds, func(k record.Kind) bool { return k != record.AliasPut && k != record.NilPut }) {
		return ""
	}
	return p.Vet[PackageOf(site.Func)]
}

// kinds names the kinds of a finding's reports.
func (f *Finding) kinds() string {
	var names []string
	for _, k := range f.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// at is the place of a frame, as file:line.
func (p *Printer) at(f record.Frame) string { return fmt.Sprintf("%s:%d", p.File(f.File), f.Line) }

// File shows a file name: relative to the base, if it is below it.
func (p *Printer) File(name string) string {
	if p.Base == "" {
		return name
	}
	rel, err := filepath.Rel(p.Base, name)
	if err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return rel
}
