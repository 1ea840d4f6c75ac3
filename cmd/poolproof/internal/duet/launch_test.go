//go:build unix

package duet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestCoinsAreFairReproducibleAndOfTheirLaunchAlone(t *testing.T) {
	base := Launch{Seed: 7, Comparison: "c", Form: study.FormBursts}
	toss := func(l Launch) (tosses []bool) {
		for coin := l.coins(); len(tosses) < 4000; {
			tosses = append(tosses, coin())
		}
		return tosses
	}
	first := toss(base)
	if !slices.Equal(first, toss(base)) {
		t.Error("the same launch tosses otherwise the second time")
	}
	variants := map[string]Launch{"base": base}
	for name, change := range map[string]func(*Launch){
		"seed": func(l *Launch) { l.Seed++ }, "comparison": func(l *Launch) { l.Comparison = "d" },
		"form": func(l *Launch) { l.Form = study.FormStretch }, "layout": func(l *Launch) { l.Layout = 1 },
		"number": func(l *Launch) { l.Number = 1 },
	} {
		l := base
		change(&l)
		variants[name] = l
	}
	for name, l := range variants {
		tosses, heads, same, runs := toss(l), 0, 0, 0
		for i, c := range tosses {
			if c {
				heads++
			}
			if c == first[i] {
				same++
			}
			if i > 0 && c != tosses[i-1] {
				runs++
			}
		}
		for what, count := range map[string]int{"heads": heads, "changes": runs, "equal to those of the base": same} {
			if what[0] == 'e' && name == "base" {
				continue
			}
			if math.Abs(float64(count)-2000) > 5*math.Sqrt(1000) { // five standard deviations; the seeds are fixed
				t.Errorf("%s: %d of 4000 %s", name, count, what)
			}
		}
	}
}

func TestALaunchRecordsWhatItDid(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkAlloc")
	l.Layout, l.Number = 2, 5
	r, shape, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK {
		t.Fatalf("%s %s, %v", r.Status, r.Error, err)
	}
	if r.Plan != "plan" || r.Comparison != l.Comparison || r.Form != l.Form || r.Layout != 2 || r.Launch != 5 || r.Schema != study.Schema ||
		r.Go != m.chain.Version || r.Seconds <= 0 || r.Started.IsZero() || r.FailedSide != "" || r.Error != "" {
		t.Errorf("record %+v", r)
	}
	if got := ShapeOf(r, rule); got != shape {
		t.Errorf("ShapeOf = %+v, used %+v", got, shape)
	}
	for _, side := range []study.Side{study.Baseline, study.Candidate} {
		c, ops := r.Columns(side), r.Ops(side)
		for column, n := range map[string]int{
			"wall": len(c.Wall), "cpu": len(c.CPU), "drain": len(c.Drain), "drain wall": len(c.DrainW), "allocs": len(c.Allocs), "bytes": len(c.Bytes),
			"gcs": len(c.GCs), "gc cpu": len(c.GCCPU), "pause": len(c.Pause), "heap": len(c.Heap), "coins": len(r.CandidateFirst),
		} {
			if n != shape.Pairs {
				t.Errorf("%v has %d bursts in column %s, not %d", side, n, column, shape.Pairs)
			}
		}
		if slices.Min(c.Allocs) != uint64(ops) || slices.Min(c.Bytes) != 1024*uint64(ops) || c.Extra["done"] != float64(ops) {
			t.Errorf("%v: N %d, objects %v, bytes %v, done %v", side, ops, c.Allocs, c.Bytes, c.Extra)
		}
	}
	again, shape2, err := Launch{
		Plan: l.Plan, Seed: l.Seed, Rule: l.Rule, Comparison: l.Comparison, Form: l.Form, Layout: l.Layout, Number: l.Number,
		Programs: l.Programs, Leaves: l.Leaves, Timeout: limit, Shape: &shape,
	}.Run(t.Context())
	if err != nil || shape2 != shape || again.N != r.N || !slices.Equal(again.CandidateFirst, r.CandidateFirst) {
		t.Errorf("the same launch again: shape %+v, coins %v, %v; first %+v, %v", shape2, again.CandidateFirst, err, shape, r.CandidateFirst)
	}
}

