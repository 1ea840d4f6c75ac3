package plan

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// How long a benchmark runs to see what its time is spent on, and the share of it that
// Get and Put have where the benchmark is about nothing else.
const (
	profileTime   = "300ms"
	isolatedShare = 0.5
)

// isolated reports whether a benchmark spends most of its time in the Get and Put of
// pools. What a Get spends in New is not counted: the program without the pool has that,
// too. A benchmark that cannot be profiled is not isolated.
func isolated(ctx context.Context, bs *build.Set, timeout time.Duration, leaf string) (bool, error) {
	out := filepath.Join(bs.Main().Scratch, "cpu.profile")
	os.Remove(out)
	_, _, err := duet.Exec(ctx, bs.Program(build.MainBinary, 0, nil), timeout, "-test.run=^$", "-test.bench="+duet.Pattern(leaf),
		"-test.benchtime="+profileTime, "-test.cpuprofile="+out)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, nil
	}
	f, err := os.Open(out)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return false, fault.Errorf(fault.Tools, "the CPU profile of %s: %w", leaf, err)
	}
	return poolShare(p) > isolatedShare, nil
}

// poolShare is the share of a benchmark's samples that are in Get or Put of a sync.Pool.
func poolShare(p *profile.Profile) float64 {
	in, all := 0.0, 0.0
	for _, s := range p.Sample {
		pooled, benchmark := false, false
		outer := ""                    // the function that the one before was called by
		for _, l := range s.Location { // from the innermost frame
			for _, line := range l.Line {
				name := ""
				if line.Function != nil {
					name = line.Function.Name
				}
				if (name == "sync.(*Pool).Get" || name == "sync.(*Pool).Put") && own(outer) {
					pooled = true
				}
				benchmark = benchmark || strings.HasPrefix(name, "testing.(*B).")
				outer = name
			}
		}
		n := float64(s.Value[len(s.Value)-1])
		if benchmark {
			all += n
			if pooled {
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
