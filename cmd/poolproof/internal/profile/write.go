package profile

import (
	"io"
	"math"

	pprof "github.com/google/pprof/profile"
)

// Write writes the sites as a profile in the format of pprof, compressed. A
// sample has the site and the benchmark that reaches it, and labels for the kind of
// the site and what is called there; its values are those of one second of that benchmark, or all that another
// profile has.
func (p *Profile) Write(w io.Writer) error {
	b := builder{
		out: &pprof.Profile{
			SampleType:        []*pprof.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}},
			DefaultSampleType: "alloc_space",
			PeriodType:        &pprof.ValueType{Type: "space", Unit: "bytes"},
			Period:            1,
		},
		functions: map[Frame]*pprof.Function{}, locations: map[Frame]*pprof.Location{},
	}
	for _, s := range p.Sites {
		site := Frame{s.Package + "." + s.Function, s.File, s.Line}
		if len(s.Benchmarks) == 0 {
			b.add(s, s.Objects, s.Bytes, site)
		}
		for _, r := range s.Benchmarks {
			b.add(s, r.Objects*r.Rate, r.Bytes*r.Rate, site, Frame{Function: r.Package + "." + r.Benchmark})
		}
	}
	return b.out.Write(w)
}

// builder makes a profile in which each function and each place is one.
type builder struct {
	out       *pprof.Profile
	functions map[Frame]*pprof.Function
	locations map[Frame]*pprof.Location
}

func (b *builder) add(s *Site, objects, bytes float64, stack ...Frame) {
	sample := &pprof.Sample{
		Value: []int64{int64(math.Round(objects)), int64(math.Round(bytes))},
		Label: map[string][]string{"kind": {string(s.Kind)}},
	}
	if s.Callee != "" {
		sample.Label["callee"] = []string{Short(s.Callee)}
	}
	for _, f := range stack {
		sample.Location = append(sample.Location, b.location(f))
	}
	b.out.Sample = append(b.out.Sample, sample)
}

func (b *builder) location(f Frame) *pprof.Location {
	if l := b.locations[f]; l != nil {
		return l
	}
	named := Frame{Function: f.Function, File: f.File}
	fn := b.functions[named]
	if fn == nil {
		fn = &pprof.Function{ID: uint64(len(b.out.Function) + 1), Name: f.Function, SystemName: f.Function, Filename: f.File}
		b.functions[named] = fn
		b.out.Function = append(b.out.Function, fn)
	}
	l := &pprof.Location{ID: uint64(len(b.out.Location) + 1), Line: []pprof.Line{{Function: fn, Line: int64(f.Line)}}}
	b.locations[f] = l
	b.out.Location = append(b.out.Location, l)
	return l
}
