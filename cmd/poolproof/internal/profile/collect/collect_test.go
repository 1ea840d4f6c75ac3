package collect

import (
	"fmt"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
)

func TestLeavesComeInTurn(t *testing.T) {
	var leaves []duet.Leaf
	for _, name := range []string{"BenchmarkA/1", "BenchmarkA/2", "BenchmarkA/3", "BenchmarkB", "BenchmarkC/x/1", "BenchmarkC/x/2"} {
		leaves = append(leaves, duet.Leaf{Name: name})
	}
	got := ""
	for _, l := range inTurn(leaves) {
		got += fmt.Sprintf("%s ", l.Name[len("Benchmark"):])
	}
	if want := "A/1 B C/x/1 A/2 C/x/2 A/3 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

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
