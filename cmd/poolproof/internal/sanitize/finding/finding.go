// Package finding turns what instrumented processes reported into findings that
// a person can act on: one bug is one finding, whatever the number of places,
// tests and processes that it showed in. It knows which of them are
// intended or known already, and writes them as text, JSON, SARIF and
// annotations. It runs nothing.
package finding

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Test is a test of a package; Name is "" for what happened outside of any.
type Test struct {
	Package string // import path; "" of a process that is no test binary of the run
	Dir     string // of the package
	Name    string
}

// String is the test as people name it.
func (t Test) String() string {
	switch {
	case t.Name == "" && t.Package == "":
		return "a process that a test started"
	case t.Name == "":
		return t.Package + ", outside of any test"
	case t.Package == "":
		return t.Name
	}
	return t.Name + " of " + t.Package
}

// Report is one distinct misuse: a kind, a place of access and a place of Put.
type Report struct {
	Kind     record.Kind
	Severity record.Severity
	Why      string // of a warning
	Type     string

	What                string
	Field               string
	Offset, Size, Total int64

	Access, Put, Get []record.Frame
	Started          []record.Frame // the go statement of the goroutine that touched the memory; none of a test's own
	Written          []record.Frame // of LeftOver: where the earlier user wrote what is read
	Said             []string       // of LeftOver: what the test printed
	Whole            bool           // of LeftOver: it shows only together with the other tests of the package
	Count            int
	Tests            []Test

	Suppressed *Suppression // nil: it counts
}

// Suppression says why a report does not count.
type Suppression struct {
	By     string // "ignore" or "baseline"
	Where  string // of the directive or the entry, as file:line
	Reason string // of the directive
}

// Finding is reports that have their site in common: one bug, most likely.
type Finding struct {
	Site     record.Frame // see Sites.Site
	Type     string
	Severity record.Severity // the highest
	Reports  []*Report       // the most frequent first
}

// Collect merges what the processes of a run reported. dirs says where the
// package of a process lies (record.Log.Dirs), packages its import path.
func Collect(l *record.Log, dirs map[*record.Process]string, packages map[string]string, s *Sites) []*Report {
	var all []*Report
	for _, p := range l.Processes {
		for _, f := range p.Reports {
			all = append(all, report(f, Test{Package: packages[dirs[p]], Dir: dirs[p]}, s))
		}
	}
	return Merge(nil, all, s)
}

// report is one finding of one process.
func report(f record.Report, of Test, s *Sites) *Report {
	r := &Report{
		Kind: f.Kind, Severity: f.Severity, Why: f.Why, Type: f.Type,
		What: f.What, Field: f.Field, Offset: f.Offset, Size: f.Size, Total: f.Total,
		Access: s.resolve(f.Access), Put: s.resolve(f.Put), Get: s.resolve(f.Get), Started: s.resolve(f.Started), Count: max(f.Count, 1),
	}
	names := f.Tests
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		r.Tests = append(r.Tests, Test{of.Package, of.Dir, name})
	}
	if f.Ignored {
		r.Suppressed = &Suppression{By: "ignore"}
	}
	return r
}

// Explain adds to a left-over which field has it, and who wrote and read it.
func (r *Report) Explain(f *record.Report, s *Sites) {
	r.Type, r.What, r.Field, r.Offset, r.Size, r.Total = f.Type, f.What, f.Field, f.Offset, f.Size, f.Total
	r.Access, r.Put, r.Get, r.Written = s.resolve(f.Access), s.resolve(f.Put), s.resolve(f.Get), s.resolve(f.Written)
}

// add merges a report of the same place, which both count or both do not.
func (r *Report) add(o *Report) {
	r.Count += o.Count
	for _, t := range o.Tests {
		if !slices.Contains(r.Tests, t) {
			r.Tests = append(r.Tests, t)
		}
	}
}

// Merge adds reports of a further run to those of the runs before, which are merged.
func Merge(all, more []*Report, s *Sites) []*Report {
	seen := map[string]*Report{}
	for _, r := range all {
		seen[s.key(r)] = r
	}
	for _, r := range more {
		key := s.key(r)
		if old := seen[key]; old != nil {
			old.add(r)
			continue
		}
		seen[key] = r
		all = append(all, r)
	}
	return all
}

// Group makes findings of the reports that count: those with the same site are
// one. Errors come first, then the order in which they were seen.
func Group(reports []*Report, s *Sites) []*Finding {
	var all []*Finding
	bySite := map[record.Frame]*Finding{}
	for _, r := range reports {
		if r.Suppressed != nil {
			continue
		}
		site := s.Site(r)
		f := bySite[site]
		if f == nil {
			f = &Finding{Site: site, Type: r.Type, Severity: r.Severity}
			bySite[site] = f
			all = append(all, f)
		}
		if r.Severity == record.Error {
			f.Severity = record.Error
		}
		f.Reports = append(f.Reports, r)
	}
	for _, f := range all {
		slices.SortStableFunc(f.Reports, func(a, b *Report) int {
			return cmp.Or(cmp.Compare(a.Severity, b.Severity), b.Count-a.Count) // error comes before warning
		})
	}
	slices.SortStableFunc(all, func(a, b *Finding) int {
		return cmp.Compare(a.Severity, b.Severity)
	})
	return all
}

// Kinds returns the kinds of a finding's reports, in the order of record.Kinds.
func (f *Finding) Kinds() []record.Kind {
	var kinds []record.Kind
	for _, k := range record.Kinds {
		if slices.ContainsFunc(f.Reports, func(r *Report) bool { return r.Kind == k }) {
			kinds = append(kinds, k)
		}
	}
	for _, r := range f.Reports { // of a newer runtime
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
	}
	return kinds
}

// Count is how often the bug showed.
func (f *Finding) Count() int {
	n := 0
	for _, r := range f.Reports {
		n += r.Count
	}
	return n
}

// Tests returns the tests that the bug showed in.
func (f *Finding) Tests() []Test {
	var tests []Test
	for _, r := range f.Reports {
		for _, t := range r.Tests {
			if !slices.Contains(tests, t) {
				tests = append(tests, t)
			}
		}
	}
	return tests
}

// Part says in words which part of the pooled object was touched.
func (r *Report) Part() string {
	of := "the object"
	switch {
	case r.Kind == record.LeftOver && r.Field != "":
		return "field " + r.Field + ", as the last user has left it; a new object has another value"
	case r.Kind == record.LeftOver:
		return "the object, as the last user has left it"
	case r.Kind == record.RetainedMemory:
		return fmt.Sprintf("%d bytes behind field %s, older than the Get, which no other code had any more", r.Total, r.Field)
	case r.What == record.Array && r.Field != "":
		of = "the array of field " + r.Field
	case r.What == record.Array:
		of = "the array"
	case r.What == record.Child && r.Field != "":
		of = "what field " + r.Field + " points to"
	case r.What == record.Child:
		of = "what the object points to"
	case r.Field != "":
		of = "field " + r.Field
	}
	switch {
	case r.Total <= 0 || r.Kind == record.NilPut || r.Kind == record.DoublePut:
		return of
	case r.Size <= 0:
		return fmt.Sprintf("%s, from byte %d of %d", of, r.Offset, r.Total)
	case r.Size == 1:
		return fmt.Sprintf("%s, byte %d of %d", of, r.Offset, r.Total)
	}
	return fmt.Sprintf("%s, bytes %d to %d of %d", of, r.Offset, r.Offset+r.Size-1, r.Total)
}
