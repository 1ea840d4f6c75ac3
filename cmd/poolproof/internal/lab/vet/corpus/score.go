package corpus

import (
	"cmp"
	"slices"
)

// Reach is how many lines a report may be away from what it is about: the get
// that leaks, or the return where it does.
const Reach = 12

// Report is one finding of an analyzer.
type Report struct {
	File      string // relative to the folder that was analysed, with slashes
	Line, Col int
	Code      string
	Tier      string // "error", "warning", "audit"
	Message   string
}

// Expectation is a want of a function.
type Expectation struct {
	Func *Func
	Mark Mark
}

// Hit is a want that was found.
type Hit struct {
	Expectation
	Report Report
}

// Score counts the hits and misses of an analyzer on a corpus.
type Score struct {
	Hits   []Hit
	Missed []Expectation
	// False are the reports in right code.
	False []Report
	// Extra are reports in functions with a defect that are about something else.
	Extra []Report
	// Noted are reports of the audit tier in right code that is not about that
	// check: they are printed only on request.
	Noted []Report
}

// Wants is the number of wants that were judged.
func (s Score) Wants() int { return len(s.Hits) + len(s.Missed) }

// Score compares reports with the marks.
func (c *Corpus) Score(reports []Report) Score {
	var s Score
	reports = slices.Clone(reports)
	slices.SortFunc(reports, compareReports)
	taken := make([]bool, len(reports))
	for _, f := range c.Funcs {
		if f.Skip {
			continue
		}
		for _, want := range f.Wants() {
			at := nearest(f, want, reports, taken)
			if at < 0 {
				s.Missed = append(s.Missed, Expectation{f, want})
				continue
			}
			taken[at] = true
			s.Hits = append(s.Hits, Hit{Expectation{f, want}, reports[at]})
		}
	}
	for i, r := range reports {
		f := c.At(r.File, r.Line)
		switch {
		case taken[i] || f != nil && f.Skip:
		case f == nil || f.Good():
			s.offence(f, r)
		case !f.allows(r):
			s.Extra = append(s.Extra, r)
		}
	}
	return s
}

// offence files a report in right code.
func (s *Score) offence(f *Func, r Report) {
	if r.Tier == "audit" && (f == nil || !f.mentions(r.Code)) {
		s.Noted = append(s.Noted, r)
		return
	}
	s.False = append(s.False, r)
}

// nearest returns the index of the report that hits want, or -1.
func nearest(f *Func, want Mark, reports []Report, taken []bool) int {
	best, distance := -1, Reach+1
	for i, r := range reports {
		if taken[i] || r.File != f.File || r.Line < f.First || r.Line > f.Last || !want.has(r.Code) {
			continue
		}
		d := max(r.Line-want.Line, want.Line-r.Line)
		if want.Line == 0 {
			d = 0
		}
		if d < distance {
			best, distance = i, d
		}
	}
	return best
}

// allows says whether a mark other than a want covers r.
func (f *Func) allows(r Report) bool {
	return slices.ContainsFunc(f.Marks, func(m Mark) bool { return m.Kind == May && m.has(r.Code) })
}

// mentions says whether a mark of f names code.
func (f *Func) mentions(code string) bool {
	return slices.ContainsFunc(f.Marks, func(m Mark) bool { return m.has(code) })
}

func compareReports(a, b Report) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Code, b.Code),
	)
}
