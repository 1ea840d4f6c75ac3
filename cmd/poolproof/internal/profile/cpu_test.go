package profile

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// made builds a profile with these sample types, and a sample for each stack,
// its names separated by spaces, the innermost first.
func made(types []string, stacks map[string][]int64) *pprof.Profile {
	p := &pprof.Profile{}
	for _, t := range types {
		name, unit, _ := strings.Cut(t, "/")
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: unit})
	}
	for names, values := range stacks {
		s := &pprof.Sample{Value: values}
		for _, name := range strings.Fields(names) {
			f := &pprof.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "/m/a.go"}
			l := &pprof.Location{ID: f.ID, Line: []pprof.Line{{Function: f, Line: 3}}}
			p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

var (
	cpuTypes  = []string{"samples/count", "cpu/nanoseconds"}
	heapTypes = []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}
)

func write(t *testing.T, p *pprof.Profile) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.pb.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCPUTimeIsSortedByWhatItGoesTo(t *testing.T) {
	got, err := ReadCPU(write(t, made(cpuTypes, map[string][]int64{
		"m.f m.main": {1, 10},
		"runtime.memclrNoHeapPointers runtime.mallocgc runtime.makeslice m.f":                          {2, 20},
		"runtime.(*mspan).init runtime.mallocgcSmallScanNoHeaderSC4 m.f":                               {4, 40},
		"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack":          {8, 80},
		"runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc runtime.mallocgc m.f":           {16, 160},
		"runtime.(*sweepLocked).sweep runtime.(*mcache).refill runtime.mallocgc runtime.newobject m.f": {32, 320},
		"runtime.futex runtime.mcall": {64, 640},
		"other.mallocgc m.f":          {128, 1280},
	})))
	if want := (CPU{Samples: 255, Allocate: 6, Collect: 56}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := ReadCPU(write(t, made(heapTypes, map[string][]int64{"m.f": {1, 1, 1, 1}}))); err == nil || !strings.Contains(err.Error(), "no CPU profile") {
		t.Errorf("an allocation profile: %v", err)
	}
}

func TestTheBoundIsOfTheSitesPart(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 5e-4 }
	many := CPU{Samples: 1e9, Allocate: 3e8, Collect: 2e8}
	for _, c := range []struct {
		cpu            CPU
		bytes, objects float64
		want           float64
	}{
		{many, 1, 1, 0.5},
		{many, 0.5, 0, 0.25},
		{many, 0.1, 0.4, 0.02 + 0.12}, // collection goes with the bytes, allocation with the objects
		{many, 0, 0, 0},
		{CPU{}, 1, 1, 0},
		{CPU{Samples: 2, Collect: 2}, 1, 1, 1},
	} {
		if got := c.cpu.Bound(c.bytes, c.objects); !near(got, c.want) {
			t.Errorf("%+v of bytes %v, objects %v: %.4f, want %.4f", c.cpu, c.bytes, c.objects, got, c.want)
		}
	}
	// Wilson's limit u of p in n samples solves (u-p)² = z² u(1-u)/n.
	for _, seen := range []float64{0, 3, 6, 30} {
		const n = 30
		u := CPU{Samples: n, Collect: seen}.Bound(1, 1)
		if p := seen / n; !near((u-p)*(u-p), 2.7055*u*(1-u)/n) || u < p-1e-9 {
			t.Errorf("%v of %v: %.4f", seen, n, u)
		}
		if half := (CPU{Samples: n, Collect: seen}).Bound(0.5, 0.5); !near(half, u/2) {
			t.Errorf("%v of %v, half of the bytes: %.4f, not half of %.4f", seen, n, half, u)
		}
	}
	if got := (CPU{10, 5, 4}).Less(CPU{4, 6, 1}); got != (CPU{6, 0, 3}) {
		t.Errorf("without set-up: %+v", got)
	}
}
