//go:build unix

package duet

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAStretchIsOfOneSideAlone(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkN")
	l.Form = study.FormStretch
	r, shape, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK {
		t.Fatal(r.Status, r.Error, err)
	}
	if r.Baseline.Len() != shape.Pairs || r.Candidate.Len() != shape.Pairs || len(r.CandidateFirst) != shape.Pairs {
		t.Errorf("%d and %d bursts, %d coins; the shape has %d", r.Baseline.Len(), r.Candidate.Len(), len(r.CandidateFirst), shape.Pairs)
	}
	for _, first := range r.CandidateFirst {
		if first != r.CandidateFirst[0] {
			t.Fatal("the sides did not take turns once, but often")
		}
	}
	if b, c := r.Baseline.Extra["done"], r.Candidate.Extra["done"]; b != float64(r.N) || c != float64(r.Ops(study.Candidate)) {
		t.Errorf("metrics are means: %g and %g of %d", b, c, r.N)
	}
}

func TestHeadsAreDrawnFromAThirdToAll(t *testing.T) {
	least, most := time.Hour, time.Duration(0)
	for number := range 200 {
		l := Launch{Seed: 3, Comparison: "c", Form: study.FormStretch, Number: number, Rule: study.Rule{Head: study.Duration(600 * time.Millisecond)}}
		m := &measuring{Launch: l, coin: l.coins()}
		head := m.head()
		least, most = min(least, head), max(most, head)
	}
	if least < 200*time.Millisecond || least > 210*time.Millisecond || most > 600*time.Millisecond || most < 590*time.Millisecond {
		t.Errorf("from %v to %v", least, most)
	}
}

func TestUnlikeSidesHaveAnNEach(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkN")
	l.Leaves[study.Candidate] = "BenchmarkNap"
	r, shape, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK {
		t.Fatal(r.Status, r.Error, err)
	}
	if r.N < 10*r.NCandidate || r.NCandidate < 1 || shape.N != [2]int{r.N, r.NCandidate} {
		t.Errorf("N %d and %d, shape %+v", r.N, r.NCandidate, shape)
	}
}
