package attribute

import (
	"context"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// Benchmarks returns the sites of benchmarks, each of which counts as if it had
// run for one second.
func (s *Scope) Benchmarks(ctx context.Context, bs []profile.Benchmark) (*profile.Profile, error) {
	sum := newSum(s)
	for i := range bs {
		perSecond := 1.0
		if bs[i].Wall > 0 {
			perSecond = 1e9 / bs[i].Wall
		}
		sum.add(bs[i].Samples, perSecond, &bs[i])
		sum.result.CPU = sum.result.CPU.Add(bs[i].CPU)
	}
	return sum.sites(ctx)
}

// Samples returns the sites of another profile.
func (s *Scope) Samples(ctx context.Context, samples []profile.Sample) (*profile.Profile, error) {
	sum := newSum(s)
	sum.add(samples, 1, nil)
	return sum.sites(ctx)
}

// sum adds up what benchmarks allocate.
type sum struct {
	scope  *Scope
	result *profile.Profile
	all    []weighed
}

func newSum(s *Scope) *sum { return &sum{scope: s, result: new(profile.Profile)} }

func (s *sum) add(samples []profile.Sample, weight float64, of *profile.Benchmark) {
	for _, sample := range samples {
		s.all = append(s.all, weighed{sample, weight, of})
		s.result.Bytes += sample.Bytes * weight
		s.result.Objects += sample.Objects * weight
	}
}

// least is the part of a profile below which a sample is not worth the source of
// its functions.
const least = 0.001

// share is the larger part that a sample has.
func (s *sum) share(w weighed) float64 {
	return max(part(w.Bytes*w.weight, s.result.Bytes), part(w.Objects*w.weight, s.result.Objects))
}

func (s *sum) sites(ctx context.Context) (*profile.Profile, error) {
	var paths []string
	for _, w := range s.all {
		if s.share(w) < least {
			continue
		}
		for _, f := range w.Stack {
			if at, whose := s.scope.of(f); whose == users && !slices.Contains(paths, at.pkg) {
				paths = append(paths, at.pkg)
			}
		}
	}
	if err := s.scope.Load(ctx, paths...); err != nil {
		return nil, err
	}
	t := newTable(s.scope)
	for _, w := range s.all {
		t.learn(w.Stack)
	}
	for _, w := range s.all {
		site, whose := t.siteOf(w.Stack)
		switch whose {
		case users:
			t.count(site, w)
		case tests:
			s.result.Tests.Bytes += part(w.Bytes*w.weight, s.result.Bytes)
			s.result.Tests.Objects += part(w.Objects*w.weight, s.result.Objects)
		default:
			s.result.Elsewhere.Bytes += part(w.Bytes*w.weight, s.result.Bytes)
			s.result.Elsewhere.Objects += part(w.Objects*w.weight, s.result.Objects)
		}
	}
	s.result.Sites = t.finish(s.result)
	return s.result, nil
}

// Top is the outermost function, besides the runtime's, that most of the bytes
// are allocated below; "" without samples.
func Top(samples []profile.Sample) string {
	below := map[string]float64{}
	top := ""
	for _, s := range samples {
		for _, f := range slices.Backward(s.Stack) {
			if profile.OfRuntime(f.Function) {
				continue
			}
			below[f.Function] += s.Bytes
			if below[f.Function] > below[top] || below[f.Function] == below[top] && f.Function < top {
				top = f.Function
			}
			break
		}
	}
	return top
}
