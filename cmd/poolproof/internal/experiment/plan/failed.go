package plan

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// noteFailures notes which comparisons have a side that fails, and which benchmarks fail
// that belong to none.
func noteFailures(bs *build.Set, p *study.Plan) {
	blamed := map[study.Bench]bool{}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, s := range []struct {
			name string
			study.Bench
		}{{"candidate", c.CandidateBench}, {"baseline", c.BaselineBench}} { // the baseline is the user's to repair first
			if text := failed(bs, s.Bench); text != "" {
				c.Failed = &study.Failure{Side: s.name, Binary: s.Binary, Benchmark: s.Leaf, Text: text}
				blamed[s.Bench] = true
			}
		}
	}
	for _, t := range bs.Targets {
		for _, l := range bs.Leaves[t.ID] {
			if s := (study.Bench{Binary: t.ID, Leaf: l.Name}); l.Failed != "" && !blamed[s] {
				p.Failed = append(p.Failed, study.Failure{Binary: t.ID, Benchmark: l.Name, Text: l.Failed})
			}
		}
	}
}

// failed says why a benchmark cannot be measured; "" if it can.
func failed(bs *build.Set, s study.Bench) string {
	for _, l := range bs.Leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Failed
		}
	}
	return ""
}
