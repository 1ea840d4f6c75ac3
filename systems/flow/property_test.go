package flow

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func randomGenes(r *rand.Rand) []byte {
	b := make([]byte, 24)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// rounds is how many random programs a test runs.
func rounds(t *testing.T, n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// TestPipelinesDoWhatAPlainLoopDoes runs random pipelines and compares values,
// errors, and their order.
func TestPipelinesDoWhatAPlainLoopDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds(t, 3000) {
		p := newProgram(randomGenes(r))
		for range 2 { // a stream can be run again
			got, err := p.run(t.Context(), -1)
			if err != nil {
				t.Fatalf("fatal error %v of\n%s", err, p.text)
			}
			if d := p.differ(got, p.items); d != "" {
				t.Fatal(d)
			}
		}
	}
}

// TestAStreamIsSafeForConcurrentRuns runs the same streams on several goroutines.
func TestAStreamIsSafeForConcurrentRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range rounds(t, 150) {
		p := newProgram(randomGenes(r))
		if containsTap(p.text) {
			continue // its function is not
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				got, err := p.run(t.Context(), -1)
				if d := p.differ(got, p.items); d != "" || err != nil {
					t.Error(err, d)
				}
			})
		}
		wg.Wait()
	}
}

// The bubble of synctest ends only when all its goroutines have: one that is left
// blocked fails the test.
func TestAStopAtAnyItemLeavesNoGoroutine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range rounds(t, 400) {
		p := newProgram(randomGenes(r))
		for limit := range min(len(p.items), 12) {
			if limit > 6 {
				limit = r.IntN(len(p.items))
			}
			synctest.Test(t, func(t *testing.T) {
				got, err := p.run(t.Context(), limit)
				if err != nil {
					t.Fatalf("fatal error %v after %d items of\n%s", err, limit, p.text)
				}
				if p.unordered {
					return
				}
				if d := p.differ(got, p.items[:limit]); d != "" {
					t.Fatal(d)
				}
			})
		}
	}
}

func TestACancelAtAnyItemEndsTheRun(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	cause := errors.New("the cause")
	for range rounds(t, 400) {
		p := newProgram(randomGenes(r))
		for range min(len(p.items), 6) {
			at := r.IntN(len(p.items))
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				var got []item
				err := p.stream.Each(ctx, func(v int, err error) error {
					if len(got) == at {
						cancel(cause)
					}
					if err != nil {
						got = append(got, item{err: err.Error()})
					} else {
						got = append(got, item{v: v})
					}
					return nil
				})
				// What was on its way may still have come, in order, to the end.
				if err == nil && len(got) < len(p.items) || err != nil && err != cause {
					t.Fatalf("fatal error %v, want %v, or all items; after %d items of %d of\n%s", err, cause, len(got), len(p.items), p.text)
				}
				if p.unordered || len(got) > len(p.items) {
					return
				}
				if d := p.differ(got, p.items[:len(got)]); d != "" {
					t.Fatal(d)
				}
			})
		}
	}
}

func containsTap(text string) bool {
	for i := range text {
		if len(text)-i >= 3 && text[i:i+3] == "tap" {
			return true
		}
	}
	return false
}

// FuzzPipelines is TestPipelinesDoWhatAPlainLoopDoes for pipelines that the fuzzer
// writes.
func FuzzPipelines(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		f.Add(randomGenes(r), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		if len(b) > 64 {
			return
		}
		p := newProgram(b)
		if len(p.items) > 1<<16 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		got, err := p.run(ctx, -1)
		if err != nil {
			t.Fatalf("fatal error %v of\n%s", err, p.text)
		}
		if d := p.differ(got, p.items); d != "" {
			t.Fatal(d)
		}
		if limit >= 0 && limit < len(p.items) {
			got, err := p.run(ctx, limit)
			if err != nil || len(got) != limit {
				t.Fatalf("stopped after %d items: %d items and error %v of\n%s", limit, len(got), err, p.text)
			}
		}
	})
}
