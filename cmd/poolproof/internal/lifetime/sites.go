package lifetime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
)

const (
	// mostBenchmarks is how many benchmarks of a package run, unless there are sites that
	// others reach.
	mostBenchmarks = 12
	// most is how many sites one binary watches.
	most = 62
)

// OfSites observes the objects of sites that a profile of benchmarks has, in the benchmarks
// that allocate most at each. The sites are of scope. limit is for each package, its build
// included. Where a package cannot be watched, the observations of its sites say why; where ctx
// ends, sites have none. tell is told of each package, by its import path.
func OfSites(ctx context.Context, scope *attribute.Scope, sites []*profile.Site, limit time.Duration, tell func(path string)) map[*profile.Site]Observation {
	all := map[*profile.Site]Observation{}
	var packages []string
	of := map[string][]*profile.Site{}
	for _, s := range sites {
		if len(s.Benchmarks) == 0 {
			continue
		}
		path := s.Benchmarks[0].Package
		if of[path] == nil {
			packages = append(packages, path)
		}
		of[path] = append(of[path], s)
	}
	for _, path := range packages {
		tell(path)
		chain, tags := scope.Toolchain(path)
		if chain == nil {
			continue
		}
		for group := range slices.Chunk(of[path], most) {
			seen, err := within(ctx, limit, question{chain, scope.Dir(path), tags, benchmarks(group, path), group})
			if ctx.Err() != nil {
				return all
			}
			for i, s := range group {
				if err != nil {
					all[s] = Observation{Class: Unknown, Why: err.Error(), Wait: -1}
					continue
				}
				all[s] = seen[i]
			}
		}
	}
	return all
}

// within runs the benchmarks of a question, watched, each in a process of its own, for as long as
// limit with the build, and returns an observation for each site. An error is of the kind
// [fault.Code] where the package does not build or nothing of it can be run, of [fault.Tools]
// where the toolchain cannot be made to watch.
func within(ctx context.Context, limit time.Duration, q question) ([]Observation, error) {
	begin := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	scratch, err := os.MkdirTemp("", "poolproof-lifetimes-")
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "%w", err)
	}
	defer os.RemoveAll(scratch)
	w, err := build(limited, q, scratch)
	if err == nil {
		return w.observe(ctx, q, begin.Add(limit))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the build that watches was not done after %s; what it has built is kept for the next time", limit.Round(time.Second))
	}
	return nil, err
}

// benchmarks are those of a package that allocate most at each site, and then the second of
// each, as long as there are few.
func benchmarks(sites []*profile.Site, path string) (names []string) {
	for rank := range 2 {
		for _, s := range sites {
			if rank >= len(s.Benchmarks) || s.Benchmarks[rank].Package != path {
				continue
			}
			if name := s.Benchmarks[rank].Benchmark; (rank == 0 || len(names) < mostBenchmarks) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
