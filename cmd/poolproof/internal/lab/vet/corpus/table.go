package corpus

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// Table writes a score as a Markdown table, one row for each kind of defect.
func (s Score) Table(w io.Writer) {
	type row struct {
		code          string
		wants, found  int
		errors, falls int
	}
	rows := make(map[string]*row)
	at := func(code string) *row {
		if rows[code] == nil {
			rows[code] = &row{code: code}
		}
		return rows[code]
	}
	for _, h := range s.Hits {
		r := at(h.Mark.Codes[0])
		r.wants++
		r.found++
		if h.Report.Tier == "error" {
			r.errors++
		}
	}
	for _, m := range s.Missed {
		at(m.Mark.Codes[0]).wants++
	}
	for _, f := range s.False {
		at(f.Code).falls++
	}
	all := row{code: "all"}
	var list []*row
	for _, r := range rows {
		list = append(list, r)
		all.wants += r.wants
		all.found += r.found
		all.errors += r.errors
		all.falls += r.falls
	}
	slices.SortFunc(list, func(a, b *row) int { return cmp.Compare(a.code, b.code) })
	fmt.Fprintln(w, "| defect | wants | found | of them error tier | false reports |")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	for _, r := range append(list, &all) {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", r.code, r.wants, r.found, r.errors, r.falls)
	}
}

// Themes writes a score as a Markdown table, one row for each folder of c.
func (s Score) Themes(w io.Writer, c *Corpus) {
	type row struct{ wants, found, errors, fines, falls int }
	rows, all := make(map[string]*row), new(row)
	both := func(file string) [2]*row {
		theme := path.Dir(file)
		if rows[theme] == nil {
			rows[theme] = new(row)
		}
		return [2]*row{rows[theme], all}
	}
	for _, h := range s.Hits {
		for _, r := range both(h.Func.File) {
			r.wants++
			r.found++
			if h.Report.Tier == "error" {
				r.errors++
			}
		}
	}
	for _, m := range s.Missed {
		for _, r := range both(m.Func.File) {
			r.wants++
		}
	}
	for _, f := range s.False {
		for _, r := range both(f.File) {
			r.falls++
		}
	}
	for _, f := range c.Funcs {
		for _, m := range f.Marks {
			if m.Kind == Fine && !f.Skip {
				for _, r := range both(f.File) {
					r.fines++
				}
			}
		}
	}
	fmt.Fprintln(w, "| theme | wants | found | of them error tier | silent places | false reports |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	line := func(name string, r *row) {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |\n", name, r.wants, r.found, r.errors, r.fines, r.falls)
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		line(name, rows[name])
	}
	line("all", all)
}

// Details writes what was missed and what was reported in excess, one a line.
func (s Score) Details(w io.Writer) {
	for _, m := range s.Missed {
		fmt.Fprintf(w, "missed %s:%d: %s in %s\n", m.Func.File, m.Mark.Line, m.Mark, m.Func.Name)
	}
	for _, kind := range []struct {
		name string
		list []Report
	}{{"false", s.False}, {"extra", s.Extra}, {"noted", s.Noted}} {
		for _, r := range kind.list {
			fmt.Fprintf(w, "%s %s:%d:%d: %s (%s) %s\n", kind.name, r.File, r.Line, r.Col, r.Code, r.Tier, strings.TrimSpace(r.Message))
		}
	}
}
