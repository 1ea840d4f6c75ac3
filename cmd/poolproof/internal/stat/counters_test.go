package stat

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// counts makes a launch whose bursts allocate so often, the column standing
// for both counters.
func counts(n int, old, new []uint64) *launch {
	blank := make([]int64, len(old))
	return &launch{rec: &study.Record{N: n, Baseline: study.Columns{Wall: blank, Allocs: old, Bytes: old}, Candidate: study.Columns{Wall: blank, Allocs: new, Bytes: new}}}
}

func TestCountersAreEqualWithinATolerance(t *testing.T) {
	for _, tt := range []struct {
		name           string
		ls             []*launch
		allocs, bytes_ bool // equal
		old, new       float64
	}{
		{"whole numbers that differ differ, however little", []*launch{counts(1000, []uint64{1532000, 1532000}, []uint64{1531000, 1531000})}, false, false, 1532, 1531},
		{"a stray allocation does not unmake a whole number", []*launch{counts(1000, []uint64{3000, 3001}, []uint64{3002, 3000})}, true, true, 3, 3},
		{"half a percent is tolerated", []*launch{counts(100, []uint64{100050, 100040}, []uint64{100540, 100540})}, true, true, 1000.45, 1005.4},
		{"more than half a percent is not", []*launch{counts(100, []uint64{100050, 100040}, []uint64{100580, 100580})}, false, false, 1000.45, 1005.8},
		{"one stray allocation and 512 stray bytes a burst are tolerated", []*launch{counts(10, []uint64{3, 3}, []uint64{4, 4})}, true, true, 0.3, 0.4},
		{"two stray allocations are not", []*launch{counts(10, []uint64{3, 3}, []uint64{5, 5})}, false, true, 0.3, 0.5},
		{"600 stray bytes are not", []*launch{counts(10, []uint64{3, 3}, []uint64{604, 604})}, false, false, 0.3, 60.4},
		{"two operations of five are no whole number", []*launch{counts(1000, []uint64{400, 400}, []uint64{0, 0})}, false, true, 0.4, 0},
		{"an operation a burst: its allocation goes, but for some", []*launch{counts(1, []uint64{1, 1, 1, 1, 1}, []uint64{0, 0, 1, 0, 0})}, false, true, 1, 0.2},
		{"an operation a burst: two of three allocations go", []*launch{counts(1, []uint64{3, 3, 4, 3, 3}, []uint64{1, 1, 1, 2, 1})}, false, true, 3.2, 1.2},
		{"an operation a burst: a stray allocation in one", []*launch{counts(1, []uint64{0, 0, 1, 0, 0}, []uint64{0, 0, 0, 0, 0})}, true, true, 0.2, 0},
		{"an operation a burst: 40 bytes go", []*launch{counts(1, []uint64{40, 41, 40}, []uint64{0, 0, 3})}, false, false, 121.0 / 3, 1},
		{"sums are over operations, not over launches", []*launch{counts(10, []uint64{20}, []uint64{20}), counts(1000, []uint64{1500}, []uint64{1500})}, true, true, 1520.0 / 1010, 1520.0 / 1010},
		{"one burst off a whole number refutes it", []*launch{counts(1000, []uint64{3000, 3000, 4000}, []uint64{3000, 3000, 3000})}, false, true, 10.0 / 3, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			allocs, bytes := counters(tt.ls)
			if allocs.equal() != tt.allocs || bytes.equal() != tt.bytes_ {
				t.Errorf("allocs equal: %v, bytes equal: %v", allocs.equal(), bytes.equal())
			}
			near(t, "old", allocs.baseline, tt.old, 1e-9)
			near(t, "new", allocs.candidate, tt.new, 1e-9)
		})
	}
}

func TestMemoryClass(t *testing.T) {
	exact := func(old, new float64) count { return count{baseline: old, candidate: new, integers: true} }
	about := func(old, new float64) count { return count{baseline: old, candidate: new} }
	for _, tt := range []struct {
		name          string
		allocs, bytes count
		want          study.Class
		fell          bool
	}{
		{"bytes fall by 5 % and 16", exact(1, 1), exact(320, 304), study.Better, true},
		{"bytes rise by as much", exact(1, 1), exact(304, 320), study.Worse, false},
		{"less than 16 bytes is nothing", exact(1, 1), exact(24, 9), study.Same, false},
		{"less than 5 % is nothing", exact(1, 1), exact(10000, 9501), study.Same, false},
		{"equal bytes: one allocation less", exact(1532, 1531), exact(100, 100), study.Better, false},
		{"equal bytes: one allocation more", exact(1531, 1532), exact(100, 100), study.Worse, false},
		{"equal bytes: allocations that are no whole numbers need 5 %", about(100.5, 97.2), exact(100, 100), study.Same, false},
		{"equal bytes: and a whole allocation", about(1.5, 0.6), exact(100, 100), study.Same, false},
		{"equal bytes: both fall short of nothing", about(100.5, 94.2), exact(100, 100), study.Better, false},
		{"bytes decide where allocations agree", exact(5, 1), exact(5000, 100), study.Better, true},
		{"bytes decide where allocations stay", exact(5, 5), exact(100, 5000), study.Worse, false},
		{"fewer bytes in more allocations", exact(1, 2), exact(5000, 100), study.Mixed, true},
		{"more bytes in fewer allocations", exact(2, 1), exact(100, 5000), study.Mixed, false},
		{"a change within the tolerance is none", about(10, 10), count{baseline: 20, candidate: 4, stray: 51.2}, study.Same, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, fell := memoryClass(DefaultRule(), tt.allocs, tt.bytes)
			if got != tt.want || fell != tt.fell {
				t.Errorf("%s, bytes fell %v; want %s, %v", got, fell, tt.want, tt.fell)
			}
		})
	}
}

func TestTheUserMayChooseTheMarginsOfMemory(t *testing.T) {
	bytes := func(a, b float64) count { return count{baseline: a, candidate: b, integers: true} }
	for _, tt := range []struct {
		name          string
		rule          study.Rule
		allocs, bytes count
		want          study.Class
	}{
		{"two of a hundred bytes by the rule", study.Rule{}, bytes(1, 1), bytes(1000, 1020), study.Same},
		{"two of a hundred bytes at 1 %", study.Rule{BytesShare: 0.01}, bytes(1, 1), bytes(1000, 1020), study.Worse},
		{"eight bytes of a hundred at 1 %", study.Rule{BytesShare: 0.01}, bytes(1, 1), bytes(100, 108), study.Worse},
		{"a tenth at 20 %", study.Rule{BytesShare: 0.2}, bytes(1, 1), bytes(1000, 1100), study.Same},
		{"an allocation of twenty by the rule", study.Rule{}, bytes(20, 21), bytes(8, 8), study.Worse},
		{"an allocation of twenty at 10 %", study.Rule{AllocsShare: 0.1}, bytes(20, 21), bytes(8, 8), study.Same},
		{"an allocation of five at 10 %", study.Rule{AllocsShare: 0.1}, bytes(5, 4), bytes(8, 8), study.Better},
	} {
		if got, _ := memoryClass(tt.rule, tt.allocs, tt.bytes); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
