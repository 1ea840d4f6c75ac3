package run

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// planOf compares benchmarks of one binary with themselves.
func planOf(names ...string) study.Plan {
	p := study.Plan{Schema: study.Schema, Kind: study.KindAA, Engine: study.EngineDuet, Rule: stat.DefaultRule(),
		Binaries: []study.Binary{{ID: "test", SHA256: "aa"}}}
	for _, name := range names {
		side := study.Bench{Binary: "test", Leaf: name}
		p.Comparisons = append(p.Comparisons, study.Comparison{
			ID: name + "/itself", Benchmark: name, Arm: "itself", Baseline: "itself", BaselineBench: side, CandidateBench: side,
		})
	}
	return p
}

// unknown is the time of benchmarks that were never run.
func unknown(study.Bench) time.Duration { return 0 }

// reached lists the benchmarks that the plan means to measure.
func reached(p study.Plan) (names []string) {
	for _, c := range p.Comparisons {
		if c.Skipped == "" && c.Invalid == "" {
			names = append(names, c.Benchmark)
		}
	}
	return names
}
