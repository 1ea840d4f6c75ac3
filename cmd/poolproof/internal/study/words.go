package study

import (
	"reflect"
	"slices"
)

// Reword takes the words of a study file into the plan that was made of an
// earlier state of it: titles, prose, claims and what is expected, none of
// which a measurement depends on. It returns false, and leaves the plan as it
// is, if the file asks for other measurements than before.
func (p *Plan) Reword(file File) bool {
	if p.Study == nil || !reflect.DeepEqual(p.Study.wordless(), file.wordless()) {
		return false
	}
	file.Path = p.Study.Path
	p.Study, p.Title = &file, file.Title
	for i, c := range p.Comparisons {
		a := slices.IndexFunc(file.Arms, func(a Arm) bool { return a.Name == c.Arm })
		if a >= 0 {
			p.Comparisons[i].Expect = file.Arms[a].Expected(c.Benchmark, c.Cell)
			p.Comparisons[i].ExpectedBefore = file.Arms[a].ExpectedBefore(c.Benchmark, c.Cell)
		}
	}
	return true
}

// wordless returns a study file without its words. A plan that was
// read from JSON has nil where the file has an empty list.
func (f File) wordless() File {
	f.Path, f.Title, f.Date, f.Question, f.Hypothesis, f.Source = "", "", "", "", "", ""
	f.Prose, f.Claims = Prose{}, nil
	f.Env = full(f.Env)
	f.Benchmarks = slices.Clone(full(f.Benchmarks))
	for i := range f.Benchmarks {
		b := &f.Benchmarks[i]
		b.Title, b.Skip, b.Cells, b.Arms = "", full(b.Skip), full(b.Cells), nil // Arms are in Skip
	}
	f.Arms = slices.Clone(full(f.Arms))
	for i := range f.Arms {
		a := &f.Arms[i]
		a.Title, a.Optional, a.Expect, a.Before = "", "", nil, nil
		a.Falls, a.Rises, a.Reaches = full(a.Falls), full(a.Rises), full(a.Reaches)
	}
	f.Metrics = slices.Clone(full(f.Metrics))
	for i := range f.Metrics {
		f.Metrics[i].Title = ""
	}
	return f
}

// full returns nil for an empty list.
func full[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
