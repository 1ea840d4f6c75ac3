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
	out := &pprof.Profile{
		SampleType:        []*pprof.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}},
		DefaultSampleType: "alloc_space",
		PeriodType:        &pprof.ValueType{Type: "space", Unit: "bytes"},
		Period:            1,
	}
	for _, s := range p.Sites {
		site := Frame{s.Package + "." + s.Function, s.File, s.Line}
		if len(s.Benchmarks) == 0 {
			addSample(out, s, s.Objects, s.Bytes, site)
		}
		for _, r := range s.Benchmarks {
			addSample(out, s, r.Objects*r.Rate, r.Bytes*r.Rate, site, Frame{Function: r.Package + "." + r.Benchmark})
		}
	}
	return out.Compact().Write(w) // in which each function and each place is one
}

func addSample(out *pprof.Profile, s *Site, objects, bytes float64, stack ...Frame) {
	sample := &pprof.Sample{
		Value: []int64{int64(math.Round(objects)), int64(math.Round(bytes))},
		Label: map[string][]string{"kind": {string(s.Kind)}},
	}
	if s.Callee != "" {
		sample.Label["callee"] = []string{Short(s.Callee)}
	}
	for _, f := range stack {
		fn := &pprof.Function{ID: uint64(len(out.Function) + 1), Name: f.Function, SystemName: f.Function, Filename: f.File}
		l := &pprof.Location{ID: uint64(len(out.Location) + 1), Line: []pprof.Line{{Function: fn, Line: int64(f.Line)}}}
		out.Function, out.Location, sample.Location = append(out.Function, fn), append(out.Location, l), append(sample.Location, l)
	}
	out.Sample = append(out.Sample, sample)
}
