package orderedjsontemplates

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// A pool takes away what a buffer allocates as it grows, and adds the copy. To
// do without the copy as well takes away more, and is as safe here. Of what the
// generator allocates all of this is little: formatting is the rest. (The
// published counters are 1,317, 8,511 and 2,479 allocations for types, client
// and server, of another document, with goimports behind; 5, 2 and 3 less with
// the pool.)
func TestCountersAreExact(t *testing.T) {
	type count struct{ allocs, bytes uint64 }
	for _, c := range []struct {
		part     Part
		size     int              // of what the template writes
		template map[string]count // with what it writes only read
		format   count            // more, in all arms, when it is formatted
	}{
		{Types, 1_167, map[string]count{
			"new": {180, 5_536}, "pool": {175, 4_288}, "tiers": {175, 4_288}, "lend": {174, 3_008}, "split": {175, 4_288}}, count{524, 22_528}},
		{Client, 6_936, map[string]count{
			"new": {485, 26_336}, "pool": {480, 19_040}, "tiers": {480, 19_040}, "lend": {479, 10_848}, "split": {485, 26_336}}, count{4_187, 152_552}},
		{Server, 11_017, map[string]count{
			"new": {204, 27_760}, "pool": {196, 15_536}, "tiers": {196, 15_536}, "lend": {195, 3_248}, "split": {204, 27_760}}, count{5_298, 198_048}},
	} {
		t.Run(string(c.part), func(t *testing.T) {
			size := 0
			New(c.part, model(), func(source []byte) ([]byte, error) { size = len(source); return nil, nil })
			if size != c.size {
				t.Errorf("the template writes %d bytes, want %d", size, c.size)
			}
			for _, arm := range arms {
				allocs, bytes := exact.Counters(t, func() { arm.generate(c.part, model(), hashed) })
				if got := (count{allocs, bytes}); got != c.template[arm.name] {
					t.Errorf("%s: %+v, want %+v", arm.name, got, c.template[arm.name])
				}
				all, allBytes := exact.Counters(t, func() { arm.generate(c.part, model(), Formatted) })
				if got := (count{all - allocs, allBytes - bytes}); got != c.format {
					t.Errorf("%s: formatting takes %+v, want %+v", arm.name, got, c.format)
				}
			}
		})
	}
}
