//go:build linux

package duet

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// A machine under load may let a benchmark change its thread in each of the bursts
// that are looked at, and then it is not bound; or run several threads in turns, so
// that one does all of the work. Neither is so in each launch.
func TestSidesOfOneThreadShareAProcessor(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("there is one processor: everything runs on it")
	}
	for leaf, want := range map[string]bool{
		"BenchmarkLoop": true, "BenchmarkN": true,
		"BenchmarkParallel": false, "BenchmarkPingPong": false, "BenchmarkNap": false,
	} {
		t.Run(leaf, func(t *testing.T) {
			l := launch(built(t, "bench", study.EngineDuet, 0).side, leaf)
			tries, bound := 3, 0
			if want {
				tries = 10
			}
			for range tries {
				r, s, err := l.Run(t.Context())
				if err != nil || r.Status != study.StatusOK {
					t.Fatal(r.Error, err)
				}
				if s.OneThread != (r.Processor > 0) || r.Processor > runtime.NumCPU() {
					t.Fatalf("of one thread: %t, on processor %d", s.OneThread, r.Processor)
				}
				if s.OneThread {
					bound++
				}
				if s.OneThread && want {
					l.Shape = &s
					if r, _, err = l.Run(t.Context()); err != nil || r.Processor == 0 || !ShapeOf(r, l.Rule).OneThread {
						t.Errorf("the next launch ran on processor %d (%v)", r.Processor, err)
					}
					return
				}
			}
			if want || bound == tries {
				t.Errorf("bound to one processor in %d of %d launches", bound, tries)
			}
		})
	}
}

func TestABoundBurstLeavesNoThreadBound(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("there is one processor: everything runs on it")
	}
	p := serve(t, "BenchmarkThreads")
	if b := burst(t, p, 2000); b.Extra["bound"] != 1 {
		t.Errorf("%v of the benchmark's threads are bound, want 1", b.Extra["bound"])
	}
	elsewhere := 0
	for i := range 20 {
		p.On = i%2 + 1
		if b := burst(t, p, 2000); b.Own > 0 && b.Processor != p.On {
			elsewhere++
		}
		p.On = 0
		if b := burst(t, p, 2000); b.Extra["bound"] > 0 {
			t.Fatal("after a bound burst a thread is bound")
		}
	}
	// The goroutine may move to another thread as the burst ends, before it asks where it
	// is. Of bursts that nothing binds half are elsewhere.
	if elsewhere > 5 {
		t.Errorf("%d of 20 bound bursts ended on the other processor", elsewhere)
	}
}