func TestNIsThatOfTheOldSide(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkN")
	l.Leaves[study.Candidate] = "BenchmarkSetUpN"
	l.Shape = &Shape{N: [2]int{7, 7}, Pairs: 2, WarmUp: 1}
	r, _, err := l.Run(t.Context())
	if err != nil || r.N != 7 || r.Baseline.Extra["done"] != 7 || r.Candidate.Extra["done"] != 7 {
		t.Errorf("N %d, done %v and %v, %v", r.N, r.Baseline.Extra, r.Candidate.Extra, err)
	}
}

// TestAnOperationOfSecondsIsMeasuredFromItsFirstBurst asks how often a process
// has run the operation by the end of each burst: testing runs it once, and
// calibration must not run it for nothing.
func TestAnOperationOfSecondsIsMeasuredFromItsFirstBurst(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	firsts := map[bool]int{}
	for number := 0; len(firsts) < 2; number++ {
		l := launch(m.side, "BenchmarkSlow")
		l.Leaves[study.Candidate], l.Number, l.Limit = "BenchmarkSlower", number, 1400*time.Millisecond
		newFirst := l.coins()()
		if firsts[newFirst]++; firsts[newFirst] > 1 {
			continue // this order was tried
		}
		r, shape, err := l.Run(t.Context())
		if err != nil || r.Status != study.StatusOK {
			t.Fatal(r.Status, r.Error, err)
		}
		if shape.N != [2]int{1, 1} || shape.Pairs != 1 || shape.WarmUp != 0 || ShapeOf(r, rule) != shape {
			t.Errorf("shape %+v, of the record %+v", shape, ShapeOf(r, rule))
		}
		if !slices.Equal(r.CandidateFirst, []bool{newFirst}) {
			t.Errorf("new first %v, the coin says %v", r.CandidateFirst, newFirst)
		}
		for name, c := range map[string]study.Columns{"baseline": r.Baseline, "candidate": r.Candidate} {
			if len(c.Wall) != 1 || c.Extra["runs"] != 2 {
				t.Errorf("%s: %v ns, %v runs of the operation; want one burst, and 2 runs with testing's own", name, c.Wall, c.Extra["runs"])
			}
		}
		if r.Baseline.Wall[0] < int64(600*time.Millisecond) || r.Candidate.Wall[0] < int64(900*time.Millisecond) {
			t.Errorf("bursts of %v and %v ns, operations of 600 and 900 ms", r.Baseline.Wall, r.Candidate.Wall)
		}
	}
}

