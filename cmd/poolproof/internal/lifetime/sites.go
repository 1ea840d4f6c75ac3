package lifetime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
)

// MostBenchmarks is how many benchmarks of a package [OfSites] runs, unless there are sites
// that others reach.
const MostBenchmarks = 12

// OfSites observes the objects of sites that a profile of benchmarks has, in the benchmarks
// that allocate most at each. The sites are of scope. limit is for each package, its build
// included. Where a package cannot be watched, the observations of its sites say why; the
// error is that of ctx. tell is told of each package, by its import path; it may be nil.
func OfSites(ctx context.Context, scope *attribute.Scope, sites []*profile.Site, limit time.Duration, tell func(path string)) (map[*profile.Site]Observation, error) {
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
		if tell != nil {
			tell(path)
		}
		chain, tags := scope.Toolchain(path)
		if chain == nil {
			continue
		}
		for group := range slices.Chunk(of[path], Most) {
			q := Question{Toolchain: chain, Dir: scope.Dir(path), Tags: tags, Benchmarks: benchmarks(group, path)}
			for _, s := range group {
				q.Sites = append(q.Sites, Of(s))
			}
			seen, err := within(ctx, limit, q)
			if ctx.Err() != nil {
				return all, ctx.Err()
			}
			for i, s := range group {
				if err != nil {
					all[s] = Observation{Site: q.Sites[i], Class: Unknown, Why: err.Error(), Wait: -1}
					continue
				}
				all[s] = seen[i]
			}
		}
	}
	return all, nil
}

// within observes for as long as limit.
func within(ctx context.Context, limit time.Duration, q Question) ([]Observation, error) {
	begin := time.Now()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w, err := prepare(limited, &q)
	if err == nil {
		defer w.remove()
		q.Limit = limit - time.Since(begin)
		return w.observe(ctx, q)
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
			if name := s.Benchmarks[rank].Benchmark; (rank == 0 || len(names) < MostBenchmarks) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
