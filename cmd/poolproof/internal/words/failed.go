package words

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Failed lists the benchmarks that fail, each with what it said: those of the
// comparisons, and those that belong to none.
func Failed(v study.VerdictFile, rs []Row) Remarks {
	out := each(rs, func(r Row) string {
		if r.Failed == nil {
			return ""
		}
		return Clauses([]string{r.Failed.String()})
	})
	for _, f := range v.Plan.Failed {
		out.Add(f.Benchmark, Clauses([]string{f.Text}), nil)
	}
	return out
}
