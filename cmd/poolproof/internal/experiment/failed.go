package experiment

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// noteFailures notes which comparisons have a side that fails, and which benchmarks fail
// that belong to none.
func noteFailures(bs *builds, p *study.Plan) {
	blamed := map[study.Side]bool{}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, s := range []struct {
			name string
			study.Side
		}{{"candidate", c.New}, {"baseline", c.Old}} { // the baseline is the user's to repair first
			if text := failed(bs, s.Side); text != "" {
				c.Failed = &study.Failure{Side: s.name, Binary: s.Binary, Benchmark: s.Leaf, Text: text}
				blamed[s.Side] = true
			}
		}
	}
	for _, t := range bs.targets {
		for _, l := range bs.leaves[t.id] {
			if s := (study.Side{Binary: t.id, Leaf: l.Name}); l.Failed != "" && !blamed[s] {
				p.Failed = append(p.Failed, study.Failure{Binary: t.id, Benchmark: l.Name, Text: l.Failed})
			}
		}
	}
}

// failed says why a benchmark cannot be measured; "" if it can.
func failed(bs *builds, s study.Side) string {
	for _, l := range bs.leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Failed
		}
	}
	return ""
}
