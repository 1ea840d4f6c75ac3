package plan

import (
	"testing"

	"github.com/google/pprof/profile"
	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
)

// counts is a profile of one file whose blocks are nested as those of the go command are
// not, and in its order.
func counts(get, body, miss int) []*cover.Profile {
	return []*cover.Profile{{FileName: "m/p/p.go", Blocks: []cover.ProfileBlock{
		{StartLine: 3, StartCol: 10, EndLine: 5, EndCol: 2, NumStmt: 2, Count: body},
		{StartLine: 10, StartCol: 20, EndLine: 12, EndCol: 3, NumStmt: 2, Count: get},
		{StartLine: 12, StartCol: 15, EndLine: 14, EndCol: 3, NumStmt: 1, Count: miss},
	}}}
}

func at(line, col, endLine, endCol int) unpool.Place {
	return unpool.Place{File: "/src/p/p.go", Package: "m/p", Line: line, Column: col, EndLine: endLine, EndCol: endCol}
}

func TestHowAnOperationUsesAPoolIsCounted(t *testing.T) {
	get, maker, miss := at(11, 7, 11, 20), at(3, 5, 5, 3), at(12, 13, 14, 4)
	for name, test := range map[string]struct {
		pool       unpool.Pool
		few, many  []*cover.Profile
		gets, hits float64
	}{
		"half of them miss":   {unpool.Pool{Gets: []unpool.Place{get}, Misses: []unpool.Place{maker}}, counts(21, 11, 0), counts(41, 21, 0), 2, 0.5},
		"two places of Get":   {unpool.Pool{Gets: []unpool.Place{get, get}, Misses: []unpool.Place{maker}}, counts(21, 1, 0), counts(41, 1, 0), 4, 1},
		"a collection moves":  {unpool.Pool{Gets: []unpool.Place{get}, Misses: []unpool.Place{maker}}, counts(21, 12, 0), counts(41, 11, 0), 2, 1},
		"hits are counted":    {unpool.Pool{Gets: []unpool.Place{get}, Hits: []unpool.Place{miss}}, counts(21, 0, 10), counts(41, 0, 15), 2, 0.25},
		"misses by a branch":  {unpool.Pool{Gets: []unpool.Place{get}, Misses: []unpool.Place{miss}}, counts(21, 0, 10), counts(41, 0, 15), 2, 0.75},
		"nothing shows it":    {unpool.Pool{Gets: []unpool.Place{get}}, counts(21, 0, 0), counts(41, 0, 0), 2, -1},
		"it is never reached": {unpool.Pool{Gets: []unpool.Place{get}, Misses: []unpool.Place{maker}}, counts(5, 5, 0), counts(5, 5, 0), 0, -1},
		"only in the set-up":  {unpool.Pool{Gets: []unpool.Place{get}}, counts(7, 0, 0), counts(7, 0, 0), 0, -1},
		"of another package":  {unpool.Pool{Gets: []unpool.Place{{File: "/src/p/p.go", Package: "m/q", Line: 11, Column: 7}}}, counts(5, 5, 0), counts(25, 5, 0), 0, -1},
	} {
		t.Run(name, func(t *testing.T) {
			if u := useOf(&test.pool, test.few, test.many, 10); u.gets != test.gets || u.hits != test.hits {
				t.Errorf("%g gets, %g hits; want %g, %g", u.gets, u.hits, test.gets, test.hits)
			}
		})
	}
}

// profileOf makes a CPU profile of stacks, each from the innermost function, with the
// number of its samples.
func profileOf(stacks map[int64][]string) *profile.Profile {
	p := &profile.Profile{}
	for n, names := range stacks {
		s := &profile.Sample{Value: []int64{n, n}}
		for _, name := range names {
			s.Location = append(s.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}})
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func TestTheShareOfGetAndPut(t *testing.T) {
	const get, put, b = "sync.(*Pool).Get", "sync.(*Pool).Put", "testing.(*B).runN"
	for name, test := range map[string]struct {
		stacks map[int64][]string
		want   float64
	}{
		"half":                      {map[int64][]string{10: {get, "p.F", b}, 11: {"p.work", "p.F", b}}, 10.0 / 21},
		"what Get calls is its own": {map[int64][]string{10: {"sync.(*poolChain).popHead", get, "p.F", b}, 30: {"runtime.procPin", "sync.(*Pool).pin", put, "p.F", b}}, 1},
		"New is not":                {map[int64][]string{10: {"runtime.mallocgc", "p.init.func1", get, "p.F", b}, 30: {"p.init.func1", get, b}}, 0},
		"the collector has no say":  {map[int64][]string{10: {get, b}, 90: {"runtime.gcDrain", "runtime.gcBgMarkWorker"}}, 1},
		"there are no samples":      {nil, 0},
		"a package named sync-like": {map[int64][]string{10: {"mysync.F", get, b}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := poolShare(profileOf(test.stacks)); got != test.want {
				t.Errorf("%g, want %g", got, test.want)
			}
		})
	}
}

func TestABenchmarkIsProfiledAgainWhereSamplesAreTooFewToTell(t *testing.T) {
	for _, test := range []struct {
		share   float64
		samples int64
		want    bool
	}{
		{0.65, 25, false}, {0.43, 25, false}, {0.65, 120, true}, {0.35, 120, true}, {0.51, 1000, false}, {0.95, 25, true}, {0, 25, true}, {0, 0, true},
	} {
		p := profileOf(map[int64][]string{test.samples: {"p.F"}})
		if got := settled(test.share, p); got != test.want {
			t.Errorf("%g of %d samples: %v", test.share, test.samples, got)
		}
	}
}

func TestEachPoolIsAskedInABenchmarkThatUsesItMost(t *testing.T) {
	leaves := []duet.Leaf{{Name: "alone"}, {Name: "few"}, {Name: "skipped", Skipped: true}, {Name: "many"}, {Name: "none"}}
	for name, test := range map[string]struct {
		gets []float64
		want int
	}{
		"the most gets":                     {[]float64{0, 1, 9, 3, 0}, 3},
		"one that is more than the pool":    {[]float64{8, 1, 0, 0, 0}, 1},
		"nothing but the pool":              {[]float64{8, 0, 0, 0, 0}, 0},
		"none":                              {[]float64{0, 0, 9, 0, 0}, -1},
		"the first of two that are as good": {[]float64{0, 2, 0, 2, 0}, 1},
	} {
		if got := foremost(leaves, map[string]bool{"alone": true}, func(k int) float64 { return test.gets[k] }); got != test.want {
			t.Errorf("%s: benchmark %d, want %d", name, got, test.want)
		}
	}
}
