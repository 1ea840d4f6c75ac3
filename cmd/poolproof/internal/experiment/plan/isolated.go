package plan

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// How long a benchmark runs to see what its time is spent on, how many times at most, and the
// share of it from which on the benchmark is about nothing else.
const (
	profileTime   = "300ms"
	profileRuns   = 6
	isolatedShare = 0.5
)

// isolated reports whether a benchmark spends most of its time in what a function sees as the
// share of a profile. A benchmark that cannot be profiled is not isolated. It runs again where
// the samples are too few to tell.
func isolated(ctx context.Context, bs *build.Set, timeout time.Duration, leaf string, share func(*profile.Profile) float64) (bool, error) {
	dir, err := os.MkdirTemp(bs.Main().Scratch, "cpu")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "profile")
	var all []*profile.Profile
	got := 0.0
	for range profileRuns {
		_, _, err = duet.Exec(ctx, bs.Program(build.MainBinary, 0, nil), timeout, "-test.run=^$", "-test.bench="+duet.Pattern(leaf),
			"-test.benchtime="+profileTime, "-test.cpuprofile="+out)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			return false, nil
		}
		text, err := os.ReadFile(out)
		if err != nil {
			return false, nil
		}
		p, err := profile.ParseData(text)
		if err == nil {
			all = append(all, p)
			p, err = profile.Merge(all)
		}
		if err != nil {
			return false, fault.Errorf(fault.Tools, "the CPU profile of %s: %w", leaf, err)
		}
		if got = share(p); settled(got, p) {
			break
		}
	}
	return got > isolatedShare, nil
}

// settled reports whether a share is three standard errors from the one that decides. A
// benchmark without samples waits, which more of them would not change.
func settled(share float64, p *profile.Profile) bool {
	samples := int64(0)
	for _, s := range p.Sample {
		samples += s.Value[0]
	}
	return samples == 0 || math.Abs(share-isolatedShare)*math.Sqrt(float64(samples)) > 3*0.5
}

// poolShare is the share of a benchmark's samples that are in Get or Put of a sync.Pool. What a
// Get spends in New is not counted: the program without the pool has that, too.
func poolShare(p *profile.Profile) float64 {
	return shareOf(p, func(name, inner, _ string, _ int64) bool {
		return (name == "sync.(*Pool).Get" || name == "sync.(*Pool).Put") && own(inner)
	})
}

// shareOf is the share of a benchmark's samples with a frame that is meant: the function and
// the one that it calls, its file and its line.
func shareOf(p *profile.Profile, meant func(name, inner, file string, line int64) bool) float64 {
	in, all := 0.0, 0.0
	for _, s := range p.Sample {
		found, benchmark := false, false
		inner := ""
		for _, l := range s.Location { // from the innermost frame
			for _, line := range l.Line {
				name, file := "", ""
				if line.Function != nil {
					name, file = line.Function.Name, line.Function.Filename
				}
				found = found || meant(name, inner, file, line.Line)
				benchmark = benchmark || strings.HasPrefix(name, "testing.(*B).")
				inner = name
			}
		}
		n := float64(s.Value[len(s.Value)-1])
		if benchmark {
			all += n
			if found {
				in += n
			}
		}
	}
	if all == 0 {
		return 0
	}
	return in / all
}

// own reports whether a function that Get or Put calls is a part of them, and not New.
func own(name string) bool {
	return name == "" || strings.HasPrefix(name, "sync.") || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/")
}