func TestShapes(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	tests := []struct {
		leaf  string
		new   string
		form  study.Form
		check func(s Shape) error
	}{
		{leaf: "BenchmarkN", check: func(s Shape) error {
			if s.N[0] < 100 {
				return fmt.Errorf("a burst of a millisecond has more operations")
			}
			return nil
		}},
		{leaf: "BenchmarkN", new: "BenchmarkAlloc", check: func(s Shape) error {
			if s.Pairs != rule.Pairs && s.Note == "" {
				return fmt.Errorf("want all pairs, because the candidate allocates")
			}
			return nil
		}},
		{leaf: "BenchmarkN", form: study.FormStretch, check: func(s Shape) error {
			if s.Pairs < 10 || s.Pairs > 22 || s.WarmUp != 0 {
				return fmt.Errorf("want as many bursts of a millisecond as a stretch of 20 ms has")
			}
			return nil
		}},
		{leaf: "BenchmarkNap", check: func(s Shape) error {
			if s.N[0] > 2 {
				return fmt.Errorf("an operation is a burst")
			}
			return nil
		}},
		{leaf: "BenchmarkWindowless", check: func(s Shape) error {
			if s.N[0] > int(2*mostBurst/(2*time.Millisecond)) || s.Pairs > minPairs || s.Note == "" {
				return fmt.Errorf("bursts must be kept short and few, and say so")
			}
			return nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.leaf+tt.new+string(tt.form), func(t *testing.T) {
			l := launch(m.side, tt.leaf)
			if tt.new != "" {
				l.Leaves[study.Candidate] = tt.new
			}
			if tt.form != "" {
				l.Form = tt.form
			}
			for try := 1; ; try++ { // a stall of the machine makes one shape odd, not all
				r, shape, err := l.Run(t.Context())
				if err != nil || r.Status != study.StatusOK {
					t.Fatal(r.Status, r.Error, err)
				}
				if got := ShapeOf(r, rule); got != shape {
					t.Errorf("ShapeOf = %+v, used %+v", got, shape)
				}
				err = tt.check(shape)
				if err == nil {
					return
				}
				if try == 4 {
					t.Fatalf("%+v: %v", shape, err)
				}
				t.Logf("%+v: %v", shape, err)
			}
		})
	}
}

func TestCalibrationIsNotMisledByAStall(t *testing.T) {
	const op, ms = 200 * time.Nanosecond, time.Millisecond
	for _, stalls := range [][]int{nil, {0}, {0, 1}, {0, 2}, {1}, {1, 2}, {2}, {2, 3}, {3}, {4}, {3, 4}, {4, 5}, {0, 1, 4, 5}} {
		calls := 0
		run := func(_ context.Context, n int, forceGC bool) (Burst, error) {
			wall := time.Duration(n) * op
			if slices.Contains(stalls, calls) {
				wall += 4 * ms // another program has the processor
			}
			calls++
			if !forceGC {
				t.Error("no collection is forced")
			}
			return Burst{Burst: study.Burst{Wall: int64(wall)}, Real: wall}, nil
		}
		if n, err := calibrate(t.Context(), run, ms); err != nil || n != int(ms/op) {
			t.Errorf("stalls in %v: N %d, %v; want %d", stalls, n, err, ms/op)
		}
	}
}

func TestSlowBurstsAreTriedOnce(t *testing.T) {
	calls := 0
	run := func(context.Context, int, bool) (Burst, error) {
		calls++
		return Burst{Burst: study.Burst{Wall: int64(2 * slowBurst)}, Real: 2 * slowBurst}, nil
	}
	if n, err := calibrate(t.Context(), run, time.Millisecond); err != nil || n != 1 || calls != 1 {
		t.Errorf("N %d after %d bursts, %v; want 1 after 1", n, calls, err)
	}
}

func TestCalibrationGrowsToTheTargetAndKnowsWhenToStop(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name       string
		n          int
		wall, real time.Duration
		first      time.Duration
		next       int
		done       bool
	}{
		{"at the target", 1000, ms, ms, 0, 1000, true},
		{"near enough", 1000, 8 * ms / 10, ms, 0, 1250, true},
		{"far above", 4, 8 * ms, 8 * ms, 0, 1, true},
		{"one operation is too long", 1, 80 * ms, 80 * ms, 80 * ms, 1, true},
		{"half way: ten per cent more than needed", 1000, ms / 2, ms / 2, 0, 2200, false},
		{"far below: a hundredfold at most", 1, 10, ms, ms, 100, false},
		{"a clock that stands still", 1, 0, 0, 0, 100, false},
		{"the end of counting", maxN, 1, ms, 0, maxN, true},
		{"set-up does not count", 100, ms / 10, 300 * ms, 300 * ms, 1100, false},
		{"the stopped timer's part grows: no more than fits", 100, ms / 100, 100*ms + 5, 5, 250, false},
		{"the stopped timer's part is too long already", 1000, ms / 10, 1000*ms + 5, 5, 250, true},
	} {
		next, done := nextN(tt.n, Burst{Burst: study.Burst{Wall: int64(tt.wall)}, Real: tt.real}, tt.first, ms)
		if next != tt.next || done != tt.done {
			t.Errorf("%s: %d, %v, want %d, %v", tt.name, next, done, tt.next, tt.done)
		}
	}
}

func TestWarmUpFollowsFromWhatARecordHolds(t *testing.T) {
	r := study.Rule{WarmUp: 40, Pairs: 200, PairsQuiet: 100}
	for _, tt := range []struct {
		form  study.Form
		pairs int
		want  int
	}{
		{study.FormBursts, 200, 40}, {study.FormBursts, 100, 40},
		{study.FormBursts, 140, 28}, {study.FormBursts, 10, 2}, {study.FormBursts, 3, 1}, {study.FormBursts, 2, 0},
		{study.FormStretch, 200, 0}, {study.FormPairs, 6, 0},
	} {
		rec := study.Record{Form: tt.form, N: 3, NCandidate: 7, Note: "n", Baseline: study.Columns{Wall: make([]int64, tt.pairs)}}
		if got, want := ShapeOf(rec, r), (Shape{N: [2]int{3, 7}, Pairs: tt.pairs, WarmUp: tt.want, Note: "n"}); got != want {
			t.Errorf("ShapeOf = %+v, want %+v", got, want)
		}
	}
	// The first launch of a comparison says how long the others are.
	first := study.Record{Form: study.FormBursts, N: 3, Pairs: 100, Baseline: study.Columns{Wall: make([]int64, 500)}}
	if got, want := ShapeOf(first, r), (Shape{N: [2]int{3, 3}, Pairs: 100, Soak: 500, WarmUp: 40}); got != want {
		t.Errorf("ShapeOf = %+v, want %+v", got, want)
	}
}

