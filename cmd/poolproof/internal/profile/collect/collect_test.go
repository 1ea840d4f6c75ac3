package collect

import (
	"fmt"
	"testing"

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
