package finding

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Entry is a known misuse: a kind and two functions, for lines change all the
// time.
type Entry struct {
	Kind        record.Kind
	Access, Put string // functions outside of the standard library

	line int // in the file
	used bool
}

func (e *Entry) String() string { return string(e.Kind) + "\t" + e.Access + "\t" + e.Put }

// Baseline is a file of misuse that is known and does not count.
type Baseline struct {
	File    string
	Entries []*Entry
}

const baselineHead = `# Known misuse of sync.Pool, which "poolproof test" does not report: kind, function of the access, function of the
# Put. "poolproof test -baseline FILE -update-baseline" writes this file again.
`

// ReadBaseline reads a baseline. One that is not there is empty if it is about to be
// written, else an error.
func ReadBaseline(name string, writing bool) (*Baseline, error) {
	b := &Baseline{File: name}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && writing {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || !slices.Contains(record.Kinds, record.Kind(fields[0])) {
			return nil, fmt.Errorf("%s:%d: %q is not an entry: write a kind, the function of the access and the function of the Put, with tabs between them", name, n, line)
		}
		b.Entries = append(b.Entries, &Entry{Kind: record.Kind(fields[0]), Access: fields[1], Put: fields[2], line: n})
	}
	return b, nil
}

// entry returns a report as a line of a baseline.
func entry(r *Report, s *Sites) Entry {
	return Entry{Kind: r.Kind, Access: s.Lead(r.Access).Func, Put: s.put(r).Func}
}

// Apply marks the reports that the baseline knows.
func (b *Baseline) Apply(reports []*Report, s *Sites) {
	for _, r := range reports {
		is := entry(r, s)
		for _, e := range b.Entries {
			if e.Kind != is.Kind || e.Access != is.Access || e.Put != is.Put {
				continue
			}
			e.used = true
			if r.Suppressed == nil || r.Suppressed.Where == "" {
				r.Suppressed = &Suppression{By: "baseline", Where: b.At(e)}
			}
		}
	}
}

// At is the place of an entry, as file:line.
func (b *Baseline) At(e *Entry) string { return fmt.Sprintf("%s:%d", b.File, e.line) }

// Unused returns the entries that fit no report, of those whose access or Put is
// in a function of which gone says that all that it does was seen.
func (b *Baseline) Unused(gone func(function string) bool) []*Entry {
	return slices.DeleteFunc(slices.Clone(b.Entries), func(e *Entry) bool { return e.used || !gone(e.Put) && !gone(e.Access) })
}

// Update writes a baseline of the reports that count and that no directive
// ignores, with the old entries but for the unused ones, and returns
// how many entries it has now.
func (b *Baseline) Update(reports []*Report, counts func(*Report) bool, unused []*Entry, s *Sites) (entries int, err error) {
	var lines []string
	for _, e := range b.Entries {
		if !slices.Contains(unused, e) {
			lines = append(lines, e.String())
		}
	}
	for _, r := range reports {
		if e := entry(r, s); r.Suppressed == nil && counts(r) {
			lines = append(lines, e.String())
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return len(lines), keep.File(b.File, []byte(baselineHead+strings.Join(append(lines, ""), "\n")))
}
