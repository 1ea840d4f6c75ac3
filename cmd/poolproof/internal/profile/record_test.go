package profile

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func stack(functions ...string) (frames []Frame) {
	for _, f := range functions {
		frames = append(frames, Frame{Function: f, File: "/m/a.go", Line: 1})
	}
	return frames
}

// run returns a process's allocations from one stack, with so much before, in
// set-up and in an operation.
func run(history, setUp, operation Counts, n int64) (at [3]Counts) {
	add := func(parts ...Counts) (sum Counts) {
		for _, p := range parts {
			sum.Objects += p.Objects
			sum.Bytes += p.Bytes
		}
		return sum
	}
	times := func(c Counts, n int64) Counts { return Counts{c.Objects * n, c.Bytes * n} }
	one := add(history, setUp, operation)
	return [3]Counts{history, one, add(one, setUp, times(operation, n))}
}

func TestHugeSetUpLeavesAProfileUnchanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	counts := func(most int64) Counts { return Counts{rng.Int64N(most), rng.Int64N(most * 100)} }
	for range 1000 {
		operation, n := counts(50), 2+rng.Int64N(100_000)
		operation.Objects++
		operation.Bytes++
		records := []Record{{stack("m.f"), run(counts(1e12), counts(1e12), operation, n)}}
		got := Cancel(records, int(n))
		want := []Sample{{stack("m.f"), float64(operation.Objects), float64(operation.Bytes)}}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("n = %d: %v, want %v", n, got, want)
		}
	}
}

func TestWhatIsNoOperationsIsLeftOut(t *testing.T) {
	for name, r := range map[string]Record{
		"set-up alone":          {stack("m.f"), run(Counts{}, Counts{1, 1 << 30}, Counts{}, 10)},
		"less than in set-up":   {stack("m.f"), [3]Counts{{}, {10, 1000}, {12, 1200}}},
		"history alone":         {stack("m.f"), run(Counts{5, 50}, Counts{}, Counts{}, 10)},
		"the server's snapshot": {stack("runtime.makeslice", "testing.poolproofSnapshot", "testing.(*B).poolproofHeap"), run(Counts{}, Counts{}, Counts{1, 100}, 10)},
		"a collection's":        {stack("runtime.mallocgc", "runtime.newobject", "runtime.acquireSudog", "runtime.gcAssistAlloc", "runtime.mallocgc", "runtime.makeslice", "example.org/m.f", "testing.(*B).runN"), run(Counts{}, Counts{}, Counts{1, 112}, 10)},
		"the server's text":     {stack("runtime.growslice", "strconv.AppendInt", "testing.(*B).poolproofDescribe"), run(Counts{}, Counts{}, Counts{1, 100}, 10)},
	} {
		if got := Cancel([]Record{r}, 10); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	kept := []Record{
		{stack("runtime.mallocgcSmallNoscan", "runtime.mallocgc", "runtime.makeslice", "example.org/m.f", "testing.(*B).runN"), run(Counts{}, Counts{}, Counts{1, 100}, 10)},
		{stack("runtime.makeslice", "example.org/m.f", "testing.(*B).runN", "testing.(*B).poolproofSlice"), run(Counts{}, Counts{}, Counts{1, 100}, 10)},
		{stack("testing.(*B).Elapsed", "m.Benchmark", "testing.(*B).poolproofSlice"), run(Counts{}, Counts{}, Counts{1, 100}, 10)},
	}
	if got := Cancel(kept, 10); len(got) != len(kept) {
		t.Errorf("of a benchmark only %v is left", got)
	}
}

const recorded = `frame 0 12 "m.f" "/a b/\"m\".go"
frame 1 7 "testing.(*B).runN" "/go/benchmark.go"
stack 0 0 1 16 11 176 0 1
stack 2 32 2 32 3 48 1
end
`

func TestRecordsAreRead(t *testing.T) {
	got, err := ReadRecords(strings.NewReader(recorded))
	f, runN := Frame{"m.f", `/a b/"m".go`, 12}, Frame{"testing.(*B).runN", "/go/benchmark.go", 7}
	want := []Record{{[]Frame{f, runN}, [3]Counts{{}, {1, 16}, {11, 176}}}, {[]Frame{runN}, [3]Counts{{2, 32}, {2, 32}, {3, 48}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, %v; want %v", got, err, want)
	}
	lines := strings.SplitAfter(recorded, "\n")
	for i := range lines[:len(lines)-1] {
		cut := strings.Join(lines[:i], "")
		if _, err := ReadRecords(strings.NewReader(cut)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d: the file is cut off", i+1)) {
			t.Errorf("of %d lines: %v", i, err)
		}
	}
	for _, bad := range []string{"frame 0\nend\n", "stack 1 2 3\nend\n", "stack 0 0 0 0 0 x\nend\n", "stack 0 0 0 0 1 1 9\nend\n", "heap\nend\n"} {
		if got, err := ReadRecords(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}