func TestAMetricThatIsNoNumberDoesNotSpoilTheRecord(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkNotANumber")
	l.Shape = &Shape{N: [2]int{5, 5}, Pairs: 2}
	r, _, err := l.Run(t.Context())
	if err != nil || r.Baseline.Extra["misses"] != 7 || len(r.Baseline.Extra) != 1 {
		t.Errorf("metrics %v, %v", r.Baseline.Extra, err)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestTheCellReachesBothProcesses(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	s := Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"GOGC=off"}}
	l := launch(s, "BenchmarkGarbage")
	l.Shape = &Shape{N: [2]int{200, 200}, Pairs: 20}
	r, _, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK {
		t.Fatal(r.Status, r.Error, err)
	}
	for i := range r.Baseline.GCs {
		if r.Baseline.GCs[i]+r.Candidate.GCs[i] != 0 {
			t.Fatalf("pair %d collected with GOGC=off", i)
		}
	}
}

func TestPatternMatchesLiterally(t *testing.T) {
	if got, want := Pattern("BenchmarkA/x.y/(z)"), `^BenchmarkA$/^x\.y$/^\(z\)$`; got != want {
		t.Errorf("Pattern = %s, want %s", got, want)
	}
	for _, tt := range []struct {
		printed, leaf string
		want          bool
	}{
		{"BenchmarkA", "BenchmarkA", true}, {"BenchmarkA-8", "BenchmarkA", true}, {"BenchmarkA/size-4-2", "BenchmarkA/size-4", true},
		{"BenchmarkA/size-4", "BenchmarkA/size-4", true}, {"BenchmarkA-x", "BenchmarkA", false}, {"BenchmarkAB", "BenchmarkA", false},
		{"BenchmarkA8", "BenchmarkA", false}, {"Benchmark", "BenchmarkA", false},
	} {
		if got := sameLeaf(tt.printed, tt.leaf); got != tt.want {
			t.Errorf("sameLeaf(%s, %s) = %v", tt.printed, tt.leaf, got)
		}
	}
}

func TestTheLoadIsWhatTheSystemCounts(t *testing.T) {
	files := map[string]string{}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("no %s", name)
	}
	own := time.Duration(0)
	self := func() time.Duration { return own }
	const before = "cpu  100 10 20 1000 50 1 2 5 7 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
	tests := []struct {
		name          string
		before, after string
		average       string
		want          study.Load
	}{
		// 200 ticks: 100 busy (60 ours), 80 idle or waiting, 20 stolen
		{"other programs and the hypervisor", before, "cpu  150 20 50 1070 60 6 7 25 9 9\n", "1.25 2 3 1/99 123\n", study.Load{Foreign: 0.2, Steal: 0.1, Average: 1.25}},
		{"we are all the load", before, "cpu  130 10 20 1170 50 1 2 5 7 7\n", "0.5", study.Load{Foreign: 0, Steal: 0, Average: 0.5}},
		{"no average", before, "cpu  300 10 20 1000 50 1 2 5 7 7\n", "", study.Load{Foreign: 0.7, Steal: 0, Average: -1}},
		{"counters that stand still", before, before, "x", study.Load{Foreign: -1, Steal: -1, Average: -1}},
		{"another format", before, "cpu 1 2 3\n", "", study.Load{Foreign: -1, Steal: -1, Average: -1}},
		{"no such file", "", "", "", study.Load{Foreign: -1, Steal: -1, Average: -1}},
	}
	for _, tt := range tests {
		clear(files)
		own = time.Hour
		if tt.before != "" {
			files["/proc/stat"] = tt.before
		}
		m := newLoadMeter(read, self)
		if tt.after != "" {
			files["/proc/stat"] = tt.after
		}
		if tt.average != "" {
			files["/proc/loadavg"] = tt.average
		}
		own += 200 * time.Millisecond
		got := m.end(400 * time.Millisecond)
		if math.Abs(got.Foreign-tt.want.Foreign) > 1e-9 || math.Abs(got.Steal-tt.want.Steal) > 1e-9 || got.Average != tt.want.Average {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if l := startLoad().end(0); runtime.GOOS == "linux" && l.Average < 0 {
		t.Errorf("here: %+v", l)
	}
}
