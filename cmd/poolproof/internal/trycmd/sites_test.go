package trycmd

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

func TestWhatCannotMatterIsNotTried(t *testing.T) {
	site := func(cpu, bytes float64) *profile.Site {
		return &profile.Site{
			Bound:      profile.Bound{Benchmark: "BenchmarkA", CPU: cpu, Bytes: 0.001},
			Benchmarks: []profile.Reach{{Benchmark: "BenchmarkA", ByteShare: 0.001, ObjectShare: 0.9}, {Benchmark: "BenchmarkB", ByteShare: bytes}},
		}
	}
	for _, test := range []struct {
		s    *profile.Site
		want string
	}{
		{site(0.02, 0.03), "a change can win at most 2.0 % of the CPU time and 3.0 % of the bytes of any benchmark"},
		{site(0.05, 0.03), ""},
		{site(0.02, 0.05), ""},
		{&profile.Site{Benchmarks: []profile.Reach{{ByteShare: 0.01}}}, ""}, // no CPU profile was taken
	} {
		if got := tooLittle(test.s); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
