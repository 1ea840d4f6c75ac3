//go:build unix

package duet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheCoinSaysWhichSideOfAPairGoesFirst(t *testing.T) {
	coins := []bool{true, false, false, true}
	tosses := 0
	m := &measuring{shape: Shape{N: [2]int{7, 7}, Pairs: len(coins)}, coin: func() bool { tosses++; return coins[tosses-1] }}
	var order []string
	run := func(_ context.Context, side study.Side, n int) (Burst, error) {
		order = append(order, fmt.Sprint(side.String(), n))
		return Burst{Burst: study.Burst{Wall: int64(10*len(order)) + int64(side), Extra: map[string]float64{"x": float64(len(order))}}}, nil
	}
	var r study.Record
	if err := m.pairs(t.Context(), &r, m.shape.Pairs, run); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "candidate7 baseline7 baseline7 candidate7 baseline7 candidate7 candidate7 baseline7" {
		t.Errorf("order %s", got)
	}
	if !slices.Equal(r.CandidateFirst, coins) || !slices.Equal(r.Baseline.Wall, []int64{20, 30, 50, 80}) || !slices.Equal(r.Candidate.Wall, []int64{11, 41, 61, 71}) {
		t.Errorf("coins %v, bursts %v and %v", r.CandidateFirst, r.Baseline.Wall, r.Candidate.Wall)
	}
	if r.Baseline.Extra["x"] != 4.5 || r.Candidate.Extra["x"] != 4.5 {
		t.Errorf("means %v and %v", r.Baseline.Extra, r.Candidate.Extra)
	}
	// A side that fails is the one that was asked last.
	broken := errors.New("broken")
	tosses, r = 0, study.Record{}
	err := m.pairs(t.Context(), &r, m.shape.Pairs, func(ctx context.Context, side study.Side, n int) (Burst, error) {
		if side == study.Candidate && tosses == 2 {
			return Burst{}, broken
		}
		return Burst{}, nil
	})
	if !errors.Is(err, broken) || m.turn != study.Candidate || len(r.CandidateFirst) != 1 {
		t.Errorf("%v, the %s's turn after %d pairs", err, m.turn, len(r.CandidateFirst))
	}
}
