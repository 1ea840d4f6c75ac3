package collect

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
)

func TestWhatTheBudgetDoesNotReachIsSaid(t *testing.T) {
	leaves := []duet.Leaf{{Name: "BenchmarkA"}, {Name: "BenchmarkB", Once: time.Minute}}
	for name, c := range map[string]struct {
		collector
		leaves []duet.Leaf
		want   string
	}{
		"used up":  {collector{Question: Question{Budget: time.Second}, begin: time.Now().Add(-2 * time.Second)}, leaves, "BenchmarkA: the budget was used up; BenchmarkB: the budget was used up; "},
		"too long": {collector{Question: Question{Budget: 3 * time.Minute}, begin: time.Now()}, leaves[1:], "BenchmarkB: a run takes 1m0s, and it needs 4; "},
	} {
		got, err := c.all(t.Context(), c.leaves)
		text := ""
		for _, l := range got.Left {
			text += l.Name + ": " + l.Why + "; "
		}
		if err != nil || !got.Partial || text != c.want {
			t.Errorf("%s: %v, %q, partial %v", name, err, text, got.Partial)
		}
	}
}
